/*
 * rlk_acquire: see the header.
 */
#include "lock/rlk_acquire.h"

#include "base/rlk_clock.h"
#include "lock/rlk_lock_own.h"
#include "lock/rlk_wait.h"

/* Ours on the master. A lock that too few replicas have is given back. */
static rlk_outcome replicate(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	rlk_error local;
	rlk_outcome outcome;

	rlk_error_clear(&local);
	outcome = rlk_replicas_await(&lock->replicas, conn, &local);
	if (outcome == RLK_YES && !rlk_lock_is_valid(lock)) {
		rlk_error_set(&local, RLK_ERR_TIMEOUT, 0, "the wait for replicas took longer than the ttl");
		rlk_error_set_node(&local, conn->server->label);
		outcome = RLK_FAIL;
	}
	if (outcome == RLK_YES)
		return outcome;
	if (outcome == RLK_UNKNOWN)
		rlk_lock_release_behind(lock, conn, lock->ttl_ms);
	else
		rlk_lock_release(lock, conn, 0, NULL);
	rlk_lock_forget(lock);
	rlk_error_adopt(err, &local);
	return outcome;
}

rlk_outcome rlk_lock_acquire(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err)
{
	rlk_outcome outcome;
	rlk_error local;

	rlk_lock_forget(lock);
	lock->ttl_ms = request->ttl_ms;
	lock->unsure = lock->unsure && lock->given;
	conn->limit_at_ms = request->deadline_at_ms;
	if (request->deadline_at_ms > 0) {
		/* The shortest time to wait, or one that went by before this, in starting a renewal child say, leaves the try a
		 * moment, less what rlk_wait_reach() has taken of it. */
		rlk_conn_allow_last_words(conn);
		if (conn->ready_at_ms > request->deadline_at_ms)
			conn->limit_at_ms -= conn->ready_at_ms - request->deadline_at_ms;
	}
	rlk_error_clear(&local);
	outcome = rlk_lock_try(lock, conn, request, &local);
	if (request->deadline_at_ms > 0 && rlk_clock_now_ms() < request->deadline_at_ms &&
		(outcome == RLK_NO || rlk_lock_may_heal(lock, conn, outcome, &local)))
		outcome = rlk_wait(lock, conn, request, err);
	else
		rlk_error_adopt(err, &local);
	conn->limit_at_ms = 0;
	if (outcome == RLK_YES && lock->replicas.min > 0)
		outcome = replicate(lock, conn, err);
	return outcome;
}
