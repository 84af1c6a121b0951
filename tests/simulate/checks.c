/*
 * checks: what must hold in every world, whatever happens in it.
 */
#include "client.h"

#include "lock/rlk_wait.h"

#include <string.h>

/* A lock that was freed while somebody waits is taken within the first; one that expired, within the second, which has a
 * second until somebody looks. Both in calm worlds only. */
#define FREED_BOUND_MS 400
#define EXPIRED_BOUND_MS 1700
/* What may be left of a refused acquisition is gone within this, in a calm world. */
#define UNDONE_BOUND_MS 600
/* So is what a killed process had, if its child lives. */
#define LEFT_BOUND_MS 1500

typedef struct {
	rlk_str token;         /* at the first server */
	int64_t free_since_us; /* -1: it is not */
	bool expired, forced, foreign;
	bool left; /* a waiter's time was up since the token is there */
	int64_t fence;
	int held_by; /* the number of valid holders when last looked at */
} lock_state;

static lock_state locks[SIM_NAMES];

/* Tokens that must not be at a server any more, from a point in time on. */
static struct {
	rlk_str token;
	int64_t from_us;
} gone[256];
static int gone_count;

void sim_checks_begin(void)
{
	memset(locks, 0, sizeof(locks));
	gone_count = 0;
}

static lock_state *lock_of(rlk_str key)
{
	if (key.len != 5 || memcmp(key.data, "name", 4) != 0)
		return NULL;
	return &locks[key.data[4] - '0'];
}

void sim_note_key(const sim_server *server, rlk_str key, rlk_str token, bool expired)
{
	lock_state *lock = lock_of(key);

	if (lock == NULL || server->number != 0)
		return;
	/* Who is woken by a lock that is put at rest looks after it, and wakes another one if it goes away. */
	lock->expired = expired && (lock->left || !rlk_str_ends_with(lock->token, RLK_STR(":done")));
	lock->left = false;
	lock->token = token;
	lock->free_since_us = token.len > 0 ? -1 : world.now_us;
	lock->foreign = rlk_str_starts_with(token, RLK_STR("foreign"));
	if (expired)
		sim_say("server0", "%.*s expires", (int)key.len, key.data);
}

void sim_note_forced(int name)
{
	locks[name].forced = true;
}

void sim_note_acquired(const sim_hold *hold)
{
	lock_state *lock = &locks[hold->name];

	if (!hold->fence || !sim_hold_is_valid(hold))
		return; /* it was frozen since */
	if (hold->lock.fence <= lock->fence && !lock->forced)
		sim_fail("%s has name%d with fence %d, after %d", hold->client->process->name, hold->name,
			(int)hold->lock.fence, (int)lock->fence);
	lock->fence = hold->lock.fence;
}

static void must_be_gone(rlk_str token, int64_t within_ms)
{
	if (gone_count == 256)
		return;
	gone[gone_count].token = sim_keep(token);
	gone[gone_count++].from_us = world.now_us + within_ms * SIM_MS;
}

void sim_note_refused(const sim_hold *hold, rlk_outcome outcome)
{
	locks[hold->name].left = locks[hold->name].left || !hold->client->interrupted;
	if (hold->lock.given)
		return;
	if (sim_is_calm())
		must_be_gone(rlk_buf_str(&hold->lock.token), UNDONE_BOUND_MS);
	else if (outcome == RLK_NO && world.server_count == 1 && hold->waits_since_us == 0)
		must_be_gone(rlk_buf_str(&hold->lock.token), 0);
}

void sim_note_lost(const sim_hold *hold, rlk_lost_reason reason)
{
	const rlk_slot *slot = hold->slot != RLK_SLOT_NONE ? &hold->client->renewal.slots.area->slots[hold->slot] : NULL;

	if (slot != NULL && reason == RLK_LOST_NOT_OURS && !hold->shortens && !locks[hold->name].forced &&
		slot->valid_until_ms > sim_clock_ms(hold->client->process))
		sim_fail("%s is told that it has lost name%d while it has not", hold->client->process->name, hold->name);
}

void sim_note_killed(const sim_process *process)
{
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < SIM_HOLDS && sim_clients[i].process == process; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];

			if (hold->slot != RLK_SLOT_NONE && hold->linger_ms == 0 && hold->hold_at_least_ms == 0 && sim_is_calm() &&
				process->child != NULL && process->child->running && process->child->dies_at_step == 0)
				must_be_gone(rlk_buf_str(&hold->lock.token), LEFT_BOUND_MS);
		}
	}
}

