/*
 * rlk_votes: see the header.
 */
#include "lock/rlk_votes.h"

#include <string.h>

int rlk_votes_needed(int count)
{
	return count / 2 + 1;
}

void rlk_votes_begin(rlk_votes *votes, int count, rlk_round round, int64_t valid_until_ms, int64_t until_ms)
{
	memset(votes, 0, sizeof(*votes));
	votes->count = count;
	votes->round = round;
	votes->valid_until_ms = valid_until_ms;
	votes->until_ms = until_ms;
}

void rlk_votes_ask(rlk_votes *votes, int server, int64_t silent_at_ms)
{
	votes->cast[server] = RLK_VOTE_AWAITED;
	votes->silent_at_ms[server] = silent_at_ms;
}

void rlk_votes_sent(rlk_votes *votes, int server, int64_t silent_at_ms)
{
	votes->sent |= RLK_SERVER_BIT(server);
	votes->silent_at_ms[server] = silent_at_ms;
}

void rlk_votes_answer(rlk_votes *votes, int server, rlk_vote vote)
{
	if (votes->cast[server] == RLK_VOTE_AWAITED)
		votes->cast[server] = vote;
}

int rlk_votes_count(const rlk_votes *votes, rlk_vote vote)
{
	int count = 0;

	for (int i = 0; i < votes->count; i++)
		count += votes->cast[i] == vote;
	return count;
}

/* Has a server been sent the request that may still answer while a yes is of use? */
static bool awaits_any(const rlk_votes *votes, int64_t now_ms)
{
	uint32_t awaited = 0;

	for (int i = 0; i < votes->count; i++)
		awaited |= votes->cast[i] == RLK_VOTE_AWAITED ? RLK_SERVER_BIT(i) : 0;
	return (awaited & votes->sent) != 0 && !votes->over && now_ms < votes->valid_until_ms;
}

rlk_verdict rlk_votes_judge(rlk_votes *votes, int64_t now_ms)
{
	int needed = rlk_votes_needed(votes->count), yes, no, awaited;

	votes->over = now_ms >= votes->until_ms;
	for (int i = 0; i < votes->count; i++) {
		if (votes->cast[i] == RLK_VOTE_AWAITED && now_ms >= votes->silent_at_ms[i])
			votes->cast[i] = RLK_VOTE_SILENT;
	}
	yes = rlk_votes_count(votes, RLK_VOTE_YES);
	no = rlk_votes_count(votes, RLK_VOTE_NO);
	awaited = rlk_votes_count(votes, RLK_VOTE_AWAITED);
	if (votes->round == RLK_ROUND_SURVEY) {
		if (awaited > 0 && !votes->over)
			return RLK_VERDICT_OPEN;
		return yes + no >= needed ? RLK_VERDICT_YES : RLK_VERDICT_TROUBLE;
	}
	if (yes >= needed && votes->round == RLK_ROUND_SHORTEN && awaits_any(votes, now_ms))
		return RLK_VERDICT_OPEN;
	if (yes >= needed)
		return now_ms < votes->valid_until_ms ? RLK_VERDICT_YES : RLK_VERDICT_LATE;
	if (votes->round == RLK_ROUND_ACQUIRE) {
		/* The round is lost as soon as the yeses cannot become enough. The awaited answers may decide whether the
		 * reason is other holders or a lack of servers. */
		if (yes + awaited < needed && yes + no >= needed)
			return RLK_VERDICT_NO;
		return votes->over || yes + no + awaited < needed ? RLK_VERDICT_TROUBLE : RLK_VERDICT_OPEN;
	}
	if (no > votes->count - needed)
		return RLK_VERDICT_NO;
	if (votes->over || (yes + awaited < needed && no + awaited <= votes->count - needed))
		return RLK_VERDICT_TROUBLE;
	return RLK_VERDICT_OPEN;
}

int64_t rlk_votes_next_at(const rlk_votes *votes)
{
	int64_t next_at_ms = votes->until_ms;

	for (int i = 0; i < votes->count; i++) {
		if (votes->cast[i] == RLK_VOTE_AWAITED && votes->silent_at_ms[i] < next_at_ms)
			next_at_ms = votes->silent_at_ms[i];
	}
	return next_at_ms;
}

uint32_t rlk_votes_may_have(const rlk_votes *votes)
{
	uint32_t may_have = 0;

	for (int i = 0; i < votes->count; i++) {
		if (votes->cast[i] == RLK_VOTE_YES)
			may_have |= RLK_SERVER_BIT(i);
		else if (votes->cast[i] == RLK_VOTE_AWAITED || votes->cast[i] == RLK_VOTE_SILENT)
			may_have |= RLK_SERVER_BIT(i) & votes->sent;
	}
	return may_have;
}

int64_t rlk_votes_pause_ms(int64_t delay_ms, uint32_t random)
{
	int64_t half_ms = delay_ms / 2;

	return half_ms + random % (delay_ms - half_ms + 1);
}

int64_t rlk_votes_majority_until(const int64_t *until_ms, int known, int count)
{
	int needed = rlk_votes_needed(count);
	int64_t majority_until_ms = 0;

	/* The latest point in time that enough of the servers reach. */
	for (int i = 0; i < known; i++) {
		int reach = 0;

		for (int j = 0; j < known; j++)
			reach += until_ms[j] >= until_ms[i];
		if (reach >= needed && until_ms[i] > majority_until_ms)
			majority_until_ms = until_ms[i];
	}
	return majority_until_ms;
}
