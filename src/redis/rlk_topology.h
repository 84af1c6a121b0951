/*
 * rlk_topology: which server has this key now, with Sentinel or in a Cluster.
 *
 * With Sentinel it is the master of a service, whose address the sentinels know. In a Cluster it is the node that has
 * the hash slot of the key; any other node names that node (MOVED). A topology chooses the server of a connection, and
 * changes nothing else of it. It remembers what it learned, and outlives objects and requests. One list of topologies
 * per thread.
 */
#ifndef RLK_TOPOLOGY_H
#define RLK_TOPOLOGY_H

#include "net/rlk_conn.h"
#include "redis/rlk_topology_rules.h"

/* Number of topologies without users that are kept for the next request; beyond that the oldest is freed. */
#define RLK_TOPOLOGIES_MAX 8

typedef struct {
	rlk_topology *first; /* the one used last */
} rlk_topologies;

/* With more than FEW nodes, unused ones are forgotten. With MAX of them, a number that no Cluster has, nodes with hash
 * slots are forgotten, too: redirections name them again. */
#define RLK_TOPOLOGY_NODES_FEW 32
#define RLK_TOPOLOGY_NODES_MAX 1024

/* Keeps the server of a connection alive. Belongs to the owner of the connection. */
typedef struct rlk_topology_user {
	struct rlk_topology_user *next;
	const rlk_conn *conn;
} rlk_topology_user;

/* A server that a sentinel or a node has named. It exists at least as long as a connection of a user points to it. */
typedef struct rlk_topology_node {
	struct rlk_topology_node *next;
	rlk_server server;
	int64_t failed_at_ms; /* when the node last failed; 0: it did not */
	bool configured;      /* a seed of a Cluster: never forgotten */
	bool needed;          /* used by forget_nodes() only */
} rlk_topology_node;

struct rlk_topology {
	rlk_topology *next;
	rlk_topology_user *users;
	rlk_topology_kind kind;
	rlk_buf identity; /* the whole configuration, as bytes to compare; has passwords */
	rlk_server like;  /* the options of every server except sentinels */
	rlk_server *seeds;
	size_t seed_count;
	char *service;
	rlk_topology_node *nodes; /* in the order in which we learned of them */
	unsigned node_count;
	unsigned turn;             /* Sentinel: number of the sentinel that the next search asks first */
	rlk_topology_node *master; /* Sentinel: the last one known; NULL: the sentinels must be asked */
	rlk_topology_node **owner; /* Cluster: for each slot, NULL: not known */
};

/* Returns the topology for this configuration, which lasts until the next call, or as long as it has users. `seeds`:
 * the sentinels, or the first nodes of the Cluster; `like`: all options of a server except its address. NULL: memory is
 * out. */
rlk_topology *rlk_topology_get(rlk_topologies *topologies, rlk_topology_kind kind, const rlk_server *like,
	const rlk_server *const *seeds, size_t seed_count, const char *service);
void rlk_topologies_clear(rlk_topologies *topologies);

/* Makes this closed connection a user of the topology, which chooses its server from now on. */
void rlk_topology_attach(rlk_topology *topology, rlk_conn *conn, rlk_topology_user *user);

/* The same for a connection that gets a server of the topology by itself. With a NULL topology nothing happens. */
void rlk_topology_add_user(rlk_topology *topology, const rlk_conn *conn, rlk_topology_user *user);
void rlk_topology_remove_user(rlk_topology *topology, const rlk_topology_user *user);

/* Sets the key of the next operations: switches to its server, after the replies from the other server that listeners
 * wait for. Without a topology nothing happens, here and in all functions below. */
void rlk_topology_set_key(rlk_conn *conn, rlk_str key, rlk_deadline deadline);

/* Switches the connection to another server. An open connection is kept for later if possible. */
void rlk_topology_switch_to(rlk_conn *conn, const rlk_server *server, rlk_deadline deadline);

/* Does this error name another server, or ask to try again a moment later? Then the connection is switched there, the
 * reply is gone, and the request may be repeated, which fails in a forked copy; otherwise nothing has changed.
 * `redirections` counts from 0. Ends by the deadline. An ASK counts for RLK_TOPOLOGY_ASK_MS from the request on, longer
 * than any answer in time takes. */
#define RLK_TOPOLOGY_ASK_MS 1000
bool rlk_topology_follow(rlk_conn *conn, const rlk_reply *reply, int redirections, rlk_deadline deadline);

/* --- for rlk_exchange.c and rlk_topology_open.c only ------------------------------------------------- */

/* Finds the server, and opens the connection: rlk_topology_open.c. */
bool rlk_topology_open(rlk_conn *conn, rlk_deadline deadline, rlk_error *err);

/* Is conn->server the one to connect to, as far as is known? */
bool rlk_topology_is_known(const rlk_conn *conn);

/* After a request to another node (ASK): switches back to the owner of the hash slot. */
void rlk_topology_switch_back(rlk_conn *conn, rlk_deadline deadline);

/* Returns the node at this address, a new one if necessary. A TCP address gets TLS if the topology has it. NULL: memory
 * is out. May forget nodes that nothing uses. */
rlk_topology_node *rlk_topology_node_at(rlk_topology *topology, rlk_transport transport, rlk_str host, uint16_t port);

/* The node of the connection's server; NULL: none. */
rlk_topology_node *rlk_topology_node_of(const rlk_topology *topology, const rlk_conn *conn);

/* In a Cluster: the owner of the hash slot, or the best node to ask for it. */
rlk_topology_node *rlk_topology_choose(rlk_topology *topology, int hash_slot, int64_t now_ms);

#endif
