/*
 * rlk_release_unread: a release whose answer nobody waits for, the option release_async.
 */
#include "lock/rlk_lock_own.h"

#include "base/rlk_os.h"
#include "lock/rlk_scripts.h"
#include "net/rlk_socket.h"
#include "redis/rlk_dialect.h"

static void released(void *arg, const rlk_reply *reply)
{
	rlk_lock *lock = arg;
	rlk_conn *conn = lock->releasing_on;

	lock->releasing_on = NULL;
	if (reply == NULL && conn->owner_pid != rlk_os_process_id())
		return; /* a forked copy closes its copy of the connection: the answer is for the parent */
	if (reply == NULL || reply->type != RLK_REPLY_INTEGER)
		lock->late = RLK_LATE_UNCONFIRMED;
	else if (reply->integer == RLK_SCRIPT_RELEASE_NOT_OURS)
		lock->late = RLK_LATE_NOT_OURS;
	lock->maybe_released = lock->maybe_released && reply == NULL && !conn->unseen;
	/* The next one has to go another way. */
	if (reply != NULL && !rlk_dialect_learn(conn, reply) && rlk_reply_is_error(reply, "NOPERM"))
		lock->wakes_nobody = true;
}

rlk_outcome rlk_lock_release_unread(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_conn_listener listener = { released, lock };
	const rlk_servers one = { conn, NULL };
	rlk_str token = rlk_buf_str(&lock->token);
	rlk_buf spare = lock->released;
	rlk_outcome outcome;

	if (!rlk_conn_ready(conn, false, err))
		return RLK_FAIL;
	rlk_conn_collect(conn);
	if (conn->fd == RLK_SOCKET_NONE || conn->unread > 0 || conn->refuses_scripts)
		return rlk_lock_release(lock, &one, 0, err);
	/* By text: a digest that the server does not know would leave the lock where it is. */
	if (!rlk_lock_append_release(lock, conn, &token, 1, err))
		return RLK_FAIL;
	outcome = rlk_conn_send(conn, err);
	if (outcome != RLK_YES) {
		if (outcome == RLK_UNKNOWN)
			rlk_lock_give_up_release(lock, conn, &token, 1);
		return outcome;
	}
	lock->maybe_released = conn->sent_at_ms < lock->valid_until_ms;
	rlk_lock_forget(lock);
	lock->releasing_on = conn;
	lock->released = lock->token;
	lock->token = spare;
	lock->token.len = 0;
	rlk_conn_leave_unread(conn, listener, false);
	return RLK_YES;
}

bool rlk_lock_release_again(rlk_lock *lock, rlk_conn *conn)
{
	rlk_buf token = lock->token;
	rlk_outcome outcome;

	if (lock->late != RLK_LATE_UNCONFIRMED || lock->released.len == 0)
		return false;
	lock->token = lock->released;
	outcome = rlk_lock_withdraw(lock, conn, NULL);
	lock->token = token;
	lock->released.len = 0;
	if (outcome != RLK_YES && outcome != RLK_NO)
		return false;
	lock->late = outcome == RLK_YES || lock->maybe_released ? RLK_LATE_NONE : RLK_LATE_NOT_OURS;
	return true;
}
