-- release.lua
-- KEYS[1]  lock key             ARGV[1]  token of the caller; none: only wakes
-- KEYS[2]  waiters key, KEYS[3]  list that wakes one (both or neither)
--                               ARGV[2]  token to leave behind, ARGV[3]  its TTL
--                                        in ms: the lock is put at rest (both or neither)
-- Returns  1 released or resting, 0 not ours (expired, taken over, or not a string); 2 free now,
--          and the holder of the turnstile was woken: call again, with the token ''
-- Atomic because: between GET and DEL the key may change owner.
--
-- At rest, the key stays taken for a while. Its token is replaced, so a renewal
-- or release still under way does not find its own token.
--
-- Clients that no longer have the lock, or never had it, call this, too: a client
-- that leaves wakes the next waiter, unless the lock has a holder that will. Foreign
-- tokens and those of a lock at rest (":done") end without waking anybody.
-- The holder of the turnstile has left a mark, blocks, and takes the wake token as
-- soon as the script that pushed it ends. A wake token that a later script finds
-- beside a free lock proves that nobody blocks: the holder was killed, and the script
-- opens the turnstile. A holder that joined within 10 ms may still be about to block.

local waiters, signal, marked = KEYS[2], KEYS[3], false
local mark = signal and string.sub(signal, 1, -7) .. 'turn:rlk:fence'
local value = redis.pcall('GET', KEYS[1])
local ours, awaited = value ~= '' and value == ARGV[1], false
if ARGV[1] == '' and signal and not value and redis.pcall('EXISTS', signal) == 1 then
	local turn = string.sub(mark, 1, -11)
	if redis.call('PTTL', turn) < 1990 and redis.pcall('DEL', turn) == 1 then
		-- Wakes the waiters of the turnstile instead of those of the lock, whose wake token is there.
		waiters, signal = turn .. ':rlk:waiters', turn .. ':rlk:signal'
	end
end
if ours and ARGV[3] then
	-- A server that is out of memory accepts the SET only behind another write.
	redis.call('DEL', KEYS[1])
	redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
elseif ours then
	-- One command, whether or not there is a mark.
	local deleted = mark and redis.pcall('DEL', KEYS[1], mark)
	marked = deleted == 2
	if type(deleted) ~= 'number' then
		redis.call('DEL', KEYS[1])
	end
elseif mark and not value and not ARGV[1] then
	marked = redis.pcall('DEL', mark) == 1
elseif type(value) == 'string' then
	awaited = string.sub(value, 1, 5) == 'rlk1:' and string.sub(value, -5) ~= ':done'
else
	#include "refused.lua"
end
if signal and not awaited then
	#include "wake.lua"
end
return marked and 2 or ours and 1 or 0
