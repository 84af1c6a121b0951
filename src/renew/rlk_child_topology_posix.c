/*
 * rlk_child_topology_posix: which channel the child uses for a slot.
 *
 * A slot of a single server uses the channel to that. Of a service (Sentinel) or a
 * Cluster the child finds the server by itself, since the parent may be deep
 * in a long call. The rules are those that calls follow, too
 * (redis/rlk_topology_rules.h). The child keeps what it learns in its own way:
 * it has few locks, so each has its target; it cannot resolve names, so
 * servers are addresses. Whatever a sentinel or a node says is tried. If that
 * leads nowhere the next one is asked, with pauses, as long as the lock is valid.
 */
#include "renew/rlk_child_own.h"

static const rlk_slot *slot_of(const rlk_child *c, uint32_t slot)
{
	return &c->area->slots[slot];
}

static const rlk_area_server *server_of(const rlk_child *c, uint32_t slot)
{
	return &c->area->servers[slot_of(c, slot)->server];
}

uint32_t rlk_child_channels_used(const rlk_child *c)
{
	return c->found_count > 0 ? RLK_AREA_SERVERS_MAX + c->found_count : atomic_load(&c->area->servers_used);
}

/* This seed has not answered lately, or could not say where a key is. */
static int64_t channel_avoided_until(const rlk_channel *channel)
{
	return rlk_channel_is_closed(channel) && channel->closed_at_ms > 0 ? channel->retry_at_ms :
																		 channel->avoided_until_ms;
}

static void enter_found(rlk_child *c, uint32_t index, uint32_t of, const rlk_address *address, rlk_str name)
{
	rlk_found_server *found = &c->found[index];
	rlk_channel *channel = &c->channels[RLK_AREA_SERVERS_MAX + index];

	memcpy(&found->server, &c->area->servers[of], sizeof(found->server));
	rlk_address_to_list(address, &found->server.addresses[0]);
	atomic_store(&found->server.current, 0);
	found->server.tls_of = &c->area->servers[of];
	name.len = name.len < sizeof(found->server.host) ? name.len : 0; /* no name in DNS is as long */
	memcpy(found->server.host, name.data, name.len);
	found->server.host[name.len] = '\0';
	found->server.server.host = found->server.host;
	found->of = of;
	found->address = *address;
	channel->server = NULL; /* as if never used */
	channel->retry_at_ms = channel->closed_at_ms = channel->avoided_until_ms = 0;
	channel->backoff_ms = 0;
}

/* The number of the channel to this server: the one it has, a new one, or that of another server that is not connected.
 * If there is none, that of a seed. */
static uint32_t channel_to(rlk_child *c, uint32_t of, const rlk_address *address, rlk_str name)
{
	const rlk_area_server *entry = &c->area->servers[of];
	bool tls = entry->server.transport == RLK_TRANSPORT_TLS; /* then a certificate has to have the name */
	uint32_t index = RLK_FOUND_MAX;

	for (uint32_t i = 0; i < c->found_count; i++) {
		if (c->found[i].of == of && rlk_address_equal(&c->found[i].address, address) &&
			(!tls || rlk_str_equal(rlk_str_from_cstr(c->found[i].server.host), name)))
			return RLK_AREA_SERVERS_MAX + i;
		if (rlk_channel_is_closed(&c->channels[RLK_AREA_SERVERS_MAX + i]))
			index = i;
	}
	if (c->found_count < RLK_FOUND_MAX)
		index = c->found_count++;
	if (index == RLK_FOUND_MAX)
		return entry->seeds[0];
	enter_found(c, index, of, address, name);
	return RLK_AREA_SERVERS_MAX + index;
}

static uint32_t number_of(rlk_child *c, uint32_t index)
{
	const rlk_area_server *entry = server_of(c, index);
	const rlk_slot *slot = slot_of(c, index);
	rlk_slot_target *target = &c->views[index].target;

	if (entry->kind == RLK_TOPOLOGY_SINGLE)
		return slot->server;
	if (target->asking != 0)
		return target->asking - 1;
	/* While it was closed the channel may have become that of another service or Cluster. */
	if (target->channel > RLK_AREA_SERVERS_MAX &&
		c->found[target->channel - 1 - RLK_AREA_SERVERS_MAX].of != slot->server)
		target->channel = 0;
	if (target->channel == 0)
		target->channel = 1 +
			(slot->at.family != 0 ?
					channel_to(c, slot->server, &slot->at, rlk_str_from_cstr(c->area->at_names[index])) :
					entry->seeds[0]);
	return target->channel - 1;
}

