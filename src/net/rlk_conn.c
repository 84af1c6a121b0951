/*
 * rlk_conn: sends and receives over a connection, and closes it. rlk_conn_open.c opens it.
 *
 * Invariant between calls: fd is open exactly while reader is non-NULL. A connection is fit for the next request only
 * if it belongs to this process, awaits no reply and has nothing queued.
 */
#include "net/rlk_conn.h"

#include "net/rlk_resp.h"

#include <errno.h>

void rlk_conn_init(rlk_conn *conn, const rlk_server *server, rlk_drain_list *drain)
{
	memset(conn, 0, sizeof(*conn));
	conn->server = server;
	conn->drain = drain;
	conn->fd = RLK_SOCKET_NONE;
}

bool rlk_conn_is_blocked(const rlk_conn *conn)
{
	for (unsigned n = 0; n < conn->expected.entries; n++) {
		if (rlk_expected_at(&conn->expected, n)->may_block)
			return true;
	}
	return false;
}

uint64_t rlk_conn_last_reply(const rlk_conn *conn)
{
	uint64_t last = conn->replies;

	for (unsigned n = 0; n < conn->expected.entries; n++)
		last += rlk_expected_at(&conn->expected, n)->count;
	return last;
}

bool rlk_conn_was_stale(const rlk_conn *conn, const rlk_error *why)
{
	return conn->fd == RLK_SOCKET_NONE && conn->usage == RLK_CONN_REUSED && why->code == RLK_ERR_IO;
}

void rlk_conn_enable_keepalive(rlk_conn *conn)
{
	if (!conn->keepalive && conn->server->transport != RLK_TRANSPORT_UNIX)
		rlk_socket_enable_keepalive(conn->fd);
	conn->keepalive = true;
}

rlk_conn rlk_conn_like(const rlk_conn *conn)
{
	return (rlk_conn){ .server = conn->server,
		.drain = conn->drain,
		.pool = conn->pool,
		.hooks = conn->hooks,
		.topology = conn->topology,
		.hash_slot = conn->hash_slot,
		.fd = RLK_SOCKET_NONE };
}

rlk_conn rlk_conn_move_out(rlk_conn *conn)
{
	rlk_conn moved = *conn;

	*conn = rlk_conn_like(&moved);
	return moved;
}

void rlk_conn_move_back(rlk_conn *conn, rlk_conn *moved)
{
	rlk_deadline until = rlk_deadline_in(conn->server->io_timeout_ms);
	bool ours = conn->fd != RLK_SOCKET_NONE && conn->owner_pid == rlk_os_process_id();

	/* Listeners wait for these replies, as for the extension of a lock that the handler has waited for. */
	if (ours && !rlk_conn_is_awaited(conn) && !rlk_conn_is_blocked(conn) &&
		rlk_expected_has_listener(&conn->expected, NULL))
		rlk_conn_read_unread(conn, until);
	rlk_conn_abandon(conn, until.at_ms);
	*conn = *moved;
}

/* --- closing ---------------------------------------------------------------------------------- */

static void close_at_once(rlk_conn *conn)
{
	int fd = conn->fd;

	rlk_buf_wipe(&conn->out);   /* there may be a password in it */
	conn->fd = RLK_SOCKET_NONE; /* first, as in rlk_socket_drop() */
	if (fd != RLK_SOCKET_NONE)
		rlk_stream_close(fd, conn->tls);
	conn->tls = NULL;
	rlk_reader_free(conn->reader);
	conn->reader = NULL;
	conn->state = RLK_CONN_STATE_CLOSED;
	conn->handshake_refused = false;
	conn->corked = false;
	conn->keepalive = false;
	conn->known = (rlk_conn_known){ .dialect = RLK_DIALECT_NEW };
	conn->receive_waits_ms = 0;
	if (conn->expected.entries > 0)
		rlk_expected_fail(&conn->expected);
}

