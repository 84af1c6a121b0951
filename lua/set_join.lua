-- set_join.lua
-- KEYS[1]  lock key, KEYS[2]  waiters key, KEYS[3]  list that wakes one
-- KEYS[4]  turnstile, KEYS[5]  its waiters key, KEYS[6]  list that wakes one of those
-- ARGV[1]  token of the caller, ARGV[2]  permits, 0: shared, ARGV[3]  weight, ARGV[4]  TTL in ms
-- ARGV[5] to [7]  as ARGV[3] to [5] of join.lua
-- Returns  what join.lua does
-- Atomic because: a release between the failed try and the waiters key would wake nobody.

#include "caller.lua"
local permits, weight, ttl, own_turn = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local waiters, signal, turnstile, turn_waiters, turn_signal = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
#include "set.lua"
#include "no_lock.lua"
#include "room.lua"
#include "apart.lua"
if held and not apart then
	#include "enter.lua"
	#include "open_turnstile.lua"
	-- Several releases may have left only one wake token.
	if permits > held + weight then
		#include "wake.lua"
	end
	return { 1, 0, 0, 0 }
end
if apart or (not turn and (permits == 0 or weight > 1)) then
	return { 0, -1, 2, 0 }
end

#include "will_wake.lua"
local rest, wakes, life, most, head = pttl, false, tonumber(ARGV[6]), tonumber(ARGV[7]), turn and turn == own_turn
if set then
	-- Holders that share do not make room one by one.
	local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
	rest = permits == 0 and pttl or first[2] - now
	wakes = will_wake(first[1]) and will_wake(redis.call('ZREVRANGE', key, 0, 0)[1])
elseif kind == 'string' then
	wakes = will_wake(redis.call('GET', key))
end
#include "queue.lua"