rlk_channel *rlk_child_channel_of(rlk_child *c, uint32_t slot)
{
	return &c->channels[number_of(c, slot)];
}

static rlk_area_server *server_behind(rlk_child *c, uint32_t number)
{
	return number < RLK_AREA_SERVERS_MAX ? &c->area->servers[number] : &c->found[number - RLK_AREA_SERVERS_MAX].server;
}

/* Opens it within so long, unless it is open. Returns when to try again. */
static int64_t open_within(rlk_child *c, uint32_t number, int64_t connect_ms, int64_t now_ms)
{
	rlk_channel *channel = &c->channels[number];

	rlk_channel_open(c, channel, server_behind(c, number), connect_ms, now_ms);
	return rlk_channel_is_closed(channel) ? channel->retry_at_ms : RLK_NEVER;
}

static int64_t open_channel(rlk_child *c, uint32_t number, int64_t now_ms)
{
	return open_within(c, number, server_behind(c, number)->server.connect_timeout_ms, now_ms);
}

/* Begins a search, with the sentinel that helped last; with the next one if that named a server that is no master. */
static void begin_search(rlk_child *c, uint32_t service, bool misled, int64_t now_ms)
{
	rlk_child_search *search = &c->searches[service];
	const rlk_area_server *entry = &c->area->servers[service];

	if (search->wanted)
		return;
	search->wanted = true;
	search->asked = false;
	if (misled)
		rlk_search_pass(&search->turns, now_ms);
	else
		rlk_search_begin(&search->turns, entry->seed_count, entry->server.connect_timeout_ms, RLK_NEVER, now_ms);
}

/* If the connection to the master is gone, the slot goes on with the one that the sentinels have named since. */
static int64_t open_service(rlk_child *c, uint32_t index, int64_t now_ms)
{
	const rlk_slot *slot = slot_of(c, index);
	rlk_slot_target *target = &c->views[index].target;
	rlk_child_search *search = &c->searches[slot->server];
	bool fresh = target->channel == 0 && slot->at.family != 0; /* a connection lost before says nothing of this lock */
	const rlk_channel *channel = rlk_child_channel_of(c, index);
	/* If the slot does not say where, its channel is that of a seed: a sentinel, which has no keys. */
	bool lost = target->channel <= RLK_AREA_SERVERS_MAX ||
		(!fresh && rlk_channel_is_closed(channel) && channel->closed_at_ms > 0);
	bool found = search->found.family != 0;
	int64_t next_ms;

	if (!lost)
		return open_channel(c, target->channel - 1, now_ms);
	if (!found || search->found_at_ms < channel->closed_at_ms || target->finding == search->findings) {
		begin_search(c, slot->server, found && channel->backoff_ms > 0, now_ms);
		return RLK_NEVER;
	}
	target->channel = 1 + channel_to(c, slot->server, &search->found, rlk_str_from_cstr(search->found_name));
	next_ms = open_channel(c, target->channel - 1, now_ms);
	if (next_ms == RLK_NEVER)
		target->finding = search->findings;
	return next_ms;
}

/* The node that had the key last, unless it is to be avoided. Then any other can tell, those of the configuration first.
 * *nodes: how many others there are. */
static uint32_t choose_node(rlk_child *c, uint32_t cluster, uint32_t present, int64_t now_ms, unsigned *nodes)
{
	const rlk_area_server *entry = &c->area->servers[cluster];
	int64_t best_until_ms = RLK_NEVER;
	uint32_t best = present;

	*nodes = 0;
	rlk_choice_takes(&best_until_ms, channel_avoided_until(&c->channels[present]), now_ms);
	for (uint32_t i = 0; i < entry->seed_count + c->found_count; i++) {
		bool seed = i < entry->seed_count;
		uint32_t other = seed ? entry->seeds[i] : RLK_AREA_SERVERS_MAX + i - entry->seed_count;

		if (!seed && c->found[i - entry->seed_count].of != cluster)
			continue;
		++*nodes;
		if (rlk_choice_takes(&best_until_ms, channel_avoided_until(&c->channels[other]), now_ms))
			best = other;
	}
	return best;
}

