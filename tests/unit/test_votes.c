/*
 * rlk_votes: the rules, one by one. What they are worth together the simulator shows, see tests/simulate.
 */
#include "lock/rlk_votes.h"

#include "base/rlk_os.h"
#include "unit.h"

static rlk_votes votes;

/* Begins at 1000 with everybody asked until 1050. */
static void begin(int count, rlk_round round)
{
	rlk_votes_begin(&votes, count, round, 1988, RLK_NEVER);
	for (int i = 0; i < count; i++) {
		rlk_votes_ask(&votes, i, 1050);
		rlk_votes_sent(&votes, i, 1050);
	}
}

/* One letter for each server: y, n, r(efused), s(ilent), p(ending). */
static rlk_verdict judge(rlk_round round, const char *letters)
{
	int count = (int)strlen(letters);

	begin(count, round);
	for (int i = 0; i < count; i++) {
		if (letters[i] != 'p')
			rlk_votes_answer(&votes, i,
				letters[i] == 'y'     ? RLK_VOTE_YES :
					letters[i] == 'n' ? RLK_VOTE_NO :
					letters[i] == 'r' ? RLK_VOTE_REFUSED :
										RLK_VOTE_SILENT);
	}
	return rlk_votes_judge(&votes, 1010);
}

static void more_than_half_in_whole_numbers(void)
{
	static const int needed[] = { 0, 1, 2, 2, 3, 3, 4, 4, 5, 5 };

	for (int n = 1; n <= 9; n++) {
		CHECK_INT(rlk_votes_needed(n), needed[n]);
		for (int yes = 0; yes <= n; yes++) {
			begin(n, RLK_ROUND_ACQUIRE);
			for (int i = 0; i < n; i++)
				rlk_votes_answer(&votes, i, i < yes ? RLK_VOTE_YES : RLK_VOTE_NO);
			CHECK_INT(rlk_votes_judge(&votes, 1010), 2 * yes > n ? RLK_VERDICT_YES : RLK_VERDICT_NO);
		}
	}
}

static void taking_ends_as_soon_as_nothing_can_change(void)
{
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "yyppp"), RLK_VERDICT_OPEN);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "yyypp"), RLK_VERDICT_YES);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "yypsn"), RLK_VERDICT_OPEN);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "nnppp"), RLK_VERDICT_OPEN);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "nnnpp"), RLK_VERDICT_NO);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "yynnn"), RLK_VERDICT_NO);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "yyss"), RLK_VERDICT_TROUBLE);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "yynn"), RLK_VERDICT_NO);
	/* Lost already, but somebody else's doing or the servers'? */
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "nsspp"), RLK_VERDICT_OPEN);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "nssny"), RLK_VERDICT_NO);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "yysrs"), RLK_VERDICT_TROUBLE);
	CHECK_INT(judge(RLK_ROUND_ACQUIRE, "srspp"), RLK_VERDICT_TROUBLE);
}

static void keeping_is_lost_only_when_no_majority_is_left(void)
{
	CHECK_INT(judge(RLK_ROUND_OWNED, "yyypp"), RLK_VERDICT_YES);
	CHECK_INT(judge(RLK_ROUND_OWNED, "yynnp"), RLK_VERDICT_OPEN);
	CHECK_INT(judge(RLK_ROUND_OWNED, "yynns"), RLK_VERDICT_TROUBLE);
	CHECK_INT(judge(RLK_ROUND_OWNED, "nnppp"), RLK_VERDICT_OPEN);
	CHECK_INT(judge(RLK_ROUND_OWNED, "nnnpp"), RLK_VERDICT_NO);
	CHECK_INT(judge(RLK_ROUND_OWNED, "nnsss"), RLK_VERDICT_TROUBLE);
	CHECK_INT(judge(RLK_ROUND_OWNED, "nnpp"), RLK_VERDICT_NO);
	CHECK_INT(judge(RLK_ROUND_OWNED, "ssspp"), RLK_VERDICT_TROUBLE);
	CHECK_INT(judge(RLK_ROUND_OWNED, "sspyp"), RLK_VERDICT_OPEN);
	CHECK_INT(judge(RLK_ROUND_OWNED, "sssyp"), RLK_VERDICT_TROUBLE);
	CHECK_INT(judge(RLK_ROUND_OWNED, "s"), RLK_VERDICT_TROUBLE);
}

static void hearing_waits_for_everybody(void)
{
	CHECK_INT(judge(RLK_ROUND_SURVEY, "yyyyp"), RLK_VERDICT_OPEN);
	CHECK_INT(judge(RLK_ROUND_SURVEY, "yyssn"), RLK_VERDICT_YES);
	CHECK_INT(judge(RLK_ROUND_SURVEY, "yyssr"), RLK_VERDICT_TROUBLE);
}

