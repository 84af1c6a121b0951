/*
 * rlk_conn_write: requests are queued, and leave.
 */
#include "net/rlk_conn_own.h"

#include "net/rlk_resp.h"
#include "net/rlk_stream.h"

#include <errno.h>

bool rlk_conn_append(rlk_conn *conn, const rlk_str *argv, size_t argc, rlk_error *err)
{
	static const char asking[] = "*1\r\n$6\r\nASKING\r\n";

	if (conn->asking) {
		if (!rlk_buf_append(&conn->out, asking, sizeof(asking) - 1)) {
			rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a request");
			return false;
		}
		conn->awaited++;
	}
	if (!rlk_resp_append(&conn->out, argv, argc)) {
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a request");
		return false;
	}
	conn->awaited++;
	return true;
}

static bool refuse_to_send(rlk_conn *conn, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_CONNECT, 0, "the connection was to be encrypted and is not");
	rlk_conn_close(conn);
	return false;
}

/* Whoever opened the connection, and however: what is to be encrypted leaves no other way. */
static inline bool is_as_wanted(rlk_conn *conn, rlk_error *err)
{
	bool clear = conn->server != NULL ? conn->server->transport != RLK_TRANSPORT_TLS : conn->tls_context == NULL;

	return clear || conn->tls != NULL || refuse_to_send(conn, err);
}

rlk_outcome rlk_conn_flush(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err)
{
	size_t sent = 0, total = conn->out.len;

	if (!is_as_wanted(conn, err))
		return RLK_FAIL;
	if (conn->peer == RLK_CONN_PEER_HEARD)
		conn->peer = RLK_CONN_PEER_TRUSTED;
	while (sent < total) {
		long n = rlk_stream_send(conn->fd, conn->tls, conn->out.data + sent, total - sent);

		if (n > 0) {
			sent += (size_t)n;
			conn->kept_back = false;
			continue;
		}
		if (n == RLK_SOCKET_AGAIN) {
			int ready = rlk_stream_wait(conn->fd, conn->tls, RLK_SOCKET_WRITABLE, deadline_at_ms);

			if (ready == 1)
				continue;
			if (ready == 0) {
				rlk_conn_timed_out(err);
				memmove(conn->out.data, conn->out.data + sent, total - sent);
				conn->out.len = total - sent;
				return sent > 0 ? RLK_UNKNOWN : RLK_FAIL;
			}
		}
		rlk_conn_broke(conn, errno, err);
		return sent > 0 ? RLK_UNKNOWN : RLK_FAIL;
	}
	if (conn->handshake > 0 && (conn->server == NULL || conn->server->password != NULL))
		rlk_buf_wipe(&conn->out); /* the password was in it */
	conn->out.len = 0;
	conn->sent_bytes = total;
	return RLK_YES;
}

void rlk_conn_flush_soon(rlk_conn *conn)
{
	long n;

	if (!is_as_wanted(conn, NULL))
		return;
	n = conn->tls == NULL ? rlk_socket_send_soon(conn->fd, conn->out.data, conn->out.len) :
							rlk_tls_send(conn->tls, conn->out.data, conn->out.len);
	if (n == RLK_SOCKET_ERROR) {
		rlk_conn_broke(conn, errno, NULL);
	} else if (n > 0) {
		conn->kept_back = conn->tls == NULL;
		conn->out.len -= (size_t)n;
		memmove(conn->out.data, conn->out.data + n, conn->out.len);
	}
}
