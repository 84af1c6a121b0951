-- rest.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
--                          ARGV[2]  token to leave behind, ARGV[3]  its TTL in ms
-- Returns  1 resting, 0 not ours (expired, taken over, or not a string)
-- Atomic because: between GET and SET the key may change owner.
--
-- Ends the caller's ownership but keeps the key taken for a while. The token
-- is replaced, so a renewal or release still under way finds it not its own.

local value = redis.pcall('GET', KEYS[1])
if value == ARGV[1] then
	redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
	return 1
end
-- An error such as a missing permission says nothing about the owner.
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
	return value
end
return 0
