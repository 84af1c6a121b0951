-- force_release.lua
local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
return value
end
return -1
end
local deleted, waiters, signal = redis.call('DEL', KEYS[1]), KEYS[2], KEYS[3]
if signal then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return deleted
