/*
 * rlk_renewal: keeps the locks of this process alive.
 *
 * One per process, used by all its threads. The first lock starts one renewal
 * child (or thread) that serves every lock. A child releases what is still held
 * when the process dies.
 */
#ifndef RLK_RENEWAL_H
#define RLK_RENEWAL_H

#include "base/rlk_mutex.h"
#include "lock/rlk_kind.h"
#include "redis/rlk_exchange.h"
#include "redis/rlk_topology.h"
#include "renew/rlk_backend.h"

typedef struct {
	rlk_mutex mutex; /* over everything but the content of slots, which has atomics of its own */
	rlk_slots slots;
	rlk_worker worker;
	const rlk_backend
		*wanted; /* the backend asked for when the worker was started; rlk_renewal_usable() may choose another */
	int64_t idle_until_ms; /* when an idle worker ends, once no request is under way */
	int requests;          /* requests under way: the worker does not end by itself meanwhile */
	uint64_t request;      /* how many have begun */
	int64_t request_at_ms; /* when the last one began */
	void (*notify)(void);  /* async-signal-safe, called from a signal handler: something happened */
} rlk_renewal;

/* The entry of a server in the area; kept with the connection. All zero: not known yet. */
typedef struct {
	int index;
	uint64_t number; /* as in the rlk_server_book of the entry; if they differ, the entry is another server's */
} rlk_renewal_server;

typedef struct {
	const rlk_backend *backend; /* to start if none runs, see rlk_renewal_usable(); never NULL */
	const rlk_server *servers;
	rlk_renewal_server *known;    /* of each of them */
	int server_count;             /* more than 1: a quorum */
	bool from_caller;             /* the token is the caller's, who may use it again */
	const rlk_topology *topology; /* Sentinel or Cluster: how the child finds the server; else NULL */
	rlk_address at;               /* with a topology: where the server is now */
	const char *at_name;          /* with TLS there: the host by which it was found; else NULL */
	rlk_kind kind;
	rlk_str key, token, label;
	rlk_str waiters; /* the waiters key; empty: this name has none */
	int64_t ttl_ms;
	int64_t interval_ms;
	int64_t linger_ms;
	int64_t hold_at_least_ms;
	int64_t max_hold_ms; /* RLK_NEVER: none */
	rlk_replicas replicas;
	rlk_deadline deadline;  /* of a single server: its name is not waited for any longer */
	const rlk_hooks *hooks; /* in whose loop that wait is; or NULL */
} rlk_renewal_lock;

/* --- the life of a lock: rlk_renewal.c ---------------------------------------------------------- */

/* Takes a slot for a lock that is about to be acquired, and starts the child if none runs: from here on the child releases
 * the token if this process dies. RLK_SLOT_NONE: *err is RLK_ERR_RENEWAL or RLK_ERR_CONNECT. */
int rlk_renewal_arm(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err);

/* The lock may become ours at any moment, with the first renewal due at extend_at_ms. Has the child wake up by then, so that the
 * parent need not wake it when the lock becomes ours. The child asks the server to report a loss when it next wakes up, within a
 * second. */
void rlk_renewal_expect(rlk_renewal *renewal, int slot, int64_t extend_at_ms);

/* Before activation: the command that acquired went to this server. `name`: as at_name above. */
void rlk_renewal_moved(rlk_renewal *renewal, int slot, rlk_address at, const char *name);

/* The lock is ours since acquired_at_ms: it is renewed, first at extend_at_ms; if that is 0, after the interval or half-way
 * through the validity, whichever comes first. */
void rlk_renewal_activate(rlk_renewal *renewal, int slot, int64_t acquired_at_ms, int64_t valid_until_ms,
	int64_t extend_at_ms);

/* Before a release: has the child stop renewing. false: the lock was lost before. */
bool rlk_renewal_close(rlk_renewal *renewal, int slot);

/* Ends the slot's use. RLK_SLOT_NONE is allowed. */
void rlk_renewal_disarm(rlk_renewal *renewal, int slot);

/* A release was not confirmed, or the lock was lost: leaves it to the child, which tries for one ttl at most. */
void rlk_renewal_leave_to_child(rlk_renewal *renewal, int slot);

/* The host calls these two around its own extension of a lock: later renewals use the new TTL, and renewals under way do not count
 * any more. The first returns the validity so far. The second takes that and the validity after the extension: a longer one
 * counts, and a shorter one unless the server has confirmed a renewal with the new TTL meanwhile. */
int64_t rlk_renewal_before_extend(rlk_renewal *renewal, int slot, int64_t ttl_ms);
void rlk_renewal_after_extend(rlk_renewal *renewal, int slot, int64_t before_ms, int64_t valid_until_ms);

/* Has rlk_renewal_count() something to tell? */
static inline bool rlk_renewal_has_counted(const rlk_renewal *renewal, int slot)
{
	const rlk_slot *s = &renewal->slots.area->slots[slot];

	return (atomic_load_explicit(&s->renewed, memory_order_relaxed) |
			   atomic_load_explicit(&s->unrenewed, memory_order_relaxed)) != 0;
}

/* A plain lock is about to become a shared one: its slot is of the shared kind from now on, which works with the key in either
 * form; or of its own again, if that was refused. */
