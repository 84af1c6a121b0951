/*
 * rlk_topology_own: the inside of a topology, for rlk_topology.c and rlk_topology_open.c.
 */
#ifndef RLK_TOPOLOGY_OWN_H
#define RLK_TOPOLOGY_OWN_H

#include "redis/rlk_topology.h"

/* A server that was named to us. It stays at least as long as connections of the topology's users point to its server. */
typedef struct rlk_topology_node {
	struct rlk_topology_node *next;
	rlk_server server;
	int64_t failed_at_ms; /* 0: it did not */
	bool configured;      /* a seed of a Cluster: it stays */
	bool needed;          /* of forget_nodes() */
} rlk_topology_node;

struct rlk_topology {
	rlk_topology *next;
	rlk_topology_user *users;
	rlk_topology_kind kind;
	rlk_buf identity; /* all of the configuration, as bytes to compare; holds passwords */
	rlk_server like;  /* of every server but the sentinels */
	rlk_server *seeds;
	size_t seed_count;
	char *service;
	int limit_ms;             /* see rlk_topology_hurry() */
	rlk_topology_node *nodes; /* in the order in which we learned of them */
	unsigned node_count;
	rlk_search search;         /* Sentinel */
	rlk_topology_node *master; /* Sentinel: the last one known; NULL: ask */
	rlk_topology_node **owner; /* Cluster: for each slot, NULL: not known */
};

/* The node at this address, a new one if need be; with TLS where the topology has it, TCP or not. NULL: memory is out. The
 * call may forget others that are no longer needed. */
rlk_topology_node *rlk_topology_node_at(rlk_topology *topology, rlk_transport transport, rlk_str host, uint16_t port);

/* The time for connecting, finding out where included. */
int rlk_topology_connect_ms(const rlk_topology *topology);

/* The node that a connection is turned to; NULL: to none. */
rlk_topology_node *rlk_topology_node_of(const rlk_topology *topology, const rlk_conn *conn);

/* In a Cluster: the owner of the slot, or who may tell. */
rlk_topology_node *rlk_topology_choose(rlk_topology *topology, int slot, int64_t now_ms);

#endif
