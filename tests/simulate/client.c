/*
 * client: what stands in src/php between a method and the code below it, without PHP, in the same order, and with the same
 * names. What is done with it is in lives.c.
 */
#include "client.h"

#include "base/rlk_os.h"
#include "lock/rlk_wait.h"
#include "net/rlk_address.h"
#include "net/rlk_socket.h"

#include <stdio.h>
#include <string.h>

/* Where this lock lives. */
static const rlk_servers *servers_of(const sim_hold *hold)
{
	rlk_topology_set_key(&hold->client->conn, rlk_buf_str(&hold->lock.keys.lock));
	return &hold->client->where;
}

static const char *const outcomes[] = { "yes", "no", "unknown", "failed" };

/* --- hold: redislock_hold.c ----------------------------------------------------------------------- */

int64_t sim_hold_valid_until_ms(const sim_hold *hold)
{
	if (hold->state != SIM_HELD || !hold->lock.held || hold->shortens)
		return 0;
	return hold->slot != RLK_SLOT_NONE ? rlk_renewal_valid_until(&hold->client->renewal, hold->slot) :
										 hold->lock.valid_until_ms;
}

bool sim_hold_is_in_use(const sim_hold *hold)
{
	return hold->state == SIM_WAITING || hold->user != NULL;
}

bool sim_hold_is_valid(const sim_hold *hold)
{
	return sim_hold_valid_until_ms(hold) > sim_clock_ms(hold->client->process) + 1;
}

void sim_reset(sim_hold *hold)
{
	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_disarm(&hold->client->renewal, hold->slot);
	hold->slot = RLK_SLOT_NONE;
	hold->state = SIM_IDLE;
	hold->alone = false;
	rlk_lock_forget(&hold->lock);
}

static void leave_lost(sim_hold *hold)
{
	rlk_lock_leave_lost(&hold->lock, servers_of(hold));
}

static void lose(sim_hold *hold, rlk_lost_reason reason)
{
	sim_note_lost(hold, reason);
	hold->state = SIM_LOST;
	hold->reason = rlk_renewal_lose(&hold->client->renewal, hold->slot, reason);
	sim_say(hold->client->process->name, "has lost name%d (%d)", hold->name, (int)hold->reason);
	if (!hold->lock.token.from_caller)
		leave_lost(hold);
}

static rlk_lost_reason check_lost(sim_hold *hold)
{
	if (hold->state == SIM_LOST)
		return hold->reason;
	if ((hold->state != SIM_HELD && hold->state != SIM_RELEASING) || hold->slot == RLK_SLOT_NONE || hold->user != NULL)
		return RLK_LOST_NOT;
	hold->reason = rlk_renewal_lost(&hold->client->renewal, hold->slot);
	if (hold->reason == RLK_LOST_NOT && !hold->lock.held)
		hold->reason = RLK_LOST_NOT_OURS;
	if (hold->reason != RLK_LOST_NOT)
		lose(hold, hold->reason);
	return hold->reason;
}

/* --- release: redislock_release.c ----------------------------------------------------------------- */

void sim_leave(sim_hold *hold)
{
	if (!hold->lock.token.from_caller) {
		rlk_renewal_leave_release(&hold->client->renewal, hold->slot);
		hold->slot = RLK_SLOT_NONE;
	}
	sim_reset(hold);
}

static void release_lost(sim_hold *hold)
{
	if (hold->reason == RLK_LOST_CHILD) {
		rlk_renewal_close(&hold->client->renewal, hold->slot);
		rlk_lock_release(&hold->lock, servers_of(hold), 0, NULL);
	} else if (rlk_lost_leaves_keys(hold->reason, hold->client->where.quorum != NULL)) {
		leave_lost(hold);
		sim_leave(hold);
		return;
	}
	sim_reset(hold);
}

