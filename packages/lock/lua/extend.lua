-- extend.lua
local value = redis.pcall('GET', KEYS[1])
if value ~= ARGV[1] then
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
return value
end
return 0
end
if ARGV[2] == '0' then
redis.call('PERSIST', KEYS[1])
return 1
end
local waiters, signal = KEYS[2], KEYS[3]
local left = signal and ARGV[2] - 1100 < 0 and redis.call('PTTL', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
if left and (left < 0 or left - ARGV[2] > 0) then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return 1
