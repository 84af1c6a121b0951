/*
 * rlk_member: see the header.
 *
 * Invariants between rounds: conn is open exactly when the state is not CLOSED;
 * a READY one awaits `late` replies; whatever may have been executed without an
 * answer is in `pending`.
 */
#include "lock/rlk_member.h"

#include "base/rlk_os.h"
#include "lock/rlk_scripts.h"
#include "net/rlk_pool.h"
#include "net/rlk_address.h"
#include "net/rlk_tls.h"
#include "redis/rlk_dialect.h"

void rlk_member_init(rlk_member *member, const rlk_server *server, rlk_drain_list *drain, rlk_pool *pool)
{
	rlk_conn_init(&member->conn, server, drain);
	member->conn.pool = pool;
	rlk_conn_init(&member->aside, server, drain);
}

static void forget_pending(rlk_member *member)
{
	rlk_pending_forget(&member->pending, false);
	rlk_pending_forget(&member->pending, true);
}

void rlk_member_after_fork(rlk_member *member)
{
	rlk_conn_close(&member->conn);
	rlk_conn_close(&member->aside);
	member->state = RLK_MEMBER_CLOSED;
	forget_pending(member);
}

int rlk_member_patience_ms(const rlk_member *member)
{
	const rlk_server *server = member->conn.server;

	return server->connect_timeout_ms > server->io_timeout_ms ? server->connect_timeout_ms : server->io_timeout_ms;
}

bool rlk_member_is_lagging(const rlk_member *member, int64_t now_ms)
{
	return member->late > 0 &&
		(now_ms - member->late_since_ms >= member->conn.server->io_timeout_ms / 2 ||
			member->pending.count > RLK_PENDING_MAX);
}

void rlk_member_note_error(rlk_member *member, rlk_error_code code, const char *text)
{
	rlk_error_clear(&member->error);
	rlk_error_set(&member->error, code, 0, "%s", text);
	member->error.retryable = true;
}

/* --- pending releases --------------------------------------------------------------------------- */

/* With which answer all is settled that was asked by now. */
static uint64_t last_answer(const rlk_member *member)
{
	return member->answers + member->conn.awaited - member->conn.handshake;
}

void rlk_member_add_pending(rlk_member *member, const rlk_release *release, bool held, bool said)
{
	said = said && member->state == RLK_MEMBER_READY && member->conn.fd != RLK_SOCKET_NONE;
	rlk_pending_add(&member->pending, release, held, said ? last_answer(member) : RLK_PENDING_UNSAID);
}

void rlk_member_leave_unread(rlk_member *member, int64_t now_ms)
{
	if (member->late == 0)
		member->late_since_ms = now_ms;
	member->late = member->conn.awaited - member->conn.handshake;
	member->trying = false;
}

void rlk_member_say_pending(rlk_member *member, int64_t now_ms)
{
	bool said = false;

	rlk_pending_expire(&member->pending, now_ms);
	for (rlk_pending *pending = member->pending.first; pending != NULL; pending = pending->next) {
		if (pending->aside || pending->held || pending->settled_with != RLK_PENDING_UNSAID)
			continue;
		if (rlk_member_append_release(&member->conn, rlk_pending_key(pending), rlk_pending_token(pending))) {
			pending->settled_with = last_answer(member);
			said = true;
		}
	}
	if (!said)
		return;
	rlk_member_leave_unread(member, now_ms);
	rlk_conn_flush(&member->conn, 0, NULL);
}

bool rlk_member_lock_ends(rlk_member *member, const rlk_release *release, bool follows)
{
	bool said = false;

	for (rlk_pending *pending = member->pending.first; pending != NULL; pending = pending->next) {
		if (!pending->held || !rlk_str_equal(rlk_pending_token(pending), release->token))
			continue;
		pending->held = false;
		if (!pending->aside && !follows)
			pending->settled_with = RLK_PENDING_UNSAID;
		else if (pending->aside && member->aside.fd != RLK_SOCKET_NONE &&
			rlk_member_append_release(&member->aside, release->key, release->token)) {
			rlk_conn_flush(&member->aside, 0, NULL);
			said = true;
		}
	}
	return said;
}

