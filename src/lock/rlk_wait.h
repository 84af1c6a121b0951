/*
 * rlk_wait: waiting for a lock until its release wakes us.
 *
 * The server keeps the queue: waiters block in BLPOP on the lock's signal list,
 * and a release pushes one wake token, which wakes the one that has waited longest.
 * docs/reference/protocol.md describes the steps, docs/internals/model proves them.
 *
 * 1. join.lua tries once more and else sets the waiters key: somebody waits.
 * 2. BLPOP and, behind it in the same write, SET NX: being woken and taking the
 *    lock need no round trip of ours. Validity starts when that is written.
 * 3. Such a SET has a short ttl only, the provisional ttl, since we may be gone by then.
 *    Whoever got the lock in time extends it in passing.
 * 4. A waiter keeps its place: it blocks for up to a minute, and meanwhile looks
 *    after the lock over a second connection, see rlk_wait_check.h.
 *
 * Where the server does not block for us, it is polled.
 */
#ifndef RLK_WAIT_H
#define RLK_WAIT_H

#include "lock/rlk_wait_check.h"

/* What a waiter that vanished costs the others at most, each: long enough for a slow network and an extension on the
 * way, short enough not to be noticed among minutes of work. */
#define RLK_WAIT_PROVISIONAL_MS 2000

/* How long a waiter blocks at most. Whoever blocks anew stands at the end of the queue, so up to here the order is kept.
 * With the second the waiters key lives longer it makes RLK_SCRIPT_WAITERS_MAX_MS. */
#define RLK_WAIT_LONGEST_MS 60000

/* The same for who cannot look after the lock: the bound of a wake-up that was lost. Up to a twentieth more by chance. */
#define RLK_WAIT_SLICE_MS 5000

/* Redis looks at its timers this often unless configured otherwise (hz 10): a shorter pause is ours to keep. */
#define RLK_WAIT_TICK_MS 100

/* Tries until acquired or until request->deadline_at_ms, which is ahead. Results as of rlk_lock_acquire(). When it
 * returns RLK_YES with lock->extend_at_ms > 0, the key has the provisional ttl only until its extension. That is under way, or,
 * with request->renewed, left to the renewal child. */
rlk_outcome rlk_wait(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err);

/* Before rlk_lock_acquire(), for who needs the connection first: opens it within the request's time to wait, or
 * the moment that this has at least. Trouble that may be over soon is sat out as it is there. */
bool rlk_wait_reach(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err);

/* --- for rlk_wait.c and rlk_wait_queue.c only ------------------------------------------------------ */

typedef struct {
	rlk_lock *lock;
	rlk_conn *conn;
	const rlk_lock_request *request;
	rlk_wait_check look; /* at the lock, while the connection blocks */
	int64_t provisional_ms;
	bool polls; /* nothing blocks for us: look again and again for the rest of this wait */
	bool owes;  /* had the wake token, or the lock for a provisional ttl that ran out: passes it on (rules 5, 13) */
	rlk_error trouble; /* why the last round came to nothing, unless a server answered it */
	bool ended;        /* what is under way is provided for: there is nothing left to do but return */
} rlk_waiter;

/* Runs the host's handlers, which may use our connection, or fork. true: stop waiting, *err says why. */
bool rlk_waiter_handle_signals(rlk_waiter *w, rlk_error *err);

/* One turn where the server blocks for us: joins those who wait, and blocks until woken, or for a while. RLK_YES: ours, for
 * the provisional ttl. *poll: no release will wake us soon, and looking is cheaper than blocking. */
rlk_outcome rlk_wait_in_queue(rlk_waiter *w, bool *poll, rlk_error *err);

#endif