/* Leaves the closing of the descriptor to the drain list. */
static void hand_to_drain(rlk_conn *conn, int64_t deadline_at_ms)
{
	/* In a forked copy the conversation is the parent's. */
	if (conn->fd != RLK_SOCKET_NONE && conn->drain != NULL && conn->owner_pid == rlk_os_process_id()) {
		rlk_drain_add(conn->drain, conn->fd, conn->tls, &conn->out, deadline_at_ms);
		conn->fd = RLK_SOCKET_NONE;
		conn->tls = NULL;
	}
	close_at_once(conn);
}

void rlk_conn_close(rlk_conn *conn)
{
	if (rlk_conn_has_unread(conn) && rlk_conn_last_reply(conn) - conn->replies > 1) {
		rlk_buf_wipe(&conn->out);
		hand_to_drain(conn, rlk_clock_now_ms() + RLK_CONN_DRAINED_WITHIN_MS);
	} else {
		close_at_once(conn);
	}
}

void rlk_conn_reset(rlk_conn *conn)
{
	if (conn->fd != RLK_SOCKET_NONE)
		rlk_socket_discard_unsent(conn->fd);
	close_at_once(conn);
}

void rlk_conn_close_later(rlk_conn *conn)
{
	rlk_buf_wipe(&conn->out);
	hand_to_drain(conn, 0);
}

void rlk_conn_abandon(rlk_conn *conn, int64_t deadline_at_ms)
{
	/* Queued bytes, the password first, would leave in clear. */
	bool in_clear = conn->tls == NULL && conn->server->transport == RLK_TRANSPORT_TLS;

	if (in_clear && (conn->state != RLK_CONN_STATE_CONNECTING || !rlk_conn_begin_tls(conn, NULL)))
		close_at_once(conn);
	else
		hand_to_drain(conn, deadline_at_ms);
}

static void report_break(const rlk_conn *conn, int sys_errno, rlk_error *err)
{
	const char *problem = conn->tls != NULL ? rlk_tls_problem(conn->tls) : NULL;
	const char *hint = "";
	char text[96];

	/* A TLS port closes on clear text. */
	if (conn->server->transport == RLK_TRANSPORT_TCP && conn->replies == 0)
		hint = "; does the server expect TLS?";
	if (problem != NULL)
		rlk_error_set(err, RLK_ERR_IO, 0, "the connection broke: TLS: %s", problem);
	else if (sys_errno == 0)
		rlk_error_set(err, RLK_ERR_IO, 0, "the server closed the connection%s", hint);
	else
		rlk_error_set(err, RLK_ERR_IO, sys_errno, "the connection broke: %s%s",
			rlk_error_strerror(sys_errno, text, sizeof(text)), hint);
}

/* sys_errno: 0 when the server has closed it. */
static void close_broken(rlk_conn *conn, int sys_errno, rlk_error *err)
{
	/* An end of the stream confirms all that had arrived before it. A reset, or a network that is down, confirms nothing. */
	conn->undelivered = sys_errno == 0 && conn->sent_bytes > 0 && rlk_socket_unconfirmed(conn->fd) >= conn->sent_bytes;
	if (err != NULL)
		report_break(conn, sys_errno, err);
	rlk_conn_close(conn);
}

/* Returns whether the connection is closed. If so, drops what was queued, which belongs to no other connection. */
static bool refuse_closed(rlk_conn *conn, rlk_error *err)
{
	if (conn->fd != RLK_SOCKET_NONE)
		return false;
	rlk_error_set(err, RLK_ERR_IO, 0, "the connection is closed");
	rlk_conn_close(conn);
	return true;
}

/* --- waiting ----------------------------------------------------------------------------------- */

static void report_stopped(rlk_conn *conn, int fd, rlk_error *err)
{
	if (conn->owner_pid != rlk_os_process_id())
		rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the process was forked while it waited for the server");
	else if (conn->fd != fd)
		rlk_error_set(err, RLK_ERR_IO, 0, "the connection was closed meanwhile");
	else
		rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the wait was interrupted");
}

