-- enter.lua
-- Adds the caller, for `ttl` ms.
local ends = now + ttl
redis.call('ZADD', key, ends, token)
if pttl < ttl then
	#include "until.lua"
end
for i = 2, weight do
	redis.call('ZADD', key, ends, token .. '#' .. i)
end