static void hearing_may_have_an_end(void)
{
	static const struct {
		const char *votes;
		rlk_verdict at_the_end;
	} cases[] = { { "ynp", RLK_VERDICT_YES }, { "ypp", RLK_VERDICT_TROUBLE } };

	for (int i = 0; i < 2; i++) {
		judge(RLK_ROUND_SURVEY, cases[i].votes);
		votes.until_ms = 1020;
		CHECK_INT(rlk_votes_next_at(&votes), 1020);
		CHECK_INT(rlk_votes_judge(&votes, 1019), RLK_VERDICT_OPEN);
		CHECK_INT(rlk_votes_judge(&votes, 1020), cases[i].at_the_end);
		CHECK_INT(votes.cast[2], RLK_VOTE_AWAITED); /* not given up: it has had less time than others give it */
	}
}

/* Who has not answered by then is not given up: it has had less time than others give it. */
static void the_round_ends_at_its_deadline(void)
{
	static const rlk_round rounds[] = { RLK_ROUND_ACQUIRE, RLK_ROUND_OWNED };

	for (int i = 0; i < 2; i++) {
		judge(rounds[i], "yypp");
		votes.until_ms = 1020;
		CHECK_INT(rlk_votes_next_at(&votes), 1020);
		CHECK_INT(rlk_votes_judge(&votes, 1019), RLK_VERDICT_OPEN);
		CHECK(!votes.over);
		CHECK_INT(rlk_votes_judge(&votes, 1020), RLK_VERDICT_TROUBLE);
		CHECK(votes.over);
		CHECK_INT(votes.cast[2], RLK_VOTE_AWAITED);
	}
}

static void who_is_late_is_silent_and_stays_so(void)
{
	begin(3, RLK_ROUND_ACQUIRE);
	rlk_votes_ask(&votes, 2, 1100);
	CHECK_INT(rlk_votes_next_at(&votes), 1050);
	rlk_votes_answer(&votes, 0, RLK_VOTE_YES);
	CHECK_INT(rlk_votes_judge(&votes, 1049), RLK_VERDICT_OPEN);
	CHECK_INT(rlk_votes_judge(&votes, 1050), RLK_VERDICT_OPEN);
	CHECK_INT(rlk_votes_next_at(&votes), 1100);
	rlk_votes_answer(&votes, 1, RLK_VOTE_YES);
	CHECK_INT(rlk_votes_judge(&votes, 1051), RLK_VERDICT_OPEN);
	CHECK_INT(rlk_votes_judge(&votes, 1100), RLK_VERDICT_TROUBLE);
	CHECK_INT(rlk_votes_next_at(&votes), RLK_NEVER);
}

static void a_yes_after_the_validity_is_none(void)
{
	/* 1000 ms less 10 and 2. */
	for (int i = 0; i < 2; i++) {
		judge(RLK_ROUND_ACQUIRE, "yyy");
		CHECK_INT(rlk_votes_judge(&votes, 1987 + i), i == 0 ? RLK_VERDICT_YES : RLK_VERDICT_LATE);
	}
}

static void what_may_have_been_done(void)
{
	begin(5, RLK_ROUND_ACQUIRE);
	rlk_votes_answer(&votes, 0, RLK_VOTE_YES);
	rlk_votes_answer(&votes, 1, RLK_VOTE_NO);
	rlk_votes_answer(&votes, 2, RLK_VOTE_REFUSED);
	rlk_votes_answer(&votes, 3, RLK_VOTE_SILENT);
	CHECK_INT(rlk_votes_may_have(&votes), RLK_SERVER_BIT(0) | RLK_SERVER_BIT(3) | RLK_SERVER_BIT(4));
	rlk_votes_begin(&votes, 2, RLK_ROUND_ACQUIRE, RLK_NEVER, RLK_NEVER);
	rlk_votes_ask(&votes, 0, 10);
	CHECK_INT(rlk_votes_may_have(&votes), 0); /* never sent; not even asked */
}

static void the_majority_holds_until_the_last_needed_of_them(void)
{
	static const int64_t until[] = { 50, 0, 30, 40, 10 };

	CHECK_INT(rlk_votes_majority_until(until, 5, 5), 30);
	CHECK_INT(rlk_votes_majority_until(until, 3, 5), 0);
	CHECK_INT(rlk_votes_majority_until(until, 1, 1), 50);
	CHECK_INT(rlk_votes_majority_until(until, 4, 4), 30);
}

static void pauses_are_between_half_and_whole(void)
{
	int64_t least = INT64_MAX, most = 0;

	for (uint32_t random = 0; random < 1000; random++) {
		int64_t pause_ms = rlk_votes_pause_ms(201, random);

		least = pause_ms < least ? pause_ms : least;
		most = pause_ms > most ? pause_ms : most;
	}
	CHECK_INT(least, 100);
	CHECK_INT(most, 201);
	CHECK_INT(rlk_votes_pause_ms(0, 77), 0);
}

int main(void)
{
	RUN(more_than_half_in_whole_numbers);
	RUN(taking_ends_as_soon_as_nothing_can_change);
	RUN(keeping_is_lost_only_when_no_majority_is_left);
	RUN(hearing_waits_for_everybody);
	RUN(hearing_may_have_an_end);
	RUN(the_round_ends_at_its_deadline);
	RUN(who_is_late_is_silent_and_stays_so);
	RUN(a_yes_after_the_validity_is_none);
	RUN(what_may_have_been_done);
	RUN(the_majority_holds_until_the_last_needed_of_them);
	RUN(pauses_are_between_half_and_whole);
	return unit_done();
}
