-- set_holders.lua
-- KEYS[1]  lock key, KEYS[2]  waiters key (optional)
-- ARGV[1]  0, or the number of the last answer
-- Returns  nil nobody, else { waited, n, text }: waited is 1 if the waiters key exists, n the number for the next request, or 0;
--          text has some holders, by the time left, each as "ms left, weight, length, value" with one blank between two
-- Atomic because: a weight is to be counted as a whole.
--
-- Only reads: members that are over stay.

local key, seen = KEYS[1], tonumber(ARGV[1])
local kind, pttl, time = redis.call('TYPE', key).ok, redis.call('PTTL', key), redis.call('TIME')
if kind == 'none' then
	return false
end
local waited, said, size = KEYS[2] and redis.call('EXISTS', KEYS[2]) or 0, {}, 0
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function say(left, count, owner)
	owner = string.sub(owner, 1, 1024)
	said[#said + 1] = string.format('%d %d %d ', left, count, #owner) .. owner
	size = size + #said[#said]
end

if kind ~= 'zset' or pttl == -1 then
	say(pttl, 1, kind == 'string' and redis.call('GET', key) or '')
	return { waited, 0, said[1] }
end
repeat
	local members = redis.call('ZRANGE', key, seen, seen + 63, 'WITHSCORES')
	for i = 1, #members, 2 do
		-- The first member of a weight stands for all.
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
return (size > 0 or ARGV[1] ~= '0') and { waited, 0, table.concat(said) }
