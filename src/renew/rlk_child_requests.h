/*
 * rlk_child_requests: a slot's requests put together, and what is asked in which words of which server.
 *
 * Same rules as rlk_child.h.
 */
#ifndef RLK_CHILD_REQUESTS_H
#define RLK_CHILD_REQUESTS_H

#include "renew/rlk_child_state.h"

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
