-- set.lua
-- A lock with several holders is a sorted set: member = token, score = when that holder's time is over, in ms of the server's
-- clock. A weight of w is w members: token, token#2, ... The layout is that of Symfony's RedisStore, whose writers add the
-- member __write__. A set without expiry is not ours, and stays as it is: ours have the expiry of their longest member.
--
-- Sets `kind`, the type of the key; `set`: the key is such a set; `pttl`, the ms that it has left; `now`. Drops members that are over.
local kind, time = redis.call('TYPE', key).ok, redis.call('TIME')
local now, pttl = time[1] * 1000 + math.floor(time[2] / 1000), kind == 'none' and -2 or redis.call('PTTL', key)
local set = kind == 'zset' and pttl ~= -1
if set and redis.call('ZREMRANGEBYSCORE', key, '-inf', now) > 0 and redis.call('EXISTS', key) == 0 then
	kind, set, pttl = 'none', false, -2
end
