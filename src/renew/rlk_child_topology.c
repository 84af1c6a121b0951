/*
 * rlk_child_topology: see the header. Allocation-free throughout.
 *
 * Nothing here is final: whatever a sentinel or a node says is tried, and when
 * it leads nowhere the next one is asked, with pauses, for as long as the lock
 * is valid.
 */
#include "renew/rlk_child_own.h"

#include "base/rlk_os.h"
#include "net/rlk_socket.h"

void rlk_child_topology_init(rlk_child_topology *topology, rlk_area *area, rlk_channel *channels)
{
	topology->area = area;
	topology->channels = channels;
}

uint32_t rlk_child_topology_channels(const rlk_child_topology *topology)
{
	return topology->found_count > 0 ? RLK_AREA_SERVERS_MAX + topology->found_count :
									   atomic_load(&topology->area->servers_used);
}

static const rlk_area_server *server_of(const rlk_child_topology *topology, const rlk_slot *slot)
{
	return &topology->area->servers[slot->server];
}

/* It has not answered lately, or could not say. */
static int64_t avoided_until(const rlk_channel *channel)
{
	return rlk_channel_is_closed(channel) && channel->closed_at_ms > 0 ? channel->retry_at_ms :
																		 channel->avoided_until_ms;
}

/* The name that the certificate of a server has to have which was found by this one. "": it speaks no TLS. */
static rlk_str name_for(const rlk_area_server *server, rlk_str found_by)
{
	if (atomic_load(&server->tls) == NULL)
		return RLK_STR("");
	return server->tls_name[0] != '\0' ? rlk_str_from_cstr(server->tls_name) : found_by;
}

static void settle(rlk_child_topology *topology, uint32_t index, uint32_t server, const rlk_address *address,
	rlk_str name)
{
	rlk_found_server *found = &topology->found[index];
	rlk_channel *channel = &topology->channels[RLK_AREA_SERVERS_MAX + index];

	memcpy(&found->server, &topology->area->servers[server], sizeof(found->server));
	rlk_address_to_list(address, &found->server.addresses[0]);
	atomic_store(&found->server.current, 0);
	found->server.has_name = false;
	found->server.tls_of = &topology->area->servers[server];
	memcpy(found->server.tls_name, name.data, name.len);
	found->server.tls_name[name.len] = '\0';
	found->of = server;
	found->address = *address;
	channel->server = NULL; /* as if it had never been used */
	channel->retry_at_ms = channel->closed_at_ms = channel->avoided_until_ms = 0;
	channel->backoff_ms = 0;
}

/* The channel to this server: the one that is there, a new one, or that of another server that we are not connected to. */
static uint32_t channel_to(rlk_child_topology *topology, uint32_t server, const rlk_address *address, rlk_str found_by)
{
	rlk_str name = name_for(&topology->area->servers[server], found_by);
	uint32_t free_one = RLK_FOUND_MAX;

	for (uint32_t i = 0; i < topology->found_count; i++) {
		if (topology->found[i].of == server && rlk_address_equal(&topology->found[i].address, address) &&
			rlk_str_equal(rlk_str_from_cstr(topology->found[i].server.tls_name), name))
			return RLK_AREA_SERVERS_MAX + i;
		if (rlk_channel_is_closed(&topology->channels[RLK_AREA_SERVERS_MAX + i]))
			free_one = i;
	}
	if (topology->found_count < RLK_FOUND_MAX)
		free_one = topology->found_count++;
	if (free_one == RLK_FOUND_MAX)
		return topology->area->servers[server].seeds[0];
	settle(topology, free_one, server, address, name);
	return RLK_AREA_SERVERS_MAX + free_one;
}

/* To where the slot says. */
static uint32_t channel_at(rlk_child_topology *topology, const rlk_slot *slot)
{
	return channel_to(topology, slot->server, &slot->at,
		rlk_str_from_cstr(topology->area->at_names[slot - topology->area->slots]));
}

