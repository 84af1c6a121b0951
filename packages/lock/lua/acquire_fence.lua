-- acquire_fence.lua
if redis.call('EXISTS', KEYS[1]) == 1 then
return 0
end
local counter, fence = KEYS[2], 0
fence = redis.call('INCR', counter)
if fence < 1 or fence >= 9007199254740992 then
return redis.error_reply('ERR fence counter out of range')
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return fence
