-- refused.lua
-- Returns the error in `value`. The error for a key of another type means "not ours"; another error, such as a missing permission,
-- says nothing about the owner.
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
	return value
end