int rlk_conn_await(rlk_conn *conn, int events, int64_t deadline_at_ms, rlk_error *err)
{
	rlk_socket_watched one = { conn->fd, events, false };
	int ready;

	if (conn->hooks == NULL)
		return rlk_socket_wait(conn->fd, events, deadline_at_ms);
	ready = rlk_socket_await(&one, 1, deadline_at_ms, RLK_SOCKET_BLOCKS_MS, conn->hooks);
	if (ready != RLK_SOCKET_SIGNAL && conn->fd == one.fd)
		return ready;
	report_stopped(conn, one.fd, err);
	return RLK_SOCKET_SIGNAL;
}

bool rlk_conn_pause(const rlk_conn *conn, int64_t pause_ms, rlk_deadline deadline, rlk_error *err)
{
	int64_t until_ms = rlk_deadline_within(deadline, rlk_clock_now_ms() + pause_ms).at_ms;

	if (rlk_socket_await(NULL, 0, until_ms, 0, conn->hooks) != RLK_SOCKET_SIGNAL)
		return true;
	if (err != NULL)
		rlk_error_clear(err);
	rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the wait was interrupted");
	return false;
}

/* Waits after rlk_stream_send() or rlk_stream_receive() returned RLK_SOCKET_AGAIN. As rlk_conn_await(), but *err says so if the
 * deadline has passed. */
static inline int await_stream(rlk_conn *conn, rlk_socket_event event, rlk_deadline deadline, rlk_error *err)
{
	int events = conn->tls == NULL ? (int)event : (int)rlk_tls_wants(conn->tls);
	int ready = rlk_conn_await(conn, events, deadline.at_ms, err);

	if (ready == 0)
		rlk_error_set(err, RLK_ERR_TIMEOUT, ETIMEDOUT, "the server did not answer in time");
	return ready;
}

/* --- sending ---------------------------------------------------------------------------------- */

/* Queues the ASKING in front of a request. */
static bool append_asking(rlk_conn *conn)
{
	static const char asking[] = "*1\r\n$6\r\nASKING\r\n";

	return rlk_buf_append(&conn->out, asking, sizeof(asking) - 1) &&
		rlk_expected_add(&conn->expected, (rlk_expected){ RLK_EXPECTED_ASKING, false, 1, { NULL, NULL } });
}

bool rlk_conn_append(rlk_conn *conn, const rlk_str *argv, size_t argc, rlk_error *err)
{
	if ((!conn->send_asking || append_asking(conn)) && rlk_resp_append(&conn->out, argv, argc) &&
		rlk_expected_await(&conn->expected))
		return true;
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a request");
	return false;
}

/* Checked at every write: bytes that are to be encrypted never leave in clear. */
static inline bool may_send(rlk_conn *conn, rlk_error *err)
{
	if (conn->server->transport != RLK_TRANSPORT_TLS || conn->tls != NULL)
		return true;
	rlk_error_set(err, RLK_ERR_CONNECT, 0, "the connection was to be encrypted and is not");
	rlk_conn_close(conn);
	return false;
}

rlk_outcome rlk_conn_flush(rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	size_t sent = 0, total = conn->out.len;

	if (refuse_closed(conn, err) || !may_send(conn, err))
		return RLK_FAIL;
	if (conn->usage == RLK_CONN_ANSWERED)
		conn->usage = RLK_CONN_REUSED;
	while (sent < total) {
		long n = rlk_stream_send(conn->fd, conn->tls, conn->out.data + sent, total - sent);

		if (n > 0) {
			sent += (size_t)n;
			conn->corked = false;
			continue;
		}
		if (n == RLK_SOCKET_AGAIN) {
			int ready = await_stream(conn, RLK_SOCKET_WRITABLE, deadline, err);

			if (ready == 1)
				continue;
			if (ready == 0 || ready == RLK_SOCKET_SIGNAL) {
				if (conn->fd != RLK_SOCKET_NONE) {
					memmove(conn->out.data, conn->out.data + sent, total - sent);
					conn->out.len = total - sent;
				}
				return sent > 0 ? RLK_UNKNOWN : RLK_FAIL;
			}
		}
		close_broken(conn, errno, err);
		return sent > 0 ? RLK_UNKNOWN : RLK_FAIL;
	}
	if (rlk_conn_shakes_hands(conn) && conn->server->password != NULL)
		rlk_buf_wipe(&conn->out); /* the password was in it */
	conn->out.len = 0;
	conn->sent_bytes = total;
	return RLK_YES;
}

