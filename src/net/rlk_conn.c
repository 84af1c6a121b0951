/*
 * rlk_conn: see the header.
 *
 * Invariant between calls: fd is open exactly while reader is non-NULL; a
 * connection is fit for the next request only if it belongs to this process,
 * owes no reply and has nothing queued.
 */
#include "net/rlk_conn_own.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "net/rlk_stream.h"

#include <errno.h>

/* Of the 20 ms by which a wait may miss its limit. */
#define LAST_WORDS_MS 15

void rlk_conn_init(rlk_conn *conn, const rlk_server *server, rlk_drain_list *drain)
{
	memset(conn, 0, sizeof(*conn));
	conn->server = server;
	conn->drain = drain;
	conn->fd = RLK_SOCKET_NONE;
}

bool rlk_conn_is_late(const rlk_conn *conn)
{
	return rlk_clock_now_ms() >= conn->sent_at_ms + conn->server->io_timeout_ms;
}

void rlk_conn_allow_last_words(rlk_conn *conn)
{
	int64_t least_at_ms;

	if (conn->limit_at_ms == 0)
		return;
	least_at_ms = rlk_clock_now_ms() + LAST_WORDS_MS;
	if (conn->limit_at_ms < least_at_ms)
		conn->limit_at_ms = least_at_ms;
}

bool rlk_conn_was_stale(const rlk_conn *conn, const rlk_error *why)
{
	return conn->fd == RLK_SOCKET_NONE && conn->peer == RLK_CONN_PEER_TRUSTED && why->code == RLK_ERR_IO;
}

rlk_outcome rlk_conn_unanswered(const rlk_conn *conn)
{
	return conn->fd == RLK_SOCKET_NONE && conn->unseen ? RLK_FAIL : RLK_UNKNOWN;
}

void rlk_conn_hand_over(rlk_conn *conn, const rlk_reply *reply)
{
	rlk_conn_listener listener = conn->listener;

	conn->listener = (rlk_conn_listener){ NULL, NULL };
	if (listener.answered != NULL)
		listener.answered(listener.arg, reply);
}

/* What a forked copy has is between its parent and the server. */
static bool may_drain(const rlk_conn *conn)
{
	/* Not even connected: what is queued, the password first, would leave in clear. */
	if (conn->tls == NULL && conn->server != NULL && conn->server->transport == RLK_TRANSPORT_TLS)
		return false;
	return conn->fd != RLK_SOCKET_NONE && conn->drain != NULL && conn->owner_pid == rlk_os_process_id();
}

static void drain(rlk_conn *conn, int64_t deadline_at_ms)
{
	if (!may_drain(conn))
		return;
	rlk_drain_add(conn->drain, conn->fd, conn->tls, &conn->out, deadline_at_ms);
	conn->fd = RLK_SOCKET_NONE;
	conn->tls = NULL;
}

void rlk_conn_close(rlk_conn *conn)
{
	rlk_buf_wipe(&conn->out); /* a password may be in it that was not sent */
	if (conn->fd != RLK_SOCKET_NONE)
		rlk_stream_close(conn->fd, conn->tls);
	conn->fd = RLK_SOCKET_NONE;
	conn->tls = NULL;
	rlk_reader_free(conn->reader);
	conn->reader = NULL;
	conn->state = RLK_CONN_STATE_CLOSED;
	conn->handshake = 0;
	conn->refused = false;
	conn->awaited = 0;
	conn->unread = 0;
	conn->draining = false;
	conn->kept_back = false;
	conn->watched = false;
	conn->refuses_blocking = false;
	conn->refuses_scripts = false;
	conn->releases = false;
	conn->dialect = RLK_DIALECT_NEW;
	conn->receive_waits_ms = 0;
	rlk_conn_hand_over(conn, NULL);
}

void rlk_conn_reset(rlk_conn *conn)
{
	if (conn->fd != RLK_SOCKET_NONE)
		rlk_socket_discard_unsent(conn->fd);
	rlk_conn_close(conn);
}

void rlk_conn_abandon(rlk_conn *conn, int64_t deadline_at_ms)
{
	drain(conn, deadline_at_ms);
	rlk_conn_close(conn);
}

static void say_it_broke(const rlk_conn *conn, int sys_errno, rlk_error *err)
{
	const char *problem = conn->tls != NULL ? rlk_tls_problem(conn->tls) : NULL;
	const char *hint = "";
	char text[96];

	/* What a port for TLS does to those who speak in clear. */
	if (conn->server->transport == RLK_TRANSPORT_TCP && !rlk_reader_has_heard(conn->reader))
		hint = "; does the server expect TLS?";
	if (problem != NULL)
		rlk_error_set(err, RLK_ERR_IO, 0, "the connection broke: TLS: %s", problem);
	else if (sys_errno == 0)
		rlk_error_set(err, RLK_ERR_IO, 0, "the server closed the connection%s", hint);
	else
		rlk_error_set(err, RLK_ERR_IO, sys_errno, "the connection broke: %s%s",
			rlk_error_strerror(sys_errno, text, sizeof(text)), hint);
	err->retryable = true;
}

void rlk_conn_broke(rlk_conn *conn, int sys_errno, rlk_error *err)
{
	/* An end of the stream confirms all that had arrived before it. A reset, or a network that is down, confirms nothing. */
	conn->unseen = sys_errno == 0 && conn->sent_bytes > 0 && rlk_socket_unconfirmed(conn->fd) >= conn->sent_bytes;
	if (err != NULL)
		say_it_broke(conn, sys_errno, err);
	rlk_conn_close(conn);
}

void rlk_conn_timed_out(rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_TIMEOUT, ETIMEDOUT, "the server did not answer in time");
	if (err != NULL)
		err->retryable = true;
}

void rlk_conn_watch(rlk_conn *conn)
{
	if (!conn->watched && conn->server->transport != RLK_TRANSPORT_UNIX)
		rlk_socket_watch_peer(conn->fd);
	conn->watched = true;
}

rlk_conn rlk_conn_lay_aside(rlk_conn *conn)
{
	rlk_conn aside = *conn;

	rlk_conn_init(conn, aside.server, aside.drain);
	conn->pool = aside.pool;
	conn->topology = aside.topology;
	conn->hash_slot = aside.hash_slot;
	conn->limit_at_ms = aside.limit_at_ms;
	return aside;
}

void rlk_conn_take_up(rlk_conn *conn, rlk_conn *laid_aside)
{
	rlk_conn_abandon(conn, rlk_clock_add(rlk_clock_now_ms(), conn->server->io_timeout_ms));
	*conn = *laid_aside;
}
