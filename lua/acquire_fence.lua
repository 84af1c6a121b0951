-- acquire_fence.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller, ARGV[2]  TTL in ms
-- KEYS[2]  fence counter
-- Returns  the new fence, 1 or above, when acquired; 0 held by someone else
-- Atomic because: fences must grow in the order in which the lock is taken.
--
-- Counts before it sets: a counter that cannot be used then fails the script
-- with the lock untouched, and a number that was never handed out does no harm.
-- From 2^53 on, a Lua number no longer tells one fence from the next.

if redis.call('EXISTS', KEYS[1]) == 1 then
	return 0
end
local fence = redis.call('INCR', KEYS[2])
if fence < 1 or fence >= 9007199254740992 then
	return redis.error_reply('ERR fence counter out of range')
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return fence
