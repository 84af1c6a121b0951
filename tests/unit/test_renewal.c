/*
 * rlk_renewal with a worker of ours that starts, and dies, as told.
 */
#include "renew/rlk_renewal.h"

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"
#include "renewal_case.h"
#include "unit.h"

#include <stdlib.h>

#define TTL_MS 30000

static rlk_renewal renewal;
static rlk_server server;
static rlk_renewal_server known;
static rlk_error err;
static const rlk_backend backend;
static bool starts, lives;
static int started, rested, forgotten;

static bool start(rlk_worker *worker, const rlk_slots *slots, bool with_heap, void (*notify)(void), rlk_error *error)
{
	(void)slots;
	(void)with_heap;
	(void)notify;
	if (!starts) {
		rlk_error_set(error, RLK_ERR_RENEWAL, 0, "not today");
		return false;
	}
	started++;
	*worker = RLK_WORKER_NONE;
	worker->backend = &backend;
	return true;
}

static bool is_alive(rlk_worker *worker)
{
	if (!lives)
		*worker = RLK_WORKER_NONE;
	return lives;
}

static void stop(rlk_worker *worker, bool has_releases)
{
	(void)has_releases;
	*worker = RLK_WORKER_NONE;
}

static void forget(rlk_worker *worker)
{
	forgotten++;
	*worker = RLK_WORKER_NONE;
}

static void idle(rlk_worker *worker)
{
	(void)worker;
	rested++;
}

static bool resume(rlk_worker *worker)
{
	return is_alive(worker);
}

static const rlk_backend backend = { "ours", start, is_alive, stop, idle, resume, forget };

static void notify(void)
{
}

static bool begin(void)
{
	starts = lives = true;
	started = rested = forgotten = 0;
	known = (rlk_renewal_server){ 0 };
	rlk_error_clear(&err);
	rlk_renewal_init(&renewal, notify);
	rlk_server_init(&server, 1000, 1000);
	server.transport = RLK_TRANSPORT_UNIX;
	return rlk_str_store(&server.path, RLK_STR("/nowhere"));
}

static void end(void)
{
	rlk_renewal_stop(&renewal);
	rlk_server_destroy(&server);
}

static int arm(void)
{
	return arm_lock(&renewal, &backend, &server, &known, TTL_MS, &err);
}

static int hold(void)
{
	int slot = arm();
	int64_t now_ms = rlk_clock_now_ms();

	if (slot != RLK_SLOT_NONE)
		rlk_renewal_activate(&renewal, slot, now_ms, now_ms + TTL_MS, 0);
	return slot;
}

static void a_dead_child_is_replaced_for_those_who_need_it(void)
{
	int slot;

	CHECK(begin());
	slot = hold();
	CHECK_INT(slot, 0);
	lives = false;
	rlk_renewal_check_child(&renewal);
	CHECK_INT(started, 2);
	CHECK_STR(running_backend(&renewal), "ours");
	CHECK(rlk_renewal_why_lost(&renewal, slot) == RLK_LOST_NOT);
	rlk_renewal_disarm(&renewal, slot);
	rlk_renewal_check_child(&renewal);
	CHECK_INT(started, 2);
	CHECK(running_backend(&renewal) == NULL);
	end();
}

/* Held, just being taken, being released: only the first is lost by it. */
static void without_a_child_locks_are_lost(void)
{
	int held, armed, closing;

	CHECK(begin());
	held = hold();
	armed = arm();
	closing = hold();
	CHECK(rlk_renewal_close(&renewal, closing));
	starts = lives = false;
	rlk_renewal_check_child(&renewal);
	CHECK(rlk_renewal_why_lost(&renewal, held) == RLK_LOST_CHILD);
	CHECK_INT(rlk_renewal_valid_until(&renewal, held), 0);
	CHECK(!rlk_renewal_close(&renewal, held));
	CHECK(rlk_renewal_close(&renewal, armed));
	CHECK(rlk_renewal_why_lost(&renewal, closing) == RLK_LOST_NOT);
	CHECK_INT(arm(), RLK_SLOT_NONE);
	CHECK_STR(err.text, "not today");
	end();
}

