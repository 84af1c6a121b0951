/*
 * rlk_conn_open: from a server to a connection that serves us.
 */
#include "net/rlk_conn.h"

#include "base/rlk_os.h"
#include "net/rlk_resolve.h"
#include "net/rlk_dial.h"
#include "net/rlk_handshake.h"
#include "net/rlk_socket.h"

/* AUTH, SELECT and CLIENT SETNAME in one write. Called on every new connection, hence on every reconnect. */
static bool introduce(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err)
{
	bool ok;
	unsigned replies;

	ok = rlk_handshake_append(conn->server, &conn->out, &replies);
	if (!ok)
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection");
	conn->awaited = replies;
	ok = ok && rlk_conn_flush(conn, deadline_at_ms, err) == RLK_YES;
	while (ok && conn->awaited > 0) {
		bool first = conn->awaited == replies;
		const rlk_reply *reply = rlk_conn_read(conn, deadline_at_ms, err);

		ok = reply != NULL && reply->type != RLK_REPLY_ERROR;
		if (reply != NULL && !ok)
			rlk_handshake_refused(conn->server, first, reply, err);
	}
	if (conn->out.data != NULL && conn->server->password != NULL)
		rlk_buf_wipe(&conn->out);
	return ok;
}

void rlk_conn_wait_in_reading(rlk_conn *conn)
{
	/* On unix sockets waiting in poll() has been measured to be the faster of the two. */
	if (conn->server->transport == RLK_TRANSPORT_TCP && rlk_socket_set_wait(conn->fd, conn->server->io_timeout_ms))
		conn->receive_waits_ms = conn->server->io_timeout_ms;
}

bool rlk_conn_open(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err)
{
	rlk_addresses addresses;

	if (!rlk_resolve(conn->server, deadline_at_ms, &addresses, err))
		return false;
	conn->fd = rlk_dial(&addresses, deadline_at_ms, err);
	if (conn->fd == RLK_SOCKET_NONE)
		return false;
	conn->owner_pid = rlk_os_process_id();
	if (conn->server->transport == RLK_TRANSPORT_TLS) {
		conn->tls = rlk_tls_open(conn->server, conn->fd, deadline_at_ms, err);
		if (conn->tls == NULL) {
			rlk_conn_close(conn);
			return false;
		}
	}
	conn->reader = rlk_reader_new();
	if (conn->reader == NULL)
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection");
	if (conn->reader != NULL && introduce(conn, deadline_at_ms, err)) {
		rlk_conn_wait_in_reading(conn);
		return true;
	}
	rlk_conn_close(conn);
	return false;
}
