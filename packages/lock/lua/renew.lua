-- renew.lua
local value = redis.pcall('GET', KEYS[1])
if value ~= ARGV[1] then
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
return value
end
return 0
end
if redis.pcall('PEXPIRE', KEYS[1], ARGV[2], 'GT') ~= 1 then
local left = redis.call('PTTL', KEYS[1])
if left < 0 or left > tonumber(ARGV[2]) then
return 2
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
redis.call('GET', KEYS[1])
return 1
