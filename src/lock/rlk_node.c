/*
 * rlk_node: see the header.
 *
 * Invariants between rounds: conn is open exactly when the state is not CLOSED;
 * a READY one awaits `late` replies; whatever may have been executed without an
 * answer is in `pending`.
 */
#include "lock/rlk_node.h"

#include "base/rlk_clock.h"
#include "net/rlk_pool.h"
#include "net/rlk_resolve.h"
#include "net/rlk_stream.h"
#include "lock/rlk_scripts.h"
#include "redis/rlk_dialect.h"

void rlk_node_init(rlk_node *node, const rlk_server *server, rlk_drain_list *drain, rlk_pool *pool)
{
	rlk_conn_init(&node->conn, server, drain);
	node->conn.pool = pool;
	rlk_conn_init(&node->aside, server, drain);
}

static void forget_pending(rlk_node *node)
{
	rlk_pending_forget(&node->pending, false);
	rlk_pending_forget(&node->pending, true);
}

void rlk_node_after_fork(rlk_node *node)
{
	rlk_conn_close(&node->conn);
	rlk_conn_close(&node->aside);
	node->state = RLK_NODE_CLOSED;
	forget_pending(node);
}

int rlk_node_patience_ms(const rlk_node *node)
{
	const rlk_server *server = node->conn.server;

	return server->connect_timeout_ms > server->io_timeout_ms ? server->connect_timeout_ms : server->io_timeout_ms;
}

bool rlk_node_is_lagging(const rlk_node *node, int64_t now_ms)
{
	return node->late > 0 &&
		(now_ms - node->late_since_ms >= node->conn.server->io_timeout_ms / 2 || node->pending.count > RLK_PENDING_MAX);
}

void rlk_node_note_error(rlk_node *node, rlk_error_code code, const char *text)
{
	rlk_error_clear(&node->error);
	rlk_error_set(&node->error, code, 0, "%s", text);
	node->error.retryable = true;
}

/* --- pending releases --------------------------------------------------------------------------- */

/* With which answer all is settled that was asked by now. */
static uint64_t last_answer(const rlk_node *node)
{
	return node->answers + node->conn.awaited - node->conn.handshake;
}

void rlk_node_add_pending(rlk_node *node, const rlk_release *release, bool held, bool said)
{
	said = said && node->state == RLK_NODE_READY && node->conn.fd != RLK_SOCKET_NONE;
	rlk_pending_add(&node->pending, release, held, said ? last_answer(node) : RLK_PENDING_UNSAID);
}

void rlk_node_leave_unread(rlk_node *node, int64_t now_ms)
{
	if (node->late == 0)
		node->late_since_ms = now_ms;
	node->late = node->conn.awaited - node->conn.handshake;
	node->trying = false;
}

void rlk_node_say_pending(rlk_node *node, int64_t now_ms)
{
	bool said = false;

	rlk_pending_expire(&node->pending, now_ms);
	for (rlk_pending *pending = node->pending.first; pending != NULL; pending = pending->next) {
		if (pending->aside || pending->held || pending->settled_with != RLK_PENDING_UNSAID)
			continue;
		if (rlk_node_append_release(&node->conn, rlk_pending_key(pending), rlk_pending_token(pending))) {
			pending->settled_with = last_answer(node);
			said = true;
		}
	}
	if (!said)
		return;
	rlk_node_leave_unread(node, now_ms);
	rlk_conn_flush(&node->conn, 0, NULL);
}

bool rlk_node_lock_ends(rlk_node *node, const rlk_release *release, bool follows)
{
	bool found = false;

	for (rlk_pending *pending = node->pending.first; pending != NULL; pending = pending->next) {
		if (!pending->held || !rlk_str_equal(rlk_pending_token(pending), release->token))
			continue;
		found = true;
		pending->held = false;
		if (!pending->aside && !follows)
			pending->settled_with = RLK_PENDING_UNSAID;
		else if (pending->aside && node->aside.fd != RLK_SOCKET_NONE &&
			rlk_node_append_release(&node->aside, release->key, release->token))
			rlk_conn_flush(&node->aside, 0, NULL);
	}
	return found;
}

/* Lets what was sent on the connection laid aside arrive, and is done with it. */
static void give_up_aside(rlk_node *node, int64_t until_ms)
{
	rlk_conn_abandon(&node->aside, until_ms);
	rlk_pending_forget(&node->pending, true);
}

static int64_t pending_until(const rlk_node *node, bool aside, bool *held, int64_t now_ms)
{
	return rlk_pending_until(&node->pending, aside, held, now_ms, now_ms + RLK_NODE_BACKGROUND_MS);
}

/* --- requests ------------------------------------------------------------------------------------ */

bool rlk_node_append(rlk_node *node, const rlk_request *request, rlk_error *err)
{
	return rlk_request_append(request, &node->conn, node->by_text || request->script == &rlk_script_release, err);
}

bool rlk_node_append_release(rlk_conn *conn, rlk_str key, rlk_str token)
{
	const rlk_request release = { &rlk_script_release, &key, &token, 1, 1, true };

	return rlk_request_append(&release, conn, true, NULL);
}

