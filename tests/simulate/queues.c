/*
 * queues: checks how long waiters wait, and in which order they are served.
 */
#include "checks.h"

#include "lock/rlk_wait.h"

/* A lock that was freed while somebody waits is taken within the first time; a lock that expired, within the second,
 * since a second may pass until a waiter checks. Both in calm worlds only. */
#define FREED_BOUND_MS 400
#define EXPIRED_BOUND_MS 1700
/* Permits and shared locks. */
#define ROOM_BOUND_MS 3200
/* A waiter whose check an operator has cut off checks again within this time. */
#define LOOKS_AGAIN_MS 3000
/* A waiter joins the queue again within this time. */
#define POLLS_BOUND_MS 5700

/* A waiter that was woken in vain has tried within this time after the requests behind its wait were served. */
#define IN_VAIN_MS 2

/* A waiter whose check finds the lock free checks again after this time. A holder in between goes unnoticed. */
#define LOOKS_APART_MS 10

/* --- what servers do -------------------------------------------------------------------------------- */

/* The hold that waits with this token. A token of the caller may be of a wait that is over: it is nobody's until the
 * next wait has its own. */
static sim_hold *waiting_with(rlk_str token)
{
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			sim_hold *hold = &sim_clients[i].holds[j];

			if (sim_clients[i].process->running && hold->life.state == RLK_HOLD_WAITING && hold->waits_since_us > 0 &&
				hold->tried && !hold->given && rlk_str_equal(rlk_buf_str(&hold->life.lock.token.text), token))
				return hold;
		}
	}
	return NULL;
}

/* While there is a queue, a client that polls never meets a free lock. */
static void check_polling(const sim_hold *hold)
{
	if (hold->blocked && world.servers[0]->blocks &&
		(hold->closed < 2 || world.now_us > hold->closed_us + POLLS_BOUND_MS * SIM_MS))
		sim_fail("%s polls for name%d, although it was in the queue", hold->client->process->name, hold->name);
}

void sim_note_left(rlk_str key)
{
	sim_lock_state *lock = sim_lock_of(key);

	if (lock != NULL)
		lock->left_us = world.now_us;
}

void sim_note_woken_in_vain(rlk_str key)
{
	sim_lock_state *lock = sim_lock_of(key);

	if (lock != NULL)
		lock->woken_in_vain_us = world.now_us;
}

/* A release that finds no key, or has a token of the caller, wakes a waiter, too, although the release that has freed
 * the lock may have done so just before: after an operator's DEL, after an interrupted try, and when a release is sent
 * again. */
void sim_note_set(rlk_str key, rlk_str token, bool behind, int64_t woken_us, bool done)
{
	sim_lock_state *lock = sim_lock_of(key);
	sim_hold *hold = waiting_with(token);

	if (lock == NULL || sim_is_quorum() || world.topology != SIM_ALONE || sim_lock_is_set(lock))
		return;
	if (hold != NULL && !behind && sim_is_calm())
		check_polling(hold);
	if (hold != NULL && behind)
		hold->blocked = true;
	if (done)
		lock->by_turn = woken_us > 0 && lock->taken_before_us < woken_us && lock->freed_us <= woken_us;
	else if (woken_us > 0 && lock->by_turn && lock->taken_before_us < woken_us && !lock->forced &&
		lock->taken_before_us + LOOKS_APART_MS * SIM_MS + 3 * world.latency_us + world.behind_us < lock->freed_us &&
		lock->woken_in_vain_us + world.behind_us + IN_VAIN_MS * SIM_MS < lock->freed_us &&
		rlk_str_starts_with(lock->token, RLK_STR("rlk1:")) && sim_is_calm() && world.servers[0]->kind == SIM_OLD)
		sim_fail("who was woken for name%d finds that another was woken, too", (int)(lock - sim_locks));
}

/* --- what must have happened by now -------------------------------------------------------------- */

