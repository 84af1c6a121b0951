-- check.lua
-- The end of a check. `ours`: the caller has the lock; `free`: nobody has, or there is room for the caller; `again`: the caller's last
-- check said so, too; `rest`: ms that the lock has left.
--
-- If the lock was free 10 ms ago, too, and the caller has found that, the first in the queue is woken: the last check was answered
-- behind the SET of a waiter whom a release had woken. Of several that find it free, one wakes.
#include "bookings.lua"
#include "pause.lua"
if ours then
	pause, since = -10, 1000
elseif not free then
	booked, since = math.min(booked + 4, 10000), 1000
else
	pause = -10
	if since >= 1000 then
		since = 0
	elseif since >= 10 and again then
		#include "wake.lua"
		since = 0
	end
end
#include "book.lua"
return pause
