/*
 * rlk_votes: do most of the servers agree, and how long may that be relied upon?
 *
 * One request is put to n servers at the same time: a round. What they say
 * goes in, what to believe comes out. No I/O and no clock here: whoever asks
 * the servers (rlk_quorum.h, or a simulation) brings the answers and the time.
 *
 * Three results of a round are kept apart, as everywhere: most servers agree;
 * the answers rule it out; too few answered to know. A round is over as soon
 * as no further answer could change its result.
 */
#ifndef RLK_VOTES_H
#define RLK_VOTES_H

#include "base/rlk_os.h"

#include <stdbool.h>
#include <stdint.h>

#define RLK_QUORUM_MAX 32

typedef enum {
	RLK_ROUND_TAKE, /* a no means that somebody else has it; few noes among many yeses are a no all the same */
	RLK_ROUND_KEEP, /* about what we have: a no means "not yours"; only so many that no quorum is left are a no */
	RLK_ROUND_HEAR  /* everybody is heard: a yes once most have answered, whatever they said */
} rlk_round;

typedef enum {
	RLK_VOTE_NONE,    /* not asked, and not going to be: counts as an answer that never comes */
	RLK_VOTE_PENDING, /* asked, or about to be */
	RLK_VOTE_YES,
	RLK_VOTE_NO,
	RLK_VOTE_REFUSED, /* the server answered with an error: it has certainly not done it */
	RLK_VOTE_SILENT   /* no answer in time, or the connection broke: it may have done it, if it was sent */
} rlk_vote;

typedef enum {
	RLK_VERDICT_OPEN,
	RLK_VERDICT_YES,
	RLK_VERDICT_NO,
	RLK_VERDICT_TROUBLE, /* too few servers answered */
	RLK_VERDICT_LATE     /* most agreed, but by now the validity is over */
} rlk_verdict;

typedef struct {
	int count; /* 1..RLK_QUORUM_MAX */
	rlk_round round;
	int64_t valid_until_ms; /* of a yes; RLK_NEVER: the round is about no time */
	int64_t hear_until_ms;  /* who is to be heard has to speak by then; RLK_NEVER, unless changed after the beginning */
	uint32_t sent;          /* servers to which at least a part of the request has left, a bit each */
	rlk_vote cast[RLK_QUORUM_MAX];
	int64_t give_up_at_ms[RLK_QUORUM_MAX]; /* of those PENDING */
} rlk_votes;

/* How many of n have to agree: more than half, so that two quorums always share a server. */
int rlk_votes_needed(int count);

/* Starts a round with nobody asked yet. Validity counts from here, before anything is sent. */
void rlk_votes_begin(rlk_votes *votes, int count, rlk_round round, int64_t valid_until_ms);

/* The server is going to be asked, and is given up at that point in time. */
void rlk_votes_ask(rlk_votes *votes, int server, int64_t give_up_at_ms);

/* The request has left for it. */
void rlk_votes_sent(rlk_votes *votes, int server);

/* What became of it. An answer after the server was given up, or a second one, changes nothing. */
void rlk_votes_answer(rlk_votes *votes, int server, rlk_vote vote);

/* The result by now; servers whose time is over become SILENT. */
rlk_verdict rlk_votes_judge(rlk_votes *votes, int64_t now_ms);

/* When rlk_votes_judge() has to be asked again without any answer; RLK_NEVER: nobody is pending. */
int64_t rlk_votes_next_at(const rlk_votes *votes);

/* May the server have done what it was asked? True for a yes, and for a request that left and was not answered. */
bool rlk_votes_may_have(const rlk_votes *votes, int server);

int rlk_votes_count(const rlk_votes *votes, rlk_vote vote);

/* How much of a TTL may be relied upon: less 1 % for clocks of different speed, rounded up, and 2 ms for the precision of
 * Redis' expiry, the margin of the Redlock specification. A TTL too short for that keeps it. 0 = no expiry gives RLK_NEVER. */
static inline int64_t rlk_validity_ms(int64_t ttl_ms)
{
	return ttl_ms == 0 ? RLK_NEVER : ttl_ms >= 10 ? ttl_ms - (ttl_ms + 99) / 100 - 2 : ttl_ms;
}

/* The pause between two attempts: from half the delay to all of it, since those who failed together would otherwise
 * split the votes again. `random` is any number. */
int64_t rlk_votes_pause_ms(int64_t delay_ms, uint32_t random);

/* Until when most of the servers have the lock, given until when each of them has it (0: not at all). */
int64_t rlk_votes_majority_until(const int64_t *until_ms, int known, int count);

#endif
