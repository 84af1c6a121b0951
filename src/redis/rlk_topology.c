/*
 * rlk_topology: see the header. This file has the known servers, and switches connections between them.
 */
#include "redis/rlk_topology.h"

#include "net/rlk_pool.h"

#include <stdlib.h>

static bool identify_server(const rlk_server *server, rlk_buf *identity)
{
	int numbers[] = { server->connect_timeout_ms, server->io_timeout_ms, server->retries, server->retry_delay_ms };

	return rlk_buf_append(identity, (const char *)numbers, sizeof(numbers)) &&
		rlk_conn_append_identity(server, identity) && rlk_buf_append(identity, "", 1);
}

static bool identify(rlk_buf *identity, rlk_topology_kind kind, const rlk_server *like, const rlk_server *const *seeds,
	size_t seed_count, const char *service)
{
	char kind_byte = (char)kind;
	bool ok = rlk_buf_append(identity, &kind_byte, 1) && identify_server(like, identity) &&
		rlk_buf_append(identity, service != NULL ? service : "", service != NULL ? strlen(service) + 1 : 1);

	for (size_t i = 0; ok && i < seed_count; i++)
		ok = identify_server(seeds[i], identity);
	return ok;
}

static void forget_node(rlk_topology *topology, rlk_topology_node **link)
{
	rlk_topology_node *node = *link;

	*link = node->next;
	topology->node_count--;
	rlk_server_destroy(&node->server);
	free(node);
}

/* A node that failed keeps no hash slots: any other node names their owners. */
static void mark_owners(rlk_topology *topology, bool keep)
{
	for (int i = 0; topology->owner != NULL && i < RLK_CLUSTER_SLOTS; i++) {
		if (topology->owner[i] == NULL)
			continue;
		if (keep && topology->owner[i]->failed_at_ms == 0)
			topology->owner[i]->needed = true;
		else
			topology->owner[i] = NULL;
	}
}

/* Forgets unused nodes: in a long process addresses change again and again. */
static void forget_nodes(rlk_topology *topology, bool keep_owners)
{
	for (rlk_topology_node *node = topology->nodes; node != NULL; node = node->next)
		node->needed = node->configured || node == topology->master;
	for (const rlk_topology_user *user = topology->users; user != NULL; user = user->next) {
		rlk_topology_node *node = rlk_topology_node_of(topology, user->conn);

		if (node != NULL)
			node->needed = true;
	}
	mark_owners(topology, keep_owners);
	for (rlk_topology_node **link = &topology->nodes; *link != NULL;) {
		if ((*link)->needed)
			link = &(*link)->next;
		else
			forget_node(topology, link);
	}
}

static void topology_free(rlk_topology *topology)
{
	while (topology->nodes != NULL)
		forget_node(topology, &topology->nodes);
	for (size_t i = 0; i < topology->seed_count; i++)
		rlk_server_destroy(&topology->seeds[i]);
	free(topology->seeds);
	free(topology->owner);
	rlk_str_store(&topology->service, rlk_str_make(NULL, 0));
	rlk_server_destroy(&topology->like);
	rlk_buf_wipe(&topology->identity);
	free(topology);
}

static bool fill_topology(rlk_topology *topology, const rlk_server *like, const rlk_server *const *seeds,
	size_t seed_count, const char *service)
{
	if (!rlk_server_copy(&topology->like, like) || !rlk_str_store(&topology->service, rlk_str_from_cstr(service)))
		return false;
	topology->seeds = calloc(seed_count, sizeof(*topology->seeds));
	if (topology->seeds == NULL)
		return false;
	topology->seed_count = seed_count;
	for (size_t i = 0; i < seed_count; i++) {
		const rlk_server *seed = seeds[i];
		rlk_str address = rlk_str_from_cstr(seed->transport == RLK_TRANSPORT_UNIX ? seed->path : seed->host);
		rlk_topology_node *node;

		if (!rlk_server_copy(&topology->seeds[i], seed))
			return false;
		if (topology->kind == RLK_TOPOLOGY_SENTINEL)
			continue;
		node = rlk_topology_node_at(topology, seed->transport, address, seed->port);
		if (node == NULL)
			return false;
		node->configured = true;
	}
	if (topology->kind == RLK_TOPOLOGY_SENTINEL)
		return true;
	topology->owner = calloc(RLK_CLUSTER_SLOTS, sizeof(*topology->owner));
	return topology->owner != NULL;
}

static rlk_topology *find_identity(rlk_topologies *topologies, const rlk_buf *identity)
{
	for (rlk_topology **link = &topologies->first; *link != NULL; link = &(*link)->next) {
		rlk_topology *topology = *link;

		if (!rlk_str_equal(rlk_buf_str(&topology->identity), rlk_buf_str(identity)))
			continue;
		*link = topology->next;
		topology->next = topologies->first;
		topologies->first = topology;
		return topology;
	}
	return NULL;
}

