-- look.lua
-- KEYS[1]  lock key             ARGV[1]  token of the caller
-- KEYS[2]  waiters key          ARGV[2]  ms the waiters key is to live at least
-- KEYS[3]  list that wakes one  ARGV[3]  token that the caller has at the turnstile, or ''
-- KEYS[4]  turnstile
-- Returns  ms after which to look again; negative if the lock is free, or the
--          caller's already: it should have heard of that by then
-- Atomic because: a second wake-up for one release would cost a waiter its place.
--
-- Said by a waiter, over a second connection, while the first one blocks. If the
-- lock was free 10 ms ago, too, the first in line is woken: by then whoever a
-- release woke would have it. Of several who find it free one wakes.
-- What the waiters key says, and how looks are booked: join.lua.

local rest, left, life = redis.call('PTTL', KEYS[1]), redis.call('PTTL', KEYS[2]), tonumber(ARGV[2])
local last, free = string.match(redis.call('LINDEX', KEYS[2], 0) or '', '^(%-?%d+) (%-?%d+)$')
local booked, since = math.max(left - (tonumber(last) or left), 0), (tonumber(free) or left + 1000) - left
if left == -2 then
	redis.call('LPUSH', KEYS[2], '')
end
if left < life then
	redis.call('PEXPIRE', KEYS[2], life)
	left = life
end
local pause = math.max(booked, 1000)
-- As in join.lua.
if ARGV[3] ~= '' and redis.pcall('GET', KEYS[4]) == ARGV[3] then
	redis.call('PEXPIRE', KEYS[4], 2000)
	redis.pcall('SET', KEYS[4] .. ':rlk:fence', '', 'PX', 2000)
	pause = 1000
end
if redis.pcall('GET', KEYS[1]) == ARGV[1] then
	pause, since = -10, 1000
elseif rest ~= -2 then
	if rest >= 0 and rest < pause and booked < 1000 then
		pause = rest + 1
	end
	booked, since = math.min(booked + 4, 10000), 1000
elseif since < 10 then
	pause = since - 10
else
	if since < 1000 then
		local waiters, signal = KEYS[2], KEYS[3]
		#include "wake.lua"
	end
	pause, since = -10, 0
end
redis.call('LSET', KEYS[2], 0, (left - booked) .. ' ' .. (left + since))
return pause
