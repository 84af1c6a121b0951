/*
 * redislock_hold: one lock as this process knows it: acquired, extended, lost, released.
 *
 * Objects refer to holds through records (redislock_object.h). The records of
 * a reentrant lock share one hold.
 *
 * A function that returns an rlk_outcome and takes no rlk_error throws for
 * RLK_UNKNOWN and RLK_FAIL.
 */
#ifndef REDISLOCK_HOLD_H
#define REDISLOCK_HOLD_H

#include "base/rlk_os.h"
#include "php/redislock_client.h"

#include <zend_fibers.h>

/*
 * The fiber or Swoole coroutine that runs. What one of them holds, another does not: it cannot enter a reentrant lock
 * again, and is not told of a loss. ReactPHP and Amp use PHP's own fibers.
 */
typedef struct {
	zend_fiber_context *fiber; /* NULL: it has ended */
	long coroutine;            /* its number, never used again; -1: none */
} redislock_owner;

/* Returns the number of the current coroutine. NULL: Swoole is not loaded. */
extern long (*redislock_owner_coroutine)(void);

static inline redislock_owner redislock_owner_now(void)
{
	return (redislock_owner){ EG(current_fiber_context),
		UNEXPECTED(redislock_owner_coroutine != NULL) ? redislock_owner_coroutine() : -1 };
}

static inline bool redislock_owner_is_coroutine(void)
{
	return redislock_owner_coroutine != NULL && redislock_owner_coroutine() != -1;
}

/* Does neither a fiber nor a coroutine run? */
static inline bool redislock_owner_is_main(void)
{
	return EG(current_fiber_context) == EG(main_fiber_context) && !redislock_owner_is_coroutine();
}

/* Does it run now? */
static inline bool redislock_owner_runs(const redislock_owner *owner)
{
	return owner->fiber == EG(current_fiber_context) &&
		(EXPECTED(redislock_owner_coroutine == NULL) || owner->coroutine == redislock_owner_coroutine());
}

/* Time to look up the holder after a refusal. Short: the caller's own time is over, perhaps because the server is slow. */
#define REDISLOCK_SECOND_LOOK_MS 50

typedef enum {
	REDISLOCK_IDLE,     /* nothing held */
	REDISLOCK_WAITING,  /* being acquired; signal handlers and other fibers see this */
	REDISLOCK_HELD,     /* acquired; the clock tells whether it is still valid */
	REDISLOCK_RESTORED, /* a token given by restore(), not yet confirmed */
	REDISLOCK_LOST      /* was held; the loss is known here */
} redislock_hold_state;

struct redislock_hold {
	uint32_t refcount; /* records that point here, and: */
	uint32_t borrowed; /* calls under way, which may be suspended */
	uint32_t entries;  /* how often it was entered; 1 unless reentrant */
	redislock_client *client;
	zend_string *name; /* persistent, without prefix */
	rlk_lock lock;
	redislock_hold_state state;
	rlk_lost_reason reason;  /* of the last loss since it was acquired, also when IDLE again; RLK_LOST_NOT: none */
	int slot;                /* of the renewal area; RLK_SLOT_NONE for leases */
	int64_t held_since_ms;   /* when it was acquired last */
	long owner_pid;          /* process that acquired it */
	long copy_pid;           /* the last copy that pcntl_fork() made of it since; 0: none */
	redislock_owner owner;   /* fiber or coroutine that acquired it */
	int misplaced;           /* how often its loss met an instruction where nothing may be thrown */
	int64_t untold_since_ms; /* main, which holds it, cannot be told of its loss since then; 0: there is none */

	/* As configured for this acquisition. */
	bool renew, reentrant, fence;
	rlk_on_lost on_lost;
	int64_t interval_ms, linger_ms, hold_at_least_ms, max_hold_ms;
	rlk_replicas replicas;

	rlk_use
		*user; /* an operation of another fiber is under way, which may be suspended; NULL: none, or WAITING tells */
	bool of_request;              /* ends with the worker's request, see redislock_request.c; set when it is listed */
	bool aside;                   /* acquired by what is called on the side, which is told of no other loss; the same */
	redislock_hold *next, **link; /* in RLG(holds) or RLG(arriving), and what points to it there; NULL: not listed */
};