static void drop_idle(rlk_topologies *topologies)
{
	int idle = 0;

	for (rlk_topology **link = &topologies->first; *link != NULL;) {
		rlk_topology *other = *link;

		if (other->users == NULL && ++idle > RLK_TOPOLOGIES_MAX) {
			*link = other->next;
			topology_free(other);
		} else {
			link = &other->next;
		}
	}
}

rlk_topology *rlk_topology_get(rlk_topologies *topologies, rlk_topology_kind kind, const rlk_server *like,
	const rlk_server *const *seeds, size_t seed_count, const char *service)
{
	rlk_buf identity = RLK_BUF_INIT;
	rlk_topology *topology = NULL;

	if (!identify(&identity, kind, like, seeds, seed_count, service))
		goto out;
	topology = find_identity(topologies, &identity);
	if (topology != NULL)
		goto out;
	drop_idle(topologies);
	topology = calloc(1, sizeof(*topology));
	if (topology == NULL)
		goto out;
	topology->kind = kind;
	topology->identity = identity;
	if (!fill_topology(topology, like, seeds, seed_count, service)) {
		topology_free(topology);
		return NULL;
	}
	topology->next = topologies->first;
	topologies->first = topology;
	return topology;
out:
	rlk_buf_wipe(&identity);
	return topology;
}

void rlk_topologies_clear(rlk_topologies *topologies)
{
	while (topologies->first != NULL) {
		rlk_topology *topology = topologies->first;

		topologies->first = topology->next;
		topology_free(topology);
	}
}

static rlk_topology_node *new_node(rlk_topology *topology, rlk_transport transport, rlk_str host, uint16_t port)
{
	rlk_topology_node *node = calloc(1, sizeof(*node)), **last = &topology->nodes;
	bool ok;

	if (node == NULL)
		return NULL;
	ok = rlk_server_copy(&node->server, &topology->like);
	node->server.transport = transport;
	node->server.port = port;
	ok = ok && rlk_str_store(&node->server.host, transport != RLK_TRANSPORT_UNIX ? host : rlk_str_make(NULL, 0)) &&
		rlk_str_store(&node->server.path, transport == RLK_TRANSPORT_UNIX ? host : rlk_str_make(NULL, 0));
	if (!ok) {
		rlk_server_destroy(&node->server);
		free(node);
		return NULL;
	}
	rlk_server_write_uri(&node->server);
	if (topology->node_count >= RLK_TOPOLOGY_NODES_FEW)
		forget_nodes(topology, true);
	if (topology->node_count >= RLK_TOPOLOGY_NODES_MAX)
		forget_nodes(topology, false);
	while (*last != NULL)
		last = &(*last)->next;
	*last = node;
	topology->node_count++;
	return node;
}

rlk_topology_node *rlk_topology_node_at(rlk_topology *topology, rlk_transport transport, rlk_str host, uint16_t port)
{
	/* A node's answer never leads from TLS to clear text. */
	if (transport == RLK_TRANSPORT_TCP && topology->like.transport == RLK_TRANSPORT_TLS)
		transport = RLK_TRANSPORT_TLS;
	for (rlk_topology_node *node = topology->nodes; node != NULL; node = node->next) {
		const char *known = transport == RLK_TRANSPORT_UNIX ? node->server.path : node->server.host;

		if (node->server.transport == transport && (transport == RLK_TRANSPORT_UNIX || node->server.port == port) &&
			rlk_str_equal(rlk_str_from_cstr(known), host))
			return node;
	}
	return new_node(topology, transport, host, port);
}

rlk_topology_node *rlk_topology_node_of(const rlk_topology *topology, const rlk_conn *conn)
{
	for (rlk_topology_node *node = topology->nodes; node != NULL; node = node->next) {
		if (conn->server == &node->server)
			return node;
	}
	return NULL;
}

void rlk_topology_add_user(rlk_topology *topology, const rlk_conn *conn, rlk_topology_user *user)
{
	if (topology == NULL)
		return;
	*user = (rlk_topology_user){ topology->users, conn };
	topology->users = user;
}

void rlk_topology_remove_user(rlk_topology *topology, const rlk_topology_user *user)
{
	for (rlk_topology_user **link = topology != NULL ? &topology->users : NULL; link != NULL; link = &(*link)->next) {
		if (*link == user) {
			*link = user->next;
			return;
		}
	}
}

void rlk_topology_attach(rlk_topology *topology, rlk_conn *conn, rlk_topology_user *user)
{
	rlk_topology_add_user(topology, conn, user);
	conn->topology = topology;
	conn->server = topology->master != NULL ? &topology->master->server :
		topology->nodes != NULL             ? &topology->nodes->server :
											  &topology->like;
}

static void switch_to_owner(rlk_conn *conn, rlk_deadline deadline)
{
	const rlk_topology_node *owner = conn->topology->owner[conn->hash_slot];

	/* Without a known owner the present connection is as good as any. */
	if (owner != NULL)
		rlk_topology_switch_to(conn, &owner->server, deadline);
}

