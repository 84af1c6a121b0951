/*
 * checks: what must hold in every world, whatever happens in it.
 */
#include "checks.h"

#include "history.h"

#include "lock/rlk_scripts.h"
#include "lock/rlk_wait.h"
#include "net/rlk_socket.h"

#include <string.h>

/* What may be left of a refused acquisition is gone within this, in a calm world. */
#define UNDONE_BOUND_MS 600
/* rlk_conn_extend_limit() */
#define UNDONE_CONNECT_MS 15
/* A server that says no in a calm world is no reason to give up, but for want of so much time. */
#define TOLD_BOUND_MS 500
/* So is what a killed process had, if its child lives. */
#define LEFT_BOUND_MS 1500
/* The server sees within this, in a calm world, that the connection of a killed process is over. */
#define SEEN_BOUND_MS 100
/* Others of its process wait for a destroyed fiber, which is no trouble. */
#define HELD_UP_MS 20
sim_lock_state sim_locks[SIM_NAMES];

/* Tokens that must not be at a server any more, from a point in time on. */
static struct {
	rlk_str token;
	int64_t began_us, told_us, from_us;
	bool unread; /* nobody waits for the answer to its release, */
	bool cut;    /* which an operator has kept from arriving */
	const sim_hold *hold;
} gone[256];
static int gone_count;

void sim_checks_begin(void)
{
	memset(sim_locks, 0, sizeof(sim_locks));
	gone_count = 0;
	sim_losses_begin();
}

static bool server_has(int name, rlk_str token)
{
	const sim_key *key;

	if (!sim_lock_is_set(&sim_locks[name]))
		return rlk_str_equal(sim_locks[name].token, token);
	key = sim_server_peek(sim_owner(name), name);
	return key != NULL && sim_key_until_ms(key, token) > sim_server_ms(sim_owner(name));
}

/* --- what is told --------------------------------------------------------------------------------- */

void sim_note_key(const sim_server *server, rlk_str key, rlk_str token, bool expired)
{
	sim_lock_state *lock = sim_lock_of(key);

	if (lock == NULL)
		return;
	if (server != sim_owner((int)(lock - sim_locks)) && !server->importing[lock - sim_locks])
		return;
	/* Who is woken by a lock that is put at rest looks after it, and wakes another one if it goes away. */
	lock->rested = expired && rlk_str_ends_with(lock->token, RLK_STR(":done"));
	lock->expired = expired && (lock->left || !lock->rested);
	lock->left = false;
	lock->by_turn = lock->by_turn && rlk_str_equal(lock->token, token);
	if (lock->token.len == 0 && token.len > 0) {
		lock->taken_before_us = lock->taken_us;
		lock->taken_us = world.now_us;
	}
	if (lock->token.len > 0 && token.len == 0)
		lock->freed_us = world.now_us;
	lock->token = token;
	lock->free_since_us = token.len > 0 ? -1 : world.now_us;
	lock->untold = lock->untold || rlk_str_starts_with(token, RLK_STR("foreign"));
	if (expired)
		sim_say("server0", "%.*s expires", (int)key.len, key.data);
}

void sim_note_owner(int name, rlk_str token)
{
	sim_locks[name].token = token;
	sim_locks[name].free_since_us = token.len > 0 ? -1 : world.now_us;
	sim_locks[name].expired = true; /* nobody is woken for it */
}

void sim_note_forced(int name)
{
	sim_locks[name].forced = sim_locks[name].untold = true;
	sim_history_excuse(name);
}

void sim_note_deleted(int name)
{
	sim_locks[name].forced = sim_locks[name].untold = true;
	sim_history_excuse(name);
}

void sim_note_wake_lost(void)
{
	for (int name = 0; name < SIM_NAMES; name++)
		sim_locks[name].untold = true;
}

/* Has an operator closed a connection of its process just before this? */
static bool is_just_closed(const sim_hold *hold, int64_t us)
{
	return hold->closed_us > 0 && us < hold->closed_us + 4 * world.latency_us + SIM_MS;
}

/* Releases under way, whose answers nobody awaits, may not have arrived. Of a process, or of a name. */
static void note_cut(const sim_process *process, int name)
{
	for (int i = 0; i < gone_count; i++) {
		const sim_hold *hold = gone[i].hold;

		if (gone[i].unread && (hold->client->process == process || hold->name == name) &&
			server_has(hold->name, gone[i].token))
			gone[i].cut = gone[i].cut || world.now_us < gone[i].told_us + 4 * world.latency_us + SIM_MS;
	}
}

