/*
 * rlk_hold: the life of one lock as its process knows it: acquired, extended, lost, ended.
 *
 * Knows no PHP. The host is src/php or the simulator: it reports each event to the hold, and the outcome to its own caller. The
 * hold decides on its next state, on who releases the lock, and whether the server is asked. An event finds the hold in a state:
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
 * "asks": the hold asks the server. A table in rlk_hold.c says which state follows each answer; a table in rlk_hold_end.c says
 * how each ending goes.
 *
 * Order matters. The hold arms its renewal slot before the acquiring command is written, so that the child knows the token whenever
 * this process dies. The hold closes the slot before a release is written; otherwise a renewal right behind the release would
 * report a loss.
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
	RLK_HOLD_LOST      /* was held; this process knows of the loss */
} rlk_hold_state;

/* What only the host can do. */
typedef struct {
	rlk_hooks hooks; /* signalled, interrupted, suspend; their argument is the hold */
	rlk_hooks loop;  /* of waits that signals do not end: suspend */
	/* Called before a process-bound lock is acquired: the host prepares this thread to be told of losses, and chooses who renews.
	 * NULL: nobody can, *err says why. */
	const rlk_backend *(*choose_backend)(rlk_error *err);
	/* The hold has learned that its lock is lost. Its state is still the one before. */
	void (*lost)(rlk_hold *hold, rlk_lost_reason reason);
	/* The hold gives up its slot: this is the last chance to read the child's counts. */
	void (*fetch_renewals)(const rlk_hold *hold);
	void (*tell_losses)(void);       /* the host has a loss to tell that it could not tell during an operation */
	void (*destroy)(rlk_hold *hold); /* nothing refers to the hold any more. Its lock may still be held. */
	bool (*request_ends)(void);
	void (*run_out)(void); /* there is no memory for an operation: does not return */
} rlk_host_calls;

/* What the holds of one thread share. */
typedef struct {
	const rlk_host_calls *calls;
	rlk_renewal *renewal;
	/* Process-bound locks until they are released, reentrant ones, those without expiry; newest first. */
	rlk_hold *held;
	rlk_hold *arriving; /* process-bound locks that are being acquired; several only in the host's loop */
	uint64_t listed;    /* how often a hold has come into one of these lists */
	rlk_use *uses;      /* operations under way in the host's loop */
	bool polled;        /* the host has such a loop */
	bool in_request;    /* a worker serves a request, which owns what is acquired */
	/* The host runs a side call, that of an observer say, and drops its exceptions. */
	bool in_side_call;
	/* The time spent on automatic releases since the last acquisition; see RLK_HOLD_PATIENCE_MS. */
	int64_t release_waits_ms;
} rlk_host;

/* Where a client's locks live. */
typedef struct {
	rlk_servers servers;
	rlk_topology *topology;    /* finds the server, by sentinels or in a Cluster; NULL: its address is configured */
	const rlk_server *listed;  /* the servers of a quorum */
	rlk_renewal_server *known; /* the server or servers, as the renewal child knows them */
	const char *label;         /* part of each token; NULL: none */
} rlk_whereabouts;

/* What a caller wants to acquire. rlk_hold_acquire() sets the hooks of `terms` and its list of second connections. */
typedef struct {
	rlk_lock_terms terms;
	rlk_str token;              /* the caller's; empty: a fresh one for each try */
	const rlk_servers *servers; /* set by rlk_hold_acquire() */
} rlk_hold_wish;

struct rlk_hold {
	rlk_host *host;
	rlk_whereabouts *at;
	uint32_t refcount; /* references of the host's objects, of operations, and of the calls counted in `borrowed` */
	uint32_t borrowed; /* calls under way, which may be suspended */
	rlk_lock lock;
	rlk_hold_state state;
	/* Why the lock was lost since it was last acquired, kept when IDLE again; RLK_LOST_NOT: it was not. */
	rlk_lost_reason reason;
	int slot;              /* its slot in the renewal area; RLK_SLOT_NONE for leases */
	long owner_pid;        /* the process that acquired the lock; 0: none */
	int64_t held_since_ms; /* when the lock was last acquired */
	rlk_hold_wish *wish;   /* what is being acquired, while WAITING */
	rlk_use *user; /* the exclusive operation under way in the host's loop, which may be suspended; NULL: none */

	/* As configured for this acquisition. */
	bool renew, reentrant;
	int64_t interval_ms, linger_ms, hold_at_least_ms, max_hold_ms;
	rlk_replicas replicas;

	bool request_owns; /* a worker's request owns the lock and ends it; copied from the host when the hold is listed */
	bool by_side_call; /* a side call acquired the lock: it is told of this loss, and of no other; copied likewise */
	rlk_hold *next, **link; /* in host->held or host->arriving, and what points to it there; NULL: not listed */
	uint64_t listed_as;     /* host->listed, with this hold */
};

