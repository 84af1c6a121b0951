-- force_release.lua
-- KEYS[1]  lock key
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
-- Returns  1 deleted, 0 there was no key, -1 the key holds no string, so no lock, and stays
-- Atomic because: the script that frees the lock has to wake the waiters.

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
	#include "refused.lua"
	return -1
end
local deleted, waiters, signal = redis.call('DEL', KEYS[1]), KEYS[2], KEYS[3]
if signal then
	#include "wake.lua"
end
return deleted
