/*
 * rlk_route: see the header. Here is what both kinds share.
 */
#include "redis/rlk_route_own.h"

#include "base/rlk_clock.h"
#include "net/rlk_intro.h"
#include "net/rlk_pool.h"
#include "redis/rlk_slot.h"
#include "net/rlk_socket.h"

#include <stdlib.h>

/* Between two tries when the servers do not agree yet, or are not ready. */
#define PAUSE_MS 50

static bool identify_endpoint(const rlk_endpoint *endpoint, rlk_buf *identity)
{
	const char *address = rlk_endpoint_address(endpoint);
	int numbers[] = { (int)endpoint->transport, endpoint->port, endpoint->connect_timeout_ms, endpoint->io_timeout_ms,
		endpoint->retries, endpoint->retry_delay_ms };
	unsigned replies;

	return rlk_buf_append(identity, (const char *)numbers, sizeof(numbers)) &&
		rlk_buf_append(identity, address, strlen(address) + 1) && rlk_intro_append(endpoint, identity, &replies) &&
		rlk_buf_append(identity, "", 1) &&
		(endpoint->transport != RLK_TRANSPORT_TLS || rlk_tls_options_append(&endpoint->tls, identity));
}

static bool identify(rlk_buf *identity, rlk_route_kind kind, const rlk_endpoint *like,
	const rlk_endpoint *const *guides, size_t guide_count, const char *service)
{
	char kind_byte = (char)kind;
	bool ok = rlk_buf_append(identity, &kind_byte, 1) && identify_endpoint(like, identity) &&
		rlk_buf_append(identity, service != NULL ? service : "", service != NULL ? strlen(service) + 1 : 1);

	for (size_t i = 0; ok && i < guide_count; i++)
		ok = identify_endpoint(guides[i], identity);
	return ok;
}

static void forget_node(rlk_route *route, rlk_route_node **link)
{
	rlk_route_node *node = *link;

	*link = node->next;
	route->node_count--;
	rlk_endpoint_destroy(&node->endpoint);
	free(node);
}

/* One that failed needs no slots: whoever has them by now is named by any other. */
static void note_owners(rlk_route *route, bool keep)
{
	for (int i = 0; route->owner != NULL && i < RLK_CLUSTER_SLOTS; i++) {
		if (route->owner[i] == NULL)
			continue;
		if (keep && route->owner[i]->failed_at_ms == 0)
			route->owner[i]->needed = true;
		else
			route->owner[i] = NULL;
	}
}

/* Forgets the servers that nothing points to: addresses change for as long as a process lives. */
static void forget_nodes(rlk_route *route, bool keep_owners)
{
	for (rlk_route_node *node = route->nodes; node != NULL; node = node->next)
		node->needed = node->configured || node == route->master;
	for (const rlk_route_user *user = route->users; user != NULL; user = user->next) {
		rlk_route_node *node = rlk_route_node_of(route, user->conn);

		if (node != NULL)
			node->needed = true;
	}
	note_owners(route, keep_owners);
	for (rlk_route_node **link = &route->nodes; *link != NULL;) {
		if ((*link)->needed)
			link = &(*link)->next;
		else
			forget_node(route, link);
	}
}

static void route_free(rlk_route *route)
{
	while (route->nodes != NULL)
		forget_node(route, &route->nodes);
	for (size_t i = 0; i < route->guide_count; i++)
		rlk_endpoint_destroy(&route->guides[i]);
	free(route->guides);
	free(route->owner);
	rlk_str_store(&route->service, rlk_str_make(NULL, 0));
	rlk_endpoint_destroy(&route->like);
	rlk_buf_wipe(&route->identity);
	free(route);
}

static bool fill(rlk_route *route, const rlk_endpoint *like, const rlk_endpoint *const *guides, size_t guide_count,
	const char *service)
{
	if (!rlk_endpoint_copy(&route->like, like) || !rlk_str_store(&route->service, rlk_str_from_cstr(service)))
		return false;
	route->guides = calloc(guide_count, sizeof(*route->guides));
	if (route->guides == NULL)
		return false;
	for (; route->guide_count < guide_count; route->guide_count++) {
		const rlk_endpoint *guide = guides[route->guide_count];
		bool ok = rlk_endpoint_copy(&route->guides[route->guide_count], guide);

		if (ok && route->kind == RLK_ROUTE_CLUSTER) {
			rlk_str address = rlk_str_from_cstr(guide->transport == RLK_TRANSPORT_UNIX ? guide->path : guide->host);
			rlk_route_node *node = rlk_route_node_at(route, guide->transport, address, guide->port);

			ok = node != NULL;
			if (ok)
				node->configured = true;
		}
		if (!ok) {
			route->guide_count++;
			return false;
		}
	}
	if (route->kind == RLK_ROUTE_SENTINEL)
		return true;
	route->owner = calloc(RLK_CLUSTER_SLOTS, sizeof(*route->owner));
	return route->owner != NULL;
}

