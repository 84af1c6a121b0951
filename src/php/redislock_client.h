/*
 * redislock_client: an object's server or servers: the options, the connection or the quorum.
 *
 * One client serves all names of an object. malloc throughout: the end of the
 * request needs it after a fatal "out of memory", too.
 */
#ifndef REDISLOCK_CLIENT_H
#define REDISLOCK_CLIENT_H

#include "php/redislock_module.h"

#include "config/rlk_config.h"
#include "hold/rlk_hold.h"

struct redislock_client {
	uint32_t refcount;
	rlk_config config;
	rlk_whereabouts at;
	rlk_topology_user topology_user;
	rlk_conn conn;                /* to config.server, or by the topology: see rlk_hold_begin(); unused with a quorum */
	redislock_counters *counters; /* see redislock_stats.h */
	redislock_client *next, **link; /* in RLG(clients); *link points here */
	rlk_buf cache_key;              /* see redislock_cache.c; may hold secrets */
};

/* Takes over *config. NULL: memory is out (exception thrown), *config is destroyed. */
redislock_client *redislock_client_new(rlk_config *config);
void redislock_client_release(redislock_client *client);

/* Gives the connection back to the pool, or closes it. */
void redislock_client_disconnect(redislock_client *client);

/* Frees a client whose connection is closed. */
void redislock_client_destroy(redislock_client *client);

/* --- redislock_stats.c --- */

/* The counters of this configuration. A process has a limited number of them; the configurations beyond it share one. */
redislock_counters *redislock_stats_counters(const rlk_config *config);

/* Adds what the connection has counted. */
void redislock_stats_fetch_connection(redislock_client *client);

/* --- redislock_client.c --- */

/* Do both clients lock on the same server, or the same servers? */
bool redislock_client_is_same(const redislock_client *a, const redislock_client *b);

#endif