void rlk_renewal_set_kind(rlk_renewal *renewal, int slot, rlk_kind_id kind);

/* How often it was renewed, and how often a renewal failed, since this was asked last. */
static inline uint32_t rlk_renewal_count(const rlk_renewal *renewal, int slot, uint32_t *failures)
{
	rlk_slot *s = &renewal->slots.area->slots[slot];
	uint32_t renewed = atomic_load_explicit(&s->renewed, memory_order_relaxed);

	*failures = atomic_load_explicit(&s->unrenewed, memory_order_relaxed);
	if (renewed > 0)
		atomic_fetch_sub(&s->renewed, renewed);
	if (*failures > 0)
		atomic_fetch_sub(&s->unrenewed, *failures);
	return renewed;
}

/* Until when the lock is ours; 0: it is lost. Needs neither the child nor signals: max_hold counts even if the child, which ends
 * the lock then, is stopped or dead. */
static inline int64_t rlk_renewal_valid_until(const rlk_renewal *renewal, int slot)
{
	const rlk_slot *s = &renewal->slots.area->slots[slot];
	int64_t valid_until_ms = rlk_slot_valid_until(s), held_until_ms = rlk_slot_held_until(s);

	return atomic_load(&s->state) == RLK_SLOT_LOST ? 0 : rlk_clock_earlier(held_until_ms, valid_until_ms);
}

/* The key may be gone: the validity is over. The child tells of the loss, and releases what is left. */
void rlk_renewal_expire(rlk_renewal *renewal, int slot);

/* Why the lock was lost, or RLK_LOST_NOT. Also sees a validity that has run out although the child reported nothing. */
rlk_lost_reason rlk_renewal_why_lost(const rlk_renewal *renewal, int slot);

/* The host knows of a loss: the child sends no more signals about it. If the child does not know of the loss, it is told, with
 * this reason. Returns the first reason given, which counts. */
rlk_lost_reason rlk_renewal_note_loss(rlk_renewal *renewal, int slot, rlk_lost_reason reason);

/* Switches the child's signals about a loss that the host has not told yet: off while the host itself remembers the loss. */
void rlk_renewal_signal_loss(rlk_renewal *renewal, int slot, bool wanted);

/* Has the child signal all losses anew, quickly at first. */
void rlk_renewal_signal_anew(rlk_renewal *renewal);

/* Do the servers report a loss? REFUSED: not all of them; NEW: none was asked yet. */
rlk_tracking rlk_renewal_tracking(rlk_renewal *renewal);

/* --- after `notify` ----------------------------------------------------------------------------- */

/* Replaces a dead child while locks need one. If that fails, all of them are lost. */
void rlk_renewal_check_child(rlk_renewal *renewal);

/* For each server, before rlk_renewal_resolve(): loads new certificates if the child can reach none of its addresses. */
void rlk_renewal_reload_certificates(rlk_renewal *renewal, const rlk_renewal_server *known, const rlk_server *server);

/* Resolves the names that the child asks for: those whose addresses do not answer any more, and those that servers told the child.
 * Waits a moment only: the resolver's thread passes a later answer on to the child. */
void rlk_renewal_resolve(rlk_renewal *renewal);

/* --- the life of the worker: rlk_renewal_worker.c ------------------------------------------------ */

/* Empty, nothing started. */
void rlk_renewal_init(rlk_renewal *renewal, void (*notify)(void));

/* The backend to start for `wanted`. A child reports by SIGURG; if the host needs that signal for itself, it is a thread. */
const rlk_backend *rlk_renewal_usable(const rlk_backend *wanted);

/* At the start of a request, in a host that serves many. Until its end the worker does not end by itself: the signal of
 * that would cut short the sleep of code that knows nothing of locks. */
void rlk_renewal_request_begins(rlk_renewal *renewal);

/* At its end: the worker stays, with its connections, and ends by itself when no lock has needed it for idle_ms. With 0, or
 * after very many locks, it is stopped now; with `if_unused` only if no other thread uses a lock. */
void rlk_renewal_request_ends(rlk_renewal *renewal, int64_t idle_ms, bool if_unused);

/* Stops the worker, which may finish the releases left to it. The host has released its locks before. Everything is as
 * after rlk_renewal_init(). */
void rlk_renewal_stop(rlk_renewal *renewal);

/* The same at the end of the process, if the host may not have released its locks: a child releases them as if the holder
 * had died; a thread leaves them to their TTL. */
void rlk_renewal_abandon(rlk_renewal *renewal);

/* This process is about to become another program, with the same id (exec). Its locks go on as long as the program does: the
 * child renews them, releases them when it ends, and when one is lost, sends it SIGTERM and after grace_ms SIGKILL (RLK_NEVER:
 * none). false: *err is RLK_ERR_RENEWAL, nothing has changed. */
bool rlk_renewal_hand_over(rlk_renewal *renewal, int64_t grace_ms, rlk_error *err);

/* The process has not become another program: all is as before. */
void rlk_renewal_take_back(rlk_renewal *renewal);

/* In a forked copy, before anything else: forgets the parent's worker without disturbing it. */
void rlk_renewal_after_fork(rlk_renewal *renewal);

#endif