/* Lets what was sent on the connection laid aside arrive, and is done with it. */
static void give_up_aside(rlk_member *member, int64_t until_ms)
{
	rlk_conn_abandon(&member->aside, until_ms);
	rlk_pending_forget(&member->pending, true);
}

static int64_t pending_until(const rlk_member *member, bool aside, bool *held, int64_t now_ms)
{
	return rlk_pending_until(&member->pending, aside, held, now_ms, now_ms + RLK_MEMBER_BACKGROUND_MS);
}

/* --- requests ------------------------------------------------------------------------------------ */

bool rlk_member_append(rlk_member *member, const rlk_request *request, rlk_error *err)
{
	member->wording.by_text = member->wording.by_text || request->script == &rlk_script_release;
	return rlk_request_append(request, &member->conn, &member->wording, err);
}

bool rlk_member_append_release(rlk_conn *conn, rlk_str key, rlk_str token)
{
	const rlk_request release = { &rlk_script_release, &key, &token, 1, 1, true };
	rlk_wording by_text = { true, RLK_DIALECT_NEW };

	return rlk_request_append(&release, conn, &by_text, NULL);
}

bool rlk_member_must_try(const rlk_member *member)
{
	return !member->conn.can_release && member->conn.server->password != NULL &&
		!rlk_dialect_takes_scripts(member->conn.server);
}

void rlk_member_understood(rlk_member *member)
{
	member->conn.can_release = true;
	if (!member->conn.refuses_scripts)
		rlk_dialect_note_scripts(member->conn.server);
}

/* --- from open to given up ---------------------------------------------------------------------- */

static void close_node(rlk_member *member)
{
	rlk_conn_close(&member->conn);
	member->state = RLK_MEMBER_CLOSED;
	member->late = 0;
	member->trying = false;
	rlk_pending_broke(&member->pending);
}

void rlk_member_back_off(rlk_member *member, int64_t now_ms)
{
	close_node(member);
	member->suspect = true;
	member->backoff_ms = member->backoff_ms == 0 ? RLK_MEMBER_BACKOFF_FIRST_MS : member->backoff_ms * 2;
	if (member->backoff_ms > RLK_MEMBER_BACKOFF_LAST_MS)
		member->backoff_ms = RLK_MEMBER_BACKOFF_LAST_MS;
	member->retry_at_ms = now_ms + member->backoff_ms;
}

void rlk_member_start_over(rlk_member *member, int64_t now_ms)
{
	close_node(member);
	rlk_member_connect(member, now_ms);
}

/* The connection is drained, or else laid aside, if there is room: one such connection for a server is enough for
 * anything but bad luck. One that is reset is as good as broken. */
void rlk_member_give_up(rlk_member *member, int64_t now_ms)
{
	bool held;
	int64_t until_ms = pending_until(member, false, &held, now_ms);

	if (member->resets) {
		rlk_conn_reset(&member->conn);
		rlk_member_back_off(member, now_ms);
		return;
	}
	member->gave_up_at_ms = now_ms;
	rlk_pending_unsay(&member->pending); /* of an acquisition only the request was sent by now */
	rlk_member_say_pending(member, now_ms);
	if (held) {
		give_up_aside(member, until_ms);
		member->aside = rlk_conn_set_aside(&member->conn);
		rlk_pending_lay_aside(&member->pending);
	} else {
		rlk_conn_abandon(&member->conn, until_ms);
		rlk_pending_forget(&member->pending, false);
	}
	rlk_member_back_off(member, now_ms);
}

