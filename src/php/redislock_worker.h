/*
 * redislock_worker: FrankenPHP's worker mode, where one request of PHP serves many of the web server.
 */
#ifndef REDISLOCK_WORKER_H
#define REDISLOCK_WORKER_H

#include "php/redislock_module.h"

/* Chains into the SAPI module, if that is FrankenPHP's. Once per process. */
void redislock_worker_startup(void);
void redislock_worker_shutdown(void);

/* A script begins or ends, in a worker or not. */
void redislock_worker_script_starts(void);
void redislock_worker_script_ends(void);

#endif
