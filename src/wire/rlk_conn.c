/*
 * rlk_conn: see the header.
 *
 * Invariant between calls: fd is open exactly while reader is non-NULL; a
 * connection is fit for the next request only if it belongs to this process,
 * owes no reply and has nothing queued.
 */
#include "wire/rlk_conn.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "wire/rlk_address.h"
#include "wire/rlk_dial.h"
#include "wire/rlk_intro.h"
#include "wire/rlk_pool.h"
#include "wire/rlk_resp.h"
#include "wire/rlk_route.h"
#include "wire/rlk_stream.h"

#include <errno.h>

/* A wait of 5 s at most stands before the last of the unread replies. */
#define DRAINED_WITHIN_MS 10000

/* Keys and arguments of the largest script call, with EVALSHA, digest and count. */
#define ARGV_MAX 16

void rlk_conn_init(rlk_conn *conn, const rlk_endpoint *endpoint, rlk_park *park)
{
	memset(conn, 0, sizeof(*conn));
	conn->endpoint = endpoint;
	conn->park = park;
	conn->fd = RLK_SOCKET_NONE;
}

/* The oldest unread reply, or NULL: it will not come. */
static void hand_over(rlk_conn *conn, const rlk_reply *reply)
{
	rlk_conn_listener listener = conn->listener;

	conn->listener = (rlk_conn_listener){ NULL, NULL };
	if (listener.answered != NULL)
		listener.answered(listener.arg, reply);
}

void rlk_conn_close(rlk_conn *conn)
{
	if (conn->fd != RLK_SOCKET_NONE)
		rlk_stream_close(conn->fd, conn->tls);
	conn->fd = RLK_SOCKET_NONE;
	conn->tls = NULL;
	rlk_reader_free(conn->reader);
	conn->reader = NULL;
	rlk_buf_destroy(&conn->out);
	conn->awaited = 0;
	conn->unread = 0;
	conn->draining = false;
	conn->kept_back = false;
	conn->watched = false;
	conn->refuses_blocking = false;
	conn->refuses_scripts = false;
	conn->native = RLK_NATIVE_NEW;
	conn->receive_waits_ms = 0;
	hand_over(conn, NULL);
}

void rlk_conn_abandon(rlk_conn *conn, int64_t deadline_at_ms)
{
	if (conn->fd != RLK_SOCKET_NONE && conn->park != NULL && conn->owner_pid == rlk_os_process_id()) {
		rlk_park_add(conn->park, conn->fd, conn->tls, &conn->out, deadline_at_ms);
		conn->fd = RLK_SOCKET_NONE;
		conn->tls = NULL;
	}
	rlk_conn_close(conn);
}

/* Notes what broke, and where, and closes. */
static void broken(rlk_conn *conn, int sys_errno, rlk_error *err)
{
	const char *problem = conn->tls != NULL ? rlk_tls_problem(conn->tls) : NULL;
	char text[96];

	if (problem != NULL)
		rlk_error_set(err, RLK_ERR_IO, 0, "the connection broke: TLS: %s", problem);
	else if (sys_errno == 0)
		rlk_error_set(err, RLK_ERR_IO, 0, "the server closed the connection");
	else
		rlk_error_set(err, RLK_ERR_IO, sys_errno, "the connection broke: %s",
			rlk_error_strerror(sys_errno, text, sizeof(text)));
	if (err != NULL)
		err->retryable = true;
	rlk_conn_close(conn);
}

static void timed_out(rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_TIMEOUT, ETIMEDOUT, "the server did not answer in time");
	if (err != NULL)
		err->retryable = true;
}

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

/* Whoever opened the connection, and however: what is to be encrypted leaves no other way. */
static bool is_as_wanted(rlk_conn *conn, rlk_error *err)
{
	if (conn->tls != NULL || conn->endpoint->transport != RLK_TRANSPORT_TLS)
		return true;
	rlk_error_set(err, RLK_ERR_CONNECT, 0, "the connection was to be encrypted and is not");
	rlk_conn_close(conn);
	return false;
}