static bool stop_renewal(sim_hold *hold)
{
	if (check_lost(hold) == RLK_LOST_NOT) {
		hold->lock.valid_until_ms = rlk_renewal_valid_until(&hold->client->renewal, hold->slot);
		if (rlk_renewal_close(&hold->client->renewal, hold->slot))
			return true;
		check_lost(hold);
	}
	release_lost(hold);
	return false;
}

void sim_release(sim_hold *hold)
{
	sim_client *client = hold->client;
	char bytes[256];
	rlk_str token = { memcpy(bytes, hold->lock.token.text.data, hold->lock.token.text.len), hold->lock.token.text.len };
	int64_t rest_until_ms = 0, until_ms;
	bool again = hold->state == SIM_RELEASING; /* by a fiber that never went on */
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	if (hold->state == SIM_IDLE || sim_hold_is_in_use(hold))
		return;
	rlk_error_clear(&err);
	if (hold->state == SIM_HELD)
		hold->state = SIM_RELEASING;
	if (hold->slot != RLK_SLOT_NONE && !stop_renewal(hold))
		return;
	rlk_lock_collect(&hold->lock);
	/* Nor by a fiber that was destroyed while the replicas of a shorter ttl were asked. */
	until_ms = hold->lock.held && !again && !hold->shortens ? hold->lock.valid_until_ms : 0;
	if (hold->hold_at_least_ms > 0 && hold->lock.acquired_at_ms > 0)
		rest_until_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->hold_at_least_ms);
	outcome = rlk_lock_release(&hold->lock, sim_use_begin(&use, hold), rest_until_ms, &err);
	sim_use_end(&use);
	sim_say(client->process->name, "releases name%d: %s %s", hold->name, outcomes[outcome], err.text);
	sim_note_released(hold, token, outcome, until_ms > sim_clock_ms(client->process));
	if (outcome == RLK_YES || outcome == RLK_NO)
		sim_reset(hold);
	else if (hold->slot != RLK_SLOT_NONE)
		sim_leave(hold);
	else
		hold->state = SIM_HELD; /* it may be released again; what is believed, the lock says */
}

/* --- interrupts ----------------------------------------------------------------------------------- */

static bool pending(void *arg)
{
	sim_hold *hold = arg;

	/* A handler is to run, and will throw. */
	hold->interrupted = hold->interrupted || sim_chance(hold->interrupts_in_thousand);
	return hold->client->process->notified || hold->interrupted;
}

void sim_dispatch(sim_client *client)
{
	client->process->notified = false;
	rlk_renewal_check_child(&client->renewal);
	rlk_renewal_resolve(&client->renewal);
	for (int i = 0; i < world.holds; i++)
		check_lost(&client->holds[i]);
}

static bool interrupted(void *arg)
{
	sim_hold *hold = arg;

	sim_dispatch(hold->client);
	hold->interrupted = hold->interrupted || sim_fiber_is_destroyed(hold->client);
	return hold->interrupted;
}

void sim_pass_time(sim_client *client, int64_t ms)
{
	int64_t until_us = world.now_us + ms * SIM_MS;

	if (sim_fiber_sleep(client, until_us))
		return;
	while (world.now_us < until_us) {
		if (client->process->notified)
			sim_dispatch(client);
		if (world.now_us < until_us)
			sim_wait(until_us);
	}
}

/* --- acquire: redislock_acquire.c ----------------------------------------------------------------- */

static rlk_address whereabouts(const rlk_conn *conn)
{
	rlk_address nowhere = { 0 };

	return conn->topology != NULL && conn->fd != RLK_SOCKET_NONE ? rlk_address_of_peer(conn->fd) : nowhere;
}

