/*
 * client: processes that lock, hold, extend, and release, at random. What stands in src/php between a method and the code
 * below it stands here without PHP, in the same order, and with the same names.
 */
#include "client.h"

#include "base/rlk_os.h"
#include "lock/rlk_wait.h"
#include "net/rlk_address.h"
#include "net/rlk_socket.h"

#include <stdio.h>
#include <string.h>

sim_client sim_clients[SIM_CLIENTS_MAX];
int sim_client_count;

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

bool sim_hold_is_valid(const sim_hold *hold)
{
	return sim_hold_valid_until_ms(hold) > sim_clock_ms(hold->client->process) + 1;
}

static void reset(sim_hold *hold)
{
	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_disarm(&hold->client->renewal, hold->slot);
	hold->slot = RLK_SLOT_NONE;
	hold->state = SIM_IDLE;
	hold->alone = false;
	rlk_lock_forget(&hold->lock);
}

static void leave(sim_hold *hold)
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
		leave(hold);
}

static rlk_lost_reason check_lost(sim_hold *hold)
{
	if (hold->state == SIM_LOST)
		return hold->reason;
	if ((hold->state != SIM_HELD && hold->state != SIM_RELEASING) || hold->slot == RLK_SLOT_NONE)
		return RLK_LOST_NOT;
	hold->reason = rlk_renewal_lost(&hold->client->renewal, hold->slot);
	if (hold->reason == RLK_LOST_NOT && !hold->lock.held)
		hold->reason = RLK_LOST_NOT_OURS;
	if (hold->reason != RLK_LOST_NOT)
		lose(hold, hold->reason);
	return hold->reason;
}

/* --- release: redislock_release.c ----------------------------------------------------------------- */

static void release_unanswered(sim_hold *hold)
{
	if (!hold->lock.token.from_caller) {
		rlk_renewal_leave_release(&hold->client->renewal, hold->slot);
		hold->slot = RLK_SLOT_NONE;
	}
	reset(hold);
}

static rlk_outcome send_release(sim_hold *hold, int64_t rest_until_ms, rlk_error *err)
{
	return rlk_lock_release(&hold->lock, servers_of(hold), rest_until_ms, err);
}

static void release_lost(sim_hold *hold)
{
	if (hold->reason == RLK_LOST_CHILD) {
		rlk_renewal_close(&hold->client->renewal, hold->slot);
		send_release(hold, 0, NULL);
	} else if (rlk_lost_leaves_keys(hold->reason, hold->client->quorum != NULL)) {
		leave(hold);
		release_unanswered(hold);
		return;
	}
	reset(hold);
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

static void release(sim_hold *hold)
{
	sim_client *client = hold->client;
	char bytes[256];
	rlk_str token = { memcpy(bytes, hold->lock.token.text.data, hold->lock.token.text.len), hold->lock.token.text.len };
	int64_t rest_until_ms = 0, until_ms;
	rlk_outcome outcome;
	rlk_error err;

	if (hold->state == SIM_IDLE)
		return;
	rlk_error_clear(&err);
	if (hold->state == SIM_HELD)
		hold->state = SIM_RELEASING;
	if (hold->slot != RLK_SLOT_NONE && !stop_renewal(hold))
		return;
	rlk_lock_collect(&hold->lock);
	until_ms = hold->lock.held ? hold->lock.valid_until_ms : 0;
	if (hold->hold_at_least_ms > 0 && hold->lock.acquired_at_ms > 0)
		rest_until_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->hold_at_least_ms);
	outcome = send_release(hold, rest_until_ms, &err);
	sim_say(client->process->name, "releases name%d: %s %s", hold->name, outcomes[outcome], err.text);
	sim_note_released(hold, token, outcome, until_ms > sim_clock_ms(client->process));
	if (outcome == RLK_YES || outcome == RLK_NO)
		reset(hold);
	else if (hold->slot != RLK_SLOT_NONE)
		release_unanswered(hold);
	else
		hold->state = SIM_HELD; /* it may be released again; what is believed, the lock says */
}

/* --- interrupts ----------------------------------------------------------------------------------- */

static bool pending(void *arg)
{
	sim_client *client = arg;

	/* A handler is to run, and will throw. */
	client->interrupted = client->interrupted || sim_chance(client->interrupts_in_thousand);
	return client->process->notified || client->interrupted;
}

