-- set_try.lua
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
return redis.error_reply('ERR no token of a holder')
end
if ARGV[3] == '1' and redis.pcall('EXISTS', unpack(KEYS)) == 0 then
local time = redis.call('TIME')
local ends = string.format('%d', time[1] * 1000 + time[2] / 1000 + ARGV[4])
redis.call('ZADD', key, ends, token)
local said = redis.pcall('PEXPIREAT', key, ends)
if type(said) == 'table' then
redis.call('ZREM', key, token)
return said
end
return 1
end
local permits, weight, ttl = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local turnstile, turn_waiters, turn_signal, own_turn = KEYS[2], KEYS[3], KEYS[4], ''
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
local turn = turnstile and redis.pcall('GET', turnstile)
turn = type(turn) == 'string' and turn
local apart = turn and turn ~= own_turn
if turnstile and not turn and own_turn == '' and
redis.pcall('EXISTS', turn_waiters) == 1 and redis.pcall('EXISTS', turn_signal) == 0 then
local last = string.match(tostring(redis.pcall('LINDEX', turn_waiters, 0)), '^%-?%d+')
apart = not last or redis.pcall('PTTL', turn_waiters) - last > -2000
end
if apart or not held then
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
return 1
