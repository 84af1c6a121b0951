/*
 * rlk_conn_open: from the addresses of a server to an authenticated connection.
 *
 *     rlk_conn_begin()      queues the handshake, and takes the first address
 *     connect_next()        connects to an address: CONNECTING, until it accepts, refuses or has had its time
 *     establish()           TLS, then the handshake: as far as either goes without waiting
 *     rlk_conn_advance()    is called with each event, and when the time of an address is over
 *
 * A host name often has a dead address, for example IPv6 without a route. So each address has a limited time before the
 * next is tried, and in each later round twice as long, in case an address is far away and not dead.
 */
#include "net/rlk_conn.h"

#include "net/rlk_resp.h"

#include <errno.h>

/* --- the handshake ---------------------------------------------------------------------------- */

/* AUTH, SELECT and CLIENT SETNAME, as the server demands. The buffer then holds the password: rlk_buf_wipe() it. */
static bool append_handshake(const rlk_server *server, rlk_buf *out)
{
	bool ok = true;

	if (server->password != NULL) {
		rlk_str argv[3] = { RLK_STR("AUTH") };
		size_t argc = 1;

		if (server->user != NULL)
			argv[argc++] = rlk_str_from_cstr(server->user);
		argv[argc++] = rlk_str_from_cstr(server->password);
		ok = rlk_resp_append(out, argv, argc);
	}
	if (server->database > 0) {
		char database[RLK_RESP_INT_MAX];
		rlk_str argv[] = { RLK_STR("SELECT"), rlk_resp_int(server->database, database) };

		ok = ok && rlk_resp_append(out, argv, 2);
	}
	if (server->client_name != NULL) {
		rlk_str argv[] = { RLK_STR("CLIENT"), RLK_STR("SETNAME"), rlk_str_from_cstr(server->client_name) };

		ok = ok && rlk_resp_append(out, argv, 3);
	}
	return ok;
}

bool rlk_conn_append_identity(const rlk_server *server, rlk_buf *out)
{
	const char *address = rlk_server_address(server);
	char kind[] = { (char)server->transport, (char)(server->port >> 8), (char)server->port };

	return rlk_buf_append(out, kind, sizeof(kind)) && rlk_buf_append(out, address, strlen(address) + 1) &&
		(server->transport != RLK_TRANSPORT_TLS || rlk_tls_options_append(&server->tls, out)) &&
		append_handshake(server, out);
}

/* The handshake in one write, with a PING or ROLE behind it. */
static bool queue_handshake(rlk_conn *conn, rlk_conn_when when)
{
	const rlk_str ping = RLK_STR("PING"), role = RLK_STR("ROLE");
	const rlk_server *server = conn->server;
	unsigned auth = server->password != NULL, rest = (server->database > 0) + (server->client_name != NULL);
	unsigned probe = when >= RLK_CONN_WHEN_ALIVE;
	const rlk_expected parts[] = { { RLK_EXPECTED_AUTH, false, auth, { NULL, NULL } },
		{ RLK_EXPECTED_HANDSHAKE, false, rest, { NULL, NULL } }, { RLK_EXPECTED_PROBE, false, probe, { NULL, NULL } } };

	conn->expected = (rlk_expected_queue){ 0 };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].count > 0)
			rlk_expected_add(&conn->expected, parts[i]);
	}
	return append_handshake(server, &conn->out) &&
		(probe == 0 || rlk_resp_append(&conn->out, when == RLK_CONN_WHEN_ALIVE ? &ping : &role, 1));
}

/* Some servers and proxies quote the request, and with it the password. Only these replies to AUTH are shown; "" for
 * any other. */
static const char *known_refusal(const rlk_reply *reply)
{
	static const char *const known[] = { "WRONGPASS invalid username-password pair or user is disabled",
		"WRONGPASS invalid username-password pair", "ERR Client sent AUTH, but no password is set",
		"ERR invalid password", "ERR AUTH <password> called without any password configured for the default user" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (rlk_str_starts_with(reply->text, rlk_str_from_cstr(known[i])))
			return known[i];
	}
	return "";
}

