-- secure.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
--                          ARGV[2]  TTL in ms, 1 or more, counted from now
-- Returns  1 extended, 0 not ours (expired or taken over)
-- Atomic because: between GET and PEXPIRE the key may change owner.
--
-- What extend.lua does in most cases, in as few words as it takes: a lease that
-- waited sends it as text, and a short hold has it run in front of the release
-- that the next one waits for.

return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0
