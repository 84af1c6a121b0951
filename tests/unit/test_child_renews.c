/* unit: POSIX only: the renewal child is a fork */
/*
 * test_child_renews: the renewal child keeps locks alive, in time and in few writes, whatever becomes of its connection.
 */
#include "child_case.h"
#include "lock/rlk_wait.h"

static void renews_many_in_one_write(void)
{
	CHECK(begin());
	for (int i = 0; i < 100; i++)
		active_lock(60000, 200);
	CHECK(start() && accept_child());
	for (uint64_t round = 1; round <= 3; round++) {
		int64_t until_ms = rlk_slot_valid_until(&slots.area->slots[99]);
		char wanted[64];

		for (int i = 0; i < 100; i++) {
			/* By text where the server cannot know the script yet. */
			snprintf(wanted, sizeof(wanted), "%s renew 1 key%d token 60000", round == 1 && i == 0 ? "EVAL" : "EVALSHA",
				i);
			CHECK_STR(request(), wanted);
		}
		for (int i = 0; i < 100; i++)
			CHECK(reply(":1\r\n"));
		for (int64_t give_up_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < give_up_ms; usleep(500)) {
			if (atomic_load(&slots.area->renewals) == round * 100)
				break;
		}
		CHECK_INT(atomic_load(&slots.area->renewals), round * 100);
		CHECK(atomic_load(&slots.area->writes) - round <= 1); /* the next is due after 200 ms */
		CHECK(rlk_slot_valid_until(&slots.area->slots[99]) > until_ms);
		CHECK_INT(atomic_load(&slots.area->slots[0].state), RLK_SLOT_ACTIVE);
	}
}

/* The rest waits for replies, which is no failure. */
static void renews_more_than_there_is_room_for(void)
{
	rlk_slot *slots_of[2500];

	CHECK(begin());
	entry.server.io_timeout_ms = 60000; /* a busy machine takes its time for so many */
	atomic_fetch_sub(&active_lock(60000, 30000)->acquired_at_ms, 30000);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000"); /* so it is connected */
	CHECK(reply(":1\r\n") && counts(1));
	for (int i = 0; i < 2500; i++) {
		slots_of[i] = lock("", 60000, 30000);
		atomic_fetch_sub(&slots_of[i]->acquired_at_ms, 30000);
		atomic_store(&slots_of[i]->state, RLK_SLOT_ACTIVE);
	}
	CHECK(tell(RLK_WORKER_WAKE));
	for (int i = 0; i < 500; i++) {
		for (int k = 0; k < 5; k++)
			CHECK(strncmp(request(), "EVALSHA renew", 13) == 0);
		CHECK(reply(":1\r\n:1\r\n:1\r\n:1\r\n:1\r\n"));
	}
	CHECK(counts(2501));
	for (int i = 0; i < 2500; i++)
		CHECK_INT(atomic_load(&slots_of[i]->unrenewed), 0);
}

/* One that is due later goes along with one that is due now, whichever comes first in the area. */
static void brings_locks_into_step(void)
{
	CHECK(begin());
	for (int i = 0; i < 3; i++)
		atomic_fetch_sub(&active_lock(60000, 1000)->acquired_at_ms, i == 1 ? 900 : 600);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key1 token 60000");
	CHECK_STR(request(), "EVALSHA renew 1 key2 token 60000");
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK(reply(":1\r\n:1\r\n:1\r\n"));
	for (int i = 0; i < 3; i++)
		CHECK(strncmp(request(), "EVALSHA renew", 13) == 0);
	CHECK_INT(atomic_load(&slots.area->renewals), 3);
	CHECK(atomic_load(&slots.area->writes) <= 2); /* the second may not have been counted yet */
}

/* For most of 60 s, once the renewal was answered. */
static bool becomes_valid(const rlk_slot *slot)
{
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < until_ms; usleep(500)) {
		if (rlk_slot_valid_until(slot) > rlk_clock_now_ms() + 40000)
			return true;
	}
	return false;
}

/* Who waited has a provisional ttl only, which is extended at the point in time that the waiter says. */
static void extends_a_claim_first(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	rlk_slot_set_valid_until(slot, rlk_clock_now_ms() + 1000);
	atomic_store(&slot->extend_at_ms, rlk_clock_now_ms() + 30);
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	CHECK(becomes_valid(slot));
}

