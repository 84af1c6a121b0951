/*
 * topology: servers that take over from each other. With Sentinel: a master with a replica, and sentinels that name the
 * master. In a Cluster: two masters with a replica each, between which slots are moved. A replica has the data of its
 * master of a moment ago, so a failover may lose acknowledged writes; losses.c is told of that.
 */
#include "sim.h"

#include "redis/rlk_topology_rules.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HEARD_WITHIN_MS 3000

static bool moving; /* one change at a time */
static int64_t changed_us;

static bool is_cluster(void)
{
	return world.topology == SIM_CLUSTER;
}

/* A slot of the names of locks; -1: none. */
static int name_of(rlk_str key)
{
	const char *at = key.len > 0 && key.data[0] == '{' ? key.data + 1 : key.data;

	return key.len >= 5 && memcmp(at, "name", 4) == 0 ? at[4] - '0' : -1;
}

sim_server *sim_owner(int name)
{
	return world.owner[name];
}

static sim_answer error(const char *text)
{
	return (sim_answer){ .type = SIM_ERROR, .text = rlk_str_from_cstr(text) };
}

/* --- replication ---------------------------------------------------------------------------------- */

typedef struct {
	sim_server *from, *to;
	sim_key *keys;
	uint64_t reign, offset;
} replica;

static sim_key *copy_keys(const sim_server *server)
{
	sim_key *keys = NULL;

	for (const sim_key *key = server->keys; key != NULL; key = key->next) {
		sim_key *copy = sim_alloc(sizeof(*copy));

		*copy = *key;
		copy->next = keys;
		keys = copy;
	}
	return keys;
}

static bool is_connected(const replica *r)
{
	return r->to->master == r->from && r->to->reign == r->reign && r->from->down_until_us <= world.now_us;
}

static void acknowledge(void *arg, uint64_t number)
{
	const replica *r = arg;

	(void)number;
	if (!is_connected(r) || r->offset <= r->to->acknowledged)
		return;
	r->to->acknowledged = r->offset;
	sim_server_acknowledged(r->from);
}

static void arrive(void *arg, uint64_t number)
{
	replica *r = arg;

	(void)number;
	if (!is_connected(r))
		return;
	r->to->keys = r->keys;
	r->to->received = r->offset;
	sim_note_replicated(r->from, r->to);
	sim_at(world.now_us + world.latency_us / 2 + sim_number(world.latency_us), acknowledge, r, 0);
}

int sim_replicas_of(const sim_server *master, sim_server *replicas[SIM_REPLICAS_MAX])
{
	int count = 0;

	for (int i = 0; i < world.server_count && world.topology != SIM_ALONE; i++) {
		if (world.servers[i]->master == master && !world.servers[i]->is_sentinel)
			replicas[count++] = world.servers[i];
	}
	for (int i = 0; i < world.replica_count && world.topology == SIM_ALONE; i++)
		replicas[count++] = master->shadows[i];
	return count;
}

int sim_acknowledged(const sim_server *master, uint64_t offset)
{
	sim_server *replicas[SIM_REPLICAS_MAX];
	int count = sim_replicas_of(master, replicas), done = 0;

	for (int i = 0; i < count; i++)
		done += replicas[i]->acknowledged >= offset;
	return done;
}

void sim_replicate(sim_server *master)
{
	sim_server *replicas[SIM_REPLICAS_MAX];
	int count = sim_replicas_of(master, replicas);

	for (int i = 0; i < count; i++) {
		sim_server *to = replicas[i];
		replica *r = sim_alloc(sizeof(*r));
		int64_t at_us = world.now_us + world.latency_us / 2 + sim_number(world.latency_us);

		if ((world.lags || !sim_is_calm()) && sim_chance(150))
			at_us += sim_number(world.lags && sim_chance(200) ? 6000 : 1500) * SIM_MS;
		to->replicated_us = at_us > to->replicated_us ? at_us : to->replicated_us;
		*r = (replica){ master, to, copy_keys(master), to->reign, master->offset };
		sim_at(to->replicated_us, arrive, r, 0);
	}
}

