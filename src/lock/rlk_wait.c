/*
 * rlk_wait: see the header. Waiting in the server's queue is in rlk_wait_queue.c.
 */
#include "lock/rlk_wait.h"

#include "redis/rlk_topology.h"

/* Between two attempts while a server is in trouble, and up to as much again at random. */
#define TROUBLE_PAUSE_MS 50

/* Sleeps until the point in time or the deadline. false: interrupted, see w->err. */
static bool sleep_until(rlk_waiter *w, int64_t until_ms)
{
	until_ms = rlk_clock_earlier(until_ms, w->terms->deadline.at_ms);
	while (rlk_socket_await(NULL, 0, until_ms, 0, w->terms->hooks) == RLK_SOCKET_SIGNAL) {
		if (rlk_waiter_handle_signals(w, &w->err))
			return false;
	}
	return true;
}

/* --- the states, but for those in rlk_wait_queue.c ------------------------------------------------ */

/* A SET was not answered, and its server died: the one that took over may have the key. It is released there, before
 * anything else. A release that had to be repeated may still run, and would release a later SET of the same token: the next
 * one has a fresh token. */
static rlk_waiter_state withdraw(rlk_waiter *w)
{
	rlk_outcome outcome = rlk_lock_release(w->lock, &(rlk_servers){ w->conn, NULL }, w->terms->deadline, 0, &w->err);
	bool again;

	if (outcome == RLK_YES || outcome == RLK_NO) {
		w->lock->ledger.set = false;
		return rlk_waiter_start_afresh(w, RLK_WAITER_JOINING);
	}
	again = w->err.retryable && (outcome == RLK_FAIL || w->err.code != RLK_ERR_TIMEOUT);
	return again ? rlk_waiter_fail(w, RLK_UNKNOWN) : rlk_waiter_leave(w, RLK_UNKNOWN, RLK_OWES_NOTHING);
}

/* A new cycle: nothing is outstanding. */
static rlk_waiter_state join(rlk_waiter *w)
{
	const rlk_hooks *hooks = w->terms->hooks;

	if (rlk_deadline_is_over(w->terms->deadline))
		return rlk_waiter_leave_with_no(w, RLK_OWES_WAKE_UP);
	rlk_error_clear(&w->err);
	/* A signal during the last request has not ended the wait. */
	if (hooks != NULL && hooks->signalled(hooks->arg) && rlk_waiter_handle_signals(w, &w->err))
		return rlk_waiter_leave(w, RLK_FAIL, RLK_OWES_WAKE_UP);
	rlk_error_clear(&w->trouble);
	w->owed_ttl_ms = w->provisional_ms;
	if (w->lock->ledger.set)
		return withdraw(w);
	return rlk_clock_now_ms() < w->polls_until_ms ? RLK_WAITER_POLLING : rlk_waiter_join(w);
}

/* Pauses for the retry time ± 50 %, so that waiters do not poll in step, and tries. */
static rlk_waiter_state poll_once(rlk_waiter *w)
{
	int64_t retry_ms = rlk_clock_earlier(w->terms->retry_ms, INT32_MAX);
	int64_t pause_ms = retry_ms - retry_ms / 2 + rlk_random_spread((uint32_t)retry_ms + 1);
	rlk_outcome outcome;

	if (!sleep_until(w, rlk_clock_now_ms() + pause_ms))
		return rlk_waiter_leave(w, RLK_FAIL, RLK_OWES_WAKE_UP);
	outcome = rlk_lock_try(w->lock, w->conn, w->terms, rlk_deadline_for_one_more(w->terms->deadline), &w->err);
	if (outcome == RLK_YES) {
		rlk_lock_note_passed(w->lock);
		return rlk_waiter_leave(w, RLK_YES, RLK_OWES_WAKE_UP);
	}
	if (outcome == RLK_NO)
		return RLK_WAITER_JOINING;
	if (rlk_waiter_was_cut(w, outcome))
		return rlk_waiter_leave_with_no(w, RLK_OWES_NOTHING);
	return outcome == RLK_UNKNOWN && !rlk_lock_may_heal(w->lock, w->conn, outcome, &w->err) ?
		rlk_waiter_leave(w, outcome, RLK_OWES_NOTHING) :
		rlk_waiter_fail(w, outcome);
}

/* Behind a command that blocks the release would be executed late, or never if its connection is closed by then: it goes over
 * another one. A turnstile whose release finds the connection broken has another one, by who goes on over a new connection. One
 * that is not opened here ends with its ttl. */
