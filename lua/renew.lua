-- renew.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
--                          ARGV[2]  TTL in ms the key is to have at least
-- Returns  1 it has exactly that now, 2 it had more, or no expiry, and keeps it,
--          0 not ours (expired, taken over, or not a string)
-- Atomic because: between GET and PEXPIRE the key may change owner.
--
-- Never shortens: it may arrive late, and a longer TTL, or none at all, was given
-- by keepAlive() since. Redis 4 takes PTTL for a random command and would refuse
-- the write behind it unless the script replicates its effects, as later versions
-- always do.
-- The GET at the end is for client-side tracking: PEXPIRE has the server forget that the
-- caller is to be told of changes of the key, and a read has it told again.

if redis.replicate_commands then
	redis.replicate_commands()
end
local value = redis.pcall('GET', KEYS[1])
if value == ARGV[1] then
	local left = redis.call('PTTL', KEYS[1])
	if left < 0 or left > tonumber(ARGV[2]) then
		return 2
	end
	redis.call('PEXPIRE', KEYS[1], ARGV[2])
	redis.call('GET', KEYS[1])
	return 1
end
-- An error such as a missing permission says nothing about the owner.
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
	return value
end
return 0
