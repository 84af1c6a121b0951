/*
 * rlk_wait_check: a waiter looks after the lock itself, from beside the connection that waits.
 *
 * A release wakes the waiter at the head of the queue. If that one has vanished
 * or is frozen, the lock is its own until its provisional ttl runs out, and nobody is told
 * of that; nor of a holder that died, or of a key deleted by hand. So waiters
 * look: the first time after a second, or when the key is to expire before that,
 * then whenever the last look said. If the lock is free, a look wakes the head of
 * the queue, in order; nobody gives up a place for a look. look.lua does it all.
 *
 * Every waiter looks, so that it matters to nobody which others do, or are still
 * there. Up to 250 of them look once a second; of a crowd each one looks less
 * often, since the lock has no need of more, and for each look anew over a
 * connection of its own.
 *
 * The second connection is opened by the first look, which short waits never take,
 * and nothing ever waits for it: what does not work is tried again later, and
 * later still. What the looks cannot do is told to rlk_wait, see `failures`.
 */
#ifndef RLK_WAIT_CHECK_H
#define RLK_WAIT_CHECK_H

#include "lock/rlk_lock.h"
#include "net/rlk_socket.h"

/* Who looks again within this keeps the connection meanwhile. */
#define RLK_WAIT_CHECK_KEPT_MS 2000

/* A server that answers nothing for so long is given up. */
#define RLK_WAIT_CHECK_SILENCE_MS 5000

typedef enum {
	RLK_WAIT_FINDS_NOTHING,
	RLK_WAIT_FINDS_SILENCE, /* for RLK_WAIT_CHECK_SILENCE_MS and longer the server has answered nothing that was asked of it */
	RLK_WAIT_FINDS_ELSEWHERE, /* another server has the key, so that nobody is woken by this one */
	RLK_WAIT_FINDS_UNTOLD /* the lock is free, or ours, and the connection that blocks has not said so: it leads nowhere */
} rlk_wait_finding;

typedef struct {
	rlk_conn conn;
	rlk_addresses address; /* the waiter's own */
	bool connecting;
	bool asked;    /* a look is on its way, or its answer has not come */
	int failures;  /* in a row; 0: as far as is known a look is possible */
	int untold;    /* looks in a row that found what the connection that blocks should have told us */
	int64_t at_ms; /* when to call rlk_wait_check_advance() at the latest; RLK_NEVER: not by the clock */
	int64_t blocks_until_ms;
	int64_t heard_at_ms;    /* when the server last gave a sign of life */
	rlk_wait_finding found; /* that ends the wait under way */
} rlk_wait_check;

/* Nothing is opened, and nothing due. The lock knows whether looks failed in the last wait. */
void rlk_wait_check_init(rlk_wait_check *look, const rlk_lock *lock);

/* We have begun to block, until then at most. The first look is due in so many ms; 0: there is no need of any. */
void rlk_wait_check_begin(rlk_wait_check *look, int64_t first_ms, int64_t blocks_until_ms);

/* What to wait for beside look->at_ms. */
rlk_socket_watched rlk_wait_check_watched(const rlk_wait_check *look);

/* Does, without waiting, what can be done. `conn` is the connection that blocks. */
void rlk_wait_check_advance(rlk_wait_check *look, const rlk_lock *lock, const rlk_conn *conn);

/* No more looks. `leave`: a connection is left with the lock, which has just become ours: closing it would cost more than
 * all the rest of getting the lock. */
void rlk_wait_check_end(rlk_wait_check *look, rlk_lock *lock, bool leave);

#endif
