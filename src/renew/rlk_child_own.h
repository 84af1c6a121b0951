/*
 * rlk_child_own: the inside of the renewal child: all that it knows, and what it does about each slot.
 *
 * Slots are looked at afresh each time; what the child itself knows of a slot
 * (its view) is void once the slot's tenancy changes. Same rules as rlk_child.h.
 */
#ifndef RLK_CHILD_OWN_H
#define RLK_CHILD_OWN_H

#include "renew/rlk_child.h"
#include "renew/rlk_child_topology.h"

typedef struct {
	uint32_t tenancy;
	bool under_way;    /* a request for this slot awaits its reply */
	bool done;         /* its release is done or given up */
	bool wakes_nobody; /* the server refuses us the keys that wake waiters */
	rlk_way way;       /* to the server that has the key */
	int backoff_ms;
	int64_t due_at_ms;     /* next renewal or release; 0: not yet determined */
	int64_t give_up_at_ms; /* of the release; 0: not yet determined */
	int64_t signal_at_ms;
	int signal_pause_ms;

	/* In a group: what its server said last. */
	int64_t until_ms; /* it has the lock until then, if */
	uint32_t epoch;   /* that is still the slot's; */
	bool refused;     /* or the lock is not ours there */
} rlk_slot_view;

typedef struct {
	const rlk_child_env *env;
	rlk_area *area;
	bool orphaned; /* the parent is gone */
	bool quitting;
	bool ended;
	bool again;                         /* something was answered: look at the slots once more before sleeping */
	bool renews[RLK_LINKS_MAX];         /* a renewal on this link leaves now: others go along */
	int64_t asked_at_ms[RLK_PEERS_MAX]; /* when the parent was last asked to resolve a name again */
	int timer;                          /* -1: none, poll()'s own timeout serves */
	rlk_slot_view views[RLK_SLOTS_MAX];
	char signal[RLK_SLOT_WAITERS_MAX]; /* where that key is put together for one request */
	rlk_child_topology topology;
	rlk_link links[RLK_LINKS_MAX];
} rlk_child;

/* --- renewing, releasing, telling of losses: rlk_child_slots_posix.c -------------------------- */

/* Looks at every slot and queues what is due. Returns when to look again at the latest. *busy: a release is still to be
 * done. */
int64_t rlk_child_slots_look(rlk_child *c, int64_t now_ms, bool *busy);

/* An rlk_link_listener's function; `arg` is the rlk_child. */
void rlk_child_slots_answered(void *arg, const rlk_op *op, const rlk_reply *reply);

/* --- a slot's requests, and what is asked in which words of which server: rlk_child_requests.c - */

/* Queues a request on the link of that slot. `number_ms`: the TTL to give, where the kind has one. false: not now. */
bool rlk_child_request(rlk_child *c, uint32_t index, const rlk_slot *leader, rlk_op_kind kind, int64_t now_ms,
	int64_t number_ms);

/* The master has renewed: do enough replicas know? false: could not be asked. */
bool rlk_child_request_replicas(rlk_child *c, const rlk_op *renewal, int64_t now_ms);

/* Is the request to be made again, not before *again_at_ms, since the link broke, or in other words or elsewhere? These are
 * settled. */
bool rlk_child_request_again(rlk_child *c, const rlk_op *op, const rlk_reply *reply, int64_t now_ms,
	int64_t *again_at_ms);

/* *done, or not ours: scripts and deletes say so by a number, SET by OK and nil. false: the reply says neither. */
bool rlk_child_request_result(const rlk_op *op, const rlk_reply *reply, bool *done);

#endif
