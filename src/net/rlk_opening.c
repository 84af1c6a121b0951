/*
 * rlk_opening: see the header.
 */
#include "net/rlk_opening.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "net/rlk_handshake.h"
#include "net/rlk_pool.h"
#include "net/rlk_resp.h"
#include "net/rlk_stream.h"
#include "net/rlk_resolve.h"

#include <errno.h>

static bool resolve(rlk_opening *opening, const rlk_conn *conn, rlk_error *err)
{
	if (opening->resolved_at_ms != 0)
		return true;
	if (!rlk_resolve(conn->server, rlk_clock_add(rlk_clock_now_ms(), conn->server->connect_timeout_ms),
			&opening->addresses, err))
		return false;
	opening->resolved_at_ms = rlk_clock_now_ms();
	return true;
}

bool rlk_opening_aim(rlk_opening *opening, const rlk_conn *to, rlk_error *err)
{
	opening->address = 0;
	opening->resolved_at_ms = 0;
	if (to->server->transport == RLK_TRANSPORT_UNIX)
		return resolve(opening, to, err);
	opening->resolved_at_ms = rlk_clock_now_ms();
	return rlk_socket_peer(to->fd, &opening->addresses);
}

/* No address has answered. A name may mean others by now. */
static rlk_opening_result cannot_connect(rlk_opening *opening, const rlk_conn *conn, int sys_errno, rlk_error *err)
{
	char text[96];

	opening->address = 0;
	if (rlk_resolve_is_needed(conn->server) && rlk_clock_now_ms() - opening->resolved_at_ms >= RLK_OPENING_RESOLVE_MS)
		opening->resolved_at_ms = 0;
	rlk_error_set(err, RLK_ERR_CONNECT, sys_errno, "cannot connect: %s",
		rlk_error_strerror(sys_errno, text, sizeof(text)));
	if (err != NULL)
		err->retryable = true;
	return RLK_OPENING_FAILED;
}

static bool append_ping(rlk_conn *conn)
{
	const rlk_str ping = RLK_STR("PING");

	return rlk_resp_append(&conn->out, &ping, 1);
}

/* Connected: says what there is to say. */
static rlk_opening_result introduce(rlk_opening *opening, rlk_conn *conn, rlk_error *err)
{
	unsigned replies;

	opening->connecting = false;
	conn->owner_pid = rlk_os_process_id();
	if (conn->server->transport == RLK_TRANSPORT_TLS) {
		conn->tls = rlk_tls_begin(conn->server, conn->fd, err);
		if (conn->tls == NULL) {
			rlk_conn_close(conn);
			return RLK_OPENING_FAILED;
		}
	}
	if (!rlk_handshake_append(conn->server, &conn->out, &replies) || (opening->proves && !append_ping(conn))) {
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection");
		rlk_conn_close(conn);
		return RLK_OPENING_FAILED;
	}
	conn->awaited = replies + (opening->proves ? 1 : 0);
	if (opening->proves)
		return rlk_opening_advance(opening, conn, err);
	opening->introduced = replies;
	return RLK_OPENING_OPEN;
}

/* Connects to the next address that does not refuse at once. */
static rlk_opening_result connect_next(rlk_opening *opening, rlk_conn *conn, int sys_errno, rlk_error *err)
{
	for (; opening->address < opening->addresses.count; opening->address++) {
		bool pending;

		conn->fd = rlk_socket_connect(&opening->addresses, opening->address, &pending, &sys_errno);
		if (conn->fd == RLK_SOCKET_NONE)
			continue;
		conn->reader = rlk_reader_new();
		if (conn->reader == NULL) {
			rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection");
			rlk_conn_close(conn);
			return RLK_OPENING_FAILED;
		}
		conn->owner_pid = rlk_os_process_id();
		conn->peer = RLK_CONN_PEER_NEW;
		conn->unseen = false;
		opening->connecting = pending;
		return pending ? RLK_OPENING_PENDING : introduce(opening, conn, err);
	}
	return cannot_connect(opening, conn, sys_errno, err);
}

rlk_opening_result rlk_opening_begin(rlk_opening *opening, rlk_conn *conn, bool proves, rlk_error *err)
{
	opening->proves = false;
	opening->introduced = 0;
	while (conn->pool != NULL && conn->peer != RLK_CONN_PEER_TRUSTED && rlk_pool_take(conn->pool, conn)) {
		rlk_conn_collect(conn);
		if (conn->fd != RLK_SOCKET_NONE && conn->owner_pid == rlk_os_process_id() &&
			(conn->unread > 0 || rlk_stream_is_idle(conn->fd, conn->tls)))
			return RLK_OPENING_OPEN;
		rlk_conn_close(conn);
	}
	opening->proves = proves;
	if (!resolve(opening, conn, err))
		return RLK_OPENING_FAILED;
	if (opening->address >= opening->addresses.count)
		opening->address = 0;
	return connect_next(opening, conn, ECONNREFUSED, err);
}

void rlk_opening_settle(rlk_conn *conn)
{
	if (conn->server->transport != RLK_TRANSPORT_TCP || conn->receive_waits_ms > 0)
		return;
	rlk_socket_set_blocking(conn->fd);
	rlk_conn_wait_in_reading(conn);
}

rlk_opening_result rlk_opening_advance(rlk_opening *opening, rlk_conn *conn, rlk_error *err)
{
	unsigned all =
		(conn->server->password != NULL) + (conn->server->database > 0) + (conn->server->client_name != NULL) + 1;
	const rlk_reply *reply;

	if (opening->connecting) {
		int sys_errno = rlk_socket_connected(conn->fd);

		if (sys_errno == 0)
			return introduce(opening, conn, err);
		rlk_conn_close(conn);
		opening->address++;
		return connect_next(opening, conn, sys_errno, err);
	}
	if (conn->out.len > 0) {
		rlk_conn_flush(conn, 0, NULL);
		if (conn->out.len == 0 && conn->server->password != NULL)
			rlk_buf_wipe(&conn->out);
	}
	while (conn->fd != RLK_SOCKET_NONE && conn->awaited > 0) {
		reply = rlk_conn_take(conn, err);
		if (reply == NULL)
			break;
		/* Whatever it says to PING, not everybody's right, it is there. */
		if (reply->type == RLK_REPLY_ERROR && conn->awaited > 0) {
			rlk_handshake_refused(conn->server, conn->awaited + 1 == all, reply, err);
			rlk_conn_close(conn);
			return RLK_OPENING_FAILED;
		}
	}
	if (conn->fd == RLK_SOCKET_NONE) {
		rlk_error_set(err, RLK_ERR_IO, 0, "the server closed the connection");
		return RLK_OPENING_FAILED;
	}
	return conn->awaited == 0 ? RLK_OPENING_OPEN : RLK_OPENING_PENDING;
}

int rlk_opening_events(const rlk_opening *opening, const rlk_conn *conn)
{
	return opening->connecting ? RLK_SOCKET_WRITABLE : rlk_opening_wants(conn);
}

int rlk_opening_wants(const rlk_conn *conn)
{
	bool writes = conn->out.len > 0;

	if (conn->tls != NULL)
		writes = rlk_tls_wants(conn->tls) == RLK_SOCKET_WRITABLE; /* a handshake may have to be read first */
	return RLK_SOCKET_READABLE | (writes ? RLK_SOCKET_WRITABLE : 0);
}
