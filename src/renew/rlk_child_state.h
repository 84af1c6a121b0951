/*
 * rlk_child_state: all that the renewal child knows. Same rules as rlk_child.h.
 */
#ifndef RLK_CHILD_STATE_H
#define RLK_CHILD_STATE_H

#include "renew/rlk_child_os.h"
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

#endif