static rlk_route *find(rlk_routes *routes, const rlk_buf *identity)
{
	for (rlk_route **link = &routes->first; *link != NULL; link = &(*link)->next) {
		rlk_route *route = *link;

		if (!rlk_str_equal(rlk_buf_str(&route->identity), rlk_buf_str(identity)))
			continue;
		*link = route->next;
		route->next = routes->first;
		routes->first = route;
		return route;
	}
	return NULL;
}

static void drop_idle(rlk_routes *routes)
{
	int idle = 0;

	for (rlk_route **link = &routes->first; *link != NULL;) {
		rlk_route *other = *link;

		if (other->users == NULL && ++idle > RLK_ROUTES_MAX) {
			*link = other->next;
			route_free(other);
		} else {
			link = &other->next;
		}
	}
}

rlk_route *rlk_route_get(rlk_routes *routes, rlk_route_kind kind, const rlk_endpoint *like,
	const rlk_endpoint *const *guides, size_t guide_count, const char *service)
{
	rlk_buf identity = RLK_BUF_INIT;
	rlk_route *route = NULL;

	if (identify(&identity, kind, like, guides, guide_count, service))
		route = find(routes, &identity);
	else
		goto out;
	if (route == NULL) {
		drop_idle(routes);
		route = calloc(1, sizeof(*route));
		if (route == NULL)
			goto out;
		route->kind = kind;
		if (!fill(route, like, guides, guide_count, service)) {
			route_free(route);
			route = NULL;
			goto out;
		}
		route->identity = identity;
		identity = (rlk_buf)RLK_BUF_INIT;
		route->next = routes->first;
		routes->first = route;
	}
out:
	rlk_buf_wipe(&identity);
	return route;
}

void rlk_routes_clear(rlk_routes *routes)
{
	while (routes->first != NULL) {
		rlk_route *route = routes->first;

		routes->first = route->next;
		route_free(route);
	}
}

rlk_route_kind rlk_route_kind_of(const rlk_route *route)
{
	return route->kind;
}

const char *rlk_route_service(const rlk_route *route)
{
	return route->service;
}

size_t rlk_route_guides(const rlk_route *route)
{
	return route->guide_count;
}

const rlk_endpoint *rlk_route_guide(const rlk_route *route, size_t i)
{
	return &route->guides[i];
}

static int limited(const rlk_route *route, int ms)
{
	return route->limit_ms > 0 && route->limit_ms < ms ? route->limit_ms : ms;
}

static void limit(const rlk_route *route, rlk_endpoint *endpoint)
{
	endpoint->connect_timeout_ms = limited(route, route->like.connect_timeout_ms);
	endpoint->io_timeout_ms = limited(route, route->like.io_timeout_ms);
}

int rlk_route_connect_ms(const rlk_route *route)
{
	return limited(route, route->like.connect_timeout_ms);
}

static rlk_route_node *new_node(rlk_route *route, rlk_transport transport, rlk_str host, uint16_t port)
{
	rlk_route_node *node = calloc(1, sizeof(*node)), **last = &route->nodes;
	bool ok;

	if (node == NULL)
		return NULL;
	ok = rlk_endpoint_copy(&node->endpoint, &route->like);
	node->endpoint.transport = transport;
	node->endpoint.port = port;
	ok = ok && rlk_str_store(&node->endpoint.host, transport != RLK_TRANSPORT_UNIX ? host : rlk_str_make(NULL, 0)) &&
		rlk_str_store(&node->endpoint.path, transport == RLK_TRANSPORT_UNIX ? host : rlk_str_make(NULL, 0));
	if (!ok) {
		rlk_endpoint_destroy(&node->endpoint);
		free(node);
		return NULL;
	}
	limit(route, &node->endpoint);
	rlk_endpoint_relabel(&node->endpoint);
	if (route->node_count >= RLK_ROUTE_NODES_FEW)
		forget_nodes(route, true);
	if (route->node_count >= RLK_ROUTE_NODES_MAX)
		forget_nodes(route, false);
	while (*last != NULL)
		last = &(*last)->next;
	*last = node;
	route->node_count++;
	return node;
}

