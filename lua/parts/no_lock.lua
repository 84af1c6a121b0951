-- no_lock.lua
-- Refuses a key that is no lock: nobody would release it.
if kind ~= 'none' and kind ~= 'string' and kind ~= 'zset' then
	return redis.error_reply('NOLOCK the key holds something else')
end
