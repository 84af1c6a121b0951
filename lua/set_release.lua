-- set_release.lua
-- KEYS[1]  lock key; KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
-- ARGV[1]  token of the caller, ARGV[2]  permits, 0: shared, ARGV[3]  weight
-- ARGV[4]  token to leave behind, ARGV[5]  its TTL in ms (both or neither); ARGV[4] alone is '': ZREM has removed the caller
-- Returns  1 released or resting, 0 not ours; 2 free now, and somebody has the turnstile: call again, with the token ''
-- Atomic because: a waiter must not be woken before there is room.
--
-- Treats the holder of the turnstile as release.lua does.

#include "caller.lua"
local permits, waiters, signal, resting, rest = tonumber(ARGV[2]), KEYS[2], KEYS[3], ARGV[4], ARGV[5]

-- The most frequent case first, in few commands: the caller is not the one with the most time left. Members that are over count
-- here. The caller may not know that the token has a weight.
if signal and not resting then
	local rank, time = redis.pcall('ZREVRANK', key, token), redis.call('TIME')
	if type(rank) == 'number' and rank > 0 and redis.call('ZSCORE', key, token) - time[1] * 1000 > time[2] / 1000 and
		not redis.call('ZSCORE', key, token .. '#2') and type(redis.pcall('COPY', waiters, signal, 'REPLACE')) == 'number' then
		redis.call('ZREM', key, token)
		return 1
	end
end

#include "set.lua"
#include "hold.lua"
-- Does somebody have the turnstile who should block by now? Callers that release do not name its keys.
local turn = signal and string.sub(signal, 1, -7) .. 'turn'
local function claimed()
	local left = turn and tonumber(redis.pcall('PTTL', turn) or nil)
	return left and left > 0 and left < 1990
end

if alone then
	redis.call('DEL', key)
	if rest then
		redis.call('SET', key, resting, 'PX', rest)
	end
	if signal then
		#include "wake.lua"
	end
	return not rest and claimed() and 2 or 1
end
#include "leave.lua"
for i = 1, rest and removed or 0 do
	redis.call('ZADD', key, now + rest, i == 1 and resting or resting .. '#' .. i)
end
local lockable, held = set or kind == 'none', set and redis.call('ZCARD', key) or 0
if kind == 'none' and signal and redis.pcall('EXISTS', signal) == 1 and claimed() then
	redis.pcall('DEL', turn)
	waiters, signal = turn .. ':rlk:waiters', turn .. ':rlk:signal'
end
-- The member with the most time may have gone, here or by a command before.
if held > 0 and (removed == 0 or rest or ends >= now + pttl - 1) then
	#include "expire.lua"
end
-- A waiter may be of another kind, and fit beside more, or beside one that shares. The holder of a plain lock wakes, if it can.
if signal and (removed > 0 or resting == '' or lockable and held <= math.max(permits - 1, 1) or
	value and (string.sub(value, 1, 5) ~= 'rlk1:' or string.sub(value, -5) == ':done')) then
	#include "wake.lua"
end
if lockable and held == 0 and (removed > 0 or token == '') and claimed() then
	return 2
end
return removed > 0 and 1 or 0