void rlk_member_give_up_silent(rlk_member *member, int64_t now_ms)
{
	rlk_member_note_error(member, RLK_ERR_TIMEOUT, "the server did not answer in time");
	rlk_member_give_up(member, now_ms);
}

static void become_ready(rlk_member *member, int64_t now_ms)
{
	member->state = RLK_MEMBER_READY;
	member->conn.awaited += member->conn.unread;
	member->conn.unread = 0;
	member->late = member->conn.awaited - member->conn.handshake;
	member->late_since_ms = now_ms;
	member->answers = 0;
	member->resets = false;
	if (member->proves)
		member->backoff_ms = 0;
	member->suspect = false;
	rlk_member_say_pending(member, now_ms);
}

static void note_progress(rlk_member *member, rlk_conn_progress progress, const rlk_error *err, int64_t now_ms)
{
	if (progress == RLK_CONN_OPEN) {
		become_ready(member, now_ms);
	} else if (progress == RLK_CONN_PENDING) {
		member->state = RLK_MEMBER_OPENING;
	} else {
		/* The name may mean other addresses by now. */
		if (now_ms - member->resolved_at_ms >= RLK_MEMBER_RESOLVE_MS && rlk_address_has_name(member->conn.server))
			member->resolved_at_ms = 0;
		member->error = *err;
		rlk_member_back_off(member, now_ms);
	}
}

static bool resolve(rlk_member *member, int64_t now_ms, rlk_error *err)
{
	const rlk_server *server = member->conn.server;

	if (member->resolved_at_ms != 0)
		return true;
	if (!rlk_address_resolve(server, rlk_clock_add(now_ms, server->connect_timeout_ms), &member->addresses, err))
		return false;
	member->resolved_at_ms = rlk_clock_now_ms();
	return true;
}

void rlk_member_connect(rlk_member *member, int64_t now_ms)
{
	rlk_conn_when when = member->suspect ? RLK_CONN_WHEN_ALIVE : RLK_CONN_WHEN_CONNECTED;
	rlk_conn_progress progress = RLK_CONN_FAILED;
	rlk_error err;

	rlk_error_clear(&err);
	member->connecting_since_ms = now_ms;
	member->proves = false;
	if (rlk_pool_take(&member->conn))
		progress = RLK_CONN_OPEN;
	else if (resolve(member, now_ms, &err)) {
		member->proves = member->suspect;
		progress =
			rlk_conn_begin(&member->conn, &member->addresses, when, now_ms + RLK_MEMBER_BACKGROUND_MS, false, &err);
	}
	note_progress(member, progress, &err, now_ms);
}

void rlk_member_go_on(rlk_member *member, bool ready, int64_t now_ms)
{
	rlk_error err;

	rlk_error_clear(&err);
	note_progress(member, rlk_conn_advance(&member->conn, ready, &err), &err, now_ms);
}

/* --- answers ------------------------------------------------------------------------------------ */

void rlk_member_answered(rlk_member *member)
{
	member->answers++;
	member->backoff_ms = 0;
}

void rlk_member_take_late(rlk_member *member, const rlk_reply *reply, int64_t now_ms)
{
	member->late--;
	member->late_since_ms = now_ms;
	/* That it has heard the request of this round remains to be seen. */
	if (member->late == 0 && rlk_reader_is_empty(member->conn.reader))
		member->conn.usage = RLK_CONN_REUSED;
	if (reply->type == RLK_REPLY_ERROR && rlk_dialect_learn(&member->conn, reply))
		rlk_pending_unsay(&member->pending);
	else if (reply->type == RLK_REPLY_INTEGER)
		rlk_member_understood(member);
	rlk_pending_answered(&member->pending, member->answers);
}

