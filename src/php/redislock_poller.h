/*
 * redislock_poller: waiting in the loop of the host, by the callable of RedisLock::setPoller().
 */
#ifndef REDISLOCK_POLLER_H
#define REDISLOCK_POLLER_H

#include "php/redislock_module.h"

/* rlk_hooks.suspend. Refuses where a fiber must not or cannot be left. */
int redislock_poller_suspend(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms);

/* At the end of the request. */
void redislock_poller_forget(void);

#endif