void sim_note_moved(int name)
{
	note_cut(NULL, name);
}

void sim_note_closed(const sim_process *process)
{
	sim_note_wake_lost();
	note_cut(process, -1);
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds && sim_clients[i].process == process; j++) {
			sim_hold *hold = &sim_clients[i].holds[j];

			hold->closed++;
			hold->closed_us = world.now_us;
			hold->closed_late = hold->closed_late ||
				(hold->life.replicas.min > 0 && server_has(hold->name, rlk_buf_str(&hold->life.lock.token.text)));
		}
	}
}

/* Of several servers, whichever has the key is asked for its release. */
static void check_knows(const sim_hold *hold)
{
	rlk_str token = rlk_buf_str(&hold->life.lock.token.text);

	for (int i = 0; i < world.server_count && sim_is_quorum() && !hold->given; i++) {
		const sim_key *key = sim_server_peek(world.servers[i], hold->name);

		if (key != NULL && sim_key_has(key, token) && (hold->life.lock.ledger.servers & RLK_SERVER_BIT(i)) == 0)
			sim_fail("%s has name%d at server %d, and takes it for refused", hold->client->process->name, hold->name,
				i);
	}
}

void sim_note_acquired(const sim_hold *hold)
{
	sim_lock_state *lock = &sim_locks[hold->name];

	if (hold->given && hold->spent_until_ms > sim_clock_ms(hold->client->process))
		sim_fail("%s has name%d with a token that is spent", hold->client->process->name, hold->name);
	/* A fiber that has waited for the answer, to put its connection away, may have seen that break. */
	if (hold->life.lock.extension.due_at_ms > 0 && !hold->life.renew && hold->client->conn.fd == RLK_SOCKET_NONE &&
		!sim_fiber_is_destroyed(hold->client) &&
		(world.fibers == 0 || hold->life.lock.extension.sent_at_ms == sim_clock_ms(hold->client->process)))
		sim_fail("%s has name%d for a moment only, and nothing under way that extends it", hold->client->process->name,
			hold->name);
	check_knows(hold);
	if (!hold->fence || !sim_hold_is_valid(hold))
		return; /* it was frozen since */
	if (hold->life.lock.fence <= lock->fence && !lock->forced)
		sim_fail("%s has name%d with fence %d, after %d", hold->client->process->name, hold->name,
			(int)hold->life.lock.fence, (int)lock->fence);
	lock->fence = hold->life.lock.fence;
}

static void must_be_gone(const sim_hold *hold, rlk_str token, int64_t within_ms, bool unread)
{
	if (gone_count == 256)
		return;
	gone[gone_count].token = sim_keep(token);
	gone[gone_count].began_us = hold->began_us;
	gone[gone_count].told_us = world.now_us;
	gone[gone_count].from_us = world.now_us + within_ms * SIM_MS;
	/* The one over which the release goes was closed just before. */
	gone[gone_count].cut = unread && is_just_closed(hold, world.now_us);
	gone[gone_count].hold = hold;
	gone[gone_count++].unread = unread;
}

/* The wait of a waiter ends. If its process ends, too, or the connection, what it has to pass on may go with it. It may have been
 * woken by a rest that is just over, and not be told before the server looks at its timers. */
static void note_left(const sim_hold *hold, bool cut_off)
{
	sim_lock_state *lock = &sim_locks[hold->name];

	lock->left = lock->left || cut_off;
	if (lock->rested && world.now_us <= lock->free_since_us + RLK_WAIT_TICK_MS * SIM_MS)
		lock->expired = true;
}

void sim_note_vanished(const sim_hold *hold)
{
	if (hold->life.state != RLK_HOLD_WAITING)
		return;
	note_left(hold, true);
	sim_locks[hold->name].room_since_us = world.now_us;
}

/* Could its time be over? That began after the acquisition did. */
static void check_reason(const sim_hold *hold, const rlk_error *why)
{
	int64_t ttl_ms = rlk_clock_earlier(hold->ttl_ms, RLK_WAIT_PROVISIONAL_MS);

	if (!hold->given && strstr(why->text, "took longer than the ttl") != NULL &&
		world.now_us < hold->began_us + rlk_validity_ms(ttl_ms) * SIM_MS - ttl_ms * 10)
		sim_fail("%s is told that the ttl of %d ms is over after %d ms", hold->client->process->name, (int)hold->ttl_ms,
			(int)((world.now_us - hold->began_us) / SIM_MS));
}

