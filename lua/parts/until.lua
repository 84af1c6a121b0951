-- until.lua
-- Has the key expire at `ends`, when the first member of the caller is over. If this user has no right to that, the member goes: a set
-- without expiry would stay for ever.
local said = redis.pcall('PEXPIREAT', key, ends)
if type(said) == 'table' then
	redis.call('ZREM', key, token)
	return said
end
