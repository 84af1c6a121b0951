/*
 * redislock_poller: waits in the application's event loop, through the callable given to RedisLock::setPoller().
 */
#ifndef REDISLOCK_POLLER_H
#define REDISLOCK_POLLER_H

#include "php/redislock_module.h"

/* Implements rlk_hooks.suspend. Refuses where the running fiber must not or cannot be suspended. */
int redislock_poller_suspend(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms);

/* Drops the callable at the end of the request. */
void redislock_poller_forget(void);

#endif