/* Each end of a child has us start the next: not without limit, if the system lets none begin. */
static void children_that_never_begin_are_given_up(void)
{
	int slot;

	CHECK(begin());
	slot = hold();
	lives = false;
	for (int i = 0; i < 20; i++) {
		rlk_renewal_check_child(&renewal);
		atomic_store(&renewal.slots.area->stillborn, 0); /* as a child that begins does */
	}
	CHECK_INT(started, 21);
	CHECK(rlk_renewal_why_lost(&renewal, slot) == RLK_LOST_NOT);
	for (int i = 0; i < 20; i++)
		rlk_renewal_check_child(&renewal);
	CHECK_INT(started, 24);
	CHECK(running_backend(&renewal) == NULL);
	CHECK(rlk_renewal_why_lost(&renewal, slot) == RLK_LOST_CHILD);
	/* The next lock finds out whether it is different by now. */
	CHECK(arm() != RLK_SLOT_NONE);
	CHECK_INT(arm(), RLK_SLOT_NONE);
	CHECK_STR(err.text, "the renewal child could not be started: it ends at once");
	end();
}

/* A lock that was found with less left than the ttl it is to have does not end before it is renewed. */
static void is_renewed_while_it_is_valid(void)
{
	int64_t now_ms = rlk_clock_now_ms();
	rlk_slot *slot;

	CHECK(begin());
	CHECK_INT(hold(), 0);
	slot = &renewal.slots.area->slots[0];
	CHECK_INT(atomic_load(&slot->extend_at_ms), 0);
	rlk_renewal_activate(&renewal, 0, now_ms, now_ms + 1000, 0);
	CHECK_INT(atomic_load(&slot->extend_at_ms), now_ms + 500);
	rlk_renewal_activate(&renewal, 0, now_ms, now_ms + 1000, now_ms + 100);
	CHECK_INT(atomic_load(&slot->extend_at_ms), now_ms + 100);
	rlk_renewal_activate(&renewal, 0, now_ms, RLK_NEVER, 0);
	CHECK_INT(atomic_load(&slot->extend_at_ms), 0);
	end();
}

/* The child does not know when a ttl was made shorter, only that it was when it looks: so it looks at once, even if it is to
 * wake up soon, for another lock. */
static void has_the_child_look_at_a_shorter_ttl(void)
{
	rlk_area *area;
	int64_t now_ms = rlk_clock_now_ms(), soon_ms = now_ms + TTL_MS / 4, before_ms;
	int slot;

	CHECK(begin());
	slot = hold();
	area = renewal.slots.area;
	atomic_store(&area->wakes_at_ms, soon_ms);
	before_ms = rlk_renewal_before_extend(&renewal, slot, TTL_MS * 2);
	rlk_renewal_after_extend(&renewal, slot, before_ms, now_ms + TTL_MS * 2);
	CHECK_INT(atomic_load(&area->wanted_at_ms), 0);
	rlk_renewal_before_extend(&renewal, slot, TTL_MS);
	CHECK(atomic_load(&area->wanted_at_ms) >= now_ms && atomic_load(&area->wanted_at_ms) < soon_ms);
	end();
}

/* As the child does with what it has renewed. */
static bool swap(rlk_slot *slot, uint64_t known, int64_t until_ms)
{
	return atomic_compare_exchange_strong(&slot->validity, &known, rlk_validity_with(known, until_ms));
}

