-- set_lengthen.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
--                          ARGV[2]  TTL in ms to have at least
-- Returns  1 the token has that now, 2 it had more, and keeps it, 0 not ours
-- Atomic because: the caller must not lose it in between.

#include "caller.lua"
local ttl = tonumber(ARGV[2])
#include "set.lua"
#include "hold.lua"
if not alone and not ends then
	return 0
end
if alone and (pttl < 0 or pttl > ttl) or ends and ends > now + ttl then
	return 2
end
if alone then
	redis.call('PEXPIRE', key, ttl)
else
	#include "put_off.lua"
end
return 1
