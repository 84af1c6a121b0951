/*
 * rlk_hooks: what a long wait asks of its host.
 */
#ifndef RLK_HOOKS_H
#define RLK_HOOKS_H

#include "base/rlk_error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
	/* Has a signal left something to do? Called with all signals blocked, so no more than a look at a flag. */
	bool (*pending)(void *arg);
	/* Does it: lets the host run its signal handlers, which may use the very connection that waits. Never leaves by
	 * longjmp. true: stop waiting (RLK_ERR_INTERRUPTED). */
	bool (*interrupted)(void *arg);
	/* May be NULL. From now on the lock may become ours for a provisional ttl only, which whoever renews it has to extend at that
	 * point in time. Told before we wait, since afterwards every microsecond counts. */
	void (*provisional)(void *arg, int64_t extend_at_ms);
	/* May be NULL. An attempt is about to be made and needs a token of its own: the first, on several servers each, and on
	 * one that which follows a connection that was closed while nobody used it. false: it cannot be made, *err says why. */
	bool (*attempt)(void *arg, rlk_error *err);
	void *arg;
} rlk_hooks;

#endif
