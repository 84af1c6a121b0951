/*
 * rlk_wait: waiting for a lock until its release wakes us.
 *
 * The server keeps the queue: waiters block in BLPOP on the lock's signal list, and a release pushes one wake token, which
 * wakes the one that has waited longest. docs/internals/protocol.md describes the steps, docs/internals/model proves them.
 *
 * 1. join.lua tries once more, and else sets the waiters key: somebody waits.
 * 2. BLPOP and, behind it in the same write, SET NX: between being woken and having the lock there is no round trip.
 *    Validity starts when the two are written.
 * 3. That SET has the provisional ttl only, since the waiter may be gone by then. One that got the lock in time sends the
 *    extension and does not wait for its answer.
 * 4. A waiter keeps its place: it blocks for up to a minute, and meanwhile checks the lock over a second connection
 *    (rlk_wait_check.h).
 *
 * Who waits for a set of holders, or to be its writer, may be woken and not fit. So it acquires the turnstile first, a lock of
 * its own with a queue of its own, and lines up as the only one who has it. docs/internals/model/README.md: many holders.
 *
 * A server that refuses blocking commands is polled, and asked again after RLK_WAIT_REFUSED_MS. Beside a queue that never ends,
 * such a waiter never finds the lock free.
 */
#ifndef RLK_WAIT_H
#define RLK_WAIT_H

#include "lock/rlk_lock_own.h"
#include "lock/rlk_wait_check.h"

/* What each vanished waiter costs the others at most: long enough for an extension over a slow network, short enough to
 * go unnoticed beside minutes of work. */
#define RLK_WAIT_PROVISIONAL_MS 2000

/* How long a waiter blocks at most. One that blocks again is last in the queue, so the order is kept for this long. The
 * waiters key lives a second longer: RLK_SCRIPT_WAITERS_MAX_MS. */
#define RLK_WAIT_LONGEST_MS 60000

/* The same for a waiter that cannot check the lock, and so recovers from a lost wake-up. Up to 5 % more, at random. */
#define RLK_WAIT_SLICE_MS 5000

/* A server that refused to block is polled for so long before it is asked again. */
#define RLK_WAIT_REFUSED_MS 5000

/* Redis checks its timers this often by default (hz 10): for a shorter pause BLPOP is of no use. */
#define RLK_WAIT_TICK_MS 100

/* Tries until acquired or until terms->deadline, which is ahead. Results as of rlk_lock_acquire(). When it
 * returns RLK_YES with lock->extension.due_at_ms > 0, the key has the provisional ttl only until its extension. That was sent, or,
 * with terms->renewed, is left to the renewal child. */
rlk_outcome rlk_wait(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_error *err);

/* For a caller that needs the connection before rlk_lock_acquire(): opens it within the time of its terms, which is a
 * moment at least. Tries again while another server may take over, as rlk_wait() does. */
bool rlk_wait_reach(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_error *err);

/* --- for rlk_wait.c and rlk_wait_queue.c only ------------------------------------------------------ */

/* What a waiter does next. Between two cycles, at JOINING, nothing is outstanding.
 *
 *     JOINING  -> BLOCKED  lined up: the pair is written
 *              -> SECURING the key was free
 *              -> POLLING  the server does not block for us, or the holder wakes nobody
 *              -> TURNSTILE  may not fit when woken, or others are there already
 *     TURNSTILE -> JOINING  has acquired it
 *     BLOCKED  -> WOKEN    BLPOP was answered, by a wake token, nil or an error
 *     WOKEN    -> SECURING SET was OK
 *              -> JOINING, POLLING  nil
 *     POLLING  -> JOINING  not free
 *     SECURING -> JOINING  too late: the provisional ttl ran out
 *     any      -> HEALING  the server is in trouble, and another one may take over: pauses, then JOINING
 *     any      -> LEAVING  the wait is over */
typedef enum {
	RLK_WAITER_JOINING,
	RLK_WAITER_BLOCKED,
	RLK_WAITER_WOKEN,
	RLK_WAITER_SECURING,
	RLK_WAITER_POLLING,
	RLK_WAITER_TURNSTILE,
	RLK_WAITER_HEALING,
	RLK_WAITER_LEAVING
} rlk_waiter_state;