uint32_t rlk_child_topology_number(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way)
{
	const rlk_area_server *server = server_of(topology, slot);

	if (server->kind == RLK_TOPOLOGY_SINGLE)
		return slot->server;
	if (way->once != 0)
		return way->once - 1;
	/* Its place may have become another server's while nothing was open to it. */
	if (way->to > RLK_AREA_SERVERS_MAX && topology->found[way->to - 1 - RLK_AREA_SERVERS_MAX].of != slot->server)
		way->to = 0;
	if (way->to == 0)
		way->to = 1 + (slot->at.family != 0 ? channel_at(topology, slot) : server->seeds[0]);
	return way->to - 1;
}

static rlk_area_server *server_behind(rlk_child_topology *topology, uint32_t number)
{
	return number < RLK_AREA_SERVERS_MAX ? &topology->area->servers[number] :
										   &topology->found[number - RLK_AREA_SERVERS_MAX].server;
}

/* Opens it within so long, unless it is open. Returns when to try again. */
static int64_t open_within(rlk_child_topology *topology, uint32_t number, int64_t connect_ms, int64_t now_ms)
{
	rlk_channel *channel = &topology->channels[number];

	rlk_channel_open(channel, server_behind(topology, number), connect_ms, now_ms);
	return rlk_channel_is_closed(channel) ? channel->retry_at_ms : RLK_NEVER;
}

static int64_t open_link(rlk_child_topology *topology, uint32_t number, int64_t now_ms)
{
	return open_within(topology, number, server_behind(topology, number)->connect_timeout_ms, now_ms);
}

/* The sentinels are asked: the one first that helped last; the next one, if who it named is no master. */
static void want(rlk_child_topology *topology, uint32_t number, bool misled, int64_t now_ms)
{
	rlk_child_search *search = &topology->searches[number];
	const rlk_area_server *server = &topology->area->servers[number];

	if (search->wanted)
		return;
	search->wanted = true;
	search->asked = false;
	if (misled)
		rlk_search_pass(&search->turns, now_ms);
	else
		rlk_search_begin(&search->turns, server->seed_count, server->connect_timeout_ms, RLK_NEVER, now_ms);
}

/* The connection to the master is gone: it goes on with whom the sentinels name since then. */
static int64_t open_service(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, int64_t now_ms)
{
	rlk_child_search *search = &topology->searches[slot->server];
	bool fresh = way->to == 0 && slot->at.family != 0; /* what became of a connection to there before says nothing */
	const rlk_channel *channel = &topology->channels[rlk_child_topology_number(topology, slot, way)];
	/* The slot may not have said where: then a seed, a sentinel, stands in for nothing. */
	bool lost =
		way->to <= RLK_AREA_SERVERS_MAX || (!fresh && rlk_channel_is_closed(channel) && channel->closed_at_ms > 0);
	bool found = search->found.family != 0;
	int64_t next_ms;

	if (!lost)
		return open_link(topology, way->to - 1, now_ms);
	if (!found || search->found_at_ms < channel->closed_at_ms || way->finding == search->findings) {
		want(topology, slot->server, found && channel->backoff_ms > 0, now_ms);
		return RLK_NEVER;
	}
	way->to = 1 + channel_to(topology, slot->server, &search->found, rlk_str_from_cstr(search->found_name));
	next_ms = open_link(topology, way->to - 1, now_ms);
	if (next_ms == RLK_NEVER)
		way->finding = search->findings;
	return next_ms;
}

/* Where the slot is, as far as is known; else any other node will tell, those of the configuration first. Those that are
 * known are counted in *servers. */