/* Reads late answers without waiting. false: the connection is over, or given up. */
static bool collect(rlk_member *member, int64_t now_ms)
{
	rlk_error err;

	while (member->conn.awaited > 0) {
		const rlk_reply *reply;

		rlk_error_clear(&err);
		reply = rlk_conn_try_read(&member->conn, &err);
		if (member->conn.handshake_refused) {
			member->error = err;
			rlk_member_give_up(member, now_ms);
			return false;
		}
		if (reply == NULL)
			break;
		rlk_member_answered(member);
		rlk_member_take_late(member, reply, now_ms);
	}
	if (member->conn.fd != RLK_SOCKET_NONE)
		rlk_member_say_pending(member, now_ms);
	return member->conn.fd != RLK_SOCKET_NONE;
}

/* --- between rounds ----------------------------------------------------------------------------- */

static bool is_overdue(const rlk_member *member, int64_t now_ms)
{
	return member->conn.awaited > 0 && now_ms - member->late_since_ms >= member->conn.server->io_timeout_ms;
}

static void look_after_ready(rlk_member *member, int64_t now_ms)
{
	/* The answers may have been here for long: nobody has read since. */
	bool behind = is_overdue(member, now_ms) || rlk_member_is_lagging(member, now_ms);
	bool unheard = member->conn.awaited == 0 && now_ms - member->conn.heard_at_ms >= RLK_CONN_FRESH_REPEATED_MS;
	/* It may have broken when something was said that nobody waits for. */
	bool stale =
		member->conn.fd == RLK_SOCKET_NONE || (unheard && !rlk_stream_is_idle(member->conn.fd, member->conn.tls));

	if (stale || (behind && !collect(member, now_ms) && member->state == RLK_MEMBER_READY))
		rlk_member_start_over(member, now_ms);
	else if (behind && is_overdue(member, now_ms))
		rlk_member_give_up_silent(member, now_ms);
}

void rlk_member_look_after(rlk_member *member, int64_t now_ms)
{
	if (member->aside.fd != RLK_SOCKET_NONE) {
		bool held;
		int64_t until_ms = pending_until(member, true, &held, now_ms);

		if (!held)
			give_up_aside(member, until_ms);
	}
	if (member->state == RLK_MEMBER_READY)
		look_after_ready(member, now_ms);
	if (member->state == RLK_MEMBER_OPENING && now_ms >= rlk_conn_advance_at(&member->conn))
		rlk_member_go_on(member, false, now_ms);
	if (member->state == RLK_MEMBER_CLOSED && now_ms >= member->retry_at_ms)
		rlk_member_connect(member, now_ms);
}

void rlk_member_end(rlk_member *member, int64_t now_ms)
{
	const rlk_conn_listener nobody = { NULL, NULL };
	bool open = member->state == RLK_MEMBER_READY && collect(member, now_ms);

	/* Its connection broke: what was said there went nowhere. */
	if (!open && member->state != RLK_MEMBER_OPENING) {
		close_node(member);
		if (rlk_pending_is_unsaid(&member->pending))
			rlk_member_connect(member, now_ms);
		if (member->state == RLK_MEMBER_READY)
			rlk_conn_abandon(&member->conn, now_ms + RLK_MEMBER_BACKGROUND_MS);
	}
	if (open) {
		if (member->conn.pool == NULL && member->conn.awaited > 0)
			rlk_conn_abandon(&member->conn, now_ms + RLK_MEMBER_BACKGROUND_MS);
		rlk_conn_leave_unread(&member->conn, nobody, false);
		if (member->conn.pool != NULL)
			rlk_pool_put_unread(&member->conn);
	}
	if (member->state == RLK_MEMBER_OPENING && member->pending.count > 0) {
		/* Said as soon as it is connected, though nobody will be there to hear the answer. */
		rlk_member_say_pending(member, now_ms);
		rlk_conn_abandon(&member->conn, now_ms + RLK_MEMBER_BACKGROUND_MS);
	}
	rlk_conn_close(&member->conn);
	rlk_conn_abandon(&member->aside, now_ms + RLK_MEMBER_BACKGROUND_MS);
	forget_pending(member);
}
