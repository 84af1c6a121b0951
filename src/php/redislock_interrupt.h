/*
 * redislock_interrupt: telling running PHP code that its lock is lost.
 */
#ifndef REDISLOCK_INTERRUPT_H
#define REDISLOCK_INTERRUPT_H

#include "php/redislock_module.h"

/* Chains into zend_interrupt_function and the fiber observers. Once per process. */
void redislock_interrupt_startup(void);
void redislock_interrupt_shutdown(void);

/* A signal ended one of our sleeps: runs what the VM would run, i.e. the handlers of pcntl, the time limit, our own. May
 * leave by longjmp (time limit). true: an exception is under way, stop waiting. */
bool redislock_interrupt_dispatch(void *unused);

#endif
