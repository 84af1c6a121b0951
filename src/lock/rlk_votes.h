/*
 * rlk_votes: decides whether most of the servers agree, and how long that may be relied upon.
 *
 * A round sends one request to n servers at the same time. Answers and times go in, the result comes out: no I/O and no
 * clock here. A round has three results: most servers agree; the answers rule that out; too few answered to know. It is
 * over as soon as no further answer could change the result.
 */
#ifndef RLK_VOTES_H
#define RLK_VOTES_H

#include "base/rlk_os.h"

#include <stdbool.h>
#include <stdint.h>

#define RLK_QUORUM_MAX 32

/* The bit of server i in a set of servers. */
#define RLK_SERVER_BIT(i) (UINT32_C(1) << (i))

typedef enum {
	RLK_ROUND_ACQUIRE, /* a no: another owner has it. A few noes can be enough, as soon as the yeses cannot be most */
	RLK_ROUND_OWNED,   /* about a lock that we hold. A no: not ours; the result is no once no majority is left */
	RLK_ROUND_SHORTEN, /* likewise, but a yes awaits the answers of all servers that the request was sent to: see rlk_extend.c */
	RLK_ROUND_SURVEY /* all answers are awaited: yes if most servers have answered, whatever their answer */
} rlk_round;

typedef enum {
	RLK_VOTE_NONE,    /* not asked in this round */
	RLK_VOTE_AWAITED, /* asked, or about to be */
	RLK_VOTE_YES,
	RLK_VOTE_NO,
	RLK_VOTE_REFUSED, /* the server answered with an error, and has not executed the request */
	RLK_VOTE_SILENT   /* no answer in time, or the connection broke: a request that was sent may have been executed */
} rlk_vote;

typedef enum {
	RLK_VERDICT_OPEN,
	RLK_VERDICT_YES,
	RLK_VERDICT_NO,
	RLK_VERDICT_TROUBLE, /* too few servers answered */
	RLK_VERDICT_LATE,    /* most agreed, but the validity is over */
	RLK_VERDICT_STOPPED  /* never of rlk_votes_judge(): the round has ended before */
} rlk_verdict;

typedef struct {
	int count; /* 1..RLK_QUORUM_MAX */
	rlk_round round;
	int64_t valid_until_ms; /* of a yes; RLK_NEVER: it does not end */
	int64_t until_ms;       /* the round ends then; RLK_NEVER: it has no deadline */
	bool over;              /* the result with which it has ended */
	uint32_t sent;          /* servers to which at least a part of the request was sent, a bit each */
	rlk_vote cast[RLK_QUORUM_MAX];
	int64_t silent_at_ms[RLK_QUORUM_MAX]; /* of servers that are AWAITED */
} rlk_votes;

/* How many of n servers have to agree: more than half, so that two quorums always share a server. */
int rlk_votes_needed(int count);

/* Starts a round in which no server is asked yet. Validity counts from here, before anything is sent. */
void rlk_votes_begin(rlk_votes *votes, int count, rlk_round round, int64_t valid_until_ms, int64_t until_ms);

/* Marks a server as one to ask. It is given up if it cannot be asked before this point in time. */
void rlk_votes_ask(rlk_votes *votes, int server, int64_t silent_at_ms);

/* Notes that the request, or a further one that the answer made necessary, was sent to the server. The server is given
 * up if it does not answer before this point in time. */
void rlk_votes_sent(rlk_votes *votes, int server, int64_t silent_at_ms);

/* Notes an answer of the server. An answer after the server was given up, or a second one, changes nothing. */
void rlk_votes_answer(rlk_votes *votes, int server, rlk_vote vote);

/* Returns the result so far. Servers whose time is over become SILENT. */
rlk_verdict rlk_votes_judge(rlk_votes *votes, int64_t now_ms);

/* The point in time at which rlk_votes_judge() must be called again if no answer comes; RLK_NEVER: no server is
 * awaited. */
int64_t rlk_votes_next_at(const rlk_votes *votes);

/* The servers that may have executed the request, a bit each: those that said yes, and those that have not answered a
 * request. */
uint32_t rlk_votes_may_have(const rlk_votes *votes);

int rlk_votes_count(const rlk_votes *votes, rlk_vote vote);

/* How long a lock with this TTL is valid: less 1 % for clocks of different speed, rounded up, and 2 ms for the precision of
 * Redis' expiry, the margin of the Redlock specification. A TTL below 10 ms is taken whole; 0 = no expiry gives RLK_NEVER. */
static inline int64_t rlk_validity_ms(int64_t ttl_ms)
{
	return ttl_ms == 0 ? RLK_NEVER : ttl_ms >= 10 ? ttl_ms - (ttl_ms + 99) / 100 - 2 : ttl_ms;
}

/* The pause between two attempts: half the delay to all of it, so that clients that failed together do not split the votes
 * again. `random` is any number. */
int64_t rlk_votes_pause_ms(int64_t delay_ms, uint32_t random);

/* The time until which most of the `count` servers have the lock, given the times of the `known` ones; 0: they do not
 * have it. */
int64_t rlk_votes_majority_until(const int64_t *until_ms, int known, int count);

#endif