static uint32_t choose_node(rlk_child_topology *topology, const rlk_slot *slot, uint32_t present, int64_t now_ms,
	unsigned *servers)
{
	const rlk_area_server *server = server_of(topology, slot);
	rlk_choice choice = { false, 0 };
	uint32_t best = present;

	*servers = 0;
	rlk_choice_takes(&choice, avoided_until(&topology->channels[present]), now_ms);
	for (uint32_t i = 0; i < server->seed_count + topology->found_count; i++) {
		bool seed = i < server->seed_count;
		uint32_t other = seed ? server->seeds[i] : RLK_AREA_SERVERS_MAX + i - server->seed_count;

		if (!seed && topology->found[i - server->seed_count].of != slot->server)
			continue;
		++*servers;
		if (rlk_choice_takes(&choice, avoided_until(&topology->channels[other]), now_ms))
			best = other;
	}
	return best;
}

static int64_t open_cluster(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, int64_t now_ms)
{
	uint32_t number = rlk_child_topology_number(topology, slot, way);
	bool avoided = now_ms < avoided_until(&topology->channels[number]);
	unsigned servers;

	if (!avoided && !rlk_channel_is_closed(&topology->channels[number]))
		return RLK_NEVER;
	/* Nobody else may be asked this: the owner of the slot is asked again. */
	if (avoided && way->once != 0) {
		way->once = 0;
		return now_ms;
	}
	number = choose_node(topology, slot, number, now_ms, &servers);
	if (way->once == 0)
		way->to = number + 1;
	return open_within(topology, number, rlk_topology_share_ms(server_of(topology, slot)->connect_timeout_ms, servers),
		now_ms);
}

int64_t rlk_child_topology_open(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, int64_t now_ms)
{
	switch (server_of(topology, slot)->kind) {
		case RLK_TOPOLOGY_SENTINEL:
			return open_service(topology, slot, way, now_ms);
		case RLK_TOPOLOGY_CLUSTER:
			return open_cluster(topology, slot, way, now_ms);
		case RLK_TOPOLOGY_SINGLE:
			break;
	}
	return open_link(topology, slot->server, now_ms);
}

bool rlk_child_topology_ready(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, const rlk_op *op)
{
	rlk_channel *channel = &topology->channels[rlk_child_topology_number(topology, slot, way)];
	const rlk_str asking = RLK_STR("ASKING");
	const rlk_request request = { NULL, NULL, &asking, 0, 1, false };
	rlk_op first = *op;

	if (server_of(topology, slot)->kind == RLK_TOPOLOGY_SENTINEL && way->to <= RLK_AREA_SERVERS_MAX)
		return false; /* that is a sentinel */
	if (way->once == 0)
		return true;
	first.kind = RLK_OP_ASKING;
	if (!rlk_channel_queue(channel, &first, &request))
		return false;
	way->once = 0;
	return true;
}

/* A server as it was named to us. false: it is a name that the parent has to resolve first. */
static bool find_address(rlk_child_topology *topology, uint32_t number, rlk_str host, uint16_t port,
	rlk_address *address)
{
	rlk_area_server *server = &topology->area->servers[number];
	uint32_t state = atomic_load(&server->name_state);

	if (rlk_address_parse(host, port, address))
		return true;
	if (state == RLK_NAME_ASKED || host.len == 0 || host.len >= sizeof(server->host))
		return false;
	if (state == RLK_NAME_ANSWERED && server->port == port && rlk_str_equal(rlk_str_from_cstr(server->host), host)) {
		*address = server->answer;
		atomic_store(&server->name_state, RLK_NAME_NONE);
		return address->family != 0;
	}
	memcpy(server->host, host.data, host.len);
	server->host[host.len] = '\0';
	server->port = port;
	atomic_store(&server->name_state, RLK_NAME_ASKED);
	return false;
}

/* Whom MOVED or ASK names. false: the parent has to be asked first. */
static bool find_target(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, const rlk_redirection *to,
	uint32_t *number)
{
	rlk_str host = to->host;
	rlk_address address;

	if (host.len == 0) {
		const rlk_channel *here = &topology->channels[rlk_child_topology_number(topology, slot, way)];

		address = rlk_address_from_list(&here->addresses, here->conn.address);
		address.port = to->port;
		host = rlk_str_from_cstr(here->server->tls_name);
	} else if (!find_address(topology, slot->server, host, to->port, &address)) {
		return false;
	}
	*number = channel_to(topology, slot->server, &address, host);
	return true;
}

