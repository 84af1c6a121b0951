/*
 * test_slots: slots, servers and the bytes of the arena as the parent keeps them.
 */
#include "base/rlk_os.h"
#include "renew/rlk_area.h"
#include "unit.h"
#include "net/rlk_address.h"

#include <stdlib.h>

static rlk_slots slots;
static rlk_error err;

static bool begin(void)
{
	rlk_error_clear(&err);
	return rlk_slots_init(&slots, &err);
}

static int take_strings(rlk_str key, rlk_str token, rlk_str resting)
{
	const rlk_slot_strings strings = { key, token, resting, RLK_STR("") };

	return rlk_slots_take(&slots, &strings, 0, RLK_SLOT_NONE, &err);
}

static int take(const char *key, const char *token, const char *resting)
{
	int index = take_strings(rlk_str_from_cstr(key), rlk_str_from_cstr(token), rlk_str_from_cstr(resting));

	if (index != RLK_SLOT_NONE)
		atomic_store(&slots.area->slots[index].state, RLK_SLOT_ARMED);
	return index;
}

static bool holds(int index, const char *key, const char *token, const char *resting)
{
	const rlk_slot *slot = &slots.area->slots[index];

	return rlk_str_equal(rlk_area_str(slots.area, slot->key), rlk_str_from_cstr(key)) &&
		rlk_str_equal(rlk_area_str(slots.area, slot->token), rlk_str_from_cstr(token)) &&
		rlk_str_equal(rlk_area_str(slots.area, slot->resting), rlk_str_from_cstr(resting));
}

static void copies_its_strings(void)
{
	char key[] = "key", token[] = "token", resting[] = "resting";
	int first, second;

	CHECK(begin());
	first = take(key, token, resting);
	second = take("other", "its token", "");
	memset(key, 'x', 3);
	memset(token, 'x', 5);
	memset(resting, 'x', 7);
	CHECK_INT(first, 0);
	CHECK_INT(second, 1);
	CHECK(holds(0, "key", "token", "resting"));
	CHECK(holds(1, "other", "its token", ""));
	CHECK_INT(slots.in_use, 2);
	CHECK_INT(atomic_load(&slots.area->slots_used), 2);
	rlk_slots_destroy(&slots);
	CHECK(slots.area == NULL);
}

static void gives_the_lowest_free_slot(void)
{
	CHECK(begin());
	for (int i = 0; i < 5; i++)
		CHECK_INT(take("k", "t", ""), i);
	rlk_slots_give_back(&slots, 3);
	rlk_slots_give_back(&slots, 1);
	CHECK_INT(atomic_load(&slots.area->slots[1].state), RLK_SLOT_FREE);
	CHECK_INT(take("k", "t", ""), 1);
	CHECK_INT(take("k", "t", ""), 3);
	CHECK_INT(take("k", "t", ""), 5);
	CHECK_INT(slots.in_use, 6);
	rlk_slots_destroy(&slots);
}

/* The child tells tenants apart by this number alone. */
static void counts_tenancies(void)
{
	uint32_t before;

	CHECK(begin());
	CHECK_INT(take("k", "t", ""), 0);
	before = atomic_load(&slots.area->slots[0].generation);
	CHECK(before != 0);
	rlk_slots_give_back(&slots, 0);
	CHECK_INT(take("k", "t", ""), 0);
	CHECK_INT(atomic_load(&slots.area->slots[0].generation), before + 1);
	rlk_slots_destroy(&slots);
}

/* A slot left to the child is nobody's until the child says so. */
static void waits_for_what_the_child_has(void)
{
	CHECK(begin());
	CHECK_INT(take("k", "t", ""), 0);
	rlk_slots_leave_to_child(&slots, 0);
	CHECK_INT(atomic_load(&slots.area->slots[0].state), RLK_SLOT_RELEASE);
	CHECK_INT(take("other", "t", ""), 1);
	CHECK(holds(0, "k", "t", ""));
	CHECK_INT(slots.in_use, 2);
	atomic_store(&slots.area->slots[0].state, RLK_SLOT_RELEASED);
	CHECK_INT(take("third", "t", ""), 2);
	rlk_slots_give_back(&slots, 1);
	CHECK_INT(take("fourth", "t", ""), 1);
	rlk_slots_give_back(&slots, 1);
	rlk_slots_give_back(&slots, 2);
	rlk_slots_leave_to_child(&slots, take("k", "t", ""));
	rlk_slots_destroy(&slots);
}

static void takes_over_what_the_child_released(void)
{
	CHECK(begin());
	CHECK_INT(take("k", "t", ""), 0);
	rlk_slots_leave_to_child(&slots, 0);
	atomic_store(&slots.area->slots[0].state, RLK_SLOT_RELEASED);
	CHECK_INT(take("other", "t2", ""), 0);
	CHECK(holds(0, "other", "t2", ""));
	CHECK_INT(slots.in_use, 1);
	rlk_slots_destroy(&slots);
}

