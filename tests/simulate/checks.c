/*
 * checks: what must hold in every world, whatever happens in it.
 */
#include "client.h"

#include "lock/rlk_scripts.h"
#include "lock/rlk_wait.h"
#include "net/rlk_socket.h"

#include <string.h>

/* A lock that was freed while somebody waits is taken within the first; one that expired, within the second, which has a
 * second until somebody looks. Both in calm worlds only. */
#define FREED_BOUND_MS 400
#define EXPIRED_BOUND_MS 1700
/* Permits and shared locks. */
#define ROOM_BOUND_MS 3200
/* Whose look was cut off by an operator looks again within this. */
#define LOOKS_AGAIN_MS 3000
/* What may be left of a refused acquisition is gone within this, in a calm world. */
#define UNDONE_BOUND_MS 600
/* A server that says no in a calm world is no reason to give up, but for want of so much time. */
#define TOLD_BOUND_MS 500
/* So is what a killed process had, if its child lives. */
#define LEFT_BOUND_MS 1500
/* Replicas that do not lag have acknowledged within this, and four times the latency. */
#define REPLICAS_BOUND_MS 20
/* Others of its process wait for a destroyed fiber, which is no trouble. */
#define HELD_UP_MS 20
/* Clocks are counted in whole milliseconds. */
#define REPLICAS_SLACK_MS 3
/* A server that has taken over has its replica by then. */
#define TAKEN_OVER_MS 5000

/* A waiter is in the queue again within this. */
#define POLLS_BOUND_MS 5700

/* So many who were woken may have the lock while somebody asks for a turn, and this long ago at most. */
#define TURN_BOUND 4
#define TURN_ASKED_MS 400

typedef struct {
	rlk_str token;         /* at the first server */
	int64_t free_since_us; /* -1: it is not */
	bool expired, forced;
	bool untold;  /* somebody may have been woken in vain, or not: died, was cut off, or wakes nobody */
	bool rested;  /* what expired was put at rest by a release */
	bool left;    /* a waiter's time was up since the token is there */
	bool by_turn; /* who has it was woken for it, and nobody else had it meanwhile */
	int64_t taken_us, taken_before_us; /* the last two times that it was free and somebody took it */
	int64_t freed_us;                  /* the last time */
	int64_t woken_in_vain_us;          /* a release that found no key has woken somebody */
	int64_t turn_asked_us;
	int passed; /* how many were woken for it since, and nobody had a turn */
	int64_t fence;
	int members;             /* of a set, whose time is not over */
	int64_t left_us;         /* of a set: when one of its holders left, the last time */
	rlk_str turn;            /* of a set: who is at the turnstile, */
	int64_t turn_since_us;   /* and since when */
	bool room, room_told;    /* of a set: there is room for those who wait, and it came by somebody's leaving */
	int64_t one_upgrades_us; /* of a set: the last time that not more than one waited for others to leave */
	int64_t room_since_us;   /* of a set: since then each of those who wait would fit, and nobody has come in */
} lock_state;

static lock_state locks[SIM_NAMES];

/* Tokens that must not be at a server any more, from a point in time on. */
static struct {
	rlk_str token;
	int64_t from_us;
	bool unread; /* nobody waits for the answer to its release */
	const sim_hold *hold;
} gone[256];
static int gone_count;

void sim_checks_begin(void)
{
	memset(locks, 0, sizeof(locks));
	gone_count = 0;
	sim_losses_begin();
}

/* Several may have it at a time, or share it beside a writer. */
static bool is_set(const lock_state *lock)
{
	return lock == &locks[0] && world.kind.id != RLK_PLAIN;
}

static lock_state *lock_of(rlk_str key)
{
	if (key.len != 5 || memcmp(key.data, "name", 4) != 0)
		return NULL;
	return &locks[key.data[4] - '0'];
}

static bool server_has(int name, rlk_str token)
{
	const sim_key *key;

	if (!is_set(&locks[name]))
		return rlk_str_equal(locks[name].token, token);
	key = sim_server_peek(sim_owner(name), name);
	return key != NULL && sim_key_until_ms(key, token) > sim_server_ms(sim_owner(name));
}

