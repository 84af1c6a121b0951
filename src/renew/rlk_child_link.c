/*
 * rlk_child_link: see the header. Allocation-free, but for TLS, which only a child with a heap is asked for.
 *
 * Invariant: ops holds exactly the requests whose bytes are in `out` or sent
 * and whose replies have not been read, oldest first.
 */
#include "renew/rlk_child_link.h"

#include "base/rlk_clock.h"
#include "net/rlk_dial.h"
#include "net/rlk_stream.h"

/* EVALSHA, digest, count, and at most three keys and three arguments. */
#define ARGV_MAX 9

static const rlk_op *oldest(const rlk_link *link)
{
	return &link->ops[link->ops_first];
}

static void drop_oldest(rlk_link *link)
{
	link->ops_first = (link->ops_first + 1) % RLK_LINK_OPS_MAX;
	link->ops_count--;
}

static void back_off(rlk_link *link, int64_t now_ms)
{
	link->backoff_ms = link->backoff_ms == 0 ? RLK_LINK_BACKOFF_FIRST_MS : link->backoff_ms * 2;
	if (link->backoff_ms > RLK_LINK_BACKOFF_LAST_MS)
		link->backoff_ms = RLK_LINK_BACKOFF_LAST_MS;
	link->retry_at_ms = now_ms + link->backoff_ms;
}

/* The next attempt goes to the next address. After the last one the parent may resolve the name anew, and look for new
 * certificates. */
static void next_address(rlk_link *link)
{
	rlk_peer *peer = rlk_peer_of_tls(link->peer);

	link->address++;
	if (link->address >= rlk_peer_addresses(link->peer)->count) {
		link->address = 0;
		link->rounds++;
		if (link->peer->has_name || atomic_load(&peer->tls) != NULL)
			atomic_store(&peer->unreachable, 1);
	}
}

static void link_close(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	/* In TLS 1.3 a server that does not like our certificate says so behind the handshake. */
	if (link->tls != NULL && !link->proved && (link->state == RLK_LINK_INTRODUCING || link->state == RLK_LINK_READY))
		next_address(link);
	if (link->fd != RLK_SOCKET_NONE)
		rlk_stream_close(link->fd, link->tls);
	link->fd = RLK_SOCKET_NONE;
	link->tls = NULL;
	/* A connection that had worked is opened again at once. One that never got so far waits: a server that
	 * accepts and hangs up (too many clients) would keep us spinning. */
	if (link->proved)
		link->retry_at_ms = now_ms;
	else
		back_off(link, now_ms);
	link->proved = false;
	link->state = RLK_LINK_CLOSED;
	link->closed_at_ms = now_ms;
	link->out_len = link->out_sent = link->in_len = 0;
	memset(link->knows, 0, sizeof(link->knows));
	while (link->ops_count > 0) {
		rlk_op op = *oldest(link);

		drop_oldest(link);
		listener->answered(listener->arg, &op, NULL);
	}
}

static void introduce(rlk_link *link)
{
	if (link->peer->handshake_len > 0)
		memcpy(link->out, link->peer->handshake, link->peer->handshake_len);
	link->out_len = link->peer->handshake_len;
	link->out_sent = 0;
	link->handshake_left = link->peer->handshake_replies;
	link->state = link->handshake_left > 0 ? RLK_LINK_INTRODUCING : RLK_LINK_READY;
}

/* The socket is connected. false: memory is out. */
static bool begin(rlk_link *link)
{
	rlk_tls_context *context = atomic_load(&rlk_peer_of_tls(link->peer)->tls);

	if (context == NULL) {
		introduce(link);
		return true;
	}
	link->tls = rlk_tls_new(context, link->fd, link->peer->tls_name, NULL);
	link->state = RLK_LINK_SHAKING;
	return link->tls != NULL;
}

/* false: the link cannot go on. */
static bool shake_hands(rlk_link *link)
{
	long n = rlk_tls_handshake(link->tls);

	if (n == 0)
		introduce(link);
	return n != RLK_SOCKET_ERROR;
}

/* A dead address must not use up the validity while the next one would answer. Short at first, in case it is not dead
 * but far away, longer with each round. */
static int patience_ms(const rlk_link *link)
{
	int limit_ms = link->peer->connect_timeout_ms, doublings = link->rounds < 16 ? link->rounds : 16;

	if (rlk_peer_addresses(link->peer)->count > 1 && limit_ms > RLK_DIAL_STAGGER_MS << doublings)
		limit_ms = RLK_DIAL_STAGGER_MS << doublings;
	return limit_ms;
}

