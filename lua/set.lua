-- set.lua
-- A lock with several holders is a sorted set: member = token, score = when that holder's
-- time is over, in ms of the server's clock. A weight of w is w members: token, token#2, ...
-- KEYS[1]  lock key
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
-- KEYS[4]  turnstile (optional)
-- KEYS[5]  its waiters key, KEYS[6]  list that wakes one of those (both or neither; neither without ARGV[6])
--          A try without ARGV[6] has KEYS[4] to [6], or none of them, as KEYS[2] to [4]
-- ARGV[1]  operation, ARGV[2]  token of the caller, ARGV[3]  permits, 0: shared, ARGV[4]  weight
-- ARGV[5]  ms, ARGV[6]  token that the caller has at the turnstile; '' or none: it has none
--
-- try       ms: TTL. Returns 1 acquired, 0 no room, or others are at the turnstile
-- take      likewise, by a waiter who was woken: those at the turnstile came later
-- join      likewise, by a waiter; ARGV[7]  ms the waiters key is to live at least, ARGV[8]  ms the
--           caller will wait at most. Returns { n, pttl, wakes, pause } as join.lua does; wakes is
--           also 2: acquire the turnstile first
-- look      ms: as ARGV[7] of join. Returns what look.lua does
-- extend    ms: TTL from now. Returns 1 extended, 0 not ours
-- renew     ms: TTL to have at least. Returns 1 it has that now, 2 it had more, 0 not ours
-- release   ARGV[5]  token to leave behind, ARGV[6]  its TTL in ms (both or neither); ARGV[5] alone is '':
--           ZREM has removed the caller
--           Returns 1 released or resting, 0 not ours; also 2, as release.lua does
-- owned     Returns ms that the caller has left, -2 not ours
-- upgrade   Makes the only one who shares it the holder of a plain lock, for the rest of its time. Returns 1 done, or it is that
--           already, 0 others share it, or not ours
-- downgrade Makes the holder of a plain lock one who shares it, if the lock has an expiry. Returns 1 done, 0 not ours
-- holders   ms: 0, or the number that the last answer said. Returns nil nobody, else { waited, n, text }: waited
--           is 1 if the waiters key exists, n the number to ask with for more, or 0; text has some holders, by
--           the time left, each as "ms left, weight, length, value" with one blank between two
-- free      ARGV[2]  token whose hold is to end, '': all. Returns 1 done, 0 nobody, -1 no lock
-- The error NOLOCK: the key holds no lock.
-- Atomic because: who is counted must not change before the token is added.
--
-- The layout is that of Symfony's RedisStore, whose writers add the member __write__. A set
-- without expiry is nobody's lock and is left alone: each of ours has that of its longest member.

local key, op, token, permits, weight = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
-- A member that is nobody's token: the mark of a writer, or a further one of a weight.
if token == '__write__' or string.find(token, '#%d+$') then
	return redis.error_reply('ERR no token of a holder')
end

-- What most calls find comes first, without the functions below, since a command that a script calls, and a function that it
-- makes, take an idle server some microseconds: a try finds no holder and nobody who waits; who was woken takes the only permit
-- that is free; who leaves is not the one with the most time left. Here members that are over count.
if op == 'try' and weight == 1 and redis.pcall('EXISTS', unpack(KEYS)) == 0 then
	local time = redis.call('TIME')
	local ends = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[5])
	redis.call('ZADD', key, ends, token)
	redis.call('PEXPIREAT', key, ends)
	return 1
elseif op == 'take' and weight == 1 and not ARGV[6] then
	local held, pttl = redis.pcall('ZCARD', key), redis.call('PTTL', key)
	-- Symfony's writer has two members.
	if held == permits - 1 and pttl > 0 and (held > 2 or not redis.call('ZSCORE', key, '__write__')) then
		local time = redis.call('TIME')
		local ends = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[5])
		redis.call('ZADD', key, ends, token)
		if pttl - ARGV[5] < 0 then
			redis.call('PEXPIREAT', key, ends)
		end
		return 1
	end
