-- lengthen.lua
-- Gives the key this TTL if it has the token. Returns 2 if it has more, or no expiry, and keeps it; 0 not ours.
--
-- Never shortens: it may arrive late, and a longer TTL, or none at all, was given
-- by keepAlive() since.
local value = redis.pcall('GET', KEYS[1])
if value ~= ARGV[1] then
	#include "refused.lua"
	return 0
end
if redis.pcall('PEXPIRE', KEYS[1], ARGV[2], 'GT') ~= 1 then
	-- The key has as much, or more; or the server knows no GT, as before Redis 7.
	local left = redis.call('PTTL', KEYS[1])
	if left < 0 or left > tonumber(ARGV[2]) then
		return 2
	end
	redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
