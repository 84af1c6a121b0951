/*
 * redislock_renewal: the process's one rlk_renewal, and how the threads that run PHP hear of it.
 */
#ifndef REDISLOCK_RENEWAL_H
#define REDISLOCK_RENEWAL_H

#include "php/redislock_module.h"

#include "renew/rlk_renewal.h"

extern rlk_renewal redislock_renewal;

typedef enum {
	REDISLOCK_RENEWAL_PROCESS,
	REDISLOCK_RENEWAL_THREAD,
	REDISLOCK_RENEWAL_OFF,
	REDISLOCK_RENEWAL_WRONG /* something else was set */
} redislock_renewal_mode;

/* The text of redislock.renewal. */
redislock_renewal_mode redislock_renewal_read_mode(const char *text);
void redislock_renewal_refuse_mode(rlk_error *err);

/* What is wanted with this mode: a thread where the system has no fork. NULL: nothing can serve. rlk_renewal_usable() knows
 * what it comes to. */
const rlk_backend *redislock_renewal_backend(redislock_renewal_mode mode);

/* The same for the setting as it is and this thread. NULL: *err says what is wrong with it. Never silently weaker: without
 * renewal a process-bound lock would be a lease. */
const rlk_backend *redislock_renewal_choose(rlk_error *err);

/* Something happened that redislock_interrupt.c has to look at; reading it clears it. */
bool redislock_renewal_take_notice(void);

/* Has the calling thread take notice. */
void redislock_renewal_notify_this_thread(void);

/* This thread runs PHP: it is to be told of losses, until redislock_renewal_request_ends(). */
void redislock_renewal_request_starts(void);
void redislock_renewal_request_ends(void);

/* The locks of this thread's request are over: in a host of many requests the child may stay for the next one. */
void redislock_renewal_rest(void);

/* It will not run PHP any more. `place`: RLG(thread). */
void redislock_renewal_thread_ends(void *place);

/* Once per process. */
void redislock_renewal_startup(void);

/* Before a fork. */
void redislock_renewal_before_fork(void);

/* In a forked copy, before any of its code runs. */
void redislock_renewal_after_fork(void);

/* Before the module's code goes away. */
void redislock_renewal_shutdown(void);

/* --- redislock_heap.c --- */

/* Has it asked for whenever such a child is started. Once per process. */
void redislock_heap_startup(void);

/* --- redislock_interrupt.c --- */

/* Chains into zend_interrupt_function and the fiber observers. Once per process. */
void redislock_interrupt_startup(void);
void redislock_interrupt_shutdown(void);

/* A process-bound lock is held now: its owner is to be told of a loss when it goes on. */
void redislock_interrupt_watch(const redislock_hold *hold);

/* Is there something to dispatch? Async-signal-safe. */
bool redislock_interrupt_pending(void *unused);

/* A signal ended one of our waits: runs what the VM would run, i.e. the handlers of pcntl, the time limit, our own. true:
 * stop waiting, since an exception is under way or the engine wants out. */
bool redislock_interrupt_dispatch(void *unused);

/* Leaves by longjmp if the engine was on its way out by one and we stopped it, to be tidy first. The last thing a method
 * does that may have called code of others. */
static inline void redislock_interrupt_go_on(void)
{
	if (EXPECTED(!RLG(bailed_out)))
		return;
	RLG(bailed_out) = false;
	zend_bailout();
}

#endif
