/*
 * rlk_member: see the header.
 *
 * Invariants between rounds: conn is open exactly when the state is OPENING or READY; a READY one awaits no reply, but may have
 * outstanding ones; every acquisition that may have been executed for nothing is among the doubts.
 */
#include "lock/rlk_member.h"

#include "net/rlk_pool.h"
#include "net/rlk_address.h"

int64_t rlk_member_connects_until_ms(const rlk_member *member)
{
	const rlk_server *server = member->conn.server;

	return member->since_ms +
		(server->connect_timeout_ms > server->io_timeout_ms ? server->connect_timeout_ms : server->io_timeout_ms);
}

bool rlk_member_is_lagging(const rlk_member *member, int64_t now_ms)
{
	return rlk_conn_has_unread(&member->conn) &&
		(now_ms - member->since_ms >= member->conn.server->io_timeout_ms / 2 || member->doubts.count > RLK_DOUBTS_MANY);
}

void rlk_member_set_error(rlk_member *member, rlk_error_code code, const char *text)
{
	rlk_error_clear(&member->error);
	rlk_error_set(&member->error, code, 0, "%s", text);
	member->error.retryable = true;
}

/* --- outstanding replies ------------------------------------------------------------------------ */

/* rlk_conn_try_read() calls this with a late answer, to a request of an earlier round. It is no vote, nor does it show that
 * the server has received the request of this round. Releases that were sent before it are confirmed. */
static void outstanding_answered(void *arg, const rlk_reply *reply)
{
	rlk_member *member = arg;

	if (reply == NULL || rlk_reader_is_empty(member->conn.reader))
		member->conn.usage = RLK_CONN_REUSED;
	if (reply == NULL)
		return;
	member->since_ms = rlk_clock_now_ms();
	rlk_doubts_answered(&member->doubts, &member->conn, reply);
}

void rlk_member_leave_outstanding(rlk_member *member, int64_t now_ms)
{
	if (!rlk_conn_has_unread(&member->conn))
		member->since_ms = now_ms;
	rlk_conn_leave_unread(&member->conn, (rlk_conn_listener){ outstanding_answered, member }, false);
}

void rlk_member_send_pending(rlk_member *member, int64_t now_ms)
{
	if (!rlk_doubts_ready(&member->doubts, &member->conn, now_ms))
		return;
	rlk_member_leave_outstanding(member, now_ms);
	rlk_conn_flush(&member->conn, RLK_DEADLINE_NOW, NULL);
}

/* --- connecting and giving up ------------------------------------------------------------------- */

void rlk_member_close(rlk_member *member)
{
	rlk_conn_close(&member->conn);
	if (member->query != NULL)
		rlk_address_end_query(member->query, &member->addresses, NULL);
	member->query = NULL;
	member->state = RLK_MEMBER_CLOSED;
}

static void close_connection(rlk_member *member)
{
	rlk_member_close(member);
	rlk_doubts_broke(&member->doubts);
}

void rlk_member_back_off(rlk_member *member, int64_t now_ms)
{
	close_connection(member);
	member->since_ms = now_ms;
	member->backoff_ms = member->backoff_ms == 0 ? RLK_MEMBER_BACKOFF_FIRST_MS : member->backoff_ms * 2;
	if (member->backoff_ms > RLK_MEMBER_BACKOFF_LAST_MS)
		member->backoff_ms = RLK_MEMBER_BACKOFF_LAST_MS;
}

void rlk_member_reconnect(rlk_member *member, int64_t now_ms)
{
	close_connection(member);
	rlk_member_connect(member, now_ms);
}

void rlk_member_give_up(rlk_member *member, int64_t now_ms)
{
	rlk_doubts_given_up(&member->doubts, &member->conn, now_ms);
	rlk_member_back_off(member, now_ms);
}

void rlk_member_time_out(rlk_member *member, int64_t now_ms)
{
	rlk_member_set_error(member, RLK_ERR_TIMEOUT, "the server did not answer in time");
	rlk_member_give_up(member, now_ms);
}

