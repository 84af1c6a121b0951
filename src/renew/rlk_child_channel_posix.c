/*
 * rlk_child_channel_posix: the child's connection to one server.
 *
 * Requests of many locks are gathered and leave in one write. Replies come back in order. If the connection breaks or stays
 * silent, whatever is under way on it is answered with NULL. Nothing is allocated, but for TLS, which only a child with a heap
 * speaks.
 *
 * Invariant: ops holds exactly the requests that the connection awaits replies
 * to, oldest first, the handshake apart.
 */
#include "renew/rlk_child_own.h"

#include "lock/rlk_scripts.h"

/* So many replies at once are more than all locks can have caused. */
#define REPLIES_MAX (2 * RLK_SLOTS_MAX)

static const rlk_op *oldest(const rlk_channel *channel)
{
	return &channel->ops[channel->ops_first];
}

static void add_op(rlk_channel *channel, const rlk_op *op)
{
	channel->ops[(channel->ops_first + channel->ops_count++) % RLK_CHANNEL_OPS_MAX] = *op;
}

static void drop_oldest_op(rlk_channel *channel)
{
	channel->ops_first = (channel->ops_first + 1) % RLK_CHANNEL_OPS_MAX;
	channel->ops_count--;
}

/* What was known of the connection is void, and what was under way on it gets no answer. */
static void end_connection(rlk_child *c, rlk_channel *channel)
{
	/* Some proxies hang up on what they do not know. */
	channel->shuns_tracking = channel->tracking != RLK_TRACKING_NEW && !channel->proved;
	channel->tracking = RLK_TRACKING_NEW;
	channel->proved = false;
	memset(channel->knows, 0, sizeof(channel->knows));
	while (channel->ops_count > 0) {
		rlk_op op = *oldest(channel);

		drop_oldest_op(channel);
		rlk_child_answered(c, channel, &op, NULL);
	}
}

/* The connection is closed. If it had worked, it is opened again at once. If not, there is a pause: a server that accepts
 * and hangs up (too many clients) would keep the child spinning. */
static void broke(rlk_child *c, rlk_channel *channel, int64_t now_ms)
{
	rlk_area_server *origin = rlk_area_server_of_tls(channel->server);

	channel->retry_at_ms = now_ms;
	if (!channel->proved) {
		channel->retry_at_ms += rlk_child_longer_pause(&channel->backoff_ms, RLK_BACKOFF_FIRST_MS, RLK_BACKOFF_LAST_MS);
		/* The parent may resolve the name again, and load new certificates. */
		if (rlk_area_server_has_name(channel->server) || channel->server->server.transport == RLK_TRANSPORT_TLS)
			atomic_store(&origin->state, RLK_ENTRY_ASKED);
	}
	channel->closed_at_ms = now_ms;
	end_connection(c, channel);
}

static void close_channel(rlk_child *c, rlk_channel *channel, int64_t now_ms)
{
	/* In TLS 1.3 a server that does not like our certificate says so after the handshake. */
	if (channel->conn.tls != NULL && !channel->proved)
		channel->conn.address++;
	rlk_conn_close(&channel->conn);
	broke(c, channel, now_ms);
}

void rlk_channel_give_up(rlk_child *c, rlk_channel *channel)
{
	rlk_conn_close(&channel->conn);
	channel->retry_at_ms = channel->closed_at_ms = 0;
	end_connection(c, channel);
}

