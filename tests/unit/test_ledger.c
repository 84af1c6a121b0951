/* unit: add tests/unit/fake_clock.c */
/* unit: link -Wl,--wrap=rlk_clock_now_ms */
/*
 * rlk_ledger: what may still run, and what that forbids.
 */
#include "lock/rlk_ledger.h"

#include "fake_clock.h"
#include "unit.h"

/* Each entry, then the next acquisition with the same token, and with a fresh one. */
static void entries(void)
{
	static const struct {
		char what; /* s(horten to this), l(eave behind for so long), r(elease) */
		int64_t ttl_ms;
		int64_t least_ms; /* of 60 s */
		int64_t spent_ms;
		bool release;
	} cases[] = {
		{ ' ', 0, 60000, 0, false },
		{ 's', 1000, 1000, 0, false },
		{ 's', 90000, 60000, 0, false },
		{ 's', 0, 60000, 0, false },
		{ 'l', 5000, 60000, 5000, false },
		{ 'l', 0, 60000, 10000, false },
		{ 'r', 0, 60000, 0, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum { NOW, SAME, FRESH } when;
		rlk_ledger ledger = { .release = cases[i].what == 'r', .release_unread = cases[i].what == 'r' };

		if (cases[i].what == 's')
			rlk_ledger_note_shorter(&ledger, cases[i].ttl_ms);
		if (cases[i].what == 'l')
			rlk_ledger_spend(&ledger, cases[i].ttl_ms);
		for (when = NOW; when <= FRESH; when++) {
			int64_t spent_ms = when != FRESH ? cases[i].spent_ms : 0;

			if (when != NOW)
				rlk_ledger_begin(&ledger, when == SAME);
			CHECK_INT(rlk_ledger_least_ttl_ms(&ledger, 60000), when != FRESH ? cases[i].least_ms : 60000);
			CHECK(ledger.release == (when == NOW && cases[i].release));
			CHECK(ledger.release_unread == (when == NOW && cases[i].release));
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

int main(void)
{
	RUN(entries);
	RUN(the_worst_is_kept);
	return unit_done();
}