elseif op == 'release' and weight == 1 and permits > 1 and KEYS[3] and not ARGV[5] then
	local rank, time = redis.pcall('ZREVRANK', key, token), redis.call('TIME')
	-- The caller may not know that the token has a weight.
	if type(rank) == 'number' and rank > 0 and redis.call('ZSCORE', key, token) - time[1] * 1000 > time[2] / 1000 and
		not redis.call('ZSCORE', key, token .. '#2') and type(redis.pcall('COPY', KEYS[2], KEYS[3], 'REPLACE')) == 'number' then
		redis.call('ZREM', key, token)
		return 1
	end
end

local KEYS = op == 'try' and not KEYS[5] and { key, nil, nil, KEYS[2], KEYS[3], KEYS[4] } or KEYS
local enters = op == 'try' or op == 'join' or op == 'take'
local kind, time = redis.call('TYPE', key).ok, redis.call('TIME')
local now, pttl = time[1] * 1000 + math.floor(time[2] / 1000), kind == 'none' and -2 or redis.call('PTTL', key)
local set = kind == 'zset' and pttl ~= -1
if kind ~= 'none' and kind ~= 'string' and kind ~= 'zset' and op ~= 'holders' then
	if enters then
		return redis.error_reply('NOLOCK the key holds something else')
	end
	return op == 'look' and 1000 or op == 'owned' and -2 or op == 'free' and -1 or 0
end
-- Who only asks for the holders deletes nothing.
if set and op ~= 'holders' and redis.call('ZREMRANGEBYSCORE', key, '-inf', now) > 0 and redis.call('EXISTS', key) == 0 then
	kind, set, pttl = 'none', false, -2
end
local value = kind == 'string' and redis.call('GET', key)
local ends, alone = set and not enters and tonumber(redis.call('ZSCORE', key, token) or nil), value == token

local function wake(waiters, signal)
	if signal then
		#include "wake.lua"
	end
end

local function expire()
	local longest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]
	if longest then
		redis.call('PEXPIREAT', key, longest)
	end
end

-- Returns how many members there are if there is room for more.
local function has_room()
	if kind == 'none' then
		return 0
	end
	local held = set and not redis.call('ZSCORE', key, '__write__') and (permits == 0 and 0 or redis.call('ZCARD', key))
	return held and (permits == 0 or held + weight <= permits) and held
end

-- Adds so many members, or gives all that the token has another end.
local function add(owner, score, count)
	redis.call('ZADD', key, score, owner)
	local i = 2
	while i <= count or count == 0 and redis.call('ZSCORE', key, owner .. '#' .. i) do
		redis.call('ZADD', key, score, owner .. '#' .. i)
		i = i + 1
	end
end

-- Returns how many members it removed.
local function remove(owner)
	local i = redis.call('ZREM', key, owner)
	while i > 0 and redis.call('ZREM', key, owner .. '#' .. i + 1) == 1 do
		i = i + 1
	end
	return i
end

local function open_turnstile()
	if KEYS[5] and ARGV[6] ~= '' and redis.pcall('GET', KEYS[4]) == ARGV[6] then
		redis.call('DEL', KEYS[4])
		wake(KEYS[5], KEYS[6])
	end
end

-- Has somebody the turnstile, who should block by now? Those who release do not name its keys.
local claim = KEYS[3] and string.sub(KEYS[3], 1, -7) .. 'turn'
local function claimed()
	local left = claim and tonumber(redis.pcall('PTTL', claim) or nil)
	return left and left > 0 and left < 1990
end

-- Will whoever has this value at its end wake somebody?
local function wakes(holder)
	return string.sub(holder, 1, 5) == 'rlk1:' and not string.find(holder, ':done$') and not string.find(holder, ':done#%d+$')
end

