-- set_downgrade.lua
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
return redis.error_reply('ERR no token of a holder')
end
local kind, time = redis.call('TYPE', key).ok, redis.call('TIME')
local now, pttl = time[1] * 1000 + math.floor(time[2] / 1000), kind == 'none' and -2 or redis.call('PTTL', key)
local set = kind == 'zset' and pttl ~= -1
if set and redis.call('ZREMRANGEBYSCORE', key, '-inf', now) > 0 and redis.call('EXISTS', key) == 0 then
kind, set, pttl = 'none', false, -2
end
local value = kind == 'string' and redis.call('GET', key)
local alone, ends = value ~= '' and value == token, set and tonumber(redis.call('ZSCORE', key, token) or nil)
if alone and pttl >= 0 then
local waiters, signal = KEYS[2], KEYS[3]
value = redis.pcall('ZADD', key, 0, token)
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
return value
end
redis.call('PEXPIREAT', key, now + pttl)
redis.call('DEL', key)
redis.call('ZADD', key, now + pttl, token)
redis.call('PEXPIREAT', key, now + pttl)
if signal then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return 1
end
return ends and 1 or 0
