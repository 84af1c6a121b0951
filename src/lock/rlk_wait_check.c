/*
 * rlk_wait_check: see the header.
 */
#include "lock/rlk_wait_check.h"

#include "base/rlk_os.h"
#include "lock/rlk_scripts.h"
#include "net/rlk_pool.h"
#include "net/rlk_address.h"
#include "net/rlk_resp.h"

/* From a look that failed to the next one, doubled with each failure up to the maximum: a server that has no connections
 * left is asked less and less often. */
#define RETRY_MS 1000
#define FAILURES_MAX 3

/* So many looks in a row, each 10 ms later than the one before, take a second: what the first one found has long been on
 * its way over the connection that blocks. */
#define UNTOLD_MAX 14

/* Nor do all look at the same moment, which all may know: when a provisional ttl or a ttl ends. */
#define SPREAD_MS 32

void rlk_wait_check_init(rlk_wait_check *look, const rlk_lock *lock)
{
	memset(look, 0, sizeof(*look));
	look->conn.fd = RLK_SOCKET_NONE;
	look->at_ms = RLK_NEVER;
	look->failures = lock->look_failures;
}

static void pause_for(rlk_wait_check *look, int64_t pause_ms)
{
	uint32_t spread_ms = (uint32_t)rlk_clock_earlier(pause_ms / 10, SPREAD_MS);

	look->at_ms = rlk_clock_now_ms() + pause_ms + rlk_random_spread(spread_ms + 1);
}

void rlk_wait_check_begin(rlk_wait_check *look, int64_t first_ms, int64_t blocks_until_ms)
{
	look->blocks_until_ms = blocks_until_ms;
	look->heard_at_ms = rlk_clock_now_ms(); /* join.lua was answered */
	look->found = RLK_WAIT_FINDS_NOTHING;
	look->untold = 0;
	if (look->asked || (look->failures > 0 && look->at_ms != RLK_NEVER))
		return;
	if (first_ms > 0) {
		pause_for(look, first_ms);
	} else {
		rlk_conn_close(&look->conn);
		look->at_ms = RLK_NEVER;
	}
}

rlk_socket_watched rlk_wait_check_watched(const rlk_wait_check *look)
{
	int events = look->conn.fd != RLK_SOCKET_NONE ? rlk_conn_events(&look->conn) : 0;

	return (rlk_socket_watched){ look->conn.fd, events, false };
}

static void give_up(rlk_wait_check *look)
{
	rlk_conn_close(&look->conn);
	look->connecting = look->asked = false;
	if (look->failures < FAILURES_MAX)
		look->failures++;
	pause_for(look, RETRY_MS << look->failures);
}

/* The server refuses us a connection, or the look. At least it is there. */
static void refused(rlk_wait_check *look)
{
	look->heard_at_ms = rlk_clock_now_ms();
	give_up(look);
}

/* The second time in a row it is not the machine that stood still. Where we are not even connected, a firewall may be in
 * the way, which says nothing of the connection that blocks. */
static void timed_out(rlk_wait_check *look)
{
	if (!look->connecting && look->failures > 0 && rlk_clock_now_ms() - look->heard_at_ms >= RLK_WAIT_CHECK_SILENCE_MS)
		look->found = RLK_WAIT_FINDS_SILENCE;
	give_up(look);
}

/* The question goes along with what a connection says first, if that is still to be said. By text, for want of somebody
 * who waits for the answer. */
static void append_question(rlk_wait_check *look, const rlk_lock *lock)
{
	int64_t left_ms = look->blocks_until_ms - rlk_clock_now_ms();
	char waiters[RLK_RESP_INT_MAX];
	rlk_str keys[3] = { rlk_buf_str(&lock->key), rlk_buf_str(&lock->waiters), rlk_buf_str(&lock->signal) };
	/* A token of the caller's may be in the key for another. */
	rlk_str token = lock->given ? RLK_STR("") : rlk_buf_str(&lock->token);
	rlk_str args[2] = { rlk_resp_int((left_ms > 0 ? left_ms : 0) + 1000, waiters), token };

	if (!rlk_conn_append_eval(&look->conn, true, &rlk_script_look, keys, 3, args, 2, NULL))
		rlk_conn_close(&look->conn);
}

static void opened(rlk_wait_check *look, const rlk_lock *lock, rlk_conn_progress progress)
{
	look->connecting = progress == RLK_CONN_PENDING;
	if (progress != RLK_CONN_OPEN)
		return;
	rlk_conn_use_blocking_reads(&look->conn);
	append_question(look, lock);
}