/* --- what this process knows without asking the server -------------------------------------------- */

/* Was the lock acquired by the process that this one was forked from? Then nothing here may touch the server. */
static inline bool rlk_hold_is_foreign(const rlk_hold *hold)
{
	return hold->owner_pid != 0 && hold->owner_pid != rlk_os_process_id();
}

/* Is an operation under way on the hold? */
static inline bool rlk_hold_is_in_use(const rlk_hold *hold)
{
	return hold->state == RLK_HOLD_WAITING || hold->user != NULL;
}

/* Is a request under way that releases it? It is held until the answer is there. */
static inline bool rlk_hold_is_ending(const rlk_hold *hold)
{
	return hold->user != NULL && hold->user->releases;
}

/* Until when, and for how long, the lock is valid by our own clock. 0: it is not held, or no longer. */
int64_t rlk_hold_valid_until(rlk_hold *hold);
int64_t rlk_hold_remaining_ms(rlk_hold *hold);

/* Is the lock held and still valid? */
static inline bool rlk_hold_is_held(rlk_hold *hold)
{
	return rlk_hold_remaining_ms(hold) > 0;
}

/* Is a process-bound lock lost, as its slot says? Then makes the hold LOST, with the reason. RLK_LOST_NOT: it is held, or none is. */
rlk_lost_reason rlk_hold_note_loss(rlk_hold *hold);

/* Has the lock been lost while the hold is still HELD? Then its holder must be told. */
bool rlk_hold_has_loss_to_tell(const rlk_hold *hold);

/* --- the caller's events -------------------------------------------------------------------------- */

/* Outcomes are those of rlk_lock.h; *err says why for RLK_UNKNOWN and RLK_FAIL, and may be NULL. */

/* Acquires with the options in the hold. The hold is IDLE: the caller has ended an earlier lock first (RLK_END_REPLACED). */
rlk_outcome rlk_hold_acquire(rlk_hold *hold, rlk_hold_wish *wish, rlk_error *err);

/* Puts a token into an idle hold, unconfirmed. */
bool rlk_hold_restore(rlk_hold *hold, rlk_str token, rlk_error *err);

/* Sets the ttl on the server; 0 drops the expiry. A restored lock becomes held. */
rlk_outcome rlk_hold_extend(rlk_hold *hold, rlk_deadline deadline, int64_t ttl_ms, rlk_error *err);

/* Asks the server whether the lock is still ours. A restored lock becomes held, and is renewed with this ttl. */
rlk_outcome rlk_hold_confirm(rlk_hold *hold, int64_t ttl_ms, rlk_error *err);

/* Turns a shared lock into an exclusive one, if nobody else shares it; and back. */
rlk_outcome rlk_hold_upgrade(rlk_hold *hold, rlk_error *err);
rlk_outcome rlk_hold_downgrade(rlk_hold *hold, rlk_error *err);

/* Ends renewal and every automatic release of a HELD lock; its key stays, with the whole ttl. RLK_NO: the lock was lost.
 * RLK_UNKNOWN, RLK_FAIL: nothing has changed. */
rlk_outcome rlk_hold_detach(rlk_hold *hold, rlk_error *err);

typedef enum {
	RLK_END_RELEASED, /* release(), unlock() */
	RLK_END_RUN,      /* the callable that ran under the lock has ended */
	RLK_END_OBJECT,   /* the object that held the lock is destroyed */
	RLK_END_REQUEST,  /* the request ends, of a worker or of PHP */
	RLK_END_REPLACED, /* the caller acquires anew, since the lock was lost or has expired */
	RLK_END_DETACHED, /* detach(): the key stays. A lock that is lost stays LOST. */
	RLK_END_FORCED,   /* forceRelease() by its holder */
	RLK_END_OWN       /* forceRelease() with its token, by its holder */
} rlk_ending;

/* Ends a lock; a table in rlk_hold_end.c says how. RLK_NO: the lock was not held, or no longer ours. RLK_UNKNOWN, RLK_FAIL: the
 * server has not confirmed the release, and the renewal child goes on with that of a process-bound lock; or the key holds
 * something that is no lock. */
rlk_outcome rlk_hold_end(rlk_hold *hold, rlk_ending ending, rlk_error *err);

/* The automatic releases of a request wait for the server no longer than this together, since a web client may be waiting for the
 * request to end. The renewal child finishes the others. Each acquisition grants the time anew; an answered release costs none
 * of it, unless the request ends. */
#define RLK_HOLD_PATIENCE_MS 1000

/* Asks the server, after it said no, whether the key holds something that is no lock: RLK_FAIL then, else RLK_NO. `exclusive`: no
 * other operation on this hold may begin meanwhile; without it the caller has borrowed the hold. */
