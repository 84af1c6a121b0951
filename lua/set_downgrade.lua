-- set_downgrade.lua
-- KEYS[1]  lock key             ARGV[1]  token of the caller, who holds a plain lock
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
-- Returns  1 the caller shares the lock now, if the lock has an expiry, or shared it already; 0 not ours
-- Atomic because: nobody may come to hold the lock in between.

#include "caller.lua"
#include "set.lua"
#include "hold.lua"
if alone and pttl >= 0 then
	local waiters, signal = KEYS[2], KEYS[3]
	-- If this user has no right to these commands, or memory is out, the plain lock stays.
	value = redis.pcall('ZADD', key, 0, token)
	#include "refused.lua"
	redis.call('PEXPIREAT', key, now + pttl)
	redis.call('DEL', key)
	redis.call('ZADD', key, now + pttl, token)
	redis.call('PEXPIREAT', key, now + pttl)
	if signal then
		#include "wake.lua"
	end
	return 1
end
return ends and 1 or 0