/* Tries the addresses in turn, one per attempt, beginning with the one that worked last. */
void rlk_link_open(rlk_link *link, rlk_peer *peer, int64_t now_ms)
{
	const rlk_addresses *addresses = rlk_peer_addresses(peer);
	bool pending;
	int sys_errno;

	if (link->peer == NULL) {
		link->peer = peer;
		link->fd = RLK_SOCKET_NONE;
		link->dialect = RLK_DIALECT_NONE;
	}
	if (link->state != RLK_LINK_CLOSED || now_ms < link->retry_at_ms)
		return;
	if (link->address >= addresses->count)
		link->address = 0;
	link->fd = rlk_socket_connect(addresses, link->address, &pending, &sys_errno);
	if (link->fd == RLK_SOCKET_NONE) {
		next_address(link);
		back_off(link, now_ms);
		link->closed_at_ms = now_ms;
		return;
	}
	link->deadline_at_ms = now_ms + patience_ms(link);
	link->state = RLK_LINK_CONNECTING;
	if (!pending && !begin(link))
		link->deadline_at_ms = now_ms;
}

static bool *knows_script_of(rlk_link *link, const rlk_op *op)
{
	return &link->knows[op->kind == RLK_OP_RENEW ? 0 : 1];
}

bool rlk_link_queue_command(rlk_link *link, const rlk_op *op, const rlk_str *argv, size_t argc)
{
	size_t size = rlk_resp_size(argv, argc);

	if (link->state != RLK_LINK_READY || link->ops_count == RLK_LINK_OPS_MAX ||
		size > RLK_LINK_OUT_BYTES - link->out_len)
		return false;
	rlk_resp_write(link->out + link->out_len, argv, argc);
	link->out_len += (uint32_t)size;
	link->ops[(link->ops_first + link->ops_count) % RLK_LINK_OPS_MAX] = *op;
	link->ops_count++;
	return true;
}

bool rlk_link_queue(rlk_link *link, const rlk_op *op, const rlk_script *script, const rlk_str *keys, size_t key_count,
	const rlk_str *args, size_t arg_count)
{
	rlk_str argv[ARGV_MAX];
	char number[RLK_RESP_INT_MAX];
	size_t argc = 0;

	/* By text the first time after connecting: a server that does not know the digest would cost a round trip. */
	argv[argc++] = *knows_script_of(link, op) ? RLK_STR("EVALSHA") : RLK_STR("EVAL");
	argv[argc++] = *knows_script_of(link, op) ? script->sha1 : script->text;
	argv[argc++] = rlk_resp_int((int64_t)key_count, number);
	for (size_t i = 0; i < key_count; i++)
		argv[argc++] = keys[i];
	for (size_t i = 0; i < arg_count; i++)
		argv[argc++] = args[i];
	if (!rlk_link_queue_command(link, op, argv, argc))
		return false;
	*knows_script_of(link, op) = true;
	return true;
}

int rlk_link_flush(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	int writes = 0;

	if (link->state != RLK_LINK_READY && link->state != RLK_LINK_INTRODUCING)
		return 0;
	while (link->out_sent < link->out_len) {
		long n = rlk_stream_send(link->fd, link->tls, link->out + link->out_sent, link->out_len - link->out_sent);

		if (n == RLK_SOCKET_AGAIN) {
			link->flush_wants = link->tls != NULL ? rlk_tls_wants(link->tls) : RLK_SOCKET_WRITABLE;
			return writes;
		}
		if (n < 0) {
			link_close(link, listener, now_ms);
			return writes;
		}
		link->out_sent += (uint32_t)n;
		writes++;
	}
	link->out_len = link->out_sent = 0;
	return writes;
}

static bool is_error(const rlk_reply *reply, const char *code)
{
	return reply->type == RLK_REPLY_ERROR && rlk_str_starts_with(reply->text, rlk_str_from_cstr(code));
}

/* The last words of the handshake to the master of a service are a question for its role. A user without the right
 * to ask has to do without. */
static bool is_welcome(const rlk_link *link, const rlk_reply *reply)
{
	if (link->peer->kind != RLK_PEER_SERVICE || link->handshake_left > 1)
		return reply->type != RLK_REPLY_ERROR && reply->type != RLK_REPLY_ARRAY;
	if (reply->type == RLK_REPLY_ERROR)
		return !is_error(reply, "LOADING");
	return reply->type == RLK_REPLY_ARRAY && reply->count > 0 && rlk_str_equal(reply->items[0].text, RLK_STR("master"));
}

