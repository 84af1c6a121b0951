-- set_check.lua
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
return redis.error_reply('ERR no token of a holder')
end
local permits, weight = tonumber(ARGV[2]), tonumber(ARGV[3])
local waiters, signal, turnstile, life = KEYS[2], KEYS[3], KEYS[4], tonumber(ARGV[4])
local kind, time = redis.call('TYPE', key).ok, redis.call('TIME')
local now, pttl = time[1] * 1000 + math.floor(time[2] / 1000), kind == 'none' and -2 or redis.call('PTTL', key)
local set = kind == 'zset' and pttl ~= -1
if set and redis.call('ZREMRANGEBYSCORE', key, '-inf', now) > 0 and redis.call('EXISTS', key) == 0 then
kind, set, pttl = 'none', false, -2
end
if kind ~= 'none' and kind ~= 'string' and kind ~= 'zset' then
return 1000
end
local value = kind == 'string' and redis.call('GET', key)
local alone, ends = value ~= '' and value == token, set and tonumber(redis.call('ZSCORE', key, token) or nil)
local held = kind == 'none' and 0 or
set and not redis.call('ZSCORE', key, '__write__') and (permits == 0 and 0 or redis.call('ZCARD', key))
held = held and (permits == 0 or held + weight <= permits) and held
local ours, free, again, head = ends, held, ARGV[6] == '1', ARGV[5] ~= '' and redis.pcall('GET', turnstile) == ARGV[5]
local rest = pttl
if set and permits > 0 then
rest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] - now
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
if ours then
pause, since = -10, 1000
elseif not free then
booked, since = math.min(booked + 4, 10000), 1000
else
pause = -10
if since >= 1000 then
since = 0
elseif since >= 10 and again then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
since = 0
end
end
redis.call('LSET', waiters, 0, (left - booked) .. ' ' .. (left + since))
return pause
