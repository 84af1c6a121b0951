-- set_upgrade.lua
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
local only = ends and redis.call('ZCARD', key) == 1
if only then
redis.call('SET', key, token, 'PX', ends - now)
end
return (only or alone) and 1 or 0
