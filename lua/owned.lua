-- owned.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
-- Returns  milliseconds the key has left when it is ours, -1 ours without
--          expiry, -2 not ours (missing, taken over, or not a string)
-- Atomic because: between GET and PTTL the key may change owner.

local value = redis.pcall('GET', KEYS[1])
if value == ARGV[1] then
	return redis.call('PTTL', KEYS[1])
end
#include "refused.lua"
return -2
