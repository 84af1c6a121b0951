-- set_extend.lua
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
return redis.error_reply('ERR no token of a holder')
end
local ttl, waiters, signal = tonumber(ARGV[2]), KEYS[2], KEYS[3]
local kind, time = redis.call('TYPE', key).ok, redis.call('TIME')
local now, pttl = time[1] * 1000 + math.floor(time[2] / 1000), kind == 'none' and -2 or redis.call('PTTL', key)
local set = kind == 'zset' and pttl ~= -1
if set and redis.call('ZREMRANGEBYSCORE', key, '-inf', now) > 0 and redis.call('EXISTS', key) == 0 then
kind, set, pttl = 'none', false, -2
end
local value = kind == 'string' and redis.call('GET', key)
local alone, ends = value ~= '' and value == token, set and tonumber(redis.call('ZSCORE', key, token) or nil)
if not alone and not ends then
return 0
end
if alone then
redis.call('PEXPIRE', key, ttl)
else
local i = 1
repeat
redis.call('ZADD', key, now + ttl, i == 1 and token or token .. '#' .. i)
i = i + 1
until not redis.call('ZSCORE', key, token .. '#' .. i)
local longest = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]
if longest then
redis.call('PEXPIREAT', key, longest)
end
end
if signal and ttl < 1100 and (alone and pttl or ends - now) > ttl then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return 1
