/*
 * rlk_slot: the slot of a key in a Redis Cluster.
 */
#ifndef RLK_SLOT_H
#define RLK_SLOT_H

#include "base/rlk_str.h"

#define RLK_CLUSTER_SLOTS 16384

/* The part of a key that decides its slot: between the first "{" and the next "}" unless empty, else all. */
rlk_str rlk_slot_part(rlk_str key);

int rlk_slot_of(rlk_str key);

#endif
