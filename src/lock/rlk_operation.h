/*
 * rlk_operation: one request about a lock, to its server or, at the same time, to its servers, and what the replies mean.
 */
#ifndef RLK_OPERATION_H
#define RLK_OPERATION_H

#include "base/rlk_clock.h"
#include "lock/rlk_pending.h"
#include "lock/rlk_votes.h"
#include "redis/rlk_call.h"

/* How much of a TTL may be relied upon: less 1 % for clocks of different speed, rounded up, and 2 ms for the precision of
 * Redis' expiry, the margin of the Redlock specification. A TTL too short for that keeps it. 0 = no expiry gives RLK_NEVER. */
static inline int64_t rlk_validity_ms(int64_t ttl_ms)
{
	return ttl_ms == 0 ? RLK_NEVER : ttl_ms >= 10 ? ttl_ms - (ttl_ms + 99) / 100 - 2 : ttl_ms;
}

typedef struct {
	rlk_request request; /* keys[0] is that of the lock */
	rlk_round round;
	/* What a reply means that is no error: RLK_VOTE_YES or _NO; anything else: it does not fit. */
	rlk_vote (*read)(void *arg, int server, const rlk_reply *reply);
	void *arg;
	bool may_repeat; /* nothing is lost when it is executed twice */
	bool repeated;   /* on return: an earlier attempt may have done it, whatever became of the last one */
	/* Set when the keys behind the first are not for us, and it was done without them: whoever may not touch them still gets
	 * rid of the lock, and those who wait look again by themselves after a while. */
	bool *wakes_nobody;

	/* Of several servers only. */
	uint32_t among;   /* those to ask, a bit each */
	int64_t ttl_ms;   /* what a yes is about; 0: no time */
	int64_t until_ms; /* RLK_ROUND_HEAR: who is to be heard has to speak by then */
	bool resets;      /* may not arrive late: the connection is reset when it is given up without the answer */
	/* What is to follow should a server not answer, unless its token is given; NULL: nothing. Never NULL in RLK_ROUND_TAKE. */
	const rlk_release *pending;
	/* What a server is asked that said no, and may have done it before: now, or, with `unsure`, before this round. NULL:
	 * nothing. */
	const rlk_request *adopt;
	bool unsure;
	/* A no in answer to a request repeated after its connection broke is a yes: it was done the first time. */
	bool repeated_no_is_yes;
	uint32_t released_before; /* those that may be told the same ahead of it: it is a repetition */
} rlk_operation;

#define RLK_SERVERS_ALL UINT32_MAX

#endif