/* A hold in state IDLE with one reference. NULL: exception thrown. */
redislock_hold *redislock_hold_new(redislock_client *client, const char *name, size_t name_len);
void redislock_hold_destroy(redislock_hold *hold);

/* Was it acquired by the process that this one was forked from? Then nothing here may touch the server. */
static inline bool redislock_hold_is_foreign(const redislock_hold *hold)
{
	return hold->owner_pid != 0 && hold->owner_pid != rlk_os_process_id();
}

/* Is an operation under way on it? */
static inline bool redislock_hold_is_in_use(const redislock_hold *hold)
{
	return hold->state == REDISLOCK_WAITING || hold->user != NULL;
}

/* Throws that one is. Returns true. */
bool redislock_hold_refuse_in_use(const redislock_hold *hold);

/* Held and valid, by our own clock. */
bool redislock_hold_is_held(redislock_hold *hold);
int64_t redislock_hold_remaining_ms(redislock_hold *hold);

/* Has a process-bound lock been lost? Remembers it in the hold. RLK_LOST_NOT while it is held, or nothing is. */
rlk_lost_reason redislock_hold_check_lost(redislock_hold *hold);

/* Marks a process-bound lock as lost. The renewal child releases at once what may be left on the servers, after the
 * requests that only this process's connections can undo; a token given by the caller is released by its holder. */
void redislock_hold_lose(redislock_hold *hold, rlk_lost_reason reason);

/* Is there a loss that the holder does not know of? */
bool redislock_hold_is_untold(const redislock_hold *hold);

/* A lock ends unasked. If it ends with its process although pcntl_fork() made a copy that goes on, a warning follows at the
 * end of the request: a daemon has to acquire after its last fork. */
void redislock_hold_note_copy(const redislock_hold *hold);

/* Into RLG(holds), or RLG(arriving) while it is WAITING, and out of them. They have the process-bound and the reentrant ones,
 * and those without expiry. Safe to call twice. */
void redislock_hold_list(redislock_hold *hold);
void redislock_hold_unlist(redislock_hold *hold);

/* Back to IDLE. Gives the renewal slot back, if there is one. */
void redislock_hold_reset(redislock_hold *hold);

/* After this process deleted the key by force: it is held no more, and code under a process-bound lock is told. */
void redislock_hold_forget(redislock_hold *hold);

/* It may have done so: it is held no more, and its holders release a lease, the renewal child a process-bound lock. */
void redislock_hold_expire(redislock_hold *hold);

/* Throws *err as trouble with this lock. */
void redislock_hold_throw(const redislock_hold *hold, const rlk_error *err);

/* --- redislock_use.c: operations under way, see rlk_use.h --- */

/* With a poller. `exclusive`: no other operation may begin on this hold. The use has a reference to it. */
const rlk_servers *redislock_use_check_out(rlk_use *use, redislock_hold *hold, bool exclusive);
void redislock_use_give_back(rlk_use *use);

/* Where the lock lives, for one operation, which the caller ends by redislock_use_end(): with that the hold may be gone, unless the
 * use was exclusive or the caller has a reference. In between nothing of the engine may end by longjmp: the use is listed, and on
 * the stack. */
static inline const rlk_servers *redislock_use_begin(rlk_use *use, redislock_hold *hold, bool exclusive)
{
	use->lock = NULL;
	if (UNEXPECTED(RLG(polled)))
		return redislock_use_check_out(use, hold, exclusive);
	return redislock_client_servers(hold->client, &hold->lock);
}

static inline void redislock_use_end(rlk_use *use)
{
	if (UNEXPECTED(use->lock != NULL))
		redislock_use_give_back(use);
}

/* At the end of the request: those that are left belong to fibers that never go on. */
void redislock_uses_forget(void);

/* --- redislock_acquire.c --- */

/* Takes the lock with the options of *config, trying until until_ms (0: once, RLK_NEVER: without limit). The hold is IDLE
 * or over. */
