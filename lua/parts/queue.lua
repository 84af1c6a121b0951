-- queue.lua
-- The end of a join without the lock. `rest`: ms that the lock has left; `wakes`: its holder wakes somebody;
-- `most`: ms the caller will wait.
#include "bookings.lua"
#include "pause.lua"
if wakes and pause < most then
	booked = math.min(booked + 4, 10000)
else
	pause = 0
end
since = 1000
#include "book.lua"
return { 0, rest, wakes and 1 or 0, pause }
