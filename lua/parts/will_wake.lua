-- will_wake.lua
-- Will the holder of this token wake somebody at its end? Holders of foreign tokens do not, and nobody does for a lock at rest.
local function will_wake(holder)
	return string.sub(holder, 1, 5) == 'rlk1:' and not string.find(holder, ':done$') and not string.find(holder, ':done#%d+$')
end
