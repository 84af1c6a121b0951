/*
 * rlk_wait_check: see the header.
 */
#include "lock/rlk_wait_check.h"

#include "lock/rlk_lock_own.h"
#include "net/rlk_pool.h"
#include "net/rlk_address.h"
#include "net/rlk_resp.h"

/* The pause after a failed check, doubled with each failure up to the maximum: a server without free connections is
 * asked less and less often. */
#define RETRY_MS 1000
#define FAILURES_MAX 3

/* This many checks in a row, each this much later than the last, take a second. The answer should have come over the
 * connection that blocks long ago. */
#define UNREPORTED_MAX 14
#define AGAIN_MS 10

/* All waiters may know when a ttl ends, but do not all check at that moment. */
#define SPREAD_MS 32

void rlk_wait_check_init(rlk_wait_check *check, const rlk_conn *conn)
{
	memset(check, 0, sizeof(*check));
	check->conn.fd = RLK_SOCKET_NONE;
	check->at_ms = RLK_NEVER;
	check->failures = conn->known.check_failures;
}

static void pause_checks_for(rlk_wait_check *check, int64_t pause_ms)
{
	uint32_t spread_ms = (uint32_t)rlk_clock_earlier(pause_ms / 10, SPREAD_MS);

	check->at_ms = rlk_clock_now_ms() + pause_ms + rlk_random_spread(spread_ms + 1);
}

void rlk_wait_check_follow(rlk_wait_check *check, const rlk_conn *conn)
{
	/* Or the waiter has polled, and nobody has read the answer. */
	bool forgotten = check->outstanding && rlk_clock_now_ms() >= check->at_ms;

	if (check->conn.fd == RLK_SOCKET_NONE || (check->conn.server == conn->server && !forgotten))
		return;
	rlk_conn_close(&check->conn);
	check->connecting = check->outstanding = false;
	check->at_ms = RLK_NEVER;
}

void rlk_wait_check_begin(rlk_wait_check *check, const rlk_conn *conn, int64_t first_ms, int64_t blocks_until_ms)
{
	rlk_wait_check_follow(check, conn);
	check->blocks_until_ms = blocks_until_ms;
	check->heard_at_ms = rlk_clock_now_ms(); /* join.lua was answered */
	check->found = RLK_WAIT_FINDS_NOTHING;
	check->unreported = 0;
	if (check->outstanding || (check->failures > 0 && check->at_ms != RLK_NEVER))
		return;
	if (first_ms > 0) {
		pause_checks_for(check, first_ms);
	} else {
		rlk_conn_close(&check->conn);
		check->at_ms = RLK_NEVER;
	}
}

rlk_socket_watched rlk_wait_check_watched(const rlk_wait_check *check)
{
	int events = check->conn.fd != RLK_SOCKET_NONE ? rlk_conn_events(&check->conn) : 0;

	return (rlk_socket_watched){ check->conn.fd, events, false };
}

static void give_up_check(rlk_wait_check *check)
{
	rlk_conn_close(&check->conn);
	check->connecting = check->outstanding = false;
	if (check->failures < FAILURES_MAX)
		check->failures++;
	pause_checks_for(check, RETRY_MS << check->failures);
}

/* The server refuses the connection, or the check: it is alive. */
static void check_refused(rlk_wait_check *check)
{
	check->heard_at_ms = rlk_clock_now_ms();
	give_up_check(check);
}

/* A second failure in a row is not due to a pause of this machine. If there is not even a connection, a firewall may be
 * in the way, and the connection that blocks may be well. */
static void check_timed_out(rlk_wait_check *check)
{
	if (!check->connecting && check->failures > 0 &&
		rlk_clock_now_ms() - check->heard_at_ms >= RLK_WAIT_CHECK_SILENCE_MS)
		check->found = RLK_WAIT_FINDS_SILENCE;
	give_up_check(check);
}

/* Queues a check, behind the handshake if necessary. By text: nobody awaits the answer, so nobody could repeat it by
 * text. */
static void append_check(rlk_wait_check *check, const rlk_lock *lock)
{
	int64_t left_ms = check->blocks_until_ms - rlk_clock_now_ms();
	char waiters[RLK_RESP_INT_MAX];
	rlk_str keys[RLK_TRY_KEYS_MAX];
	/* A token of the caller may be in the key for another process. */
	rlk_str token = lock->token.from_caller ? RLK_STR("") : rlk_buf_str(&lock->token.text);
	rlk_str args[4] = { token, rlk_resp_int((left_ms > 0 ? left_ms : 0) + 1000, waiters), rlk_lock_turn(lock),
		check->unreported > 0 ? RLK_STR("1") : RLK_STR("") };
	rlk_request request = { &rlk_script_check, keys, args, rlk_lock_keys_to_line_up(lock, keys), 4 };
	rlk_kind_words words;

	if (!rlk_request_append(rlk_kind_say(&lock->kind, &request, &words), &check->conn, true, NULL))
		rlk_conn_close(&check->conn);
}

static void check_conn_opened(rlk_wait_check *check, const rlk_lock *lock, rlk_conn_progress progress)
{
	check->connecting = progress == RLK_CONN_CONNECTING;
	if (progress != RLK_CONN_OPEN)
		return;
	rlk_conn_use_blocking_reads(&check->conn);
	append_check(check, lock);
}