/* An extension without an answer lowers the validity that was there before it, not what a renewal has given since. */
static void keeps_what_a_renewal_has_given_meanwhile(void)
{
	rlk_slot *held;
	int64_t before_ms;
	uint64_t known;
	int slot;

	CHECK(begin());
	slot = hold();
	held = &renewal.slots.area->slots[slot];
	/* By the rule of the child, which has looked at the epoch just before. */
	known = atomic_load(&held->validity);
	before_ms = rlk_renewal_before_extend(&renewal, slot, TTL_MS / 2);
	CHECK(!swap(held, known, before_ms + TTL_MS));
	rlk_renewal_after_extend(&renewal, slot, before_ms, before_ms - 5);
	CHECK_INT(rlk_slot_valid_until(held) - before_ms, -5);

	before_ms = rlk_renewal_before_extend(&renewal, slot, TTL_MS);
	CHECK(swap(held, atomic_load(&held->validity), before_ms + 5));
	rlk_renewal_after_extend(&renewal, slot, before_ms, before_ms);
	CHECK_INT(rlk_slot_valid_until(held) - before_ms, 5);
	rlk_renewal_after_extend(&renewal, slot, before_ms, before_ms + 6);
	CHECK_INT(rlk_slot_valid_until(held) - before_ms, 6);
	end();
}

/* The child looks during one extension, and swaps during the next one, with which the validity is what it was. */
static void counts_no_renewal_of_an_earlier_epoch(void)
{
	rlk_slot *held;
	int64_t before_ms;
	uint64_t known;
	int slot;

	CHECK(begin());
	slot = hold();
	held = &renewal.slots.area->slots[slot];
	before_ms = rlk_renewal_before_extend(&renewal, slot, TTL_MS);
	known = atomic_load(&held->validity);
	rlk_renewal_after_extend(&renewal, slot, before_ms, before_ms);
	CHECK_INT(rlk_renewal_before_extend(&renewal, slot, TTL_MS / 2), before_ms);
	CHECK(!swap(held, known, before_ms + TTL_MS));
	rlk_renewal_after_extend(&renewal, slot, before_ms, before_ms - 5);
	CHECK_INT(rlk_slot_valid_until(held) - before_ms, -5);
	end();
}

/* For the check that has the server tell of a loss. A wait has the child wake up soon by itself, and it would be in the way of the
 * next hand-over. */
static void wakes_it_for_a_check_unless_it_waited(void)
{
	int64_t now_ms = rlk_clock_now_ms();

	for (int waits = 0; waits <= 1; waits++) {
		rlk_area *area;
		int slot;

		CHECK(begin());
		slot = arm();
		area = renewal.slots.area;
		atomic_store(&area->wakes_at_ms, now_ms + 1000);
		if (waits)
			rlk_renewal_expect(&renewal, slot, now_ms + 1000);
		CHECK_INT(atomic_load(&area->wanted_at_ms), 0);
		rlk_renewal_activate(&renewal, slot, now_ms, now_ms + TTL_MS, 0);
		CHECK_INT(atomic_load(&area->wanted_at_ms), waits ? 0 : now_ms + RLK_TRACK_AFTER_MS);
		end();
	}
}

/* Whatever becomes of the child, and however long its validity is. */
static void max_hold_ends_what_is_valid(void)
{
	int64_t now_ms = rlk_clock_now_ms();
	int slot;

	CHECK(begin());
	slot = hold();
	renewal.slots.area->slots[slot].max_hold_ms = TTL_MS / 3;
	rlk_renewal_activate(&renewal, slot, now_ms, now_ms + TTL_MS, 0);
	CHECK_INT(rlk_renewal_valid_until(&renewal, slot), now_ms + TTL_MS / 3);
	CHECK(rlk_renewal_why_lost(&renewal, slot) == RLK_LOST_NOT);
	rlk_renewal_activate(&renewal, slot, now_ms, now_ms + TTL_MS / 4, 0);
	CHECK_INT(rlk_renewal_valid_until(&renewal, slot), now_ms + TTL_MS / 4);
	rlk_renewal_activate(&renewal, slot, now_ms - TTL_MS / 3, now_ms + TTL_MS, 0);
	CHECK(rlk_renewal_why_lost(&renewal, slot) == RLK_LOST_MAX_HOLD);
	end();
}

