-- set_free.lua
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
return redis.error_reply('ERR no token of a holder')
end
local waiters, signal = KEYS[2], KEYS[3]
local kind, time = redis.call('TYPE', key).ok, redis.call('TIME')
local now, pttl = time[1] * 1000 + math.floor(time[2] / 1000), kind == 'none' and -2 or redis.call('PTTL', key)
local set = kind == 'zset' and pttl ~= -1
if set and redis.call('ZREMRANGEBYSCORE', key, '-inf', now) > 0 and redis.call('EXISTS', key) == 0 then
kind, set, pttl = 'none', false, -2
end
local value = kind == 'string' and redis.call('GET', key)
local alone, ends = value ~= '' and value == token, set and tonumber(redis.call('ZSCORE', key, token) or nil)
if kind ~= 'none' and kind ~= 'string' and not set then
return -1
end
local removed = ends and redis.call('ZREM', key, token) or 0
while removed > 0 and redis.call('ZREM', key, token .. '#' .. removed + 1) == 1 do
removed = removed + 1
end
if token == '' or alone then
removed = redis.call('DEL', key)
elseif removed > 0 then
redis.call('ZREM', key, '__write__')
local longest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]
if longest then
redis.call('PEXPIREAT', key, longest)
end
end
if signal and removed > 0 then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return math.min(removed, 1)
