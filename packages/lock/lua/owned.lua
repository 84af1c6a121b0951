-- owned.lua
local value = redis.pcall('GET', KEYS[1])
if value == ARGV[1] then
return redis.call('PTTL', KEYS[1])
end
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
return value
end
return -2