void sim_note_refused(const sim_hold *hold, rlk_outcome outcome, const rlk_error *why)
{
	bool in_time = hold->waits_since_us == 0 || hold->waits_until_us > world.now_us + TOLD_BOUND_MS * SIM_MS;

	/* Where another server may take its place, who waits does not give up because of what one says. */
	bool waits = world.topology != SIM_ALONE && outcome == RLK_FAIL && hold->waits_since_us > 0;

	/* The server may have changed its role with the request on its way, which only who waits outlasts. */
	bool calm = sim_is_calm() && !(sim_topology_is_moving() && hold->waits_since_us == 0);

	/* Nor does who is in the queue, when its connection is closed, once. One that is being opened is not opened again, and what
	 * replicas have can be asked over the same one only. One may have been closed just before. */
	/* With a caller's token a request that gets no answer ends the wait, as where a server that is a replica now hangs up. */
	bool spent = hold->spent ||
		(hold->given && hold->life.lock.ledger.spent_until_ms > hold->spent_until_ms && world.topology != SIM_ALONE);
	bool cut = hold->closed > (hold->blocked ? 1 : 0) || hold->closed_late || is_just_closed(hold, hold->began_us);

	bool held_up = hold->client->held_up_us > hold->began_us;

	if (sim_has_replicas(hold) && (calm || waits) && in_time && !cut && !spent && !held_up && !hold->interrupted &&
		outcome != RLK_NO)
		sim_fail("%s is told of trouble where there is none", hold->client->process->name);
	if (!hold->interrupted)
		check_reason(hold, why);
	/* What stands behind a wait that the server has not ended is dropped if the connection closes before. */
	note_left(hold,
		!sim_is_calm() || world.fibers > 0 || hold->closed > 0 || hold->client->conn.fd == RLK_SOCKET_NONE ||
			rlk_conn_is_blocked(&hold->client->conn));
	/* Others rely on its next look, as on that of who is killed. */
	if (hold->interrupted && sim_locks[hold->name].room_since_us >= 0)
		sim_locks[hold->name].room_since_us = world.now_us;
	hold->client->left_us = world.now_us;
	hold->client->left_name = hold->name;
	/* Whoever is interrupted amid a wait for replicas closes the connection, and a new one may take longer than a release has. */
	if (hold->life.lock.token.from_caller ||
		(hold->interrupted && hold->life.replicas.min > 0 && 4 * world.latency_us > UNDONE_CONNECT_MS * SIM_MS))
		return;
	/* Another master may have taken the server's place by the time that the release arrives. */
	/* Where a slot was being moved, who had no time left to find its new place leaves the lock to its short time. */
	if (sim_is_calm() && sim_has_replicas(hold))
		must_be_gone(hold, rlk_buf_str(&hold->life.lock.token.text),
			(sim_topology_is_moving() ? RLK_WAIT_PROVISIONAL_MS : 0) + UNDONE_BOUND_MS, true);
	else if (outcome == RLK_NO && world.topology == SIM_ALONE && world.server_count == 1 && hold->waits_since_us == 0)
		must_be_gone(hold, rlk_buf_str(&hold->life.lock.token.text), 0, true);
}

/* What stands behind a wait that the server has not ended yet is dropped when the connection is closed for another one. */
void sim_note_used(const sim_client *client)
{
	if (client->left_us > 0 && world.now_us < client->left_us + RLK_WAIT_TICK_MS * SIM_MS)
		sim_locks[client->left_name].left = true;
}

void sim_note_upgraded(const sim_hold *hold, rlk_outcome outcome)
{
	if (sim_is_calm() && !sim_topology_is_moving() && !hold->interrupted && !hold->spent && hold->closed == 0 &&
		outcome != RLK_YES && outcome != RLK_NO)
		sim_fail("%s is told of trouble where there is none", hold->client->process->name);
}

void sim_note_tried(const sim_hold *hold)
{
	if (!hold->life.lock.token.from_caller && world.topology == SIM_ALONE && world.server_count == 1)
		must_be_gone(hold, rlk_buf_str(&hold->life.lock.token.text), UNDONE_BOUND_MS, true);
}

