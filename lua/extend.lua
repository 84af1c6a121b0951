-- extend.lua
-- KEYS[1]  lock key             ARGV[1]  token of the caller
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
--                               ARGV[2]  TTL in ms, counted from now; 0 drops the expiry
-- Returns  1 extended, 0 not ours (expired, taken over, or not a string)
-- Atomic because: between GET and PEXPIRE the key may change owner.
--
-- Waiters check once a second, and at the end of the lock that they know. If the lock now
-- ends before the next check, one waiter is woken: it tries in vain, joins again, and so
-- learns the new end.

local value = redis.pcall('GET', KEYS[1])
if value ~= ARGV[1] then
	#include "refused.lua"
	return 0
end
if ARGV[2] == '0' then
	redis.call('PERSIST', KEYS[1])
	return 1
end
local waiters, signal = KEYS[2], KEYS[3]
local left = signal and ARGV[2] - 1100 < 0 and redis.call('PTTL', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
if left and (left < 0 or left - ARGV[2] > 0) then
	#include "wake.lua"
end
return 1
