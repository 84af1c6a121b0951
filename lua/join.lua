-- join.lua
-- KEYS[1]  lock key                  ARGV[1]  token of the caller, ARGV[2]  TTL in ms
-- KEYS[2]  mark of the waiters       ARGV[3]  ms the mark is to live at least
-- KEYS[3]  fence counter (optional)  ARGV[4]  1: would look after the lock, 0: would not
-- Returns  { n, pttl, wakes }: n is 0 when held by someone else, then the lock
--          has pttl ms left (-1 no expiry), and wakes is 1 if its holder will
--          wake us, 2 if besides we shall look after the lock; else the lock is
--          ours, n is the new fence, 1 without one
-- Atomic because: a release between the failed try and the mark would wake nobody.
--
-- The mark only ever lives longer. Its element counts those who look, at 20 ms
-- each: what it gains in life is taken off, and beyond 5 s nobody is added. So
-- 250 may begin at once, and then one every 20 ms, however many wait.
-- Redis 4 takes PTTL for a random command and would refuse the write behind it
-- unless the script replicates its effects, as later versions always do.

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
local left, life = redis.call('PTTL', KEYS[2]), tonumber(ARGV[3])
if left == -2 then
	redis.call('LPUSH', KEYS[2], 0)
end
local lookers = tonumber(redis.call('LINDEX', KEYS[2], 0)) or 0
if left < life then
	redis.call('PEXPIRE', KEYS[2], life)
	lookers = math.max(lookers - (life - left), 0)
end
local wakes = string.sub(value, 1, 5) == 'rlk1:' and string.sub(value, -5) ~= ':done'
local looks = wakes and ARGV[4] == '1' and lookers < 5000
redis.call('LSET', KEYS[2], 0, lookers + (looks and 20 or 0))
return { 0, redis.call('PTTL', KEYS[1]), looks and 2 or wakes and 1 or 0 }
