/*
 * rlk_renewal: keeps the locks of this process alive, as the host sees it.
 *
 * One per process, used by all its threads. Lazily starts one renewal child
 * (or thread) that serves every lock; a child releases what is still held when
 * the process dies.
 */
#ifndef RLK_RENEWAL_H
#define RLK_RENEWAL_H

#include "base/rlk_mutex.h"
#include "renew/rlk_backend.h"
#include "redis/rlk_call.h"
#include "redis/rlk_topology.h"

typedef struct {
	rlk_mutex mutex; /* over everything but the content of slots, which has atomics of its own */
	rlk_slots slots;
	rlk_worker worker;
	const rlk_backend *wanted; /* the one that was asked for when the worker was started; it may be another one */
	bool rests;                /* no lock has needed the worker since rlk_renewal_request_ends() */
	int64_t idle_until_ms;     /* it ends then */
	int requests;              /* that are under way: it does not end meanwhile */
	bool outdated;             /* the worker has connections of an earlier request, with credentials or to an address
	                              that have changed */
	bool has_idled;            /* ever: then credentials and certificates may have changed since the worker's start */
	rlk_copies copies;         /* watched from the first fork on that is made while a worker runs */
	void (*notify)(void);      /* async-signal-safe: "something happened", called from a signal handler */
} rlk_renewal;

/* Where the child knows a server; kept by whoever keeps the connection. All zero: not known yet. */
typedef struct {
	int index;
	uint64_t number; /* of rlk_slots; another one is there: its place was needed */
	bool doubted;    /* it is not known before its name has been resolved again */
} rlk_renewal_server;

typedef struct {
	const rlk_backend *backend; /* the one to start if none runs yet, see rlk_renewal_usable(); never NULL */
	const rlk_server *servers;
	rlk_renewal_server *known;    /* of these servers */
	int server_count;             /* how many there are; more than one: a quorum */
	bool given;                   /* the token is the caller's, who may use it again */
	const rlk_topology *topology; /* how the child finds the server, when that is not the server alone; or NULL */
	rlk_address at;               /* with a topology: where it is now */
	const char *at_name;          /* with TLS: the host it was found by there; or NULL */
	rlk_str key, token, label;
	rlk_str waiters; /* the waiters key, empty when this name has none */
	int64_t ttl_ms;
	int64_t interval_ms;
	int64_t linger_ms;
	int64_t hold_at_least_ms;
	int64_t max_hold_ms; /* RLK_NEVER: none */
	rlk_replicas replicas;
} rlk_renewal_lock;

/* Empty, nothing started. `notify` runs in a signal handler when a lock was lost or the child died. */
void rlk_renewal_init(rlk_renewal *renewal, void (*notify)(void));

/* Takes a slot for a lock that is about to be acquired, starting the child if need be: from here on the child
 * releases the token should this process die. RLK_SLOT_NONE: *err is RLK_ERR_RENEWAL or RLK_ERR_CONNECT. */
int rlk_renewal_arm(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err);

/* The lock may become ours at any moment and has to be renewed first at extend_at_ms: has the child awake by then, so
 * that nobody needs to wake it when that happens. */
void rlk_renewal_expect(rlk_renewal *renewal, int slot, int64_t extend_at_ms);

/* Before activation: the command that acquired went to this server. `name`: as at_name above. */
void rlk_renewal_moved(rlk_renewal *renewal, int slot, rlk_address at, const char *name);

/* The lock is ours since acquired_at_ms: renew it, for the first time at extend_at_ms; where that is 0, after the interval
 * or half-way through the validity, whichever comes first. */
void rlk_renewal_activate(rlk_renewal *renewal, int slot, int64_t acquired_at_ms, int64_t valid_until_ms,
	int64_t extend_at_ms);

/* Tells the child to stop renewing, before a release. false: it had been lost already. */
bool rlk_renewal_close(rlk_renewal *renewal, int slot);

/* Ends the slot's use. RLK_SLOT_NONE is allowed. */
void rlk_renewal_disarm(rlk_renewal *renewal, int slot);

/* A release could not be confirmed, or the lock was lost: leaves it to the child, which tries for a ttl at the most. */
void rlk_renewal_leave_release(rlk_renewal *renewal, int slot);

/* Around an extension by the host: later renewals use the new TTL, and none that is under way counts any more. */
void rlk_renewal_before_extend(rlk_renewal *renewal, int slot, int64_t ttl_ms);
void rlk_renewal_after_extend(rlk_renewal *renewal, int slot, int64_t valid_until_ms);

/* Point in time up to which the lock is ours; 0 when lost. Right even if child and signals fail. */
int64_t rlk_renewal_valid_until(const rlk_renewal *renewal, int slot);

/* RLK_LOST_NOT, or why it was lost. Also notices a validity that ran out unseen. */
rlk_lost_reason rlk_renewal_lost(const rlk_renewal *renewal, int slot);

/* The host knows of a loss: no more signals about it. If the child does not know, it is told, for this reason. Returns the
 * one that counts. */
rlk_lost_reason rlk_renewal_lose(rlk_renewal *renewal, int slot, rlk_lost_reason reason);

/* Looks after the child when `notify` was called: a dead one is replaced while locks need it; when that
 * fails, every active lock is marked lost. */
void rlk_renewal_check_child(rlk_renewal *renewal);

/* Asks the resolver what the child needs to know: the addresses of a server none of which answers any more, and of
 * names that servers told it; called when `notify` was. */
void rlk_renewal_resolve(rlk_renewal *renewal);

/* Before that, for each server: looks for new certificates if the child found none of its addresses to answer. */
void rlk_renewal_reload_certificates(rlk_renewal *renewal, const rlk_renewal_server *known, const rlk_server *server);

/* Ends the child. The host has released its locks before; those left to the child it may finish. Everything is as
 * after rlk_renewal_init(). */
void rlk_renewal_stop(rlk_renewal *renewal);

/* At the end of a request, in a host that serves many: the worker stays, with its connections, and ends by itself when no
 * lock has needed it for idle_ms. 0: it ends now. Otherwise as above; after a request of very many locks, too, it ends. */
void rlk_renewal_request_ends(rlk_renewal *renewal, int64_t idle_ms, bool if_idle);

/* At the start of one. Until its end the worker does not end by itself: the signal of that would cut short the sleep of
 * code that knows nothing of locks. */
void rlk_renewal_request_begins(rlk_renewal *renewal);

/* The same as rlk_renewal_stop() at the end of the process, for a host that may not have come to release its locks. To the child that is the
 * holder's death; where a thread renews, they are left to their TTL. */
void rlk_renewal_abandon(rlk_renewal *renewal);

/* Before a fork. */
void rlk_renewal_before_fork(rlk_renewal *renewal);

/* In a forked copy, before anything else: forgets the parent's child without disturbing it. */
void rlk_renewal_after_fork(rlk_renewal *renewal);

/* Are there forked copies of this process, made since the worker runs and still running its code? Asked once, at the
 * end of the process: it ends the watching. */
bool rlk_renewal_has_copies(rlk_renewal *renewal);

/* What is started when this one is wanted: a thread instead of a child where the host owns SIGURG, by which a child reports. */
const rlk_backend *rlk_renewal_usable(const rlk_backend *wanted);

#endif