/* When the child looks by itself, once that is from_ms at the earliest; while it looks, it has to be told everything. */
static int64_t wakes_from(int64_t from_ms)
{
	int64_t wakes_at_ms, until_ms = rlk_clock_now_ms() + LIMIT_MS;

	for (;;) {
		wakes_at_ms = atomic_load(&slots.area->wakes_at_ms);
		if ((wakes_at_ms >= from_ms && wakes_at_ms != RLK_NEVER) || rlk_clock_now_ms() >= until_ms)
			return wakes_at_ms;
		usleep(500);
	}
}

/* A child that looks by itself in time need not be woken by who gets the lock. */
static void is_awake_when_a_claim_may_have_begun(void)
{
	rlk_slot *slot;
	int64_t extend_at_ms, wakes_at_ms;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	extend_at_ms = rlk_clock_now_ms() + 300;
	atomic_store(&slot->extend_at_ms, extend_at_ms);
	atomic_store(&slot->state, RLK_SLOT_ARMED);
	CHECK(start());
	CHECK_INT(wakes_from(extend_at_ms), extend_at_ms);
	wakes_at_ms = wakes_from(extend_at_ms + 1);
	CHECK(wakes_at_ms >= extend_at_ms + RLK_WAIT_PROVISIONAL_MS / 2);
	CHECK(wakes_at_ms < RLK_NEVER);
}

static void sends_the_text_where_the_script_is_gone(void)
{
	CHECK(begin());
	active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK(reply("-NOSCRIPT No matching script.\r\n"));
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
}

/* An error says nothing about the owner: the renewal is repeated, the lock kept as long as it is valid. */
static void repeats_after_an_error(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 1000);
	atomic_store(&slot->acquired_at_ms, rlk_clock_now_ms() - 1000);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	for (int i = 0; i < 3; i++) {
		CHECK(reply(i == 1 ? "$-1\r\n" : "-LOADING the data\r\n"));
		CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	}
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
}

/* Amid a MULTI that somebody has left, or the answer to somebody else's request: no renewal and no loss. */
static void believes_no_misfit(void)
{
	static const char *const misfits[] = { "+QUEUED\r\n", "+OK\r\n", ":3\r\n", ":-3\r\n" };
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 20);
	CHECK(start());
	for (size_t i = 0; i < sizeof(misfits) / sizeof(misfits[0]); i++) {
		CHECK(accept_child());
		CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
		CHECK(reply(misfits[i]));
		CHECK_STR(request(), ""); /* it has hung up */
	}
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
}

static void connects_again(void)
{
	rlk_server server;
	rlk_slot *slot;

	CHECK(begin());
	rlk_server_init(&server, LIMIT_MS, LIMIT_MS);
	server.password = (char *)"secret";
	server.database = 3;
	CHECK(rlk_area_server_describe(&entry, &server));
	slot = active_lock(60000, 20);
	CHECK(start());
	for (int i = 0; i < 3; i++) {
		CHECK(accept_child());
		CHECK_STR(request(), "AUTH secret");
		CHECK_STR(request(), "SELECT 3");
		CHECK(reply("+OK\r\n+O") && reply("K\r\n"));
		CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
		/* Cut before, in the middle of, and by nonsense in the place of an answer. */
		CHECK(i == 0 || reply(i == 1 ? ":" : "*1\r\n:1\r\n"));
		CHECK(i != 2 || hung_up());
		drop(&client);
	}
	CHECK(accept_child());
	CHECK_STR(request(), "AUTH secret");
	CHECK_STR(request(), "SELECT 3");
	CHECK(reply("-WRONGPASS no\r\n") && hung_up());
	CHECK(accept_child());
	CHECK_STR(request(), "AUTH secret");
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
}

/* A renewal that was sent before the parent's own extension says nothing about what that gave. */
static void leaves_the_parents_extension_alone(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	atomic_store(&slot->ttl_ms, 500);
	rlk_slot_begin_epoch(slot);
	rlk_slot_set_valid_until(slot, rlk_clock_now_ms() + 5000);
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 500");
	CHECK(rlk_slot_valid_until(slot) <= rlk_clock_now_ms() + 5000);
	CHECK(reply(":1\r\n"));
}

