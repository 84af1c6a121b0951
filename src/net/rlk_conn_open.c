/*
 * rlk_conn_open: from the addresses of a server to a connection that serves us.
 *
 * A host name often has a dead address, IPv6 without a route for one. Whoever
 * waited for that alone would have no time left for the others: so each address
 * has its turn, and in each round over all of them a turn is twice as long, in
 * case one is not dead but far away.
 */
#include "net/rlk_conn_own.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "net/rlk_handshake.h"
#include "net/rlk_resp.h"
#include "net/rlk_resolve.h"
#include "net/rlk_socket.h"

#include <errno.h>

/* Redis waits for the rest of a command where it speaks clear text; others hang up. */
#define DOES_IT "; does it speak TLS on this port?"

/* What is said first, in one write; the owner of a connection without a server has queued it. */
static bool queue_handshake(rlk_conn *conn, rlk_conn_when when)
{
	const rlk_str ping = RLK_STR("PING"), role = RLK_STR("ROLE");

	if (conn->server != NULL)
		conn->handshake = rlk_handshake_replies(conn->server) + (when >= RLK_CONN_WHEN_ALIVE);
	conn->awaited = conn->handshake;
	return conn->server == NULL ||
		(rlk_handshake_append(conn->server, &conn->out) &&
			(when < RLK_CONN_WHEN_ALIVE ||
				rlk_resp_append(&conn->out, when == RLK_CONN_WHEN_ALIVE ? &ping : &role, 1)));
}

static rlk_conn_progress cannot_connect(rlk_conn *conn, int sys_errno, rlk_error *err)
{
	char text[96];

	if (err != NULL) {
		rlk_error_set(err, RLK_ERR_CONNECT, sys_errno, "cannot connect: %s",
			rlk_error_strerror(sys_errno, text, sizeof(text)));
		err->retryable = true;
	}
	rlk_conn_close(conn);
	return RLK_CONN_FAILED;
}

/* sys_errno 0: the server hung up. The next time another address may do better. */
static rlk_conn_progress cannot_shake_hands(rlk_conn *conn, int sys_errno, rlk_error *err)
{
	const char *problem = rlk_tls_problem(conn->tls);
	char text[96];

	if (err != NULL && problem != NULL) {
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot connect with TLS: %s", problem);
		err->retryable = false; /* the certificate will be no other one a moment later */
	} else if (err != NULL) {
		rlk_error_set(err, RLK_ERR_CONNECT, sys_errno, "cannot connect with TLS: %s" DOES_IT,
			sys_errno == ETIMEDOUT ? "the server did not answer in time" :
				sys_errno == 0     ? "the server closed the connection" :
									 rlk_error_strerror(sys_errno, text, sizeof(text)));
	}
	conn->address++;
	rlk_conn_close(conn);
	return RLK_CONN_FAILED;
}

/* Connected, and encrypted if it is to be. What does not leave at once of the handshake leaves with the next event. */
static rlk_conn_progress greet(rlk_conn *conn, rlk_error *err)
{
	bool heard = conn->handshake == 0 || conn->opening.when == RLK_CONN_WHEN_CONNECTED;

	conn->state = RLK_CONN_STATE_OPEN;
	if (conn->out.len > 0)
		rlk_conn_flush(conn, 0, NULL);
	if (conn->fd != RLK_SOCKET_NONE)
		return heard ? RLK_CONN_OPEN : RLK_CONN_PENDING;
	rlk_error_set(err, RLK_ERR_IO, 0, "the server closed the connection");
	return RLK_CONN_FAILED;
}

/* What the handshake is answered. */
static rlk_conn_progress hear(rlk_conn *conn, rlk_error *err)
{
	if (greet(conn, err) == RLK_CONN_FAILED)
		return RLK_CONN_FAILED;
	rlk_conn_take(conn, err);
	if (conn->refused)
		rlk_conn_close(conn);
	if (conn->fd == RLK_SOCKET_NONE)
		return RLK_CONN_FAILED;
	return conn->handshake > 0 ? RLK_CONN_PENDING : RLK_CONN_OPEN;
}

