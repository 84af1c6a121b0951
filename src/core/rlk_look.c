/*
 * rlk_look: see the header.
 */
#include "core/rlk_look.h"

#include "base/rlk_clock.h"
#include "base/rlk_random.h"
#include "core/rlk_lock_try.h"
#include "core/rlk_wait.h"
#include "wire/rlk_pool.h"

/* After waking somebody: did he come? */
#define AGAIN_MS 25

/* A server that has no connections left is asked less and less often. */
#define FAILURES_MAX 5

/* All waiters know when a claim ends. One of them is enough. */
#define CLAIM_SPREAD_MS 4

static int64_t pause_ms(void)
{
	return RLK_LOOK_EVERY_MS + rlk_random_spread(RLK_LOOK_EVERY_MS / 10 + 1);
}

void rlk_look_init(rlk_look *look)
{
	memset(look, 0, sizeof(*look));
	look->conn.fd = RLK_SOCKET_NONE;
	look->at_ms = RLK_NEVER;
}

/* Nothing is under way. */
static void pause_for(rlk_look *look, int64_t ms)
{
	look->at_ms = look->idle ? RLK_NEVER : rlk_clock_now_ms() + ms;
	if (look->idle) {
		rlk_conn_close(&look->conn);
		look->failures = 0;
	}
}

void rlk_look_begin(rlk_look *look, bool looks)
{
	look->idle = !looks;
	if (!look->asked && (look->failures == 0 || !looks))
		pause_for(look, pause_ms());
}

rlk_socket_beside rlk_look_waits_for(const rlk_look *look)
{
	rlk_socket_event event = look->connecting || look->conn.out.len > 0 ? RLK_SOCKET_WRITABLE : RLK_SOCKET_READABLE;

	if (!look->connecting && look->conn.tls != NULL)
		event = rlk_tls_wants(look->conn.tls);
	return (rlk_socket_beside){ look->conn.fd, event };
}

static void give_up(rlk_look *look)
{
	rlk_conn_close(&look->conn);
	look->connecting = look->asked = look->waking = false;
	look->introducing = 0;
	if (look->failures < FAILURES_MAX)
		look->failures++;
	pause_for(look, pause_ms() << look->failures);
}

/* The question goes along with what a connection says first, if that is still to be said. */
static void append_question(rlk_look *look, const rlk_lock *lock)
{
	rlk_str pttl[] = { RLK_STR("PTTL"), rlk_buf_str(&lock->key) };

	if (!rlk_conn_append(&look->conn, pttl, 2, NULL))
		rlk_conn_close(&look->conn);
}

static void opened(rlk_look *look, const rlk_lock *lock, rlk_opening_result result)
{
	look->connecting = result == RLK_OPENING_PENDING;
	if (result != RLK_OPENING_OPEN)
		return;
	look->introducing = look->opening.introduced;
	rlk_opening_settle(&look->conn);
	append_question(look, lock);
}

static void send_queued(rlk_look *look, const rlk_lock *lock)
{
	rlk_conn *conn = &look->conn;

	if (look->connecting) {
		if (rlk_socket_wait(conn->fd, RLK_SOCKET_WRITABLE, 0) != 1)
			return;
		opened(look, lock, rlk_opening_advance(&look->opening, conn, NULL));
	}
	/* The deadline is over: what does not leave at once stays. */
	if (conn->out.len > 0 && rlk_conn_flush(conn, 0, NULL) == RLK_YES && look->introducing > 0)
		rlk_buf_wipe(&conn->out); /* it held the password */
}

/* Starts to open a connection like that of the waiter, who may be between two himself. */
static void begin_opening(rlk_look *look, const rlk_lock *lock, const rlk_conn *conn)
{
	if (conn->fd == RLK_SOCKET_NONE || !rlk_opening_aim(&look->opening, conn, NULL))
		return;
	rlk_conn_init(&look->conn, conn->endpoint, conn->park);
	look->conn.pool = conn->pool;
	opened(look, lock, rlk_opening_begin(&look->opening, &look->conn, false, NULL));
}

static void ask(rlk_look *look, const rlk_lock *lock, const rlk_conn *conn)
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
	look->at_ms = rlk_clock_now_ms() + conn->endpoint->io_timeout_ms;
	send_queued(look, lock);
}

static void judge(rlk_look *look, const rlk_lock *lock, const rlk_reply *reply)
{
	int64_t pttl_ms = reply->type == RLK_REPLY_INTEGER ? reply->integer : -1, next_ms = pause_ms();

	if (reply->type == RLK_REPLY_ERROR) {
		give_up(look);
		return;
	}
	if (!look->waking && pttl_ms == -2 && rlk_lock_append_wake(lock, &look->conn)) {
		look->waking = true;
		send_queued(look, lock);
		return;
	}
	if (look->waking)
		next_ms = AGAIN_MS;
	else if (pttl_ms >= 0 && pttl_ms <= RLK_WAIT_CLAIM_MS)
		next_ms = pttl_ms + 1 + rlk_random_spread(CLAIM_SPREAD_MS);
	look->asked = look->waking = false;
	look->failures = 0;
	pause_for(look, next_ms);
}

static void read_answers(rlk_look *look, const rlk_lock *lock)
{
	const rlk_reply *reply;

	while (look->conn.fd != RLK_SOCKET_NONE && (reply = rlk_conn_take(&look->conn, NULL)) != NULL) {
		if (look->introducing == 0) {
			judge(look, lock, reply);
		} else if (reply->type == RLK_REPLY_ERROR) {
			give_up(look);
		} else {
			look->introducing--;
		}
	}
	/* An idle connection may end without harm: the next look opens another. */
	if (look->conn.fd == RLK_SOCKET_NONE && look->asked)
		give_up(look);
}

void rlk_look_advance(rlk_look *look, const rlk_lock *lock, const rlk_conn *conn)
{
	if (look->conn.fd != RLK_SOCKET_NONE) {
		send_queued(look, lock);
		if (!look->connecting)
			read_answers(look, lock);
	}
	if (rlk_clock_now_ms() < look->at_ms)
		return;
	if (look->asked)
		give_up(look);
	else
		ask(look, lock, conn);
}

/* It goes to the pool if it can be used again. */
static void dispose(rlk_conn *conn)
{
	if (conn->fd != RLK_SOCKET_NONE && conn->pool != NULL)
		rlk_pool_put(conn->pool, conn);
	else
		rlk_conn_close(conn);
}

void rlk_look_end(rlk_look *look, rlk_lock *lock, bool ours)
{
	if (look->connecting)
		rlk_conn_close(&look->conn);
	if (ours)
		lock->beside = look->conn;
	else
		dispose(&look->conn);
}

void rlk_look_let_go(rlk_lock *lock)
{
	dispose(&lock->beside);
}