bool rlk_node_must_try(const rlk_node *node)
{
	return !node->conn.releases && node->conn.server->password != NULL && !rlk_dialect_takes_scripts(node->conn.server);
}

void rlk_node_understood(rlk_node *node)
{
	node->conn.releases = true;
	if (!node->conn.refuses_scripts)
		rlk_dialect_note_scripts(node->conn.server);
}

/* --- from open to given up ---------------------------------------------------------------------- */

static void close_node(rlk_node *node)
{
	rlk_conn_close(&node->conn);
	node->state = RLK_NODE_CLOSED;
	node->late = 0;
	node->trying = false;
	rlk_pending_broke(&node->pending);
}

void rlk_node_back_off(rlk_node *node, int64_t now_ms)
{
	close_node(node);
	node->suspect = true;
	node->backoff_ms = node->backoff_ms == 0 ? RLK_NODE_BACKOFF_FIRST_MS : node->backoff_ms * 2;
	if (node->backoff_ms > RLK_NODE_BACKOFF_LAST_MS)
		node->backoff_ms = RLK_NODE_BACKOFF_LAST_MS;
	node->retry_at_ms = now_ms + node->backoff_ms;
}

void rlk_node_start_over(rlk_node *node, int64_t now_ms)
{
	close_node(node);
	rlk_node_dial(node, now_ms);
}

/* The connection is drained, or else laid aside, if there is room: one such connection for a server is enough for
 * anything but bad luck. One that is reset is as good as broken. */
void rlk_node_give_up(rlk_node *node, int64_t now_ms)
{
	bool held;
	int64_t until_ms = pending_until(node, false, &held, now_ms);

	if (node->resets) {
		rlk_conn_reset(&node->conn);
		rlk_node_back_off(node, now_ms);
		return;
	}
	node->gave_up_at_ms = now_ms;
	rlk_pending_unsay(&node->pending); /* of an acquisition only the question was sent by now */
	rlk_node_say_pending(node, now_ms);
	if (held) {
		give_up_aside(node, until_ms);
		node->aside = rlk_conn_lay_aside(&node->conn);
		rlk_pending_lay_aside(&node->pending);
	} else {
		rlk_conn_abandon(&node->conn, until_ms);
		rlk_pending_forget(&node->pending, false);
	}
	rlk_node_back_off(node, now_ms);
}

void rlk_node_give_up_silent(rlk_node *node, int64_t now_ms)
{
	rlk_node_note_error(node, RLK_ERR_TIMEOUT, "the server did not answer in time");
	rlk_node_give_up(node, now_ms);
}

static void become_ready(rlk_node *node, int64_t now_ms)
{
	node->state = RLK_NODE_READY;
	node->conn.awaited += node->conn.unread;
	node->conn.unread = 0;
	node->late = node->conn.awaited - node->conn.handshake;
	node->late_since_ms = now_ms;
	node->answers = 0;
	node->resets = false;
	if (node->proves)
		node->backoff_ms = 0;
	node->suspect = false;
	rlk_node_say_pending(node, now_ms);
}

static void dialled(rlk_node *node, rlk_conn_progress progress, const rlk_error *err, int64_t now_ms)
{
	if (progress == RLK_CONN_OPEN) {
		become_ready(node, now_ms);
	} else if (progress == RLK_CONN_PENDING) {
		node->state = RLK_NODE_OPENING;
	} else {
		/* The name may mean other addresses by now. */
		if (now_ms - node->resolved_at_ms >= RLK_NODE_RESOLVE_MS && rlk_resolve_is_needed(node->conn.server))
			node->resolved_at_ms = 0;
		node->error = *err;
		rlk_node_back_off(node, now_ms);
	}
}

static bool resolve(rlk_node *node, int64_t now_ms, rlk_error *err)
{
	const rlk_server *server = node->conn.server;

	if (node->resolved_at_ms != 0)
		return true;
	if (!rlk_resolve(server, rlk_clock_add(now_ms, server->connect_timeout_ms), &node->addresses, err))
		return false;
	node->resolved_at_ms = rlk_clock_now_ms();
	return true;
}

void rlk_node_dial(rlk_node *node, int64_t now_ms)
{
	rlk_conn_when when = node->suspect ? RLK_CONN_WHEN_ALIVE : RLK_CONN_WHEN_CONNECTED;
	rlk_conn_progress progress = RLK_CONN_FAILED;
	rlk_error err;

	rlk_error_clear(&err);
	node->dialled_at_ms = now_ms;
	node->proves = false;
	if (node->conn.pool != NULL && rlk_pool_take(node->conn.pool, &node->conn))
		progress = RLK_CONN_OPEN;
	else if (resolve(node, now_ms, &err)) {
		node->proves = node->suspect;
		progress = rlk_conn_begin(&node->conn, &node->addresses, when, now_ms + RLK_NODE_BACKGROUND_MS, false, &err);
	}
	dialled(node, progress, &err, now_ms);
}

