-- set_release.lua
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
return redis.error_reply('ERR no token of a holder')
end
local permits, waiters, signal, resting, rest = tonumber(ARGV[2]), KEYS[2], KEYS[3], ARGV[4], ARGV[5]
if signal and not resting then
local rank, time = redis.pcall('ZREVRANK', key, token), redis.call('TIME')
if type(rank) == 'number' and rank > 0 and redis.call('ZSCORE', key, token) - time[1] * 1000 > time[2] / 1000 and
not redis.call('ZSCORE', key, token .. '#2') and type(redis.pcall('COPY', waiters, signal, 'REPLACE')) == 'number' then
redis.call('ZREM', key, token)
return 1
end
end
local kind, time = redis.call('TYPE', key).ok, redis.call('TIME')
local now, pttl = time[1] * 1000 + math.floor(time[2] / 1000), kind == 'none' and -2 or redis.call('PTTL', key)
local set = kind == 'zset' and pttl ~= -1
if set and redis.call('ZREMRANGEBYSCORE', key, '-inf', now) > 0 and redis.call('EXISTS', key) == 0 then
kind, set, pttl = 'none', false, -2
end
local value = kind == 'string' and redis.call('GET', key)
local alone, ends = value ~= '' and value == token, set and tonumber(redis.call('ZSCORE', key, token) or nil)
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
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return not rest and claimed() and 2 or 1
end
local removed = ends and redis.call('ZREM', key, token) or 0
while removed > 0 and redis.call('ZREM', key, token .. '#' .. removed + 1) == 1 do
removed = removed + 1
end
for i = 1, rest and removed or 0 do
redis.call('ZADD', key, now + rest, i == 1 and resting or resting .. '#' .. i)
end
local lockable, held = set or kind == 'none', set and redis.call('ZCARD', key) or 0
if kind == 'none' and signal and redis.pcall('EXISTS', signal) == 1 and claimed() then
redis.pcall('DEL', turn)
waiters, signal = turn .. ':rlk:waiters', turn .. ':rlk:signal'
end
if held > 0 and (removed == 0 or rest or ends >= now + pttl - 1) then
local longest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]
if longest then
redis.call('PEXPIREAT', key, longest)
end
end
if signal and (removed > 0 or resting == '' or lockable and held <= math.max(permits - 1, 1) or
value and (string.sub(value, 1, 5) ~= 'rlk1:' or string.sub(value, -5) == ':done')) then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
if lockable and held == 0 and (removed > 0 or token == '') and claimed() then
return 2
end
return removed > 0 and 1 or 0
