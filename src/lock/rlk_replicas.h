/*
 * rlk_replicas: do enough replicas have what was written?
 *
 * WAIT makes the loss of a lock in a failover rarer, not impossible: replicas
 * acknowledge what they received, and the one that is promoted may be another.
 */
#ifndef RLK_REPLICAS_H
#define RLK_REPLICAS_H

#include "redis/rlk_call.h"

typedef struct {
	int min;            /* 0: none have to */
	int64_t timeout_ms; /* how long to wait for them, >= 1 */
} rlk_replicas;

/* Waits until they have everything written over this connection. RLK_YES: they do, or none have to. RLK_FAIL: not in
 * time; RLK_UNKNOWN: the server did not say. */
rlk_outcome rlk_replicas_await(const rlk_replicas *replicas, rlk_conn *conn, rlk_error *err);

#endif