/* --- replicas ------------------------------------------------------------------------------------- */

/* Whoever is to have so many replicas has the lock no longer than those. */
static void check_replicas(const sim_hold *hold)
{
	int64_t valid_until_us, until_us;

	if (hold->replicas.min == 0)
		return;
	valid_until_us = sim_us_of(hold->client->process, sim_hold_valid_until_ms(hold));
	until_us = sim_replicated_us(rlk_buf_str(&hold->lock.token.text), hold->replicas.min);
	if (until_us < SIM_NEVER && until_us + REPLICAS_SLACK_MS * SIM_MS < valid_until_us)
		sim_fail("%s has name%d for %d ms, %d replicas for %d ms", hold->client->process->name, hold->name,
			(int)((valid_until_us - world.now_us) / SIM_MS), hold->replicas.min,
			(int)((until_us - world.now_us) / SIM_MS));
}

/* Replicas that are enough, and quick. */
static bool has_replicas(const sim_hold *hold)
{
	return hold->replicas.min == 0 ||
		(sim_is_calm() && !world.lags && hold->replicas.min <= world.replica_count &&
			hold->replicas.timeout_ms * SIM_MS >= REPLICAS_BOUND_MS * SIM_MS + 4 * world.latency_us &&
			!sim_topology_is_moving() && !sim_topology_has_changed(TAKEN_OVER_MS));
}

/* --- what is told --------------------------------------------------------------------------------- */

void sim_note_key(const sim_server *server, rlk_str key, rlk_str token, bool expired)
{
	lock_state *lock = lock_of(key);

	if (lock == NULL)
		return;
	if (server != sim_owner((int)(lock - locks)) && !server->importing[lock - locks])
		return;
	/* Who is woken by a lock that is put at rest looks after it, and wakes another one if it goes away. */
	lock->rested = expired && rlk_str_ends_with(lock->token, RLK_STR(":done")) &&
		!rlk_str_equal(lock->token, RLK_STR(RLK_SCRIPT_TURN));
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
	locks[name].token = token;
	locks[name].free_since_us = token.len > 0 ? -1 : world.now_us;
	locks[name].expired = true; /* nobody is woken for it */
}

void sim_note_forced(int name)
{
	locks[name].forced = locks[name].untold = true;
}

void sim_note_deleted(int name)
{
	locks[name].forced = locks[name].untold = true;
}

static void note_untold(void)
{
	for (int name = 0; name < SIM_NAMES; name++)
		locks[name].untold = true;
}

void sim_note_closed(const sim_process *process)
{
	note_untold();
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds && sim_clients[i].process == process; j++) {
			sim_hold *hold = &sim_clients[i].holds[j];

			hold->closed++;
			hold->closed_us = world.now_us;
			hold->closed_late = hold->closed_late ||
				(hold->replicas.min > 0 && server_has(hold->name, rlk_buf_str(&hold->lock.token.text)));
		}
	}
}

/* Whose wait this token is of. A given one may be that of a wait that is over. */
static sim_hold *waiting_with(rlk_str token)
{
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			sim_hold *hold = &sim_clients[i].holds[j];

			if (sim_clients[i].process->running && hold->state == SIM_WAITING && hold->waits_since_us > 0 &&
				!hold->given && rlk_str_equal(rlk_buf_str(&hold->lock.token.text), token))
				return hold;
		}
	}
	return NULL;
}

/* Beside a queue, who polls never meets a free lock. */
static void check_polling(const sim_hold *hold)
{
	if (hold->blocked && world.servers[0]->blocks &&
		(hold->closed < 2 || world.now_us > hold->closed_us + POLLS_BOUND_MS * SIM_MS))
		sim_fail("%s polls for name%d, although it was in the queue", hold->client->process->name, hold->name);
}

void sim_note_turn(rlk_str key, bool taken)
{
	lock_state *lock = lock_of(key);

	if (lock == NULL)
		return;
	lock->turn_asked_us = taken ? 0 : world.now_us;
	if (taken)
		lock->passed = 0;
}

