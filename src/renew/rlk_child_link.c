/*
 * rlk_child_link: see the header. Allocation-free, but for TLS, which only a child with a heap is asked for.
 *
 * Invariant: ops holds exactly the requests that the connection awaits replies
 * to, oldest first, the handshake apart.
 */
#include "renew/rlk_child_link.h"

#include "base/rlk_clock.h"

static const rlk_op *oldest(const rlk_link *link)
{
	return &link->ops[link->ops_first];
}

static void drop_oldest(rlk_link *link)
{
	link->ops_first = (link->ops_first + 1) % RLK_LINK_OPS_MAX;
	link->ops_count--;
}

/* It is closed. A connection that had worked is opened again at once. One that never got so far waits: a server that
 * accepts and hangs up (too many clients) would keep us spinning. */
static void broke(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	bool tls = atomic_load(&rlk_peer_of_tls(link->peer)->tls) != NULL;

	if (link->proved) {
		link->retry_at_ms = now_ms;
	} else {
		link->retry_at_ms =
			now_ms + rlk_link_longer(&link->backoff_ms, RLK_LINK_BACKOFF_FIRST_MS, RLK_LINK_BACKOFF_LAST_MS);
		/* The parent may resolve the name anew, and look for new certificates. */
		if (link->peer->has_name || tls)
			atomic_store(&rlk_peer_of_tls(link->peer)->unreachable, 1);
	}
	link->proved = false;
	link->closed_at_ms = now_ms;
	memset(link->knows, 0, sizeof(link->knows));
	while (link->ops_count > 0) {
		rlk_op op = *oldest(link);

		drop_oldest(link);
		listener->answered(listener->arg, &op, NULL);
	}
}

static void close_link(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	/* In TLS 1.3 a server that does not like our certificate says so behind the handshake. */
	if (link->conn.tls != NULL && !link->proved)
		link->conn.address++;
	rlk_conn_close(&link->conn);
	broke(link, listener, now_ms);
}

/* Opened for the first time, or for another server than before. */
static void prepare(rlk_link *link, rlk_peer *peer)
{
	link->peer = peer;
	rlk_conn_init(&link->conn, NULL, NULL);
	link->conn.out = rlk_buf_in(link->out, sizeof(link->out));
	link->reader.no_heap = true;
	link->dialect = RLK_DIALECT_NEW;
}

void rlk_link_open(rlk_link *link, rlk_peer *peer, int64_t connect_ms, int64_t now_ms)
{
	rlk_conn *conn = &link->conn;
	rlk_conn_when when = peer->kind == RLK_TOPOLOGY_SENTINEL ? RLK_CONN_WHEN_MASTER : RLK_CONN_WHEN_ANSWERED;

	if (link->peer == NULL)
		prepare(link, peer);
	if (!rlk_link_is_closed(link) || now_ms < link->retry_at_ms)
		return;
	link->addresses = *rlk_peer_addresses(peer);
	conn->tls_context = atomic_load(&rlk_peer_of_tls(peer)->tls);
	conn->tls_name = peer->tls_name;
	conn->reader = &link->reader;
	rlk_reader_reset(conn->reader);
	conn->dialect = link->dialect;
	conn->refuses_scripts = link->dialect != RLK_DIALECT_NEW;
	conn->handshake = peer->handshake_replies;
	rlk_buf_append(&conn->out, peer->handshake, peer->handshake_len);
	if (rlk_conn_begin(conn, &link->addresses, when, rlk_clock_add(now_ms, connect_ms), false, NULL) == RLK_CONN_FAILED)
		broke(link, NULL, now_ms); /* nothing is under way */
}

static bool *knows_script_of(rlk_link *link, const rlk_op *op)
{
	return &link->knows[op->kind == RLK_OP_RENEW ? 0 : 1];
}

/* By text the first time after connecting: a server that does not know the digest would cost a round trip. */
bool rlk_link_queue(rlk_link *link, const rlk_op *op, const rlk_request *request)
{
	bool by_script = request->script != NULL && !link->conn.refuses_scripts;
	bool *knows = knows_script_of(link, op);
	rlk_wording wording = { !*knows, RLK_DIALECT_NEW };

	if (!rlk_link_is_ready(link) || link->ops_count == RLK_LINK_OPS_MAX ||
		!rlk_request_append(request, &link->conn, &wording, NULL))
		return false;
	*knows = *knows || by_script;
	link->ops[(link->ops_first + link->ops_count++) % RLK_LINK_OPS_MAX] = *op;
	return true;
}

int rlk_link_flush(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	size_t queued = link->conn.out.len;

	if (!rlk_link_is_ready(link) || queued == 0)
		return 0;
	rlk_conn_flush(&link->conn, 0, NULL);
	if (rlk_link_is_closed(link))
		broke(link, listener, now_ms);
	return link->conn.out.len < queued;
}

/* Handles one reply; false when the link cannot go on. */
static bool take_reply(rlk_link *link, const rlk_link_listener *listener, const rlk_reply *reply)
{
	rlk_op op = *oldest(link);

	if (reply->type == RLK_REPLY_ARRAY && op.kind != RLK_OP_LOCATE)
		return false;
	link->proved = true;
	link->backoff_ms = 0;
	drop_oldest(link);
	if (rlk_reply_is_error(reply, "NOSCRIPT"))
		*knows_script_of(link, &op) = false;
	listener->answered(listener->arg, &op, reply);
	/* The password was changed or withdrawn under us, so the handshake has to be repeated. Or this was the master once. */
	return !rlk_reply_is_error(reply, "NOAUTH") &&
		rlk_redirection_read(link->peer->kind, reply).kind != RLK_REDIRECT_DEMOTED;
}

static void read_replies(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	const rlk_reply *reply;

	while ((reply = rlk_conn_take(&link->conn, NULL)) != NULL) {
		if (!take_reply(link, listener, reply)) {
			close_link(link, listener, now_ms);
			return;
		}
	}
	if (rlk_link_is_closed(link))
		broke(link, listener, now_ms);
}

void rlk_link_advance(rlk_link *link, bool ready, const rlk_link_listener *listener, int64_t now_ms)
{
	if (rlk_link_is_closed(link))
		return;
	if (!rlk_link_is_ready(link)) {
		if (rlk_conn_advance(&link->conn, ready, NULL) == RLK_CONN_FAILED)
			broke(link, listener, now_ms);
		return;
	}
	rlk_link_flush(link, listener, now_ms);
	if (!rlk_link_is_closed(link))
		read_replies(link, listener, now_ms);
}

int64_t rlk_link_next_at(const rlk_link *link)
{
	if (rlk_link_is_closed(link))
		return link->retry_at_ms;
	if (!rlk_link_is_ready(link))
		return rlk_conn_turn_until(&link->conn);
	return link->ops_count > 0 ? oldest(link)->sent_at_ms + oldest(link)->blocked_ms + link->peer->io_timeout_ms :
								 RLK_NEVER;
}

void rlk_link_check_time(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	if (rlk_link_is_closed(link) || now_ms < rlk_link_next_at(link))
		return;
	if (rlk_link_is_ready(link))
		close_link(link, listener, now_ms);
	else
		rlk_link_advance(link, false, listener, now_ms);
}
