-- open_turnstile.lua
-- The caller got in: who comes next at the turnstile?
if turnstile and own_turn ~= '' and redis.pcall('GET', turnstile) == own_turn then
	local waiters, signal = turn_waiters, turn_signal
	redis.call('DEL', turnstile)
	#include "wake.lua"
end
