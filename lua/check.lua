-- check.lua
-- KEYS[1]  lock key             ARGV[1]  token of the caller
-- KEYS[2]  waiters key          ARGV[2]  ms the waiters key is to live at least
-- KEYS[3]  list that wakes one  ARGV[3]  token that the caller has at the turnstile, or ''
-- KEYS[4]  turnstile            ARGV[4]  '1' if the last check of this wait was answered by a negative number, else ''
-- Returns  ms after which to check again; negative if the lock is free, or the
--          caller's already: the caller should have heard of that
-- Atomic because: a second wake-up for one release would cost a waiter its place.
--
-- Called by a waiter, over a second connection, while the first one blocks.

local waiters, signal, turnstile, life = KEYS[2], KEYS[3], KEYS[4], tonumber(ARGV[2])
local rest, ours = redis.call('PTTL', KEYS[1]), redis.pcall('GET', KEYS[1]) == ARGV[1]
local free, again, head = rest == -2, ARGV[4] == '1', ARGV[3] ~= '' and redis.pcall('GET', turnstile) == ARGV[3]
#include "check.lua"