rlk_route_node *rlk_route_node_at(rlk_route *route, rlk_transport transport, rlk_str host, uint16_t port)
{
	/* Nobody's word leads from TLS to clear text. */
	if (transport == RLK_TRANSPORT_TCP && route->like.transport == RLK_TRANSPORT_TLS)
		transport = RLK_TRANSPORT_TLS;
	for (rlk_route_node *node = route->nodes; node != NULL; node = node->next) {
		const char *known = transport == RLK_TRANSPORT_UNIX ? node->endpoint.path : node->endpoint.host;

		if (node->endpoint.transport == transport && (transport == RLK_TRANSPORT_UNIX || node->endpoint.port == port) &&
			rlk_str_equal(rlk_str_from_cstr(known), host))
			return node;
	}
	return new_node(route, transport, host, port);
}

rlk_route_node *rlk_route_node_of(const rlk_route *route, const rlk_conn *conn)
{
	for (rlk_route_node *node = route->nodes; node != NULL; node = node->next) {
		if (conn->endpoint == &node->endpoint)
			return node;
	}
	return NULL;
}

void rlk_route_keep(rlk_route *route, const rlk_conn *conn, rlk_route_user *user)
{
	if (route == NULL)
		return;
	*user = (rlk_route_user){ route->users, conn };
	route->users = user;
}

void rlk_route_let_go(rlk_route *route, const rlk_route_user *user)
{
	for (rlk_route_user **link = route != NULL ? &route->users : NULL; link != NULL; link = &(*link)->next) {
		if (*link == user) {
			*link = user->next;
			return;
		}
	}
}

void rlk_route_attach(rlk_route *route, rlk_conn *conn, rlk_route_user *user)
{
	rlk_route_keep(route, conn, user);
	conn->route = route;
	conn->endpoint = route->master != NULL ? &route->master->endpoint :
		route->nodes != NULL               ? &route->nodes->endpoint :
											 &route->like;
}

void rlk_route_aim(rlk_conn *conn, rlk_str key)
{
	if (conn->route == NULL)
		return;
	conn->asking = false;
	if (conn->route->kind == RLK_ROUTE_CLUSTER) {
		conn->slot = rlk_slot_of(key);
		rlk_cluster_aim(conn->route, conn);
	} else if (conn->fd == RLK_SOCKET_NONE && conn->route->master != NULL) {
		conn->endpoint = &conn->route->master->endpoint;
	}
}

void rlk_route_hurry(rlk_route *route, int limit_ms)
{
	route->limit_ms = limit_ms;
	for (rlk_route_node *node = route->nodes; node != NULL; node = node->next)
		limit(route, &node->endpoint);
}

void rlk_route_turn_to(rlk_conn *conn, const rlk_endpoint *endpoint)
{
	int64_t now_ms;

	if (conn->endpoint == endpoint)
		return;
	if (conn->fd != RLK_SOCKET_NONE) {
		now_ms = rlk_clock_now_ms();
		rlk_conn_collect(conn);
		if (conn->draining)
			rlk_conn_abandon(conn, rlk_clock_add(now_ms, RLK_CONN_DRAINED_WITHIN_MS));
		/* Somebody listens for these, and they are on their way. */
		rlk_conn_drain(conn, now_ms + conn->endpoint->io_timeout_ms);
		if (conn->pool != NULL)
			rlk_pool_put(conn->pool, conn);
		else
			rlk_conn_close(conn);
	}
	conn->endpoint = endpoint;
}

bool rlk_route_follow(rlk_conn *conn, const rlk_reply *reply, int redirections, int64_t until_ms)
{
	bool again, leads_on;

	if (conn->route == NULL || reply->type != RLK_REPLY_ERROR || rlk_clock_now_ms() >= until_ms)
		return false;
	/* Read before the connection may be closed, and the reply with it. */
	leads_on = rlk_reply_is_error(reply, "MOVED") || rlk_reply_is_error(reply, "ASK");
	if (conn->route->kind == RLK_ROUTE_SENTINEL)
		again = rlk_sentinel_follow(conn->route, conn, reply);
	else
		again = rlk_cluster_follow(conn->route, conn, reply);
	/* MOVED and ASK lead on at once. What still leads in circles then needs time. */
	if (again && (redirections >= 2 || !leads_on))
		rlk_socket_pause(rlk_clock_earlier(rlk_clock_now_ms() + PAUSE_MS, until_ms));
	return again;
}

bool rlk_route_open(rlk_conn *conn, rlk_error *err)
{
	if (conn->route->kind == RLK_ROUTE_SENTINEL)
		return rlk_sentinel_open(conn->route, conn, err);
	return rlk_cluster_open(conn->route, conn, err);
}

bool rlk_route_is_known(const rlk_conn *conn)
{
	const rlk_route *route = conn->route;

	return route == NULL || route->kind == RLK_ROUTE_CLUSTER ||
		(route->master != NULL && conn->endpoint == &route->master->endpoint);
}

void rlk_route_return(rlk_conn *conn)
{
	if (!conn->asking)
		return;
	conn->asking = false;
	rlk_cluster_aim(conn->route, conn);
}
