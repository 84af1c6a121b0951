/*
 * redislock_owner: who runs PHP code: a fiber, or a coroutine of Swoole.
 *
 * What one of them holds another one does not: it does not enter a reentrant
 * lock again, and is not told of its loss. The fibers of ReactPHP and Amp are
 * PHP's own.
 */
#ifndef REDISLOCK_OWNER_H
#define REDISLOCK_OWNER_H

#include "php/redislock_module.h"

#include <zend_fibers.h>

typedef struct {
	zend_fiber_context *fiber; /* NULL: it is gone */
	long coroutine;            /* numbers are not used again; -1: none */
} redislock_owner;

/* The number of the coroutine that runs. NULL: there are none. */
extern long (*redislock_owner_coroutine)(void);

/* Finds what Swoole exports, if that is loaded. Once per process. */
void redislock_owner_startup(void);

/* Has `resumed` called whenever a coroutine goes on that had yielded to the event loop. To be called in a coroutine; in vain with
 * versions of Swoole that do not export what is needed. */
void redislock_owner_watch_coroutines(void (*resumed)(void));

static inline redislock_owner redislock_owner_now(void)
{
	return (redislock_owner){ EG(current_fiber_context),
		UNEXPECTED(redislock_owner_coroutine != NULL) ? redislock_owner_coroutine() : -1 };
}

/* Is it neither a fiber nor a coroutine? */
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
