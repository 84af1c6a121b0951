-- holder.lua
local value = redis.pcall('GET', KEYS[1])
if not value then
return false
end
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
return value
end
local text = type(value) == 'string' and string.sub(value, 1, 1024) or ''
return { text, redis.call('PTTL', KEYS[1]), KEYS[2] and redis.call('EXISTS', KEYS[2]) or 0 }
