/*
 * rlk_slots: the parent's book-keeping of the shared area: which slot, which
 * peer, which bytes of the arena are free.
 */
#ifndef RLK_SLOTS_H
#define RLK_SLOTS_H

#include "base/rlk_error.h"
#include "renew/rlk_area.h"

typedef struct {
	rlk_area *area;      /* shared mapping; NULL: none */
	uint32_t arena_used; /* bytes of the arena ever given out since all slots were free */
	uint32_t in_use;     /* slots that are not free, those left to the child included */
	uint32_t first_maybe_free;
	uint64_t peers_entered;                  /* ever, into whichever area */
	uint64_t peer_number[RLK_PEERS_MAX];     /* that of its peers_entered; 0: the place is free */
	int64_t peer_resolved_ms[RLK_PEERS_MAX]; /* when its name last was */
	int64_t peer_looked_ms[RLK_PEERS_MAX];   /* when its certificates were last looked for */
} rlk_slots;

/* Maps the area, for slots that are zero or were destroyed. false: no memory. */
bool rlk_slots_init(rlk_slots *slots, rlk_error *err);

/* Unmaps it. In a forked copy this leaves the parent's mapping alone. */
void rlk_slots_destroy(rlk_slots *slots);

typedef struct {
	rlk_str key, token;
	rlk_str resting; /* the token to leave behind, or empty */
	rlk_str waiters; /* the waiters key, or empty; left out when longer than RLK_SLOT_WAITERS_MAX */
} rlk_slot_strings;

/* Makes a slot just taken a member of the leader's group, and the last of it. */
void rlk_slots_join(rlk_slots *slots, int leader, int member);

/* Finds a free slot and room for the strings, and copies them there; the slot stays FREE until the caller sets its
 * state. It is to join this leader, taken before, or, with RLK_SLOT_NONE, none. RLK_SLOT_NONE: full (RLK_ERR_RENEWAL). */
int rlk_slots_take(rlk_slots *slots, const rlk_slot_strings *strings, int leader, rlk_error *err);

/* Gives a slot back, and with a leader its group; their state becomes FREE. */
void rlk_slots_give_back(rlk_slots *slots, int index);

/* Leaves a slot to the child in state RELEASE; it is taken again once the child says RELEASED. */
void rlk_slots_leave(rlk_slots *slots, int index);

/* The number of the peer for this server, entered if it is new. -1: full, or its handshake is too long. */
int rlk_slots_peer(rlk_slots *slots, const rlk_peer *peer, rlk_error *err);

/* Is there one that differs from the peer in this place only in what is said to it, or in how TLS is spoken to it? */
bool rlk_slots_knows_it_otherwise(const rlk_slots *slots, uint32_t index);

/* Notes for each place for a peer whether a slot in use needs it, seeds included, and takes back what the child has
 * released. */
void rlk_slots_note_peers(rlk_slots *slots, bool needed[RLK_PEERS_MAX]);

/* Empties a place that no worker looks at. */
void rlk_slots_drop_peer(rlk_slots *slots, uint32_t index);

#endif
