-- hold.lua
-- Sets `value`, of a string; `alone`: the caller has a plain lock; `ends`: when the caller's member is over.
local value = kind == 'string' and redis.call('GET', key)
local alone, ends = value == token, set and tonumber(redis.call('ZSCORE', key, token) or nil)
