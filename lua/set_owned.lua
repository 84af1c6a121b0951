-- set_owned.lua
-- KEYS[1]  lock key        ARGV[1]  token of the caller
-- Returns  ms that the token has left, -1 ours without expiry, -2 not ours
-- Atomic because: between the type and the time the key may change.

#include "caller.lua"
#include "set.lua"
#include "hold.lua"
-- A key lives to the end of the millisecond that PTTL counts to, a member to its beginning.
return alone and pttl or ends and ends - now - 1 or -2
