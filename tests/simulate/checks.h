/*
 * checks: the state of each lock that the checks keep.
 */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "client.h"

typedef struct {
	rlk_str token;         /* at the first server */
	int64_t free_since_us; /* -1: it is not free */
	bool expired, forced;
	bool untold;  /* a waiter may have been woken in vain, or not at all: a holder died, was cut off, or wakes nobody */
	bool rested;  /* the key that expired was put at rest by a release */
	bool left;    /* a waiter has ended its wait since the token is there */
	bool by_turn; /* the holder was woken for this lock, and nobody had it in between */
	int64_t taken_us, taken_before_us; /* the last two times that somebody took the free lock */
	int64_t freed_us;                  /* the last time that it became free */
	int64_t woken_in_vain_us;          /* a release without the lock has woken somebody */
	int64_t fence;
	int members;           /* of a set, whose time is not over */
	int64_t left_us;       /* of a set: when a holder left last */
	rlk_str turn;          /* of a set: who is at the turnstile, */
	int64_t turn_since_us; /* and since when */
	bool room, room_told;  /* of a set: there is room for those who wait, because a holder left */
	int64_t room_since_us; /* of a set: since then each waiter would fit, and nobody has come in */
} sim_lock_state;

extern sim_lock_state sim_locks[SIM_NAMES];

/* Is it a lock that several may hold, or share beside a writer? */
static inline bool sim_lock_is_set(const sim_lock_state *lock)
{
	return lock == &sim_locks[0] && world.kind.id != RLK_PLAIN;
}

/* The state of the lock with this key; NULL: it is no lock. */
static inline sim_lock_state *sim_lock_of(rlk_str key)
{
	if (key.len != 5 || memcmp(key.data, "name", 4) != 0)
		return NULL;
	return &sim_locks[key.data[4] - '0'];
}

/* --- queues.c: how long who waits does ------------------------------------------------------------ */

void sim_check_queue(int name);

/* --- losses.c: what replicas have ----------------------------------------------------------------- */

/* Checks that a lock with min_replicas is not valid for longer than so many replicas have it. */
void sim_check_replicas(const sim_hold *hold);
/* Are there enough replicas, and are they quick? */
bool sim_has_replicas(const sim_hold *hold);

#endif
