-- bookings.lua
-- Reads the waiters key, and lets it live for `life` ms at least. Its element is two points in time, each as the time that the key
-- has left to live then: the time up to which checks are booked, and the time of the first check in a row that found the lock free
-- (1 s ahead: the last did not). A check books 4 ms, up to 10 s ahead: 250 waiters check once a second, more check less often.
--
-- Sets `left`, the ms that the key has to live; `booked` and `since`, in ms from now. `head`: the caller has the turnstile, keeps it
-- by this, and leaves a mark for release.lua, where the fence counter of the turnstile would be.
local left = redis.call('PTTL', waiters)
local last, first = string.match(redis.call('LINDEX', waiters, 0) or '', '^(%-?%d+) (%-?%d+)$')
local booked, since = math.max(left - (tonumber(last) or left), 0), (tonumber(first) or left + 1000) - left
if left == -2 then
	redis.call('LPUSH', waiters, '')
end
if left < life then
	redis.call('PEXPIRE', waiters, life)
	left = life
end
if head then
	redis.call('PEXPIRE', turnstile, 2000)
	redis.pcall('SET', turnstile .. ':rlk:fence', '', 'PX', 2000)
end
