-- put_off.lua
-- Gives all members of the caller `ttl` ms from now on, and the key that of the longest one.
local i = 1
repeat
	redis.call('ZADD', key, now + ttl, i == 1 and token or token .. '#' .. i)
	i = i + 1
until not redis.call('ZSCORE', key, token .. '#' .. i)
#include "expire.lua"