/* Also one below those where the search begins. */
static void finds_the_last_one_the_child_released(void)
{
	CHECK(begin());
	CHECK_INT(take("k", "t", ""), 0);
	rlk_slots_leave_to_child(&slots, 0);
	for (int i = 1; i < RLK_SLOTS_MAX; i++)
		CHECK_INT(take("k", "t", ""), i);
	atomic_store(&slots.area->slots[0].state, RLK_SLOT_RELEASED);
	CHECK_INT(take("k", "t", ""), 0);
	CHECK_INT(take("k", "t", ""), RLK_SLOT_NONE);
	rlk_slots_destroy(&slots);
}

/* A child that was delayed just there would take what comes for what was. */
static void leaves_alone_what_the_child_looks_at(void)
{
	CHECK(begin());
	CHECK_INT(take("k", "t", ""), 0);
	atomic_store(&slots.area->visited, 1);
	rlk_slots_give_back(&slots, 0);
	slots.arena_used = RLK_ARENA_BYTES / 2 + 1;
	CHECK_INT(take("other", "t2", ""), 1);
	CHECK(holds(0, "k", "t", ""));
	CHECK_INT(take("third", "t", ""), 2);
	atomic_store(&slots.area->visited, 0);
	CHECK_INT(take("fourth", "t", ""), 0);
	CHECK_INT(take("fifth", "t", ""), 3);
	rlk_slots_destroy(&slots);
}

/* The leader is FREE until the whole group is there. */
static void takes_no_slot_twice_for_a_group(void)
{
	const rlk_slot_strings strings = { RLK_STR("k"), RLK_STR("t"), RLK_STR(""), RLK_STR("") };
	int leader;

	CHECK(begin());
	CHECK_INT(take("looked at", "t", ""), 0);
	atomic_store(&slots.area->visited, 1);
	rlk_slots_give_back(&slots, 0);
	leader = rlk_slots_take(&slots, &strings, 0, RLK_SLOT_NONE, &err);
	CHECK_INT(leader, 1);
	CHECK_INT(rlk_slots_take(&slots, &strings, 0, leader, &err), 2);
	CHECK_INT(rlk_slots_take(&slots, &strings, 0, leader, &err), 3);
	rlk_slots_destroy(&slots);
}

static void uses_the_arena_again(void)
{
	uint32_t used;

	CHECK(begin());
	CHECK_INT(take("a key of some length", "token", ""), 0);
	used = slots.arena_used;
	for (int i = 0; i < 100000; i++) {
		rlk_slots_give_back(&slots, 0);
		CHECK_INT(take("a key of same length", "token", ""), 0);
	}
	CHECK_INT(slots.arena_used, used);
	/* Shorter fits in, longer gets new bytes, and keeps those. */
	rlk_slots_give_back(&slots, 0);
	CHECK_INT(take("short", "token", ""), 0);
	CHECK_INT(slots.arena_used, used);
	CHECK(holds(0, "short", "token", ""));
	rlk_slots_give_back(&slots, 0);
	CHECK_INT(take("a key of a length never seen before", "token", ""), 0);
	CHECK(slots.arena_used > used);
	CHECK(holds(0, "a key of a length never seen before", "token", ""));
	rlk_slots_destroy(&slots);
}

/* Ever longer names outgrow their bytes; with no lock left the arena starts afresh. */
static void starts_the_arena_afresh(void)
{
	size_t len = 1 << 16;
	char *name = calloc(1, len * 300 + 1);

	CHECK(name != NULL && begin());
	memset(name, 'n', len * 300);
	for (size_t i = 0; i < 200; i++) {
		rlk_str key = rlk_str_make(name, len + i);

		CHECK_INT(take_strings(key, RLK_STR("t"), RLK_STR("")), 0);
		CHECK_INT(slots.area->slots[0].key.len, len + i);
		rlk_slots_give_back(&slots, 0);
		CHECK(slots.arena_used <= RLK_ARENA_BYTES);
	}
	free(name);
	rlk_slots_destroy(&slots);
}

static void says_when_the_arena_is_full(void)
{
	size_t len = RLK_ARENA_BYTES / 4;
	char *name = calloc(1, len);

	CHECK(name != NULL && begin());
	for (int i = 0; i < 3; i++)
		CHECK_INT(take_strings(rlk_str_make(name, len), RLK_STR("t"), RLK_STR("r")), i);
	CHECK_INT(take_strings(rlk_str_make(name, len), RLK_STR("t"), RLK_STR("r")), RLK_SLOT_NONE);
	CHECK_INT(err.code, RLK_ERR_RENEWAL);
	CHECK_STR(err.text, "no room for the names of all process-bound locks");
	CHECK_INT(slots.in_use, 3);
	/* A smaller one still fits. */
	CHECK_INT(take("k", "t", ""), 3);
	free(name);
	rlk_slots_destroy(&slots);
}

