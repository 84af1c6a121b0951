/*
 * redislock_hold: see the header. malloc throughout: after a fatal "out of memory" these structs are what
 * the shutdown works with.
 */
#include "php/redislock_hold.h"

#include "base/rlk_os.h"
#include "php/redislock_acquire.h"
#include "php/redislock_errors.h"
#include "php/redislock_renewal.h"
#include "php/redislock_server.h"

static void throw_out_of_memory(void)
{
	rlk_error err;

	rlk_error_clear(&err);
	rlk_error_set(&err, RLK_ERR_MEMORY, 0, "out of memory for a lock");
	redislock_throw(&err, NULL);
}

/* NULL with routing: memory is out. */
static rlk_route *find_route(const rlk_config *config)
{
	const rlk_endpoint *guides[RLK_CONFIG_NODES_MAX];

	if (config->routing == RLK_ROUTING_NONE)
		return NULL;
	for (size_t i = 0; i < config->node_count; i++)
		guides[i] = &config->nodes[i].endpoint;
	return rlk_route_get(&RLG(routes), config->routing == RLK_ROUTING_SENTINEL ? RLK_ROUTE_SENTINEL : RLK_ROUTE_CLUSTER,
		&config->servers[0], guides, config->node_count, config->service);
}

redislock_client *redislock_client_new(rlk_config *config)
{
	redislock_client *client = calloc(1, sizeof(*client));
	size_t count = config->quorum_count > 0 ? config->quorum_count : 1;
	rlk_pool *pool = config->persistent ? &RLG(pool) : NULL;

	if (client != NULL)
		client->peers = calloc(count, sizeof(*client->peers));
	if (client != NULL && config->quorum_count > 0)
		client->nodes = rlk_nodes_new(config->quorum, count, &RLG(park), pool);
	if (client == NULL || client->peers == NULL || (config->quorum_count > 0 && client->nodes == NULL)) {
		if (client != NULL)
			free(client->peers);
		free(client);
		rlk_config_destroy(config);
		throw_out_of_memory();
		return NULL;
	}
	client->refcount = 1;
	client->config = *config;
	client->route = find_route(config);
	if (client->route == NULL && config->routing != RLK_ROUTING_NONE) {
		free(client);
		rlk_config_destroy(config);
		throw_out_of_memory();
		return NULL;
	}
	rlk_conn_init(&client->conn, &client->config.servers[0], &RLG(park));
	if (client->route != NULL)
		rlk_route_attach(client->route, &client->conn);
	/* In a Cluster the names of one object may live on several nodes, between which the connection goes to and fro. */
	client->conn.pool = config->routing == RLK_ROUTING_CLUSTER ? &RLG(pool) : pool;
	redislock_client_list(client);
	return client;
}

void redislock_client_list(redislock_client *client)
{
	client->previous = NULL;
	client->next = RLG(clients);
	if (client->next != NULL)
		client->next->previous = client;
	RLG(clients) = client;
}

void redislock_client_unlist(redislock_client *client)
{
	if (client->previous != NULL)
		client->previous->next = client->next;
	else
		RLG(clients) = client->next;
	if (client->next != NULL)
		client->next->previous = client->previous;
}

void redislock_client_disconnect(redislock_client *client)
{
	rlk_conn *conn = &client->conn;
	bool under_way, others_may;

	rlk_conn_collect(conn);
	under_way = conn->unread > 0 && conn->awaited == 0;
	/* Not behind a wait, nor with a request that has not left or an answer that is for us. */
	others_may = client->config.persistent && !conn->draining && conn->out.len == 0 && !conn->kept_back &&
		conn->listener.answered == NULL;
	if (under_way && !others_may)
		rlk_conn_abandon(conn, rlk_clock_add(rlk_clock_now_ms(), conn->endpoint->io_timeout_ms));
	else if (under_way)
		rlk_pool_put_unread(conn->pool, conn);
	else if (client->config.persistent)
		rlk_pool_put(conn->pool, conn);
	else
		rlk_conn_drop(conn);
}

void redislock_client_release(redislock_client *client)
{
	if (--client->refcount > 0)
		return;
	redislock_client_unlist(client);
	redislock_client_disconnect(client);
	redislock_client_destroy(client);
}

void redislock_client_destroy(redislock_client *client)
{
	if (client->route != NULL)
		rlk_route_release(client->route);
	rlk_buf_wipe(&client->made_of);
	rlk_nodes_free(client->nodes);
	free(client->peers);
	rlk_config_destroy(&client->config);
	free(client);
}

redislock_hold *redislock_hold_new(redislock_client *client, const char *name, size_t name_len)
{
	redislock_hold *hold = calloc(1, sizeof(*hold));
	const rlk_config *config = &client->config;

	if (hold != NULL &&
		rlk_lock_init(&hold->lock, rlk_str_make(config->prefix, config->prefix_len), rlk_str_make(name, name_len),
			NULL)) {
		hold->refcount = 1;
		hold->slot = RLK_SLOT_NONE;
		hold->client = client;
		hold->name = zend_string_init(name, name_len, true);
		client->refcount++;
		return hold;
	}
	free(hold);
	throw_out_of_memory();
	return NULL;
}

