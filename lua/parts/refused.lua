-- refused.lua
-- Returns the error in `value`. One that a key of another type gives says that it is not ours; another one, such as a missing
-- permission, says nothing about the owner.
if type(value) == 'table' and not string.find(value.err, '^WRONGTYPE') then
	return value
end