rlk_outcome rlk_conn_flush(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err)
{
	size_t sent = 0, total = conn->out.len;

	if (!is_as_wanted(conn, err))
		return RLK_FAIL;
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
				timed_out(err);
				memmove(conn->out.data, conn->out.data + sent, total - sent);
				conn->out.len = total - sent;
				return sent > 0 ? RLK_UNKNOWN : RLK_FAIL;
			}
		}
		broken(conn, errno, err);
		return sent > 0 ? RLK_UNKNOWN : RLK_FAIL;
	}
	conn->out.len = 0;
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
		broken(conn, errno, NULL);
	} else if (n > 0) {
		conn->kept_back = conn->tls == NULL;
		conn->out.len -= (size_t)n;
		memmove(conn->out.data, conn->out.data + n, conn->out.len);
	}
}

/* What rlk_socket_receive() brought goes to the parser. false: the connection is over. */
static bool feed(rlk_conn *conn, const char *data, long n, rlk_error *err)
{
	if (n == RLK_SOCKET_AGAIN)
		return true;
	if (n <= 0) {
		broken(conn, n == 0 ? 0 : errno, err);
		return false;
	}
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
	if (whole_wait && conn->receive_waits_ms == conn->endpoint->io_timeout_ms)
		n = rlk_socket_receive_waiting(conn->fd, data, sizeof(data));
	/* Under TLS something may have been received already that poll() knows nothing of. */
	if (conn->tls != NULL)
		n = rlk_tls_receive(conn->tls, data, sizeof(data));
	if (n == RLK_SOCKET_AGAIN) {
		int ready = rlk_stream_wait(conn->fd, conn->tls, RLK_SOCKET_READABLE, deadline_at_ms);

		if (ready == 0) {
			timed_out(err);
			return false;
		}
		n = ready == 1 ? rlk_stream_receive(conn->fd, conn->tls, data, sizeof(data)) : RLK_SOCKET_ERROR;
	}
	return feed(conn, data, n, err);
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
		if (conn->unread == 0) {
			conn->awaited--;
			return reply;
		}
		if (--conn->unread == 0)
			conn->draining = false;
		hand_over(conn, reply);
		if (conn->unread == 0 && conn->awaited == 0)
			return NULL;
	}
}