/* Only who is woken, and not by a server before 6.2, knows that somebody asks. */
static void check_turns(lock_state *lock)
{
	if (lock->turn_asked_us == 0 || world.now_us > lock->turn_asked_us + TURN_ASKED_MS * SIM_MS)
		lock->passed = 0;
	else if (++lock->passed > TURN_BOUND && world.brisk && sim_is_calm() && world.servers[0]->kind != SIM_OLD &&
		!world.troubles.deaths && !world.troubles.force && !world.troubles.deletes)
		sim_fail("somebody asks for a turn, and %d have had name%d since", lock->passed, (int)(lock - locks));
}

void sim_note_left(rlk_str key)
{
	lock_state *lock = lock_of(key);

	if (lock != NULL)
		lock->left_us = world.now_us;
}

void sim_note_woken_in_vain(rlk_str key)
{
	lock_state *lock = lock_of(key);

	if (lock != NULL)
		lock->woken_in_vain_us = world.now_us;
}

/* A release that finds no key wakes a waiter, too, although the one that has freed the lock may just have done so: that of a lock
 * which an operator has deleted, of who was interrupted before the answer to its try, or one that is said again. */
void sim_note_set(rlk_str key, rlk_str token, bool behind, int64_t woken_us, bool done)
{
	lock_state *lock = lock_of(key);
	sim_hold *hold = waiting_with(token);

	if (lock == NULL || sim_is_quorum() || world.topology != SIM_ALONE || is_set(lock))
		return;
	if (hold != NULL && !behind && sim_is_calm())
		check_polling(hold);
	if (hold != NULL && behind)
		hold->blocked = true;
	if (done && woken_us > 0)
		check_turns(lock);
	if (done)
		lock->by_turn = woken_us > 0 && lock->taken_before_us < woken_us;
	else if (woken_us > 0 && lock->by_turn && !lock->forced && lock->woken_in_vain_us < lock->freed_us &&
		rlk_str_starts_with(lock->token, RLK_STR("rlk1:")) && sim_is_calm() && world.servers[0]->kind == SIM_OLD)
		sim_fail("who was woken for name%d finds that another was woken, too", (int)(lock - locks));
}

void sim_note_acquired(const sim_hold *hold)
{
	lock_state *lock = &locks[hold->name];

	if (hold->lock.extension.due_at_ms > 0 && !hold->renew && hold->client->conn.fd == RLK_SOCKET_NONE &&
		!sim_fiber_is_destroyed(hold->client))
		sim_fail("%s has name%d for a moment only, and nothing under way that extends it", hold->client->process->name,
			hold->name);
	if (!hold->fence || !sim_hold_is_valid(hold))
		return; /* it was frozen since */
	if (hold->lock.fence <= lock->fence && !lock->forced)
		sim_fail("%s has name%d with fence %d, after %d", hold->client->process->name, hold->name,
			(int)hold->lock.fence, (int)lock->fence);
	lock->fence = hold->lock.fence;
}

static void must_be_gone(const sim_hold *hold, rlk_str token, int64_t within_ms, bool unread)
{
	if (gone_count == 256)
		return;
	gone[gone_count].token = sim_keep(token);
	gone[gone_count].from_us = world.now_us + within_ms * SIM_MS;
	gone[gone_count].hold = hold;
	gone[gone_count++].unread = unread;
}

/* The wait of a waiter ends. If its time is up, the process may end, and what it has to pass on goes with its connection. It
 * may have been woken by a rest that is just over, and not be told before the server looks at its timers. */
static void note_left(const sim_hold *hold)
{
	lock_state *lock = &locks[hold->name];

	lock->left = true;
	if (lock->rested && world.now_us <= lock->free_since_us + RLK_WAIT_TICK_MS * SIM_MS)
		lock->expired = true;
}

void sim_note_vanished(const sim_hold *hold)
{
	if (hold->state != SIM_WAITING)
		return;
	note_left(hold);
	locks[hold->name].room_since_us = world.now_us;
}

