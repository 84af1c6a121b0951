/*
 * redislock_hold: one name that somebody in this process holds, or held.
 *
 * Objects refer to holds through records (redislock_object.h). Several records
 * share one hold when reentrant locks are entered again. What ends a hold is
 * in redislock_release.h, what begins one in redislock_acquire.h.
 */
#ifndef REDISLOCK_HOLD_H
#define REDISLOCK_HOLD_H

#include "base/rlk_os.h"
#include "php/redislock_client.h"
#include "php/redislock_owner.h"

/* For a look at a lock that was refused: the caller's time is over by then, and the server may be the reason why. */
#define REDISLOCK_SECOND_LOOK_MS 50

typedef enum {
	REDISLOCK_IDLE,     /* nothing held */
	REDISLOCK_WAITING,  /* being acquired; seen by code that a signal handler runs meanwhile, and by other fibers */
	REDISLOCK_HELD,     /* acquired; whether still valid, the clock tells */
	REDISLOCK_RESTORED, /* a token given by restore(), not yet confirmed */
	REDISLOCK_LOST      /* was held; the loss is known here */
} redislock_hold_state;

struct redislock_hold {
	uint32_t refcount; /* records that point here */
	uint32_t entries;  /* how often it was entered; 1 unless reentrant */
	redislock_client *client;
	zend_string *name; /* persistent, without prefix */
	rlk_lock lock;
	redislock_hold_state state;
	rlk_lost_reason reason; /* of the last loss since it was acquired, also when IDLE again; RLK_LOST_NOT: none */
	int slot;               /* of the renewal area; RLK_SLOT_NONE for leases */
	long owner_pid;         /* process that acquired it */
	redislock_owner owner;  /* that acquired it */

	/* As configured for this acquisition. */
	bool renew, reentrant, release_async, fence;
	rlk_on_lost on_lost;
	int64_t interval_ms, linger_ms, hold_at_least_ms, max_hold_ms;

	bool of_request; /* ends with redislock_request_end_locks(); of one that is listed */
	bool is_lock;    /* the key was seen to hold one, after a refusal: no need to look again at each */
	bool listed_bound, listed_reentrant;
	redislock_hold *next_bound, *next_reentrant;
};

/* A hold in state IDLE with one reference. NULL: exception thrown. */
redislock_hold *redislock_hold_new(redislock_client *client, const char *name, size_t name_len);
void redislock_hold_destroy(redislock_hold *hold);

/* Is there something to be said of a release with release_async, or will there be? */
static inline bool redislock_hold_is_late(const redislock_hold *hold)
{
	return hold->lock.releasing_on != NULL || hold->lock.late != RLK_LATE_NONE;
}

/* Is it idle, with nothing left to report, and not shared with another record? */
bool redislock_hold_is_as_new(const redislock_hold *hold);

/* Was it acquired in another process, of which this one is a forked copy? Then nothing here may touch the server. */
static inline bool redislock_hold_is_foreign(const redislock_hold *hold)
{
	return hold->owner_pid != 0 && hold->owner_pid != rlk_os_process_id();
}

/* Held and valid, by our own clock. */
bool redislock_hold_is_held(redislock_hold *hold);
int64_t redislock_hold_remaining_ms(redislock_hold *hold);

/* A process-bound lock was lost, as is known here. What may be left of it is for the renewal child to release at once,
 * behind that what only the connections of this process can undo; with a token of the caller's, when the holder lets go. */
ZEND_COLD void redislock_hold_lose(redislock_hold *hold, rlk_lost_reason reason);

/* Has a process-bound lock been lost? Remembers it in the hold. RLK_LOST_NOT while all is well or nothing is held. */
rlk_lost_reason redislock_hold_check_lost(redislock_hold *hold);

/* Keeps the lists of RLG() in step with the hold's state. */
void redislock_hold_list(redislock_hold *hold);
void redislock_hold_unlist(redislock_hold *hold);