static void what_cannot_be_renewed_is_refused(void)
{
	char *password = calloc(1, RLK_AREA_TEXTS_MAX + 1);

	CHECK(password != NULL && begin());
	memset(password, 'p', RLK_AREA_TEXTS_MAX);
	CHECK(rlk_str_store(&server.password, rlk_str_from_cstr(password)));
	CHECK_INT(arm(), RLK_SLOT_NONE);
	CHECK_INT(err.code, RLK_ERR_RENEWAL);
	CHECK_STR(err.text, "the credentials are too long for the renewal child");
	free(password);
	end();

	CHECK(begin());
	server.transport = RLK_TRANSPORT_TCP;
	CHECK(rlk_str_store(&server.host, RLK_STR("no such name")));
	rlk_server_write_uri(&server);
	CHECK_INT(arm(), RLK_SLOT_NONE);
	CHECK_INT(err.code, RLK_ERR_CONNECT);
	CHECK_STR(err.node, server.uri);
	end();
}

/* A child tells that no address answers: the next look brings new ones, or the same again. */
static void asks_the_resolver_when_told_to(void)
{
	rlk_area_server *entry;

	CHECK(begin());
	server.transport = RLK_TRANSPORT_TCP;
	server.connect_timeout_ms = 5000;
	CHECK(rlk_str_store(&server.host, RLK_STR("localhost")));
	CHECK_INT(arm(), 0);
	entry = &renewal.slots.area->servers[known.index];
	CHECK_STR(entry->host, "localhost");
	rlk_renewal_resolve(&renewal);
	CHECK_INT(atomic_load(&entry->current), 0);
	atomic_store(&entry->state, RLK_ENTRY_ASKED);
	rlk_renewal_resolve(&renewal);
	CHECK_INT(atomic_load(&entry->current), 1);
	CHECK_INT(atomic_load(&entry->state), RLK_ENTRY_FINE);
	strcpy(entry->host, "no such name");
	atomic_store(&entry->state, RLK_ENTRY_ASKED);
	rlk_renewal_resolve(&renewal);
	CHECK_INT(atomic_load(&entry->current), 1);
	CHECK_INT(atomic_load(&entry->state), RLK_ENTRY_FINE);
	end();
}

/* A server has told the child a name. */
static void answers_questions_for_names(void)
{
	rlk_area_server *entry;

	CHECK(begin());
	server.connect_timeout_ms = 5000;
	CHECK_INT(arm(), 0);
	entry = &renewal.slots.area->servers[known.index];
	entry->kind = RLK_TOPOLOGY_CLUSTER;
	strcpy(entry->host, "localhost");
	entry->port = 6379;
	atomic_store(&entry->state, RLK_ENTRY_ASKED);
	rlk_renewal_resolve(&renewal);
	CHECK_INT(atomic_load(&entry->state), RLK_ENTRY_ANSWERED);
	CHECK(entry->answer.family != 0);
	CHECK_INT(entry->answer.port, 6379);
	strcpy(entry->host, "no such name");
	atomic_store(&entry->state, RLK_ENTRY_ASKED);
	rlk_renewal_resolve(&renewal);
	CHECK_INT(atomic_load(&entry->state), RLK_ENTRY_ANSWERED);
	CHECK_INT(entry->answer.family, 0);
	end();
}

static void stops_when_idle(void)
{
	int slot;

	CHECK(begin());
	slot = hold();
	rlk_renewal_request_ends(&renewal, 0, true);
	CHECK_STR(running_backend(&renewal), "ours");
	rlk_renewal_disarm(&renewal, slot);
	rlk_renewal_request_ends(&renewal, 0, true);
	CHECK(running_backend(&renewal) == NULL);
	CHECK_INT(arm(), 0); /* the server is described anew, in a new area */
	rlk_renewal_after_fork(&renewal);
	CHECK_INT(forgotten, 1);
	CHECK(running_backend(&renewal) == NULL);
	end();
}