void sim_note_refused(const sim_hold *hold, rlk_outcome outcome)
{
	bool in_time = hold->waits_since_us == 0 || hold->waits_until_us > world.now_us + TOLD_BOUND_MS * SIM_MS;

	/* Where another server may take its place, who waits does not give up because of what one says. */
	bool waits = world.topology != SIM_ALONE && outcome == RLK_FAIL && hold->waits_since_us > 0;

	/* The server may have changed its role with the request on its way, which only who waits outlasts. */
	bool calm = sim_is_calm() && !(sim_topology_is_moving() && hold->waits_since_us == 0);

	/* Nor does who is in the queue, when its connection is closed, once. One that is being opened is not opened again, and what
	 * replicas have can be asked over the same one only. */
	/* With a caller's token a request that gets no answer ends the wait, as where a server that is a replica now hangs up. */
	bool spent = hold->spent ||
		(hold->given && hold->lock.token.spent_until_ms > hold->spent_until_ms && world.topology != SIM_ALONE);
	bool cut = hold->closed > (hold->blocked ? 1 : 0) || hold->closed_late;

	bool held_up = hold->client->held_up_us > hold->began_us;

	if (has_replicas(hold) && (calm || waits) && in_time && !cut && !spent && !held_up && !hold->interrupted &&
		outcome != RLK_NO)
		sim_fail("%s is told of trouble where there is none", hold->client->process->name);
	if (!hold->interrupted)
		note_left(hold);
	if (hold->lock.token.from_caller)
		return;
	/* A server may drop a release behind WAIT when the connection is closed, or have another master in its place by then. */
	/* Where a slot was being moved, who had no time left to find its new place leaves the lock to its short time. */
	if (sim_is_calm() && has_replicas(hold))
		must_be_gone(hold, rlk_buf_str(&hold->lock.token.text),
			sim_topology_is_moving() ? RLK_WAIT_PROVISIONAL_MS : UNDONE_BOUND_MS, true);
	else if (outcome == RLK_NO && world.topology == SIM_ALONE && world.server_count == 1 && hold->waits_since_us == 0)
		must_be_gone(hold, rlk_buf_str(&hold->lock.token.text), 0, true);
}

void sim_note_upgraded(const sim_hold *hold, rlk_outcome outcome)
{
	bool in_time = hold->upgrade_until_us == 0 || hold->upgrade_until_us > world.now_us + TOLD_BOUND_MS * SIM_MS;

	if (sim_is_calm() && in_time && !sim_topology_is_moving() && !hold->interrupted && hold->closed == 0 &&
		outcome != RLK_YES && outcome != RLK_NO)
		sim_fail("%s is told of trouble where there is none", hold->client->process->name);
}

void sim_note_tried(const sim_hold *hold)
{
	if (!hold->lock.token.from_caller && world.topology == SIM_ALONE && world.server_count == 1)
		must_be_gone(hold, rlk_buf_str(&hold->lock.token.text), UNDONE_BOUND_MS, true);
}

void sim_note_lost(const sim_hold *hold, rlk_lost_reason reason)
{
	const rlk_slot *slot = hold->slot != RLK_SLOT_NONE ? &hold->client->renewal.slots.area->slots[hold->slot] : NULL;

	if (sim_is_calm() && reason == RLK_LOST_EXPIRED && has_replicas(hold) && slot->ttl_ms >= 1500 &&
		(hold->lasted_ms == 0 || hold->lasted_ms >= 1500) && hold->client->process->child->running)
		sim_fail("%s loses name%d while all is well", hold->client->process->name, hold->name);
	if (slot != NULL && reason == RLK_LOST_NOT_OURS && !hold->shortens && !locks[hold->name].forced &&
		!sim_is_betrayed(rlk_buf_str(&hold->lock.token.text)) &&
		slot->valid_until_ms > sim_clock_ms(hold->client->process))
		sim_fail("%s is told that it has lost name%d while it has not", hold->client->process->name, hold->name);
}

void sim_note_killed(const sim_process *process)
{
	if (process->dies_at_step > 0)
		note_untold();
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds && sim_clients[i].process == process; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];

			sim_note_vanished(hold);
			if (hold->slot != RLK_SLOT_NONE && hold->linger_ms == 0 && hold->hold_at_least_ms == 0 && sim_is_calm() &&
				process->child != NULL && process->child->running && process->child->dies_at_step == 0)
				must_be_gone(hold, rlk_buf_str(&hold->lock.token.text), LEFT_BOUND_MS, false);
		}
	}
}

