-- enter.lua
-- Adds the caller, for `ttl` ms.
local ends = now + ttl
redis.call('ZADD', key, ends, token)
for i = 2, weight do
	redis.call('ZADD', key, ends, token .. '#' .. i)
end
if pttl < ttl then
	redis.call('PEXPIREAT', key, ends)
end
