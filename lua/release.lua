-- release.lua
-- KEYS[1]  lock key             ARGV[1]  token of the caller; none: only wakes
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
--                               ARGV[2]  token to leave behind, ARGV[3]  its TTL
--                                        in ms: the lock is put at rest (both or neither)
-- Returns  1 released or resting, 0 not ours (expired, taken over, or not a string)
-- Atomic because: between GET and DEL the key may change owner.
--
-- At rest, the key stays taken for a while. Its token is replaced, so a renewal
-- or release still under way finds it not its own.
--
-- Also said by those who no longer have the lock, or never had it: whoever
-- leaves wakes the next waiter, unless the lock has a holder who will. Foreign
-- tokens and those of a lock at rest (":done") end without waking anybody.
-- The wake token is a copy of the waiters key, its time to live included: one command that
-- asks for the waiters key and pushes. Servers before 6.2 do not know it.

local value = redis.pcall('GET', KEYS[1])
local ours, awaited = value == ARGV[1], false
if ours and ARGV[3] then
	-- A server that is out of memory takes the SET only behind another write.
	redis.call('DEL', KEYS[1])
	redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
elseif ours then
	redis.call('DEL', KEYS[1])
elseif type(value) == 'string' then
	awaited = string.sub(value, 1, 5) == 'rlk1:' and string.sub(value, -5) ~= ':done'
elseif value and not string.find(value.err, '^WRONGTYPE') then
	-- An error such as a missing permission says nothing about the owner.
	return value
end
if KEYS[3] and not awaited then
	local copied = redis.pcall('COPY', KEYS[2], KEYS[3], 'REPLACE')
	if type(copied) == 'table' and redis.pcall('EXISTS', KEYS[2]) == 1 then
		redis.pcall('LPUSH', KEYS[3], 1)
		redis.pcall('LTRIM', KEYS[3], 0, 0)
		redis.pcall('PEXPIRE', KEYS[3], 62000)
	end
end
return ours and 1 or 0