void sim_note_released(const sim_hold *hold, rlk_str token, rlk_outcome outcome, bool valid)
{
	if (world.shares && hold->given && !valid)
		sim_betray(token); /* it was over amid the request, and another may have it by the same token */
	if (outcome == RLK_NO && valid && !locks[hold->name].forced && !sim_is_betrayed(token))
		sim_fail("%s is told that name%d is not its own while it is", hold->client->process->name, hold->name);
	if (outcome == RLK_YES && !hold->lock.token.from_caller && !sim_is_quorum() && !sim_is_betrayed(token))
		must_be_gone(hold, token, 0, false);
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
	return hold->lock.kind.id == RLK_SHARED && !hold->alone;
}

static void check_holders(int name)
{
	const sim_hold *first = NULL;
	int permits = is_set(&locks[name]) ? world.kind.permits : 0, weight = 0;

	if (locks[name].forced)
		return;
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];

			if (hold->name != name || !sim_clients[i].process->running || !sim_hold_is_valid(hold) ||
				sim_is_betrayed(rlk_buf_str(&hold->lock.token.text)))
				continue;
			check_replicas(hold);
			weight += hold->lock.kind.weight;
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

/* Would it fit beside what the server has? */
static bool fits(const sim_hold *hold, const sim_key *key, int members)
{
	if (hold->lock.kind.id == RLK_PLAIN || key == NULL)
		return key == NULL;
	return key->is_set &&
		(hold->lock.kind.id == RLK_SHARED || members + hold->lock.kind.weight <= hold->lock.kind.permits);
}

/* Does it share the lock, and wait for others to leave? */
static bool waits_to_be_alone(const sim_hold *hold, const sim_key *key)
{
	return hold->upgrade_until_us > world.now_us && key != NULL &&
		sim_key_until_ms(key, rlk_buf_str(&hold->lock.token.text)) > sim_server_ms(sim_owner(hold->name));
}

/* Who waits for others to leave is alone some time after that. Of two who do so one is told at once. */
static void check_upgrades(int name, const sim_key *key, int members)
{
	int waiting = 0;
	bool bounded =
		sim_is_calm() && world.topology == SIM_ALONE && world.servers[0]->blocks && world.servers[0]->allows_looks;

	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			sim_hold *hold = &sim_clients[i].holds[j];

			if (hold->name != name || hold->upgrade_until_us <= world.now_us || !sim_clients[i].process->running ||
				hold->closed > 0)
				continue;
			if (!waits_to_be_alone(hold, key) || sim_clients[i].held_up_us == world.now_us) {
				hold->alone_since_us = world.now_us;
				continue;
			}
			/* Who may not block is not at the turnstile, where a second one is told. */
			waiting += !sim_client_may_not_block(&sim_clients[i]);
			if (members != 1)
				hold->alone_since_us = world.now_us;
			else if (bounded && world.now_us > hold->alone_since_us + ROOM_BOUND_MS * SIM_MS)
				sim_fail("%s waits to be alone with name%d, which it has been for %d ms", sim_clients[i].process->name,
					name, (int)((world.now_us - hold->alone_since_us) / SIM_MS));
		}
	}
	if (waiting < 2)
		locks[name].one_upgrades_us = world.now_us;
	else if (bounded && world.now_us > locks[name].one_upgrades_us + FREED_BOUND_MS * SIM_MS)
		sim_fail("%d wait for each other to leave name%d", waiting, name);
}

/* Some who wait for a set may not fit where others do, who came later and so have to wait for them. */
static void note_room(int name)
{
	lock_state *lock = &locks[name];
	const sim_key *key = sim_server_peek(sim_owner(name), name);
	int members = sim_server_members(sim_owner(name), key);
	rlk_str turn = sim_server_turn(sim_owner(name), name);
	bool room = true;

	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];

			if (hold->name != name || !sim_clients[i].process->running)
				continue;
			if (hold->state == SIM_WAITING)
				room = room && fits(hold, members > 0 ? key : NULL, members);
			else if (waits_to_be_alone(hold, key))
				room = room && members == 1;
		}
	}
	if (!room || members > lock->members)
		lock->room_since_us = world.now_us;
	if (!rlk_str_equal(turn, lock->turn))
		lock->turn_since_us = world.now_us;
	lock->turn = turn;
	if (room && !lock->room)
		lock->room_told = lock->left_us == world.now_us;
	lock->room = room;
	lock->members = members;
	check_upgrades(name, members > 0 ? key : NULL, members);
}

