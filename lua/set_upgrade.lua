-- set_upgrade.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller, who shares the lock
-- Returns  1 the caller holds a plain lock now, for the rest of its time, or held it already; 0 others share the lock, or not ours
-- Atomic because: nobody may begin to share the lock in between.

#include "caller.lua"
#include "set.lua"
#include "hold.lua"
local only = ends and redis.call('ZCARD', key) == 1
if only then
	redis.call('SET', key, token, 'PX', ends - now)
end
return (only or alone) and 1 or 0
