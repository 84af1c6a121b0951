/*
 * rlk_upgrade: makes a shared lock an exclusive one, and back. Both have the same token, and the lock stays RLK_SHARED:
 * the server knows which of the two it is.
 */
#include "lock/rlk_lock_own.h"

rlk_outcome rlk_lock_upgrade(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, rlk_error *err)
{
	const rlk_str key = rlk_buf_str(&lock->keys.lock), token = rlk_buf_str(&lock->token.text);
	rlk_operation op = { .request = { &rlk_script_set_upgrade, &key, &token, 1, 1 },
		.read = rlk_read_done,
		.may_repeat = true };

	if (lock->ledger.downgrade) {
		rlk_error_set(err, RLK_ERR_IO, 0,
			"a downgrade() was not answered, and may still be executed: release the lock, and acquire it anew");
		err->retryable = false;
		return RLK_FAIL;
	}
	return rlk_operation_run(lock, servers, &op, deadline, err);
}

rlk_outcome rlk_lock_downgrade(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, rlk_error *err)
{
	const rlk_str token = rlk_buf_str(&lock->token.text);
	rlk_str keys[3];
	rlk_operation op = { .request = { &rlk_script_set_downgrade, keys, &token, rlk_lock_keys_to_wake(lock, keys), 1 },
		.read = rlk_read_done,
		.may_repeat = true };
	const rlk_kind before = lock->kind;
	rlk_outcome outcome;

	lock->kind = rlk_kind_of(1, 1, true);
	outcome = rlk_operation_run(lock, servers, &op, deadline, err);
	if (outcome == RLK_FAIL) /* not executed: perhaps this user may use no scripts of shared locks */
		lock->kind = before;
	/* If executed late, it would let others in beside a holder that is alone again. */
	if (op.unanswered) {
		lock->ledger.downgrade = true;
		rlk_ledger_spend(&lock->ledger, lock->ttl_ms);
	}
	return outcome;
}
