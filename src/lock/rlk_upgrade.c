/*
 * rlk_upgrade: from sharing a lock to having it alone, and back.
 *
 * To be alone is a lock of its own, of kind RLK_UPGRADE: the key and the queue are those of the lock that is shared, and the
 * token is its token with a mark behind. So it is waited for as any lock, and whatever the wait releases is being alone, never
 * the lock.
 */
#include "lock/rlk_lock_own.h"

#include "lock/rlk_wait.h"

/* false: memory is out. */
static bool init_upgrade(rlk_lock *upgrade, const rlk_lock *lock)
{
	memset(upgrade, 0, sizeof(*upgrade));
	upgrade->kind = (rlk_kind){ RLK_UPGRADE, -1, 1 };
	upgrade->wakes_nobody = lock->wakes_nobody;
	return rlk_buf_replace(&upgrade->keys.lock, rlk_buf_str(&lock->keys.lock)) &&
		rlk_buf_replace(&upgrade->keys.waiters, rlk_buf_str(&lock->keys.waiters)) &&
		rlk_buf_replace(&upgrade->keys.signal, rlk_buf_str(&lock->keys.signal)) &&
		rlk_buf_replace(&upgrade->token.text, rlk_buf_str(&lock->token.text)) &&
		rlk_buf_append(&upgrade->token.text, "^", 1);
}

/* Executed late, a downgrade, or what follows an upgrade, lets others in beside one who is alone again. */
static void end_upgrades(rlk_lock *lock)
{
	lock->token.no_upgrade = true;
	rlk_lock_spend_token(lock, lock->ttl_ms);
}

rlk_outcome rlk_lock_upgrade(rlk_lock *lock, const rlk_servers *servers, const rlk_lock_request *request,
	rlk_error *err)
{
	const rlk_hooks hooks = { .pending = request->hooks->pending,
		.interrupted = request->hooks->interrupted,
		.suspend = request->hooks->suspend,
		.arg = request->hooks->arg };
	const rlk_lock_request asked = { .ttl_ms = RLK_WAIT_PROVISIONAL_MS,
		.deadline_at_ms = request->deadline_at_ms,
		.retry_ms = request->retry_ms,
		.hooks = &hooks,
		.beside = request->beside };
	rlk_outcome outcome = RLK_FAIL;
	rlk_lock upgrade;

	/* A late release of the one before could let others in beside this one, at any time. */
	if (lock->token.no_upgrade) {
		rlk_error_set(err, RLK_ERR_IO, 0,
			"an upgrade() or downgrade() was not answered, and may still be executed: release the lock, and acquire it anew");
		err->retryable = false;
		return RLK_FAIL;
	}
	if (init_upgrade(&upgrade, lock))
		outcome = rlk_lock_acquire(&upgrade, servers, &asked, err);
	else
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a lock");
	if (outcome == RLK_UNKNOWN || upgrade.token.spent_until_ms > 0)
		end_upgrades(lock);
	rlk_lock_destroy(&upgrade);
	return outcome;
}

rlk_outcome rlk_lock_downgrade(rlk_lock *lock, const rlk_servers *servers, rlk_error *err)
{
	rlk_str keys[3], args[] = { RLK_STR("downgrade"), rlk_buf_str(&lock->token.text), RLK_STR("0"), RLK_STR("1") };
	rlk_operation op = { .request = { &rlk_script_set, keys, args, rlk_lock_keys_to_wake(lock, keys), 4 },
		.read = rlk_read_done,
		.may_repeat = true,
		.wakes_nobody = &lock->wakes_nobody };
	rlk_outcome outcome;

	lock->kind = rlk_kind_of(1, 1, true);
	outcome = rlk_operation_run(servers, &op, err);
	if (outcome == RLK_UNKNOWN || op.repeated)
		end_upgrades(lock);
	return outcome;
}
