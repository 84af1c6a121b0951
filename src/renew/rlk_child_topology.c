/*
 * rlk_child_topology: see the header. Allocation-free throughout.
 *
 * Nothing here is final: whatever a sentinel or a node says is tried, and when
 * it leads nowhere the next one is asked, with pauses, for as long as the lock
 * is valid.
 */
#include "renew/rlk_child_topology.h"

#include "base/rlk_clock.h"
#include "net/rlk_socket.h"

void rlk_child_topology_init(rlk_child_topology *topology, rlk_area *area, rlk_link *links)
{
	topology->area = area;
	topology->links = links;
}

uint32_t rlk_child_topology_links(const rlk_child_topology *topology)
{
	return topology->servers_used > 0 ? RLK_PEERS_MAX + topology->servers_used :
										atomic_load(&topology->area->peers_used);
}

static const rlk_peer *peer_of(const rlk_child_topology *topology, const rlk_slot *slot)
{
	return &topology->area->peers[slot->peer];
}

static bool in_backoff(const rlk_link *link, int64_t now_ms)
{
	return rlk_link_is_closed(link) && link->closed_at_ms > 0 && now_ms < link->retry_at_ms;
}

/* The name that the certificate of a server has to have which was found by this one. "": it speaks no TLS. */
static rlk_str name_for(const rlk_peer *peer, rlk_str found_by)
{
	if (atomic_load(&peer->tls) == NULL)
		return RLK_STR("");
	return peer->tls_name[0] != '\0' ? rlk_str_from_cstr(peer->tls_name) : found_by;
}

static void settle(rlk_child_topology *topology, uint32_t index, uint32_t peer, const rlk_place *place, rlk_str name)
{
	rlk_child_server *server = &topology->servers[index];
	rlk_link *link = &topology->links[RLK_PEERS_MAX + index];

	memcpy(&server->peer, &topology->area->peers[peer], sizeof(server->peer));
	rlk_place_to(place, &server->peer.addresses[0]);
	atomic_store(&server->peer.current, 0);
	server->peer.has_name = false;
	server->peer.tls_of = &topology->area->peers[peer];
	memcpy(server->peer.tls_name, name.data, name.len);
	server->peer.tls_name[name.len] = '\0';
	server->of = peer;
	server->place = *place;
	link->peer = NULL; /* as if it had never been used */
	link->retry_at_ms = link->closed_at_ms = 0;
	link->backoff_ms = 0;
}

/* The link to this server: the one that is there, a new one, or that of another server that we are not connected to. */
static uint32_t link_to(rlk_child_topology *topology, uint32_t peer, const rlk_place *place, rlk_str found_by)
{
	rlk_str name = name_for(&topology->area->peers[peer], found_by);
	uint32_t free_one = RLK_CHILD_SERVERS_MAX;

	for (uint32_t i = 0; i < topology->servers_used; i++) {
		if (topology->servers[i].of == peer && rlk_place_equal(&topology->servers[i].place, place) &&
			rlk_str_equal(rlk_str_from_cstr(topology->servers[i].peer.tls_name), name))
			return RLK_PEERS_MAX + i;
		if (rlk_link_is_closed(&topology->links[RLK_PEERS_MAX + i]))
			free_one = i;
	}
	if (topology->servers_used < RLK_CHILD_SERVERS_MAX)
		free_one = topology->servers_used++;
	if (free_one == RLK_CHILD_SERVERS_MAX)
		return topology->area->peers[peer].seeds[0];
	settle(topology, free_one, peer, place, name);
	return RLK_PEERS_MAX + free_one;
}

/* To where the slot says. */
static uint32_t link_at(rlk_child_topology *topology, const rlk_slot *slot)
{
	return link_to(topology, slot->peer, &slot->at,
		rlk_str_from_cstr(topology->area->at_names[slot - topology->area->slots]));
}

uint32_t rlk_child_topology_number(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way)
{
	const rlk_peer *peer = peer_of(topology, slot);

	if (peer->kind == RLK_PEER_SERVER)
		return slot->peer;
	if (way->once != 0)
		return way->once - 1;
	/* Its place may have become another peer's while nothing was open to it. */
	if (way->to > RLK_PEERS_MAX && topology->servers[way->to - 1 - RLK_PEERS_MAX].of != slot->peer)
		way->to = 0;
	if (way->to == 0)
		way->to = 1 + (slot->at.family != 0 ? link_at(topology, slot) : peer->seeds[0]);
	return way->to - 1;
}

static rlk_peer *peer_behind(rlk_child_topology *topology, uint32_t number)
{
	return number < RLK_PEERS_MAX ? &topology->area->peers[number] : &topology->servers[number - RLK_PEERS_MAX].peer;
}