void sim_note_lost(const sim_hold *hold, rlk_lost_reason reason)
{
	const rlk_slot *slot = hold->life.slot != RLK_SLOT_NONE ? sim_slot_of(hold) : NULL;

	if (sim_is_calm() && reason == RLK_LOST_EXPIRED && sim_has_replicas(hold) && slot->ttl_ms >= 1500 &&
		(hold->lasted_ms == 0 || hold->lasted_ms >= 1500) && hold->client->process->child->running)
		sim_fail("%s loses name%d while all is well", hold->client->process->name, hold->name);
	if (slot != NULL && reason == RLK_LOST_NOT_OURS && !hold->shortens && !sim_locks[hold->name].forced &&
		!sim_is_betrayed(rlk_buf_str(&hold->life.lock.token.text)) &&
		rlk_slot_valid_until(slot) > sim_clock_ms(hold->client->process))
		sim_fail("%s is told that it has lost name%d while it has not", hold->client->process->name, hold->name);
}

/* What its child has renewed meanwhile stays. */
void sim_note_extended(const sim_hold *hold)
{
	const rlk_slot *slot = sim_slot_of(hold);

	if (slot->state == RLK_SLOT_ACTIVE && hold->known_ms > 0 && hold->renewed_ms > hold->known_ms &&
		rlk_slot_valid_until(slot) < hold->renewed_ms)
		sim_fail("%s takes back what its child has renewed of name%d", hold->client->process->name, hold->name);
}

/* A waiter that is killed may still be woken, behind the release by its child: then it has the lock for its short time. */
static int64_t left_bound_ms(const sim_hold *hold)
{
	bool blocks = hold->life.state == RLK_HOLD_WAITING && hold->waits_since_us > 0 && !sim_is_quorum();

	return blocks && !server_has(hold->name, rlk_buf_str(&hold->life.lock.token.text)) ?
		RLK_WAIT_PROVISIONAL_MS + SEEN_BOUND_MS :
		LEFT_BOUND_MS;
}

void sim_note_killed(const sim_process *process)
{
	sim_history_killed(process);
	if (process->dies_at_step > 0)
		sim_note_wake_lost();
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds && sim_clients[i].process == process; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];

			sim_note_vanished(hold);
			if (hold->life.slot != RLK_SLOT_NONE && hold->life.linger_ms == 0 && hold->life.hold_at_least_ms == 0 &&
				sim_is_calm() && process->child != NULL && process->child->running && process->child->dies_at_step == 0)
				must_be_gone(hold, rlk_buf_str(&hold->life.lock.token.text), left_bound_ms(hold), false);
		}
	}
}

void sim_note_asked_with(const sim_hold *hold, rlk_str token, bool valid)
{
	if (world.shares && hold->given && !valid)
		sim_betray(token);
}

void sim_note_released(const sim_hold *hold, rlk_str token, rlk_outcome outcome, bool valid)
{
	/* Of several servers one may have been acquired by another before the release came. */
	sim_note_asked_with(hold, token, valid && !sim_is_quorum());
	if (outcome == RLK_NO && valid && !sim_locks[hold->name].forced && !sim_is_betrayed(token))
		sim_fail("%s is told that name%d is not its own while it is", hold->client->process->name, hold->name);
	if (outcome == RLK_YES && !hold->life.lock.token.from_caller && !sim_is_quorum() && !sim_is_betrayed(token))
		must_be_gone(hold, token, 0, false);
	/* Perhaps between the answers to the command and to whether somebody waits. */
	sim_locks[hold->name].untold = sim_locks[hold->name].untold || sim_fiber_is_destroyed(hold->client);
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

static bool shares(const sim_hold *hold)
{
	return hold->life.lock.kind.id == RLK_SHARED && !hold->alone;
}

static bool has_for_long_enough(const sim_server *server, const sim_hold *hold)
{
	const sim_key *key = sim_server_peek(server, hold->name);
	int64_t until_ms = key != NULL ? sim_key_until_ms(key, rlk_buf_str(&hold->life.lock.token.text)) : 0;

	/* A key lives to the end of that millisecond, a member of a set to its beginning. */
	return until_ms == SIM_NEVER ||
		sim_us_at(server, until_ms + (until_ms > 0 && !key->is_set)) >=
		sim_us_of(hold->client->process, sim_hold_valid_until_ms(hold));
}

/* The server, or most of them, have it for as long as is believed. */
static void check_key(const sim_hold *hold)
{
	int have = 0;

	for (int i = 0; i < world.server_count && sim_is_quorum(); i++)
		have += has_for_long_enough(world.servers[i], hold);
	if (sim_is_quorum() ? have < rlk_votes_needed(world.server_count) :
						  !has_for_long_enough(sim_owner(hold->name), hold))
		sim_fail("%s relies on name%d for longer than its key is there", hold->client->process->name, hold->name);
}

static void check_holders(int name)
{
	const sim_hold *first = NULL;
	int permits = sim_lock_is_set(&sim_locks[name]) ? world.kind.permits : 0, weight = 0;

	if (sim_locks[name].forced)
		return;
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];

			if (hold->name != name || !sim_clients[i].process->running || !sim_hold_is_valid(hold) ||
				sim_is_betrayed(rlk_buf_str(&hold->life.lock.token.text)))
				continue;
			sim_check_replicas(hold);
			if (world.races || sim_is_quorum())
				check_key(hold);
			weight += hold->life.lock.kind.weight;
			if (permits > 0 && weight > permits)
				sim_fail("%d of %d permits of name%d are held, %s's the last", weight, permits, name,
					hold->client->process->name);
			if (permits > 0 || (first != NULL && shares(first) && shares(hold)))
				continue;
			if (first != NULL)
				sim_fail("%s and %s both hold name%d", first->client->process->name, hold->client->process->name, name);
			first = hold;
		}
	}
}