static rlk_conn_progress shake_hands(rlk_conn *conn, rlk_error *err)
{
	long n = rlk_tls_handshake(conn->tls);

	if (n == RLK_SOCKET_AGAIN)
		return RLK_CONN_PENDING;
	return n == 0 ? greet(conn, err) : cannot_shake_hands(conn, errno, err);
}

static rlk_conn_progress connected(rlk_conn *conn, rlk_error *err)
{
	if (conn->tls_context != NULL)
		conn->tls = rlk_tls_new(conn->tls_context, conn->fd, conn->tls_name, err);
	else if (conn->server != NULL && conn->server->transport == RLK_TRANSPORT_TLS)
		conn->tls = rlk_tls_begin(conn->server, conn->fd, err);
	else
		return greet(conn, err);
	if (conn->tls == NULL) {
		rlk_conn_close(conn);
		return RLK_CONN_FAILED;
	}
	conn->state = RLK_CONN_STATE_SHAKING;
	return shake_hands(conn, err);
}

/* How long the address has, whose turn it is. In the first round none takes more than its share. */
static int64_t turn_until(const rlk_opening *opening, int64_t now_ms)
{
	int others = opening->addresses->count - opening->tried;
	int64_t turn_ms = RLK_CONN_TURN_MS << (opening->round < 16 ? opening->round : 16), share_ms;

	if (opening->addresses->count == 1)
		return opening->until_ms;
	share_ms = opening->until_ms == RLK_NEVER ? turn_ms : (opening->until_ms - now_ms) / others;
	if (opening->round == 0 && share_ms < turn_ms)
		turn_ms = share_ms;
	return rlk_clock_earlier(now_ms + turn_ms, opening->until_ms);
}

/* Whose turn is next? false: nobody's. */
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
	opening->turn_until_ms = turn_until(opening, now_ms);
	opening->tried++;
	return true;
}

/* Begins to connect to the next address that does not refuse at once. A server with one address over TCP, as most have, is
 * waited for in the connecting itself where waiting is allowed, which saves two system calls. */
static rlk_conn_progress connect_next(rlk_conn *conn, bool may_wait, rlk_error *err)
{
	const rlk_addresses *addresses = conn->opening.addresses;
	bool waits = may_wait && addresses->count == 1 && addresses->item[0].addr.ss_family != AF_UNIX;

	while (next_address(conn, rlk_clock_now_ms())) {
		bool pending;

		if (waits)
			conn->fd =
				rlk_socket_connect_waiting(addresses, 0, conn->opening.until_ms, &pending, &conn->opening.sys_errno);
		else
			conn->fd = rlk_socket_connect(addresses, conn->address, &pending, &conn->opening.sys_errno);
		conn->nonblocking = !waits || pending;
		if (conn->fd == RLK_SOCKET_NONE)
			continue;
		conn->state = RLK_CONN_STATE_CONNECTING;
		return pending ? RLK_CONN_PENDING : connected(conn, err);
	}
	return cannot_connect(conn,
		conn->opening.silent && rlk_clock_now_ms() >= conn->opening.until_ms ? ETIMEDOUT : conn->opening.sys_errno,
		err);
}

/* The address has not answered in its turn, or refuses. */
static rlk_conn_progress connect_another(rlk_conn *conn, int sys_errno, rlk_error *err)
{
	conn->opening.silent = conn->opening.silent || sys_errno == 0;
	conn->opening.sys_errno = sys_errno != 0 ? sys_errno : ETIMEDOUT;
	rlk_socket_close(conn->fd);
	conn->fd = RLK_SOCKET_NONE;
	return connect_next(conn, false, err);
}

