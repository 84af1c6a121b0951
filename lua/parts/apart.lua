-- apart.lua
-- Sets `turn`, the token of the turnstile's holder, and `apart`: the holder, or the waiter whom it has just woken, is not the caller.
local turn = turnstile and redis.pcall('GET', turnstile)
turn = type(turn) == 'string' and turn
local apart = turn and turn ~= own_turn
-- As passes() in join.lua.
if turnstile and not turn and own_turn == '' and
	redis.pcall('EXISTS', turn_waiters) == 1 and redis.pcall('EXISTS', turn_signal) == 0 then
	-- All waiters may have vanished: those that are there check, or join again, a second after the booked checks at the latest.
	local last = string.match(tostring(redis.pcall('LINDEX', turn_waiters, 0)), '^%-?%d+')
	apart = not last or redis.pcall('PTTL', turn_waiters) - last > -2000
end