rlk_redirect rlk_child_topology_redirect(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way,
	const rlk_reply *reply, int64_t now_ms, int64_t *again_at_ms)
{
	rlk_redirection to = rlk_redirection_read(server_of(topology, slot)->kind, reply);
	bool leads = to.kind == RLK_REDIRECT_MOVED || to.kind == RLK_REDIRECT_ASK;
	uint32_t number = 0;

	if (leads && !find_target(topology, slot, way, &to, &number))
		to.kind = RLK_REDIRECT_NONE;
	if (to.kind == RLK_REDIRECT_NONE) {
		way->redirections = 0;
		return to.kind;
	}
	if (to.kind == RLK_REDIRECT_ASK)
		way->once = number + 1;
	else if (leads)
		way->to = number + 1;
	else if (to.kind == RLK_REDIRECT_ANOTHER)
		topology->channels[rlk_child_topology_number(topology, slot, way)].avoided_until_ms =
			now_ms + RLK_CLUSTER_AVOIDED_MS;
	*again_at_ms = now_ms + rlk_redirection_pause_ms(&to, way->redirections++);
	return to.kind;
}

/* One sentinel at a time. Returns when to look again. */
static int64_t search_on(rlk_child_topology *topology, uint32_t number, int64_t now_ms)
{
	rlk_child_search *search = &topology->searches[number];
	const rlk_area_server *server = &topology->area->servers[number];
	rlk_search *turns = &search->turns;
	rlk_op op = { .slot = number, .kind = RLK_OP_LOCATE, .sent_at_ms = now_ms };
	rlk_str argv[RLK_SEARCH_ARGC];
	const rlk_request request = { NULL, NULL, argv, 0, RLK_SEARCH_ARGC, false };

	rlk_search_argv(server->service, argv);
	for (;;) {
		unsigned turn = turns->turn;
		bool asks = rlk_search_next(turns, now_ms) == RLK_SEARCH_ASK;
		rlk_channel *channel = &topology->channels[server->seeds[turns->turn]];

		search->asked = search->asked && asks && turn == turns->turn;
		if (!asks || search->asked)
			return turns->next_at_ms;
		open_within(topology, server->seeds[turns->turn], turns->next_at_ms - now_ms, now_ms);
		if (rlk_channel_is_closed(channel)) {
			rlk_search_pass(turns, now_ms);
			continue;
		}
		op.epoch = turns->turn;
		search->asked = rlk_channel_is_ready(channel) && rlk_channel_queue(channel, &op, &request);
		/* One that connects may need its next address tried before. */
		return rlk_channel_is_ready(channel) ?
			turns->next_at_ms :
			rlk_clock_earlier(turns->next_at_ms, rlk_conn_advance_at(&channel->conn));
	}
}

int64_t rlk_child_topology_search(rlk_child_topology *topology, int64_t now_ms)
{
	uint32_t servers = atomic_load(&topology->area->servers_used);
	int64_t next_ms = RLK_NEVER;

	for (uint32_t i = 0; i < servers; i++) {
		if (topology->searches[i].wanted)
			next_ms = rlk_clock_earlier(next_ms, search_on(topology, i, now_ms));
	}
	return next_ms;
}

void rlk_child_topology_located(rlk_child_topology *topology, const rlk_op *op, const rlk_reply *reply, int64_t now_ms)
{
	rlk_child_search *search = &topology->searches[op->slot];
	rlk_address address;
	uint16_t port;
	rlk_str host;

	if (!search->wanted)
		return;
	if (reply != NULL && rlk_search_read(reply, &host, &port) == RLK_SENTINEL_NAMES &&
		find_address(topology, op->slot, host, port, &address)) {
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