/* Nor about one that was made a shared lock meanwhile: it is renewed again at once, since the validity may be nearly over. */
static void renews_again_what_the_parent_has_changed(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	rlk_slot_set_valid_until(slot, rlk_clock_now_ms() + 30000);
	atomic_store(&slot->extend_at_ms, rlk_clock_now_ms() + 1);
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	rlk_slot_begin_epoch(slot);
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK(reply(":1\r\n") && becomes_valid(slot));
}

/* One of two is answered, then the connection breaks: the other is asked for again. */
static void asks_again_for_what_was_not_answered(void)
{
	CHECK(begin());
	active_lock(60000, 1000);
	active_lock(60000, 1000);
	for (int i = 0; i < 2; i++)
		atomic_fetch_sub(&slots.area->slots[i].acquired_at_ms, 1000);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK_STR(request(), "EVALSHA renew 1 key1 token 60000");
	CHECK(reply(":1\r\n") && counts(1) && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key1 token 60000");
	CHECK(reply(":1\r\n") && counts(2));
}

/* Each time cuts short a sleep of the parent. */
static void asks_for_an_address_less_and_less_often(void)
{
	int64_t begun_ms;

	CHECK(begin());
	drop(&listener);
	unlink(path);
	strcpy(entry.host, "name");
	active_lock(60000, 20);
	begun_ms = rlk_clock_now_ms();
	CHECK(start());
	for (int64_t until_ms = begun_ms + LIMIT_MS; signals < 3 && rlk_clock_now_ms() < until_ms; usleep(500))
		;
	CHECK_INT(signals, 3);
	CHECK(rlk_clock_now_ms() >= begun_ms + 1000 + 2000);
}

/* Without a lock the server has one connection less. Who arms the next one wakes the child, which connects beside it. */
static void gives_up_its_connection_at_rest(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 20000);
	CHECK(start() && accept_child());
	atomic_store(&slot->state, RLK_SLOT_FREE);
	CHECK(hung_up());
	CHECK_INT(atomic_load(&slots.area->disconnected), 1);
	slot = lock("", 60000, 20000);
	atomic_store(&slot->state, RLK_SLOT_ARMED);
	CHECK(tell(RLK_WORKER_WAKE) && accept_child());
	CHECK(reaches(&slots.area->disconnected, 0));
	CHECK_INT(signals, 0);
	drop(&control); /* the parent dies */
	CHECK_STR(request(), "EVAL release 3 key1 {key1}:rlk:waiters {key1}:rlk:signal token");
	CHECK(reply(":1\r\n") && ends());
}

/* A copy that was made before the certificates were loaded has none: without them it has nothing to say there. */
static void never_speaks_in_clear_where_tls_is_wanted(void)
{
	struct pollfd p;

	CHECK(begin());
	entry.server.transport = RLK_TRANSPORT_TLS;
	active_lock(60000, 20000);
	CHECK(start() && reaches(&slots.area->servers[0].state, RLK_ENTRY_ASKED));
	p = (struct pollfd){ .fd = listener, .events = POLLIN };
	CHECK_INT(poll(&p, 1, 0), 0);
}

int main(void)
{
	prepare();
	RUN_CLEAN(renews_many_in_one_write);
	RUN_CLEAN(renews_more_than_there_is_room_for);
	RUN_CLEAN(brings_locks_into_step);
	RUN_CLEAN(extends_a_claim_first);
	RUN_CLEAN(is_awake_when_a_claim_may_have_begun);
	RUN_CLEAN(sends_the_text_where_the_script_is_gone);
	RUN_CLEAN(repeats_after_an_error);
	RUN_CLEAN(believes_no_misfit);
	RUN_CLEAN(connects_again);
	RUN_CLEAN(leaves_the_parents_extension_alone);
	RUN_CLEAN(renews_again_what_the_parent_has_changed);
	RUN_CLEAN(asks_for_an_address_less_and_less_often);
	RUN_CLEAN(asks_again_for_what_was_not_answered);
	RUN_CLEAN(gives_up_its_connection_at_rest);
	RUN_CLEAN(never_speaks_in_clear_where_tls_is_wanted);
	return unit_done();
}