static void send_queued_check(rlk_wait_check *check, const rlk_lock *lock)
{
	rlk_conn *conn = &check->conn;

	if (check->connecting) {
		if (rlk_socket_wait(conn->fd, rlk_conn_events(conn), 0) != 1)
			return;
		check_conn_opened(check, lock, rlk_conn_advance(conn, true, NULL));
	}
	/* With a deadline in the past it does not wait. */
	if (!check->connecting && conn->out.len > 0)
		rlk_conn_flush(conn, RLK_DEADLINE_NOW, NULL);
}

/* Prepares a connection like that of the waiter, which may have none at the moment, to the same address: resolving its
 * name again could block. A unix socket has the path of its server, since the path of the peer may be another one. */
static bool prepare_conn(rlk_wait_check *check, const rlk_conn *conn)
{
	if (conn->fd == RLK_SOCKET_NONE ||
		!(conn->server->transport == RLK_TRANSPORT_UNIX ?
				rlk_address_resolve(conn->server, NULL, RLK_DEADLINE_NOW, &check->address, NULL) :
				rlk_address_list_peer(conn->fd, &check->address)))
		return false;
	rlk_conn_init(&check->conn, conn->server, conn->drain);
	check->conn.pool = conn->pool;
	return true;
}

static void begin_opening(rlk_wait_check *check, const rlk_lock *lock, const rlk_conn *conn)
{
	rlk_conn_progress progress = RLK_CONN_OPEN;

	if (!prepare_conn(check, conn))
		return;
	if (!rlk_pool_take(&check->conn))
		progress = rlk_conn_begin(&check->conn, &check->address, RLK_CONN_WHEN_CONNECTED, RLK_NEVER, false, NULL);
	check_conn_opened(check, lock, progress);
}

static void send_check(rlk_wait_check *check, const rlk_lock *lock, const rlk_conn *conn)
{
	if (check->conn.fd == RLK_SOCKET_NONE)
		begin_opening(check, lock, conn);
	else
		append_check(check, lock);
	if (check->conn.fd == RLK_SOCKET_NONE) {
		give_up_check(check);
		return;
	}
	check->outstanding = true;
	check->at_ms = rlk_clock_now_ms() + conn->server->io_timeout_ms;
	send_queued_check(check, lock);
}

static void take_check_reply(rlk_wait_check *check, const rlk_conn *conn, const rlk_reply *reply)
{
	/* A number that is no pause of check.lua is a refusal, too. */
	if (reply->type != RLK_REPLY_INTEGER || reply->integer == 0 || reply->integer < -AGAIN_MS ||
		reply->integer > RLK_SCRIPT_WAITERS_MAX_MS) {
		/* Another server has the key, or will have it. Read before check_refused() frees the reply. */
		bool moved = conn->topology != NULL &&
			(rlk_reply_is_error(reply, "MOVED") || rlk_reply_is_error(reply, "ASK") ||
				rlk_reply_is_error(reply, "TRYAGAIN") || rlk_reply_is_error(reply, "READONLY"));

		check_refused(check);
		if (moved) {
			check->found = RLK_WAIT_FINDS_MOVED;
			check->failures = 0;
		}
		return;
	}
	check->heard_at_ms = rlk_clock_now_ms();
	check->outstanding = false;
	check->failures = 0;
	if (reply->integer < 0) {
		check->unreported++;
		pause_checks_for(check, check->unreported == 1 ? -reply->integer : check->unreported * AGAIN_MS);
		if (check->unreported == UNREPORTED_MAX)
			check->found = RLK_WAIT_FINDS_DEAD_CONN;
		return;
	}
	check->unreported = 0;
	pause_checks_for(check, reply->integer);
	if (reply->integer > RLK_WAIT_CHECK_KEPT_MS)
		rlk_conn_close(&check->conn);
}

static void read_check_replies(rlk_wait_check *check, const rlk_conn *conn)
{
	const rlk_reply *reply;

	while (check->conn.fd != RLK_SOCKET_NONE && (reply = rlk_conn_try_read(&check->conn, NULL)) != NULL)
		take_check_reply(check, conn, reply);
	if (check->conn.handshake_refused)
		rlk_conn_close(&check->conn);
	/* An idle connection that closes does no harm: the next check opens another. */
	if (check->conn.fd == RLK_SOCKET_NONE && check->outstanding)
		check_refused(check);
}

void rlk_wait_check_advance(rlk_wait_check *check, const rlk_lock *lock, const rlk_conn *conn)
{
	if (check->conn.fd != RLK_SOCKET_NONE) {
		send_queued_check(check, lock);
		if (!check->connecting)
			read_check_replies(check, conn);
	}
	if (rlk_clock_now_ms() < check->at_ms)
		return;
	if (check->outstanding)
		check_timed_out(check);
	else
		send_check(check, lock, conn);
}

rlk_conn *rlk_wait_check_conn(rlk_wait_check *check, const rlk_conn *conn)
{
	if (check->connecting)
		rlk_conn_close(&check->conn);
	check->connecting = false;
	if (check->conn.fd != RLK_SOCKET_NONE ||
		(prepare_conn(check, conn) &&
			(rlk_pool_take(&check->conn) ||
				rlk_conn_open_at(&check->conn, &check->address, RLK_CONN_WHEN_CONNECTED,
					rlk_deadline_in(RLK_DEADLINE_MOMENT_MS), NULL))))
		return &check->conn;
	return NULL;
}

void rlk_wait_check_end(rlk_wait_check *check, rlk_conn *conn)
{
	conn->known.check_failures = check->failures;
	if (rlk_conn_has_unread(&check->conn) || (check->conn.pool != NULL && !check->connecting && !check->outstanding))
		rlk_pool_put(&check->conn);
	else
		rlk_conn_close_later(&check->conn);
}
