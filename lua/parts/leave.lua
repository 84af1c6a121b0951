-- leave.lua
-- Removes the members of the caller. Sets `removed`, how many.
local removed = ends and redis.call('ZREM', key, token) or 0
while removed > 0 and redis.call('ZREM', key, token .. '#' .. removed + 1) == 1 do
	removed = removed + 1
end