static void send_queued(rlk_wait_check *look, const rlk_lock *lock)
{
	rlk_conn *conn = &look->conn;

	if (look->connecting) {
		if (rlk_socket_wait(conn->fd, rlk_conn_events(conn), 0) != 1)
			return;
		opened(look, lock, rlk_conn_advance(conn, true, NULL));
	}
	/* The deadline is over: what does not leave at once stays. */
	if (!look->connecting && conn->out.len > 0)
		rlk_conn_flush(conn, 0, NULL);
}

/* Where the waiter is connected to, since a name service may take its time. A unix socket may be known by another path to
 * the server that made it, hence by its own. */
static bool aim(rlk_wait_check *look, const rlk_conn *conn)
{
	if (conn->server->transport == RLK_TRANSPORT_UNIX)
		return rlk_address_resolve(conn->server, RLK_NEVER, &look->address, NULL);
	return rlk_address_list_peer(conn->fd, &look->address);
}

/* Starts to open a connection like that of the waiter, who may be between two himself. */
static void begin_opening(rlk_wait_check *look, const rlk_lock *lock, const rlk_conn *conn)
{
	rlk_conn_progress progress = RLK_CONN_OPEN;

	if (conn->fd == RLK_SOCKET_NONE || !aim(look, conn))
		return;
	rlk_conn_init(&look->conn, conn->server, conn->drain);
	look->conn.pool = conn->pool;
	if (!rlk_pool_take(&look->conn))
		progress = rlk_conn_begin(&look->conn, &look->address, RLK_CONN_WHEN_CONNECTED, RLK_NEVER, false, NULL);
	opened(look, lock, progress);
}

static void ask(rlk_wait_check *look, const rlk_lock *lock, const rlk_conn *conn)
{
	if (look->conn.fd == RLK_SOCKET_NONE)
		begin_opening(look, lock, conn);
	else
		append_question(look, lock);
	if (look->conn.fd == RLK_SOCKET_NONE) {
		give_up(look);
		return;
	}
	look->asked = true;
	look->at_ms = rlk_clock_now_ms() + conn->server->io_timeout_ms;
	send_queued(look, lock);
}

/* Does this error say that the key has moved, or is about to? */
static bool is_elsewhere(const rlk_reply *reply)
{
	return rlk_reply_is_error(reply, "MOVED") || rlk_reply_is_error(reply, "ASK") ||
		rlk_reply_is_error(reply, "TRYAGAIN") || rlk_reply_is_error(reply, "READONLY");
}

static void judge(rlk_wait_check *look, const rlk_conn *conn, const rlk_reply *reply)
{
	if (reply->type != RLK_REPLY_INTEGER || reply->integer == 0) {
		bool elsewhere =
			conn->topology != NULL && is_elsewhere(reply); /* before the connection goes, and the reply with it */

		refused(look);
		if (elsewhere) {
			look->found = RLK_WAIT_FINDS_ELSEWHERE;
			look->failures = 0;
		}
		return;
	}
	look->heard_at_ms = rlk_clock_now_ms();
	look->asked = false;
	look->failures = 0;
	if (reply->integer < 0) {
		look->untold++;
		pause_for(look, look->untold * -reply->integer);
		if (look->untold == UNTOLD_MAX)
			look->found = RLK_WAIT_FINDS_UNTOLD;
		return;
	}
	look->untold = 0;
	pause_for(look, reply->integer);
	if (reply->integer > RLK_WAIT_CHECK_KEPT_MS)
		rlk_conn_close(&look->conn);
}

static void read_answers(rlk_wait_check *look, const rlk_conn *conn)
{
	const rlk_reply *reply;

	while (look->conn.fd != RLK_SOCKET_NONE && (reply = rlk_conn_try_read(&look->conn, NULL)) != NULL)
		judge(look, conn, reply);
	if (look->conn.handshake_refused)
		rlk_conn_close(&look->conn);
	/* An idle connection may end without harm: the next look opens another. */
	if (look->conn.fd == RLK_SOCKET_NONE && look->asked)
		refused(look);
}

void rlk_wait_check_advance(rlk_wait_check *look, const rlk_lock *lock, const rlk_conn *conn)
{
	if (look->conn.fd != RLK_SOCKET_NONE) {
		send_queued(look, lock);
		if (!look->connecting)
			read_answers(look, conn);
	}
	if (rlk_clock_now_ms() < look->at_ms)
		return;
	if (look->asked)
		timed_out(look);
	else
		ask(look, lock, conn);
}

void rlk_wait_check_end(rlk_wait_check *look, rlk_lock *lock, bool leave)
{
	lock->look_failures = look->failures;
	if (look->connecting)
		rlk_conn_close(&look->conn);
	if (leave)
		lock->beside = look->conn;
	else
		rlk_pool_put(&look->conn);
}