void rlk_conn_take_handshake(rlk_conn *conn, rlk_expected_kind kind, const rlk_reply *reply, rlk_error *err)
{
	/* A server with too many clients has not looked at the credentials. */
	bool of_auth = kind == RLK_EXPECTED_AUTH && !rlk_reply_is_error(reply, RLK_REPLY_TURNED_AWAY);
	const char *known = of_auth ? known_refusal(reply) : NULL;

	conn->usage = RLK_CONN_UNUSED;
	if (kind != RLK_EXPECTED_PROBE && !rlk_reply_is_ok(reply)) {
		conn->handshake_refused = true;
		if (reply->type != RLK_REPLY_ERROR)
			rlk_reply_misfit(err);
		if (known != NULL)
			rlk_error_set(err, RLK_ERR_AUTH, 0, "the server refused the credentials%s%s", known[0] != '\0' ? ": " : "",
				known);
		rlk_reply_to_error(reply, err); /* for AUTH: whether a retry may help */
	} else if (kind == RLK_EXPECTED_PROBE && conn->opening.when == RLK_CONN_WHEN_MASTER &&
		!rlk_reply_is_master(reply)) {
		conn->handshake_refused = true;
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "the server that the sentinels name is no master, or not yet");
	}
}

/* --- steps ------------------------------------------------------------------------------------ */

static rlk_conn_progress fail(rlk_conn *conn)
{
	rlk_conn_close(conn);
	return RLK_CONN_FAILED;
}

/* sys_errno 0: the server closed the connection. */
static rlk_conn_progress fail_tls(rlk_conn *conn, int sys_errno, rlk_error *err)
{
	const char *problem = rlk_tls_problem(conn->tls);
	char text[96];

	if (err != NULL && problem != NULL) {
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot connect with TLS: %s", problem);
		err->retryable = false; /* the certificate will be the same a moment later */
	} else if (err != NULL) {
		/* Redis waits for the rest of a command when it gets TLS on a port for clear text; others hang up. */
		rlk_error_set(err, RLK_ERR_CONNECT, sys_errno, "cannot connect with TLS: %s; does it speak TLS on this port?",
			sys_errno == ETIMEDOUT ? "the server did not answer in time" :
				sys_errno == 0     ? "the server closed the connection" :
									 rlk_error_strerror(sys_errno, text, sizeof(text)));
	}
	conn->address++; /* another address may do better next time */
	return fail(conn);
}

bool rlk_conn_begin_tls(rlk_conn *conn, rlk_error *err)
{
	rlk_tls_context *context = conn->tls_context, *loaded = NULL;

	if (context == NULL)
		context = loaded = rlk_tls_context_get(&conn->server->tls, err);
	if (context != NULL)
		conn->tls = rlk_tls_new(context, conn->fd, rlk_server_tls_name(conn->server), err);
	else if (err != NULL)
		err->retryable = false;
	rlk_tls_context_release(loaded);
	return conn->tls != NULL;
}

/* The address has accepted. `readable`: the server may have said something. */
static rlk_conn_progress establish(rlk_conn *conn, bool readable, rlk_error *err)
{
	if (conn->state == RLK_CONN_STATE_CONNECTING) {
		bool tls = conn->server->transport == RLK_TRANSPORT_TLS;

		if (tls && !rlk_conn_begin_tls(conn, err))
			return fail(conn);
		conn->state = tls ? RLK_CONN_STATE_TLS : RLK_CONN_STATE_OPEN;
		readable = false;
	}
	if (conn->state == RLK_CONN_STATE_TLS) {
		long n = rlk_tls_handshake(conn->tls);

		if (n == RLK_SOCKET_AGAIN)
			return RLK_CONN_CONNECTING;
		if (n != 0)
			return fail_tls(conn, errno, err);
		conn->state = RLK_CONN_STATE_OPEN;
		readable = false;
	}
	if (conn->out.len > 0)
		rlk_conn_flush(conn, RLK_DEADLINE_NOW, NULL); /* what does not leave at once leaves with the next event */
	if (conn->fd == RLK_SOCKET_NONE) {
		rlk_error_set(err, RLK_ERR_IO, 0, "the server closed the connection");
		return RLK_CONN_FAILED;
	}
	if (readable)
		rlk_conn_try_read(conn, err);
	if (conn->handshake_refused)
		rlk_conn_close(conn);
	if (conn->fd == RLK_SOCKET_NONE)
		return RLK_CONN_FAILED;
	return rlk_conn_shakes_hands(conn) && conn->opening.when != RLK_CONN_WHEN_CONNECTED ? RLK_CONN_CONNECTING :
																						  RLK_CONN_OPEN;
}

