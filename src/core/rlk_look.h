/*
 * rlk_look: who waits for long looks after the lock himself, from beside the connection that waits.
 *
 * A release wakes the waiter at the head of the queue. If that one has vanished or is frozen, the lock is his until his
 * claim runs out, and nobody is told of that: the others would sleep until their slice is over. So each of them asks
 * for the key's time to live once a second, and again just when a claim has ended. If the key is gone the next in
 * the queue is woken, in order, which is harmless when somebody was faster.
 *
 * A crowd need not look as one man: join.lua tells who shall, all of up to 250 and few more of any number. To be among
 * them holds for 5 s, the next waits included, since who comes again and again is still only one.
 *
 * Needs a second connection, since the first one blocks. It is opened by the first look, which short waits never take,
 * and nothing ever waits for it: what does not work is tried again later, and later still.
 */
#ifndef RLK_LOOK_H
#define RLK_LOOK_H

#include "core/rlk_lock.h"
#include "wire/rlk_opening.h"
#include "wire/rlk_socket.h"

/* Pause between two looks, with up to a tenth more. */
#define RLK_LOOK_EVERY_MS 1000

/* How long it holds to be among those who look, from when join.lua said so, which counts on it. The wait under way is
 * looked through to its end. */
#define RLK_LOOK_RIGHT_MS 5000

typedef struct {
	rlk_conn conn;
	rlk_opening opening;
	bool connecting;
	unsigned introducing; /* answers to what a connection says first that are still to come */
	bool asked;           /* a question is on its way, or its answer has not come */
	bool waking;          /* that is no question: it wakes the next waiter */
	bool idle;            /* others look */
	int failures;         /* in a row */
	int64_t at_ms;        /* when to call rlk_look_advance() at the latest; RLK_NEVER: not by the clock */
} rlk_look;

/* Nothing is opened, and nothing due. */
void rlk_look_init(rlk_look *look);

/* Somebody begins to block: the first look is due in a second, if he is among those who look. */
void rlk_look_begin(rlk_look *look, bool looks);

/* What to wait for beside look->at_ms. */
rlk_socket_beside rlk_look_waits_for(const rlk_look *look);

/* Does, without waiting, what can be done. `conn` is the connection that blocks. */
void rlk_look_advance(rlk_look *look, const rlk_lock *lock, const rlk_conn *conn);

/* No more looks, and the lock is ours or not. A connection is left with the lock if it is: closing it would cost more
 * than all the rest of getting the lock. */
void rlk_look_end(rlk_look *look, rlk_lock *lock, bool ours);

/* Lets go of what the last wait has left. */
void rlk_look_let_go(rlk_lock *lock);

#endif