static bool dispatch(void *arg)
{
	sim_client *client = arg;

	client->process->notified = false;
	rlk_renewal_check_child(&client->renewal);
	rlk_renewal_resolve(&client->renewal);
	for (int i = 0; i < SIM_HOLDS; i++)
		check_lost(&client->holds[i]);
	return client->interrupted;
}

static void pass_time(sim_client *client, int64_t ms)
{
	int64_t until_us = world.now_us + ms * SIM_MS;

	while (world.now_us < until_us) {
		if (client->process->notified)
			dispatch(client);
		if (world.now_us < until_us)
			sim_wait(until_us);
	}
}

/* --- acquire: redislock_acquire.c ----------------------------------------------------------------- */

typedef struct {
	sim_hold *hold;
	const rlk_lock_request *request;
} acquisition;

static rlk_address whereabouts(const sim_client *client)
{
	rlk_address nowhere = { 0 };

	return client->topology != NULL && client->conn.fd != RLK_SOCKET_NONE ? rlk_address_of_peer(client->conn.fd) :
																			nowhere;
}

static bool prepare_renewal(const acquisition *a, rlk_error *err)
{
	sim_hold *hold = a->hold;
	sim_client *client = hold->client;
	rlk_renewal_lock lock;

	if (client->quorum != NULL)
		rlk_quorum_open(client->quorum);
	else if (!rlk_wait_reach(&hold->lock, servers_of(hold)->conn, a->request, err))
		return false;
	lock = (rlk_renewal_lock){
		.backend = rlk_backend_process,
		.servers = client->servers,
		.known = client->known_servers,
		.server_count = client->quorum != NULL ? client->quorum->count : 1,
		.topology = client->topology,
		.at = whereabouts(client),
		.key = rlk_buf_str(&hold->lock.keys.lock),
		.token = rlk_buf_str(&hold->lock.token.text),
		.waiters = rlk_buf_str(&hold->lock.keys.waiters),
		.from_caller = hold->lock.token.from_caller,
		.ttl_ms = rlk_lock_least_ttl_ms(&hold->lock, a->request->ttl_ms),
		.interval_ms = a->request->ttl_ms / 3,
		.linger_ms = hold->linger_ms,
		.hold_at_least_ms = hold->hold_at_least_ms,
		.max_hold_ms = RLK_NEVER,
		.replicas = hold->lock.replicas,
		.kind = hold->lock.kind,
	};
	hold->slot = rlk_renewal_arm(&client->renewal, &lock, err);
	return hold->slot != RLK_SLOT_NONE;
}

static void expect_renewal(void *arg, int64_t extend_at_ms)
{
	const acquisition *a = ((sim_client *)arg)->acquisition;

	rlk_renewal_expect(&a->hold->client->renewal, a->hold->slot, extend_at_ms);
}

static bool begin_attempt(void *arg, rlk_error *err)
{
	const acquisition *a = ((sim_client *)arg)->acquisition;
	sim_hold *hold = a->hold;

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
	return !hold->renew || prepare_renewal(a, err);
}