static int64_t open_cluster(rlk_child *c, uint32_t index, int64_t now_ms)
{
	rlk_slot_target *target = &c->views[index].target;
	uint32_t cluster = slot_of(c, index)->server, number = number_of(c, index);
	bool avoided = now_ms < channel_avoided_until(&c->channels[number]);
	unsigned nodes;

	if (!avoided && !rlk_channel_is_closed(&c->channels[number]))
		return RLK_NEVER;
	/* Only this node may be asked with ASKING. Without it, the owner of the slot is asked again. */
	if (avoided && target->asking != 0) {
		target->asking = 0;
		return now_ms;
	}
	number = choose_node(c, cluster, number, now_ms, &nodes);
	if (target->asking == 0)
		target->channel = number + 1;
	return open_within(c, number, rlk_topology_share_ms(c->area->servers[cluster].server.connect_timeout_ms, nodes),
		now_ms);
}

int64_t rlk_child_open_channel(rlk_child *c, uint32_t slot, int64_t now_ms)
{
	switch (server_of(c, slot)->kind) {
		case RLK_TOPOLOGY_SENTINEL:
			return open_service(c, slot, now_ms);
		case RLK_TOPOLOGY_CLUSTER:
			return open_cluster(c, slot, now_ms);
		case RLK_TOPOLOGY_SINGLE:
			break;
	}
	return open_channel(c, slot_of(c, slot)->server, now_ms);
}

bool rlk_child_prepare_channel(rlk_child *c, uint32_t slot, const rlk_op *op)
{
	rlk_slot_target *target = &c->views[slot].target;
	const rlk_str asking = RLK_STR("ASKING");
	const rlk_request request = { NULL, NULL, &asking, 0, 1 };
	rlk_channel *channel = rlk_child_channel_of(c, slot);
	rlk_op first = *op;

	if (server_of(c, slot)->kind == RLK_TOPOLOGY_SENTINEL && target->channel <= RLK_AREA_SERVERS_MAX)
		return false; /* that is a sentinel */
	if (target->asking == 0)
		return true;
	first.kind = RLK_OP_ASKING;
	if (!rlk_channel_queue(channel, &first, &request))
		return false;
	target->asking = 0;
	return true;
}

/* The address of a server that was named. false: none yet; the parent is asked to resolve it. */
static bool find_told_address(rlk_child *c, uint32_t of, rlk_str host, uint16_t port, rlk_address *address)
{
	rlk_area_server *entry = &c->area->servers[of];
	uint32_t state = atomic_load(&entry->state);

	if (rlk_address_parse(host, port, address))
		return true;
	if (state == RLK_ENTRY_ASKED || host.len == 0 || host.len >= sizeof(entry->host))
		return false;
	if (state == RLK_ENTRY_ANSWERED && entry->port == port && rlk_str_equal(rlk_str_from_cstr(entry->host), host)) {
		*address = entry->answer;
		atomic_store(&entry->state, RLK_ENTRY_FINE);
		if (address->family != 0)
			c->ask_pause_ms[of] = RLK_ASK_FIRST_MS; /* the next question is about another server */
		return address->family != 0;
	}
	memcpy(entry->host, host.data, host.len);
	entry->host[host.len] = '\0';
	entry->port = port;
	atomic_store(&entry->state, RLK_ENTRY_ASKED);
	return false;
}

/* The channel to the server that MOVED or ASK names. false: its address is not known yet. */
static bool find_named(rlk_child *c, uint32_t slot, const rlk_redirection *to, uint32_t *number)
{
	uint32_t cluster = slot_of(c, slot)->server;
	rlk_str host = to->host;
	rlk_address address;

	if (host.len == 0) {
		const rlk_channel *here = rlk_child_channel_of(c, slot);

		address = rlk_address_from_list(&here->addresses, here->conn.address);
		address.port = to->port;
		host = rlk_str_from_cstr(here->conn.server->host);
	} else if (!find_told_address(c, cluster, host, to->port, &address)) {
		return false;
	}
	*number = channel_to(c, cluster, &address, host);
	return true;
}

