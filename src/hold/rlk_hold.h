/*
 * rlk_hold: the life of one lock as its process knows it: acquired, extended, lost, ended.
 *
 * Knows no PHP. The host, src/php or the simulator, says what is to happen and tells its caller what came of it; what a lock is
 * then, who releases it and who is asked is decided here. An event finds the hold in a state:
 *
 *                       IDLE      WAITING   HELD                RESTORED            LOST
 *     acquire           WAITING   -         ends it, WAITING    ends it, WAITING    lets go, WAITING
 *     restore           RESTORED  -         -                   -                   -
 *     extend, confirm   no        -         asks                asks                no
 *     up-, downgrade    no        -         asks                -                   no
 *     release, ends     no        no        asks, see endings   asks, see endings   lets go, IDLE: no
 *     detach            -         -         IDLE                -                   stays LOST: no
 *     the child lost it                     LOST
 *     in a forked copy  the server is not asked, and the answer is no; an ending makes it IDLE
 *     request ends      IDLE      released  as release, within the time that all releases have together
 *     exec              as before: the child takes over (rlk_renewal_hand_over())
 *
 * What the server answers to those that ask decides what the hold is next: the table in rlk_hold.c. How it ends in each of the
 * ways: the table in rlk_hold_end.c.
 *
 * Order matters. The renewal slot is armed before the acquiring command is written, so that the child knows the token whenever
 * this process dies; it is closed before a release is written, or a renewal right behind that would report a loss.
 */
#ifndef RLK_HOLD_H
#define RLK_HOLD_H

#include "lock/rlk_lock.h"
#include "lock/rlk_use.h"
#include "renew/rlk_renewal.h"

typedef struct rlk_hold rlk_hold;

typedef enum {
	RLK_HOLD_IDLE,     /* nothing held */
	RLK_HOLD_WAITING,  /* being acquired; signal handlers and other fibers see this */
	RLK_HOLD_HELD,     /* acquired; the clock tells whether it is still valid */
	RLK_HOLD_RESTORED, /* a token given by the caller, not yet confirmed */
	RLK_HOLD_LOST      /* was held; the loss is known here */
} rlk_hold_state;

/* What only the host can do. */
typedef struct {
	rlk_hooks hooks; /* pending, interrupted, suspend; their argument is the hold */
	rlk_hooks loop;  /* of waits that signals do not end: suspend */
	/* A process-bound lock is about to be acquired: this thread is told of losses from now on. NULL: *err says why not. */
	const rlk_backend *(*choose_backend)(rlk_error *err);
	/* What was held is known not to be ours any more. The state is still the one before. */
	void (*lost)(rlk_hold *hold, rlk_lost_reason reason);
	void (*fetch_renewals)(const rlk_hold *hold); /* its slot goes, with what the child has counted */
	void (*tell_losses)(void);                    /* one was not told during the operation that ends */
	void (*destroy)(rlk_hold *hold);              /* nothing refers to it any more. It may still be held. */
	bool (*request_ends)(void);
	void (*run_out)(void); /* of memory for an operation: does not return */
} rlk_host_calls;

/* What the holds of one thread share. */
typedef struct {
	const rlk_host_calls *calls;
	rlk_renewal *renewal;
	rlk_hold
		*held; /* process-bound locks until they are released, reentrant ones, those without expiry; newest first */
	rlk_hold *arriving;       /* process-bound locks that are being acquired: as many as wait in a loop */
	rlk_use *uses;            /* operations under way in the host's loop */
	bool polled;              /* the host has such a loop */
	bool in_request;          /* a worker serves a request, which owns what is acquired */
	bool aside;               /* what runs is called on the side, and what it throws is dropped; see hold->aside */
	int64_t release_waits_ms; /* for releases nobody asked for, since the last acquisition; see RLK_HOLD_PATIENCE_MS */
} rlk_host;

/* Where a client's locks live. */
typedef struct {
	rlk_servers servers;
	rlk_topology *topology;    /* where the server is, if that has to be found out; or NULL */
	const rlk_server *listed;  /* of a quorum: its servers */
	rlk_renewal_server *known; /* the server or servers, as the renewal child knows them */
	const char *label;         /* in tokens; or NULL */
} rlk_whereabouts;

/* An acquisition. `request` without what is set by rlk_hold_acquire(): its hooks and its list of second connections. */
typedef struct {
	rlk_lock_request request;
	rlk_str token;              /* the caller's; empty: a fresh one for each try */
	const rlk_servers *servers; /* set by rlk_hold_acquire() */
} rlk_hold_wish;

struct rlk_hold {
	rlk_host *host;
	rlk_whereabouts *at;
	uint32_t refcount; /* of the host's objects, and: */
	uint32_t borrowed; /* calls under way, which may be suspended */
	rlk_lock lock;
	rlk_hold_state state;
	rlk_lost_reason reason; /* of the last loss since it was acquired, also when IDLE again; RLK_LOST_NOT: none */
	int slot;               /* of the renewal area; RLK_SLOT_NONE for leases */
	long owner_pid;         /* process that acquired it */
	int64_t held_since_ms;  /* when it was acquired last */
	rlk_hold_wish *wish;    /* WAITING */
	rlk_use
		*user; /* an operation of another fiber is under way, which may be suspended; NULL: none, or WAITING tells */