static void acquire(sim_hold *hold, int64_t wait_ms)
{
	sim_client *client = hold->client;
	acquisition a = { hold, NULL };
	const rlk_hooks hooks = { .pending = pending,
		.interrupted = dispatch,
		.provisional = hold->renew ? expect_renewal : NULL,
		.attempt = begin_attempt,
		.arg = client };
	rlk_lock_request request = {
		.ttl_ms = hold->ttl_ms,
		.deadline_at_ms = wait_ms > 0 ? rlk_clock_now_ms() + wait_ms : 0,
		.retry_ms = 200,
		.fence = hold->fence,
		.renewed = hold->renew,
		.hooks = &hooks,
	};
	rlk_outcome outcome;
	rlk_error err;

	if (hold->state == SIM_LOST)
		release_lost(hold);
	else if (hold->state != SIM_IDLE)
		reset(hold);
	rlk_error_clear(&err);
	a.request = &request;
	client->acquisition = &a;
	hold->state = SIM_WAITING;
	hold->lock.kind = hold->kind;
	hold->tried = hold->spent = false;
	hold->waits_since_us = wait_ms > 0 ? world.now_us : 0;
	hold->waits_until_us = world.now_us + wait_ms * SIM_MS;
	hold->blocked = hold->closed_late = false;
	hold->closed = 0;
	client->interrupts_in_thousand = sim_chance(world.crowd ? 800 : 200) ? 50 : 0;
	client->interrupted = false;
	sim_say(client->process->name, "wants name%d (%s, %d of %d) for %d ms%s%s, waits %d ms", hold->name,
		rlk_kind_name(&hold->lock.kind), hold->lock.kind.weight, hold->lock.kind.permits, (int)hold->ttl_ms,
		hold->renew ? ", renewed" : "", hold->given ? ", given token" : "", (int)wait_ms);
	outcome = rlk_lock_acquire(&hold->lock, servers_of(hold), &request, &err);
	client->interrupts_in_thousand = 0;
	if (outcome == RLK_YES) {
		if (hold->slot != RLK_SLOT_NONE && client->topology != NULL)
			rlk_renewal_moved(&client->renewal, hold->slot, whereabouts(client), NULL);
		if (hold->slot != RLK_SLOT_NONE)
			rlk_renewal_activate(&client->renewal, hold->slot, hold->lock.acquired_at_ms, hold->lock.valid_until_ms,
				hold->lock.extension.due_at_ms);
		hold->state = SIM_HELD;
		sim_say(client->process->name, "has name%d, ..%.*s, fence %d", hold->name, 8,
			hold->lock.token.text.data + hold->lock.token.text.len - 8, (int)hold->lock.fence);
		sim_note_acquired(hold);
		return;
	}
	sim_say(client->process->name, "has not name%d: %s %s", hold->name, outcomes[outcome], err.text);
	sim_note_refused(hold, outcome);
	if (outcome == RLK_UNKNOWN && client->topology != NULL && hold->slot != RLK_SLOT_NONE)
		release_unanswered(hold);
	else
		reset(hold);
	if (client->interrupted)
		pass_time(client, 500);
}

/* --- extend: redislock_hold.c --------------------------------------------------------------------- */

static void not_ours(sim_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE)
		reset(hold);
	else
		lose(hold, RLK_LOST_NOT_OURS);
}

static void extend(sim_hold *hold, int64_t ttl_ms)
{
	sim_client *client = hold->client;
	int64_t until_ms;
	rlk_outcome outcome;
	rlk_error err;

	if (hold->state != SIM_HELD || check_lost(hold) != RLK_LOST_NOT || hold->lock.release_unanswered ||
		(world.shares && hold->given && !sim_hold_is_valid(hold)))
		return;
	rlk_error_clear(&err);
	rlk_lock_note_unanswered(&hold->lock, &client->where);
	rlk_lock_collect(&hold->lock);
	until_ms =
		rlk_clock_earlier(sim_hold_valid_until_ms(hold), rlk_clock_now_ms() + ttl_ms); /* it may be shortened twice */
	if (hold->slot != RLK_SLOT_NONE) {
		hold->lock.valid_until_ms = sim_hold_valid_until_ms(hold);
		rlk_renewal_before_extend(&client->renewal, hold->slot, rlk_lock_least_ttl_ms(&hold->lock, ttl_ms));
	}
	hold->shortens = ttl_ms < hold->lock.ttl_ms; /* until that is answered, nobody is there to believe anything */
	outcome = rlk_lock_extend(&hold->lock, servers_of(hold), ttl_ms, &err);
	sim_say(client->process->name, "extends name%d to %d ms: %s %s", hold->name, (int)ttl_ms, outcomes[outcome],
		err.text);
	if (outcome == RLK_NO) {
		sim_note_released(hold, rlk_buf_str(&hold->lock.token.text), outcome, until_ms > sim_clock_ms(client->process));
		not_ours(hold);
	} else if (hold->slot != RLK_SLOT_NONE) {
		rlk_renewal_after_extend(&client->renewal, hold->slot, hold->lock.valid_until_ms);
	}
	hold->shortens = false;
	check_lost(hold);
}

static void confirm(sim_hold *hold)
{
	sim_client *client = hold->client;
	rlk_outcome outcome;

	if (hold->state != SIM_HELD || check_lost(hold) != RLK_LOST_NOT ||
		(world.shares && hold->given && !sim_hold_is_valid(hold)))
		return;
	rlk_lock_note_unanswered(&hold->lock, &client->where);
	outcome = rlk_lock_confirm(&hold->lock, servers_of(hold), NULL);
	sim_say(client->process->name, "confirms name%d: %s", hold->name, outcomes[outcome]);
	if (outcome == RLK_YES && hold->lock.release_unanswered)
		hold->lock.valid_until_ms = 0;
	if (outcome == RLK_NO)
		not_ours(hold);
}