void rlk_channel_open(rlk_child *c, rlk_channel *channel, rlk_area_server *server, int64_t connect_ms, int64_t now_ms)
{
	rlk_conn *conn = &channel->conn;
	rlk_conn_when when = server->kind == RLK_TOPOLOGY_SENTINEL ? RLK_CONN_WHEN_MASTER : RLK_CONN_WHEN_ANSWERED;
	rlk_area_server *origin = rlk_area_server_of_tls(server);

	if (channel->server == NULL) {
		channel->server = server;
		rlk_conn_init(conn, &server->server, NULL);
		conn->out = rlk_buf_in(channel->out, sizeof(channel->out));
		channel->reader.no_heap = true;
	}
	if (!rlk_channel_is_closed(channel) || now_ms < channel->retry_at_ms)
		return;
	conn->tls_context = atomic_load(&c->env->slots->books[origin - c->area->servers].tls);
	if (server->server.transport == RLK_TRANSPORT_TLS && conn->tls_context == NULL) {
		broke(c, channel, now_ms);
		return;
	}
	channel->addresses = *rlk_area_server_addresses(server);
	channel->connection = ++c->connections;
	/* A server that has refused for good is not asked again. */
	channel->tracking = channel->shuns_tracking || atomic_load(&origin->tracking) == RLK_TRACKING_REFUSED ?
		RLK_TRACKING_REFUSED :
		RLK_TRACKING_NEW;
	conn->reader = &channel->reader;
	rlk_reader_reset(conn->reader);
	if (rlk_conn_begin(conn, &channel->addresses, when, rlk_clock_add(now_ms, connect_ms), false, NULL) ==
		RLK_CONN_FAILED)
		broke(c, channel, now_ms); /* nothing is under way, so nobody is answered */
}

/* --- tracking --------------------------------------------------------------------------------- */

/* Has the server tell us, from now on, when a key is changed that we have read. NOLOOP: but by us. Each renewal ends with a
 * read, since our own PEXPIRE ends the tracking of its key all the same. */
static void ask_to_track(rlk_channel *channel, int64_t now_ms)
{
	static const char words[] = "*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n"
								"*4\r\n$6\r\nCLIENT\r\n$8\r\nTRACKING\r\n$2\r\nON\r\n$6\r\nNOLOOP\r\n";
	const rlk_op op = { .kind = RLK_OP_TRACK, .sent_at_ms = now_ms };

	if (!rlk_buf_append(&channel->conn.out, words, sizeof(words) - 1))
		return;
	for (int i = 0; i < 2; i++) {
		rlk_expected_await(&channel->conn.expected);
		add_op(channel, &op);
	}
	channel->conn.reader->resp3 = true;
	channel->tracking = RLK_TRACKING_ASKED;
}

/* The reply to HELLO, a map, or to CLIENT TRACKING, a status. */
static void take_tracking_reply(rlk_channel *channel, const rlk_reply *reply)
{
	rlk_area_server *origin = rlk_area_server_of_tls(channel->server);

	if (reply->type == RLK_REPLY_ERROR)
		channel->tracking = RLK_TRACKING_REFUSED;
	else if (reply->type == RLK_REPLY_STATUS && channel->tracking == RLK_TRACKING_ASKED)
		channel->tracking = RLK_TRACKING_ON;
	if (channel->tracking == RLK_TRACKING_ON || rlk_reply_refuses_any(reply))
		atomic_store(&origin->tracking, channel->tracking);
}

static bool *knows_script_of(rlk_channel *channel, const rlk_op *op)
{
	return &channel->knows[op->of_set][op->kind == RLK_OP_RENEW ? 0 : op->kind == RLK_OP_CONFIRM ? 1 : 2];
}

/* The first time a script goes as text: a server that does not know the digest would cost a round trip. */
bool rlk_channel_queue(rlk_channel *channel, const rlk_op *op, const rlk_request *request)
{
	bool *knows = knows_script_of(channel, op);

	if (!rlk_channel_is_ready(channel) || channel->ops_count + 3 > RLK_CHANNEL_OPS_MAX)
		return false;
	/* Not for a set: what several hold is changed by each of them all the time. */
	if ((op->kind == RLK_OP_RENEW || op->kind == RLK_OP_CONFIRM) && !op->of_set &&
		channel->tracking == RLK_TRACKING_NEW)
		ask_to_track(channel, op->sent_at_ms);
	if (!rlk_request_append(request, &channel->conn, !*knows, NULL))
		return false;
	*knows = *knows || request->script != NULL;
	add_op(channel, op);
	return true;
}

void rlk_channel_flush(rlk_child *c, rlk_channel *channel, int64_t now_ms)
{
	size_t queued = channel->conn.out.len;

	if (!rlk_channel_is_ready(channel) || queued == 0)
		return;
	rlk_conn_flush(&channel->conn, RLK_DEADLINE_NOW, NULL);
	if (channel->conn.out.len < queued)
		atomic_fetch_add(&c->area->writes, 1);
	if (rlk_channel_is_closed(channel))
		broke(c, channel, now_ms);
}

