/*
 * redislock_stats: counts what happens to the locks of this process, and keeps events for an observer.
 *
 * An operation keeps its events while it is under way. The observer is called
 * later, where any PHP code may run.
 */
#ifndef REDISLOCK_STATS_H
#define REDISLOCK_STATS_H

#include "php/redislock_hold.h"

#include <stdatomic.h>

/* What is counted for each server. */
typedef enum {
	REDISLOCK_ACQUIRED,
	REDISLOCK_REFUSED,
	REDISLOCK_LOST,
	REDISLOCK_RELEASED,
	REDISLOCK_RELEASED_LATE,
	REDISLOCK_RENEWED,
	REDISLOCK_RENEWAL_FAILURES,
	REDISLOCK_RECONNECTS,
	REDISLOCK_STALE,
	REDISLOCK_WAITED, /* waits, their ms together, and how many of them are in each bucket */
	REDISLOCK_WAITED_MS,
	REDISLOCK_WAITS,
	REDISLOCK_COUNTERS = REDISLOCK_WAITS + 11
} redislock_counter;

/* A longer name is cut off. */
#define REDISLOCK_SERVERS_NAME_MAX 1024

/* The counters of one server, or of what the configuration names instead: a service, a Cluster, a quorum. */
struct redislock_counters {
	char server[REDISLOCK_SERVERS_NAME_MAX];
	_Atomic uint64_t counted[REDISLOCK_COUNTERS];
};

static inline void redislock_count(redislock_counters *counters, redislock_counter counter, uint64_t more)
{
	atomic_fetch_add_explicit(&counters->counted[counter], more, memory_order_relaxed);
}

typedef enum {
	REDISLOCK_EVENT_ACQUIRED,
	REDISLOCK_EVENT_REFUSED,
	REDISLOCK_EVENT_WAITED,
	REDISLOCK_EVENT_LOST,
	REDISLOCK_EVENT_RELEASED
} redislock_event;

/* Counts the loss of a lock, and keeps the event. */
void redislock_stats_note_lost(const redislock_hold *hold);

/* Adds the renewals that the child has counted for this hold, if it has a slot. */
void redislock_stats_fetch_renewals(const rlk_hold *life);

/* Keeps an event for the observer, if there is one. Allocates with malloc, and may be called anywhere. */
void redislock_stats_keep_event(const redislock_hold *hold, redislock_event event, int64_t wait_ms);

static inline void redislock_stats_tell(const redislock_hold *hold, redislock_event event, int64_t wait_ms)
{
	if (UNEXPECTED(RLG(observed)))
		redislock_stats_keep_event(hold, event, wait_ms);
}

/* Counts an acquisition that did not end with its first try. Returns for how long it waited. */
int64_t redislock_stats_note_wait(const redislock_hold *hold);

/* An acquisition has ended with RLK_YES or RLK_NO. */
static inline void redislock_stats_note_attempt(const redislock_hold *hold, rlk_outcome outcome)
{
	redislock_counters *counters = hold->client->counters;
	int64_t wait_ms = hold->life.lock.waits_since_ms > 0 ? redislock_stats_note_wait(hold) : 0;

	redislock_count(counters, outcome == RLK_YES ? REDISLOCK_ACQUIRED : REDISLOCK_REFUSED, 1);
	redislock_stats_tell(hold, outcome == RLK_YES ? REDISLOCK_EVENT_ACQUIRED : REDISLOCK_EVENT_REFUSED, wait_ms);
}

/* Ends a lock, and counts the release if the outcome is RLK_YES. */
static zend_always_inline rlk_outcome redislock_stats_end(redislock_hold *hold, rlk_ending ending, rlk_error *err)
{
	rlk_hold *life = &hold->life;
	bool was_held = life->state == RLK_HOLD_HELD; /* not only restored */
	int64_t valid_until_ms =
		UNEXPECTED(life->slot != RLK_SLOT_NONE) ? rlk_hold_valid_until(life) : life->lock.valid_until_ms;
	rlk_outcome outcome = rlk_hold_end(life, ending, err);

	if (UNEXPECTED(outcome != RLK_YES))
		return outcome;
	redislock_count(hold->client->counters, REDISLOCK_RELEASED, 1);
	if (UNEXPECTED(rlk_lock_asked_at_ms(&life->at->servers) + 1 >= valid_until_ms && was_held))
		redislock_count(hold->client->counters, REDISLOCK_RELEASED_LATE, 1);
	redislock_stats_tell(hold, REDISLOCK_EVENT_RELEASED, -1);
	return outcome;
}

/* Drops the observer at the end of a request, and the events not delivered to it. */
void redislock_stats_forget_observer(void);

void redislock_stats_drop_events(void);

/* Called in a forked copy, which counts from zero. */
void redislock_stats_after_fork(void);

#endif