static bool prepare_renewal(sim_hold *hold, rlk_error *err)
{
	sim_client *client = hold->client;
	rlk_renewal_lock lock;

	if (hold->servers->quorum != NULL)
		rlk_quorum_open(hold->servers->quorum);
	else if (!rlk_wait_reach(&hold->lock, hold->servers->conn, hold->request, err))
		return false;
	lock = (rlk_renewal_lock){
		.backend = rlk_backend_process,
		.servers = client->servers,
		.known = client->known_servers,
		.server_count = client->where.quorum != NULL ? client->where.quorum->count : 1,
		.topology = client->topology,
		.at = whereabouts(hold->servers->conn),
		.key = rlk_buf_str(&hold->lock.keys.lock),
		.token = rlk_buf_str(&hold->lock.token.text),
		.waiters = rlk_buf_str(&hold->lock.keys.waiters),
		.from_caller = hold->lock.token.from_caller,
		.ttl_ms = rlk_lock_least_ttl_ms(&hold->lock, hold->request->ttl_ms),
		.interval_ms = hold->request->ttl_ms / 3,
		.linger_ms = hold->linger_ms,
		.hold_at_least_ms = hold->hold_at_least_ms,
		.max_hold_ms = RLK_NEVER,
		.replicas = hold->replicas,
		.kind = hold->lock.kind,
	};
	hold->slot = rlk_renewal_arm(&client->renewal, &lock, err);
	return hold->slot != RLK_SLOT_NONE;
}

static void expect_renewal(void *arg, int64_t extend_at_ms)
{
	const sim_hold *hold = arg;

	rlk_renewal_expect(&hold->client->renewal, hold->slot, extend_at_ms);
}

static bool begin_attempt(void *arg, rlk_error *err)
{
	sim_hold *hold = arg;

	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_disarm(&hold->client->renewal, hold->slot);
	hold->slot = RLK_SLOT_NONE;
	if (hold->tried)
		sim_note_tried(hold);
	hold->tried = true;
	if (!rlk_lock_set_token(&hold->lock, rlk_str_from_cstr(hold->given ? hold->given_token : NULL), RLK_STR(""), err))
		return false;
	hold->spent_until_ms = hold->lock.token.spent_until_ms;
	hold->spent = hold->spent_until_ms > sim_clock_ms(hold->client->process);
	return !hold->renew || prepare_renewal(hold, err);
}

static void become_held(sim_hold *hold, const rlk_conn *conn)
{
	sim_client *client = hold->client;

	if (hold->slot != RLK_SLOT_NONE && client->topology != NULL)
		rlk_renewal_moved(&client->renewal, hold->slot, whereabouts(conn), NULL);
	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_activate(&client->renewal, hold->slot, hold->lock.acquired_at_ms, hold->lock.valid_until_ms,
			hold->lock.extension.due_at_ms);
	hold->state = SIM_HELD;
}