	/* As configured for this acquisition. */
	bool renew, reentrant;
	int64_t interval_ms, linger_ms, hold_at_least_ms, max_hold_ms;
	rlk_replicas replicas;

	bool of_request;        /* ends with the worker's request; set when it is listed */
	bool aside;             /* acquired by what is called on the side, which is told of no other loss; the same */
	rlk_hold *next, **link; /* in host->held or host->arriving, and what points to it there; NULL: not listed */
};

/* --- what is known of it, without asking ---------------------------------------------------------- */

/* Was it acquired by the process that this one was forked from? Then nothing here may touch the server. */
static inline bool rlk_hold_is_foreign(const rlk_hold *hold)
{
	return hold->owner_pid != 0 && hold->owner_pid != rlk_os_process_id();
}

/* Is an operation under way on it? */
static inline bool rlk_hold_is_in_use(const rlk_hold *hold)
{
	return hold->state == RLK_HOLD_WAITING || hold->user != NULL;
}

/* By our own clock. 0: it is not held, or no longer. */
int64_t rlk_hold_valid_until(rlk_hold *hold);
int64_t rlk_hold_remaining_ms(rlk_hold *hold);

/* Held and valid? */
static inline bool rlk_hold_is_held(rlk_hold *hold)
{
	return rlk_hold_remaining_ms(hold) > 0;
}

/* Has a process-bound lock been lost? Remembers it. RLK_LOST_NOT while it is held, or nothing is. */
rlk_lost_reason rlk_hold_check_lost(rlk_hold *hold);

/* Is there a loss that the holder does not know of? */
bool rlk_hold_is_untold(const rlk_hold *hold);

/* --- the caller's events -------------------------------------------------------------------------- */

/* rlk_outcome as of rlk_lock.h; *err says why for RLK_UNKNOWN and RLK_FAIL, and may be NULL. */

/* Acquires with the options in the hold, which is IDLE: what it had before is ended first (RLK_END_REPLACED). */
rlk_outcome rlk_hold_acquire(rlk_hold *hold, rlk_hold_wish *wish, rlk_error *err);

/* Puts a token into an idle hold, unconfirmed. */
bool rlk_hold_restore(rlk_hold *hold, rlk_str token, rlk_error *err);

/* Sets the ttl; 0 drops the expiry. A restored lock becomes held. */
rlk_outcome rlk_hold_extend(rlk_hold *hold, rlk_deadline deadline, int64_t ttl_ms, rlk_error *err);

/* Asks the server. A restored lock becomes held, with this ttl to be renewed. */
rlk_outcome rlk_hold_confirm(rlk_hold *hold, int64_t ttl_ms, rlk_error *err);

/* Has one who shares the lock be its only holder; and back. */
rlk_outcome rlk_hold_upgrade(rlk_hold *hold, rlk_error *err);
rlk_outcome rlk_hold_downgrade(rlk_hold *hold, rlk_error *err);

/* Ends renewal and every automatic release; the key stays, with its whole ttl. The hold is HELD. RLK_NO: it was lost. Else, but
 * for RLK_YES, nothing has changed. */
rlk_outcome rlk_hold_detach(rlk_hold *hold, rlk_error *err);

typedef enum {
	RLK_END_RELEASED, /* release(), unlock() */
	RLK_END_RUN,      /* its callable has ended */
	RLK_END_OBJECT,   /* its object is destroyed */
	RLK_END_REQUEST,  /* the request ends, of a worker or of PHP */
	RLK_END_REPLACED, /* acquired anew, since it was lost or is over */
	RLK_END_DETACHED, /* detach(): the key stays. A lock that is lost stays LOST. */
	RLK_END_FORCED,   /* forceRelease() by its holder */
	RLK_END_OWN       /* forceRelease() with its token, by its holder */
} rlk_ending;

/* Ends a lock; a table in rlk_hold_end.c says how. RLK_NO: it was not held, or no longer ours. RLK_UNKNOWN, RLK_FAIL: not
 * confirmed, a process-bound lock is left to the renewal child; or the key holds something that is no lock. */
rlk_outcome rlk_hold_end(rlk_hold *hold, rlk_ending ending, rlk_error *err);

/* The releases of a request that nobody asked for wait so long together: the client of an FPM worker may wait for them. What
 * is not released by then is left to the renewal child, which has more time. Each acquisition grants the time anew; a release
 * that is answered takes nothing of it, unless the request ends. */
#define RLK_HOLD_PATIENCE_MS 1000

/* After a no: does the key hold something that is no lock? RLK_FAIL then, else RLK_NO. `exclusive`: no other operation may begin
 * meanwhile. */
rlk_outcome rlk_hold_explain_no(rlk_hold *hold, bool exclusive, rlk_error *err);

/* Time for that, and to look up the holder after a refusal. Short: the caller's own time is over, perhaps because the server is
 * slow. */
#define RLK_HOLD_SECOND_LOOK_MS 50

