/*
 * rlk_hold without a server: what each answer makes of a hold in each state, by table.
 */
#include "hold/rlk_hold.h"
#include "unit.h"

static rlk_renewal renewal;
static int lost, fetched;

static void note_lost(rlk_hold *hold, rlk_lost_reason reason)
{
	(void)hold;
	(void)reason;
	lost++;
}

static void note_fetched(const rlk_hold *hold)
{
	(void)hold;
	fetched++;
}

static const rlk_host_calls calls = { .lost = note_lost, .fetch_renewals = note_fetched };
static rlk_host host = { .calls = &calls, .renewal = &renewal };
static rlk_conn conn;
static rlk_whereabouts at = { .servers = { &conn, NULL } };

/* A lease that this process acquired. */
static bool make_lease(rlk_hold *hold, rlk_hold_state state, int64_t ttl_ms)
{
	*hold = (rlk_hold){ .host = &host, .at = &at, .refcount = 1, .slot = RLK_SLOT_NONE };
	lost = fetched = 0;
	if (!rlk_lock_init(&hold->lock, RLK_STR(""), RLK_STR("k"), NULL) ||
		!rlk_lock_set_token(&hold->lock, RLK_STR("mine"), RLK_STR(""), NULL))
		return false;
	hold->state = state;
	hold->owner_pid = rlk_os_process_id();
	hold->lock.held = state == RLK_HOLD_HELD;
	hold->lock.valid_until_ms = hold->lock.held ? rlk_clock_now_ms() + ttl_ms : 0;
	return true;
}

static void an_answer_about_a_lease(void)
{
	static const struct {
		rlk_hold_question question;
		rlk_outcome outcome;
		rlk_hold_state before, after;
		bool valid;
		int lost;
	} rows[] = {
		{ RLK_ASKED_TO_ACQUIRE, RLK_NO, RLK_HOLD_WAITING, RLK_HOLD_IDLE, false, 0 },
		{ RLK_ASKED_TO_ACQUIRE, RLK_UNKNOWN, RLK_HOLD_WAITING, RLK_HOLD_IDLE, false, 0 },
		{ RLK_ASKED_TO_ACQUIRE, RLK_FAIL, RLK_HOLD_WAITING, RLK_HOLD_IDLE, false, 0 },
		{ RLK_ASKED_TO_KEEP, RLK_YES, RLK_HOLD_HELD, RLK_HOLD_HELD, true, 0 },
		{ RLK_ASKED_TO_KEEP, RLK_NO, RLK_HOLD_HELD, RLK_HOLD_IDLE, false, 1 },
		{ RLK_ASKED_TO_KEEP, RLK_NO, RLK_HOLD_RESTORED, RLK_HOLD_IDLE, false, 0 },
		{ RLK_ASKED_TO_KEEP, RLK_UNKNOWN, RLK_HOLD_HELD, RLK_HOLD_HELD, true, 0 },
		{ RLK_ASKED_TO_KEEP, RLK_FAIL, RLK_HOLD_RESTORED, RLK_HOLD_RESTORED, false, 0 },
		{ RLK_ASKED_TO_RELEASE, RLK_YES, RLK_HOLD_HELD, RLK_HOLD_IDLE, false, 0 },
		{ RLK_ASKED_TO_RELEASE, RLK_NO, RLK_HOLD_HELD, RLK_HOLD_IDLE, false, 0 },
		{ RLK_ASKED_TO_RELEASE, RLK_UNKNOWN, RLK_HOLD_HELD, RLK_HOLD_HELD, true, 0 },
		{ RLK_ASKED_TO_RELEASE, RLK_FAIL, RLK_HOLD_HELD, RLK_HOLD_HELD, true, 0 },
		{ RLK_ASKED_TO_FREE, RLK_NO, RLK_HOLD_HELD, RLK_HOLD_IDLE, false, 0 },
		{ RLK_ASKED_TO_FREE, RLK_UNKNOWN, RLK_HOLD_HELD, RLK_HOLD_HELD, false, 0 },
		{ RLK_ASKED_TO_FREE, RLK_FAIL, RLK_HOLD_HELD, RLK_HOLD_HELD, true, 0 },
	};
	rlk_hold hold;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK(make_lease(&hold, rows[i].before, 10000));
		rlk_hold_take_answer(&hold, rows[i].question, rows[i].outcome);
		CHECK_INT(hold.state, rows[i].after);
		CHECK_INT(rlk_hold_is_held(&hold), rows[i].valid);
		CHECK_INT(lost, rows[i].lost);
		rlk_lock_destroy(&hold.lock);
	}
}

/* A copy of the process that acquired it: nothing is asked, and what waited is over. */
static void an_answer_in_a_copy(void)
{
	rlk_hold hold;

	CHECK(make_lease(&hold, RLK_HOLD_HELD, 10000));
	hold.owner_pid++;
	CHECK(rlk_hold_is_foreign(&hold) && !rlk_hold_is_held(&hold));
	CHECK_INT(rlk_hold_extend(&hold, RLK_DEADLINE_NONE, 10000, NULL), RLK_NO);
	rlk_hold_take_answer(&hold, RLK_ASKED_TO_KEEP, RLK_NO);
	CHECK_INT(hold.state, RLK_HOLD_HELD);
	CHECK_INT(rlk_hold_end(&hold, RLK_END_RELEASED, NULL), RLK_NO);
	CHECK_INT(hold.state, RLK_HOLD_IDLE);
	CHECK_INT(lost, 0);
	rlk_lock_destroy(&hold.lock);
}

/* Nobody is asked about what is not held. */
static void nothing_held_ends(void)
{
	rlk_hold hold;

	CHECK(make_lease(&hold, RLK_HOLD_IDLE, 0));
	CHECK_INT(rlk_hold_end(&hold, RLK_END_RELEASED, NULL), RLK_NO);
	CHECK_INT(rlk_hold_end(&hold, RLK_END_REPLACED, NULL), RLK_NO);
	CHECK_INT(rlk_hold_extend(&hold, RLK_DEADLINE_NONE, 10000, NULL), RLK_NO);
	CHECK_INT(rlk_hold_confirm(&hold, 10000, NULL), RLK_NO);
	CHECK_INT(hold.state, RLK_HOLD_IDLE);
	rlk_lock_destroy(&hold.lock);
	CHECK(make_lease(&hold, RLK_HOLD_HELD, 10000));
	CHECK_INT(rlk_hold_end(&hold, RLK_END_REPLACED, NULL), RLK_YES);
	CHECK_INT(hold.state, RLK_HOLD_IDLE);
	rlk_lock_destroy(&hold.lock);
}

int main(void)
{
	RUN(an_answer_about_a_lease);
	RUN(an_answer_in_a_copy);
	RUN(nothing_held_ends);
	return unit_done();
}
