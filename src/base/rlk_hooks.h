/*
 * rlk_hooks: what a long wait asks of its host.
 */
#ifndef RLK_HOOKS_H
#define RLK_HOOKS_H

#include <stdbool.h>

typedef struct {
	/* Called before a sleep and when a signal ended it, never while a request is under way. Lets the host run its
	 * signal handlers; may leave by longjmp. true: stop waiting (RLK_ERR_INTERRUPTED). NULL: nothing to do. */
	bool (*interrupted)(void *arg);
	void *arg;
} rlk_hooks;

#endif
