/*
 * redislock_owner: which fiber or Swoole coroutine runs.
 *
 * What one of them holds, another does not: it cannot enter a reentrant lock
 * again, and is not told of a loss. ReactPHP and Amp use PHP's own fibers.
 */
#ifndef REDISLOCK_OWNER_H
#define REDISLOCK_OWNER_H

#include "php/redislock_module.h"

#include <zend_fibers.h>

typedef struct {
	zend_fiber_context *fiber; /* NULL: it has ended */
	long coroutine;            /* its number, never used again; -1: none */
} redislock_owner;

/* Returns the number of the current coroutine. NULL: Swoole is not loaded. */
extern long (*redislock_owner_coroutine)(void);

/* Looks for Swoole. Once per process, after all extensions are loaded. */
void redislock_owner_startup(void);

/* Has `resumed` called whenever a coroutine continues after it yielded. To be called in a coroutine. Does nothing if this
 * version of Swoole does not export what it takes. */
void redislock_owner_watch_coroutines(void (*resumed)(void));

static inline redislock_owner redislock_owner_now(void)
{
	return (redislock_owner){ EG(current_fiber_context),
		UNEXPECTED(redislock_owner_coroutine != NULL) ? redislock_owner_coroutine() : -1 };
}

/* Does neither a fiber nor a coroutine run? */
static inline bool redislock_owner_is_main(void)
{
	return EG(current_fiber_context) == EG(main_fiber_context) &&
		(redislock_owner_coroutine == NULL || redislock_owner_coroutine() == -1);
}

/* Does it run now? */
static inline bool redislock_owner_runs(const redislock_owner *owner)
{
	return owner->fiber == EG(current_fiber_context) &&
		(EXPECTED(redislock_owner_coroutine == NULL) || owner->coroutine == redislock_owner_coroutine());
}

#endif
