-- expire.lua
-- The key expires with its longest member.
local longest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]
if longest then
	redis.call('PEXPIREAT', key, longest)
end
