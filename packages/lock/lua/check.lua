-- check.lua
local waiters, signal, turnstile, life = KEYS[2], KEYS[3], KEYS[4], tonumber(ARGV[2])
local rest, ours = redis.call('PTTL', KEYS[1]), redis.pcall('GET', KEYS[1]) == ARGV[1]
local free, again, head = rest == -2, ARGV[4] == '1', ARGV[3] ~= '' and redis.pcall('GET', turnstile) == ARGV[3]
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
