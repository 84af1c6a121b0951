-- release.lua
local waiters, signal, marked = KEYS[2], KEYS[3], false
local mark = signal and string.sub(signal, 1, -7) .. 'turn:rlk:fence'
local value = redis.pcall('GET', KEYS[1])
local ours, awaited = value ~= '' and value == ARGV[1], false
if ARGV[1] == '' and signal and not value and redis.pcall('EXISTS', signal) == 1 then
local turn = string.sub(mark, 1, -11)
if redis.call('PTTL', turn) < 1990 and redis.pcall('DEL', turn) == 1 then
waiters, signal = turn .. ':rlk:waiters', turn .. ':rlk:signal'
end
end
if ours and ARGV[3] then
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
elseif ours then
local deleted = mark and redis.pcall('DEL', KEYS[1], mark)
marked = deleted == 2
if type(deleted) ~= 'number' then
redis.call('DEL', KEYS[1])
end
elseif mark and not value and not ARGV[1] then
marked = redis.pcall('DEL', mark) == 1
elseif type(value) == 'string' then
awaited = string.sub(value, 1, 5) == 'rlk1:' and string.sub(value, -5) ~= ':done'
else
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
return value
end
end
if signal and not awaited then
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
redis.pcall('LPUSH', signal, 1)
redis.pcall('LTRIM', signal, 0, 0)
redis.pcall('PEXPIRE', signal, 62000)
end
end
return marked and 2 or ours and 1 or 0
