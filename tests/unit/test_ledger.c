/* unit: add tests/unit/fake_clock.c */
/* unit: link -Wl,--wrap=rlk_clock_now_ms */
/*
 * rlk_ledger: what may still run, and what that forbids.
 */
#include "lock/rlk_ledger.h"

#include "fake_clock.h"
#include "unit.h"

/* Each entry, then the next acquisition with a fresh token, or with the same one. */
static void entries(void)
{
	static const struct {
		char what; /* s(horten), d(owngrade), r(elease), R: in time */
		int64_t ttl_ms;
		int64_t least_ms; /* of 60 s */
		int64_t spent_ms;
		bool release, in_time;
		int64_t same_least_ms, same_spent_ms;
	} cases[] = {
		{ ' ', 0, 60000, 0, false, false, 60000, 0 },
		{ 's', 1000, 1000, 0, false, false, 1000, 0 },
		{ 's', 90000, 60000, 0, false, false, 60000, 0 },
		{ 's', 0, 60000, 0, false, false, 60000, 0 },
		{ 'd', 5000, 60000, 5000, false, false, 60000, 5000 },
		{ 'd', 0, 60000, 10000, false, false, 60000, 10000 },
		{ 'r', 0, 60000, 0, true, false, 60000, 0 },
		{ 'R', 0, 60000, 0, true, true, 60000, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_ledger ledger = { 0 };

		if (cases[i].what == 's')
			rlk_ledger_note_shorter(&ledger, cases[i].ttl_ms);
		else if (cases[i].what == 'd')
			rlk_ledger_spend(&ledger, cases[i].ttl_ms);
		else if (cases[i].what != ' ')
			rlk_ledger_note_release(&ledger, cases[i].what == 'R');
		for (int same = 2; same >= 0; same--) {
			int64_t spent_ms = same == 2 ? cases[i].spent_ms : same == 1 ? cases[i].same_spent_ms : 0;

			if (same < 2)
				rlk_ledger_begin(&ledger, same == 1);
			CHECK_INT(rlk_ledger_least_ttl_ms(&ledger, 60000),
				same == 2     ? cases[i].least_ms :
					same == 1 ? cases[i].same_least_ms :
								60000);
			CHECK(ledger.release == (same == 2 && cases[i].release));
			CHECK(ledger.release_in_time == (same == 2 && cases[i].in_time));
			fake_clock_set(FAKE_CLOCK_START_MS + spent_ms - 1);
			CHECK(rlk_ledger_may_acquire(&ledger, NULL) == (spent_ms == 0));
			fake_clock_set(FAKE_CLOCK_START_MS + spent_ms);
			CHECK(rlk_ledger_may_acquire(&ledger, NULL));
			fake_clock_set(FAKE_CLOCK_START_MS);
		}
	}
}

static void the_worst_is_kept(void)
{
	rlk_ledger ledger = { 0 };

	rlk_ledger_note_shorter(&ledger, 1000);
	rlk_ledger_note_shorter(&ledger, 5000);
	CHECK_INT(rlk_ledger_least_ttl_ms(&ledger, 0), 1000);
	CHECK_INT(rlk_ledger_least_ttl_ms(&ledger, 500), 500);
	rlk_ledger_spend(&ledger, 5000);
	rlk_ledger_spend(&ledger, 1000);
	CHECK_INT(ledger.spent_until_ms, FAKE_CLOCK_START_MS + 5000);
}

/* The first may have ended the lock at a time when another one could have it. */
static void only_the_first_release_says_whether_it_was_in_time(void)
{
	rlk_ledger ledger = { 0 };

	rlk_ledger_note_release(&ledger, false);
	rlk_ledger_note_release(&ledger, true);
	CHECK(!ledger.release_in_time);
	rlk_ledger_begin(&ledger, true);
	rlk_ledger_note_release(&ledger, true);
	rlk_ledger_note_release(&ledger, false);
	CHECK(ledger.release_in_time);
}

int main(void)
{
	RUN(entries);
	RUN(the_worst_is_kept);
	RUN(only_the_first_release_says_whether_it_was_in_time);
	return unit_done();
}
