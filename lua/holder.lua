-- holder.lua
-- KEYS[1]  lock key        KEYS[2]  waiters key (optional)
-- Returns  nil nobody holds it, else { value, pttl, waited }: the first 1024
--          bytes of the value ('' when the key is not a string), the
--          milliseconds left (-1 no expiry), 1 if the waiters key exists, else 0
-- Atomic because: value and time left must be of one and the same holder.

local value = redis.pcall('GET', KEYS[1])
if not value then
	return false
end
if type(value) == 'table' then
	-- An error such as a missing permission says nothing about the holder.
	if not string.find(value.err, '^WRONGTYPE') then
		return value
	end
	value = ''
end
local waited = 0
if KEYS[2] then
	waited = redis.call('EXISTS', KEYS[2])
end
return { string.sub(value, 1, 1024), redis.call('PTTL', KEYS[1]), waited }
