/*
 * redislock_extend: what happens to a hold between its beginning and its end: extended, confirmed, given away.
 *
 * Functions that return a rlk_outcome throw for RLK_UNKNOWN and RLK_FAIL.
 */
#ifndef REDISLOCK_EXTEND_H
#define REDISLOCK_EXTEND_H

#include "php/redislock_hold.h"

/* Sets the TTL; ttl_ms 0 drops the expiry. A restored lock becomes held. */
rlk_outcome redislock_extend(redislock_hold *hold, int64_t ttl_ms);

/* Asks the server. A restored lock becomes held. */
rlk_outcome redislock_confirm(redislock_hold *hold);

/* Ends renewal and every automatic release; the key stays, with its whole ttl. The hold is HELD. false: exception thrown;
 * unless it was lost, all is as before. */
bool redislock_detach(redislock_hold *hold);

#endif