static void open_turnstile(rlk_waiter *w)
{
	rlk_conn *conn = w->conn, *beside = NULL;

	if (rlk_lock_turn(w->lock).len == 0 || conn->fd == RLK_SOCKET_NONE)
		return;
	if (w->owes == RLK_OWES_RELEASE)
		beside = rlk_wait_check_conn(&w->check, conn);
	rlk_lock_post_release(w->lock->turnstile, beside != NULL ? beside : conn,
		beside == NULL && w->owes == RLK_OWES_RELEASE);
	if (conn->fd != RLK_SOCKET_NONE)
		rlk_lock_forget(w->lock->turnstile);
}

/* Extends the provisional ttl to the ttl. */
static rlk_waiter_state secure(rlk_waiter *w)
{
	rlk_lock *lock = w->lock;
	rlk_outcome outcome;
	int64_t waited_ms = rlk_clock_now_ms() - lock->acquired_at_ms;

	/* A ttl shorter than the provisional one was set whole, but may be nearly over. */
	if (lock->ttl_ms == w->terms->ttl_ms && waited_ms < w->provisional_ms / 2 && rlk_lock_is_valid(lock))
		return rlk_waiter_leave(w, RLK_YES, RLK_OWES_WAKE_UP);
	if (lock->ttl_ms < w->terms->ttl_ms && waited_ms < w->provisional_ms / 2) {
		/* While most of the provisional ttl is left, the system may delay the sending, which is cheaper. */
		bool hurry = waited_ms >= w->provisional_ms / 4;

		lock->extension.due_at_ms = lock->acquired_at_ms + w->provisional_ms / 2;
		lock->ttl_ms = w->terms->ttl_ms;
		/* First: what finds the connection broken must not stand behind an extension that nobody waits for. */
		open_turnstile(w);
		if (w->terms->renewed || rlk_lock_extend_unread(lock, w->conn, hurry))
			return rlk_waiter_leave(w, RLK_YES, RLK_OWES_WAKE_UP);
	}
	/* By the deadline, or within a moment. The replicas are asked at the end of the wait, which releases the lock if they are too few. */
	outcome = rlk_lock_extend(lock, &(rlk_servers){ w->conn, NULL }, rlk_deadline_for_one_more(w->terms->deadline),
		w->terms->ttl_ms, NULL, &w->err);
	if (outcome == RLK_YES && rlk_lock_is_valid(lock))
		return rlk_waiter_leave(w, RLK_YES, RLK_OWES_WAKE_UP);
	w->woken = true;
	if (rlk_waiter_was_cut(w, outcome) && rlk_conn_is_awaited(w->conn) && !lock->token.from_caller) {
		rlk_lock_forget(lock);
		return rlk_waiter_leave_with_no(w, RLK_OWES_RELEASE);
	}
	if (outcome == RLK_UNKNOWN || outcome == RLK_YES) {
		rlk_error_set(&w->err, RLK_ERR_TIMEOUT, 0, "the answer took longer than the ttl");
		w->owed_ttl_ms = w->terms->ttl_ms;
		return rlk_waiter_leave(w, RLK_UNKNOWN, RLK_OWES_LAST_RELEASE);
	}
	rlk_lock_forget(lock);
	return outcome == RLK_NO ? RLK_WAITER_JOINING : rlk_waiter_fail(w, outcome);
}

/* Waits at the turnstile, as at any other lock. */
static rlk_waiter_state pass_turnstile(rlk_waiter *w)
{
	const rlk_lock_terms terms = { .ttl_ms = RLK_WAIT_PROVISIONAL_MS,
		.deadline = w->terms->deadline,
		.in_line = !w->conn->known.refuses_blocking,
		.retry_ms = w->terms->retry_ms,
		.hooks = w->terms->hooks,
		.beside = w->terms->beside };
	rlk_outcome outcome = rlk_lock_acquire(w->lock->turnstile, &(rlk_servers){ w->conn, NULL }, &terms, &w->err);

	if (outcome == RLK_YES)
		return RLK_WAITER_JOINING;
	return outcome == RLK_NO ? rlk_waiter_leave(w, RLK_NO, RLK_OWES_WAKE_UP) : rlk_waiter_fail(w, RLK_FAIL);
}

/* The server is in trouble, but another one may take over soon. */
static rlk_waiter_state heal(rlk_waiter *w)
{
	w->trouble = w->err;
	rlk_error_clear(&w->err);
	return sleep_until(w, rlk_clock_now_ms() + TROUBLE_PAUSE_MS + rlk_random_spread(TROUBLE_PAUSE_MS)) ?
		RLK_WAITER_JOINING :
		rlk_waiter_leave(w, RLK_FAIL, RLK_OWES_WAKE_UP);
}

