/*
 * crowd: many waiters for one lock, as a program that bench/lib/Crowd.php talks to. See crowd.c.
 *
 * What a waiter is made of comes from one of crowd_floor.c and crowd_core.c, whichever is linked.
 */
#ifndef CROWD_H
#define CROWD_H

typedef struct {
	const char *host; /* address, or path of a socket */
	int port;         /* 0: host is a path */
	const char *name; /* of the lock; every helper key begins with it */
	int number;       /* of the waiter; -1: the leader, who holds the lock while the others gather */
} crowd_place;

/* A connection of its own, its scripts known to the server. Like all of these: ends the program when it fails, since
 * the speed of a failing lock is of no interest. */
void *crowd_open(const crowd_place *place);

/* Waits for the lock for as long as it takes. */
void crowd_acquire(void *waiter);
void crowd_release(void *waiter);

/* Says what went wrong and ends the program. */
_Noreturn void crowd_fail(const char *what);

#endif
