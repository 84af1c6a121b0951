/*
 * checks: what the checks know of each lock.
 */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "client.h"

typedef struct {
	rlk_str token;         /* at the first server */
	int64_t free_since_us; /* -1: it is not */
	bool expired, forced;
	bool untold;  /* somebody may have been woken in vain, or not: died, was cut off, or wakes nobody */
	bool rested;  /* what expired was put at rest by a release */
	bool left;    /* a waiter's time was up since the token is there */
	bool by_turn; /* who has it was woken for it, and nobody else had it meanwhile */
	int64_t taken_us, taken_before_us; /* the last two times that it was free and somebody took it */
	int64_t freed_us;                  /* the last time */
	int64_t woken_in_vain_us;          /* a release without the lock has woken somebody */
	int64_t fence;
	int members;           /* of a set, whose time is not over */
	int64_t left_us;       /* of a set: when one of its holders left, the last time */
	rlk_str turn;          /* of a set: who is at the turnstile, */
	int64_t turn_since_us; /* and since when */
	bool room, room_told;  /* of a set: there is room for those who wait, and it came by somebody's leaving */
	int64_t room_since_us; /* of a set: since then each of those who wait would fit, and nobody has come in */
} sim_lock_state;

extern sim_lock_state sim_locks[SIM_NAMES];

/* Several may have it at a time, or share it beside a writer. */
static inline bool sim_lock_is_set(const sim_lock_state *lock)
{
	return lock == &sim_locks[0] && world.kind.id != RLK_PLAIN;
}

/* NULL: the key is none. */
static inline sim_lock_state *sim_lock_of(rlk_str key)
{
	if (key.len != 5 || memcmp(key.data, "name", 4) != 0)
		return NULL;
	return &sim_locks[key.data[4] - '0'];
}

/* --- queues.c: how long who waits does ------------------------------------------------------------ */

void sim_check_queue(int name);

/* --- losses.c: what replicas have ----------------------------------------------------------------- */

/* Whoever is to have so many replicas has the lock no longer than those. */
void sim_check_replicas(const sim_hold *hold);
/* Replicas that are enough, and quick. */
bool sim_has_replicas(const sim_hold *hold);

#endif