rlk_redirect rlk_child_follow(rlk_child *c, uint32_t slot, const rlk_reply *reply, int64_t now_ms, int64_t *again_at_ms)
{
	rlk_slot_target *target = &c->views[slot].target;
	rlk_redirection to = rlk_redirection_read(server_of(c, slot)->kind, reply);
	bool names = to.kind == RLK_REDIRECT_MOVED || to.kind == RLK_REDIRECT_ASK;
	uint32_t number = 0;

	if (names && !find_named(c, slot, &to, &number))
		to.kind = RLK_REDIRECT_NONE;
	if (to.kind == RLK_REDIRECT_NONE) {
		target->redirections = 0;
		return to.kind;
	}
	if (to.kind == RLK_REDIRECT_ASK)
		target->asking = number + 1;
	else if (names)
		target->channel = number + 1;
	else if (to.kind == RLK_REDIRECT_ANOTHER)
		rlk_child_channel_of(c, slot)->avoided_until_ms = now_ms + RLK_CLUSTER_AVOIDED_MS;
	*again_at_ms = now_ms + rlk_redirection_pause_ms(&to, target->redirections++);
	return to.kind;
}

/* Asks one sentinel at a time. Returns when to go on. */
static int64_t search_for(rlk_child *c, uint32_t service, int64_t now_ms)
{
	rlk_child_search *search = &c->searches[service];
	const rlk_area_server *entry = &c->area->servers[service];
	rlk_search *turns = &search->turns;
	rlk_op op = { .slot = service, .kind = RLK_OP_LOCATE, .sent_at_ms = now_ms };
	rlk_str argv[RLK_SEARCH_ARGC];
	const rlk_request request = { NULL, NULL, argv, 0, RLK_SEARCH_ARGC };

	rlk_search_argv(entry->service, argv);
	for (;;) {
		unsigned turn = turns->turn;
		bool asks = rlk_search_next(turns, now_ms) == RLK_SEARCH_ASK;
		uint32_t sentinel = entry->seeds[turns->turn];
		rlk_channel *channel = &c->channels[sentinel];

		search->asked = search->asked && asks && turn == turns->turn;
		if (!asks || search->asked)
			return turns->next_at_ms;
		open_within(c, sentinel, turns->next_at_ms - now_ms, now_ms);
		if (rlk_channel_is_closed(channel)) {
			rlk_search_pass(turns, now_ms);
			continue;
		}
		op.epoch = turns->turn;
		search->asked = rlk_channel_is_ready(channel) && rlk_channel_queue(channel, &op, &request);
		/* If it is connecting, its next address may be due first. */
		return rlk_channel_is_ready(channel) ?
			turns->next_at_ms :
			rlk_clock_earlier(turns->next_at_ms, rlk_conn_advance_at(&channel->conn));
	}
}

int64_t rlk_child_search_on(rlk_child *c, int64_t now_ms)
{
	uint32_t servers = atomic_load(&c->area->servers_used);
	int64_t next_ms = RLK_NEVER;

	for (uint32_t i = 0; i < servers; i++) {
		if (c->searches[i].wanted)
			next_ms = rlk_clock_earlier(next_ms, search_for(c, i, now_ms));
	}
	return next_ms;
}

void rlk_child_located(rlk_child *c, const rlk_op *op, const rlk_reply *reply, int64_t now_ms)
{
	rlk_child_search *search = &c->searches[op->slot];
	rlk_address address;
	uint16_t port;
	rlk_str host;

	if (!search->wanted)
		return;
	if (reply != NULL && rlk_search_read(reply, &host, &port) == RLK_SENTINEL_NAMES &&
		find_told_address(c, op->slot, host, port, &address)) {
		search->found = address;
		memcpy(search->found_name, host.data, host.len);
		search->found_name[host.len] = '\0';
		search->found_at_ms = now_ms;
		search->findings++;
		search->wanted = false;
	} else if (search->asked && op->epoch == search->turns.turn) {
		search->asked = false;
		rlk_search_pass(&search->turns, now_ms);
	}
}
