-- will_wake.lua
-- Will whoever has this token wake somebody at its end? Foreign tokens, and those of a lock at rest, do not.
local function will_wake(holder)
	return string.sub(holder, 1, 5) == 'rlk1:' and not string.find(holder, ':done$') and not string.find(holder, ':done#%d+$')
end