/* --- what a server refuses ------------------------------------------------------------------------ */

static int keys_of(const rlk_str *argv, int argc, const rlk_str **keys)
{
	bool script = argv[0].len >= 4 && strncasecmp(argv[0].data, "EVAL", 4) == 0;
	int count = script && argc > 2 ? argv[2].data[0] - '0' : 1;

	*keys = argv + (script ? 3 : 1);
	return argc > (script ? 2 : 1) && name_of(**keys) >= 0 ? count : 0;
}

static sim_answer redirect(const char *how, int name, const sim_server *to)
{
	char *text = sim_alloc(48);
	char key[8];

	sprintf(text, "%s %d 10.0.0.%d:6379", how, rlk_hash_slot(rlk_str_make(key, (size_t)sprintf(key, "name%d", name))),
		to->number + 1);
	return error(text);
}

bool sim_refuses(sim_server *server, bool asking, const rlk_str *argv, int argc, sim_answer *a)
{
	const rlk_str *keys;
	int count = is_cluster() ? keys_of(argv, argc, &keys) : 0, name = count > 0 ? name_of(keys[0]) : -1, missing = 0;

	if (name < 0)
		return false;
	for (int i = 0; i < count; i++)
		missing += sim_server_find(server, keys[i]) == NULL;
	if (server->fails)
		*a = error("CLUSTERDOWN The cluster is down");
	else if (server->owner[name] == server && (server->migrating[name] == NULL || missing == 0))
		return false;
	else if (server->owner[name] == server && missing < count)
		*a = error("TRYAGAIN Multiple keys request during rehashing of slot");
	else if (server->owner[name] == server)
		*a = redirect("ASK", name, server->migrating[name]);
	else if (!server->importing[name] || !asking)
		*a = redirect("MOVED", name, server->owner[name]);
	else if (count == 1 || missing == 0)
		return false;
	else
		*a = error("TRYAGAIN Multiple keys request during rehashing of slot");
	return true;
}

sim_answer sim_ask_sentinel(const sim_server *sentinel)
{
	sim_answer pair = { .type = SIM_ARRAY, .items = sim_alloc(2 * sizeof(sim_answer)), .count = 2 };
	char *host = sim_alloc(16);

	sprintf(host, "10.0.0.%d", sentinel->master->number + 1);
	pair.items[0] = (sim_answer){ .type = SIM_BULK, .text = rlk_str_from_cstr(host) };
	pair.items[1] = (sim_answer){ .type = SIM_BULK, .text = RLK_STR("6379") };
	return pair;
}

/* --- failover ------------------------------------------------------------------------------------- */

/* A sentinel, or a node, hears of a new master. */
static void hear(void *arg, uint64_t number)
{
	sim_server *server = arg, *old = world.servers[number / 8], *heir = world.servers[number % 8];

	if (server->is_sentinel)
		server->master = heir;
	for (int i = 0; i < SIM_NAMES; i++) {
		if (server->owner[i] == old)
			server->owner[i] = heir;
	}
	server->fails = false;
}

static void tell_all(const sim_server *old, const sim_server *heir, int64_t within_ms)
{
	for (int i = 0; i < world.server_count; i++) {
		int64_t ms = world.servers[i] == heir ? 0 : sim_number(within_ms);

		if (world.servers[i] != old)
			sim_at(world.now_us + ms * SIM_MS, hear, world.servers[i], (uint64_t)(old->number * 8 + heir->number));
	}
}

/* All have heard of the new master. */
static void settle(void *arg, uint64_t number)
{
	(void)arg;
	(void)number;
	moving = false;
}

bool sim_topology_is_moving(void)
{
	return moving;
}

bool sim_topology_has_changed(int64_t within_ms)
{
	return world.now_us <= changed_us + within_ms * SIM_MS;
}

