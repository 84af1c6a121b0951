/*
 * rlk_quorum: see the header.
 */
#include "lock/rlk_quorum.h"

#include "base/rlk_clock.h"

#include <string.h>

int rlk_quorum_needed(int count)
{
	return count / 2 + 1;
}

void rlk_quorum_begin(rlk_quorum *quorum, int count, rlk_round round, int64_t valid_until_ms)
{
	memset(quorum, 0, sizeof(*quorum));
	quorum->count = count;
	quorum->round = round;
	quorum->valid_until_ms = valid_until_ms;
	quorum->hear_until_ms = RLK_NEVER;
}

void rlk_quorum_ask(rlk_quorum *quorum, int server, int64_t give_up_at_ms)
{
	quorum->votes[server] = RLK_VOTE_PENDING;
	quorum->give_up_at_ms[server] = give_up_at_ms;
}

void rlk_quorum_sent(rlk_quorum *quorum, int server)
{
	quorum->sent |= UINT32_C(1) << server;
}

void rlk_quorum_answer(rlk_quorum *quorum, int server, rlk_vote vote)
{
	if (quorum->votes[server] == RLK_VOTE_PENDING)
		quorum->votes[server] = vote;
}

int rlk_quorum_votes(const rlk_quorum *quorum, rlk_vote vote)
{
	int votes = 0;

	for (int i = 0; i < quorum->count; i++)
		votes += quorum->votes[i] == vote;
	return votes;
}

rlk_verdict rlk_quorum_judge(rlk_quorum *quorum, int64_t now_ms)
{
	int needed = rlk_quorum_needed(quorum->count), yes, no, pending;

	for (int i = 0; i < quorum->count; i++) {
		if (quorum->votes[i] == RLK_VOTE_PENDING && now_ms >= quorum->give_up_at_ms[i])
			quorum->votes[i] = RLK_VOTE_SILENT;
	}
	yes = rlk_quorum_votes(quorum, RLK_VOTE_YES);
	no = rlk_quorum_votes(quorum, RLK_VOTE_NO);
	pending = rlk_quorum_votes(quorum, RLK_VOTE_PENDING);
	if (quorum->round == RLK_ROUND_HEAR) {
		if (pending > 0 && now_ms < quorum->hear_until_ms)
			return RLK_VERDICT_OPEN;
		return yes + no >= needed ? RLK_VERDICT_YES : RLK_VERDICT_TROUBLE;
	}
	if (yes >= needed)
		return now_ms < quorum->valid_until_ms ? RLK_VERDICT_YES : RLK_VERDICT_LATE;
	if (quorum->round == RLK_ROUND_TAKE) {
		/* Lost as soon as the yeses cannot become enough; whether for want of luck or of servers, those still
		 * pending may have to tell. */
		if (yes + pending < needed && yes + no >= needed)
			return RLK_VERDICT_NO;
		return yes + no + pending < needed ? RLK_VERDICT_TROUBLE : RLK_VERDICT_OPEN;
	}
	if (no > quorum->count - needed)
		return RLK_VERDICT_NO;
	if (yes + pending < needed && no + pending <= quorum->count - needed)
		return RLK_VERDICT_TROUBLE;
	return RLK_VERDICT_OPEN;
}

int64_t rlk_quorum_next_at(const rlk_quorum *quorum)
{
	int64_t next_at_ms = quorum->hear_until_ms;

	for (int i = 0; i < quorum->count; i++) {
		if (quorum->votes[i] == RLK_VOTE_PENDING && quorum->give_up_at_ms[i] < next_at_ms)
			next_at_ms = quorum->give_up_at_ms[i];
	}
	return next_at_ms;
}

bool rlk_quorum_may_have(const rlk_quorum *quorum, int server)
{
	rlk_vote vote = quorum->votes[server];

	return vote == RLK_VOTE_YES ||
		((quorum->sent & (UINT32_C(1) << server)) != 0 && (vote == RLK_VOTE_PENDING || vote == RLK_VOTE_SILENT));
}

int64_t rlk_quorum_pause_ms(int64_t delay_ms, uint32_t random)
{
	int64_t half_ms = delay_ms / 2;

	return half_ms + random % (delay_ms - half_ms + 1);
}

int64_t rlk_quorum_majority_until(const int64_t *until_ms, int known, int count)
{
	int needed = rlk_quorum_needed(count);
	int64_t majority_until_ms = 0;

	/* The latest moment that enough of them reach. */
	for (int i = 0; i < known; i++) {
		int reach = 0;

		for (int j = 0; j < known; j++)
			reach += until_ms[j] >= until_ms[i];
		if (reach >= needed && until_ms[i] > majority_until_ms)
			majority_until_ms = until_ms[i];
	}
	return majority_until_ms;
}