static void note_progress(rlk_member *member, rlk_conn_progress progress, const rlk_error *err, int64_t now_ms)
{
	if (progress == RLK_CONN_OPEN) {
		member->state = RLK_MEMBER_READY;
		member->since_ms = now_ms;
		member->backoff_ms = 0;
		rlk_member_send_pending(member, now_ms);
	} else if (progress == RLK_CONN_CONNECTING) {
		member->state = member->query != NULL ? RLK_MEMBER_RESOLVING : RLK_MEMBER_OPENING;
	} else {
		/* The name may have other addresses by now. */
		if (now_ms - member->resolved_at_ms >= RLK_MEMBER_RESOLVE_MS && rlk_address_has_name(member->conn.server))
			member->resolved_at_ms = 0;
		member->error = *err;
		rlk_member_back_off(member, now_ms);
	}
}

static rlk_conn_progress begin_connecting(rlk_member *member, int64_t now_ms, rlk_error *err)
{
	rlk_conn_when when = member->backoff_ms > 0 ? RLK_CONN_WHEN_ALIVE : RLK_CONN_WHEN_CONNECTED;

	return rlk_conn_begin(&member->conn, &member->addresses, when, now_ms + RLK_DOUBTS_BACKGROUND_MS, false, err);
}

/* Goes on with or without the answer of the name service. */
static rlk_conn_progress go_on_with_name(rlk_member *member, bool found, int64_t now_ms, rlk_error *err)
{
	if (member->query != NULL)
		return RLK_CONN_CONNECTING;
	if (!found)
		return RLK_CONN_FAILED;
	member->resolved_at_ms = now_ms;
	return begin_connecting(member, now_ms, err);
}

void rlk_member_connect(rlk_member *member, int64_t now_ms)
{
	rlk_conn_progress progress;
	rlk_error err;

	rlk_error_clear(&err);
	member->since_ms = now_ms;
	if (rlk_pool_take(&member->conn))
		progress = RLK_CONN_OPEN;
	else if (member->resolved_at_ms != 0)
		progress = begin_connecting(member, now_ms, &err);
	else
		progress = go_on_with_name(member,
			rlk_address_begin_query(member->conn.server, &member->query, &member->addresses, &err), now_ms, &err);
	note_progress(member, progress, &err, now_ms);
}

int64_t rlk_member_advance_at(const rlk_member *member)
{
	int64_t until_ms = rlk_member_connects_until_ms(member), least_ms = member->since_ms + RLK_DOUBTS_BACKGROUND_MS;

	if (!rlk_member_is_connecting(member))
		return RLK_NEVER;
	if (member->state == RLK_MEMBER_OPENING)
		return rlk_conn_advance_at(&member->conn);
	return until_ms > least_ms ? until_ms : least_ms;
}

rlk_socket_watched rlk_member_watched(const rlk_member *member)
{
	if (member->state == RLK_MEMBER_RESOLVING)
		return (rlk_socket_watched){ rlk_query_fd(member->query), RLK_SOCKET_READABLE, false };
	if (member->state == RLK_MEMBER_CLOSED || (member->state == RLK_MEMBER_READY && member->conn.expected.entries == 0))
		return (rlk_socket_watched){ RLK_SOCKET_NONE, 0, false };
	return (rlk_socket_watched){ member->conn.fd, rlk_conn_events(&member->conn), false };
}

void rlk_member_advance(rlk_member *member, bool ready, int64_t now_ms)
{
	rlk_query *query = member->query;
	rlk_conn_progress progress;
	rlk_error err;

	rlk_error_clear(&err);
	if (query == NULL) {
		progress = rlk_conn_advance(&member->conn, ready, &err);
	} else if (!ready && now_ms < rlk_member_advance_at(member)) {
		progress = RLK_CONN_CONNECTING;
	} else {
		member->query = NULL;
		progress = go_on_with_name(member, rlk_address_end_query(query, &member->addresses, &err), now_ms, &err);
	}
	note_progress(member, progress, &err, now_ms);
}

