-- set_extend.lua
-- KEYS[1]  lock key             ARGV[1]  token of the caller
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
--                               ARGV[2]  TTL in ms, counted from now
-- Returns  1 extended, 0 not ours
-- Atomic because: the caller must not lose it in between.
--
-- Treats waiters as extend.lua does.

#include "caller.lua"
local ttl, waiters, signal = tonumber(ARGV[2]), KEYS[2], KEYS[3]
#include "set.lua"
#include "hold.lua"
if not alone and not ends then
	return 0
end
if alone then
	redis.call('PEXPIRE', key, ttl)
else
	#include "put_off.lua"
end
if signal and ttl < 1100 and (alone and pttl or ends - now) > ttl then
	#include "wake.lua"
end
return 1
