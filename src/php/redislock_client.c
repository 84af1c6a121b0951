/*
 * redislock_client: making, disconnecting and comparing clients.
 */
#include "php/redislock_client.h"

#include "base/rlk_list.h"
#include "php/redislock_errors.h"

/* NULL with sentinels or a Cluster: memory is out. */
static rlk_topology *find_topology(const rlk_config *config)
{
	const rlk_server *seeds[RLK_CONFIG_SEEDS_MAX];

	if (config->routing == RLK_ROUTING_NONE)
		return NULL;
	for (size_t i = 0; i < config->listed.count; i++)
		seeds[i] = &config->listed.servers[i];
	return rlk_topology_get(&RLG(topologies),
		config->routing == RLK_ROUTING_SENTINEL ? RLK_TOPOLOGY_SENTINEL : RLK_TOPOLOGY_CLUSTER, &config->server, seeds,
		config->listed.count, config->service);
}

/* false: memory is out; what was allocated is to be freed. */
static bool allocate(redislock_client *client, const rlk_config *config, rlk_pool *pool)
{
	bool quorum = config->routing == RLK_ROUTING_QUORUM;

	client->at.known = calloc(quorum ? config->listed.count : 1, sizeof(*client->at.known));
	if (client->at.known == NULL)
		return false;
	if (quorum)
		client->at.servers.quorum = rlk_quorum_new(config->listed.servers, config->listed.count, &RLG(drain), pool);
	else
		client->at.topology = find_topology(config);
	return client->at.servers.quorum != NULL || client->at.topology != NULL || config->routing == RLK_ROUTING_NONE;
}

redislock_client *redislock_client_new(rlk_config *config)
{
	redislock_client *client = calloc(1, sizeof(*client));
	rlk_pool *pool = config->persistent ? &RLG(pool) : NULL;

	if (client == NULL || !allocate(client, config, pool)) {
		if (client != NULL) {
			rlk_quorum_free(client->at.servers.quorum);
			free(client->at.known);
		}
		free(client);
		rlk_config_destroy(config);
		redislock_throw_out_of_memory("a lock");
		return NULL;
	}
	client->refcount = 1;
	client->config = *config;
	rlk_conn_init(&client->conn, &client->config.server, &RLG(drain));
	if (client->at.topology != NULL)
		rlk_topology_attach(client->at.topology, &client->conn, &client->topology_user);
	/* The names of one object may live on several nodes of a Cluster, and the connection alternates between them. */
	client->conn.pool = config->routing == RLK_ROUTING_CLUSTER ? &RLG(pool) : pool;
	client->counters = redislock_stats_counters(&client->config);
	client->at.servers.conn = &client->conn;
	client->at.listed = client->config.listed.servers;
	client->at.label = client->config.label;
	RLK_LIST_ADD(&RLG(clients), client);
	return client;
}

void redislock_client_disconnect(redislock_client *client)
{
	rlk_pool *pool = client->conn.pool;

	redislock_stats_fetch_connection(client);
	client->conn.opened = 0; /* the next connection is no reconnection */
	if (!client->config.persistent)
		client->conn.pool = NULL;
	rlk_pool_put(&client->conn);
	client->conn.pool = pool;
}

void redislock_client_release(redislock_client *client)
{
	if (--client->refcount > 0)
		return;
	redislock_client_disconnect(client);
	redislock_client_destroy(client);
}

void redislock_client_destroy(redislock_client *client)
{
	RLK_LIST_REMOVE(client);
	rlk_topology_remove_user(client->at.topology, &client->topology_user);
	rlk_buf_wipe(&client->cache_key);
	rlk_quorum_free(client->at.servers.quorum);
	free(client->at.known);
	rlk_config_destroy(&client->config);
	free(client);
}

static bool is_same_database(const rlk_server *a, const rlk_server *b)
{
	return rlk_address_is_same(a, b) && (a->database > 0 ? a->database : 0) == (b->database > 0 ? b->database : 0);
}

bool redislock_client_is_same(const redislock_client *a, const redislock_client *b)
{
	const rlk_config *x = &a->config, *y = &b->config;

	if (x->routing != y->routing || a->at.topology != b->at.topology)
		return false;
	if (a->at.topology != NULL)
		return true;
	if (x->routing == RLK_ROUTING_NONE)
		return is_same_database(a->conn.server, b->conn.server);
	for (size_t i = 0; x->listed.count == y->listed.count && i < x->listed.count; i++) {
		if (!is_same_database(&x->listed.servers[i], &y->listed.servers[i]))
			return false;
	}
	return x->listed.count == y->listed.count;
}