/* Somebody of this process has deleted the key by force. RLK_YES, RLK_NO: it is held no more, and code under a process-bound lock
 * is told. RLK_UNKNOWN: it may be; its holders release a lease, the renewal child a process-bound lock. */
void rlk_hold_forced(rlk_hold *hold, rlk_outcome outcome);

/* --- references and operations -------------------------------------------------------------------- */

/* Drops a reference. */
static inline void rlk_hold_drop(rlk_hold *hold)
{
	if (--hold->refcount == 0)
		hold->host->calls->destroy(hold);
}

/* For the time of a call: meanwhile a signal handler or another fiber may end the object's use of it. */
static inline void rlk_hold_borrow(rlk_hold *hold)
{
	hold->refcount++;
	hold->borrowed++;
}

static inline void rlk_hold_give_back(rlk_hold *hold)
{
	hold->borrowed--;
	rlk_hold_drop(hold);
}

/* In the host's loop an operation has a connection for itself (rlk_use.h), and a reference to the hold. */
const rlk_servers *rlk_hold_check_out(rlk_hold *hold, rlk_use *use, bool exclusive, rlk_deadline deadline);
void rlk_hold_check_in(rlk_use *use);

/* The servers as the client has them. */
static inline const rlk_servers *rlk_hold_servers(const rlk_hold *hold, rlk_deadline deadline)
{
	if (hold->at->servers.conn->topology != NULL)
		rlk_topology_set_key(hold->at->servers.conn, rlk_buf_str(&hold->lock.keys.lock), deadline);
	return &hold->at->servers;
}

/* Where the lock lives, for one operation, which the caller ends by rlk_hold_finish(): with that the hold may be gone, unless the
 * operation was exclusive (no other one may begin on this hold) or the caller has a reference. In between nothing of the host may
 * end by longjmp: the use is listed, and on the stack. */
static inline const rlk_servers *rlk_hold_begin(rlk_hold *hold, rlk_use *use, bool exclusive, rlk_deadline deadline)
{
	use->lock = NULL;
	if (hold->host->polled)
		return rlk_hold_check_out(hold, use, exclusive, deadline);
	return rlk_hold_servers(hold, deadline);
}

static inline void rlk_hold_finish(rlk_use *use)
{
	if (use->lock != NULL)
		rlk_hold_check_in(use);
}

/* --- the process's events ------------------------------------------------------------------------- */

/* The host ends: operations that are left belong to fibers which never go on. */
void rlk_host_forget_uses(rlk_host *host);

/* Out of the lists. Safe to call twice. */
void rlk_hold_unlist(rlk_hold *hold);

/* --- within src/hold ------------------------------------------------------------------------------ */

/* What the server was asked. */
typedef enum {
	RLK_ASKED_TO_ACQUIRE,
	RLK_ASKED_TO_KEEP, /* to extend, confirm or downgrade what the token has */
	RLK_ASKED_TO_RELEASE,
	RLK_ASKED_TO_FREE /* by force */
} rlk_hold_question;

/* What its answer makes of the hold. */
typedef enum {
	RLK_HOLD_STAYS, /* but what has been acquired is held: rlk_hold_acquire.c */
	RLK_HOLD_IS_RESET,
	RLK_HOLD_IS_LEFT, /* to the renewal child, which has more time */
	RLK_HOLD_IS_OVER, /* LOST, and listed, so that code under it is told; of a lease nobody is */
	RLK_HOLD_EXPIRES  /* somebody else may have it */
} rlk_hold_next;

/* By outcome, of one bound to the process and of a lease. */
extern const struct rlk_hold_answers {
	rlk_hold_next bound[4], lease[4];
} rlk_hold_answers[];

/* Back to IDLE. Gives the renewal slot back, if there is one. */
void rlk_hold_reset(rlk_hold *hold);

/* All that is rare. In a forked copy only what has been WAITING changes. */
void rlk_hold_become(rlk_hold *hold, rlk_hold_next next);

static inline void rlk_hold_take_answer(rlk_hold *hold, rlk_hold_question question, rlk_outcome outcome)
{
	const struct rlk_hold_answers *answers = &rlk_hold_answers[question];
	rlk_hold_next next = hold->slot != RLK_SLOT_NONE ? answers->bound[outcome] : answers->lease[outcome];

	if (next == RLK_HOLD_IS_RESET)
		rlk_hold_reset(hold);
	else if (next != RLK_HOLD_STAYS)
		rlk_hold_become(hold, next);
}

/* Into the list for its state. It has the process-bound and the reentrant locks, and those without expiry. */
void rlk_hold_list(rlk_hold *hold);

/* Resets the hold and leaves a release that got no answer to the renewal child, which has more time. A token given by the caller
 * may be used for the next acquisition, so its key is left to the ttl, unless `nobody` can use it. */
void rlk_hold_leave(rlk_hold *hold, bool nobody);

/* A restored lock, whose token the server has confirmed just now, is held. RLK_FAIL: it is still restored, to be confirmed or
 * released. */
rlk_outcome rlk_hold_adopt(rlk_hold *hold, const rlk_servers *servers, rlk_deadline deadline, int64_t ttl_ms,
	rlk_error *err);

#endif