/* The end of the time that the next address has for connecting. In the first round no address has more than its
 * share. */
static int64_t attempt_until(const rlk_opening *opening, int64_t now_ms)
{
	int others = opening->addresses->count - opening->tried;
	int64_t attempt_ms = RLK_CONN_ATTEMPT_MS << (opening->round < 16 ? opening->round : 16), share_ms;

	if (opening->addresses->count == 1)
		return opening->until_ms;
	share_ms = opening->until_ms == RLK_NEVER ? attempt_ms : (opening->until_ms - now_ms) / others;
	if (opening->round == 0 && share_ms < attempt_ms)
		attempt_ms = share_ms;
	return rlk_clock_earlier(now_ms + attempt_ms, opening->until_ms);
}

/* Chooses the address to try next. false: there is none, or no time. */
static bool next_address(rlk_conn *conn, int64_t now_ms)
{
	rlk_opening *opening = &conn->opening;

	if (opening->tried > 0 && now_ms >= opening->until_ms)
		return false;
	if (opening->tried > 0)
		conn->address++;
	if (opening->tried == opening->addresses->count) {
		if (!opening->silent)
			return false; /* all refuse */
		opening->tried = 0;
		opening->round++;
		opening->silent = false;
	}
	conn->address %= opening->addresses->count;
	opening->attempt_until_ms = attempt_until(opening, now_ms);
	opening->tried++;
	return true;
}

/* Begins to connect to the next address that does not refuse at once. With one TCP address, as most servers have, and if
 * it may wait, connect() itself waits, which saves two system calls. */
static rlk_conn_progress connect_next(rlk_conn *conn, bool may_wait, rlk_error *err)
{
	const rlk_addresses *addresses = conn->opening.addresses;
	bool waits = may_wait && addresses->count == 1 && addresses->item[0].addr.ss_family != AF_UNIX;
	int sys_errno;
	char text[96];

	while (next_address(conn, rlk_clock_now_ms())) {
		bool opens;

		conn->fd = rlk_socket_connect(addresses, conn->address, waits ? conn->opening.until_ms : 0, &opens,
			&conn->opening.sys_errno);
		conn->nonblocking = !waits || opens;
		if (conn->fd == RLK_SOCKET_NONE)
			continue;
		conn->state = RLK_CONN_STATE_CONNECTING;
		return opens ? RLK_CONN_CONNECTING : establish(conn, false, err);
	}
	sys_errno =
		conn->opening.silent && rlk_clock_now_ms() >= conn->opening.until_ms ? ETIMEDOUT : conn->opening.sys_errno;
	if (err != NULL)
		rlk_error_set(err, RLK_ERR_CONNECT, sys_errno, "cannot connect: %s",
			rlk_error_strerror(sys_errno, text, sizeof(text)));
	return fail(conn);
}

/* The address refused, or was silent for its time (sys_errno 0). */
static rlk_conn_progress connect_another(rlk_conn *conn, int sys_errno, rlk_error *err)
{
	conn->opening.silent = conn->opening.silent || sys_errno == 0;
	conn->opening.sys_errno = sys_errno != 0 ? sys_errno : ETIMEDOUT;
	rlk_socket_drop(&conn->fd);
	return connect_next(conn, false, err);
}

/* --- opening ---------------------------------------------------------------------------------- */

