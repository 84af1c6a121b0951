/*
 * rlk_cluster: the node of a Redis Cluster that has a slot.
 *
 * No map is asked for: a node that has not got a slot says who has, and one
 * redirection per slot and topology is all that costs. Nodes that do not answer
 * are passed over, since any other one knows who has taken their slots.
 */
#include "redis/rlk_topology_own.h"

#include "base/rlk_clock.h"
#include "net/rlk_place.h"
#include "redis/rlk_slot.h"

/* A node that failed is not the first choice for this long. */
#define AVOIDED_MS 1000

static bool is_avoided(const rlk_topology_node *node, int64_t now_ms)
{
	return node->failed_at_ms > 0 && now_ms < node->failed_at_ms + AVOIDED_MS;
}

/* The owner of the slot; else any node, that it may tell. The one whose failure is longest ago when all have failed. */
static rlk_topology_node *choose(rlk_topology *topology, int slot, int64_t now_ms)
{
	rlk_topology_node *owner = topology->owner[slot], *best = topology->nodes;

	if (owner != NULL && !is_avoided(owner, now_ms))
		return owner;
	for (rlk_topology_node *node = topology->nodes; node != NULL; node = node->next) {
		if (!is_avoided(node, now_ms))
			return node;
		if (node->failed_at_ms < best->failed_at_ms)
			best = node;
	}
	return best;
}

void rlk_cluster_aim(rlk_topology *topology, rlk_conn *conn)
{
	const rlk_topology_node *owner = topology->owner[conn->slot];

	/* Without an owner the connection at hand is as good as any. */
	if (owner != NULL)
		rlk_topology_turn_to(conn, &owner->server);
}

bool rlk_cluster_open(rlk_topology *topology, rlk_conn *conn, rlk_error *err)
{
	int64_t now_ms = rlk_clock_now_ms();
	int64_t deadline_at_ms = rlk_conn_until(conn, now_ms + rlk_topology_connect_ms(topology));
	int left = 0;

	/* Nobody else may be asked this. Should it fail, the next request begins with the owner again. */
	if (conn->asking)
		return rlk_conn_open(conn, RLK_CONN_WHEN_ANSWERED, deadline_at_ms, err);
	for (const rlk_topology_node *node = topology->nodes; node != NULL; node = node->next)
		left++;
	for (; left > 0 && now_ms < deadline_at_ms; left--, now_ms = rlk_clock_now_ms()) {
		rlk_topology_node *node = rlk_topology_node_of(topology, conn);
		rlk_error local;

		if (node == NULL || is_avoided(node, now_ms) || topology->owner[conn->slot] != node)
			node = choose(topology, conn->slot, now_ms);
		conn->server = &node->server;
		rlk_error_clear(&local);
		/* Each gets its share of the time. */
		if (rlk_conn_open(conn, RLK_CONN_WHEN_ANSWERED, now_ms + (deadline_at_ms - now_ms + left - 1) / left, &local)) {
			node->failed_at_ms = 0;
			return true;
		}
		node->failed_at_ms = rlk_clock_now_ms();
		rlk_error_set_node(&local, node->server.label);
		rlk_error_adopt(err, &local);
		if (!local.retryable)
			return false;
	}
	rlk_error_set(err, RLK_ERR_CONNECT, 0, "no time is left to connect");
	return false;
}

/* The node that a reply names; NULL: it names none. An empty host is the one of the server that says so. */
static rlk_topology_node *named(rlk_topology *topology, const rlk_conn *conn, const rlk_reply *reply, int *slot)
{
	rlk_str host;
	uint16_t port;

	if (!rlk_place_redirection(reply->text, &host, &port, slot) || *slot >= RLK_CLUSTER_SLOTS)
		return NULL;
	if (host.len == 0)
		host = rlk_str_from_cstr(conn->server->host);
	return host.len > 0 ? rlk_topology_node_at(topology, RLK_TRANSPORT_TCP, host, port) : NULL;
}

/* This node cannot say, or not now: another one may. */
static void turn_to_another(rlk_topology *topology, rlk_conn *conn)
{
	rlk_topology_node *node = rlk_topology_node_of(topology, conn);
	int64_t now_ms = rlk_clock_now_ms();

	if (node != NULL)
		node->failed_at_ms = now_ms;
	rlk_topology_turn_to(conn, &choose(topology, conn->slot, now_ms)->server);
}

bool rlk_cluster_follow(rlk_topology *topology, rlk_conn *conn, const rlk_reply *reply)
{
	int slot;
	rlk_topology_node *node = named(topology, conn, reply, &slot);

	if (node != NULL && rlk_reply_is_error(reply, "ASK")) {
		rlk_topology_turn_to(conn, &node->server);
		conn->asking = true;
		return true;
	}
	conn->asking = false;
	if (node != NULL) {
		topology->owner[slot] = node;
		rlk_topology_turn_to(conn, &node->server);
		return true;
	}
	if (rlk_reply_is_error(reply, "CLUSTERDOWN") || rlk_reply_is_error(reply, "LOADING") ||
		rlk_reply_is_error(reply, "MASTERDOWN")) {
		turn_to_another(topology, conn);
		return true;
	}
	return false;
}
