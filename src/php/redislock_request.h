/*
 * redislock_request: what ends with a request, and what a forked copy of the process must not touch.
 */
#ifndef REDISLOCK_REQUEST_H
#define REDISLOCK_REQUEST_H

#include "php/redislock_module.h"

/* Registers what a fork has to do. Once per process. */
void redislock_request_startup(void);

/* Releases what is held, ends the child, gives connections to the pool. At the end of every request. */
void redislock_request_end(void);

#endif
