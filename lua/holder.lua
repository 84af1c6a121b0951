-- holder.lua
-- KEYS[1]  lock key        KEYS[2]  waiters key (optional)
-- Returns  nil nobody holds it, else { value, pttl, waited }: the first 1024
--          bytes of the value ('' when the key is not a string), the
--          milliseconds left (-1 no expiry), 1 if the waiters key exists, else 0
-- Atomic because: value and time left must be of the same holder.

local value = redis.pcall('GET', KEYS[1])
if not value then
	return false
end
#include "refused.lua"
local text = type(value) == 'string' and string.sub(value, 1, 1024) or ''
return { text, redis.call('PTTL', KEYS[1]), KEYS[2] and redis.call('EXISTS', KEYS[2]) or 0 }
