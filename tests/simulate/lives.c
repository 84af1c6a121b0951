/*
 * lives: what processes do: they lock, hold, extend and release, at random.
 */
#include "client.h"

#include "base/rlk_os.h"

#include <stdio.h>
#include <string.h>

sim_client sim_clients[SIM_CLIENTS_MAX];
int sim_client_count;

/* If the name has readers and writers: becomes the other one, and perhaps back. */
static void change_kind(sim_hold *hold)
{
	if (hold->name != 0 || world.kind.id != RLK_SHARED || hold->life.state != RLK_HOLD_HELD ||
		!sim_chance(world.changes_in_thousand))
		return;
	if (hold->life.lock.kind.id == RLK_SHARED)
		sim_upgrade(hold);
	sim_pass_time(hold->client, sim_number(world.brisk ? 50 : 1000));
	if (sim_chance(600))
		sim_downgrade(hold);
}

static void hold_on(sim_hold *hold)
{
	change_kind(hold);
	if (world.to_the_end && !hold->life.renew) {
		/* A time around the end of the validity: its margin, and up to 3 ms. */
		sim_pass_time(hold->client,
			sim_hold_valid_until_ms(hold) - sim_clock_ms(hold->client->process) + hold->life.lock.ttl_ms / 100 - 1 +
				sim_number(7));
		return;
	}
	if (world.brisk) {
		sim_pass_time(hold->client, sim_number(150));
		return;
	}
	/* Some holders extend again and again. */
	for (int rounds = sim_chance(world.races ? 200 : 800) ? 1 : 8; rounds > 0 && hold->life.state == RLK_HOLD_HELD;
		 rounds--) {
		sim_pass_time(hold->client,
			world.races         ? sim_number(100) :
				rounds > 1      ? sim_number(hold->ttl_ms / 3) :
				sim_chance(600) ? sim_number(300) :
								  sim_number(6000));
		while (sim_chance(rounds > 1 ? 500 : 250))
			sim_extend(hold,
				sim_chance(world.races ? 300 : 700) ? hold->ttl_ms :
					sim_chance(500)                 ? hold->ttl_ms / 3 + 50 :
													  hold->ttl_ms * 3);
	}
	if (sim_chance(world.confirms_in_thousand))
		sim_confirm(hold);
	if (sim_chance(200))
		sim_pass_time(hold->client, sim_number(3000));
}

static void act(sim_client *client)
{
	sim_hold *hold = &client->holds[world.crowd && world.fibers == 0 ? 0 : sim_number(world.holds)];

	if (rlk_hold_is_in_use(&hold->life)) {
		sim_pass_time(client, sim_number(100));
		return;
	}
	if (hold->life.state == RLK_HOLD_IDLE || (hold->life.state == RLK_HOLD_HELD && !sim_hold_is_valid(hold)) ||
		hold->life.state == RLK_HOLD_LOST) {
		if (world.troubles.force && sim_chance(200))
			sim_force(hold);
		else
			sim_acquire(hold,
				!world.crowd && sim_chance(300)     ? 0 :
					!world.crowd && sim_chance(500) ? sim_number(1000) + 1 :
													  sim_number(15000) + 1);
	}
	if (hold->life.state == RLK_HOLD_HELD)
		hold_on(hold);
	if (world.shares && hold->given && hold->life.state == RLK_HOLD_HELD && !sim_hold_is_valid(hold))
		rlk_hold_end(&hold->life, RLK_END_REPLACED, NULL); /* another process may have it, with the same token */
	if (world.brisk ||
		sim_chance(1000 - world.keeps_in_thousand)) /* else the lock stays for its ttl, or until the next round */
		sim_release(hold, RLK_END_RELEASED);
	/* A web server's worker keeps the child between its requests. */
	if (client->web && world.fibers == 0 && client->holds[0].life.slot == RLK_SLOT_NONE &&
		client->holds[1].life.slot == RLK_SLOT_NONE)
		rlk_renewal_request_ends(&client->renewal, sim_number(3000), false);
	sim_pass_time(client, world.brisk || sim_chance(500) ? sim_number(20) : sim_number(2000));
}