/* Handles one reply; false when the link cannot go on. */
static bool take_reply(rlk_link *link, const rlk_link_listener *listener, const rlk_reply *reply)
{
	rlk_op op;

	if (link->state == RLK_LINK_INTRODUCING) {
		if (!is_welcome(link, reply))
			return false;
		if (--link->handshake_left == 0)
			link->state = RLK_LINK_READY;
		return true;
	}
	if (link->ops_count == 0 || (reply->type == RLK_REPLY_ARRAY && oldest(link)->kind != RLK_OP_LOCATE))
		return false;
	link->proved = true;
	link->backoff_ms = 0;
	op = *oldest(link);
	drop_oldest(link);
	if (is_error(reply, "NOSCRIPT"))
		*knows_script_of(link, &op) = false;
	listener->answered(listener->arg, &op, reply);
	/* The password was changed or withdrawn under us: introduce ourselves anew. Or this was the master once. */
	return !is_error(reply, "NOAUTH") && !(link->peer->kind == RLK_PEER_SERVICE && is_error(reply, "READONLY"));
}

static void read_replies(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	for (;;) {
		uint32_t done = 0;
		long n = rlk_stream_receive(link->fd, link->tls, link->in + link->in_len, RLK_LINK_IN_BYTES - link->in_len);

		if (n == RLK_SOCKET_AGAIN)
			return;
		if (n <= 0)
			break;
		link->in_len += (uint32_t)n;
		for (;;) {
			rlk_reply reply, items[RLK_REPLY_ITEMS_MAX];
			long used = rlk_resp_scan(link->in + done, link->in_len - done, &reply, items);

			if (used == 0)
				break;
			if (used < 0 || !take_reply(link, listener, &reply)) {
				link_close(link, listener, now_ms);
				return;
			}
			done += (uint32_t)used;
		}
		memmove(link->in, link->in + done, link->in_len - done);
		link->in_len -= done;
		if (link->in_len == RLK_LINK_IN_BYTES)
			break; /* no reply of ours is that long */
	}
	link_close(link, listener, now_ms);
}

void rlk_link_advance(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	if (link->state == RLK_LINK_CLOSED)
		return;
	if (link->state == RLK_LINK_CONNECTING) {
		if (rlk_socket_connected(link->fd) != 0 || !begin(link)) {
			next_address(link);
			link_close(link, listener, now_ms);
			return;
		}
		link->rounds = 0;
		link->deadline_at_ms = now_ms + link->peer->connect_timeout_ms;
	}
	if (link->state == RLK_LINK_SHAKING && !shake_hands(link)) {
		next_address(link);
		link_close(link, listener, now_ms);
		return;
	}
	if (link->state == RLK_LINK_SHAKING)
		return;
	rlk_link_flush(link, listener, now_ms);
	if (link->state != RLK_LINK_CLOSED)
		read_replies(link, listener, now_ms);
}

/* When a reply is overdue, or the attempt to connect is. */
static int64_t overdue_at(const rlk_link *link)
{
	switch (link->state) {
		case RLK_LINK_CONNECTING:
		case RLK_LINK_SHAKING:
		case RLK_LINK_INTRODUCING:
			return link->deadline_at_ms;
		case RLK_LINK_READY:
			return link->ops_count > 0 ?
				oldest(link)->sent_at_ms + oldest(link)->blocked_ms + link->peer->io_timeout_ms :
				RLK_NEVER;
		case RLK_LINK_CLOSED:
			break;
	}
	return RLK_NEVER;
}

void rlk_link_check_time(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms)
{
	if (now_ms < overdue_at(link))
		return;
	if (link->state == RLK_LINK_CONNECTING || link->state == RLK_LINK_SHAKING)
		next_address(link);
	link_close(link, listener, now_ms);
}

int64_t rlk_link_next_at(const rlk_link *link)
{
	return link->state == RLK_LINK_CLOSED ? link->retry_at_ms : overdue_at(link);
}

int rlk_link_events(const rlk_link *link)
{
	switch (link->state) {
		case RLK_LINK_CONNECTING:
			return RLK_SOCKET_WRITABLE;
		case RLK_LINK_SHAKING:
			return link->tls != NULL ? (int)rlk_tls_wants(link->tls) : 0;
		case RLK_LINK_INTRODUCING:
		case RLK_LINK_READY:
			return RLK_SOCKET_READABLE | (link->out_sent < link->out_len ? (int)link->flush_wants : 0);
		case RLK_LINK_CLOSED:
			break;
	}
	return 0;
}