local turn = KEYS[4] and redis.pcall('GET', KEYS[4])
turn = type(turn) == 'string' and turn
-- As in join.lua.
if (op == 'try' or op == 'join') and not turn and (ARGV[6] or '') == '' and KEYS[5] and
	redis.pcall('EXISTS', KEYS[5]) == 1 and redis.pcall('EXISTS', KEYS[6]) == 0 then
	-- All may have gone without a word: who is there looks, or joins again, a second after what is booked at the latest.
	local booked = string.match(tostring(redis.pcall('LINDEX', KEYS[5], 0)), '^%-?%d+')
	if not booked or redis.pcall('PTTL', KEYS[5]) - booked > -2000 then
		turn = 'passing'
	end
end
if enters then
	local apart = op ~= 'take' and turn and turn ~= ARGV[6]
	local held = not apart and has_room()
	if held then
		add(token, now + tonumber(ARGV[5]), weight)
		if pttl < tonumber(ARGV[5]) then
			redis.call('PEXPIREAT', key, now + tonumber(ARGV[5]))
		end
		open_turnstile()
		-- One wake token may have to serve for several releases.
		if permits > held + weight then
			wake(KEYS[2], KEYS[3])
		end
		return op == 'join' and { 1, 0, 0, 0 } or 1
	end
	if op ~= 'join' then
		return 0
	end
	if KEYS[4] and (apart or (not turn and (permits == 0 or weight > 1))) then
		return { 0, -1, 2, 0 }
	end
end
if op == 'join' or op == 'look' then
	-- The waiters key, the bookings in it and the rules of a look are those of join.lua and look.lua.
	local life, head, pause = tonumber(op == 'join' and ARGV[7] or ARGV[5]), turn and turn == ARGV[6], nil
	local left, room = redis.call('PTTL', KEYS[2]), op == 'look' and not ends and has_room()
	local last, free = string.match(redis.call('LINDEX', KEYS[2], 0) or '', '^(%-?%d+) (%-?%d+)$')
	local booked, since = math.max(left - (tonumber(last) or left), 0), (tonumber(free) or left + 1000) - left
	if left == -2 then
		redis.call('LPUSH', KEYS[2], '')
	end
	if left < life then
		redis.call('PEXPIRE', KEYS[2], life)
		left = life
	end
	if head then
		redis.call('PEXPIRE', KEYS[4], 2000)
		redis.pcall('SET', KEYS[4] .. ':rlk:fence', '', 'PX', 2000)
	end
	local rest, awake = pttl, value and wakes(value)
	if set then
		local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
		rest = (permits == 0 and pttl or first[2] - now)
		awake = wakes(first[1]) and wakes(redis.call('ZREVRANGE', key, 0, 0)[1])
	end
	if room and since < 10 then
		pause = since - 10
	elseif room then
		if since < 1000 then
			wake(KEYS[2], KEYS[3])
		end
		pause, since = -10, 0
	elseif ends then
		pause, since = -10, 1000
	else
		pause, since = head and 1000 or math.max(booked, 1000), 1000
		if rest >= 0 and rest < pause and booked < 1000 then
			pause = rest + 1
		end
		if op == 'look' or (awake and pause < tonumber(ARGV[8])) then
			booked = math.min(booked + 4, 10000)
		else
			pause = 0
		end
	end
	redis.call('LSET', KEYS[2], 0, (left - booked) .. ' ' .. (left + since))
	return op == 'look' and pause or { 0, rest, awake and 1 or 0, pause }
elseif op == 'extend' or op == 'renew' then
	-- As in extend.lua.
	local wakes_one = op == 'extend' and ARGV[5] - 1100 < 0 and (alone and pttl or ends and ends - now or 0) - ARGV[5] > 0
	if alone and (op == 'extend' or (pttl >= 0 and pttl <= tonumber(ARGV[5]))) then
		redis.call('PEXPIRE', key, ARGV[5])
		if wakes_one then
			wake(KEYS[2], KEYS[3])
		end
		return 1
	elseif alone then
		return 2
	end
	if not ends then
		return 0
	end
	if op == 'renew' and ends > now + tonumber(ARGV[5]) then
		return 2
	end
	add(token, now + tonumber(ARGV[5]), 0)
	expire()
	if wakes_one then
		wake(KEYS[2], KEYS[3])
	end
	return 1
