-- join.lua
local function passes(waiters, signal)
return redis.pcall('EXISTS', waiters) == 1 and redis.pcall('EXISTS', signal) == 0
end
local value, turn = redis.pcall('GET', KEYS[1]), redis.pcall('GET', KEYS[4])
local apart = type(turn) == 'string' and turn ~= ARGV[3] or not turn and ARGV[3] == '' and passes(KEYS[5], KEYS[6])
local passing = not value and string.sub(KEYS[1], -9) == ':rlk:turn' and passes(KEYS[2], KEYS[3])
if not apart and not passing and not value then
local counter, fence = KEYS[7], 1
if counter then
fence = redis.call('INCR', counter)
if fence < 1 or fence >= 9007199254740992 then
return redis.error_reply('ERR fence counter out of range')
end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return { fence, 0, 0, 0 }
end
local function will_wake(holder)
return string.sub(holder, 1, 5) == 'rlk1:' and not string.find(holder, ':done$') and not string.find(holder, ':done#%d+$')
end
local wakes = passing or (type(value) == 'string' and will_wake(value))
if type(value) == 'table' then
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
return value
end
local kind = redis.pcall('TYPE', KEYS[1])
if kind.ok and kind.ok ~= 'zset' then
return redis.error_reply('NOLOCK the key holds something else')
end
apart = apart or (type(turn) ~= 'table' and turn ~= ARGV[3])
wakes = will_wake(redis.pcall('ZRANGE', KEYS[1], 0, 0)[1] or '') and will_wake(redis.pcall('ZRANGE', KEYS[1], -1, -1)[1] or '')
end
if apart then
return { 0, -1, 2, 0 }
end
local waiters, turnstile, head, life, most = KEYS[2], KEYS[4], turn == ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local rest = redis.call('PTTL', KEYS[1])
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
