-- set_upgrade.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller, who shares the lock
-- Returns  1 it is the holder of a plain lock now, for the rest of its time, or was that already; 0 others share it, or not ours
-- Atomic because: nobody may come to share it in between.

#include "caller.lua"
#include "set.lua"
#include "hold.lua"
local only = ends and redis.call('ZCARD', key) == 1
if only then
	redis.call('SET', key, token, 'PX', ends - now)
end
return (only or alone) and 1 or 0
