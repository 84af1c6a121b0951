-- join.lua
-- KEYS[1]  lock key                  ARGV[1]  token of the caller, ARGV[2]  TTL in ms
-- KEYS[2]  mark of the waiters       ARGV[3]  ms the mark is to live at least
-- KEYS[3]  fence counter (optional)
-- Returns  { n, pttl, wakes }: n is 0 when held by someone else, then the lock
--          has pttl ms left (-1 no expiry), and wakes is 1 if its holder will
--          wake us; else the lock is ours, n is the new fence, 1 without one
-- Atomic because: a release between the failed try and the mark would wake nobody.
--
-- The mark only ever lives longer. Redis 4 takes PTTL for a random command and
-- would refuse the write behind it unless the script replicates its effects, as
-- later versions always do.

if redis.replicate_commands then
	redis.replicate_commands()
end
local value = redis.pcall('GET', KEYS[1])
if not value then
	local fence = 1
	if KEYS[3] then
		-- As in acquire_fence.lua: counts before it sets.
		fence = redis.call('INCR', KEYS[3])
		if fence < 1 or fence >= 9007199254740992 then
			return redis.error_reply('ERR fence counter out of range')
		end
	end
	redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
	return { fence, 0, 0 }
end
if type(value) == 'table' then
	-- An error such as a missing permission says nothing about the owner.
	if not string.find(value.err, '^WRONGTYPE') then
		return value
	end
	value = ''
end
local left = redis.call('PTTL', KEYS[2])
if left == -2 then
	redis.call('LPUSH', KEYS[2], 1)
end
if left < tonumber(ARGV[3]) then
	redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
local wakes = string.sub(value, 1, 5) == 'rlk1:' and string.sub(value, -5) ~= ':done'
return { 0, redis.call('PTTL', KEYS[1]), wakes and 1 or 0 }
