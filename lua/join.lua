-- join.lua
-- KEYS[1]  lock key, KEYS[2]  waiters key, KEYS[3]  list that wakes one
-- KEYS[4]  turnstile, KEYS[5]  its waiters key, KEYS[6]  list that wakes one of those
-- KEYS[7]  fence counter (optional)
-- ARGV[1]  token of the caller, ARGV[2]  TTL in ms
-- ARGV[3]  token that the caller has at the turnstile, or ''
-- ARGV[4]  ms the waiters key is to live at least
-- ARGV[5]  ms the caller will wait at most
-- Returns  { n, pttl, wakes, pause }. n is 0 if somebody else holds the lock: it
--          has pttl ms left (-1 no expiry); wakes is 1 if its holder will wake the
--          caller, 2 if the caller has to acquire the turnstile first; the caller
--          has to check the lock in `pause` ms (0: never). Else the lock is the
--          caller's, and n is the new fence, 1 without one. The error NOLOCK: the
--          key holds no lock, so nobody will release it
-- Atomic because: a release between the failed try and the waiters key would wake nobody.

-- A turnstile that was opened is free until the waiter whom that woke has taken it. Meanwhile somebody waits, and the wake token is
-- gone: it would stay if there were nobody to wake.
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
#include "will_wake.lua"
local wakes = passing or (type(value) == 'string' and will_wake(value))
if type(value) == 'table' then
	#include "refused.lua"
	-- Nobody will release a key that is no lock. Symfony's own store keeps its locks in sorted sets.
	local kind = redis.pcall('TYPE', KEYS[1])
	if kind.ok and kind.ok ~= 'zset' then
		return redis.error_reply('NOLOCK the key holds something else')
	end
	-- A set: the writer waits as the only one. All holders of the set have to wake.
	apart = apart or (type(turn) ~= 'table' and turn ~= ARGV[3])
	wakes = will_wake(redis.pcall('ZRANGE', KEYS[1], 0, 0)[1] or '') and will_wake(redis.pcall('ZRANGE', KEYS[1], -1, -1)[1] or '')
end
if apart then
	return { 0, -1, 2, 0 }
end
local waiters, turnstile, head, life, most = KEYS[2], KEYS[4], turn == ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local rest = redis.call('PTTL', KEYS[1])
#include "queue.lua"