/* The last chance to say that a release with release_async came too late. */
static void warn_late(redislock_hold *hold)
{
	zend_string *name;

	rlk_lock_settle(&hold->lock);
	if (hold->lock.late != RLK_LATE_NOT_OURS)
		return;
	name = redislock_name_shown(hold->name);
	php_error_docref(NULL, E_WARNING, "Lock \"%s\" had been lost before it was released", ZSTR_VAL(name));
	zend_string_release(name);
}

void redislock_hold_drop(redislock_hold *hold)
{
	redislock_client *client;

	if (--hold->refcount > 0)
		return;
	if (hold->slot != RLK_SLOT_NONE)
		redislock_release_quietly(hold);
	redislock_hold_unlist(hold);
	warn_late(hold);
	client = hold->client;
	redislock_hold_destroy(hold);
	redislock_client_release(client);
}

void redislock_hold_destroy(redislock_hold *hold)
{
	rlk_lock_destroy(&hold->lock);
	zend_string_release(hold->name);
	free(hold);
}

rlk_conn *redislock_hold_conn(redislock_hold *hold)
{
	rlk_conn *conn = &hold->client->conn;

	rlk_route_aim(conn, rlk_buf_str(&hold->lock.key));
	return conn;
}

bool redislock_hold_is_as_new(const redislock_hold *hold)
{
	return hold->state == REDISLOCK_IDLE && hold->refcount == 1 && hold->entries == 0 && hold->slot == RLK_SLOT_NONE &&
		hold->lock.extending_on == NULL && hold->lock.releasing_on == NULL && hold->lock.late == RLK_LATE_NONE;
}

bool redislock_hold_is_foreign(const redislock_hold *hold)
{
	return hold->owner_pid != 0 && hold->owner_pid != rlk_os_process_id();
}

static int64_t valid_until_ms(redislock_hold *hold)
{
	if (hold->state != REDISLOCK_HELD || !hold->lock.held || redislock_hold_is_foreign(hold))
		return 0;
	if (hold->slot != RLK_SLOT_NONE)
		return rlk_renewal_valid_until(redislock_renewal(), hold->slot);
	rlk_lock_settle(&hold->lock);
	return hold->lock.valid_until_ms;
}

int64_t redislock_hold_remaining_ms(redislock_hold *hold)
{
	int64_t until_ms = valid_until_ms(hold), now_ms;

	if (until_ms == 0 || until_ms == RLK_NEVER)
		return until_ms;
	now_ms = rlk_clock_now_ms() + 1; /* the clock rounds down, we had rather be early */
	return until_ms > now_ms ? until_ms - now_ms : 0;
}

bool redislock_hold_is_held(redislock_hold *hold)
{
	return redislock_hold_remaining_ms(hold) > 0;
}

void redislock_hold_lose(redislock_hold *hold, rlk_lost_reason reason)
{
	hold->state = REDISLOCK_LOST;
	hold->reason = rlk_renewal_lose(redislock_renewal(), hold->slot, reason);
	if (!hold->lock.given)
		redislock_server_leave(hold);
}

rlk_lost_reason redislock_hold_check_lost(redislock_hold *hold)
{
	if (hold->state == REDISLOCK_LOST)
		return hold->reason;
	if (hold->state != REDISLOCK_HELD || hold->slot == RLK_SLOT_NONE || redislock_hold_is_foreign(hold))
		return RLK_LOST_NOT;
	hold->reason = rlk_renewal_lost(redislock_renewal(), hold->slot);
	/* The child has yet to find out that the key was deleted here. */
	if (hold->reason == RLK_LOST_NOT && !hold->lock.held)
		hold->reason = RLK_LOST_NOT_OURS;
	if (hold->reason != RLK_LOST_NOT)
		redislock_hold_lose(hold, hold->reason);
	return hold->reason;
}

void redislock_hold_list(redislock_hold *hold)
{
	if (hold->slot != RLK_SLOT_NONE && !hold->listed_bound) {
		hold->listed_bound = true;
		hold->next_bound = RLG(bound);
		RLG(bound) = hold;
	}
	if (hold->reentrant && !hold->listed_reentrant) {
		hold->listed_reentrant = true;
		hold->next_reentrant = RLG(reentrant);
		RLG(reentrant) = hold;
	}
}

void redislock_hold_unlist(redislock_hold *hold)
{
	redislock_hold **link;

	for (link = &RLG(bound); hold->listed_bound && *link != NULL; link = &(*link)->next_bound) {
		if (*link == hold) {
			*link = hold->next_bound;
			hold->listed_bound = false;
			break;
		}
	}
	for (link = &RLG(reentrant); hold->listed_reentrant && *link != NULL; link = &(*link)->next_reentrant) {
		if (*link == hold) {
			*link = hold->next_reentrant;
			hold->listed_reentrant = false;
			break;
		}
	}
}
