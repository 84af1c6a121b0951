/*
 * redislock_hold: what PHP adds to a hold (hold/rlk_hold.h), and the calls that rlk_hold makes to its host.
 *
 * Objects refer to holds through records (redislock_object.h). The records of
 * a reentrant lock share one hold.
 */
#ifndef REDISLOCK_HOLD_H
#define REDISLOCK_HOLD_H

#include "php/redislock_client.h"
#include "php/redislock_owner.h"

struct redislock_hold {
	rlk_hold life;    /* first, see redislock_hold_of() */
	uint32_t entries; /* how often it was entered; 1 unless reentrant */
	redislock_client *client;
	zend_string *name;        /* persistent, without prefix */
	long copy_pid;            /* the last process that pcntl_fork() made since the lock was acquired; 0: none */
	redislock_owner owner;    /* fiber or coroutine that acquired it */
	int put_off;              /* how often telling the loss was put off, because nothing may be thrown there */
	uint32_t untold_since_ms; /* lower half of the clock: main holds it and waits for a fiber; 0: it does not */
	bool fence;               /* as configured for this acquisition */
	rlk_on_lost on_lost;      /* likewise */
};

/* NULL for NULL. */
static inline redislock_hold *redislock_hold_of(rlk_hold *life)
{
	return (redislock_hold *)life;
}

/* Each hold in the list of those of this thread, newest first. */
#define REDISLOCK_EACH_HELD(hold) \
	for (redislock_hold *hold = redislock_hold_of(RLG(host).held); hold != NULL; \
		 hold = redislock_hold_of(hold->life.next))

/* An idle hold with one reference. NULL: exception thrown. */
redislock_hold *redislock_hold_new(redislock_client *client, const char *name, size_t name_len);
void redislock_hold_destroy(redislock_hold *hold);

/* Called before the lock is acquired: copies the options into the hold. */
static inline void redislock_hold_take_options(redislock_hold *hold, const rlk_config *config)
{
	rlk_hold *life = &hold->life;

	hold->fence = config->fence;
	hold->on_lost = config->on_lost;
	life->renew = config->renew;
	life->reentrant = config->reentrant;
	life->interval_ms = config->interval_ms;
	life->linger_ms = config->linger_ms;
	life->hold_at_least_ms = config->hold_at_least_ms;
	life->max_hold_ms = config->max_hold_ms;
	life->replicas = (rlk_replicas){ config->min_replicas, config->replica_timeout_ms };
	life->lock.kind = config->kind;
}

/* Called before the lock may become held: its owner is the fiber or coroutine that runs now. */
static inline void redislock_hold_begin(redislock_hold *hold)
{
	hold->entries = 1;
	hold->copy_pid = 0;
	hold->owner = redislock_owner_now();
	hold->put_off = 0;
	hold->untold_since_ms = 0;
}

/* Throws that an operation is under way on the hold. Returns true. */
bool redislock_hold_refuse_in_use(const redislock_hold *hold);

/* Throws *err as trouble with this lock. */
void redislock_hold_throw(const redislock_hold *hold, const rlk_error *err);

/* Throws *err for RLK_UNKNOWN and RLK_FAIL. Returns the outcome. */
static inline rlk_outcome redislock_hold_check(const redislock_hold *hold, rlk_outcome outcome, const rlk_error *err)
{
	if (UNEXPECTED(outcome == RLK_UNKNOWN || outcome == RLK_FAIL))
		redislock_hold_throw(hold, err);
	return outcome;
}

/* Restores a lock by its token, with these options. false: exception thrown. */
bool redislock_hold_restore(redislock_hold *hold, const rlk_config *config, const zend_string *token);

/* As rlk_hold_extend() and rlk_hold_confirm(), but they throw. The fiber or coroutine that calls one of them first for a restored lock
 * becomes its owner. */
rlk_outcome redislock_hold_extend(redislock_hold *hold, rlk_deadline deadline, int64_t ttl_ms);
rlk_outcome redislock_hold_confirm(redislock_hold *hold);

/* The holds of a thread. */
void redislock_host_init(rlk_host *host);

/* Ends a lock that the application did not release itself. If pcntl_fork() has made a copy that outlives this process, a warning
 * follows at the end of the request: a daemon has to acquire after its last fork. */
void redislock_hold_end_unasked(redislock_hold *hold, rlk_ending ending);

/* --- redislock_poller.c: waits in the application's event loop, by the callable given to RedisLock::setPoller() --- */

/* Implements rlk_hooks.suspend. Refuses where the running fiber must not or cannot be suspended. */
int redislock_poller_suspend(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms);

/* Drops the callable at the end of the request. */
void redislock_poller_forget(void);

#endif