void rlk_node_dial_on(rlk_node *node, bool ready, int64_t now_ms)
{
	rlk_error err;

	rlk_error_clear(&err);
	dialled(node, rlk_conn_advance(&node->conn, ready, &err), &err, now_ms);
}

/* --- answers ------------------------------------------------------------------------------------ */

void rlk_node_answered(rlk_node *node)
{
	node->answers++;
	node->backoff_ms = 0;
}

void rlk_node_take_late(rlk_node *node, const rlk_reply *reply, int64_t now_ms)
{
	node->late--;
	node->late_since_ms = now_ms;
	/* That it has heard the question of this round remains to be seen. */
	if (node->late == 0 && rlk_reader_is_empty(node->conn.reader))
		node->conn.peer = RLK_CONN_PEER_TRUSTED;
	if (reply->type == RLK_REPLY_ERROR && rlk_dialect_learn(&node->conn, reply))
		rlk_pending_unsay(&node->pending);
	else if (reply->type == RLK_REPLY_INTEGER)
		rlk_node_understood(node);
	rlk_pending_answered(&node->pending, node->answers);
}

/* Reads late answers without waiting. false: the connection is over, or given up. */
static bool collect(rlk_node *node, int64_t now_ms)
{
	rlk_error err;

	while (node->conn.awaited > 0) {
		const rlk_reply *reply;

		rlk_error_clear(&err);
		reply = rlk_conn_take(&node->conn, &err);
		if (node->conn.refused) {
			node->error = err;
			rlk_node_give_up(node, now_ms);
			return false;
		}
		if (reply == NULL)
			break;
		rlk_node_answered(node);
		rlk_node_take_late(node, reply, now_ms);
	}
	if (node->conn.fd != RLK_SOCKET_NONE)
		rlk_node_say_pending(node, now_ms);
	return node->conn.fd != RLK_SOCKET_NONE;
}

/* --- between rounds ----------------------------------------------------------------------------- */

static bool is_overdue(const rlk_node *node, int64_t now_ms)
{
	return node->conn.awaited > 0 && now_ms - node->late_since_ms >= node->conn.server->io_timeout_ms;
}

static void look_after_ready(rlk_node *node, int64_t now_ms)
{
	/* The answers may have been here for long: nobody has read since. */
	bool behind = is_overdue(node, now_ms) || rlk_node_is_lagging(node, now_ms);
	bool unheard = node->conn.awaited == 0 && now_ms - node->conn.heard_at_ms >= RLK_CONN_FRESH_REPEATED_MS;
	/* It may have broken when something was said that nobody waits for. */
	bool stale = node->conn.fd == RLK_SOCKET_NONE || (unheard && !rlk_stream_is_idle(node->conn.fd, node->conn.tls));

	if (stale || (behind && !collect(node, now_ms) && node->state == RLK_NODE_READY))
		rlk_node_start_over(node, now_ms);
	else if (behind && is_overdue(node, now_ms))
		rlk_node_give_up_silent(node, now_ms);
}

void rlk_node_look_after(rlk_node *node, int64_t now_ms)
{
	if (node->aside.fd != RLK_SOCKET_NONE) {
		bool held;
		int64_t until_ms = pending_until(node, true, &held, now_ms);

		if (!held)
			give_up_aside(node, until_ms);
	}
	if (node->state == RLK_NODE_READY)
		look_after_ready(node, now_ms);
	if (node->state == RLK_NODE_OPENING && now_ms >= rlk_conn_turn_until(&node->conn))
		rlk_node_dial_on(node, false, now_ms);
	if (node->state == RLK_NODE_CLOSED && now_ms >= node->retry_at_ms)
		rlk_node_dial(node, now_ms);
}

void rlk_node_end(rlk_node *node, int64_t now_ms)
{
	const rlk_conn_listener nobody = { NULL, NULL };
	bool open = node->state == RLK_NODE_READY && collect(node, now_ms);

	/* Its connection broke: what was said there went nowhere. */
	if (!open && node->state != RLK_NODE_OPENING) {
		close_node(node);
		if (rlk_pending_is_unsaid(&node->pending))
			rlk_node_dial(node, now_ms);
		if (node->state == RLK_NODE_READY)
			rlk_conn_abandon(&node->conn, now_ms + RLK_NODE_BACKGROUND_MS);
	}
	if (open) {
		if (node->conn.pool == NULL && node->conn.awaited > 0)
			rlk_conn_abandon(&node->conn, now_ms + RLK_NODE_BACKGROUND_MS);
		rlk_conn_leave_unread(&node->conn, nobody, false);
		if (node->conn.pool != NULL)
			rlk_pool_put_unread(node->conn.pool, &node->conn);
	}
	if (node->state == RLK_NODE_OPENING && node->pending.count > 0) {
		/* Said as soon as it is connected, though nobody will be there to hear the answer. */
		rlk_node_say_pending(node, now_ms);
		rlk_conn_abandon(&node->conn, now_ms + RLK_NODE_BACKGROUND_MS);
	}
	rlk_conn_close(&node->conn);
	rlk_conn_abandon(&node->aside, now_ms + RLK_NODE_BACKGROUND_MS);
	forget_pending(node);
}