/* From when on a waiter may be expected to have the lock, if that has been there for it since then. RLK_NEVER: it may not. */
static int64_t expects_since_us(const sim_hold *hold, int64_t since_us)
{
	/* One that waits for replicas has the lock, as far as it knows. */
	if (!has_replicas(hold) || hold->state != SIM_WAITING || hold->waits_since_us == 0 ||
		!hold->client->process->running || world.now_us > hold->waits_until_us)
		return SIM_NEVER;
	since_us = since_us > hold->waits_since_us ? since_us : hold->waits_since_us;
	since_us = since_us > hold->client->held_up_us ? since_us : hold->client->held_up_us;
	if (hold->closed > 0 && hold->closed_us + LOOKS_AGAIN_MS * SIM_MS > since_us)
		since_us = hold->closed_us + LOOKS_AGAIN_MS * SIM_MS;
	return since_us;
}

/* Does it wait at the head of those who wait for a set, and was there somebody to wake it? */
static bool is_told(const sim_hold *hold)
{
	const lock_state *lock = &locks[hold->name];

	if (lock->untold || !is_set(lock))
		return !lock->untold && !lock->expired;
	return lock->room_told && lock->turn.len > 0 && world.now_us > lock->turn_since_us + FREED_BOUND_MS * SIM_MS &&
		hold->lock.turnstile != NULL && rlk_str_equal(lock->turn, rlk_buf_str(&hold->lock.turnstile->token.text));
}

static void check_waiters(int name)
{
	const lock_state *lock = &locks[name];
	int64_t there_since_us = is_set(lock) ? lock->room_since_us : lock->free_since_us;

	if (there_since_us < 0 || sim_is_quorum() || world.topology != SIM_ALONE || !world.servers[0]->blocks ||
		((lock->expired || lock->untold || is_set(lock)) && !world.servers[0]->allows_looks))
		return;
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];
			int64_t since_us = hold->name == name ? expects_since_us(hold, there_since_us) : SIM_NEVER;
			int64_t bound_ms = since_us == SIM_NEVER ? 0 :
				is_told(hold)                        ? FREED_BOUND_MS :
				is_set(lock)                         ? ROOM_BOUND_MS :
													   EXPIRED_BOUND_MS;

			if (since_us < SIM_NEVER && world.now_us > since_us + bound_ms * SIM_MS)
				sim_fail("%s waits for name%d, which has had room for it for %d ms", hold->client->process->name, name,
					(int)((world.now_us - there_since_us) / SIM_MS));
		}
	}
}

/* A SET that stands behind a wait may still come to pass, for its short time: without calm, where the wait's connection was closed, and if its release was on the way
 * to a server when another one took its place. */
static bool may_be_late(const sim_hold *hold, bool unread)
{
	return !sim_is_calm() || hold->closed_us > 0 || (unread && sim_topology_has_changed(RLK_WAIT_PROVISIONAL_MS));
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
			if (server_has(n, gone[i].token) && !sim_is_betrayed(gone[i].token) &&
				(!may_be_late(gone[i].hold, gone[i].unread) || left_ms(n, gone[i].token) > RLK_WAIT_PROVISIONAL_MS))
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

void sim_check(void)
{
	note_held_up();
	for (int name = 0; name < SIM_NAMES; name++) {
		check_holders(name);
		if (is_set(&locks[name]))
			note_room(name);
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
			if (sim_server_find(server, key->name) != NULL && !server->is_sentinel &&
				!rlk_str_ends_with(key->name, RLK_STR(":fence")))
				sim_fail("server %d has key %.*s for ever", i, (int)key->name.len, key->name.data);
		}
	}
}
