-- force_release.lua
-- KEYS[1]  lock key
-- KEYS[2]  mark of the waiters, KEYS[3]  list that wakes one (both or neither)
-- Returns  1 deleted, 0 there was no key
-- Atomic because: the waiters are to be woken by whoever frees the lock.

local deleted = redis.call('DEL', KEYS[1])
if KEYS[3] and redis.pcall('EXISTS', KEYS[2]) == 1 then
	local batons = redis.pcall('LPUSH', KEYS[3], 1)
	if batons == 1 then
		redis.call('PEXPIRE', KEYS[3], 7000)
	elseif type(batons) == 'number' then
		redis.call('LTRIM', KEYS[3], 0, 0)
	end
end
return deleted