/* What a waiter owes the others on leaving. */
typedef enum {
	RLK_OWES_WAKE_UP, /* nothing is outstanding. A waiter that was woken in vain wakes the next one (rules 5, 13) */
	RLK_OWES_RELEASE, /* requests that may get the lock are outstanding: their release goes behind them (rule 8) */
	RLK_OWES_LAST_RELEASE, /* likewise, and the server is silent: the connection is given up */
	RLK_OWES_NOTHING       /* what may have got the lock has its release already */
} rlk_waiter_debt;

typedef struct {
	rlk_lock *lock;
	rlk_conn *conn;
	const rlk_lock_terms *terms;
	rlk_wait_check check; /* of the lock, while the connection blocks */
	long owner_pid;       /* a handler of signals may fork */
	int64_t provisional_ms;
	int64_t polls_until_ms;    /* the server refused to block: it is asked again then */
	int closed_at_once;        /* in a row: the server closed the connection as soon as it was asked to block */
	int64_t late_at_ms;        /* BLOCKED, WOKEN: the server has answered by then */
	rlk_waiter_state after_no; /* WOKEN: where nil leads */
	bool woken;                /* by a wake token, or has let the key run out: others wait for the next one */
	rlk_error err;             /* of this cycle */
	rlk_error trouble;         /* why the last cycle failed, unless a server answered it */
	rlk_outcome outcome;       /* HEALING: why; LEAVING: the result */
	rlk_waiter_debt owes;      /* LEAVING */
	int64_t owed_ttl_ms;       /* OWES_LAST_RELEASE: of the key that the server may still set */
} rlk_waiter;

/* Runs the host's signal handlers, which may use the connection, or fork. true: stop waiting, *err says why. */
bool rlk_waiter_handle_signals(rlk_waiter *w, rlk_error *err);

/* The wait is over, with this result. */
static inline rlk_waiter_state rlk_waiter_leave(rlk_waiter *w, rlk_outcome outcome, rlk_waiter_debt owes)
{
	w->outcome = outcome;
	w->owes = owes;
	return RLK_WAITER_LEAVING;
}

/* The caller's time is over, which is no trouble. */
static inline rlk_waiter_state rlk_waiter_leave_with_no(rlk_waiter *w, rlk_waiter_debt owes)
{
	rlk_error_clear(&w->err);
	return rlk_waiter_leave(w, RLK_NO, owes);
}

/* Has the last request no answer since the caller's time is over, and not the server's? */
static inline bool rlk_waiter_was_cut(const rlk_waiter *w, rlk_outcome outcome)
{
	return outcome == RLK_UNKNOWN && w->err.code == RLK_ERR_TIMEOUT &&
		rlk_clock_now_ms() < rlk_conn_answers_until(w->conn, RLK_DEADLINE_NONE).at_ms;
}

/* Nothing is outstanding, and the cycle has failed for the reason in w->err: may another server take over? */
static inline rlk_waiter_state rlk_waiter_fail(rlk_waiter *w, rlk_outcome outcome)
{
	if (!rlk_lock_may_heal(w->lock, w->conn, outcome, &w->err))
		return rlk_waiter_leave(w, outcome, RLK_OWES_WAKE_UP);
	w->outcome = outcome;
	return RLK_WAITER_HEALING;
}

/* Goes on with a fresh token, since a SET or a release of the last one may still run. */
static inline rlk_waiter_state rlk_waiter_start_afresh(rlk_waiter *w, rlk_waiter_state next)
{
	return rlk_lock_begin_attempt(w->lock, w->terms->hooks, &w->err) ? next :
																	   rlk_waiter_leave(w, RLK_FAIL, RLK_OWES_NOTHING);
}

/* JOINING: tries, lines up, and writes the pair. */
rlk_waiter_state rlk_waiter_join(rlk_waiter *w);

/* BLOCKED, WOKEN: waits for the reply to BLPOP; for that to SET. */
rlk_waiter_state rlk_waiter_block(rlk_waiter *w);
rlk_waiter_state rlk_waiter_take(rlk_waiter *w);

#endif
