/*
 * rlk_keys: see the header.
 */
#include "lock/rlk_keys.h"

#include "redis/rlk_slot.h"

bool rlk_keys_lock(rlk_buf *out, rlk_str prefix, rlk_str name)
{
	return rlk_buf_append_str(out, prefix) && rlk_buf_append_str(out, name);
}

bool rlk_keys_helper(rlk_buf *out, rlk_str prefix, rlk_str name, const char *suffix)
{
	rlk_buf lock = RLK_BUF_INIT;
	bool ok = rlk_keys_lock(&lock, prefix, name);
	rlk_str key = rlk_buf_str(&lock), slot_part = rlk_slot_part(key);
	bool tagged = slot_part.len != key.len;

	if (tagged)
		ok = ok && rlk_buf_append_str(out, key);
	else
		ok = ok && rlk_buf_append_str(out, prefix) && rlk_buf_append(out, "{", 1) && rlk_buf_append_str(out, key) &&
			rlk_buf_append(out, "}", 1);
	ok = ok && rlk_buf_append_str(out, rlk_str_from_cstr(suffix));
	if (!ok || !rlk_str_equal(rlk_slot_part(rlk_buf_str(out)), slot_part))
		rlk_buf_destroy(out);
	rlk_buf_destroy(&lock);
	return ok;
}

rlk_str rlk_keys_signal(rlk_str waiters, char *out)
{
	size_t base = waiters.len - (sizeof(RLK_KEYS_WAITERS) - 1);

	_Static_assert(sizeof(RLK_KEYS_SIGNAL) <= sizeof(RLK_KEYS_WAITERS), "it has to fit");
	memcpy(out, waiters.data, base);
	memcpy(out + base, RLK_KEYS_SIGNAL, sizeof(RLK_KEYS_SIGNAL) - 1);
	return rlk_str_make(out, base + sizeof(RLK_KEYS_SIGNAL) - 1);
}
