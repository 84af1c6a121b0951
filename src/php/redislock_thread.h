/*
 * redislock_thread: the threads that run PHP, each of which may be told of a loss, and the one rlk_renewal that they share.
 */
#ifndef REDISLOCK_THREAD_H
#define REDISLOCK_THREAD_H

#include "php/redislock_module.h"

#include "renew/rlk_renewal.h"

extern rlk_renewal redislock_renewal;

/* Did the module ask for the interrupt of this thread? Asks once. */
bool redislock_thread_take_interrupt(void);

void redislock_thread_interrupt(void);

/* The module calls these two around a side call, such as that of an observer, whose exceptions it drops: a loss of a lock that other
 * code holds is told after the side call. redislock_thread_end_side_call() takes what redislock_thread_begin_side_call() returned. */
static inline bool redislock_thread_begin_side_call(void)
{
	bool before = RLG(host).in_side_call;

	RLG(host).in_side_call = true;
	return before;
}

static inline void redislock_thread_end_side_call(bool before)
{
	RLG(host).in_side_call = before;
	if (RLG(host).held != NULL)
		redislock_thread_interrupt();
}

/* Called when a request starts: this thread runs PHP. */
void redislock_thread_request_starts(void);

/* Called after redislock_config_backend(), before a process-bound lock is acquired: this thread is told of losses from now on, also
 * if its host (Apache with threads) has blocked all signals. */
void redislock_thread_begin_interrupts(void);

/* Ends what redislock_thread_begin_interrupts() began: this thread is told of no more losses. */
void redislock_thread_end_interrupts(void);

/* Can there be another request after this one? A script on the command line ends with its process, and may have forked. */
bool redislock_thread_serves_requests(void);

/* Called when this thread's request holds no lock any more. In a host of many requests the child may stay for the next one. */
void redislock_thread_request_ends(void);

/* Called when a thread ends. `thread`: the RLG(thread) of that thread. */
void redislock_thread_ends(void *thread);

/* Called once per process; shutdown before the module's code is unloaded. */
void redislock_thread_startup(void);
void redislock_thread_shutdown(void);

/* Called in a forked copy, before any PHP code of the copy runs. */
void redislock_thread_after_fork(void);

/* --- redislock_heap.c: finds the memory of Zend's memory manager, which a renewal child does not need --- */

/* Has rlk_renewal leave that memory out of each child it starts. Called once per process. */
void redislock_heap_startup(void);

/* --- redislock_opcode_guard.c: where the VM can take an exception --- */

typedef enum {
	REDISLOCK_PLACE_RIGHT, /* here */
	REDISLOCK_PLACE_SOON,  /* a few instructions further */
	REDISLOCK_PLACE_WRONG  /* only after the running function has ended */
} redislock_place;

/* Does a destructor run in a call within `outer`? NULL: in any call? */
bool redislock_guard_is_in_destructor(const zend_execute_data *outer);

/* May the VM, which is in its interrupt function, be given an exception? */
redislock_place redislock_guard_place(void);

/* Makes the VM's frames fit for an exception. Called at REDISLOCK_PLACE_RIGHT, before the exception is thrown. *result: what the last
 * call has returned; the caller frees it after the throw. */
void redislock_guard_prepare(zval *result);

/* --- redislock_interrupt.c: telling running PHP code that its lock is lost --- */

/* Chains into zend_interrupt_function and the fiber observers. Once per process. */
void redislock_interrupt_startup(void);
void redislock_interrupt_shutdown(void);

/* Has the VM been asked for an interrupt? Async-signal-safe. */
bool redislock_interrupt_is_set(void *unused);

/* Runs during a wait what the VM would run on an interrupt: signal handlers of pcntl, the time limit, our own. true: stop
 * waiting, since an exception or a longjmp of the engine is under way. */
bool redislock_interrupt_dispatch(void *unused);

/* Runs the signal handlers before a method's exception leaves the method. The VM would run them while the exception is under way, when
 * no handler can be called, and the signal would be lost. A handler's exception goes first, with the method's as its previous one. */
void redislock_interrupt_precede(void);

/* Handles signals, delivers events, and repeats a longjmp of the engine that we caught to clean up, so that a fatal error still
 * ends the script. Each method that may run other PHP code calls this last. */
static inline void redislock_interrupt_go_on(void)
{
	if (UNEXPECTED(EG(exception) != NULL))
		redislock_interrupt_precede();
	redislock_stats_deliver();
	if (EXPECTED(!RLG(bailed_out)))
		return;
	RLG(bailed_out) = false;
	EG(exception) = NULL; /* or PHP would report it as a second fatal error */
	zend_bailout();
}

#endif
