-- check.lua
-- The end of a check. `ours`: the caller has the lock; `free`: nobody has, or there is room for the caller; `rest`: ms that the
-- lock has left.
--
-- If the lock was free 10 ms ago, too, the first in the queue is woken: a waiter whom a
-- release woke would have it by now. Of several that find it free, one wakes.
#include "bookings.lua"
#include "pause.lua"
if ours then
	pause, since = -10, 1000
elseif not free then
	booked, since = math.min(booked + 4, 10000), 1000
elseif since < 10 then
	pause = since - 10
else
	if since < 1000 then
		#include "wake.lua"
	end
	pause, since = -10, 0
end
#include "book.lua"
return pause
