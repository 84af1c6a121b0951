/*
 * rlk_hooks: what a long wait asks of its host.
 */
#ifndef RLK_HOOKS_H
#define RLK_HOOKS_H

#include <stdbool.h>

typedef struct {
	/* Has a signal left something to do? Called with all signals blocked, so no more than a look at a flag. */
	bool (*pending)(void *arg);
	/* Does it: lets the host run its signal handlers, which may use the very connection that waits. Never leaves by
	 * longjmp. true: stop waiting (RLK_ERR_INTERRUPTED). */
	bool (*interrupted)(void *arg);
	void *arg;
} rlk_hooks;

#endif