/* Back to IDLE; the renewal slot, if any, is given back. */
void redislock_hold_reset(redislock_hold *hold);

/* Its key was deleted here by force: it is held no more, and whoever runs under a process-bound one is told. */
void redislock_hold_forget(redislock_hold *hold);

/* Throws what *err says of it. */
void redislock_hold_throw(const redislock_hold *hold, const rlk_error *err);

/* The server has refused to acquire or release it. Throws if that is so because the key holds no lock. */
void redislock_hold_throw_if_no_lock(redislock_hold *hold);

/* --- how a hold begins: redislock_acquire.c --- */

/* Takes the lock with the options of *config, trying for wait_ms (0: once, RLK_NEVER: without limit). The hold is IDLE
 * or over. */
rlk_outcome redislock_acquire(redislock_hold *hold, const rlk_config *config, int64_t wait_ms);

/* Puts a token into an idle hold, unconfirmed. */
void redislock_restore(redislock_hold *hold, const rlk_config *config, zend_string *token);

/* The server has confirmed a restored token. Made process-bound if the options say so; if that fails, it is still there to
 * be confirmed or released. */
rlk_outcome redislock_adopt(redislock_hold *hold, int64_t ttl_ms);

/* --- between its beginning and its end: redislock_hold.c --- */

/* Sets the TTL; ttl_ms 0 drops the expiry. A restored lock becomes held. */
rlk_outcome redislock_extend(redislock_hold *hold, int64_t ttl_ms);

/* Asks the server. A restored lock becomes held. */
rlk_outcome redislock_confirm(redislock_hold *hold);

/* Ends renewal and every automatic release; the key stays, with its whole ttl. The hold is HELD. false: exception thrown;
 * unless it was lost, all is as before. */
bool redislock_detach(redislock_hold *hold);

/* --- how it ends: redislock_release.c --- */

/* Frees it. RLK_NO: not held, or no longer ours. */
rlk_outcome redislock_release(redislock_hold *hold);

/* As redislock_release() without throwing: *err says what went wrong; a process-bound lock whose release is not
 * confirmed is left to the renewal child. *asked: the server was, as it is not about a lock that is known to be lost. */
rlk_outcome redislock_release_unthrown(redislock_hold *hold, bool *asked, rlk_error *err);

/* Lets a process-bound lock go that is LOST. Waits for no server: one that is away may be the reason. */
void redislock_release_lost(redislock_hold *hold);

/* As redislock_hold_reset(), and gives the release, which got no answer, to the renewal child, which has more time. Unless the
 * token was given: the caller may acquire with it next, and the key is left to its ttl. */
void redislock_release_unanswered(redislock_hold *hold);

/* Of a hold that redislock_hold_is_late(): throws what is to be said of it by now. false: nothing. */
bool redislock_release_report_late(redislock_hold *hold);

/* Deletes the key, whoever holds it. `own`: what the caller has by this hold ends with that, and is no loss. */
rlk_outcome redislock_release_by_force(redislock_hold *hold, bool own);

/* For destructors: nobody is there to be told. In the shutdown of a process that has forked copies, notes in
 * RLG(abandoned) that the lock ends here: a daemon has to acquire after its last fork. */
void redislock_release_quietly(redislock_hold *hold);

/* As redislock_release_quietly(), with what is left of the time for all of them. */
void redislock_release_at_end(redislock_hold *hold, int64_t deadline_at_ms);

/* As redislock_release_quietly(), at the end of one of the requests that a worker serves: its object may be used again.
 * From deadline_at_ms on the renewal child releases it. */
void redislock_release_in_time(redislock_hold *hold, int64_t deadline_at_ms);

void redislock_release_last_reference(redislock_hold *hold);

/* Drops a reference. A process-bound lock that loses its last one while held is released, without exceptions; a
 * lease stays on the server. */
static inline void redislock_release_reference(redislock_hold *hold)
{
	if (--hold->refcount == 0)
		redislock_release_last_reference(hold);
}

#endif
