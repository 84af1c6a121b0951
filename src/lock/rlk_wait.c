/*
 * rlk_wait: see the header. Waiting in the server's queue is in rlk_wait_queue.c.
 */
#include "lock/rlk_wait.h"

#include "lock/rlk_lock_own.h"
#include "redis/rlk_topology.h"

/* Between two attempts while a server is in trouble, and up to as much again at random. */
#define TROUBLE_PAUSE_MS 50

bool rlk_waiter_handle_signals(rlk_waiter *w, rlk_error *err)
{
	long pid = rlk_os_process_id();
	rlk_conn aside = rlk_conn_set_aside(w->conn);
	rlk_topology *topology = w->conn->topology;
	rlk_topology_user user;
	bool stop;

	w->conn->limit_at_ms = 0; /* requests of the handlers have their own time limits */
	rlk_topology_add_user(topology, &aside, &user);
	stop = rlk_lock_handle_signals(w->request->hooks, err);
	rlk_topology_remove_user(topology, &user);
	rlk_conn_restore(w->conn, &aside);
	if (rlk_os_process_id() != pid) {
		/* The token is the parent's, and so is the connection. */
		rlk_conn_close(w->conn);
		w->ended = true;
	}
	return stop;
}

/* Sleeps until the point in time or the deadline. false: interrupted, see *err. */
static bool sleep_until(rlk_waiter *w, int64_t until_ms, rlk_error *err)
{
	until_ms = rlk_clock_earlier(until_ms, w->request->deadline_at_ms);
	while (rlk_socket_poll(NULL, 0, until_ms, w->request->hooks) == RLK_SOCKET_SIGNAL) {
		if (rlk_waiter_handle_signals(w, err))
			return false;
	}
	return true;
}

static bool asks_for_turn(const rlk_waiter *w)
{
	return w->refusals > 1;
}

/* Pauses for the retry time ± 50 %, so that waiters do not poll in step. false: interrupted. */
static bool pause_to_poll(rlk_waiter *w, rlk_error *err)
{
	int64_t retry_ms = rlk_clock_earlier(w->request->retry_ms, asks_for_turn(w) ? RLK_WAIT_TURN_PAUSE_MS : INT32_MAX);
	int64_t pause_ms = retry_ms - retry_ms / 2 + rlk_random_spread((uint32_t)retry_ms + 1);

	return sleep_until(w, rlk_clock_now_ms() + pause_ms, err);
}

static rlk_outcome poll_once(rlk_waiter *w, rlk_error *err)
{
	rlk_outcome outcome;
	rlk_error local;

	rlk_error_clear(&local);
	rlk_conn_extend_limit(w->conn);
	outcome = rlk_lock_try(w->lock, w->conn, w->request, &local);
	if (outcome == RLK_UNKNOWN && local.code == RLK_ERR_TIMEOUT && rlk_clock_now_ms() >= w->request->deadline_at_ms) {
		w->ended = true;
		return RLK_NO;
	}
	rlk_error_adopt(err, &local);
	w->ended = w->ended || (outcome == RLK_UNKNOWN && !rlk_lock_may_heal(w->lock, w->conn, outcome, err));
	return outcome;
}

