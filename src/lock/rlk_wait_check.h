/*
 * rlk_wait_check: a waiter checks the lock over a second connection, while the first one blocks.
 *
 * A release wakes the waiter at the head of the queue. If that one has vanished or is frozen, the lock is free again when
 * its provisional ttl is over, and nobody is told; nor of a holder that died, or of a key deleted by hand. So waiters check
 * with check.lua: for the first time after a second, or when the key is to expire before that, then whenever the last check
 * said. A check that finds the lock free wakes the head of the queue. Nobody loses a place by checking.
 *
 * Every waiter checks, so none depends on another. Up to 250 of them check once a second; of a crowd each one checks less
 * often, over a new connection each time.
 *
 * The first check opens the second connection, so short waits have none. Nothing ever waits for it: what fails is tried
 * again later, and later still. rlk_wait reads what checks find, and in `failures` whether they are possible.
 */
#ifndef RLK_WAIT_CHECK_H
#define RLK_WAIT_CHECK_H

#include "lock/rlk_lock.h"
#include "net/rlk_socket.h"

/* If the next check is due within this time, the connection stays open. */
#define RLK_WAIT_CHECK_KEPT_MS 2000

/* A server that answers nothing for this long is given up. */
#define RLK_WAIT_CHECK_SILENCE_MS 5000

typedef enum {
	RLK_WAIT_FINDS_NOTHING,
	RLK_WAIT_FINDS_SILENCE, /* the server has answered nothing for RLK_WAIT_CHECK_SILENCE_MS */
	RLK_WAIT_FINDS_MOVED,   /* another server has the key: this one wakes nobody */
	RLK_WAIT_FINDS_DEAD_CONN /* the lock is free or ours, but the connection that blocks has not told: that connection is dead */
} rlk_wait_finding;

typedef struct {
	rlk_conn conn;
	rlk_addresses address; /* the waiter's own */
	bool connecting;
	bool outstanding; /* a check was sent, or is about to be, and has no answer yet */
	int failures;     /* in a row; 0: checks are possible, as far as is known */
	int unreported; /* checks in a row that found the lock free or ours, which the other connection should have told */
	int64_t at_ms;  /* when to call rlk_wait_check_advance() at the latest; RLK_NEVER: not by the clock */
	int64_t blocks_until_ms;
	int64_t heard_at_ms;    /* when the server last answered, even with a refusal */
	rlk_wait_finding found; /* the reason to end the present wait */
} rlk_wait_check;

/* Prepares the checks; nothing is opened, and nothing is due. `conn` is that of the waiter, which knows whether checks
 * failed in its last wait. */
void rlk_wait_check_init(rlk_wait_check *check, const rlk_conn *conn);

/* Called when the connection of the waiter is open, perhaps to another server than before: replies that are outstanding
 * elsewhere say nothing about this one. */
void rlk_wait_check_follow(rlk_wait_check *check, const rlk_conn *conn);

/* Called when the waiter begins to block, until then at most. The first check is due in first_ms; 0: none is needed. */
void rlk_wait_check_begin(rlk_wait_check *check, const rlk_conn *conn, int64_t first_ms, int64_t blocks_until_ms);

/* The events to poll for beside check->at_ms. */
rlk_socket_watched rlk_wait_check_watched(const rlk_wait_check *check);

/* Connects, sends and reads as far as possible without waiting. `conn` is the connection that blocks. */
void rlk_wait_check_advance(rlk_wait_check *check, const rlk_lock *lock, const rlk_conn *conn);

/* Returns a connection beside the one that blocks: that of the checks, or one that opens within a moment. NULL: there
 * is none. A request posted there is the last: rlk_wait_check_end() follows. */
rlk_conn *rlk_wait_check_conn(rlk_wait_check *check, const rlk_conn *conn);

/* Ends the checks. */
void rlk_wait_check_end(rlk_wait_check *check, rlk_conn *conn);

#endif
