-- set_take.lua
-- Called by a waiter that was woken, so it goes before those at the turnstile, who came later.
-- KEYS[1]  lock key; KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
-- KEYS[4]  turnstile, KEYS[5]  its waiters key, KEYS[6]  list that wakes one of those (all or none)
-- ARGV[1]  token of the caller, ARGV[2]  permits, 0: shared, ARGV[3]  weight, ARGV[4]  TTL in ms
-- ARGV[5]  token that the caller has at the turnstile, or ''
-- Returns  1 acquired, 0 no room. The error NOLOCK: the key holds no lock
-- Atomic because: the count must not change before the token is added.

#include "caller.lua"
local permits, weight, ttl, own_turn = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

-- The most frequent case first, in few commands: one permit is free. Members that are over count here.
if weight == 1 and own_turn == '' then
	local held, pttl = redis.pcall('ZCARD', key), redis.call('PTTL', key)
	-- Symfony's writer has two members.
	if held == permits - 1 and pttl > 0 and (held > 2 or not redis.call('ZSCORE', key, '__write__')) then
		local time = redis.call('TIME')
		local ends = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000) + ttl)
		redis.call('ZADD', key, ends, token)
		if pttl < ttl then
			#include "until.lua"
		end
		return 1
	end
end

local waiters, signal, turnstile, turn_waiters, turn_signal = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
#include "set.lua"
#include "no_lock.lua"
#include "room.lua"
if not held then
	return 0
end
#include "enter.lua"
#include "open_turnstile.lua"
-- Several releases may have left only one wake token.
if signal and permits > held + weight then
	#include "wake.lua"
end
return 1