/* Would the hold fit beside the members that the server has? */
static bool fits(const sim_hold *hold, const sim_key *key, int members)
{
	if (hold->life.lock.kind.id == RLK_PLAIN || key == NULL)
		return key == NULL;
	return key->is_set &&
		(hold->life.lock.kind.id == RLK_SHARED ||
			members + hold->life.lock.kind.weight <= hold->life.lock.kind.permits);
}

/* Some waiters for a set may not fit where others do, who came later and so have to wait for them. */
static void note_room(int name)
{
	sim_lock_state *lock = &sim_locks[name];
	const sim_key *key = sim_server_peek(sim_owner(name), name);
	int members = sim_server_members(sim_owner(name), key);
	rlk_str turn = sim_server_turn(sim_owner(name), name);
	bool room = true;

	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];

			if (hold->name != name || !sim_clients[i].process->running)
				continue;
			if (hold->life.state == RLK_HOLD_WAITING)
				room = room && fits(hold, members > 0 ? key : NULL, members);
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
}

/* The point in time from which a waiter is expected to get a lock that has been there for it since `since_us`.
 * SIM_NEVER: it is not. */
static int64_t expects_since_us(const sim_hold *hold, int64_t since_us)
{
	/* A hold that waits for replicas has the lock, as far as it knows. */
	if (!sim_has_replicas(hold) || hold->life.state != RLK_HOLD_WAITING || hold->waits_since_us == 0 ||
		!hold->client->process->running || world.now_us > hold->waits_until_us)
		return SIM_NEVER;
	since_us = since_us > hold->waits_since_us ? since_us : hold->waits_since_us;
	since_us = since_us > hold->client->held_up_us ? since_us : hold->client->held_up_us;
	if (hold->closed > 0 && hold->closed_us + LOOKS_AGAIN_MS * SIM_MS > since_us)
		since_us = hold->closed_us + LOOKS_AGAIN_MS * SIM_MS;
	return since_us;
}

/* Is this the first waiter of a set, and was there somebody to wake it? */
static bool is_told(const sim_hold *hold)
{
	const sim_lock_state *lock = &sim_locks[hold->name];

	if (lock->untold || !sim_lock_is_set(lock))
		return !lock->untold && !lock->expired;
	return lock->room_told && lock->turn.len > 0 && world.now_us > lock->turn_since_us + FREED_BOUND_MS * SIM_MS &&
		hold->life.lock.turnstile != NULL &&
		rlk_str_equal(lock->turn, rlk_buf_str(&hold->life.lock.turnstile->token.text));
}

static void check_waiters(int name)
{
	const sim_lock_state *lock = &sim_locks[name];
	int64_t there_since_us = sim_lock_is_set(lock) ? lock->room_since_us : lock->free_since_us;

	if (there_since_us < 0 || sim_is_quorum() || world.topology != SIM_ALONE || !world.servers[0]->blocks ||
		((lock->expired || lock->untold || sim_lock_is_set(lock)) && !world.servers[0]->allows_checks))
		return;
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++) {
			const sim_hold *hold = &sim_clients[i].holds[j];
			int64_t since_us = hold->name == name ? expects_since_us(hold, there_since_us) : SIM_NEVER;
			int64_t bound_ms = since_us == SIM_NEVER ? 0 :
				is_told(hold)                        ? FREED_BOUND_MS :
				sim_lock_is_set(lock)                ? ROOM_BOUND_MS :
													   EXPIRED_BOUND_MS;

			if (since_us < SIM_NEVER && world.now_us > since_us + bound_ms * SIM_MS)
				sim_fail("%s waits for name%d, which has had room for it for %d ms", hold->client->process->name, name,
					(int)((world.now_us - there_since_us) / SIM_MS));
		}
	}
}

void sim_check_queue(int name)
{
	if (sim_lock_is_set(&sim_locks[name]))
		note_room(name);
	if (sim_is_calm())
		check_waiters(name);
}