static void says_when_the_slots_are_full(void)
{
	CHECK(begin());
	for (int i = 0; i < RLK_SLOTS_MAX; i++)
		CHECK_INT(take("k", "t", ""), i);
	CHECK_INT(take("k", "t", ""), RLK_SLOT_NONE);
	CHECK_INT(err.code, RLK_ERR_RENEWAL);
	CHECK_STR(err.text, "more than 4096 process-bound locks in one process");
	rlk_slots_give_back(&slots, 4000);
	CHECK_INT(take("k", "t", ""), 4000);
	rlk_slots_give_back(&slots, RLK_SLOTS_MAX - 1);
	CHECK_INT(take("k", "t", ""), RLK_SLOTS_MAX - 1);
	CHECK_INT(atomic_load(&slots.area->slots_used), RLK_SLOTS_MAX);
	rlk_slots_destroy(&slots);
}

static rlk_area_server entry_of(const char *path)
{
	rlk_server server = { .transport = RLK_TRANSPORT_UNIX, .path = (char *)path };
	rlk_area_server entry;

	memset(&entry, 0, sizeof(entry));
	rlk_address_resolve(&server, NULL, RLK_DEADLINE_NONE, &entry.addresses[0], NULL);
	rlk_server_init(&entry.server, 1000, 1000);
	return entry;
}

static void knows_a_server_again(void)
{
	rlk_area_server a = entry_of("/tmp/a"), b = entry_of("/tmp/b"), with_user = a, with_password = a, slower = a;
	rlk_server server = { .transport = RLK_TRANSPORT_UNIX, .path = (char *)"/tmp/a", .user = (char *)"secret" },
			   other = server;

	other.user = NULL;
	other.password = (char *)"secret";
	CHECK(rlk_area_server_describe(&with_user, &server));
	CHECK(rlk_area_server_describe(&with_password, &other));
	slower.server.io_timeout_ms = 2000;
	CHECK(begin());
	CHECK_INT(rlk_slots_enter_server(&slots, &a, &err), 0);
	CHECK_INT(rlk_slots_enter_server(&slots, &b, &err), 1);
	CHECK_INT(rlk_slots_enter_server(&slots, &with_user, &err), 2);
	CHECK_INT(rlk_slots_enter_server(&slots, &with_password, &err), 3);
	CHECK_INT(rlk_slots_enter_server(&slots, &slower, &err), 4);
	CHECK_INT(rlk_slots_enter_server(&slots, &a, &err), 0);
	CHECK_INT(rlk_slots_enter_server(&slots, &with_password, &err), 3);
	CHECK_STR(slots.area->servers[2].server.user, "secret");
	CHECK_STR(slots.area->servers[3].server.password, "secret");
	CHECK(slots.area->servers[3].server.password > (char *)slots.area->servers);
	CHECK_INT(atomic_load(&slots.area->servers_used), 5);
	rlk_slots_destroy(&slots);
}

/* Name services hand out the addresses of a name in another order each time, and long-lived processes ask often. */
static void knows_a_server_by_its_addresses_in_any_order(void)
{
	rlk_area_server a = entry_of("/tmp/a"), b = a, fewer = a, other;

	a.addresses[0].item[1] = entry_of("/tmp/b").addresses[0].item[0];
	a.addresses[0].count = 2;
	b.addresses[0].item[0] = a.addresses[0].item[1];
	b.addresses[0].item[1] = a.addresses[0].item[0];
	b.addresses[0].count = 2;
	other = a;
	other.addresses[0].item[1] = entry_of("/tmp/c").addresses[0].item[0];
	CHECK(begin());
	CHECK_INT(rlk_slots_enter_server(&slots, &a, &err), 0);
	CHECK_INT(rlk_slots_enter_server(&slots, &b, &err), 0);
	CHECK_INT(rlk_slots_enter_server(&slots, &fewer, &err), 1);
	CHECK_INT(rlk_slots_enter_server(&slots, &other, &err), 2);
	rlk_slots_destroy(&slots);
}

static void says_when_the_servers_are_full(void)
{
	char path[32];
	rlk_area_server entry;

	CHECK(begin());
	for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++) {
		snprintf(path, sizeof(path), "/tmp/%d", i);
		entry = entry_of(path);
		CHECK_INT(rlk_slots_enter_server(&slots, &entry, &err), i);
	}
	entry = entry_of("/tmp/one more");
	CHECK_INT(rlk_slots_enter_server(&slots, &entry, &err), -1);
	CHECK_INT(err.code, RLK_ERR_RENEWAL);
	CHECK_STR(err.text, "process-bound locks on more than 64 servers in one process");
	entry = entry_of("/tmp/7");
	CHECK_INT(rlk_slots_enter_server(&slots, &entry, &err), 7);
	rlk_slots_destroy(&slots);
}

int main(void)
{
	RUN(copies_its_strings);
	RUN(gives_the_lowest_free_slot);
	RUN(counts_tenancies);
	RUN(waits_for_what_the_child_has);
	RUN(takes_over_what_the_child_released);
	RUN(finds_the_last_one_the_child_released);
	RUN(leaves_alone_what_the_child_looks_at);
	RUN(takes_no_slot_twice_for_a_group);
	RUN(uses_the_arena_again);
	RUN(starts_the_arena_afresh);
	RUN(says_when_the_arena_is_full);
	RUN(says_when_the_slots_are_full);
	RUN(knows_a_server_again);
	RUN(knows_a_server_by_its_addresses_in_any_order);
	RUN(says_when_the_servers_are_full);
	return unit_done();
}