/* May the connection go on after this reply? A nil or a string is no answer, and the request is repeated; after anything else that
 * does not fit it is unknown what comes next. */
static bool fits(const rlk_op *op, const rlk_reply *reply)
{
	if (reply->type == RLK_REPLY_ERROR || reply->type == RLK_REPLY_NIL || reply->type == RLK_REPLY_STRING ||
		op->kind == RLK_OP_LOCATE || op->kind == RLK_OP_TRACK)
		return true;
	switch (op->kind) {
		case RLK_OP_ASKING: /* it says nothing; what follows it shows whether it was heard */
		case RLK_OP_REPLICATE:
			return reply->type != RLK_REPLY_ARRAY;
		case RLK_OP_RENEW:
			return rlk_reply_is_within(reply, 0, RLK_SCRIPT_RENEW_HAS_MORE);
		case RLK_OP_CONFIRM:
			return rlk_reply_is_within(reply, RLK_SCRIPT_OWNED_NOT_OURS, RLK_NEVER - 1);
		default:
			return rlk_reply_is_within(reply, 0, RLK_SCRIPT_RELEASE_AGAIN);
	}
}

/* Handles one reply. false: the connection cannot go on. */
static bool take_channel_reply(rlk_child *c, rlk_channel *channel, const rlk_reply *reply)
{
	rlk_op op = *oldest(channel);

	if (reply->type == RLK_REPLY_PUSH) {
		rlk_child_key_changed(c, channel, reply);
		return true;
	}
	if (!fits(&op, reply))
		return false;
	drop_oldest_op(channel);
	if (op.kind == RLK_OP_TRACK) {
		take_tracking_reply(channel, reply);
	} else {
		channel->proved = true;
		channel->backoff_ms = 0;
		if (rlk_reply_is_error(reply, "NOSCRIPT"))
			*knows_script_of(channel, &op) = false;
		rlk_child_answered(c, channel, &op, reply);
	}
	/* The password was changed, so the handshake has to be repeated; or this server is the master no more. */
	return !rlk_reply_is_error(reply, "NOAUTH") &&
		rlk_redirection_read(channel->server->kind, reply).kind != RLK_REDIRECT_DEMOTED;
}

/* A server that never pauses is hung up on: others are to have their turn. */
static void read_channel(rlk_child *c, rlk_channel *channel, int64_t now_ms)
{
	const rlk_reply *reply;

	for (int left = REPLIES_MAX; (reply = rlk_conn_try_read(&channel->conn, NULL)) != NULL; left--) {
		if (left == 0 || !take_channel_reply(c, channel, reply)) {
			close_channel(c, channel, now_ms);
			return;
		}
	}
	if (rlk_channel_is_closed(channel))
		broke(c, channel, now_ms);
}

void rlk_channel_advance(rlk_child *c, rlk_channel *channel, bool ready, int64_t now_ms)
{
	if (rlk_channel_is_closed(channel))
		return;
	if (!rlk_channel_is_ready(channel)) {
		if (rlk_conn_advance(&channel->conn, ready, NULL) == RLK_CONN_FAILED)
			broke(c, channel, now_ms);
		return;
	}
	rlk_channel_flush(c, channel, now_ms);
	if (!rlk_channel_is_closed(channel))
		read_channel(c, channel, now_ms);
}

int64_t rlk_channel_next_at(const rlk_channel *channel)
{
	const rlk_op *op = oldest(channel);

	if (rlk_channel_is_closed(channel))
		return channel->retry_at_ms;
	if (!rlk_channel_is_ready(channel))
		return rlk_conn_advance_at(&channel->conn);
	return channel->ops_count > 0 ? op->sent_at_ms + op->blocked_ms + channel->conn.server->io_timeout_ms : RLK_NEVER;
}

void rlk_channel_check_time(rlk_child *c, rlk_channel *channel, int64_t now_ms)
{
	if (rlk_channel_is_closed(channel) || now_ms < rlk_channel_next_at(channel))
		return;
	if (rlk_channel_is_ready(channel))
		close_channel(c, channel, now_ms);
	else
		rlk_channel_advance(c, channel, false, now_ms);
}
