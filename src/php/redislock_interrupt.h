/*
 * redislock_interrupt: telling running PHP code that its lock is lost.
 */
#ifndef REDISLOCK_INTERRUPT_H
#define REDISLOCK_INTERRUPT_H

#include "php/redislock_module.h"

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
