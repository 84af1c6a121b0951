/*
 * rlk_call_ready: may the next request go over this connection, and if not, over which?
 */
#include "redis/rlk_call_own.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "net/rlk_pool.h"
#include "redis/rlk_topology.h"
#include "net/rlk_stream.h"

/* Looking at the socket is a system call, noticeable in a loop of short locks; what has just answered is alive. */
static bool is_fresh(const rlk_conn *conn, bool repeated)
{
	int64_t alive_at_ms = conn->heard_at_ms > conn->sent_at_ms ? conn->heard_at_ms : conn->sent_at_ms;

	return conn->ready_at_ms - alive_at_ms < (repeated ? RLK_CONN_FRESH_REPEATED_MS : RLK_CONN_FRESH_MS);
}

static bool is_fit(const rlk_conn *conn, bool repeated)
{
	if (conn->owner_pid != rlk_os_process_id() || conn->awaited > 0)
		return false;
	if (conn->unread > 0)
		return !conn->draining; /* its next bytes are expected, so there is nothing to be told by looking */
	if (!rlk_reader_is_empty(conn->reader))
		return false;
	return is_fresh(conn, repeated) || rlk_stream_is_idle(conn->fd, conn->tls);
}

static bool open_once(rlk_conn *conn, rlk_error *err)
{
	if (conn->topology != NULL)
		return rlk_topology_open(conn, err);
	return rlk_conn_open(conn, rlk_conn_until(conn, rlk_clock_now_ms() + conn->server->connect_timeout_ms), err);
}

/* One that is kept in the pool and fit. It has been out of sight, so it is looked at in any case; but where one has just
 * turned out to be dead that looked alive, the others may be no better. */
static bool take_idle(rlk_conn *conn, bool repeated)
{
	while (conn->fd == RLK_SOCKET_NONE && conn->peer != RLK_CONN_PEER_TRUSTED && conn->pool != NULL &&
		rlk_topology_is_known(conn) && rlk_pool_take(conn->pool, conn)) {
		conn->ready_at_ms = rlk_clock_now_ms(); /* what it brought along is when it was last used */
		rlk_conn_collect(conn);
		if (conn->fd != RLK_SOCKET_NONE && is_fit(conn, repeated) &&
			(conn->unread > 0 || !is_fresh(conn, repeated) || rlk_stream_is_idle(conn->fd, conn->tls)))
			return true;
		rlk_conn_close(conn);
	}
	return false;
}

/* A new one, after as many tries as are configured. */
static bool open_new(rlk_conn *conn, rlk_error *err)
{
	for (int tries_left = conn->server->retries;; tries_left--) {
		rlk_error local;

		rlk_error_clear(&local);
		if (open_once(conn, &local)) {
			conn->peer = RLK_CONN_PEER_NEW;
			conn->unseen = false;
			conn->ready_at_ms = conn->heard_at_ms = rlk_clock_now_ms();
			return true;
		}
		if (tries_left > 0 && local.retryable && rlk_conn_until(conn, RLK_NEVER) > rlk_clock_now_ms()) {
			rlk_socket_pause(rlk_conn_until(conn, rlk_clock_now_ms() + conn->server->retry_delay_ms));
			continue;
		}
		rlk_error_set_node(&local, conn->server->label);
		rlk_error_adopt(err, &local);
		return false;
	}
}

bool rlk_conn_make_ready(rlk_conn *conn, bool repeated, rlk_error *err)
{
	if (conn->park != NULL)
		rlk_park_tend(conn->park);
	conn->ready_at_ms = rlk_clock_now_ms();
	if (conn->draining || !is_fresh(conn, repeated))
		rlk_conn_collect(conn);
	if (take_idle(conn, repeated))
		return true;
	if (conn->fd != RLK_SOCKET_NONE) {
		if (is_fit(conn, repeated))
			return true;
		if (conn->draining)
			rlk_conn_abandon(conn, rlk_clock_add(conn->ready_at_ms, RLK_CONN_DRAINED_WITHIN_MS));
		else
			rlk_conn_close(conn);
	}
	return open_new(conn, err);
}

bool rlk_conn_ready(rlk_conn *conn, bool repeated, rlk_error *err)
{
	rlk_topology_return(conn);
	return rlk_conn_make_ready(conn, repeated, err);
}

bool rlk_conn_ensure(rlk_conn *conn, rlk_error *err)
{
	return rlk_conn_ready(conn, false, err);
}