rlk_outcome redislock_acquire(redislock_hold *hold, const rlk_config *config, int64_t until_ms);

/* Puts a token into an idle hold, unconfirmed. */
void redislock_restore(redislock_hold *hold, const rlk_config *config, zend_string *token);

/* Holds a restored lock whose token the server has confirmed just now, process-bound if the options say so. RLK_FAIL: it is
 * still restored, to be confirmed or released. */
rlk_outcome redislock_adopt(redislock_hold *hold, const rlk_servers *servers, int64_t ttl_ms, rlk_error *err);

/* --- redislock_extend.c --- */

/* Has one who shares the lock be its only holder; and back. */
rlk_outcome redislock_upgrade(redislock_hold *hold);
rlk_outcome redislock_downgrade(redislock_hold *hold);

/* Sets the ttl; ttl_ms 0 drops the expiry. A restored lock becomes held. */
rlk_outcome redislock_extend(redislock_hold *hold, int64_t ttl_ms);

/* Asks the server. A restored lock becomes held. */
rlk_outcome redislock_confirm(redislock_hold *hold);

/* Ends renewal and every automatic release; the key stays, with its whole ttl. The hold is HELD. false: exception thrown,
 * and unless the lock was lost nothing has changed. */
bool redislock_detach(redislock_hold *hold);

/* --- redislock_release.c --- */

typedef enum {
	REDISLOCK_END_RELEASED, /* release(), unlock() */
	REDISLOCK_END_RUN,      /* its callable has ended */
	REDISLOCK_END_OBJECT,   /* its object is destroyed */
	REDISLOCK_END_REQUEST,  /* the request ends, of a worker or of PHP */
	REDISLOCK_END_REPLACED, /* acquired anew, since it was lost or is over */
	REDISLOCK_END_DETACHED, /* detach(): the key stays. A lock that is lost stays LOST. */
	REDISLOCK_END_FORCED,   /* forceRelease() by its holder */
	REDISLOCK_END_OWN       /* forceRelease() with its token, by its holder */
} redislock_end_mode;

/* Ends a lock; a table in redislock_release.c says how. RLK_NO: it was not held, or no longer ours. RLK_UNKNOWN, RLK_FAIL: not
 * confirmed; a process-bound lock is left to the renewal child. *err says why; it may be NULL. */
rlk_outcome redislock_end(redislock_hold *hold, redislock_end_mode mode, rlk_error *err);

/* Resets the hold and leaves a release that got no answer to the renewal child, which has more time. A token given by the
 * caller may be used for the next acquisition, so its key is left to the ttl. */
void redislock_leave(redislock_hold *hold);

/* After a refusal: throws if the key holds something that is no lock. `exclusive`: no other operation may begin meanwhile. */
void redislock_throw_if_no_lock(redislock_hold *hold, bool exclusive);

/* The releases of a request that nobody asked for wait so long together: the client of an FPM worker may wait for them. What
 * is not released by then is left to the renewal child, which has more time. Each acquisition grants the time anew; a release
 * that is answered takes nothing of it, unless the request ends. */
#define REDISLOCK_PATIENCE_MS 1000

void redislock_release_last_reference(redislock_hold *hold);

/* Drops a reference. With the last one a process-bound lock is released, without exceptions; a lease stays on the
 * server. */
static inline void redislock_release_reference(redislock_hold *hold)
{
	if (--hold->refcount == 0)
		redislock_release_last_reference(hold);
}

/* For the time of a call: meanwhile a signal handler or another fiber may end the object's use of it. */
static inline void redislock_hold_borrow(redislock_hold *hold)
{
	hold->refcount++;
	hold->borrowed++;
}

static inline void redislock_hold_give_back(redislock_hold *hold)
{
	hold->borrowed--;
	redislock_release_reference(hold);
}

/* --- redislock_stats.c --- */

/* What was held is known not to be ours any more. */
void redislock_stats_note_lost(const redislock_hold *hold);

/* Adds what the renewal child has counted of a hold with a slot. */
void redislock_stats_fetch_renewals(const redislock_hold *hold);

#endif
