-- set_check.lua
-- KEYS[1]  lock key, KEYS[2]  waiters key, KEYS[3]  list that wakes one, KEYS[4]  turnstile
-- ARGV[1]  token of the caller, ARGV[2]  permits, 0: shared, ARGV[3]  weight
-- ARGV[4]  ms the waiters key is to live at least, ARGV[5] and [6]  as ARGV[3] and [4] of check.lua
-- Returns  what check.lua does
-- Atomic because: a second wake-up for one release would cost a waiter its place.

#include "caller.lua"
local permits, weight = tonumber(ARGV[2]), tonumber(ARGV[3])
local waiters, signal, turnstile, life = KEYS[2], KEYS[3], KEYS[4], tonumber(ARGV[4])
#include "set.lua"
if kind ~= 'none' and kind ~= 'string' and kind ~= 'zset' then
	return 1000
end
#include "hold.lua"
#include "room.lua"
local ours, free, again, head = ends, held, ARGV[6] == '1', ARGV[5] ~= '' and redis.pcall('GET', turnstile) == ARGV[5]
local rest = pttl
if set and permits > 0 then
	rest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] - now
end
#include "check.lua"