/* The only way out: what may still get the lock gets its release, and a waiter that was woken wakes the next one. */
static void leave_wait(rlk_waiter *w)
{
	rlk_lock *lock = w->lock;
	rlk_conn *conn = w->conn;

	if (w->owner_pid != rlk_os_process_id())
		return;
	if (w->owes != RLK_OWES_LAST_RELEASE)
		open_turnstile(w);
	if (lock->turnstile != NULL)
		rlk_lock_forget(lock->turnstile);
	switch (w->owes) {
		case RLK_OWES_WAKE_UP:
			if (w->outcome != RLK_YES && w->woken && conn->fd != RLK_SOCKET_NONE)
				rlk_lock_post_release(lock, conn, false);
			break;
		case RLK_OWES_RELEASE:
			/* Behind BLPOP and SET, so it frees what a waiter gets that is woken just now, and wakes the next. */
			if (lock->token.from_caller)
				rlk_ledger_spend(&lock->ledger, w->provisional_ms);
			if (conn->fd != RLK_SOCKET_NONE)
				rlk_lock_post_release(lock, conn, true);
			break;
		case RLK_OWES_LAST_RELEASE:
			rlk_lock_send_last_release(lock, conn, w->terms->deadline, w->owed_ttl_ms);
			rlk_lock_forget(lock);
			break;
		default:
			break;
	}
}

rlk_outcome rlk_wait(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_error *err)
{
	static rlk_waiter_state (*const steps[])(rlk_waiter *) = { [RLK_WAITER_JOINING] = join,
		[RLK_WAITER_BLOCKED] = rlk_waiter_block,
		[RLK_WAITER_WOKEN] = rlk_waiter_take,
		[RLK_WAITER_SECURING] = secure,
		[RLK_WAITER_POLLING] = poll_once,
		[RLK_WAITER_TURNSTILE] = pass_turnstile,
		[RLK_WAITER_HEALING] = heal };
	rlk_waiter w = { .lock = lock, .conn = conn, .terms = terms, .owner_pid = rlk_os_process_id() };
	rlk_lock_beside beside = { .conn = &w.check.conn };
	rlk_waiter_state state = RLK_WAITER_JOINING;

	w.provisional_ms =
		terms->ttl_ms > 0 ? rlk_clock_earlier(terms->ttl_ms, RLK_WAIT_PROVISIONAL_MS) : RLK_WAIT_PROVISIONAL_MS;
	rlk_wait_check_init(&w.check, conn);
	rlk_topology_add_user(conn->topology, &w.check.conn, &beside.user);
	if (terms->beside != NULL) {
		beside.outer = *terms->beside;
		*terms->beside = &beside;
	}
	if (conn->known.refuses_blocking)
		w.polls_until_ms = rlk_clock_now_ms() + RLK_WAIT_REFUSED_MS;
	if (lock->keys.waiters.len == 0 || lock->keys.signal.len == 0 || !rlk_lock_make_turnstile(lock, NULL))
		w.polls_until_ms = RLK_NEVER;
	while (state != RLK_WAITER_LEAVING)
		state = steps[state](&w);
	leave_wait(&w);
	/* No server has answered who has the lock. */
	if (w.outcome == RLK_NO && w.trouble.code != RLK_ERR_NONE) {
		w.outcome = RLK_FAIL;
		w.err = w.trouble;
	}
	if (w.outcome == RLK_FAIL && lock->ledger.set)
		w.outcome = RLK_UNKNOWN;
	rlk_error_adopt(err, &w.err);
	rlk_wait_check_end(&w.check, conn);
	rlk_topology_remove_user(conn->topology, &beside.user);
	if (terms->beside != NULL)
		*terms->beside = beside.outer;
	if (w.outcome == RLK_YES) {
		lock->acquired_at_ms = rlk_clock_now_ms(); /* the pair was written long before, perhaps */
		lock->waited_until_ms =
			rlk_clock_add(lock->acquired_at_ms, RLK_SCRIPT_WAITERS_MAX_MS); /* others may wait, too */
	}
	return w.outcome;
}

/* Could not connect, for this reason: tries again as long as another server may take over. */
static bool reach_again(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_deadline deadline,
	rlk_error *why)
{
	rlk_waiter w = { .lock = lock, .conn = conn, .terms = terms, .owner_pid = rlk_os_process_id(), .err = *why };
	bool open = false;

	while (terms->attempts == 0 && !open && rlk_lock_may_heal(lock, conn, RLK_FAIL, &w.err) &&
		heal(&w) == RLK_WAITER_JOINING) {
		if (rlk_deadline_is_over(terms->deadline)) {
			w.err = w.trouble;
			break;
		}
		open = rlk_conn_connect(conn, false, deadline, &w.err);
	}
	*why = w.err;
	return open;
}

bool rlk_wait_reach(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_error *err)
{
	rlk_deadline deadline = rlk_deadline_for_one_more(terms->deadline);
	rlk_error local;
	bool open;

	rlk_error_clear(&local);
	open = rlk_conn_connect(conn, false, deadline, &local) || reach_again(lock, conn, terms, deadline, &local);
	if (!open)
		rlk_error_adopt(err, &local);
	return open;
}