void sim_acquire(sim_hold *hold, int64_t wait_ms)
{
	sim_client *client = hold->client;
	rlk_use use;
	const rlk_hooks hooks = { .pending = pending,
		.interrupted = interrupted,
		.provisional = hold->renew ? expect_renewal : NULL,
		.attempt = begin_attempt,
		.suspend = sim_poller_hooks.suspend,
		.arg = hold };
	rlk_lock_request request = {
		.ttl_ms = hold->ttl_ms,
		.deadline_at_ms = wait_ms > 0 ? rlk_clock_now_ms() + wait_ms : 0,
		.retry_ms = 200,
		.fence = hold->fence,
		.renewed = hold->renew,
		.hooks = &hooks,
		.beside = &use.beside,
		.replicas = &hold->replicas,
	};
	rlk_outcome outcome;
	rlk_error err;

	if (sim_hold_is_in_use(hold))
		return;
	if (hold->state == SIM_LOST)
		release_lost(hold);
	else if (hold->state != SIM_IDLE)
		sim_reset(hold);
	rlk_error_clear(&err);
	hold->request = &request;
	hold->state = SIM_WAITING;
	hold->lock.kind = hold->kind;
	hold->tried = hold->spent = false;
	hold->began_us = world.now_us;
	hold->waits_since_us = wait_ms > 0 ? world.now_us : 0;
	hold->waits_until_us = world.now_us + wait_ms * SIM_MS;
	hold->blocked = hold->closed_late = false;
	hold->closed = 0;
	hold->interrupts_in_thousand = sim_chance(world.crowd ? 800 : 200) ? 50 : 0;
	hold->interrupted = false;
	sim_say(client->process->name, "wants name%d (%s, %d of %d) for %d ms%s%s, waits %d ms", hold->name,
		rlk_kind_name(&hold->lock.kind), hold->lock.kind.weight, hold->lock.kind.permits, (int)hold->ttl_ms,
		hold->renew ? ", renewed" : "", hold->given ? ", given token" : "", (int)wait_ms);
	hold->servers = sim_use_begin(&use, hold);
	outcome = rlk_lock_acquire(&hold->lock, hold->servers, &request, &err);
	hold->interrupts_in_thousand = 0;
	hold->interrupted = hold->interrupted || sim_fiber_is_destroyed(client);
	if (outcome == RLK_YES)
		become_held(hold, hold->servers->conn);
	sim_use_end(&use);
	if (outcome == RLK_YES) {
		sim_say(client->process->name, "has name%d, ..%.*s, fence %d", hold->name, 8,
			hold->lock.token.text.data + hold->lock.token.text.len - 8, (int)hold->lock.fence);
		sim_note_acquired(hold);
		return;
	}
	sim_say(client->process->name, "has not name%d: %s %s", hold->name, outcomes[outcome], err.text);
	sim_note_refused(hold, outcome, &err);
	if (outcome == RLK_UNKNOWN && client->topology != NULL && hold->slot != RLK_SLOT_NONE)
		sim_leave(hold);
	else
		sim_reset(hold);
	if (hold->interrupted)
		sim_pass_time(client, 500);
}

/* --- extend: redislock_hold.c --------------------------------------------------------------------- */

static void not_ours(sim_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE)
		sim_reset(hold);
	else
		lose(hold, RLK_LOST_NOT_OURS);
}

void sim_extend(sim_hold *hold, int64_t ttl_ms)
{
	sim_client *client = hold->client;
	const rlk_servers *servers;
	int64_t until_ms, before_ms = 0;
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	if (sim_hold_is_in_use(hold) || hold->state != SIM_HELD || check_lost(hold) != RLK_LOST_NOT ||
		hold->lock.release_unanswered || (world.shares && hold->given && !sim_hold_is_valid(hold)))
		return;
	rlk_error_clear(&err);
	servers = sim_use_begin(&use, hold);
	rlk_lock_note_unanswered(&hold->lock, servers);
	rlk_lock_collect(&hold->lock);
	until_ms =
		rlk_clock_earlier(sim_hold_valid_until_ms(hold), rlk_clock_now_ms() + ttl_ms); /* it may be shortened twice */
	if (hold->slot != RLK_SLOT_NONE) {
		hold->lasted_ms = client->renewal.slots.area->slots[hold->slot].ttl_ms;
		hold->lock.valid_until_ms = before_ms =
			rlk_renewal_before_extend(&client->renewal, hold->slot, rlk_lock_least_ttl_ms(&hold->lock, ttl_ms));
	}
	/* Until that is answered, nobody is there to believe anything. The child may know of more than the lock. */
	hold->shortens = ttl_ms < hold->lock.ttl_ms || ttl_ms < hold->lasted_ms;
	outcome = rlk_lock_extend(&hold->lock, servers, ttl_ms, &hold->replicas, &err);
	sim_say(client->process->name, "extends name%d to %d ms: %s %s", hold->name, (int)ttl_ms, outcomes[outcome],
		err.text);
	if (outcome == RLK_YES)
		sim_note_asked_with(hold, rlk_buf_str(&hold->lock.token.text), until_ms > sim_clock_ms(client->process));
	if (outcome == RLK_NO) {
		sim_note_released(hold, rlk_buf_str(&hold->lock.token.text), outcome, until_ms > sim_clock_ms(client->process));
		not_ours(hold);
	} else if (hold->slot != RLK_SLOT_NONE) {
		int64_t renewed_ms = client->renewal.slots.area->slots[hold->slot].valid_until_ms;

		rlk_renewal_after_extend(&client->renewal, hold->slot, before_ms, hold->lock.valid_until_ms);
		if (renewed_ms != before_ms)
			sim_note_extended(hold, renewed_ms);
	}
	hold->shortens = false;
	sim_use_end(&use);
	check_lost(hold);
	hold->lasted_ms = 0;
}

