/*
 * renewal_case: a lock to arm, for the tests of rlk_renewal.
 */
#ifndef RENEWAL_CASE_H
#define RENEWAL_CASE_H

#include "renew/rlk_renewal.h"

/* The name of the backend that runs, NULL when none does. */
static inline const char *running_backend(const rlk_renewal *renewal)
{
	return renewal->worker.backend != NULL ? renewal->worker.backend->name : NULL;
}

/* A lock on one server. Returns its slot. */
static inline int arm_lock(rlk_renewal *renewal, const rlk_backend *backend, const rlk_server *server,
	rlk_renewal_server *known, int64_t ttl_ms, rlk_error *err)
{
	const rlk_renewal_lock lock = { .backend = backend,
		.deadline = RLK_DEADLINE_NONE,
		.servers = server,
		.known = known,
		.server_count = 1,
		.key = RLK_STR("key"),
		.token = RLK_STR("token"),
		.waiters = RLK_STR(""),
		.ttl_ms = ttl_ms,
		.interval_ms = ttl_ms / 3,
		.max_hold_ms = RLK_NEVER };

	return rlk_renewal_arm(renewal, &lock, err);
}

#endif