static int64_t open_link(rlk_child_topology *topology, uint32_t number, int64_t now_ms)
{
	rlk_link *link = &topology->links[number];

	rlk_link_open(link, peer_behind(topology, number), now_ms);
	return rlk_link_is_closed(link) ? link->retry_at_ms : RLK_NEVER;
}

/* The connection to the master is gone: it goes on with whom the sentinels name since then. */
static int64_t open_service(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, int64_t now_ms)
{
	rlk_search *search = &topology->searches[slot->peer];
	const rlk_link *link = &topology->links[rlk_child_topology_number(topology, slot, way)];

	/* The slot may not have said where: then a seed, a sentinel, stands in for nothing. */
	bool lost = way->to <= RLK_PEERS_MAX || (rlk_link_is_closed(link) && link->closed_at_ms > 0);

	if (!lost)
		return open_link(topology, way->to - 1, now_ms);
	if (search->found.family == 0 || search->found_at_ms < link->closed_at_ms) {
		search->wanted = true;
		return RLK_NEVER;
	}
	way->to = 1 + link_to(topology, slot->peer, &search->found, rlk_str_from_cstr(search->found_name));
	return open_link(topology, way->to - 1, now_ms);
}

/* A node does not answer: any other one will tell who has its slots now. */
static int64_t open_cluster(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, int64_t now_ms)
{
	const rlk_peer *peer = peer_of(topology, slot);
	uint32_t number = rlk_child_topology_number(topology, slot, way);
	int64_t next_ms = topology->links[number].retry_at_ms;

	if (!in_backoff(&topology->links[number], now_ms))
		return open_link(topology, number, now_ms);
	if (way->once != 0) {
		way->once = 0;
		return now_ms;
	}
	for (uint32_t i = 0; i < peer->seed_count + topology->servers_used; i++) {
		bool seed = i < peer->seed_count;
		uint32_t other = seed ? peer->seeds[i] : RLK_PEERS_MAX + i - peer->seed_count;

		if (!seed && topology->servers[i - peer->seed_count].of != slot->peer)
			continue;
		if (!in_backoff(&topology->links[other], now_ms)) {
			way->to = other + 1;
			return open_link(topology, other, now_ms);
		}
		if (topology->links[other].retry_at_ms < next_ms)
			next_ms = topology->links[other].retry_at_ms;
	}
	return next_ms;
}

int64_t rlk_child_topology_open(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, int64_t now_ms)
{
	switch (peer_of(topology, slot)->kind) {
		case RLK_PEER_SERVICE:
			return open_service(topology, slot, way, now_ms);
		case RLK_PEER_CLUSTER:
			return open_cluster(topology, slot, way, now_ms);
		case RLK_PEER_SERVER:
			break;
	}
	return open_link(topology, slot->peer, now_ms);
}

bool rlk_child_topology_ready(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, const rlk_op *op)
{
	rlk_link *link = &topology->links[rlk_child_topology_number(topology, slot, way)];
	const rlk_str asking = RLK_STR("ASKING");
	rlk_op first = *op;

	if (peer_of(topology, slot)->kind == RLK_PEER_SERVICE && way->to <= RLK_PEERS_MAX)
		return false; /* that is a sentinel */
	if (way->once == 0)
		return true;
	first.kind = RLK_OP_ASKING;
	if (!rlk_link_queue_command(link, &first, &asking, 1))
		return false;
	way->once = 0;
	return true;
}

/* A server as it was named to us. false: it is a name that the parent has to resolve first. */
static bool find_place(rlk_child_topology *topology, uint32_t number, rlk_str host, uint16_t port, rlk_place *place)
{
	rlk_peer *peer = &topology->area->peers[number];
	uint32_t state = atomic_load(&peer->name_state);

	if (rlk_place_parse(host, port, place))
		return true;
	if (state == RLK_NAME_ASKED || host.len == 0 || host.len >= sizeof(peer->host))
		return false;
	if (state == RLK_NAME_ANSWERED && peer->port == port && rlk_str_equal(rlk_str_from_cstr(peer->host), host)) {
		*place = peer->answer;
		atomic_store(&peer->name_state, RLK_NAME_NONE);
		return place->family != 0;
	}
	memcpy(peer->host, host.data, host.len);
	peer->host[host.len] = '\0';
	peer->port = port;
	atomic_store(&peer->name_state, RLK_NAME_ASKED);
	return false;
}

