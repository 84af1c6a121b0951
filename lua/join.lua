-- join.lua
-- KEYS[1]  lock key, KEYS[2]  waiters key (KEYS[3], [5] and [6] are those of set.lua)
-- KEYS[4]  turnstile, KEYS[7]  fence counter (optional). Whoever has the turnstile and is to
--          block leaves a mark for release.lua, where the fence counter of the turnstile would be
-- ARGV[1]  token of the caller, ARGV[2]  TTL in ms
-- ARGV[3]  token that the caller has at the turnstile, or ''
-- ARGV[4]  ms the waiters key is to live at least
-- ARGV[5]  ms the caller will wait at most
-- Returns  { n, pttl, wakes, pause }: n is 0 when held by someone else, then the
--          lock has pttl ms left (-1 no expiry), wakes is 1 if its holder will
--          wake us, and we shall look after the lock in `pause` ms (0: we need
--          not); else the lock is ours, n is the new fence, 1 without one. wakes
--          is also 2: acquire the turnstile first. The error NOLOCK: the key
--          holds no lock, so nobody will release it
-- Atomic because: a release between the failed try and the waiters key would wake nobody.
--
-- The waiters key only ever lives longer. Its element is two points in time, each
-- said as what the key has left to live then: up to when looks are booked, and when
-- the first of those looks was that find the lock free (1 s ahead: none does).
-- A look books 4 ms, up to 10 s ahead: 250 waiters look once a second, of
-- more each one less often.

-- A turnstile that was opened is free until whoever that woke has taken it. Then somebody waits, and the wake token is gone: it
-- stays when there is nobody to wake.
local function passes(waiters, signal)
	return redis.pcall('EXISTS', waiters) == 1 and redis.pcall('EXISTS', signal) == 0
end
local value, turn = redis.pcall('GET', KEYS[1]), redis.pcall('GET', KEYS[4])
local apart = type(turn) == 'string' and turn ~= ARGV[3] or not turn and ARGV[3] == '' and passes(KEYS[5], KEYS[6])
local passing = not value and string.sub(KEYS[1], -9) == ':rlk:turn' and passes(KEYS[2], KEYS[3])
if not apart and not passing and not value then
	local counter, fence = KEYS[7], 1
	if counter then
		#include "next_fence.lua"
	end
	redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
	return { fence, 0, 0, 0 }
end
local function ours(holder)
	return string.sub(holder, 1, 5) == 'rlk1:' and not string.find(holder, ':done$') and not string.find(holder, ':done#%d+$')
end
local wakes = passing or (type(value) == 'string' and ours(value))
if type(value) == 'table' then
	#include "refused.lua"
	-- Nobody releases what is no lock. Symfony's own store keeps its locks in sorted sets.
	local kind = redis.pcall('TYPE', KEYS[1])
	if kind.ok and kind.ok ~= 'zset' then
		return redis.error_reply('NOLOCK the key holds something else')
	end
	-- A set: the writer waits as the only one. All of its holders have to wake.
	apart = apart or (type(turn) ~= 'table' and turn ~= ARGV[3])
	wakes = ours(redis.pcall('ZRANGE', KEYS[1], 0, 0)[1] or '') and ours(redis.pcall('ZRANGE', KEYS[1], -1, -1)[1] or '')
end
if apart then
	return { 0, -1, 2, 0 }
end
if turn == ARGV[3] then
	redis.call('PEXPIRE', KEYS[4], 2000)
	redis.pcall('SET', KEYS[4] .. ':rlk:fence', '', 'PX', 2000)
end
local rest, left, life = redis.call('PTTL', KEYS[1]), redis.call('PTTL', KEYS[2]), tonumber(ARGV[4])
local last = string.match(redis.call('LINDEX', KEYS[2], 0) or '', '^(%-?%d+) %-?%d+$')
local booked = math.max(left - (tonumber(last) or left), 0)
if left == -2 then
	redis.call('LPUSH', KEYS[2], '')
end
if left < life then
	redis.call('PEXPIRE', KEYS[2], life)
	left = life
end
-- Who has the turnstile looks once a second, and so keeps it.
local pause = turn == ARGV[3] and 1000 or math.max(booked, 1000)
if rest >= 0 and rest < pause and booked < 1000 then
	pause = rest + 1
end
if wakes and pause < tonumber(ARGV[5]) then
	booked = math.min(booked + 4, 10000)
else
	pause = 0
end
redis.call('LSET', KEYS[2], 0, (left - booked) .. ' ' .. (left + 1000))
return { 0, rest, wakes and 1 or 0, pause }
