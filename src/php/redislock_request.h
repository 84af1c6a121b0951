/*
 * redislock_request: what ends with a request, and what a forked copy of the process must not touch.
 *
 * To PHP a worker is one long request, in which it serves many. Of these only the worker knows where they begin and end.
 */
#ifndef REDISLOCK_REQUEST_H
#define REDISLOCK_REQUEST_H

#include "php/redislock_module.h"

/* Registers what a fork has to do. Once per process. */
void redislock_request_startup(void);

/* Releases what is held, ends the child, gives connections to the pool. At the end of every request. */
void redislock_request_end(void);

/* A request of a worker begins: what is acquired from here on is its own. */
void redislock_request_begin_locks(void);

/* It ends, and with it its process-bound locks, whoever has their objects, unless code still runs under them; leases cannot be
 * entered again. Neither throws nor runs PHP code. Without `all` only those that this fiber or coroutine has acquired: others
 * may serve other requests. The names of those that were held go to *names, the latest first; it may be NULL. */
void redislock_request_end_locks(HashTable *names, bool all);

/* --- FrankenPHP's worker mode --- */

/* Chains into the SAPI module, if that is FrankenPHP's. Once per process. */
void redislock_worker_startup(void);
void redislock_worker_shutdown(void);

/* A script begins or ends, in a worker or not. */
void redislock_worker_script_starts(void);
void redislock_worker_script_ends(void);

#endif
