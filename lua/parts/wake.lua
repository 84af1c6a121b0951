-- wake.lua
-- Wakes the first waiter of a queue, if there is one. `waiters` and `signal` are its waiters key and the list that wakes one.
--
-- The wake token is a copy of the waiters key, its time to live included: one command, COPY, asks for the waiters key and pushes.
-- Servers before 6.2 do not have it.
local copied = redis.pcall('COPY', waiters, signal, 'REPLACE')
if type(copied) == 'table' and redis.pcall('EXISTS', waiters) == 1 then
	redis.pcall('LPUSH', signal, 1)
	redis.pcall('LTRIM', signal, 0, 0)
	redis.pcall('PEXPIRE', signal, 62000)
end
