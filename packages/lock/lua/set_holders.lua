-- set_holders.lua
local key, seen = KEYS[1], tonumber(ARGV[1])
local kind, pttl, time = redis.call('TYPE', key).ok, redis.call('PTTL', key), redis.call('TIME')
if kind == 'none' then
return false
end
local waited, said, size = KEYS[2] and redis.call('EXISTS', KEYS[2]) or 0, {}, 0
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function say(left, count, owner)
owner = string.sub(owner, 1, 1024)
said[#said + 1] = string.format('%d %d %d ', left, count, #owner) .. owner
size = size + #said[#said]
end
if kind ~= 'zset' or pttl == -1 then
say(pttl, 1, kind == 'string' and redis.call('GET', key) or '')
return { waited, 0, said[1] }
end
repeat
local members = redis.call('ZRANGE', key, seen, seen + 63, 'WITHSCORES')
for i = 1, #members, 2 do
local owner, first = members[i], string.match(members[i], '^(.*)#%d+$')
if tonumber(members[i + 1]) > now and owner ~= '__write__' and not (first and redis.call('ZSCORE', key, first)) then
local count = 1
while redis.call('ZSCORE', key, owner .. '#' .. count + 1) do
count = count + 1
end
say(members[i + 1] - now, count, owner)
end
seen = seen + 1
if size > 3000 then
return { waited, seen, table.concat(said) }
end
end
until #members < 128
return (size > 0 or ARGV[1] ~= '0') and { waited, 0, table.concat(said) }
