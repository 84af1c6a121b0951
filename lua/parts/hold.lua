-- hold.lua
-- Sets `value`, of a string; `alone`: the caller has a plain lock; `ends`: when the caller's member is over. Who has no token
-- says '', which may be the value of somebody else.
local value = kind == 'string' and redis.call('GET', key)
local alone, ends = value ~= '' and value == token, set and tonumber(redis.call('ZSCORE', key, token) or nil)
