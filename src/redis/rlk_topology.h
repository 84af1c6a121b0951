/*
 * rlk_topology: which server serves this key now, where that is for others to say.
 *
 * With Sentinel, it is the master of a service: sentinels know its address. In
 * a Redis Cluster it is the node that has the slot of the key: any node knows,
 * and says so in place of an answer (MOVED). A connection with a topology has its
 * server chosen here; all else about it stays as it is.
 *
 * What was learned lives in the topology, which outlives objects and requests, so
 * that a kept connection needs no asking. One list of topologies per thread.
 */
#ifndef RLK_TOPOLOGY_H
#define RLK_TOPOLOGY_H

#include "net/rlk_conn.h"
#include "redis/rlk_topology_rules.h"

/* Topologies nobody uses are kept, in case the next request needs them; beyond this the oldest goes. */
#define RLK_TOPOLOGIES_MAX 8

typedef struct {
	rlk_topology *first; /* used last first */
} rlk_topologies;

/* A server that others named is forgotten when it is no longer needed and there are more than a few of them. Even those of
 * a Cluster that have slots are, beyond a number that no Cluster has: they are then named again. */
#define RLK_TOPOLOGY_NODES_FEW 32
#define RLK_TOPOLOGY_NODES_MAX 1024

/* Keeps the server of a connection alive. It belongs to whoever has the connection. */
typedef struct rlk_topology_user {
	struct rlk_topology_user *next;
	const rlk_conn *conn;
} rlk_topology_user;

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
	int limit_ms;             /* see rlk_topology_limit_time() */
	rlk_topology_node *nodes; /* in the order in which we learned of them */
	unsigned node_count;
	rlk_search search;         /* Sentinel */
	rlk_topology_node *master; /* Sentinel: the last one known; NULL: ask */
	rlk_topology_node **owner; /* Cluster: for each slot, NULL: not known */
};

/* The topology for this configuration, which lasts until the next call, or as long as it has users. `seeds` are the
 * sentinels, or nodes of the Cluster, to begin with; `like` says all of a server but its address. NULL: memory is out. */
rlk_topology *rlk_topology_get(rlk_topologies *topologies, rlk_topology_kind kind, const rlk_server *like,
	const rlk_server *const *seeds, size_t seed_count, const char *service);
void rlk_topologies_clear(rlk_topologies *topologies);

/* Makes the connection, which is closed, one of this topology. */
void rlk_topology_attach(rlk_topology *topology, rlk_conn *conn, rlk_topology_user *user);

/* The same for one that only has a server of the topology, or is to get one. Without a topology, neither does anything. */
void rlk_topology_add_user(rlk_topology *topology, const rlk_conn *conn, rlk_topology_user *user);
void rlk_topology_remove_user(rlk_topology *topology, const rlk_topology_user *user);

/* For the operations that follow, which are about this key. Without a topology it does nothing, as all below. */
void rlk_topology_set_key(rlk_conn *conn, rlk_str key);

/* Turns the connection to another server. What is open is kept for later where it can be. */
void rlk_topology_switch_to(rlk_conn *conn, const rlk_server *server);

/* Has every server of the topology answer within this time at most, or, with 0, within the configured one again. */
void rlk_topology_limit_time(rlk_topology *topology, int limit_ms);

/* A server said no: is that for another one to answer, or for the same a moment later? Then the connection is turned
 * there, the reply is gone, and the same request may be repeated. `redirections` counts from 0; nothing goes on beyond
 * until_ms. */
bool rlk_topology_follow(rlk_conn *conn, const rlk_reply *reply, int redirections, int64_t until_ms);

/* --- for rlk_call.c and rlk_topology_open.c only ------------------------------------------------- */

/* Opens the connection, having found out where to: rlk_topology_open.c. */
bool rlk_topology_open(rlk_conn *conn, rlk_error *err);

/* Is the server the one to talk to, as far as anybody knows? */
bool rlk_topology_is_known(const rlk_conn *conn);

/* After a request that had to be asked for elsewhere: back to the owner of the slot. */
void rlk_topology_switch_back(rlk_conn *conn);

static inline void rlk_topology_return(rlk_conn *conn)
{
	if (conn->send_asking)
		rlk_topology_switch_back(conn);
}

/* The node at this address, a new one if need be; with TLS where the topology has it, TCP or not. NULL: memory is out. The
 * call may forget others that are no longer needed. */
rlk_topology_node *rlk_topology_node_at(rlk_topology *topology, rlk_transport transport, rlk_str host, uint16_t port);

/* The time for connecting, finding out where included. */
int rlk_topology_connect_ms(const rlk_topology *topology);

/* The node that a connection is turned to; NULL: to none. */
rlk_topology_node *rlk_topology_node_of(const rlk_topology *topology, const rlk_conn *conn);

/* In a Cluster: the owner of the slot, or who may tell. */
rlk_topology_node *rlk_topology_choose(rlk_topology *topology, int hash_slot, int64_t now_ms);

#endif
