-- room.lua
-- Sets `held`: how many members there are, if there is room for the caller beside them; else false.
local held = kind == 'none' and 0 or
	set and not redis.call('ZSCORE', key, '__write__') and (permits == 0 and 0 or redis.call('ZCARD', key))
held = held and (permits == 0 or held + weight <= permits) and held
