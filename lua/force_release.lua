-- force_release.lua
-- KEYS[1]  lock key
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
-- Returns  1 deleted, 0 there was no key, -1 it holds no string: no lock, it stays
-- Atomic because: the waiters are to be woken by whoever frees the lock.

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
	-- An error such as a missing permission says nothing about the key.
	return string.find(value.err, '^WRONGTYPE') and -1 or value
end
local deleted = redis.call('DEL', KEYS[1])
if KEYS[3] then
	-- As in release.lua.
	local copied = redis.pcall('COPY', KEYS[2], KEYS[3], 'REPLACE')
	if type(copied) == 'table' and redis.pcall('EXISTS', KEYS[2]) == 1 then
		redis.pcall('LPUSH', KEYS[3], 1)
		redis.pcall('LTRIM', KEYS[3], 0, 0)
		redis.pcall('PEXPIRE', KEYS[3], 62000)
	end
end
return deleted
