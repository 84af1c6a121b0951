/* unit: POSIX only: the renewal child is a fork */
/*
 * test_child_replicas: the renewal child counts only what enough replicas have.
 */
#include "child_case.h"

/* Where the server's socket is while the child is to find none. */
static char moved[80];

/* A lock that two replicas must have, whose renewal the master has done. */
static bool begin_replicated(rlk_slot **slot)
{
	if (!begin())
		return false;
	*slot = lock("", 60000, 20);
	(*slot)->replicas = (rlk_replicas){ .min = 2, .timeout_ms = 100 };
	atomic_store(&(*slot)->state, RLK_SLOT_ACTIVE);
	return start() && accept_child() && strcmp(request(), "EVAL renew 1 key0 token 60000") == 0 && reply(":1\r\n") &&
		strcmp(request(), "WAIT 2 100") == 0;
}

static void counts_what_replicas_have(void)
{
	rlk_slot *slot;

	CHECK(begin_replicated(&slot));
	for (uint64_t n = 1; n <= 3; n++) {
		int64_t before_ms = rlk_slot_valid_until(slot);

		CHECK_INT(atomic_load(&slots.area->renewals), n - 1);
		CHECK(reply(n % 2 ? ":2\r\n" : ":3\r\n") && counts(n));
		CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
		CHECK(rlk_slot_valid_until(slot) > before_ms);
		CHECK(reply(":1\r\n"));
		CHECK_STR(request(), "WAIT 2 100");
	}
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
}

/* Too few, or not a word of it: the renewal does not count, and is repeated. Only the answer to that one says whether the
 * lock is ours; and a WAIT that is refused says nothing about scripts, or about those who wait. */
static void does_not_count_what_replicas_lack(void)
{
	static const char *const replies[] = { ":1\r\n", ":0\r\n", "+OK\r\n", "$-1\r\n", "-LOADING the data\r\n",
		"-NOPERM this user has no permissions to run the 'wait' command\r\n", "-NOPERM again\r\n",
		"-ERR unknown command 'WAIT'\r\n" };

	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		int64_t until_ms;
		rlk_slot *slot;

		CHECK(begin_replicated(&slot));
		until_ms = rlk_slot_valid_until(slot);
		for (int n = 0; n < 2; n++) {
			CHECK(reply(replies[i]));
			CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
			CHECK(reply(":1\r\n"));
			CHECK_STR(request(), "WAIT 2 100");
		}
		CHECK_INT(atomic_load(&slots.area->renewals), 0);
		CHECK_INT(rlk_slot_valid_until(slot), until_ms);
		CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
		drop(&control);
		CHECK(reply(replies[i]));
		CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
		CHECK(reply(":1\r\n"));
		CHECK(ends());
		clean_up();
	}
}

static void renews_again_when_replicas_are_not_heard_of(void)
{
	rlk_slot *slot;
	int *io_timeout_ms;
	int64_t start_ms;

	CHECK(begin_replicated(&slot));
	/* Broken, nonsense, and silence for longer than WAIT and an answer may take. Only for that is the time of an answer short,
	 * and the child does not connect again before it is long. */
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "WAIT 2 100");
	CHECK(reply("*1\r\n:2\r\n") && hung_up() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK_INT(rename(path, moved), 0);
	start_ms = rlk_clock_now_ms();
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "WAIT 2 100");
	io_timeout_ms = &slots.area->servers[slot->server].server.io_timeout_ms;
	*io_timeout_ms = 200;
	CHECK(tell(RLK_WORKER_WAKE));
	CHECK(hung_up() && rlk_clock_now_ms() - start_ms >= 300);
	*io_timeout_ms = LIMIT_MS;
	CHECK_INT(rename(moved, path), 0);
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "WAIT 2 100");
	CHECK(reply(":2\r\n") && counts(1));
	/* Lost on the master: then replicas are of no interest. */
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK(reply(":0\r\n"));
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
}

/* While a server waits for replicas it reads nothing else of the connection: what stands behind gets in between. */
static void asks_in_slices(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20);
	slot->replicas = (rlk_replicas){ .min = 2, .timeout_ms = 250 };
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	for (int n = 1; n <= 2; n++) {
		CHECK_STR(request(), n == 1 ? "EVAL renew 1 key0 token 60000" : "EVALSHA renew 1 key0 token 60000");
		CHECK(reply(":1\r\n"));
		CHECK_STR(request(), "WAIT 2 100");
		CHECK(reply(":0\r\n"));
		CHECK_STR(request(), "WAIT 2 100");
		CHECK(reply(":1\r\n"));
		CHECK_STR(request(), "WAIT 2 50");
		CHECK_INT(atomic_load(&slot->renewed), 0);
		CHECK(reply(n == 1 ? ":1\r\n" : ":2\r\n"));
	}
	CHECK(reaches(&slot->renewed, 1));
}

int main(void)
{
	prepare();
	snprintf(moved, sizeof(moved), "%s.moved", path);
	RUN_CLEAN(counts_what_replicas_have);
	RUN_CLEAN(does_not_count_what_replicas_lack);
	RUN_CLEAN(asks_in_slices);
	RUN_CLEAN(renews_again_when_replicas_are_not_heard_of);
	unlink(moved);
	return unit_done();
}
