/*
 * rlk_wait: waiting for a lock until its release wakes us.
 *
 * The server keeps the queue: waiters block in BLPOP on the lock's signal list, and a release pushes one wake token, which
 * wakes the one that has waited longest. docs/reference/protocol.md describes the steps, docs/internals/model proves them.
 *
 * 1. join.lua tries once more, and else sets the waiters key: somebody waits.
 * 2. BLPOP and, behind it in the same write, SET NX: between being woken and having the lock there is no round trip.
 *    Validity starts when the two are written.
 * 3. That SET has the provisional ttl only, since the waiter may be gone by then. One that got the lock in time sends the
 *    extension and does not wait for its answer.
 * 4. A waiter keeps its place: it blocks for up to a minute, and meanwhile checks the lock over a second connection
 *    (rlk_wait_check.h).
 *
 * A server that refuses blocking commands is polled, and asked again after RLK_WAIT_REFUSED_MS. If it refuses then, too, the
 * waiter asks for a turn, since who polls beside a queue never finds the lock free: the next one that is woken leaves the lock
 * to a token that only such waiters take.
 */
#ifndef RLK_WAIT_H
#define RLK_WAIT_H

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

/* The mean pause of those who ask for a turn, at most; the lock is idle for so long. */
#define RLK_WAIT_TURN_PAUSE_MS 200

/* Redis checks its timers this often by default (hz 10): for a shorter pause BLPOP is of no use. */
#define RLK_WAIT_TICK_MS 100

/* Tries until acquired or until request->deadline_at_ms, which is ahead. Results as of rlk_lock_acquire(). When it
 * returns RLK_YES with lock->extend_at_ms > 0, the key has the provisional ttl only until its extension. That was sent, or,
 * with request->renewed, is left to the renewal child. */
rlk_outcome rlk_wait(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err);

/* For a caller that needs the connection before rlk_lock_acquire(): opens it within the request's time to wait, which is a
 * moment at least. Tries again while another server may take over, as rlk_wait() does. */
bool rlk_wait_reach(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err);

/* --- for rlk_wait.c and rlk_wait_queue.c only ------------------------------------------------------ */

typedef struct {
	rlk_lock *lock;
	rlk_conn *conn;
	const rlk_lock_request *request;
	rlk_wait_check check; /* of the lock, while the connection blocks */
	int64_t provisional_ms;
	bool polls;             /* this round does not block: the server refused, or the holder wakes nobody */
	int64_t polls_until_ms; /* as the server refused: it is asked to block again then */
	int refusals;           /* to block, in this wait */
	bool owes_turn;         /* was woken, and told that somebody asks for a turn */
	int closed_at_once;     /* in a row: the server closed the connection as soon as it was asked to block */
	bool must_wake;         /* was woken, or its provisional ttl ran out: wakes the next one on leaving (rules 5, 13) */
	rlk_error trouble;      /* why the last attempt failed, unless a server answered it */
	bool ended;             /* whatever is outstanding has its release: only return */
} rlk_waiter;

/* Runs the host's signal handlers, which may use the connection, or fork. true: stop waiting, *err says why. */
bool rlk_waiter_handle_signals(rlk_waiter *w, rlk_error *err);

/* Goes on with a fresh token, since a SET or a release of the last one may still run. RLK_FAIL: it cannot. */
rlk_outcome rlk_waiter_start_afresh(rlk_waiter *w, rlk_error *err);

/* The server does not block for us: polls for RLK_WAIT_REFUSED_MS. */
void rlk_waiter_poll(rlk_waiter *w);

/* Joins the queue, and blocks until woken, or for a while. RLK_YES: ours, for the provisional ttl. RLK_NO and w->polls: it did
 * not block. */
rlk_outcome rlk_wait_in_queue(rlk_waiter *w, rlk_error *err);

/* For one that polls: tries, and asks for a turn. RLK_YES: ours, for the provisional ttl. */
rlk_outcome rlk_wait_for_turn(rlk_waiter *w, rlk_error *err);

#endif