elseif op == 'owned' then
	-- A key lives to the end of the ms that PTTL counts to, a member to its beginning.
	return alone and pttl or ends and ends - now - 1 or -2
elseif op == 'release' and alone then
	redis.call('DEL', key)
	if ARGV[6] then
		redis.call('SET', key, ARGV[5], 'PX', ARGV[6])
	end
	wake(KEYS[2], KEYS[3])
	return not ARGV[6] and claimed() and 2 or 1
elseif op == 'release' then
	local removed = ends and remove(token) or 0
	if removed > 0 and ARGV[6] then
		add(ARGV[5], now + tonumber(ARGV[6]), removed)
	end
	local held = set and redis.call('ZCARD', key) or 0
	-- As in release.lua.
	if kind == 'none' and KEYS[3] and redis.pcall('EXISTS', KEYS[3]) == 1 and claimed() then
		redis.pcall('DEL', claim)
		wake(claim .. ':rlk:waiters', claim .. ':rlk:signal')
	end
	-- The longest one may have gone, here or by a command before.
	if held > 0 and (removed == 0 or ARGV[6] or ends >= now + pttl - 1) then
		expire()
	end
	-- Who waits may be of another kind, and fit beside more, or beside one who shares.
	if removed > 0 or ARGV[5] == '' or value and not wakes(value) or
		(set or kind == 'none') and held <= math.max(permits - 1, 1) then
		wake(KEYS[2], KEYS[3])
	end
	if held == 0 and (removed > 0 or token == '') and not value and claimed() then
		return 2
	end
	return removed > 0 and 1 or 0
elseif op == 'upgrade' then
	local only = ends and redis.call('ZCARD', key) == 1
	if only then
		redis.call('SET', key, token, 'PX', ends - now)
	end
	return (only or alone) and 1 or 0
elseif op == 'downgrade' then
	if alone and pttl >= 0 then
		redis.call('DEL', key)
		add(token, now + pttl, 1)
		expire()
		wake(KEYS[2], KEYS[3])
		return 1
	end
	return ends and 1 or 0
elseif op == 'holders' then
	if kind == 'none' then
		return false
	end
	local waited, said, size, seen = KEYS[2] and redis.call('EXISTS', KEYS[2]) or 0, {}, 0, tonumber(ARGV[5])
	local function say(left, count, owner)
		owner = string.sub(owner, 1, 1024)
		said[#said + 1] = string.format('%d %d %d ', left, count, #owner) .. owner
		size = size + #said[#said]
	end
	if not set then
		say(pttl, 1, value or '')
		return { waited, 0, said[1] }
	end
	repeat
		local members = redis.call('ZRANGE', key, seen, seen + 63, 'WITHSCORES')
		for i = 1, #members, 2 do
			-- A weight is said with its first member.
			local owner, first = members[i], string.match(members[i], '^(.*)#%d+$')
			if tonumber(members[i + 1]) > now and owner ~= '__write__' and not (first and redis.call('ZSCORE', key, first)) then
				local count = 1
				while redis.call('ZSCORE', key, owner .. '#' .. count + 1) do
					count = count + 1
				end
				say(members[i + 1] - now, count, owner)
			end
			seen = seen + 1
			if size > 3000 then
				return { waited, seen, table.concat(said) }
			end
		end
	until #members < 128
	return (size > 0 or ARGV[5] ~= '0') and { waited, 0, table.concat(said) }
elseif op == 'free' then
	if kind == 'zset' and not set then
		return -1
	end
	local done
	if token == '' or value == token then
		done = redis.call('DEL', key)
	else
		done = ends and remove(token) or 0
		if done > 0 then
			redis.call('ZREM', key, '__write__')
			expire()
		end
	end
	if done > 0 then
		wake(KEYS[2], KEYS[3])
	end
	return math.min(done, 1)
end
return redis.error_reply('ERR no such operation')
