/*
 * redislock_renewal: the process's one rlk_renewal, and its place in the life of a PHP process.
 */
#ifndef REDISLOCK_RENEWAL_H
#define REDISLOCK_RENEWAL_H

#include "php/redislock_module.h"

#include "renew/rlk_renewal.h"

rlk_renewal *redislock_renewal(void);

/* Something happened that redislock_interrupt.c has to look at; reading it clears it. */
bool redislock_renewal_take_notice(void);

/* Sets the notice and makes the VM look at it at its next opportunity. Async-signal-safe. */
void redislock_renewal_notify(void);

/* The same for the calling thread alone. */
void redislock_renewal_notify_this_thread(void);

/* This thread runs PHP: it is to be told of losses, until redislock_renewal_request_end(). */
void redislock_renewal_request_starts(void);

/* It will not run PHP any more. `place`: RLG(thread). */
void redislock_renewal_thread_ends(void *place);

/* Registers what a fork has to do. Called once per process. */
void redislock_renewal_startup(void);

/* Releases what is held, ends the child, drops what is parked. At the end of every request. */
void redislock_renewal_request_end(void);

/* Before the module's code goes away. */
void redislock_renewal_shutdown(void);

#endif
