/*
 * redislock_acquire: how a hold begins: acquired, or taken over by its token; the renewal child included.
 *
 * Functions that return a rlk_outcome throw for RLK_UNKNOWN and RLK_FAIL.
 */
#ifndef REDISLOCK_ACQUIRE_H
#define REDISLOCK_ACQUIRE_H

#include "php/redislock_hold.h"

/* Takes the lock with the options of *config, trying for wait_ms (0: once, RLK_NEVER: without limit). The hold is IDLE
 * or over. */
rlk_outcome redislock_acquire(redislock_hold *hold, const rlk_config *config, int64_t wait_ms);

/* Puts a token into an idle hold, unconfirmed. */
void redislock_restore(redislock_hold *hold, const rlk_config *config, zend_string *token);

/* The server has confirmed a restored token. Made process-bound if the options say so; if that fails, it is still there to
 * be confirmed or released. */
rlk_outcome redislock_adopt(redislock_hold *hold, int64_t ttl_ms);

#endif
