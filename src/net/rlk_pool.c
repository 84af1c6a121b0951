/*
 * rlk_pool: see the header.
 */
#include "net/rlk_pool.h"

#include "base/rlk_list.h"

#include <stdlib.h>

struct rlk_pooled {
	rlk_pooled *next;
	rlk_buf identity; /* with the password in it */
	rlk_conn conn;    /* without its server */
	int64_t idle_since_ms;
};

static void discard(rlk_pool *pool, rlk_pooled **link)
{
	rlk_pooled *pooled = *link;

	*link = pooled->next;
	pool->count--;
	rlk_conn_close(&pooled->conn);
	rlk_buf_wipe(&pooled->identity);
	free(pooled);
}

static bool is_reusable(rlk_conn *conn)
{
	rlk_conn_collect(conn);
	return conn->fd != RLK_SOCKET_NONE && conn->owner_pid == rlk_os_process_id() && !rlk_conn_is_awaited(conn) &&
		conn->out.len == 0 && (conn->expected.entries > 0 || rlk_reader_is_empty(conn->reader));
}

/* Not behind a blocking command, unsent bytes, or a reply that a listener needs. */
static bool may_have_next_user(const rlk_conn *conn)
{
	return conn->pool != NULL && !rlk_conn_is_blocked(conn) && conn->out.len == 0 && !conn->corked &&
		!rlk_expected_has_listener(&conn->expected, NULL);
}

void rlk_pool_put(rlk_conn *conn)
{
	rlk_pool *pool = conn->pool;
	rlk_pooled *pooled, **oldest;

	rlk_conn_collect(conn);
	if (rlk_conn_has_unread(conn) && !rlk_conn_is_awaited(conn) && !may_have_next_user(conn)) {
		rlk_conn_abandon(conn, rlk_clock_add(rlk_clock_now_ms(), conn->server->io_timeout_ms));
		return;
	}
	pooled = pool != NULL && is_reusable(conn) ? calloc(1, sizeof(*pooled)) : NULL;
	if (pooled == NULL || !rlk_conn_append_identity(conn->server, &pooled->identity)) {
		if (pooled != NULL)
			rlk_buf_wipe(&pooled->identity);
		free(pooled);
		rlk_conn_close(conn);
		return;
	}
	rlk_buf_destroy(&conn->out);
	pooled->conn = rlk_conn_move_out(conn);
	pooled->conn.server = NULL;
	pooled->conn.hooks = NULL;
	pooled->idle_since_ms = rlk_clock_now_ms();
	pooled->next = pool->first;
	pool->first = pooled;
	pool->count++;
	oldest = &pool->first;
	RLK_LIST_PASS(oldest, RLK_POOL_MAX);
	if (*oldest != NULL)
		discard(pool, oldest);
}

static rlk_pooled **find_pooled(rlk_pool *pool, const rlk_server *server)
{
	rlk_buf wanted = RLK_BUF_INIT;
	rlk_pooled **link = NULL;

	if (rlk_conn_append_identity(server, &wanted)) {
		link = &pool->first;
		while (*link != NULL && !rlk_str_equal(rlk_buf_str(&(*link)->identity), rlk_buf_str(&wanted)))
			link = &(*link)->next;
	}
	rlk_buf_wipe(&wanted);
	return link != NULL && *link != NULL ? link : NULL;
}

static bool take_any(rlk_conn *conn)
{
	rlk_pool *pool = conn->pool;
	rlk_pooled **link;
	rlk_conn taken;

	rlk_pool_tend(pool);
	link = pool->first != NULL ? find_pooled(pool, conn->server) : NULL;
	if (link == NULL)
		return false;
	taken = (*link)->conn;
	rlk_conn_init(&(*link)->conn, NULL, NULL);
	discard(pool, link);
	taken.server = conn->server;
	taken.drain = conn->drain;
	taken.pool = conn->pool;
	taken.hooks = conn->hooks;
	taken.topology = conn->topology;
	taken.hash_slot = conn->hash_slot;
	taken.send_asking = conn->send_asking;
	taken.usage = RLK_CONN_ANSWERED;
	*conn = taken;
	return true;
}

bool rlk_pool_take(rlk_conn *conn)
{
	while (conn->pool != NULL && conn->usage != RLK_CONN_REUSED && take_any(conn)) {
		if (is_reusable(conn) && (conn->expected.entries > 0 || rlk_stream_is_idle(conn->fd, conn->tls)))
			return true;
		rlk_conn_close(conn);
	}
	return false;
}

void rlk_pool_tend(rlk_pool *pool)
{
	rlk_pooled **link = &pool->first;
	int64_t now_ms;

	if (pool->first == NULL)
		return;
	now_ms = rlk_clock_now_ms();
	while (*link != NULL) {
		if (now_ms - (*link)->idle_since_ms >= RLK_POOL_IDLE_MS)
			discard(pool, link);
		else
			link = &(*link)->next;
	}
}

void rlk_pool_clear(rlk_pool *pool)
{
	while (pool->first != NULL)
		discard(pool, &pool->first);
}
