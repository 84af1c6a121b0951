/*
 * rlk_lock: what is known of a lock. The operations are in rlk_acquire.c, rlk_extend.c, rlk_release.c and rlk_holder.c.
 */
#include "lock/rlk_lock.h"

#include "lock/rlk_keys.h"
#include "lock/rlk_lock_own.h"
#include "net/rlk_pool.h"
#include "net/rlk_socket.h"

bool rlk_lock_init(rlk_lock *lock, rlk_str prefix, rlk_str name, rlk_error *err)
{
	memset(lock, 0, sizeof(*lock));
	lock->beside.fd = RLK_SOCKET_NONE;
	if (rlk_keys_lock(&lock->key, prefix, name) && rlk_keys_helper(&lock->waiters, prefix, name, RLK_KEYS_WAITERS) &&
		rlk_keys_helper(&lock->signal, prefix, name, RLK_KEYS_SIGNAL) &&
		rlk_keys_helper(&lock->fence_key, prefix, name, RLK_KEYS_FENCE))
		return true;
	rlk_lock_destroy(lock);
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a lock");
	return false;
}

void rlk_lock_destroy(rlk_lock *lock)
{
	rlk_buf_destroy(&lock->key);
	rlk_buf_destroy(&lock->waiters);
	rlk_buf_destroy(&lock->signal);
	rlk_buf_destroy(&lock->fence_key);
	rlk_buf_destroy(&lock->token);
	rlk_buf_destroy(&lock->released);
	rlk_lock_forget(lock);
	if (lock->releasing_on != NULL)
		lock->releasing_on->listener = (rlk_conn_listener){ NULL, NULL };
	lock->releasing_on = NULL;
}

void rlk_lock_forget(rlk_lock *lock)
{
	lock->held = false;
	lock->leaving = false;
	lock->valid_until_ms = 0;
	lock->ttl_known = false;
	lock->acquired_at_ms = 0;
	lock->fence = 0;
	lock->extend_at_ms = 0;
	if (lock->extending_on != NULL)
		lock->extending_on->listener = (rlk_conn_listener){ NULL, NULL };
	lock->extending_on = NULL;
	lock->maybe_on = 0;
	if (lock->beside.fd != RLK_SOCKET_NONE)
		rlk_pool_give_back(&lock->beside);
}

bool rlk_lock_set_token(rlk_lock *lock, rlk_str given, rlk_str label, rlk_error *err)
{
	char fresh[RLK_TOKEN_MAX];

	if (given.len == 0 || !rlk_str_equal(given, rlk_buf_str(&lock->token))) {
		lock->unsure = false;
		lock->least_ttl_ms = 0;
		lock->extended_at_ms = 0;
	}
	lock->given = given.len > 0;
	if (given.len == 0) {
		given = rlk_str_make(fresh, rlk_token_make(fresh, label, false, err));
		if (given.len == 0)
			return false;
	}
	lock->token.len = 0;
	if (rlk_buf_append_str(&lock->token, given))
		return true;
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a token");
	return false;
}

void rlk_lock_found(rlk_lock *lock, int64_t least_until_ms, int64_t most_until_ms)
{
	if (!lock->held || least_until_ms > lock->valid_until_ms || most_until_ms < lock->valid_until_ms)
		lock->valid_until_ms = least_until_ms;
	lock->held = true;
}

void rlk_lock_collect(rlk_lock *lock)
{
	if (lock->extending_on != NULL)
		rlk_conn_collect(lock->extending_on);
	if (lock->releasing_on != NULL)
		rlk_conn_collect(lock->releasing_on);
}
