/*
 * redislock_owner: the owner of a lock, who is told of its loss: the main program, a fiber, or a coroutine of Swoole.
 *
 * A lock has one owner: no other fiber or coroutine can enter a reentrant lock again. ReactPHP and Amp use PHP's own fibers.
 */
#ifndef REDISLOCK_OWNER_H
#define REDISLOCK_OWNER_H

#include "php/redislock_module.h"

#include <zend_fibers.h>

typedef struct {
	zend_fiber_context *fiber; /* NULL: the fiber has ended */
	long coroutine;            /* the coroutine's number, never used again; -1: none */
} redislock_owner;

/* Returns the number of the current coroutine. NULL: Swoole is not loaded. */
extern long (*redislock_owner_coroutine)(void);

static inline redislock_owner redislock_owner_now(void)
{
	return (redislock_owner){ EG(current_fiber_context),
		UNEXPECTED(redislock_owner_coroutine != NULL) ? redislock_owner_coroutine() : -1 };
}

static inline bool redislock_owner_is_coroutine(void)
{
	return redislock_owner_coroutine != NULL && redislock_owner_coroutine() != -1;
}

/* Does neither a fiber nor a coroutine run? */
static inline bool redislock_owner_is_main(void)
{
	return EG(current_fiber_context) == EG(main_fiber_context) && !redislock_owner_is_coroutine();
}

/* Does the owner run now? */
static inline bool redislock_owner_runs(const redislock_owner *owner)
{
	return owner->fiber == EG(current_fiber_context) &&
		(EXPECTED(redislock_owner_coroutine == NULL) || owner->coroutine == redislock_owner_coroutine());
}

/* Can the owner take no exception any more? A fiber that is being destroyed has clean-up left, which an exception would cut short. */
bool redislock_owner_is_gone(const redislock_owner *owner);

/* Is `resumed` of redislock_owner_startup() certain to be called whenever the owner goes on? Not for main, nor for a coroutine. */
static inline bool redislock_owner_is_resumed(const redislock_owner *owner)
{
	return owner->coroutine == -1 && owner->fiber != EG(main_fiber_context);
}

/* Called when a coroutine begins to hold a process-bound lock: from now on `resumed` is called when any coroutine goes on. */
void redislock_owner_watch_coroutine(void);

/* Called once per process, after all extensions are loaded. `resumed`: called when a fiber goes on. */
void redislock_owner_startup(void (*resumed)(void));

#endif
