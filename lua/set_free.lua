-- set_free.lua
-- KEYS[1]  lock key             ARGV[1]  token whose hold is to end, '': all
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
-- Returns  1 done, 0 nobody has it, -1 the key is no lock, and stays
-- Atomic because: the script that frees the lock has to wake the waiters.

#include "caller.lua"
local waiters, signal = KEYS[2], KEYS[3]
#include "set.lua"
#include "hold.lua"
if kind ~= 'none' and kind ~= 'string' and not set then
	return -1
end
#include "leave.lua"
if token == '' or alone then
	removed = redis.call('DEL', key)
elseif removed > 0 then
	redis.call('ZREM', key, '__write__')
	#include "expire.lua"
end
if signal and removed > 0 then
	#include "wake.lua"
end
return math.min(removed, 1)