rlk_conn_progress rlk_conn_begin(rlk_conn *conn, const rlk_addresses *addresses, rlk_conn_when when, int64_t until_ms,
	bool may_wait, rlk_error *err)
{
	if (conn->reader == NULL)
		conn->reader = rlk_reader_new();
	if (conn->reader == NULL || !queue_handshake(conn, when)) {
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection");
		return fail(conn);
	}
	conn->owner_pid = rlk_os_process_id();
	conn->usage = RLK_CONN_UNUSED;
	conn->undelivered = false;
	conn->replies = 0;
	conn->opening = (rlk_opening){ .addresses = addresses, .when = when, .until_ms = until_ms, .sys_errno = ETIMEDOUT };
	return connect_next(conn, may_wait, err);
}

rlk_conn_progress rlk_conn_advance(rlk_conn *conn, bool ready, rlk_error *err)
{
	int64_t now_ms = rlk_clock_now_ms();

	if (conn->state == RLK_CONN_STATE_CONNECTING && ready) {
		int sys_errno = rlk_socket_connected(conn->fd);

		return sys_errno == 0 ? establish(conn, true, err) : connect_another(conn, sys_errno, err);
	}
	if (conn->state == RLK_CONN_STATE_CONNECTING)
		return now_ms >= conn->opening.attempt_until_ms ? connect_another(conn, 0, err) : RLK_CONN_CONNECTING;
	if (ready)
		return establish(conn, true, err);
	if (now_ms < conn->opening.until_ms)
		return RLK_CONN_CONNECTING;
	if (conn->state == RLK_CONN_STATE_TLS)
		return fail_tls(conn, ETIMEDOUT, err);
	rlk_error_set(err, RLK_ERR_TIMEOUT, ETIMEDOUT, "the server did not answer in time");
	return fail(conn);
}

int64_t rlk_conn_advance_at(const rlk_conn *conn)
{
	return conn->state == RLK_CONN_STATE_CONNECTING ? conn->opening.attempt_until_ms : conn->opening.until_ms;
}

int rlk_conn_events(const rlk_conn *conn)
{
	if (conn->state == RLK_CONN_STATE_CONNECTING)
		return RLK_SOCKET_WRITABLE;
	if (conn->state == RLK_CONN_STATE_TLS)
		return (int)rlk_tls_wants(conn->tls);
	if (conn->out.len == 0)
		return RLK_SOCKET_READABLE;
	return RLK_SOCKET_READABLE | (conn->tls == NULL ? RLK_SOCKET_WRITABLE : (int)rlk_tls_send_wants(conn->tls));
}

void rlk_conn_use_blocking_reads(rlk_conn *conn)
{
	/* Without blocking reads a pair of acquire and release over TCP takes 6.5 % more time (6.1 to 6.9, 120 paired
	 * rounds). On unix sockets poll() was measured to be the faster of the two. */
	if (conn->server->transport != RLK_TRANSPORT_TCP || conn->receive_waits_ms > 0)
		return;
	if (rlk_socket_set_wait(conn->fd, conn->nonblocking, conn->server->io_timeout_ms))
		conn->receive_waits_ms = conn->server->io_timeout_ms;
}

bool rlk_conn_open_at(rlk_conn *conn, const rlk_addresses *addresses, rlk_conn_when when, rlk_deadline deadline,
	rlk_error *err)
{
	rlk_conn_progress progress = rlk_conn_begin(conn, addresses, when, deadline.at_ms, conn->hooks == NULL, err);

	while (progress == RLK_CONN_CONNECTING) {
		int ready = rlk_conn_await(conn, rlk_conn_events(conn), rlk_conn_advance_at(conn), err);

		if (ready == RLK_SOCKET_SIGNAL) {
			rlk_conn_close(conn);
			return false;
		}
		progress = rlk_conn_advance(conn, ready == 1, err);
	}
	if (progress == RLK_CONN_OPEN)
		rlk_conn_use_blocking_reads(conn);
	return progress == RLK_CONN_OPEN;
}

bool rlk_conn_open(rlk_conn *conn, rlk_conn_when when, rlk_deadline deadline, rlk_error *err)
{
	rlk_addresses addresses;

	return rlk_address_resolve(conn->server, conn->hooks, deadline, &addresses, err) &&
		rlk_conn_open_at(conn, &addresses, when, deadline, err);
}