static bool next_server(int number)
{
	char path[32];

	snprintf(path, sizeof(path), "/tmp/%d", number);
	known = (rlk_renewal_server){ 0 };
	return rlk_str_store(&server.path, rlk_str_from_cstr(path));
}

/* A lock that is held for long, and others on ever new servers. */
static void servers_of_long_ago_make_room(void)
{
	rlk_renewal_server of_held;
	int slot, held, before;

	CHECK(begin());
	held = hold();
	of_held = known;
	for (int i = 0; i < 1000; i++) {
		CHECK(next_server(i));
		slot = arm();
		CHECK(slot > held);
		rlk_renewal_disarm(&renewal, slot);
	}
	CHECK(rlk_renewal_why_lost(&renewal, held) == RLK_LOST_NOT);
	CHECK(started < 1000 / RLK_AREA_SERVERS_MAX + 3);
	/* What is remembered of a place that another server has got is worth nothing. */
	before = started;
	known = of_held;
	CHECK(rlk_str_store(&server.path, RLK_STR("/nowhere")));
	slot = arm();
	CHECK_INT(known.index, of_held.index);
	CHECK(known.number == of_held.number);
	CHECK_INT(renewal.slots.area->slots[slot].server, of_held.index);
	CHECK_INT(started, before);
	end();
}

static void a_place_that_another_server_got_is_noticed(void)
{
	rlk_renewal_server first;

	CHECK(begin());
	for (int i = 0; i <= RLK_AREA_SERVERS_MAX; i++) {
		CHECK(next_server(i));
		rlk_renewal_disarm(&renewal, arm());
		if (i == 0)
			first = known;
	}
	CHECK_INT(renewal.slots.in_use, 0);
	CHECK(next_server(0));
	known = first;
	rlk_renewal_disarm(&renewal, arm());
	CHECK(known.number > first.number);
	end();
}

/* As many at a time as there are places, and not one more. */
static void servers_in_use_stay(void)
{
	int slots[RLK_AREA_SERVERS_MAX];

	CHECK(begin());
	for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++) {
		CHECK(next_server(i));
		slots[i] = arm();
		CHECK(slots[i] != RLK_SLOT_NONE);
	}
	CHECK(next_server(RLK_AREA_SERVERS_MAX));
	CHECK_INT(arm(), RLK_SLOT_NONE);
	CHECK_STR(err.text, "process-bound locks on more than 64 servers in one process");
	rlk_renewal_leave_to_child(&renewal, slots[7]);
	CHECK_INT(arm(), RLK_SLOT_NONE);
	atomic_store(&renewal.slots.area->slots[slots[7]].state, RLK_SLOT_RELEASED);
	CHECK(arm() != RLK_SLOT_NONE);
	CHECK_INT(known.index, 7);
	end();
}

int main(void)
{
	RUN(servers_of_long_ago_make_room);
	RUN(a_place_that_another_server_got_is_noticed);
	RUN(servers_in_use_stay);
	RUN(a_dead_child_is_replaced_for_those_who_need_it);
	RUN(without_a_child_locks_are_lost);
	RUN(children_that_never_begin_are_given_up);
	RUN(is_renewed_while_it_is_valid);
	RUN(has_the_child_look_at_a_shorter_ttl);
	RUN(keeps_what_a_renewal_has_given_meanwhile);
	RUN(counts_no_renewal_of_an_earlier_epoch);
	RUN(wakes_it_for_a_check_unless_it_waited);
	RUN(max_hold_ends_what_is_valid);
	RUN(what_cannot_be_renewed_is_refused);
	RUN(asks_the_resolver_when_told_to);
	RUN(answers_questions_for_names);
	RUN(stops_when_idle);
	return unit_done();
}
