-- open_turnstile.lua
-- The caller got in: opens the turnstile, and wakes the next one there.
if turnstile and own_turn ~= '' and redis.pcall('GET', turnstile) == own_turn then
	local waiters, signal = turn_waiters, turn_signal
	redis.call('DEL', turnstile)
	#include "wake.lua"
end
