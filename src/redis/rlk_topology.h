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

/* The topology for this configuration, which lasts until the next call, or as long as it has users. `seeds` are the
 * sentinels, or nodes of the Cluster, to begin with; `like` says all of a server but its address. NULL: memory is out. */
rlk_topology *rlk_topology_get(rlk_topologies *topologies, rlk_topology_kind kind, const rlk_server *like,
	const rlk_server *const *seeds, size_t seed_count, const char *service);
void rlk_topologies_clear(rlk_topologies *topologies);

rlk_topology_kind rlk_topology_kind_of(const rlk_topology *topology);
const char *rlk_topology_service(const rlk_topology *topology);
size_t rlk_topology_seeds(const rlk_topology *topology);
const rlk_server *rlk_topology_seed(const rlk_topology *topology, size_t i);

/* Makes the connection, which is closed, one of this topology. */
void rlk_topology_attach(rlk_topology *topology, rlk_conn *conn, rlk_topology_user *user);

/* The same for one that only has a server of the topology, or is to get one. Without a topology, neither does anything. */
void rlk_topology_keep(rlk_topology *topology, const rlk_conn *conn, rlk_topology_user *user);
void rlk_topology_let_go(rlk_topology *topology, const rlk_topology_user *user);

/* For the operations that follow, which are about this key. Without a topology it does nothing, as all below. */
void rlk_topology_aim(rlk_conn *conn, rlk_str key);

/* Turns the connection to another server. What is open is kept for later where it can be. */
void rlk_topology_turn_to(rlk_conn *conn, const rlk_server *server);

/* Has every server of the topology answer within this time at most, or, with 0, within the configured one again. */
void rlk_topology_hurry(rlk_topology *topology, int limit_ms);

/* A server said no: is that for another one to answer, or for the same a moment later? Then the connection is turned
 * there, the reply is gone, and the same request may be repeated. `redirections` counts from 0; nothing goes on beyond
 * until_ms. */
bool rlk_topology_follow(rlk_conn *conn, const rlk_reply *reply, int redirections, int64_t until_ms);

/* The rest is for rlk_conn alone. Opens the connection, having found out where to: rlk_topology_open.c. */
bool rlk_topology_open(rlk_conn *conn, rlk_error *err);

/* Is the server the one to talk to, as far as anybody knows? */
bool rlk_topology_is_known(const rlk_conn *conn);

/* After a request that had to be asked for elsewhere: back to the owner of the slot. */
void rlk_topology_turn_back(rlk_conn *conn);

static inline void rlk_topology_return(rlk_conn *conn)
{
	if (conn->asking)
		rlk_topology_turn_back(conn);
}

#endif