/* Extends the provisional ttl to the ttl. RLK_NO: too late, it is no longer ours. */
static rlk_outcome secure(rlk_waiter *w, rlk_error *err)
{
	rlk_lock *lock = w->lock;
	rlk_outcome outcome;
	int64_t waited_ms = rlk_clock_now_ms() - lock->acquired_at_ms;
	int min_replicas = lock->replicas.min;

	/* A ttl shorter than the provisional one was set whole, but may be nearly over. */
	if (lock->ttl_ms == w->request->ttl_ms && waited_ms < w->provisional_ms / 2 && rlk_lock_is_valid(lock))
		return RLK_YES;
	if (lock->ttl_ms < w->request->ttl_ms && waited_ms < w->provisional_ms / 2) {
		lock->extend_at_ms = lock->acquired_at_ms + w->provisional_ms / 2;
		lock->ttl_ms = w->request->ttl_ms;
		/* While most of the provisional ttl is left, the system may delay the sending, which is cheaper. */
		if (w->request->renewed || rlk_lock_extend_unread(lock, w->conn, waited_ms >= w->provisional_ms / 4))
			return RLK_YES;
	}
	/* The replicas are asked at the end of the wait, which releases the lock if they are too few. */
	lock->replicas.min = 0;
	outcome = rlk_lock_extend(lock, &(rlk_servers){ w->conn, NULL }, w->request->ttl_ms, err);
	lock->replicas.min = min_replicas;
	if (outcome == RLK_YES && rlk_lock_is_valid(lock))
		return RLK_YES;
	if (outcome == RLK_UNKNOWN || outcome == RLK_YES) {
		rlk_lock_leave_release(lock, w->conn, w->request->ttl_ms);
		outcome = RLK_UNKNOWN;
		rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the answer took longer than the ttl");
	}
	w->ended = outcome == RLK_UNKNOWN;
	w->must_wake = true;
	rlk_lock_forget(lock);
	return outcome;
}

rlk_outcome rlk_waiter_start_afresh(rlk_waiter *w, rlk_error *err)
{
	w->ended = !rlk_lock_begin_attempt(w->lock, w->request->hooks, err);
	return w->ended ? RLK_FAIL : RLK_NO;
}

/* A SET was not answered, and its server died: the one that took over may have the key. It is released there, before
 * anything else. RLK_NO: done, the lock is not ours. A release that had to be repeated may still run, and would release
 * a later SET of the same token: the next one has a fresh token. */
static rlk_outcome resolve_unsure(rlk_waiter *w, rlk_error *err)
{
	rlk_outcome outcome;

	outcome = rlk_lock_withdraw(w->lock, w->conn, err);
	if (outcome == RLK_YES || outcome == RLK_NO) {
		w->lock->unsure = false;
		return rlk_waiter_start_afresh(w, err);
	}
	w->ended = !err->retryable;
	if (outcome == RLK_UNKNOWN && err->code == RLK_ERR_TIMEOUT) {
		/* The release may still run, and must not run after a later SET of the same token. */
		rlk_lock_leave_release(w->lock, w->conn, w->provisional_ms);
		w->ended = true;
	}
	return RLK_UNKNOWN;
}

void rlk_waiter_poll(rlk_waiter *w)
{
	w->polls = true;
	w->polls_until_ms = rlk_clock_now_ms() + RLK_WAIT_REFUSED_MS;
}

static rlk_outcome wait_once(rlk_waiter *w, rlk_error *err)
{
	rlk_outcome outcome = w->lock->unsure ? resolve_unsure(w, err) : RLK_NO;

	if (outcome != RLK_NO)
		return outcome;
	w->polls = rlk_clock_now_ms() < w->polls_until_ms;
	if (!w->polls)
		outcome = rlk_wait_in_queue(w, err);
	if (outcome == RLK_NO && w->polls && !w->ended) {
		if (!pause_to_poll(w, err))
			return RLK_FAIL;
		if (!asks_for_turn(w))
			return poll_once(w, err);
		outcome = rlk_wait_for_turn(w, err);
	}
	return outcome == RLK_YES ? secure(w, err) : outcome;
}

/* The server is in trouble, but another one may take over soon: pauses. RLK_NO: go on. */
static rlk_outcome pause_for_failover(rlk_waiter *w, const rlk_error *why, rlk_error *err)
{
	w->trouble = *why;
	return sleep_until(w, rlk_clock_now_ms() + TROUBLE_PAUSE_MS + rlk_random_spread(TROUBLE_PAUSE_MS), err) ? RLK_NO :
																											  RLK_FAIL;
}

