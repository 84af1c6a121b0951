-- extend.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
--                          ARGV[2]  TTL in ms, counted from now; 0 drops the expiry
-- Returns  1 extended, 0 not ours (expired, taken over, or not a string)
-- Atomic because: between GET and PEXPIRE the key may change owner.

local value = redis.pcall('GET', KEYS[1])
if value == ARGV[1] then
	if ARGV[2] == '0' then
		redis.call('PERSIST', KEYS[1])
	else
		redis.call('PEXPIRE', KEYS[1], ARGV[2])
	end
	return 1
end
-- An error such as a missing permission says nothing about the owner.
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
	return value
end
return 0
