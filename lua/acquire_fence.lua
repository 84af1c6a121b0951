-- acquire_fence.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller, ARGV[2]  TTL in ms
-- KEYS[2]  fence counter
-- Returns  the new fence, 1 or above, when acquired; 0 held by someone else
-- Atomic because: fences must grow in the order in which the lock is taken.

if redis.call('EXISTS', KEYS[1]) == 1 then
	return 0
end
local counter, fence = KEYS[2], 0
#include "next_fence.lua"
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return fence
