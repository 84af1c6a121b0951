-- next_fence.lua
-- Sets `fence`; `counter` is its key.
--
-- Counts before the lock is set: a counter that cannot be used then fails the script
-- with the lock untouched, and a number that was never handed out does no harm.
-- From 2^53 on, a Lua number no longer tells one fence from the next.
fence = redis.call('INCR', counter)
if fence < 1 or fence >= 9007199254740992 then
	return redis.error_reply('ERR fence counter out of range')
end
