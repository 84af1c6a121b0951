-- set_join.lua
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
return redis.error_reply('ERR no token of a holder')
end
local permits, weight, ttl, own_turn = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
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
local turn = turnstile and redis.pcall('GET', turnstile)
turn = type(turn) == 'string' and turn
local apart = turn and turn ~= own_turn
if turnstile and not turn and own_turn == '' and
redis.pcall('EXISTS', turn_waiters) == 1 and redis.pcall('EXISTS', turn_signal) == 0 then
local last = string.match(tostring(redis.pcall('LINDEX', turn_waiters, 0)), '^%-?%d+')
apart = not last or redis.pcall('PTTL', turn_waiters) - last > -2000
end
if held and not apart then
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
if permits > held + weight then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return { 1, 0, 0, 0 }
end
if apart or (not turn and (permits == 0 or weight > 1)) then
return { 0, -1, 2, 0 }
end
local function will_wake(holder)
return string.sub(holder, 1, 5) == 'rlk1:' and not string.find(holder, ':done$') and not string.find(holder, ':done#%d+$')
end
local rest, wakes, life, most, head = pttl, false, tonumber(ARGV[6]), tonumber(ARGV[7]), turn and turn == own_turn
if set then
local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
rest = permits == 0 and pttl or first[2] - now
wakes = will_wake(first[1]) and will_wake(redis.call('ZREVRANGE', key, 0, 0)[1])
elseif kind == 'string' then
wakes = will_wake(redis.call('GET', key))
end
local left = redis.call('PTTL', waiters)
local last, first = string.match(redis.call('LINDEX', waiters, 0) or '', '^(%-?%d+) (%-?%d+)$')
local booked, since = math.max(left - (tonumber(last) or left), 0), (tonumber(first) or left + 1000) - left
if left == -2 then
redis.call('LPUSH', waiters, '')
end
if left < life then
redis.call('PEXPIRE', waiters, life)
left = life
end
if head then
redis.call('PEXPIRE', turnstile, 2000)
redis.pcall('SET', turnstile .. ':rlk:fence', '', 'PX', 2000)
end
local pause = head and 1000 or math.max(booked, 1000)
if rest >= 0 and rest < pause and booked < 1000 then
pause = rest + 1
end
if wakes and pause < most then
booked = math.min(booked + 4, 10000)
else
pause = 0
end
since = 1000
redis.call('LSET', waiters, 0, (left - booked) .. ' ' .. (left + since))
return { 0, rest, wakes and 1 or 0, pause }