rlk_way_turn rlk_child_topology_redirect(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way,
	const rlk_reply *reply, int64_t now_ms)
{
	rlk_place place;
	uint32_t number;
	uint16_t port;
	rlk_str host;
	int of_slot;

	if (reply->type != RLK_REPLY_ERROR || peer_of(topology, slot)->kind != RLK_PEER_CLUSTER)
		return RLK_WAY_STAYS;
	if (rlk_str_starts_with(reply->text, RLK_STR("TRYAGAIN")))
		return RLK_WAY_SPLIT;
	if (!rlk_place_redirection(reply->text, &host, &port, &of_slot))
		return RLK_WAY_STAYS;
	if (host.len == 0) {
		const rlk_link *link = &topology->links[rlk_child_topology_number(topology, slot, way)];

		place = rlk_place_from(&link->addresses, link->conn.address);
		place.port = port;
		host = rlk_str_from_cstr(link->peer->tls_name);
	} else if (!find_place(topology, slot->peer, host, port, &place)) {
		return RLK_WAY_STAYS;
	}
	number = link_to(topology, slot->peer, &place, host);
	/* Named, but dead: whoever named it will name another one before long. */
	if (in_backoff(&topology->links[number], now_ms))
		return RLK_WAY_STAYS;
	if (rlk_str_starts_with(reply->text, RLK_STR("ASK ")))
		way->once = number + 1;
	else
		way->to = number + 1;
	return RLK_WAY_CHANGED;
}

static void ask_next(rlk_search *search, uint32_t seed_count, int64_t now_ms)
{
	search->asked = false;
	search->turn++;
	search->next_at_ms = now_ms;
	if (search->turn % seed_count != 0)
		return;
	/* All have been asked. */
	search->backoff_ms = search->backoff_ms == 0 ? RLK_LINK_BACKOFF_FIRST_MS : search->backoff_ms * 2;
	if (search->backoff_ms > RLK_LINK_BACKOFF_LAST_MS)
		search->backoff_ms = RLK_LINK_BACKOFF_LAST_MS;
	search->next_at_ms = now_ms + search->backoff_ms;
}

/* One seed at a time. Connecting and its answer together have the time of connecting. */
static int64_t search_on(rlk_child_topology *topology, uint32_t number, int64_t now_ms)
{
	rlk_search *search = &topology->searches[number];
	rlk_peer *peer = &topology->area->peers[number];
	const rlk_str argv[] = { RLK_STR("SENTINEL"), RLK_STR("get-master-addr-by-name"),
		rlk_str_from_cstr(peer->service) };
	const rlk_op op = { .slot = number, .kind = RLK_OP_LOCATE, .sent_at_ms = now_ms };
	uint32_t seed = peer->seeds[search->turn % peer->seed_count];
	rlk_link *link = &topology->links[seed];

	if (now_ms < search->next_at_ms)
		return search->next_at_ms;
	if (search->asked || in_backoff(link, now_ms)) {
		ask_next(search, peer->seed_count, now_ms);
		return search->next_at_ms;
	}
	open_link(topology, seed, now_ms);
	if (rlk_link_is_closed(link)) {
		ask_next(search, peer->seed_count, now_ms);
	} else if (rlk_link_is_ready(link)) {
		search->asked = rlk_link_queue_command(link, &op, argv, 3);
		search->next_at_ms = now_ms + topology->area->peers[seed].io_timeout_ms;
	} else {
		return rlk_conn_turn_until(&link->conn);
	}
	return search->next_at_ms;
}

int64_t rlk_child_topology_search(rlk_child_topology *topology, int64_t now_ms)
{
	uint32_t peers = atomic_load(&topology->area->peers_used);
	int64_t next_ms = RLK_NEVER;

	for (uint32_t i = 0; i < peers; i++) {
		int64_t at_ms = topology->searches[i].wanted ? search_on(topology, i, now_ms) : RLK_NEVER;

		if (at_ms < next_ms)
			next_ms = at_ms;
	}
	return next_ms;
}

void rlk_child_topology_located(rlk_child_topology *topology, uint32_t peer, const rlk_reply *reply, int64_t now_ms)
{
	rlk_search *search = &topology->searches[peer];
	rlk_place place;
	uint16_t port;

	if (!search->wanted)
		return;
	if (reply == NULL || reply->type != RLK_REPLY_ARRAY || reply->count != 2 ||
		(port = rlk_place_port(reply->items[1].text)) == 0 ||
		!find_place(topology, peer, reply->items[0].text, port, &place)) {
		ask_next(search, topology->area->peers[peer].seed_count, now_ms);
		return;
	}
	search->found = place;
	memcpy(search->found_name, reply->items[0].text.data, reply->items[0].text.len);
	search->found_name[reply->items[0].text.len] = '\0';
	search->found_at_ms = now_ms;
	search->wanted = search->asked = false;
	search->backoff_ms = 0;
}
