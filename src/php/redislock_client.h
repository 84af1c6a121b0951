/*
 * redislock_client: what an object knows of its server or servers: the options, the connection or the quorum.
 *
 * One client serves all names of an object. malloc throughout: after a fatal "out of memory" it is what the shutdown
 * works with.
 */
#ifndef REDISLOCK_CLIENT_H
#define REDISLOCK_CLIENT_H

#include "php/redislock_module.h"

#include "config/rlk_config.h"
#include "lock/rlk_lock.h"
#include "redis/rlk_topology.h"
#include "renew/rlk_renewal.h"

struct redislock_client {
	uint32_t refcount;
	rlk_config config;
	rlk_topology *topology; /* where the server is, if that has to be found out; or NULL */
	rlk_topology_user topology_user;
	rlk_conn conn;      /* to config.server, or by the topology: see redislock_client_servers(); unused with a quorum */
	rlk_quorum *quorum; /* the quorum, config.listed.servers; NULL: there is one server */
	rlk_servers servers;
	rlk_renewal_server *known_servers; /* the server or servers, as the renewal child knows them */
	redislock_client *next, *previous; /* in RLG(clients) */
	rlk_buf cache_key;                 /* see redislock_cache.h; holds what secrets the arguments held */
};

/* Takes over *config. NULL: memory is out (exception thrown), *config is destroyed. */
redislock_client *redislock_client_new(rlk_config *config);
void redislock_client_release(redislock_client *client);

/* In and out of RLG(clients). */
void redislock_client_list(redislock_client *client);
void redislock_client_unlist(redislock_client *client);

/* Gives the connection back to the pool, or closes it. */
void redislock_client_disconnect(redislock_client *client);

/* Frees what is disconnected and in no list. */
void redislock_client_destroy(redislock_client *client);

/* Where this lock lives. The connection serves all names of an object, so ask anew before each operation. */
static inline const rlk_servers *redislock_client_servers(redislock_client *client, const rlk_lock *lock)
{
	if (client->conn.topology != NULL)
		rlk_topology_set_key(&client->conn, rlk_buf_str(&lock->key));
	return &client->servers;
}

/* Do both mean the same server, or the same servers? */
bool redislock_client_is_same(const redislock_client *a, const redislock_client *b);

/* From here on no request takes longer than this. */
void redislock_client_hurry(redislock_client *client, int64_t left_ms);

#endif
