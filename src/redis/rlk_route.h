/*
 * rlk_route: which server serves this key now, where that is for others to say.
 *
 * With Sentinel, it is the master of a service: sentinels know its address. In
 * a Redis Cluster it is the node that has the slot of the key: any node knows,
 * and says so in place of an answer (MOVED). A connection with a route has its
 * endpoint chosen here; all else about it stays as it is.
 *
 * What was learned lives in the route, which outlives objects and requests, so
 * that a kept connection needs no asking. One list of routes per thread.
 */
#ifndef RLK_ROUTE_H
#define RLK_ROUTE_H

#include "net/rlk_conn.h"

typedef enum { RLK_ROUTE_SENTINEL, RLK_ROUTE_CLUSTER } rlk_route_kind;

/* Routes nobody uses are kept, in case the next request needs them; beyond this the oldest goes. */
#define RLK_ROUTES_MAX 8

typedef struct {
	rlk_route *first; /* used last first */
} rlk_routes;

/* A server that others named is forgotten when it is no longer needed and there are more than a few of them. Even those of
 * a Cluster that have slots are, beyond a number that no Cluster has: they are then named again. */
#define RLK_ROUTE_NODES_FEW 32
#define RLK_ROUTE_NODES_MAX 1024

/* Keeps the endpoint of a connection alive. It belongs to whoever has the connection. */
typedef struct rlk_route_user {
	struct rlk_route_user *next;
	const rlk_conn *conn;
} rlk_route_user;

/* The route for this configuration, which lasts until the next call, or as long as it has users. `guides` are the sentinels, or nodes of the Cluster, to begin
 * with; `like` says all of a server but its address. NULL: memory is out. */
rlk_route *rlk_route_get(rlk_routes *routes, rlk_route_kind kind, const rlk_endpoint *like,
	const rlk_endpoint *const *guides, size_t guide_count, const char *service);
void rlk_routes_clear(rlk_routes *routes);

rlk_route_kind rlk_route_kind_of(const rlk_route *route);
const char *rlk_route_service(const rlk_route *route);
size_t rlk_route_guides(const rlk_route *route);
const rlk_endpoint *rlk_route_guide(const rlk_route *route, size_t i);

/* Makes the connection, which is closed, one of this route. */
void rlk_route_attach(rlk_route *route, rlk_conn *conn, rlk_route_user *user);

/* The same for one that only has an endpoint of the route, or is to get one. Without a route, neither does anything. */
void rlk_route_keep(rlk_route *route, const rlk_conn *conn, rlk_route_user *user);
void rlk_route_let_go(rlk_route *route, const rlk_route_user *user);

/* For the operations that follow, which are about this key. Without a route it does nothing, as all below. */
void rlk_route_aim(rlk_conn *conn, rlk_str key);

/* Turns the connection to another server. What is open is kept for later where it can be. */
void rlk_route_turn_to(rlk_conn *conn, const rlk_endpoint *endpoint);

/* Has every server of the route answer within this time at most, or, with 0, within the configured one again. */
void rlk_route_hurry(rlk_route *route, int limit_ms);

/* A server said no: is that for another one to answer, or for the same a moment later? Then the connection is turned
 * there, the reply is gone, and the same request may be repeated. `redirections` counts from 0; nothing goes on beyond
 * until_ms. */
bool rlk_route_follow(rlk_conn *conn, const rlk_reply *reply, int redirections, int64_t until_ms);

/* The rest is for rlk_conn alone. Opens the connection, having found out where to. */
bool rlk_route_open(rlk_conn *conn, rlk_error *err);

/* Is the endpoint the one to talk to, as far as anybody knows? */
bool rlk_route_is_known(const rlk_conn *conn);

/* After a request that had to be asked for elsewhere: back to the owner of the slot. */
void rlk_route_return(rlk_conn *conn);

#endif
