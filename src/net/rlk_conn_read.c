/*
 * rlk_conn_read: replies come, those that nobody waits for among them.
 */
#include "net/rlk_conn_own.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "net/rlk_handshake.h"
#include "net/rlk_stream.h"

#include <errno.h>

/* What rlk_socket_receive() brought goes to the parser. false: the connection is over. */
static bool feed(rlk_conn *conn, const char *data, long n, rlk_error *err)
{
	if (n == RLK_SOCKET_AGAIN)
		return true;
	if (n <= 0) {
		rlk_conn_broke(conn, n == 0 ? 0 : errno, err);
		return false;
	}
	conn->peer = RLK_CONN_PEER_HEARD;
	if (rlk_reader_feed(conn->reader, data, (size_t)n, err))
		return true;
	rlk_conn_close(conn);
	return false;
}

/* Waits for bytes and feeds them to the parser. `whole_wait`: the whole time for a request is still ahead. */
static bool receive_more(rlk_conn *conn, int64_t deadline_at_ms, bool whole_wait, rlk_error *err)
{
	char data[4096];
	long n = RLK_SOCKET_AGAIN;

	/* The common case in one system call. Whatever it did not wait for, for a signal or a rounded time, poll() does. */
	if (whole_wait && conn->receive_waits_ms == conn->server->io_timeout_ms)
		n = rlk_socket_receive_waiting(conn->fd, data, sizeof(data));
	/* Under TLS something may have been received already that poll() knows nothing of. */
	if (conn->tls != NULL)
		n = rlk_tls_receive(conn->tls, data, sizeof(data));
	if (n == RLK_SOCKET_AGAIN) {
		int ready = rlk_stream_wait(conn->fd, conn->tls, RLK_SOCKET_READABLE, deadline_at_ms);

		if (ready == 0) {
			rlk_conn_timed_out(err);
			return false;
		}
		n = ready == 1 ? rlk_stream_receive(conn->fd, conn->tls, data, sizeof(data)) : RLK_SOCKET_ERROR;
	}
	return feed(conn, data, n, err);
}

/* One to the handshake, the last of which may be to what proves that the server is there, or a master. */
static void take_handshake(rlk_conn *conn, const rlk_reply *reply, rlk_error *err)
{
	bool proof = conn->opening.when >= RLK_CONN_WHEN_ALIVE && conn->handshake == 1, first;

	first = conn->server != NULL &&
		conn->handshake == rlk_handshake_replies(conn->server) + (conn->opening.when >= RLK_CONN_WHEN_ALIVE);
	conn->handshake--;
	conn->peer = RLK_CONN_PEER_NEW;
	if (conn->unread > 0)
		conn->unread--;
	else
		conn->awaited--;
	if (!proof && reply->type == RLK_REPLY_ERROR) {
		conn->refused = true;
		if (conn->server != NULL)
			rlk_handshake_refused(conn->server, first, reply, err);
	} else if (proof && conn->opening.when == RLK_CONN_WHEN_MASTER && !rlk_reply_is_master(reply)) {
		conn->refused = true;
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "the server that the sentinels name is no master, or not yet");
	}
}

/* The next complete reply of those received; the unread are handed over on the way. NULL: none, or *err says what is
 * wrong, and the connection is closed. */
static const rlk_reply *next_received(rlk_conn *conn, rlk_error *err)
{
	for (;;) {
		rlk_error local;
		const rlk_reply *reply;

		rlk_error_clear(&local);
		reply = rlk_reader_is_empty(conn->reader) ? NULL : rlk_reader_next(conn->reader, &local);
		if (reply == NULL) {
			if (local.code != RLK_ERR_NONE) {
				rlk_error_set(err, local.code, 0, "%s", local.text);
				rlk_conn_close(conn);
			}
			return NULL;
		}
		if (conn->handshake > 0) {
			take_handshake(conn, reply, err);
			if (conn->refused || conn->unread + conn->awaited == 0)
				return NULL;
			continue;
		}
		if (conn->unread == 0 && conn->awaited > 0) {
			conn->awaited--;
			conn->peer = RLK_CONN_PEER_HEARD;
			return reply;
		}
		if (conn->unread == 0) {
			rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the server sent a reply that nobody asked for");
			rlk_conn_close(conn);
			return NULL;
		}
		if (--conn->unread == 0)
			conn->draining = false;
		rlk_conn_hand_over(conn, reply);
		if (conn->unread == 0 && conn->awaited == 0)
			return NULL;
	}
}

const rlk_reply *rlk_conn_read(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err)
{
	bool whole_wait = deadline_at_ms == conn->sent_at_ms + conn->server->io_timeout_ms, again = false;

	for (;; again = true) {
		const rlk_reply *reply = next_received(conn, err);

		if (reply != NULL || conn->fd == RLK_SOCKET_NONE || conn->refused)
			return reply;
		/* An unread reply may have come alone, just before the one we want: then all but a millisecond is still ahead. */
		if (again && whole_wait)
			whole_wait = rlk_clock_now_ms() == conn->sent_at_ms;
		if (!receive_more(conn, deadline_at_ms, whole_wait, err))
			return NULL;
	}
}

const rlk_reply *rlk_conn_take(rlk_conn *conn, rlk_error *err)
{
	bool greets = conn->handshake > 0;

	for (;;) {
		const rlk_reply *reply = next_received(conn, err);
		char data[4096];
		long n;

		if (reply != NULL || conn->fd == RLK_SOCKET_NONE || conn->refused)
			return reply;
		if (greets && conn->handshake == 0 && conn->awaited + conn->unread == 0)
			return NULL;
		n = rlk_stream_receive(conn->fd, conn->tls, data, sizeof(data));
		if (n == RLK_SOCKET_AGAIN || !feed(conn, data, n, err))
			return NULL;
		conn->heard_at_ms = rlk_clock_now_ms();
	}
}

void rlk_conn_drain(rlk_conn *conn, int64_t deadline_at_ms)
{
	while (conn->unread > 0 && receive_more(conn, deadline_at_ms, false, NULL))
		next_received(conn, NULL);
}

void rlk_conn_leave_unread(rlk_conn *conn, rlk_conn_listener listener, bool blocking)
{
	if (conn->fd == RLK_SOCKET_NONE) {
		if (listener.answered != NULL)
			listener.answered(listener.arg, NULL);
		return;
	}
	if (conn->unread == 0)
		conn->listener = listener;
	conn->unread += conn->awaited;
	conn->awaited = 0;
	conn->draining = blocking;
}

void rlk_conn_collect(rlk_conn *conn)
{
	if (conn->unread > 0 && conn->awaited == 0 && conn->owner_pid == rlk_os_process_id())
		rlk_conn_take(conn, NULL);
}
