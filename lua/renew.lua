-- renew.lua
-- As lengthen.lua, by a renewal child.
--
-- The GET at the end is for client-side tracking: PEXPIRE has the server forget that the
-- caller is to be told of changes of the key, and a read has it told again.

#include "lengthen.lua"
redis.call('GET', KEYS[1])
return 1
