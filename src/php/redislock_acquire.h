/*
 * redislock_acquire: taking, extending, confirming and letting go of a hold, the renewal child included.
 *
 * Functions that return a rlk_outcome throw for RLK_UNKNOWN and RLK_FAIL.
 */
#ifndef REDISLOCK_ACQUIRE_H
#define REDISLOCK_ACQUIRE_H

#include "php/redislock_hold.h"

/* All releases at the end of a request together: the client of an FPM worker waits for it. */
#define REDISLOCK_SHUTDOWN_MS 1000

/* Takes the lock with the options of *config, trying for wait_ms (0: once, RLK_NEVER: without limit). The hold is IDLE
 * or over. */
rlk_outcome redislock_acquire(redislock_hold *hold, const rlk_config *config, int64_t wait_ms);

/* The server has refused to acquire or release it. Throws if that is so because the key holds no lock. */
void redislock_throw_if_no_lock(redislock_hold *hold);

/* Throws what is to be said of a release with release_async whose answer has come since. false: nothing. */
bool redislock_report_late(redislock_hold *hold);

/* Sets the TTL; ttl_ms 0 drops the expiry. A restored lock becomes held. */
rlk_outcome redislock_extend(redislock_hold *hold, int64_t ttl_ms);

/* Asks the server. A restored lock becomes held. */
rlk_outcome redislock_confirm(redislock_hold *hold);

/* Frees it. RLK_NO: not held, or no longer ours. */
rlk_outcome redislock_release(redislock_hold *hold);

/* As redislock_release() without throwing: *err says what went wrong; a process-bound lock whose release is not
 * confirmed is left to the renewal child. */
rlk_outcome redislock_release_unthrown(redislock_hold *hold, rlk_error *err);

/* For destructors: nobody is there to be told. In the shutdown of a process that has forked copies, notes
 * that the lock ends here: a daemon has to acquire after its last fork. */
void redislock_release_quietly(redislock_hold *hold);

/* At the end of the request: says what redislock_release_quietly() has noted. */
void redislock_warn_of_copies(void);

/* As redislock_release_quietly(), with what is left of the time for all of them. */
void redislock_release_at_end(redislock_hold *hold, int64_t deadline_at_ms);

/* Puts a token into an idle hold, unconfirmed. */
void redislock_restore(redislock_hold *hold, const rlk_config *config, zend_string *token);

/* Ends renewal and every automatic release; the key stays, with its whole ttl. The hold is HELD. false: exception thrown;
 * unless it was lost, all is as before. */
bool redislock_detach(redislock_hold *hold);

/* Its key was deleted here by force: it is held no more, and whoever runs under a process-bound one is told. */
void redislock_hold_is_gone(redislock_hold *hold);

/* Deletes the key, whoever holds it. `own`: what the caller has by this hold ends with that, and is no loss. */
rlk_outcome redislock_force_release(redislock_hold *hold, bool own);

#endif
