-- renew.lua
-- As lengthen.lua, by a renewal child.
--
-- The GET at the end is for client-side tracking: PEXPIRE ends the tracking of the key,
-- and a read begins it again.

#include "lengthen.lua"
redis.call('GET', KEYS[1])
return 1
