-- set_take.lua
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
return redis.error_reply('ERR no token of a holder')
end
local permits, weight, ttl, own_turn = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
if weight == 1 and own_turn == '' then
local held, pttl = redis.pcall('ZCARD', key), redis.call('PTTL', key)
if held == permits - 1 and pttl > 0 and (held > 2 or not redis.call('ZSCORE', key, '__write__')) then
local time = redis.call('TIME')
local ends = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000) + ttl)
redis.call('ZADD', key, ends, token)
if pttl < ttl then
local said = redis.pcall('PEXPIREAT', key, ends)
if type(said) == 'table' then
redis.call('ZREM', key, token)
return said
end
end
return 1
end
end
local waiters, signal, turnstile, turn_waiters, turn_signal = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local kind, time = redis.call('TYPE', key).ok, redis.call('TIME')
local now, pttl = time[1] * 1000 + math.floor(time[2] / 1000), kind == 'none' and -2 or redis.call('PTTL', key)
local set = kind == 'zset' and pttl ~= -1
if set and redis.call('ZREMRANGEBYSCORE', key, '-inf', now) > 0 and redis.call('EXISTS', key) == 0 then
kind, set, pttl = 'none', false, -2
end
if kind ~= 'none' and kind ~= 'string' and kind ~= 'zset' then
return redis.error_reply('NOLOCK the key holds something else')
end
local held = kind == 'none' and 0 or
set and not redis.call('ZSCORE', key, '__write__') and (permits == 0 and 0 or redis.call('ZCARD', key))
held = held and (permits == 0 or held + weight <= permits) and held
if not held then
return 0
end
local ends = now + ttl
redis.call('ZADD', key, ends, token)
if pttl < ttl then
local said = redis.pcall('PEXPIREAT', key, ends)
if type(said) == 'table' then
redis.call('ZREM', key, token)
return said
end
end
for i = 2, weight do
redis.call('ZADD', key, ends, token .. '#' .. i)
end
if turnstile and own_turn ~= '' and redis.pcall('GET', turnstile) == own_turn then
local waiters, signal = turn_waiters, turn_signal
redis.call('DEL', turnstile)
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
if signal and permits > held + weight then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return 1