static void force(sim_hold *hold)
{
	sim_client *client = hold->client;

	sim_note_forced(hold->name);
	sim_say(client->process->name, "frees name%d by force", hold->name);
	rlk_lock_force_release(&hold->lock, servers_of(hold), RLK_STR(""), NULL);
}

/* --- between shared and exclusive ----------------------------------------------------------------- */

static void upgrade(sim_hold *hold, int64_t wait_ms)
{
	sim_client *client = hold->client;
	const rlk_hooks hooks = { .pending = pending, .interrupted = dispatch, .arg = client };
	const rlk_lock_request request = {
		.deadline_at_ms = wait_ms > 0 ? rlk_clock_now_ms() + wait_ms : 0,
		.retry_ms = 200,
		.hooks = &hooks,
	};
	rlk_outcome outcome;
	rlk_error err;

	if (hold->state != SIM_HELD || check_lost(hold) != RLK_LOST_NOT || !sim_hold_is_valid(hold))
		return;
	rlk_error_clear(&err);
	rlk_lock_collect(&hold->lock);
	hold->closed = 0;
	hold->upgrade_until_us = wait_ms > 0 ? world.now_us + wait_ms * SIM_MS : 0;
	hold->alone_since_us = world.now_us;
	client->interrupts_in_thousand = sim_chance(200) ? 50 : 0;
	client->interrupted = false;
	sim_say(client->process->name, "wants name%d for itself alone, waits %d ms", hold->name, (int)wait_ms);
	outcome = rlk_lock_upgrade(&hold->lock, servers_of(hold), &request, &err);
	client->interrupts_in_thousand = 0;
	hold->alone = outcome == RLK_YES;
	sim_say(client->process->name, "is alone with name%d: %s %s", hold->name, outcomes[outcome], err.text);
	sim_note_upgraded(hold, outcome);
	hold->upgrade_until_us = 0;
}

static void downgrade(sim_hold *hold)
{
	sim_client *client = hold->client;
	rlk_outcome outcome;
	rlk_error err;

	if (hold->state != SIM_HELD || check_lost(hold) != RLK_LOST_NOT || !sim_hold_is_valid(hold))
		return;
	rlk_error_clear(&err);
	hold->alone = false;
	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_share(&client->renewal, hold->slot);
	outcome = rlk_lock_downgrade(&hold->lock, servers_of(hold), &err);
	sim_say(client->process->name, "shares name%d: %s %s", hold->name, outcomes[outcome], err.text);
	if (outcome == RLK_NO) {
		sim_note_released(hold, rlk_buf_str(&hold->lock.token.text), outcome, sim_hold_is_valid(hold));
		not_ours(hold);
	}
}

/* --- a life --------------------------------------------------------------------------------------- */

/* Where the name has readers and writers: becomes the other one, and perhaps back. */
static void change_kind(sim_hold *hold)
{
	if (hold->name != 0 || world.kind.id != RLK_SHARED || hold->state != SIM_HELD || !sim_chance(300))
		return;
	if (hold->lock.kind.id == RLK_SHARED)
		upgrade(hold, sim_chance(300) ? 0 : 1 + sim_number(5000));
	pass_time(hold->client, sim_number(world.brisk ? 50 : 1000));
	if (sim_chance(600))
		downgrade(hold);
}

static void hold_on(sim_hold *hold)
{
	change_kind(hold);
	if (world.brisk) {
		pass_time(hold->client, sim_number(150));
		return;
	}
	/* Some extend again and again. */
	for (int rounds = sim_chance(800) ? 1 : 8; rounds > 0 && hold->state == SIM_HELD; rounds--) {
		pass_time(hold->client,
			rounds > 1          ? sim_number(hold->ttl_ms / 3) :
				sim_chance(600) ? sim_number(300) :
								  sim_number(6000));
		while (sim_chance(rounds > 1 ? 500 : 250))
			extend(hold, sim_chance(700) ? hold->ttl_ms : sim_chance(500) ? hold->ttl_ms / 3 + 50 : hold->ttl_ms * 3);
	}
	if (sim_chance(100))
		confirm(hold);
	if (sim_chance(200))
		pass_time(hold->client, sim_number(3000));
}

