/*
 * rlk_child_slots: what the renewal child does about each slot: renews, releases, tells of losses.
 *
 * Slots are looked at afresh each time; what the child itself knows of a slot
 * (its view) is void once the slot's tenancy changes. Same rules as rlk_child.h.
 */
#ifndef RLK_CHILD_SLOTS_H
#define RLK_CHILD_SLOTS_H

#include "renew/rlk_child_state.h"

/* Looks at every slot and queues what is due. Returns when to look again at the latest. *busy: a release is still to be
 * done. */
int64_t rlk_child_slots_look(rlk_child *c, int64_t now_ms, bool *busy);

/* An rlk_link_listener's function; `arg` is the rlk_child. */
void rlk_child_slots_answered(void *arg, const rlk_op *op, const rlk_reply *reply);

#endif
