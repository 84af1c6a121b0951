/*
 * rlk_wait_own: a waiter, for rlk_wait.c and rlk_wait_turn.c.
 */
#ifndef RLK_WAIT_OWN_H
#define RLK_WAIT_OWN_H

#include "lock/rlk_look.h"
#include "lock/rlk_wait.h"

typedef struct {
	rlk_lock *lock;
	rlk_conn *conn;
	const rlk_lock_request *request;
	rlk_look look; /* at the lock, while the connection blocks */
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
rlk_outcome rlk_wait_turn(rlk_waiter *w, bool *poll, rlk_error *err);

#endif