void rlk_conn_flush_corked(rlk_conn *conn)
{
	long n;

	if (refuse_closed(conn, NULL) || !may_send(conn, NULL))
		return;
	n = conn->tls == NULL ? rlk_socket_send_corked(conn->fd, conn->out.data, conn->out.len) :
							rlk_tls_send(conn->tls, conn->out.data, conn->out.len);
	if (n == RLK_SOCKET_ERROR) {
		close_broken(conn, errno, NULL);
	} else if (n > 0) {
		conn->corked = conn->tls == NULL;
		conn->out.len -= (size_t)n;
		memmove(conn->out.data, conn->out.data + n, conn->out.len);
	}
}

/* --- receiving -------------------------------------------------------------------------------- */

/* rlk_reader_room() of an open connection. NULL: it is closed. */
static inline char *room_for_more(rlk_conn *conn, size_t *room, rlk_error *err)
{
	char *data = rlk_reader_room(conn->reader, room, err);

	if (data == NULL)
		rlk_conn_close(conn);
	return data;
}

/* Tells the reader what rlk_socket_receive() has returned. false: the connection is closed. */
static inline bool take_received(rlk_conn *conn, long n, rlk_error *err)
{
	if (n == RLK_SOCKET_AGAIN)
		return true;
	if (n <= 0) {
		close_broken(conn, n == 0 ? 0 : errno, err);
		return false;
	}
	conn->usage = RLK_CONN_ANSWERED;
	if (rlk_reader_received(conn->reader, (size_t)n, err))
		return true;
	rlk_conn_close(conn);
	return false;
}

/* Waits for bytes. `whole_wait`: io_timeout_ms are still ahead. */
static bool receive_more(rlk_conn *conn, rlk_deadline deadline, bool whole_wait, rlk_error *err)
{
	size_t room;
	char *data = room_for_more(conn, &room, err);
	long n = RLK_SOCKET_AGAIN;

	if (data == NULL)
		return false;
	/* The common case in one system call. After a signal, or when its limit was rounded down, poll() does the rest. */
	if (whole_wait && conn->hooks == NULL && conn->receive_waits_ms == conn->server->io_timeout_ms)
		n = rlk_socket_receive_waiting(conn->fd, data, room);
	/* TLS may hold bytes already received, of which poll() knows nothing. */
	if (conn->tls != NULL)
		n = rlk_tls_receive(conn->tls, data, room);
	if (n == RLK_SOCKET_AGAIN) {
		int ready = await_stream(conn, RLK_SOCKET_READABLE, deadline, err);

		if (ready == 0 || ready == RLK_SOCKET_SIGNAL)
			return false;
		n = ready == 1 ? rlk_stream_receive(conn->fd, conn->tls, data, room) : RLK_SOCKET_ERROR;
	}
	return take_received(conn, n, err);
}

/* Takes a reply that nobody waits for. */
static void take_unawaited(rlk_conn *conn, const rlk_reply *reply, rlk_error *err)
{
	const rlk_expected next = *rlk_expected_next(&conn->expected);

	rlk_expected_drop(&conn->expected);
	if (next.kind >= RLK_EXPECTED_AUTH)
		rlk_conn_take_handshake(conn, (rlk_expected_kind)next.kind, reply, err);
	else if (next.listener.answered != NULL)
		next.listener.answered(next.listener.arg, reply);
}