const rlk_reply *rlk_conn_read(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err)
{
	bool whole_wait = deadline_at_ms == conn->sent_at_ms + conn->endpoint->io_timeout_ms, again = false;

	for (;; again = true) {
		const rlk_reply *reply = next_received(conn, err);

		if (reply != NULL || conn->fd == RLK_SOCKET_NONE)
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
	for (;;) {
		const rlk_reply *reply = next_received(conn, err);
		char data[4096];
		long n;

		if (reply != NULL || conn->fd == RLK_SOCKET_NONE)
			return reply;
		n = rlk_stream_receive(conn->fd, conn->tls, data, sizeof(data));
		if (n == RLK_SOCKET_AGAIN || !feed(conn, data, n, err))
			return NULL;
		conn->heard_at_ms = rlk_clock_now_ms();
	}
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

void rlk_conn_watch(rlk_conn *conn)
{
	if (!conn->watched && conn->endpoint->transport != RLK_TRANSPORT_UNIX)
		rlk_socket_watch_peer(conn->fd);
	conn->watched = true;
}

void rlk_conn_collect(rlk_conn *conn)
{
	if (conn->unread > 0 && conn->awaited == 0 && conn->owner_pid == rlk_os_process_id())
		rlk_conn_take(conn, NULL);
}

rlk_conn rlk_conn_lay_aside(rlk_conn *conn)
{
	rlk_conn aside = *conn;

	rlk_conn_init(conn, aside.endpoint, aside.park);
	conn->pool = aside.pool;
	conn->route = aside.route;
	conn->slot = aside.slot;
	return aside;
}

void rlk_conn_take_up(rlk_conn *conn, rlk_conn *laid_aside)
{
	rlk_conn_abandon(conn, rlk_clock_add(rlk_clock_now_ms(), conn->endpoint->io_timeout_ms));
	*conn = *laid_aside;
}

/* AUTH, SELECT and CLIENT SETNAME in one write. Called on every new connection, hence on every reconnect. */
static bool introduce(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err)
{
	bool has_password = conn->endpoint->password != NULL, ok;
	unsigned replies;

	ok = rlk_intro_append(conn->endpoint, &conn->out, &replies);
	if (!ok)
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection");
	conn->awaited = replies;
	ok = ok && rlk_conn_flush(conn, deadline_at_ms, err) == RLK_YES;
	while (ok && conn->awaited > 0) {
		bool auth = has_password && conn->awaited == replies;
		const rlk_reply *reply = rlk_conn_read(conn, deadline_at_ms, err);

		ok = reply != NULL && reply->type != RLK_REPLY_ERROR;
		if (reply != NULL && !ok) {
			/* The text of a failed AUTH is left out: some servers quote what they were sent. */
			if (auth)
				rlk_error_set(err, RLK_ERR_AUTH, 0, "the server refused the credentials");
			rlk_reply_to_error(reply, err);
		}
	}
	if (conn->out.data != NULL && has_password)
		rlk_buf_wipe(&conn->out);
	return ok;
}

bool rlk_conn_open(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err)
{
	rlk_addresses addresses;

	if (!rlk_address_resolve(conn->endpoint, &addresses, err))
		return false;
	conn->fd = rlk_dial(&addresses, deadline_at_ms, err);
	if (conn->fd == RLK_SOCKET_NONE)
		return false;
	conn->owner_pid = rlk_os_process_id();
	if (conn->endpoint->transport == RLK_TRANSPORT_TLS) {
		conn->tls = rlk_tls_open(conn->endpoint, conn->fd, deadline_at_ms, err);
		if (conn->tls == NULL) {
			rlk_conn_close(conn);
			return false;
		}
	}
	conn->reader = rlk_reader_new();
	if (conn->reader == NULL)
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection");
	if (conn->reader != NULL && introduce(conn, deadline_at_ms, err)) {
		/* On unix sockets waiting in poll() has been measured to be the faster of the two. */
		if (conn->endpoint->transport == RLK_TRANSPORT_TCP &&
			rlk_socket_set_wait(conn->fd, conn->endpoint->io_timeout_ms))
			conn->receive_waits_ms = conn->endpoint->io_timeout_ms;
		return true;
	}
	rlk_conn_close(conn);
	return false;
}

static bool open_once(rlk_conn *conn, rlk_error *err)
{
	if (conn->route != NULL)
		return rlk_route_open(conn, err);
	return rlk_conn_open(conn, rlk_clock_now_ms() + conn->endpoint->connect_timeout_ms, err);
}

void rlk_conn_turn_to(rlk_conn *conn, const rlk_endpoint *endpoint)
{
	int64_t now_ms;

	if (conn->endpoint == endpoint)
		return;
	if (conn->fd != RLK_SOCKET_NONE) {
		now_ms = rlk_clock_now_ms();
		rlk_conn_collect(conn);
		if (conn->draining)
			rlk_conn_abandon(conn, rlk_clock_add(now_ms, DRAINED_WITHIN_MS));
		/* Somebody listens for these, and they are on their way. */
		while (conn->unread > 0 && receive_more(conn, now_ms + conn->endpoint->io_timeout_ms, false, NULL))
			next_received(conn, NULL);
		if (conn->pool != NULL)
			rlk_pool_put(conn->pool, conn);
		else
			rlk_conn_close(conn);
	}
	conn->endpoint = endpoint;
}

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

static bool make_ready(rlk_conn *conn, bool repeated, rlk_error *err)
{
	if (conn->park != NULL)
		rlk_park_tend(conn->park);
	conn->ready_at_ms = rlk_clock_now_ms();
	if (conn->draining || !is_fresh(conn, repeated))
		rlk_conn_collect(conn);
	while (conn->fd == RLK_SOCKET_NONE && conn->pool != NULL && rlk_route_is_known(conn) &&
		rlk_pool_take(conn->pool, conn)) {
		conn->ready_at_ms = rlk_clock_now_ms(); /* what it brought along is when it was last used */
		/* It has been out of sight, so it is looked at in any case. */
		rlk_conn_collect(conn);
		if (conn->fd != RLK_SOCKET_NONE && is_fit(conn, repeated) &&
			(conn->unread > 0 || !is_fresh(conn, repeated) || rlk_stream_is_idle(conn->fd, conn->tls)))
			return true;
		rlk_conn_close(conn);
	}
	if (conn->fd != RLK_SOCKET_NONE) {
		if (is_fit(conn, repeated))
			return true;
		if (conn->draining)
			rlk_conn_abandon(conn, rlk_clock_add(conn->ready_at_ms, DRAINED_WITHIN_MS));
		else
			rlk_conn_close(conn);
	}
	for (int tries_left = conn->endpoint->retries;; tries_left--) {
		rlk_error local;

		rlk_error_clear(&local);
		if (open_once(conn, &local)) {
			conn->ready_at_ms = conn->heard_at_ms = rlk_clock_now_ms();
			return true;
		}
		if (tries_left > 0 && local.retryable) {
			rlk_socket_pause(rlk_clock_now_ms() + conn->endpoint->retry_delay_ms);
			continue;
		}
		rlk_error_set_node(&local, conn->endpoint->label);
		rlk_error_adopt(err, &local);
		return false;
	}
}

bool rlk_conn_ready(rlk_conn *conn, bool repeated, rlk_error *err)
{
	rlk_route_return(conn);
	return make_ready(conn, repeated, err);
}

bool rlk_conn_ensure(rlk_conn *conn, rlk_error *err)
{
	return rlk_conn_ready(conn, false, err);
}

static rlk_outcome send_at(rlk_conn *conn, int64_t now_ms, rlk_error *err)
{
	rlk_outcome outcome;

	conn->sent_at_ms = now_ms;
	outcome = rlk_conn_flush(conn, now_ms + conn->endpoint->io_timeout_ms, err);
	if (outcome == RLK_FAIL)
		rlk_conn_close(conn);
	if (outcome != RLK_YES)
		rlk_error_set_node(err, conn->endpoint->label);
	return outcome;
}

rlk_outcome rlk_conn_send(rlk_conn *conn, rlk_error *err)
{
	return send_at(conn, rlk_clock_now_ms(), err);
}

const rlk_reply *rlk_conn_receive(rlk_conn *conn, rlk_error *err)
{
	const rlk_reply *reply = rlk_conn_read(conn, conn->sent_at_ms + conn->endpoint->io_timeout_ms, err);

	if (reply == NULL)
		rlk_error_set_node(err, conn->endpoint->label);
	return reply;
}

/* The exchange of rlk_conn_call() on a connection that is ready; error replies are the caller's business. */
static rlk_outcome exchange(rlk_conn *conn, int64_t now_ms, const rlk_str *argv, size_t argc, const rlk_reply **reply,
	rlk_error *err)
{
	rlk_outcome outcome;

	*reply = NULL;
	if (!rlk_conn_append(conn, argv, argc, err))
		return RLK_FAIL;
	outcome = send_at(conn, now_ms, err);
	if (outcome == RLK_YES && conn->asking && rlk_conn_receive(conn, err) == NULL)
		return RLK_UNKNOWN;
	if (outcome == RLK_YES)
		*reply = rlk_conn_receive(conn, err);
	return outcome == RLK_YES && *reply == NULL ? RLK_UNKNOWN : outcome;
}

/* An exchange with whoever serves the request now, which the servers may have to tell first. */
static rlk_outcome exchange_by_route(rlk_conn *conn, bool repeated, const rlk_str *argv, size_t argc,
	const rlk_reply **reply, rlk_error *err)
{
	int64_t until_ms = 0;
	bool again = false;
	rlk_outcome outcome;

	for (int redirections = 0;; redirections++) {
		rlk_error local;

		*reply = NULL;
		if (!make_ready(conn, repeated, err))
			return RLK_FAIL;
		rlk_error_clear(&local);
		outcome = exchange(conn, conn->ready_at_ms, argv, argc, reply, &local);
		if (outcome == RLK_FAIL && local.code == RLK_ERR_IO && !again) {
			/* It was closed just after it was last used, and nothing has left: as good as not asked. */
			again = true;
			redirections--;
			continue;
		}
		rlk_error_adopt(err, &local);
		if (conn->route == NULL || outcome != RLK_YES || (*reply)->type != RLK_REPLY_ERROR)
			return outcome;
		if (redirections == 0)
			until_ms = rlk_clock_add(conn->ready_at_ms, conn->endpoint->connect_timeout_ms);
		if (!rlk_route_follow(conn, *reply, redirections, until_ms))
			return outcome;
	}
}

static rlk_outcome refuse_error_reply(rlk_conn *conn, const rlk_reply **reply, rlk_error *err)
{
	bool turned_away;

	if ((*reply)->type != RLK_REPLY_ERROR)
		return RLK_YES;
	turned_away = rlk_reply_is_error(*reply, RLK_REPLY_TURNED_AWAY);
	rlk_reply_to_error(*reply, err);
	rlk_error_set_node(err, conn->endpoint->label);
	/* Followed for as long as there was time: the nodes do not agree yet, or one of them has just died. */
	if (err != NULL && conn->route != NULL &&
		(rlk_reply_is_error(*reply, "MOVED") || rlk_reply_is_error(*reply, "ASK")))
		err->retryable = true;
	/* The server hangs up behind this one; a connection that has just answered would pass for alive. */
	if (turned_away)
		rlk_conn_close(conn);
	return RLK_FAIL;
}

rlk_outcome rlk_conn_call(rlk_conn *conn, const rlk_str *argv, size_t argc, const rlk_reply **reply, rlk_error *err)
{
	rlk_outcome outcome;

	rlk_route_return(conn);
	outcome = exchange_by_route(conn, false, argv, argc, reply, err);
	return outcome == RLK_YES ? refuse_error_reply(conn, reply, err) : outcome;
}

/* Lays out EVALSHA or EVAL with its keys and arguments; returns the count. `number` backs the key count. */
static size_t lay_out_eval(rlk_str *argv, rlk_str command, rlk_str body, const rlk_str *keys, size_t key_count,
	const rlk_str *args, size_t arg_count, char *number)
{
	size_t argc = 0;

	argv[argc++] = command;
	argv[argc++] = body;
	argv[argc++] = rlk_resp_int((int64_t)key_count, number);
	for (size_t i = 0; i < key_count; i++)
		argv[argc++] = keys[i];
	for (size_t i = 0; i < arg_count; i++)
		argv[argc++] = args[i];
	return argc;
}

rlk_outcome rlk_conn_eval(rlk_conn *conn, bool repeated, const rlk_script *script, const rlk_str *keys,
	size_t key_count, const rlk_str *args, size_t arg_count, const rlk_reply **reply, rlk_error *err)
{
	rlk_str argv[ARGV_MAX];
	char number[RLK_RESP_INT_MAX];
	size_t argc = lay_out_eval(argv, RLK_STR("EVALSHA"), script->sha1, keys, key_count, args, arg_count, number);
	rlk_outcome outcome;

	rlk_route_return(conn);
	outcome = exchange_by_route(conn, repeated, argv, argc, reply, err);
	if (outcome == RLK_YES && rlk_reply_is_error(*reply, "NOSCRIPT")) {
		/* A restarted or newly promoted server may not know the script. */
		argv[0] = RLK_STR("EVAL");
		argv[1] = script->text;
		outcome = exchange_by_route(conn, repeated, argv, argc, reply, err);
	}
	if (outcome == RLK_YES && rlk_reply_refuses(*reply, "eval"))
		conn->refuses_scripts = true;
	return outcome == RLK_YES ? refuse_error_reply(conn, reply, err) : outcome;
}

bool rlk_conn_append_eval(rlk_conn *conn, bool by_text, const rlk_script *script, const rlk_str *keys, size_t key_count,
	const rlk_str *args, size_t arg_count, rlk_error *err)
{
	rlk_str argv[ARGV_MAX];
	char number[RLK_RESP_INT_MAX];
	size_t argc = lay_out_eval(argv, by_text ? RLK_STR("EVAL") : RLK_STR("EVALSHA"),
		by_text ? script->text : script->sha1, keys, key_count, args, arg_count, number);

	return rlk_conn_append(conn, argv, argc, err);
}