rlk_conn_progress rlk_conn_begin(rlk_conn *conn, const rlk_addresses *addresses, rlk_conn_when when, int64_t until_ms,
	bool may_wait, rlk_error *err)
{
	if (conn->reader == NULL)
		conn->reader = rlk_reader_new();
	if (conn->reader == NULL || !queue_handshake(conn, when)) {
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection");
		rlk_conn_close(conn);
		return RLK_CONN_FAILED;
	}
	conn->owner_pid = rlk_os_process_id();
	conn->peer = RLK_CONN_PEER_NEW;
	conn->unseen = false;
	conn->opening = (rlk_opening){ .addresses = addresses, .when = when, .until_ms = until_ms, .sys_errno = ETIMEDOUT };
	return connect_next(conn, may_wait, err);
}

rlk_conn_progress rlk_conn_advance(rlk_conn *conn, bool ready, rlk_error *err)
{
	int64_t now_ms = rlk_clock_now_ms();

	if (conn->state == RLK_CONN_STATE_CONNECTING && ready) {
		int sys_errno = rlk_socket_connected(conn->fd);

		return sys_errno == 0 ? connected(conn, err) : connect_another(conn, sys_errno, err);
	}
	if (conn->state == RLK_CONN_STATE_CONNECTING)
		return now_ms >= conn->opening.turn_until_ms ? connect_another(conn, 0, err) : RLK_CONN_PENDING;
	if (!ready && now_ms >= conn->opening.until_ms) {
		if (conn->state == RLK_CONN_STATE_SHAKING)
			return cannot_shake_hands(conn, ETIMEDOUT, err);
		rlk_conn_timed_out(err);
		rlk_conn_close(conn);
		return RLK_CONN_FAILED;
	}
	if (!ready)
		return RLK_CONN_PENDING;
	return conn->state == RLK_CONN_STATE_SHAKING ? shake_hands(conn, err) : hear(conn, err);
}

int64_t rlk_conn_turn_until(const rlk_conn *conn)
{
	return conn->state == RLK_CONN_STATE_CONNECTING ? conn->opening.turn_until_ms : conn->opening.until_ms;
}

int rlk_conn_events(const rlk_conn *conn)
{
	if (conn->state == RLK_CONN_STATE_CONNECTING)
		return RLK_SOCKET_WRITABLE;
	if (conn->state == RLK_CONN_STATE_SHAKING)
		return (int)rlk_tls_wants(conn->tls);
	if (conn->out.len == 0)
		return RLK_SOCKET_READABLE;
	return RLK_SOCKET_READABLE | (conn->tls == NULL ? RLK_SOCKET_WRITABLE : (int)rlk_tls_wants(conn->tls));
}

void rlk_conn_wait_in_reading(rlk_conn *conn)
{
	/* On unix sockets waiting in poll() has been measured to be the faster of the two. */
	if (conn->server->transport != RLK_TRANSPORT_TCP || conn->receive_waits_ms > 0)
		return;
	if (conn->nonblocking)
		rlk_socket_set_blocking(conn->fd);
	if (rlk_socket_set_wait(conn->fd, conn->server->io_timeout_ms))
		conn->receive_waits_ms = conn->server->io_timeout_ms;
}

bool rlk_conn_open(rlk_conn *conn, rlk_conn_when when, int64_t deadline_at_ms, rlk_error *err)
{
	rlk_addresses addresses;
	rlk_conn_progress progress;

	if (!rlk_resolve(conn->server, deadline_at_ms, &addresses, err))
		return false;
	progress = rlk_conn_begin(conn, &addresses, when, deadline_at_ms, true, err);
	while (progress == RLK_CONN_PENDING) {
		int ready = rlk_socket_wait(conn->fd, rlk_conn_events(conn), rlk_conn_turn_until(conn));

		progress = rlk_conn_advance(conn, ready == 1, err);
	}
	if (progress == RLK_CONN_OPEN)
		rlk_conn_wait_in_reading(conn);
	return progress == RLK_CONN_OPEN;
}
