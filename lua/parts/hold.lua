-- hold.lua
-- Sets `value`, of a string; `alone`: it is the caller's, who has a plain lock; `ends`: when the caller's member is over.
local value = kind == 'string' and redis.call('GET', key)
local alone, ends = value == token, set and tonumber(redis.call('ZSCORE', key, token) or nil)