void sim_confirm(sim_hold *hold)
{
	sim_client *client = hold->client;
	const rlk_servers *servers;
	int64_t until_ms = sim_hold_valid_until_ms(hold);
	rlk_outcome outcome;
	rlk_use use;

	if (sim_hold_is_in_use(hold) || hold->state != SIM_HELD || check_lost(hold) != RLK_LOST_NOT ||
		(world.shares && hold->given && !sim_hold_is_valid(hold)))
		return;
	servers = sim_use_begin(&use, hold);
	rlk_lock_note_unanswered(&hold->lock, servers);
	outcome = rlk_lock_confirm(&hold->lock, servers, &hold->replicas, NULL);
	sim_say(client->process->name, "confirms name%d: %s", hold->name, outcomes[outcome]);
	if (outcome == RLK_YES)
		sim_note_asked_with(hold, rlk_buf_str(&hold->lock.token.text), until_ms > sim_clock_ms(client->process));
	if (outcome == RLK_YES && hold->lock.release_unanswered)
		hold->lock.valid_until_ms = 0;
	if (outcome == RLK_NO)
		not_ours(hold);
	sim_use_end(&use);
}

void sim_force(sim_hold *hold)
{
	sim_client *client = hold->client;
	rlk_use use;

	if (sim_hold_is_in_use(hold))
		return;
	sim_note_forced(hold->name);
	sim_say(client->process->name, "frees name%d by force", hold->name);
	rlk_lock_force_release(&hold->lock, sim_use_begin(&use, hold), RLK_STR(""), NULL);
	sim_use_end(&use);
}

/* --- between shared and exclusive ----------------------------------------------------------------- */

static bool may_change_mode(sim_hold *hold)
{
	return !sim_hold_is_in_use(hold) && hold->state == SIM_HELD && check_lost(hold) == RLK_LOST_NOT &&
		sim_hold_is_valid(hold);
}

void sim_upgrade(sim_hold *hold)
{
	sim_client *client = hold->client;
	rlk_use use;
	rlk_outcome outcome;
	rlk_error err;

	if (!may_change_mode(hold))
		return;
	rlk_error_clear(&err);
	hold->closed = 0;
	hold->spent = hold->lock.token.late_downgrade;
	sim_say(client->process->name, "wants name%d for itself alone", hold->name);
	outcome = rlk_lock_upgrade(&hold->lock, sim_use_begin(&use, hold), &err);
	hold->interrupted = sim_fiber_is_destroyed(client);
	hold->alone = outcome == RLK_YES;
	sim_say(client->process->name, "is alone with name%d: %s %s", hold->name, outcomes[outcome], err.text);
	sim_note_upgraded(hold, outcome);
	sim_use_end(&use);
}

void sim_downgrade(sim_hold *hold)
{
	sim_client *client = hold->client;
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	if (!may_change_mode(hold))
		return;
	rlk_error_clear(&err);
	hold->alone = false;
	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_share(&client->renewal, hold->slot);
	outcome = rlk_lock_downgrade(&hold->lock, sim_use_begin(&use, hold), &err);
	sim_say(client->process->name, "shares name%d: %s %s", hold->name, outcomes[outcome], err.text);
	if (outcome == RLK_NO) {
		sim_note_released(hold, rlk_buf_str(&hold->lock.token.text), outcome, sim_hold_is_valid(hold));
		not_ours(hold);
	}
	sim_use_end(&use);
}