static const rlk_reply *parse_received(rlk_conn *conn, rlk_error *err)
{
	do {
		const rlk_reply *reply = rlk_reader_next(conn->reader, err);

		if (reply == NULL && !conn->reader->broken)
			return rlk_reader_take_push(conn->reader);
		if (reply == NULL || conn->expected.entries == 0) {
			if (reply != NULL)
				rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the server sent a reply that nobody asked for");
			rlk_conn_close(conn);
			return NULL;
		}
		conn->replies++;
		if (rlk_expected_next(&conn->expected)->kind == RLK_EXPECTED_AWAITED) {
			rlk_expected_drop(&conn->expected);
			conn->usage = RLK_CONN_ANSWERED;
			return reply;
		}
		take_unawaited(conn, reply, err);
		if (conn->handshake_refused || conn->expected.entries == 0)
			return NULL;
	} while (!rlk_reader_is_empty(conn->reader));
	return NULL;
}

/* The next received reply that the caller awaits. NULL: none is complete, the handshake was refused, or the connection
 * is closed: see *err. */
static inline const rlk_reply *next_received(rlk_conn *conn, rlk_error *err)
{
	return rlk_reader_is_empty(conn->reader) ? NULL : parse_received(conn, err);
}

const rlk_reply *rlk_conn_read(rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	/* Not for a second reply to what was sent: the first one took its time. */
	bool whole_wait =
			 deadline.at_ms == conn->sent_at_ms + conn->server->io_timeout_ms && conn->usage != RLK_CONN_ANSWERED,
		 again = false;

	if (refuse_closed(conn, err))
		return NULL;
	for (;; again = true) {
		const rlk_reply *reply = next_received(conn, err);

		if (reply != NULL || conn->fd == RLK_SOCKET_NONE || conn->handshake_refused)
			return reply;
		/* An unread reply may have come alone, just before the one we want: then all but a millisecond is still ahead. */
		if (again && whole_wait)
			whole_wait = rlk_clock_now_ms() == conn->sent_at_ms;
		if (!receive_more(conn, deadline, whole_wait, err))
			return NULL;
	}
}

const rlk_reply *rlk_conn_try_read(rlk_conn *conn, rlk_error *err)
{
	bool in_handshake = rlk_conn_shakes_hands(conn);

	if (refuse_closed(conn, err))
		return NULL;
	for (;;) {
		const rlk_reply *reply = next_received(conn, err);
		size_t room;
		char *data;
		long n;

		if (reply != NULL || conn->fd == RLK_SOCKET_NONE || conn->handshake_refused)
			return reply;
		if (in_handshake && conn->expected.entries == 0)
			return NULL;
		data = room_for_more(conn, &room, err);
		if (data == NULL)
			return NULL;
		n = rlk_stream_receive(conn->fd, conn->tls, data, room);
		if (n == RLK_SOCKET_AGAIN || !take_received(conn, n, err))
			return NULL;
		conn->heard_at_ms = rlk_clock_now_ms();
		/* Nothing more is in the socket. TLS may hold more than it has handed out. */
		if (conn->tls == NULL && (size_t)n < room)
			return next_received(conn, err);
	}
}

void rlk_conn_leave_unread(rlk_conn *conn, rlk_conn_listener listener, bool blocking)
{
	rlk_expected_leave(&conn->expected, listener, blocking);
	if (conn->fd == RLK_SOCKET_NONE && listener.answered != NULL)
		listener.answered(listener.arg, NULL);
}

void rlk_conn_collect(rlk_conn *conn)
{
	int64_t heard_at_ms = conn->heard_at_ms;

	if (!rlk_conn_has_unread(conn) || rlk_conn_is_awaited(conn) || conn->owner_pid != rlk_os_process_id())
		return;
	rlk_conn_try_read(conn, NULL);
	conn->heard_at_ms = heard_at_ms; /* this may have come long ago, and the server be gone since */
}

void rlk_conn_read_unread(rlk_conn *conn, rlk_deadline deadline)
{
	if (conn->corked)
		rlk_socket_uncork(conn->fd);
	while (rlk_conn_has_unread(conn) && receive_more(conn, deadline, false, NULL))
		next_received(conn, NULL);
}
