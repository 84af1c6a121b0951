/*
 * redislock_server: see the header.
 */
#include "php/redislock_server.h"

#include "base/rlk_clock.h"
#include "lock/rlk_quorum_lock.h"
#include "lock/rlk_wait.h"
#include "php/redislock_renewal.h"
#include "net/rlk_socket.h"
#include "lock/rlk_acquire.h"

bool redislock_server_reach(redislock_hold *hold, const rlk_lock_request *request, rlk_error *err)
{
	if (hold->client->nodes == NULL)
		return rlk_wait_reach(&hold->lock, redislock_hold_conn(hold), request, err);
	rlk_nodes_open(hold->client->nodes);
	return true;
}

/* Between two looks at what the renewal child is doing, which tells nobody. */
#define CHILD_LOOK_EVERY_MS 5

/* Waits until the renewal child has nothing left to do with the token. */
static bool child_settles(rlk_str token, rlk_str key, int64_t until_ms)
{
	while (rlk_renewal_is_releasing(redislock_renewal(), token, key)) {
		int64_t now_ms = rlk_clock_now_ms();

		if (now_ms >= until_ms)
			return false;
		rlk_socket_pause(rlk_clock_earlier(now_ms + CHILD_LOOK_EVERY_MS, until_ms));
	}
	return true;
}

/* Another object of this thread, or one that is gone, may have the token under way on a connection that is still open. */
static bool others_settle(const redislock_client *own, rlk_token_id token, int64_t until_ms)
{
	for (redislock_client *client = RLG(clients); client != NULL; client = client->next) {
		if (client != own && !rlk_conn_await_token(&client->conn, token, until_ms))
			return false;
	}
	return rlk_pool_await_token(&RLG(pool), token, until_ms);
}

static bool settles_on_one(redislock_hold *hold, rlk_str token, rlk_str key, int64_t until_ms)
{
	rlk_conn *conn = redislock_hold_conn(hold);

	return others_settle(hold->client, rlk_conn_token_id(conn, token, key), until_ms) &&
		rlk_conn_settle(conn, token, key, until_ms);
}

bool redislock_server_settle(redislock_hold *hold, int64_t deadline_at_ms, const char *trouble, rlk_error *err)
{
	redislock_client *client = hold->client;
	const rlk_endpoint *endpoint = client->nodes != NULL ? client->nodes->node[0].conn.endpoint : client->conn.endpoint;
	int64_t until_ms = rlk_clock_add(rlk_clock_now_ms(), endpoint->io_timeout_ms);
	rlk_str token = rlk_buf_str(&hold->lock.token), key = rlk_buf_str(&hold->lock.key);

	if (deadline_at_ms > 0)
		until_ms = rlk_clock_earlier(until_ms, deadline_at_ms);
	if (child_settles(token, key, until_ms) &&
		(client->nodes != NULL ? rlk_nodes_settle(client->nodes, token, key, until_ms, err) :
								 settles_on_one(hold, token, key, until_ms)))
		return true;
	rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "%s", trouble);
	if (client->nodes == NULL)
		rlk_error_set_node(err, endpoint->label);
	return false;
}

rlk_outcome redislock_server_acquire(redislock_hold *hold, const rlk_lock_request *request, rlk_error *err)
{
	redislock_client *client = hold->client;

	return client->nodes != NULL ? rlk_quorum_acquire(&hold->lock, client->nodes, request, err) :
								   rlk_lock_acquire(&hold->lock, redislock_hold_conn(hold), request, err);
}

rlk_outcome redislock_server_extend(redislock_hold *hold, int64_t ttl_ms, rlk_error *err)
{
	redislock_client *client = hold->client;

	return client->nodes != NULL ? rlk_quorum_extend(&hold->lock, client->nodes, ttl_ms, err) :
								   rlk_lock_extend(&hold->lock, redislock_hold_conn(hold), ttl_ms, err);
}

rlk_outcome redislock_server_confirm(redislock_hold *hold, rlk_error *err)
{
	redislock_client *client = hold->client;

	return client->nodes != NULL ? rlk_quorum_confirm(&hold->lock, client->nodes, err) :
								   rlk_lock_confirm(&hold->lock, redislock_hold_conn(hold), err);
}

rlk_outcome redislock_server_release(redislock_hold *hold, int64_t rest_until_ms, rlk_error *err)
{
	redislock_client *client = hold->client;

	return client->nodes != NULL ? rlk_quorum_release(&hold->lock, client->nodes, rest_until_ms, err) :
								   rlk_lock_release(&hold->lock, redislock_hold_conn(hold), rest_until_ms, err);
}

rlk_outcome redislock_server_force_release(redislock_hold *hold, rlk_error *err)
{
	redislock_client *client = hold->client;

	return client->nodes != NULL ? rlk_quorum_force_release(&hold->lock, client->nodes, err) :
								   rlk_lock_force_release(&hold->lock, redislock_hold_conn(hold), err);
}

void redislock_server_leave(redislock_hold *hold)
{
	if (hold->client->nodes != NULL)
		rlk_quorum_leave(&hold->lock, hold->client->nodes);
}

rlk_outcome redislock_server_ask_holder(redislock_hold *hold, int64_t until_ms, rlk_lock_holder *holder,
	rlk_lock_holder *each, rlk_error *err)
{
	redislock_client *client = hold->client;
	rlk_outcome outcome;
	rlk_conn *conn;

	if (client->nodes != NULL)
		return rlk_quorum_ask_holder(&hold->lock, client->nodes, until_ms, holder, each, err);
	conn = redislock_hold_conn(hold);
	conn->limit_at_ms = until_ms;
	outcome = rlk_lock_ask_holder(&hold->lock, conn, holder, err);
	conn->limit_at_ms = 0;
	return outcome;
}

int64_t redislock_server_asked_at(const redislock_client *client)
{
	return client->nodes != NULL ? client->nodes->asked_at_ms : client->conn.sent_at_ms;
}

static bool same_endpoint(const rlk_endpoint *a, const rlk_endpoint *b)
{
	return rlk_endpoint_is_same(a, b) && (a->database > 0 ? a->database : 0) == (b->database > 0 ? b->database : 0);
}

bool redislock_server_same(const redislock_client *a, const redislock_client *b)
{
	const rlk_config *x = &a->config, *y = &b->config;

	if (x->quorum_count != y->quorum_count || a->route != b->route)
		return false;
	if (a->route != NULL)
		return true;
	if (x->quorum_count == 0)
		return same_endpoint(a->conn.endpoint, b->conn.endpoint);
	for (size_t i = 0; i < x->quorum_count; i++) {
		if (!same_endpoint(&x->quorum[i], &y->quorum[i]))
			return false;
	}
	return true;
}

static void shorten(rlk_endpoint *endpoint, int64_t left_ms)
{
	if (endpoint->io_timeout_ms > left_ms)
		endpoint->io_timeout_ms = (int)left_ms;
	if (endpoint->connect_timeout_ms > left_ms)
		endpoint->connect_timeout_ms = (int)left_ms;
	endpoint->retries = 0;
}

void redislock_server_hurry(redislock_client *client, int64_t left_ms)
{
	shorten(&client->config.servers[0], left_ms);
	for (size_t i = 0; i < client->config.quorum_count; i++)
		shorten(&client->config.quorum[i], left_ms);
}