static void act(sim_client *client)
{
	sim_hold *hold = &client->holds[world.crowd ? 0 : sim_number(SIM_HOLDS)];

	if (hold->state == SIM_IDLE || (hold->state == SIM_HELD && !sim_hold_is_valid(hold)) || hold->state == SIM_LOST) {
		if (world.troubles.force && sim_chance(200))
			force(hold);
		else
			acquire(hold,
				!world.crowd && sim_chance(300)     ? 0 :
					!world.crowd && sim_chance(500) ? sim_number(1000) + 1 :
													  sim_number(15000) + 1);
	}
	if (hold->state == SIM_HELD)
		hold_on(hold);
	if (world.shares && hold->given && hold->state == SIM_HELD && !sim_hold_is_valid(hold))
		reset(hold);                    /* another may have it, by the same token */
	if (world.brisk || sim_chance(850)) /* else it is left to its ttl, or to the child, until the next round */
		release(hold);
	/* A web server's worker keeps the child between its requests. */
	if (client->web && client->holds[0].slot == RLK_SLOT_NONE && client->holds[1].slot == RLK_SLOT_NONE)
		rlk_renewal_request_ends(&client->renewal, sim_number(3000), false);
	pass_time(client, world.brisk || sim_chance(500) ? sim_number(20) : sim_number(2000));
}

/* redislock_client_disconnect() */
static void disconnect(sim_client *client)
{
	rlk_conn *conn = &client->conn;

	rlk_conn_collect(conn);
	if (rlk_conn_has_unread(conn) && !rlk_conn_is_awaited(conn))
		rlk_conn_abandon(conn, rlk_clock_now_ms() + conn->server->io_timeout_ms);
	else if (client->persistent)
		rlk_pool_put(conn);
	else
		rlk_conn_close(conn);
}

/* As at the end of a process: what drains has a moment to arrive. */
static void end(sim_client *client)
{
	for (int i = 0; i < SIM_HOLDS; i++) {
		sim_hold *hold = &client->holds[i];

		if (hold->slot != RLK_SLOT_NONE)
			release(hold);
		if (hold->state != SIM_IDLE)
			reset(hold);
	}
	sim_note_slots(client);
	for (int i = 0; i < SIM_HOLDS; i++)
		rlk_lock_destroy(&client->holds[i].lock);
	rlk_renewal_stop(&client->renewal);
	rlk_quorum_free(client->quorum);
	disconnect(client);
	rlk_topology_remove_user(client->topology, &client->user);
	for (int tries = 0; client->drain.open > 0 && tries < 100; tries++) {
		pass_time(client, 1000);
		rlk_drain_tend(&client->drain);
	}
	if (client->drain.open > 0)
		sim_fail("%s: %d connections drain for ever", client->process->name, client->drain.open);
	rlk_pool_clear(&client->pool);
	rlk_topologies_clear(&client->topologies);
	client->done = true;
	sim_say(client->process->name, "ends");
}

/* The sentinels, or some nodes of the Cluster, are known from the start. */
static void attach(sim_client *client)
{
	bool sentinel = world.topology == SIM_SENTINEL;
	const rlk_server *seeds[] = { &client->servers[2], &client->servers[sentinel ? 3 : 0] };

	client->topology = rlk_topology_get(&client->topologies, sentinel ? RLK_TOPOLOGY_SENTINEL : RLK_TOPOLOGY_CLUSTER,
		&client->servers[0], seeds, 2, sentinel ? "service" : NULL);
	rlk_topology_attach(client->topology, &client->conn, &client->user);
	if (!sentinel)
		client->conn.pool = &client->pool; /* it goes to and fro */
}

static void live(sim_process *process)
{
	sim_client *client = process->arg;
	int actions = world.brisk ? 30 : 2 + (int)sim_number(5);

	rlk_renewal_init(&client->renewal, NULL);
	rlk_conn_init(&client->conn, &client->servers[0], &client->drain);
	client->conn.pool = client->persistent ? &client->pool : NULL;
	if (world.topology != SIM_ALONE)
		attach(client);
	if (sim_is_quorum())
		client->quorum = rlk_quorum_new(client->servers, (size_t)world.server_count, &client->drain, client->conn.pool);
	client->where = (rlk_servers){ &client->conn, client->quorum };
	for (int i = 0; i < SIM_HOLDS; i++) {
		char name[16];

		rlk_lock_init(&client->holds[i].lock, RLK_STR(""),
			rlk_str_make(name, (size_t)snprintf(name, sizeof(name), "name%d", client->holds[i].name)), NULL);
		client->holds[i].lock.replicas = client->holds[i].replicas;
	}
	for (int i = 0; i < actions; i++)
		act(client);
	end(client);
}

