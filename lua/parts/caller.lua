-- caller.lua
-- Sets `key` and `token`. Refuses members that a set has beside tokens: the mark of a writer, and the further members of a weight.
local key, token = KEYS[1], ARGV[1]
if token == '__write__' or string.find(token, '#%d+$') then
	return redis.error_reply('ERR no token of a holder')
end
