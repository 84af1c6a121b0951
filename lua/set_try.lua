-- set_try.lua
-- KEYS[1]  lock key; KEYS[2]  turnstile, KEYS[3]  its waiters key, KEYS[4]  list that wakes one of those (all or none)
-- ARGV[1]  token of the caller, ARGV[2]  permits, 0: shared, ARGV[3]  weight, ARGV[4]  TTL in ms
-- Returns  1 acquired, 0 no room, or others are at the turnstile. The error NOLOCK: the key holds no lock
-- Atomic because: the count must not change before the token is added.

#include "caller.lua"

-- The most frequent case first, in few commands: no holder, and nobody at the turnstile.
if ARGV[3] == '1' and redis.pcall('EXISTS', unpack(KEYS)) == 0 then
	local time = redis.call('TIME')
	local ends = string.format('%d', time[1] * 1000 + time[2] / 1000 + ARGV[4])
	redis.call('ZADD', key, ends, token)
	#include "until.lua"
	return 1
end

local permits, weight, ttl = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local turnstile, turn_waiters, turn_signal, own_turn = KEYS[2], KEYS[3], KEYS[4], ''
#include "set.lua"
#include "no_lock.lua"
#include "room.lua"
#include "apart.lua"
if apart or not held then
	return 0
end
#include "enter.lua"
return 1
