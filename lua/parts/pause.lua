-- pause.lua
-- Sets `pause`, until the next check: when the lock is to end, in `rest` ms, if that is earlier and few others check. Who has
-- the turnstile checks once a second, and so keeps it.
local pause = head and 1000 or math.max(booked, 1000)
if rest >= 0 and rest < pause and booked < 1000 then
	pause = rest + 1
end
