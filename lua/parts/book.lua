-- book.lua
-- Writes the values of bookings.lua to the waiters key.
redis.call('LSET', waiters, 0, (left - booked) .. ' ' .. (left + since))