/* A SET that stands behind a wait may still come to pass, for its short time: without calm, where a connection was closed since
 * the acquisition, and if its release was on the way to a server when another one took its place. */
static bool may_be_late(const sim_hold *hold, int64_t began_us, bool unread)
{
	return !sim_is_calm() || is_just_closed(hold, began_us) ||
		(unread && sim_topology_has_changed(RLK_WAIT_PROVISIONAL_MS));
}

static int64_t left_ms(int name, rlk_str token)
{
	const sim_server *owner = sim_owner(name);
	const sim_key *key = sim_server_peek(owner, name);
	int64_t until_ms = key != NULL ? sim_key_until_ms(key, token) : 0;

	return until_ms > 0 && until_ms < SIM_NEVER ? until_ms - sim_server_ms(owner) : until_ms;
}

static void check_gone(void)
{
	for (int i = 0; i < gone_count; i++) {
		for (int n = 0; n < SIM_NAMES && gone[i].from_us < world.now_us; n++) {
			if (!gone[i].cut && server_has(n, gone[i].token) && !sim_is_betrayed(gone[i].token) &&
				(!may_be_late(gone[i].hold, gone[i].began_us, gone[i].unread) ||
					left_ms(n, gone[i].token) > RLK_WAIT_PROVISIONAL_MS))
				sim_fail("the server has a key that was released, or given up: ..%.*s", 8,
					gone[i].token.data + gone[i].token.len - 8);
		}
	}
}

/* One that has been destroyed blocks wherever it waits. */
static void note_held_up(void)
{
	for (int i = 0; i < sim_client_count; i++) {
		sim_client *client = &sim_clients[i];
		bool before = client->held_up;

		client->held_up = sim_fiber_is_destroyed(client);
		if (client->held_up && !before)
			client->held_up_since_us = world.now_us;
		if (client->held_up && world.now_us > client->held_up_since_us + HELD_UP_MS * SIM_MS)
			client->held_up_us = world.now_us;
	}
}

/* What a child renews before the extension has begun an epoch may be shortened by that. */
static void note_renewed(void)
{
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			sim_hold *hold = &sim_clients[i].holds[j];
			const rlk_slot *slot;

			if (hold->lasted_ms == 0 || hold->life.slot == RLK_SLOT_NONE || !sim_clients[i].process->running)
				continue;
			slot = sim_slot_of(hold);
			if (hold->known_ms == 0 && rlk_slot_epoch(slot) != hold->epoch)
				hold->known_ms = hold->renewed_ms = rlk_slot_valid_until(slot);
			else if (rlk_slot_valid_until(slot) > hold->renewed_ms)
				hold->renewed_ms = rlk_slot_valid_until(slot);
		}
	}
}

void sim_check(void)
{
	note_held_up();
	note_renewed();
	for (int name = 0; name < SIM_NAMES; name++) {
		check_holders(name);
		sim_check_queue(name);
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
			if (sim_server_find(server, key->name) != NULL && !server->is_sentinel &&
				!rlk_str_ends_with(key->name, RLK_STR(":fence")))
				sim_fail("server %d has key %.*s for ever", i, (int)key->name.len, key->name.data);
		}
	}
}
