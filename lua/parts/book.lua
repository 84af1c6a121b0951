-- book.lua
-- Leaves in the waiters key what bookings.lua has read, as it is now.
redis.call('LSET', waiters, 0, (left - booked) .. ' ' .. (left + since))
