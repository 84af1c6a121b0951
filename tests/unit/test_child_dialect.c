/* unit: POSIX only: the renewal child is a fork */
/*
 * test_child_dialect: what the renewal child does where scripts are refused.
 */
#include "child_case.h"

#define REFUSED "-NOPERM this user has no permissions to run the 'evalsha' command\r\n"
#define NATIVE_RENEWAL "SET key0 token IFEQ token PX 60000"

static void renews_without_scripts(void)
{
	static const char *const refusals[] = { "-NOPERM this user has no permissions to run the 'eval' command\r\n",
		"-ERR unknown command 'EVAL', with args beginning with:\r\n" };
	static const char *const losses[] = { "$-1\r\n", "-WRONGTYPE Operation against a key\r\n" };

	for (int i = 0; i < 2; i++) {
		rlk_slot *slot;

		CHECK(begin());
		slot = active_lock(60000, 20);
		CHECK(start() && accept_child());
		CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
		CHECK(reply(refusals[i]));
		for (uint64_t n = 1; n <= 3; n++) {
			CHECK_STR(request(), NATIVE_RENEWAL);
			CHECK(reply("+OK\r\n") && counts(n));
		}
		/* Known once and for all, also on the next connection. */
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(accept_child());
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(reply(losses[i]));
		CHECK(reaches(&slot->state, RLK_SLOT_LOST));
		CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_NOT_OURS);
		clean_up();
	}
}

/* Neither scripts nor SET with IFEQ: asks all round, then pauses. */
static void renews_by_nothing(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 20);
	CHECK(start() && accept_child());
	for (int round = 0; round < 2; round++) {
		CHECK_STR(request(), round == 0 ? "EVAL renew 1 key0 token 60000" : "EVALSHA renew 1 key0 token 60000");
		CHECK(reply(REFUSED));
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(reply("-ERR syntax error\r\n"));
	}
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
}

static void repeats_without_scripts(void)
{
	static const char *const replies[] = { "-LOADING the data\r\n", ":1\r\n", ":0\r\n", "$5\r\ntoken\r\n",
		"+QUEUED\r\n" };
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 1000);
	atomic_store(&slot->acquired_at_ms, rlk_clock_now_ms() - 1000);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(REFUSED));
	for (int i = 0; i < 5; i++) {
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(reply(replies[i]));
	}
	CHECK_STR(request(), NATIVE_RENEWAL);
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
}

/* The child of a dead parent, up to where the two compare commands are tried. */
static bool begin_release_without_scripts(const char *resting)
{
	rlk_slot *slot;

	if (!begin())
		return false;
	slot = lock(resting, 60000, 20000);
	slot->linger_ms = resting[0] != '\0' ? 5000 : 0;
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	if (!start() || !accept_child())
		return false;
	drop(&control);
	for (int i = 0; i < 2; i++) {
		if (strncmp(request(), i == 0 ? "EVAL release 3 key0" : "EVALSHA release 1 key0", i == 0 ? 19 : 22) != 0 ||
			!reply(REFUSED))
			return false;
	}
	return true;
}

static void releases_without_scripts(void)
{
	static const char *const replies[] = { ":1\r\n", ":0\r\n", "-WRONGTYPE Operation against a key\r\n",
		"-ERR Key should be of string type\r\n" };

	for (int i = 0; i < 8; i++) {
		CHECK(begin_release_without_scripts(""));
		CHECK_STR(request(), "DELEX key0 IFEQ token");
		if (i % 2 == 1) {
			CHECK(reply("-ERR unknown command 'DELEX'\r\n"));
			CHECK_STR(request(), "DELIFEQ key0 token");
		}
		CHECK(reply(replies[i / 2]));
		CHECK(ends());
		clean_up();
	}
}

static void repeats_a_release_without_scripts(void)
{
	static const char *const replies[] = { "-LOADING the data\r\n", "$-1\r\n", "+OK\r\n", "$1\r\n1\r\n" };

	CHECK(begin_release_without_scripts(""));
	for (int i = 0; i < 4; i++) {
		CHECK_STR(request(), "DELEX key0 IFEQ token");
		CHECK(reply(replies[i]));
	}
	CHECK_STR(request(), "DELEX key0 IFEQ token");
	CHECK(accept_child());
	CHECK_STR(request(), "DELEX key0 IFEQ token");
	CHECK(reply("*1\r\n:1\r\n") && hung_up() && accept_child());
	CHECK_STR(request(), "DELEX key0 IFEQ token");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

static void rests_without_scripts(void)
{
	static const char *const replies[] = { "+OK\r\n", "$-1\r\n", "-WRONGTYPE Operation against a key\r\n" };

	for (int i = 0; i < 3; i++) {
		CHECK(begin_release_without_scripts("resting"));
		CHECK_STR(request(), "SET key0 resting IFEQ token PX 5000");
		CHECK(reply(replies[i]));
		CHECK(ends());
		clean_up();
	}
}

int main(void)
{
	prepare();
	RUN_CLEAN(renews_without_scripts);
	RUN_CLEAN(renews_by_nothing);
	RUN_CLEAN(repeats_without_scripts);
	RUN_CLEAN(releases_without_scripts);
	RUN_CLEAN(repeats_a_release_without_scripts);
	RUN_CLEAN(rests_without_scripts);
	return unit_done();
}