void sim_note_released(const sim_hold *hold, rlk_str token, rlk_outcome outcome, bool valid)
{
	if (outcome == RLK_NO && valid && !locks[hold->name].forced)
		sim_fail("%s is told that name%d is not its own while it is", hold->client->process->name, hold->name);
	if (outcome == RLK_YES && !hold->async && !hold->lock.given && world.server_count == 1)
		must_be_gone(token, 0);
}

void sim_note_slots(const sim_client *client)
{
	const rlk_area *area = client->renewal.slots.area;

	for (uint32_t i = 0; area != NULL && i < area->slots_used; i++) {
		rlk_slot_state state = area->slots[i].state, leader = area->slots[area->slots[i].leader].state;

		if (state == RLK_SLOT_MEMBER)
			state = leader;
		if (state != RLK_SLOT_FREE && state != RLK_SLOT_RELEASE && state != RLK_SLOT_RELEASED)
			sim_fail("%s ends and slot %u is in state %d", client->process->name, i, (int)state);
	}
}

static void check_holders(int name)
{
	const sim_hold *first = NULL;

	if (locks[name].forced)
		return;
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < SIM_HOLDS; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];

			if (hold->name != name || !sim_clients[i].process->running || !sim_hold_is_valid(hold))
				continue;
			if (first != NULL)
				sim_fail("%s and %s both hold name%d", first->client->process->name, hold->client->process->name, name);
			first = hold;
		}
	}
}

static void check_waiters(int name)
{
	const lock_state *lock = &locks[name];
	bool untold = lock->expired || world.troubles.deaths || world.troubles.foreign || world.troubles.force;
	int64_t bound_us = (untold ? EXPIRED_BOUND_MS : FREED_BOUND_MS) * SIM_MS;

	if (lock->free_since_us < 0 || world.server_count > 1 || !world.servers[0]->blocks ||
		(untold && !world.servers[0]->allows_looks))
		return;
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < SIM_HOLDS; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];
			int64_t since_us = hold->waits_since_us;

			if (hold->name != name || hold->state != SIM_WAITING || since_us == 0 || !hold->client->process->running ||
				world.now_us > hold->waits_until_us)
				continue;
			since_us = since_us > lock->free_since_us ? since_us : lock->free_since_us;
			if (world.now_us > since_us + bound_us)
				sim_fail("%s waits for name%d, which has been free for %d ms", hold->client->process->name, name,
					(int)((world.now_us - lock->free_since_us) / SIM_MS));
		}
	}
}

/* Without calm a SET that stands behind a wait may still come to pass, for its short time. */
static int64_t left_ms(int name)
{
	char bytes[] = { 'n', 'a', 'm', 'e', (char)('0' + name) };
	const sim_key *key = sim_server_find(world.servers[0], rlk_str_make(bytes, sizeof(bytes)));

	if (key == NULL)
		return 0;
	return key->expires_at_ms > 0 ? key->expires_at_ms - sim_server_ms(world.servers[0]) : INT64_MAX;
}

static void check_gone(void)
{
	for (int i = 0; i < gone_count; i++) {
		for (int n = 0; n < SIM_NAMES && gone[i].from_us < world.now_us; n++) {
			if (rlk_str_equal(locks[n].token, gone[i].token) && (sim_is_calm() || left_ms(n) > RLK_WAIT_PROVISIONAL_MS))
				sim_fail("server 0 has a key that was released, or given up: ..%.*s", 8,
					gone[i].token.data + gone[i].token.len - 8);
		}
	}
}

void sim_check(void)
{
	for (int name = 0; name < SIM_NAMES; name++) {
		check_holders(name);
		if (sim_is_calm())
			check_waiters(name);
	}
	check_gone();
}

void sim_check_end(void)
{
	for (int i = 0; i < world.process_count; i++) {
		if (world.processes[i]->running)
			sim_fail("%s never ends", world.processes[i]->name);
		else
			sim_process_check(world.processes[i]);
	}
	for (int i = 0; i < world.server_count; i++) {
		sim_server *server = world.servers[i];

		if (sim_network_open_at(server) > 0)
			sim_fail("server %d has %d connections left", i, sim_network_open_at(server));
		for (const sim_key *key = server->keys, *next; key != NULL; key = next) {
			next = key->next;
			if (sim_server_find(server, key->name) != NULL && !rlk_str_ends_with(key->name, RLK_STR(":fence")))
				sim_fail("server %d has key %.*s for ever", i, (int)key->name.len, key->name.data);
		}
	}
}