static void demote(void *arg, uint64_t number)
{
	sim_server *old = arg, *heir = world.servers[number];

	if (old->down_until_us > world.now_us) {
		sim_at(old->down_until_us + sim_number(300) * SIM_MS, demote, old, number);
		return;
	}
	sim_say("world", "server %d is now a replica of server %d", old->number, heir->number);
	old->master = heir;
	old->reign++;
	old->received = old->acknowledged = 0;
	old->superseded = false;
	hear(old, (uint64_t)(old->number * 8 + heir->number));
	/* Sentinels close the connections; a change by hand does not. A replica that lags answers with old data. */
	if (world.topology == SIM_SENTINEL && (world.lags || !sim_is_calm() || sim_chance(500)))
		sim_network_drop(old);
	else
		sim_server_unblock(old, -1, "UNBLOCKED force unblock from blocking operation, instance state changed");
	sim_replicate(heir);
	sim_at(world.now_us + HEARD_WITHIN_MS * SIM_MS, settle, NULL, 0);
}

static void promote(void *arg, uint64_t planned)
{
	sim_server *heir = arg, *old = heir->master;

	sim_say("world", "server %d takes over from server %d", heir->number, old->number);
	if (planned)
		heir->keys = copy_keys(old);
	heir->offset = planned ? old->offset : heir->received;
	heir->master = NULL;
	heir->reign++;
	old->superseded = true;
	changed_us = world.now_us;
	for (int i = 0; i < SIM_NAMES; i++) {
		if (world.owner[i] == old) {
			world.owner[i] = heir;
			sim_note_promoted(i, old, heir);
		}
	}
	sim_server_watch_expiry(heir);
	tell_all(old, heir, planned ? 20 : HEARD_WITHIN_MS);
	if (planned)
		demote(old, (uint64_t)heir->number);
	else
		sim_at(world.now_us + sim_number(4000) * SIM_MS, demote, old, (uint64_t)heir->number);
}

static void notice_failure(void *arg, uint64_t number)
{
	(void)number;
	((sim_server *)arg)->fails = true;
}

static sim_server *replica_of(const sim_server *master)
{
	for (int i = 0; i < world.server_count; i++) {
		if (!world.servers[i]->is_sentinel && world.servers[i]->master == master)
			return world.servers[i];
	}
	return NULL;
}

static void fail_over(sim_server *master)
{
	sim_server *next = replica_of(master);
	int64_t at_us = world.now_us + (500 + sim_number(2500)) * SIM_MS;

	if (next == NULL || master->master != NULL || master->is_sentinel || master->superseded)
		return;
	moving = true;
	if (sim_is_calm()) {
		promote(next, true);
		return;
	}
	sim_at(at_us, promote, next, false);
	if (sim_chance(400))
		return; /* the master is cut off from the others, not from its clients */
	sim_say("world", "server %d dies", master->number);
	master->down_until_us = at_us + (sim_number(5000) - 500) * SIM_MS;
	sim_network_drop(master);
	for (int i = 0; i < world.server_count; i++) {
		if (is_cluster() && world.servers[i] != master && sim_chance(500))
			sim_at(world.now_us + sim_number(500) * SIM_MS, notice_failure, world.servers[i], 0);
	}
}

/* --- a slot is moved ------------------------------------------------------------------------------ */

typedef struct {
	int name;
	sim_server *from, *to;
	int64_t pause_ms; /* between two keys, at most */
} move;

static bool is_of(const sim_key *key, int name)
{
	return name_of(key->name) == name;
}

static void end_move(void *arg, uint64_t step)
{
	const move *m = arg;
	char text[48];

	if (step == 0) {
		m->to->importing[m->name] = false;
		m->to->owner[m->name] = m->to;
		world.owner[m->name] = m->to;
		sim_at(world.now_us + sim_number(20) * SIM_MS, end_move, arg, 1);
		return;
	}
	sim_say("world", "server %d has name%d", m->to->number, m->name);
	m->from->migrating[m->name] = NULL;
	for (int i = 0; i < world.server_count; i++)
		world.servers[i]->owner[m->name] = m->to;
	snprintf(text, sizeof(text), "%.*s", 47, redirect("MOVED", m->name, m->to).text.data);
	sim_server_unblock(m->from, m->name, text);
	sim_replicate(m->from);
	sim_replicate(m->to);
	moving = false;
}