rlk_outcome rlk_wait(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err)
{
	rlk_waiter w = { .lock = lock, .conn = conn, .request = request };
	rlk_topology_user user;
	rlk_outcome outcome;

	w.provisional_ms =
		request->ttl_ms > 0 ? rlk_clock_earlier(request->ttl_ms, RLK_WAIT_PROVISIONAL_MS) : RLK_WAIT_PROVISIONAL_MS;
	rlk_wait_check_init(&w.check, lock);
	rlk_topology_add_user(conn->topology, &w.check.conn, &user);
	if (conn->refuses_blocking) {
		w.refusals = 1;
		rlk_waiter_poll(&w);
	}
	if (lock->waiters.len == 0 || lock->signal.len == 0)
		w.polls_until_ms = RLK_NEVER;
	do {
		rlk_error local;

		rlk_error_clear(&local);
		/* Nothing is outstanding here. A signal during the last request has not ended the wait. */
		if (request->hooks != NULL && request->hooks->pending(request->hooks->arg) &&
			rlk_waiter_handle_signals(&w, err)) {
			outcome = RLK_FAIL;
			break;
		}
		rlk_error_clear(&w.trouble);
		outcome = wait_once(&w, &local);
		if (outcome != RLK_YES && outcome != RLK_NO && !w.ended && rlk_lock_may_heal(lock, conn, outcome, &local))
			outcome = pause_for_failover(&w, &local, err);
		else
			rlk_error_adopt(err, &local);
	} while (outcome == RLK_NO && !w.ended && rlk_clock_now_ms() < request->deadline_at_ms);
	if (outcome == RLK_NO && w.trouble.code != RLK_ERR_NONE) {
		/* No server has answered who has the lock. */
		rlk_error_adopt(err, &w.trouble);
		outcome = RLK_FAIL;
	}
	if (outcome == RLK_FAIL && lock->unsure)
		outcome = RLK_UNKNOWN;
	/* A topology may free the server before the lock ends. */
	rlk_wait_check_end(&w.check, lock, outcome == RLK_YES && conn->topology == NULL);
	rlk_topology_remove_user(conn->topology, &user);
	if (outcome == RLK_YES) {
		lock->owes_turn = w.owes_turn;
		lock->acquired_at_ms = rlk_clock_now_ms(); /* the pair was written long before, perhaps */
		lock->waited_until_ms =
			rlk_clock_add(lock->acquired_at_ms, RLK_SCRIPT_WAITERS_MAX_MS); /* others may wait, too */
	} else if (!w.ended && w.must_wake && conn->fd != RLK_SOCKET_NONE)
		rlk_lock_post_release(lock, conn, false); /* wakes the next waiter */
	return outcome;
}

/* Could not connect, for this reason: tries again as long as another server may take over. */
static bool reach_again(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *why, rlk_error *err)
{
	rlk_waiter w = { .lock = lock, .conn = conn, .request = request };
	bool open = false;

	while (!open && rlk_lock_may_heal(lock, conn, RLK_FAIL, why) && pause_for_failover(&w, why, err) == RLK_NO &&
		rlk_clock_now_ms() < request->deadline_at_ms) {
		rlk_error_clear(why);
		open = rlk_conn_ready(conn, false, why);
	}
	return open;
}

bool rlk_wait_reach(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err)
{
	rlk_error local;
	int64_t limit_at_ms = conn->limit_at_ms;
	bool open;

	conn->limit_at_ms = request->deadline_at_ms;
	if (request->deadline_at_ms > 0)
		rlk_conn_extend_limit(conn);
	rlk_error_clear(&local);
	open = rlk_conn_ready(conn, false, &local) || reach_again(lock, conn, request, &local, err);
	conn->limit_at_ms = limit_at_ms;
	if (!open) /* keeps the error of an interruption */
		rlk_error_adopt(err, &local);
	return open;
}