void rlk_topology_set_key(rlk_conn *conn, rlk_str key, rlk_deadline deadline)
{
	if (conn->topology == NULL)
		return;
	conn->send_asking = false;
	if (conn->topology->kind == RLK_TOPOLOGY_CLUSTER) {
		conn->hash_slot = rlk_hash_slot(key);
		switch_to_owner(conn, deadline);
	} else if (conn->fd == RLK_SOCKET_NONE && conn->topology->master != NULL) {
		conn->server = &conn->topology->master->server;
	}
}

void rlk_topology_switch_to(rlk_conn *conn, const rlk_server *server, rlk_deadline deadline)
{
	int64_t now_ms;

	if (conn->server == server)
		return;
	if (conn->fd != RLK_SOCKET_NONE) {
		now_ms = rlk_clock_now_ms();
		rlk_conn_collect(conn);
		if (rlk_conn_is_blocked(conn))
			rlk_conn_abandon(conn, rlk_clock_add(now_ms, RLK_CONN_DRAINED_WITHIN_MS));
		/* Listeners wait for these replies. */
		rlk_conn_read_unread(conn, rlk_deadline_within(deadline, now_ms + conn->server->io_timeout_ms));
		rlk_pool_put(conn);
	}
	conn->server = server;
}

/* The node named by a redirection. An empty host: that of the server that answered. NULL: memory is out. */
static rlk_topology_node *named(rlk_topology *topology, const rlk_conn *conn, const rlk_redirection *to)
{
	rlk_str host = to->host.len > 0 ? to->host : rlk_str_from_cstr(conn->server->host);

	return host.len > 0 ? rlk_topology_node_at(topology, RLK_TRANSPORT_TCP, host, to->port) : NULL;
}

static bool redirect(rlk_topology *topology, rlk_conn *conn, const rlk_redirection *to, rlk_deadline deadline)
{
	bool leads = to->kind == RLK_REDIRECT_MOVED || to->kind == RLK_REDIRECT_ASK;
	rlk_topology_node *node = leads ? named(topology, conn, to) : NULL;
	int64_t now_ms;

	switch (to->kind) {
		case RLK_REDIRECT_WAIT:
			return true;
		case RLK_REDIRECT_DEMOTED:
			topology->master = NULL;
			rlk_conn_close(conn);
			return true;
		case RLK_REDIRECT_ANOTHER:
			node = rlk_topology_node_of(topology, conn);
			now_ms = rlk_clock_now_ms();
			if (node != NULL)
				node->failed_at_ms = now_ms;
			rlk_topology_switch_to(conn, &rlk_topology_choose(topology, conn->hash_slot, now_ms)->server, deadline);
			return true;
		default:
			break;
	}
	if (node == NULL)
		return false;
	if (to->kind == RLK_REDIRECT_MOVED) {
		topology->owner[to->hash_slot] = node;
		node->failed_at_ms = 0; /* it may have had too little time; another node relies on it */
	}
	rlk_topology_switch_to(conn, &node->server, deadline);
	conn->send_asking = to->kind == RLK_REDIRECT_ASK;
	return true;
}

bool rlk_topology_follow(rlk_conn *conn, const rlk_reply *reply, int redirections, rlk_deadline deadline)
{
	rlk_redirection to;
	int pause_ms;

	if (conn->topology == NULL || reply->type != RLK_REPLY_ERROR || rlk_deadline_is_over(deadline))
		return false;
	to = rlk_redirection_read(conn->topology->kind, reply);
	conn->send_asking = false;
	if (to.kind == RLK_REDIRECT_NONE || to.kind == RLK_REDIRECT_SPLIT)
		return false;
	/* An ASK that old is not followed: the slot may have been moved, moved back, and be on its way once more. */
	if (to.kind == RLK_REDIRECT_ASK && rlk_clock_now_ms() - conn->sent_at_ms > RLK_TOPOLOGY_ASK_MS)
		return true;
	/* Pauses before the reply goes with its connection: after an interruption the caller still has the reply. In a forked copy
	 * it is gone, and the next request fails. */
	pause_ms = rlk_redirection_pause_ms(&to, redirections);
	if (pause_ms > 0 && !rlk_conn_pause(conn, pause_ms, deadline, NULL))
		return conn->fd == RLK_SOCKET_NONE;
	return redirect(conn->topology, conn, &to, deadline);
}

bool rlk_topology_is_known(const rlk_conn *conn)
{
	const rlk_topology *topology = conn->topology;

	return topology == NULL || topology->kind == RLK_TOPOLOGY_CLUSTER ||
		(topology->master != NULL && conn->server == &topology->master->server);
}

void rlk_topology_switch_back(rlk_conn *conn, rlk_deadline deadline)
{
	conn->send_asking = false;
	switch_to_owner(conn, deadline);
}