/* --- between rounds ----------------------------------------------------------------------------- */

/* Reads outstanding replies without waiting. false: the connection broke, or was given up. */
static bool read_outstanding(rlk_member *member, int64_t now_ms)
{
	rlk_error err;

	rlk_error_clear(&err);
	rlk_conn_try_read(&member->conn, &err);
	if (member->conn.handshake_refused) {
		member->error = err;
		rlk_member_give_up(member, now_ms);
		return false;
	}
	if (member->conn.fd != RLK_SOCKET_NONE)
		rlk_member_send_pending(member, now_ms);
	return member->conn.fd != RLK_SOCKET_NONE;
}

static bool is_overdue(const rlk_member *member, int64_t now_ms)
{
	return member->conn.expected.entries > 0 && now_ms - member->since_ms >= member->conn.server->io_timeout_ms;
}

static void maintain_connection(rlk_member *member, int64_t now_ms)
{
	/* The replies may have come long ago: nobody has read since. */
	bool behind = is_overdue(member, now_ms) || rlk_member_is_lagging(member, now_ms);
	bool unheard =
		member->conn.expected.entries == 0 && now_ms - member->conn.heard_at_ms >= RLK_CONN_FRESH_REPEATED_MS;
	/* The connection may have broken while a release was sent that nobody waits for. */
	bool stale =
		member->conn.fd == RLK_SOCKET_NONE || (unheard && !rlk_stream_is_idle(member->conn.fd, member->conn.tls));

	if (stale || (behind && !read_outstanding(member, now_ms) && member->state == RLK_MEMBER_READY))
		rlk_member_reconnect(member, now_ms);
	else if (behind && is_overdue(member, now_ms))
		rlk_member_time_out(member, now_ms);
}

void rlk_member_maintain(rlk_member *member, int64_t now_ms)
{
	/* A round whose fiber never went on awaits them still: they are no answers to the next one. */
	if (rlk_conn_is_awaited(&member->conn))
		rlk_member_leave_outstanding(member, member->conn.sent_at_ms);
	if (member->state == RLK_MEMBER_READY)
		maintain_connection(member, now_ms);
	if (rlk_member_is_connecting(member) && now_ms >= rlk_member_advance_at(member))
		rlk_member_advance(member, false, now_ms);
	if (member->state == RLK_MEMBER_CLOSED && now_ms >= member->since_ms + member->backoff_ms)
		rlk_member_connect(member, now_ms);
}

void rlk_member_end(rlk_member *member, int64_t now_ms)
{
	bool open = member->state == RLK_MEMBER_READY && read_outstanding(member, now_ms);

	/* The connection broke: pending releases need another one. */
	if (!open && !rlk_member_is_connecting(member)) {
		close_connection(member);
		if (rlk_doubts_are_due(&member->doubts))
			rlk_member_connect(member, now_ms);
		if (member->state == RLK_MEMBER_READY)
			rlk_conn_abandon(&member->conn, now_ms + RLK_DOUBTS_BACKGROUND_MS);
	}
	if (open) {
		if (member->conn.pool == NULL && member->conn.expected.entries > 0)
			rlk_conn_abandon(&member->conn, now_ms + RLK_DOUBTS_BACKGROUND_MS);
		rlk_expected_forget(&member->conn.expected, member);
		if (member->conn.pool != NULL)
			rlk_pool_put(&member->conn);
	}
	/* They are sent as soon as it is connected; nobody reads the replies. */
	if (member->state == RLK_MEMBER_OPENING && rlk_doubts_ready(&member->doubts, &member->conn, now_ms))
		rlk_conn_abandon(&member->conn, now_ms + RLK_DOUBTS_BACKGROUND_MS);
	rlk_member_close(member);
	rlk_doubts_end(&member->doubts);
}