static void make_servers(sim_client *client)
{
	int io_ms = sim_is_quorum() ? 50 + (int)sim_number(100) : 200 + (int)sim_number(1000);
	int connect_ms = sim_is_quorum() ? 50 : 200 + (int)sim_number(800);
	bool refused = world.brisk && sim_chance(300), named = sim_chance(200);

	for (int i = 0; i < world.server_count; i++) {
		rlk_server *server = &client->servers[i];
		char *host = sim_alloc(16);

		rlk_server_init(server, connect_ms, io_ms);
		snprintf(host, 16, "10.0.0.%d", i + 1);
		server->host = host;
		server->port = 6379;
		if (refused || named) {
			server->password = sim_alloc(8);
			server->password[0] = refused ? 'n' : 'x';
		}
		rlk_server_write_uri(server);
	}
}

static void make_hold(sim_client *client, int i)
{
	sim_hold *hold = &client->holds[i];

	*hold = (sim_hold){ .client = client, .name = world.crowd || sim_chance(800) ? 0 : 1, .slot = RLK_SLOT_NONE };
	if (i > 0 && !(world.shares && sim_chance(500))) /* else two objects for one lock */
		hold->name = 1 - client->holds[0].name;
	if (hold->name == 0 && world.kind.id == RLK_PERMITS)
		hold->kind =
			rlk_kind_of(world.kind.permits, 1 + (sim_chance(300) ? (int)sim_number(world.kind.permits) : 0), false);
	else if (hold->name == 0 && world.kind.id == RLK_SHARED && sim_chance(700))
		hold->kind = world.kind;
	hold->renew = sim_chance(450);
	hold->ttl_ms = sim_chance(200) ? 100 + sim_number(400) : 500 + sim_number(6000);
	if (hold->renew && hold->ttl_ms < 500)
		hold->ttl_ms = 500;
	if (world.replicated && sim_chance(500))
		hold->replicas = (rlk_replicas){ sim_chance(900) ? 1 + (int)sim_number(world.replica_count) : 2,
			1 + sim_number(hold->ttl_ms / 2 - 1) };
	hold->fence =
		world.topology == SIM_ALONE && world.server_count == 1 && hold->kind.id == RLK_PLAIN && sim_chance(200);
	hold->given = !hold->renew && !hold->fence && sim_chance(world.shares ? 800 : 150);
	hold->hold_at_least_ms =
		!world.brisk && sim_chance(world.crowd ? 700 : 80) ? sim_number(world.crowd ? 600 : 2500) : 0;
	hold->linger_ms = hold->renew && sim_chance(80) ? sim_number(1000) : 0;
	if (world.shares)
		snprintf(hold->given_token, sizeof(hold->given_token), "given-%d", hold->name);
	else
		snprintf(hold->given_token, sizeof(hold->given_token), "given-%d-%d-%d", client->number, i,
			(int)sim_number(1000000));
}

void sim_clients_begin(void)
{
	bool calm = sim_is_calm();

	memset(sim_clients, 0, sizeof(sim_clients));
	sim_client_count = world.crowd ? SIM_CLIENTS_MAX : 2 + (int)sim_number(SIM_CLIENTS_MAX - 1);
	for (int i = 0; i < sim_client_count; i++) {
		sim_client *client = &sim_clients[i];
		char name[8];

		snprintf(name, sizeof(name), "p%d", i);
		client->number = i;
		client->persistent = sim_chance(500);
		client->web = client->persistent && sim_chance(500);
		make_servers(client);
		for (int j = 0; j < SIM_HOLDS; j++)
			make_hold(client, j);
		client->process = sim_process_new(name, live, client, sim_number(calm ? 300 : 3000) * SIM_MS + 1);
		client->process->clock_ppm = (int)sim_number(9000) - 4500;
		client->process->clock_offset_ms = 100000 + sim_number(1000000000);
		if (world.troubles.deaths && sim_chance(400))
			client->process->dies_at_step = 1 + (uint64_t)sim_number(sim_chance(500) ? 150 : 1500);
	}
}

void sim_clients_close(void)
{
	const sim_client *client = &sim_clients[sim_number(sim_client_count)];

	for (int i = 0; i < SIM_HOLDS; i++) {
		if (client->process->running && client->holds[i].state == SIM_WAITING && client->holds[i].waits_since_us > 0)
			sim_network_close_one(client->process);
	}
}

bool sim_clients_are_done(void)
{
	for (int i = 0; i < world.process_count; i++) {
		if (world.processes[i]->running)
			return false;
	}
	return true;
}