/* As at the end of a process: connections that drain have a moment. */
static void end(sim_client *client)
{
	for (int i = 0; i < world.holds; i++)
		sim_note_vanished(&client->holds[i]);
	client->ends = true;
	rlk_host_forget_uses(&client->host);
	for (int i = 0; i < world.holds; i++) {
		sim_hold *hold = &client->holds[i];

		sim_release(hold, hold->life.slot != RLK_SLOT_NONE ? RLK_END_REQUEST : RLK_END_REPLACED);
	}
	sim_note_slots(client);
	for (int i = 0; i < world.holds; i++)
		rlk_lock_destroy(&client->holds[i].life.lock);
	rlk_renewal_stop(&client->renewal);
	rlk_quorum_free(client->at.servers.quorum);
	rlk_pool_put(&client->conn);
	rlk_topology_remove_user(client->at.topology, &client->user);
	for (int tries = 0; client->drain.open > 0 && tries < 100; tries++) {
		sim_pass_time(client, 1000);
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

	client->at.topology = rlk_topology_get(&client->topologies, sentinel ? RLK_TOPOLOGY_SENTINEL : RLK_TOPOLOGY_CLUSTER,
		&client->servers[0], seeds, 2, sentinel ? "service" : NULL);
	rlk_topology_attach(client->at.topology, &client->conn, &client->user);
	if (!sentinel)
		client->conn.pool = &client->pool; /* it goes to and fro */
}

/* After each destruction another fiber takes its place. */
static void live_in_fiber(sim_fiber *fiber)
{
	for (int actions = world.brisk ? 10 : 2 + (int)sim_number(4); actions > 0; actions--) {
		fiber->destroyed = false;
		act(fiber->client);
	}
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
	client->host = (rlk_host){ .calls = &sim_host_calls, .renewal = &client->renewal, .polled = world.fibers > 0 };
	client->at.servers.conn = &client->conn;
	client->at.listed = client->servers;
	client->at.known = client->known_servers;
	if (sim_is_quorum())
		client->at.servers.quorum =
			rlk_quorum_new(client->servers, (size_t)world.server_count, &client->drain, client->conn.pool);
	for (int i = 0; i < world.holds; i++) {
		char name[16];

		rlk_lock_init(&client->holds[i].life.lock, RLK_STR(""),
			rlk_str_make(name, (size_t)snprintf(name, sizeof(name), "name%d", client->holds[i].name)), NULL);
	}
	if (world.fibers > 0)
		sim_fibers_run(client, live_in_fiber, sim_dispatch);
	for (int i = 0; i < actions && world.fibers == 0; i++)
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

	*hold = (sim_hold){ .client = client, .name = world.crowd || sim_chance(800) ? 0 : 1 };
	hold->life = (rlk_hold){ .host = &client->host, .at = &client->at, .refcount = 1, .slot = RLK_SLOT_NONE };
	if (i > 0 && !((world.shares || world.fibers > 0) && sim_chance(500))) /* else two objects for one lock */
		hold->name = 1 - client->holds[0].name;
	if (hold->name == 0 && world.kind.id == RLK_PERMITS)
		hold->kind =
			rlk_kind_of(world.kind.permits, 1 + (sim_chance(300) ? (int)sim_number(world.kind.permits) : 0), false);
	else if (hold->name == 0 && world.kind.id == RLK_SHARED && sim_chance(700))
		hold->kind = world.kind;
	hold->life.renew = sim_chance(world.races ? 900 : 450);
	hold->ttl_ms = sim_chance(200) ? 100 + sim_number(400) : 500 + sim_number(6000);
	if (hold->life.renew && hold->ttl_ms < 500)
		hold->ttl_ms = 500;
	hold->life.interval_ms = world.races ? 20 + sim_number(100) : hold->ttl_ms / 3;
	hold->life.max_hold_ms = RLK_NEVER;
	if (world.replicated && sim_chance(500))
		hold->life.replicas = (rlk_replicas){ sim_chance(900) ? 1 + (int)sim_number(world.replica_count) : 2,
			1 + sim_number(hold->ttl_ms / 2 - 1) };
	hold->fence =
		world.topology == SIM_ALONE && world.server_count == 1 && hold->kind.id == RLK_PLAIN && sim_chance(200);
	hold->given = !hold->life.renew && !hold->fence && sim_chance(world.shares ? 800 : world.given_in_thousand) &&
		!sim_is_quorum();
	hold->life.hold_at_least_ms =
		!world.brisk && sim_chance(world.crowd ? 700 : 80) ? sim_number(world.crowd ? 600 : 2500) : 0;
	hold->life.linger_ms = hold->life.renew && sim_chance(80) ? sim_number(1000) : 0;
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
		for (int j = 0; j < world.holds; j++)
			make_hold(client, j);
		client->process = sim_process_new(name, live, client, sim_number(calm ? 300 : 3000) * SIM_MS + 1);
		client->process->clock_ppm = (int)sim_number(9000) - 4500;
		client->process->clock_offset_ms = 100000 + sim_number(1000000000);
		if (world.troubles.deaths && sim_chance(400))
			client->process->dies_at_step = 1 + (uint64_t)sim_number(sim_chance(500) ? 150 : 1500);
	}
}

static void close_waiting(const sim_client *client)
{
	for (int i = 0; i < world.holds; i++) {
		if (client->process->running && client->holds[i].life.state == RLK_HOLD_WAITING &&
			client->holds[i].waits_since_us > 0)
			sim_network_close_one(client->process);
	}
}

static void close_again(void *client, uint64_t times)
{
	close_waiting(client);
	if (times > 1)
		sim_at(world.now_us + sim_number(60) * SIM_MS, close_again, client, times - 1);
}

void sim_clients_close(void)
{
	close_again(&sim_clients[sim_number(sim_client_count)], world.closes_again ? 4 : 1);
}

bool sim_clients_are_done(void)
{
	for (int i = 0; i < world.process_count; i++) {
		if (world.processes[i]->running)
			return false;
	}
	return true;
}
