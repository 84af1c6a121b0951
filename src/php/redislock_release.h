/*
 * redislock_release: how a hold ends: released, lost, at the end of its object, or of the request.
 *
 * Functions that return a rlk_outcome throw for RLK_UNKNOWN and RLK_FAIL.
 */
#ifndef REDISLOCK_RELEASE_H
#define REDISLOCK_RELEASE_H

#include "php/redislock_hold.h"

/* Frees it. RLK_NO: not held, or no longer ours. */
rlk_outcome redislock_release(redislock_hold *hold);

/* As redislock_release() without throwing: *err says what went wrong; a process-bound lock whose release is not
 * confirmed is left to the renewal child. *asked: the server was, as it is not about a lock that is known to be lost. */
rlk_outcome redislock_release_unthrown(redislock_hold *hold, bool *asked, rlk_error *err);

/* Lets a process-bound lock go that is LOST. Waits for no server: one that is away may be the reason. */
void redislock_release_lost(redislock_hold *hold);

/* As redislock_hold_reset(), and gives the release, which got no answer, to the renewal child, which has more time. Unless the
 * token was given: the caller may acquire with it next, and the key is left to its ttl. */
void redislock_release_unanswered(redislock_hold *hold);

/* Of a hold that redislock_hold_is_late(): throws what is to be said of it by now. false: nothing. */
bool redislock_release_report_late(redislock_hold *hold);

/* Deletes the key, whoever holds it. `own`: what the caller has by this hold ends with that, and is no loss. */
rlk_outcome redislock_release_by_force(redislock_hold *hold, bool own);

/* For destructors: nobody is there to be told. In the shutdown of a process that has forked copies, notes in
 * RLG(abandoned) that the lock ends here: a daemon has to acquire after its last fork. */
void redislock_release_quietly(redislock_hold *hold);

/* As redislock_release_quietly(), with what is left of the time for all of them. */
void redislock_release_at_end(redislock_hold *hold, int64_t deadline_at_ms);

/* As redislock_release_quietly(), at the end of one of the requests that a worker serves: its object may be used again.
 * From deadline_at_ms on the renewal child releases it. */
void redislock_release_in_time(redislock_hold *hold, int64_t deadline_at_ms);

void redislock_release_last_reference(redislock_hold *hold);

/* Drops a reference. A process-bound lock that loses its last one while held is released, without exceptions; a
 * lease stays on the server. */
static inline void redislock_release_reference(redislock_hold *hold)
{
	if (--hold->refcount == 0)
		redislock_release_last_reference(hold);
}

#endif
