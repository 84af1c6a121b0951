-- release.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
-- Returns  1 released, 0 not ours (expired, taken over, or not a string)
-- Atomic because: between GET and DEL the key may change owner.

local value = redis.pcall('GET', KEYS[1])
if value == ARGV[1] then
	redis.call('DEL', KEYS[1])
	return 1
end
-- An error such as a missing permission says nothing about the owner.
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
	return value
end
return 0
