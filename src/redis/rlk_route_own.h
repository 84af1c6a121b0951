/*
 * rlk_route_own: the inside of a route, for rlk_route.c, rlk_sentinel.c and rlk_cluster.c.
 */
#ifndef RLK_ROUTE_OWN_H
#define RLK_ROUTE_OWN_H

#include "redis/rlk_route.h"

/* A server that was named to us. It stays at least as long as connections of the route's users point to its endpoint. */
typedef struct rlk_route_node {
	struct rlk_route_node *next;
	rlk_endpoint endpoint;
	int64_t failed_at_ms; /* 0: it did not */
	bool configured;      /* a guide of a Cluster: it stays */
	bool needed;          /* of forget_nodes() */
} rlk_route_node;

struct rlk_route {
	rlk_route *next;
	rlk_route_user *users;
	rlk_route_kind kind;
	rlk_buf identity;     /* all of the configuration, as bytes to compare; holds passwords */
	rlk_endpoint like;    /* of every server but the sentinels */
	rlk_endpoint *guides; /* sentinels: the one that answered last first */
	size_t guide_count;
	char *service;
	int limit_ms;          /* see rlk_route_hurry() */
	rlk_route_node *nodes; /* in the order in which we learned of them */
	unsigned node_count;
	rlk_route_node *master; /* Sentinel: the last one known; NULL: ask */
	rlk_route_node **owner; /* Cluster: for each slot, NULL: not known */
};

/* The node at this address, a new one if need be; with TLS where the route has it, TCP or not. NULL: memory is out. The
 * call may forget others that are no longer needed. */
rlk_route_node *rlk_route_node_at(rlk_route *route, rlk_transport transport, rlk_str host, uint16_t port);

/* The time for connecting, finding out where included. */
int rlk_route_connect_ms(const rlk_route *route);

/* The node that a connection is turned to; NULL: to none. */
rlk_route_node *rlk_route_node_of(const rlk_route *route, const rlk_conn *conn);

bool rlk_sentinel_open(rlk_route *route, rlk_conn *conn, rlk_error *err);
bool rlk_sentinel_follow(rlk_route *route, rlk_conn *conn, const rlk_reply *reply);

bool rlk_cluster_open(rlk_route *route, rlk_conn *conn, rlk_error *err);
bool rlk_cluster_follow(rlk_route *route, rlk_conn *conn, const rlk_reply *reply);
void rlk_cluster_aim(rlk_route *route, rlk_conn *conn);

#endif