rlk_outcome rlk_hold_explain_no(rlk_hold *hold, bool exclusive, rlk_error *err);

/* Time for rlk_hold_explain_no(), and to look up the holder after a refusal. Short: the caller's own time is over, perhaps because
 * the server is slow. */
#define RLK_HOLD_SECOND_LOOK_MS 50

/* Another object of this process has deleted the key by force. RLK_YES, RLK_NO: the lock is gone, and code under a process-bound lock
 * is told. RLK_UNKNOWN: the lock may still be there; the holder releases a lease, the renewal child a process-bound lock. */
void rlk_hold_forced(rlk_hold *hold, rlk_outcome outcome);

/* --- references and operations -------------------------------------------------------------------- */

/* Drops a reference. */
static inline void rlk_hold_drop(rlk_hold *hold)
{
	if (--hold->refcount == 0)
		hold->host->calls->destroy(hold);
}

/* Keeps the hold for the time of a call, during which a signal handler or another fiber may drop the object's reference. */
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

/* Begins and ends an operation in the host's loop, which has a connection of its own (rlk_use.h) and a reference to the hold. */
const rlk_servers *rlk_hold_check_out(rlk_hold *hold, rlk_use *use, bool exclusive, rlk_deadline deadline);
void rlk_hold_check_in(rlk_use *use);

/* Begins one operation and returns the servers it asks. The caller ends it by rlk_hold_finish(), after which the hold may be gone,
 * unless the operation was exclusive (no other one may begin on this hold) or the caller has a reference. In between the host must
 * not leave by longjmp: `use` is in a list, and on the stack. */
static inline const rlk_servers *rlk_hold_begin(rlk_hold *hold, rlk_use *use, bool exclusive, rlk_deadline deadline)
{
	use->lock = NULL;
	if (hold->host->polled)
		return rlk_hold_check_out(hold, use, exclusive, deadline);
	/* The client's own connections. */
	if (hold->at->servers.conn->topology != NULL)
		rlk_topology_set_key(hold->at->servers.conn, rlk_buf_str(&hold->lock.keys.lock), deadline);
	return &hold->at->servers;
}

static inline void rlk_hold_finish(rlk_use *use)
{
	if (use->lock != NULL)
		rlk_hold_check_in(use);
}

/* --- the process's events ------------------------------------------------------------------------- */

/* Ends the operations that are left when the host ends: they belong to fibers that never go on. */
void rlk_host_forget_uses(rlk_host *host);

/* Takes the hold out of the host's lists. Safe to call twice. */
void rlk_hold_unlist(rlk_hold *hold);

/* --- within src/hold ------------------------------------------------------------------------------ */

/* What the server was asked. */
typedef enum {
	RLK_ASKED_TO_ACQUIRE,
	RLK_ASKED_TO_KEEP, /* to extend, confirm or downgrade what the token has */
	RLK_ASKED_TO_RELEASE,
	RLK_ASKED_TO_FREE /* by force */
} rlk_hold_question;

/* What the server's answer does to the hold. */
typedef enum {
	RLK_HOLD_STAYS,    /* no change; after an acquisition rlk_hold_acquire.c makes it HELD */
	RLK_HOLD_IS_RESET, /* IDLE */
	RLK_HOLD_TO_CHILD, /* IDLE; the renewal child, which has more time, releases the lock */
	RLK_HOLD_IS_OVER,  /* a process-bound lock is LOST, and code under it is told; a lease becomes IDLE */
	RLK_HOLD_EXPIRES   /* no longer valid: somebody else may have the lock */
} rlk_hold_next;

/* By question and outcome: for a process-bound lock, and for a lease. */
extern const struct rlk_hold_answers {
	rlk_hold_next bound[4], lease[4];
} rlk_hold_answers[];

/* Makes the hold IDLE. Gives its renewal slot back, if there is one. */
void rlk_hold_reset(rlk_hold *hold);

/* Makes the rarer changes of rlk_hold_take_answer(). In a forked copy only a WAITING hold changes. */
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

/* Puts the hold into the host's list for its state. Only process-bound and reentrant locks, and those without expiry, are listed. */
void rlk_hold_list(rlk_hold *hold);

/* Resets the hold and leaves its unanswered release to the renewal child, which has more time. The caller may use a token of its
 * own for the next acquisition, so the key of such a token is left to the ttl, unless `nobody` can use it any more. */
void rlk_hold_leave_to_child(rlk_hold *hold, bool nobody);

/* Makes a restored lock HELD, whose token the server has just confirmed. RLK_FAIL: the lock is still RESTORED, to be confirmed or
 * released. */
rlk_outcome rlk_hold_adopt(rlk_hold *hold, const rlk_servers *servers, rlk_deadline deadline, int64_t ttl_ms,
	rlk_error *err);

#endif
