-- pause.lua
-- Sets `pause`, the ms until the next check: at the end of the lock, in `rest` ms, if that is earlier and few others check. The
-- holder of the turnstile checks once a second, and so keeps it.
local pause = head and 1000 or math.max(booked, 1000)
if rest >= 0 and rest < pause and booked < 1000 then
	pause = rest + 1
end