/* Moves one key after the other. */
static void move_keys(void *arg, uint64_t number)
{
	const move *m = arg;

	(void)number;
	m->from->migrating[m->name] = m->to;
	for (sim_key **link = &m->from->keys; *link != NULL; link = &(*link)->next) {
		sim_key *key = *link;

		if (!is_of(key, m->name))
			continue;
		*link = key->next;
		if (sim_server_find(m->to, key->name) == NULL) {
			key->next = m->to->keys;
			m->to->keys = key;
			sim_server_watch_expiry(m->to);
		}
		sim_at(world.now_us + sim_number(m->pause_ms) * SIM_MS, move_keys, arg, 0);
		return;
	}
	sim_at(world.now_us + sim_number(m->pause_ms) * SIM_MS, end_move, arg, 0);
}

/* A replica that took over before it heard that the slot had gone still has its keys. A server deletes keys of slots
 * that are not its own. */
static void forget_keys(sim_server *server, int name)
{
	sim_key **link = &server->keys;

	while (*link != NULL) {
		if (is_of(*link, name))
			*link = (*link)->next;
		else
			link = &(*link)->next;
	}
}

static void move_slot(int name)
{
	move *m = sim_alloc(sizeof(*m));

	*m = (move){ name, world.owner[name], NULL, sim_chance(500) ? 100 : 2000 };
	for (int i = 0; i < world.server_count; i++) {
		if (world.servers[i]->master == NULL && world.servers[i] != m->from && !world.servers[i]->superseded)
			m->to = world.servers[i];
	}
	if (m->to == NULL || m->from->superseded)
		return;
	moving = true;
	sim_note_moved(name);
	sim_say("world", "name%d is moved from server %d to server %d", name, m->from->number, m->to->number);
	forget_keys(m->to, name);
	m->to->importing[name] = true;
	sim_at(world.now_us + sim_number(20) * SIM_MS, move_keys, m, 0);
}

/* --- as a whole ----------------------------------------------------------------------------------- */

void sim_topology_begin(void)
{
	moving = false;
	changed_us = INT64_MIN / 2;
	for (int i = 0; i < SIM_NAMES; i++)
		world.owner[i] = world.servers[is_cluster() ? i : 0];
	for (int i = 0; i < world.replica_count && world.topology == SIM_ALONE; i++) {
		sim_server *shadow = world.servers[0]->shadows[i] = sim_alloc(sizeof(*shadow));

		*shadow = (sim_server){ .number = i, .clock_ppm = world.servers[0]->clock_ppm, .master = world.servers[0] };
	}
	if (world.topology == SIM_ALONE)
		return;
	for (int i = 0; i < world.server_count; i++) {
		sim_server *server = world.servers[i];

		memcpy(server->owner, world.owner, sizeof(server->owner));
		server->clock_ppm = world.servers[0]->clock_ppm; /* masters tell their replicas when keys expire */
		server->kind = world.servers[0]->kind;
		server->is_sentinel = world.topology == SIM_SENTINEL && i >= 2;
		if (server->is_sentinel || i == 1 + is_cluster() || i == 3)
			server->master = world.servers[world.topology == SIM_SENTINEL ? 0 : i - 2];
	}
}

void sim_topology_trouble(void)
{
	if (world.topology == SIM_ALONE || moving || !sim_chance(world.fails_in_thousand))
		return;
	if (is_cluster() && sim_chance(600))
		move_slot((int)sim_number(SIM_NAMES));
	else
		fail_over(world.servers[sim_number(world.server_count)]);
}
