/*
 * rlk_nodes: see the header.
 *
 * Invariants between rounds: conn is open exactly when the state is not CLOSED;
 * a READY one awaits `late` replies; whatever may have been executed without an
 * answer is in `owed`.
 */
#include "core/rlk_nodes.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "wire/rlk_intro.h"
#include "wire/rlk_pool.h"
#include "wire/rlk_resp.h"
#include "wire/rlk_stream.h"

#include <errno.h>
#include <stdlib.h>

_Static_assert(RLK_QUORUM_MAX <= RLK_SOCKET_WATCHED_MAX && RLK_QUORUM_MAX <= 32, "a bit and a descriptor each");

#define BIT(i) (UINT32_C(1) << (i))

struct rlk_owed {
	rlk_owed *next;
	int64_t until_ms; /* the key has expired by then */
	bool held;        /* the lock was taken without this server: said with its end */
	bool aside;       /* concerns the connection laid aside */
	size_t key_len, token_len;
	char bytes[]; /* key and token */
};

/* A round under way. */
typedef struct {
	rlk_nodes *nodes;
	const rlk_nodes_request *request;
	uint32_t redialled; /* servers whose connection broke and was opened again in this round */
} round_state;

rlk_nodes *rlk_nodes_new(const rlk_endpoint *endpoints, size_t count, rlk_park *park, rlk_pool *pool)
{
	rlk_nodes *nodes = calloc(1, sizeof(*nodes));

	if (nodes != NULL)
		nodes->node = calloc(count, sizeof(*nodes->node));
	if (nodes == NULL || nodes->node == NULL) {
		free(nodes);
		return NULL;
	}
	nodes->count = (int)count;
	nodes->owner_pid = rlk_os_process_id();
	for (size_t i = 0; i < count; i++) {
		rlk_conn_init(&nodes->node[i].conn, &endpoints[i], park);
		nodes->node[i].conn.pool = pool;
		rlk_conn_init(&nodes->node[i].aside, &endpoints[i], park);
	}
	return nodes;
}

static void drop(rlk_node *node, rlk_owed **link)
{
	rlk_owed *owed = *link;

	*link = owed->next;
	free(owed);
	node->owed_count--;
}

typedef enum { OWED_HERE = 1, OWED_ASIDE = 2, OWED_HELD_ONLY = 4 } owed_where;

static void forget_owed(rlk_node *node, unsigned where)
{
	rlk_owed **link = &node->owed;

	while (*link != NULL) {
		if (((*link)->aside ? where & OWED_ASIDE : where & OWED_HERE) != 0 &&
			((where & OWED_HELD_ONLY) == 0 || (*link)->held))
			drop(node, link);
		else
			link = &(*link)->next;
	}
}

void rlk_nodes_after_fork(rlk_nodes *nodes)
{
	for (int i = 0; nodes != NULL && i < nodes->count; i++) {
		rlk_conn_close(&nodes->node[i].conn);
		rlk_conn_close(&nodes->node[i].aside);
		nodes->node[i].state = RLK_NODE_CLOSED;
		forget_owed(&nodes->node[i], OWED_HERE | OWED_ASIDE);
	}
	if (nodes != NULL)
		nodes->owner_pid = rlk_os_process_id();
}

/* --- one server --------------------------------------------------------------------------------- */

static int patience_ms(const rlk_node *node)
{
	const rlk_endpoint *endpoint = node->conn.endpoint;

	return endpoint->connect_timeout_ms > endpoint->io_timeout_ms ? endpoint->connect_timeout_ms :
																	endpoint->io_timeout_ms;
}

static void note_error(rlk_node *node, rlk_error_code code, const char *text)
{
	rlk_error_clear(&node->error);
	rlk_error_set(&node->error, code, 0, "%s", text);
	node->error.retryable = true;
}

static rlk_str token_of(const rlk_owed *owed)
{
	return rlk_str_make(owed->bytes + owed->key_len, owed->token_len);
}

/* Keeps the release in mind. Without room or memory for it the key stays to its ttl. */
static void owe(rlk_node *node, const rlk_nodes_release *release, bool held)
{
	rlk_owed *owed;

	if (node->owed_count > 2 * RLK_NODE_OWED_MAX)
		return; /* the ttl has to do */
	for (owed = node->owed; owed != NULL; owed = owed->next) {
		if (!owed->aside && rlk_str_equal(token_of(owed), release->token)) {
			owed->held = held;
			return;
		}
	}
	owed = malloc(sizeof(*owed) + release->key.len + release->token.len);
	if (owed == NULL)
		return;
	*owed = (rlk_owed){ node->owed, release->until_ms, held, false, release->key.len, release->token.len };
	memcpy(owed->bytes, release->key.data, release->key.len);
	memcpy(owed->bytes + release->key.len, release->token.data, release->token.len);
	node->owed = owed;
	node->owed_count++;
}

static bool append_release(rlk_conn *conn, rlk_str key, rlk_str token)
{
	return rlk_conn_append_eval(conn, true, &rlk_script_release, &key, 1, &token, 1, NULL);
}

/* Queues what is owed on this connection and need not wait; its replies come like those of earlier rounds. */
static void say_owed(rlk_node *node, int64_t now_ms)
{
	rlk_owed **link = &node->owed;
	bool said = false;

	while (*link != NULL) {
		rlk_owed *owed = *link;

		if (!owed->aside && now_ms >= owed->until_ms) {
			drop(node, link);
			continue;
		}
		if (!owed->aside && !owed->held)
			said = append_release(&node->conn, rlk_str_make(owed->bytes, owed->key_len), token_of(owed)) || said;
		link = &owed->next;
	}
	if (!said)
		return;
	if (node->late == 0)
		node->late_since_ms = now_ms;
	node->late = node->conn.awaited - node->intro;
	rlk_conn_flush(&node->conn, 0, NULL);
}

/* The connection is over. What a held lock asked on it was done before, or never will be: its release finds it. */
static void close_node(rlk_node *node)
{
	rlk_conn_close(&node->conn);
	node->state = RLK_NODE_CLOSED;
	node->intro = node->late = 0;
	forget_owed(node, OWED_HERE | OWED_HELD_ONLY);
}

/* Leaves the server alone for a while. */
static void back_off(rlk_node *node, int64_t now_ms)
{
	close_node(node);
	node->suspect = true;
	node->backoff_ms = node->backoff_ms == 0 ? RLK_NODE_BACKOFF_FIRST_MS : node->backoff_ms * 2;
	if (node->backoff_ms > RLK_NODE_BACKOFF_LAST_MS)
		node->backoff_ms = RLK_NODE_BACKOFF_LAST_MS;
	node->retry_at_ms = now_ms + node->backoff_ms;
}

/* Lets what was sent on the connection laid aside arrive, and is done with it. */
static void give_up_aside(rlk_node *node, int64_t until_ms)
{
	rlk_conn_abandon(&node->aside, until_ms);
	forget_owed(node, OWED_ASIDE);
}

/* Until when the last key expires that a connection still concerns, a second from now at least. */
static int64_t owed_until(const rlk_node *node, bool aside, bool *held, int64_t now_ms)
{
	int64_t until_ms = now_ms + RLK_NODE_BACKGROUND_MS;

	*held = false;
	for (const rlk_owed *owed = node->owed; owed != NULL; owed = owed->next) {
		if (owed->aside != aside)
			continue;
		*held = *held || (owed->held && owed->until_ms > now_ms);
		if (owed->until_ms > until_ms)
			until_ms = owed->until_ms;
	}
	return until_ms;
}

/* Connected, but silent for too long. What it has not answered is followed by what is owed, and parked, or else laid
 * aside, if there is room: one such connection for a server is enough for anything but bad luck. */
static void give_up(rlk_node *node, int64_t now_ms)
{
	bool held;
	int64_t until_ms = owed_until(node, false, &held, now_ms);

	say_owed(node, now_ms);
	if (held) {
		give_up_aside(node, until_ms);
		node->aside = rlk_conn_lay_aside(&node->conn);
		for (rlk_owed *owed = node->owed; owed != NULL; owed = owed->next)
			owed->aside = true;
	} else {
		rlk_conn_abandon(&node->conn, until_ms);
		forget_owed(node, OWED_HERE);
	}
	back_off(node, now_ms);
}

static void give_up_silent(rlk_node *node, int64_t now_ms)
{
	note_error(node, RLK_ERR_TIMEOUT, "the server did not answer in time");
	give_up(node, now_ms);
}

static void become_ready(rlk_node *node, int64_t now_ms)
{
	node->state = RLK_NODE_READY;
	node->intro = node->opening.introduced;
	node->late = node->conn.awaited - node->intro;
	node->late_since_ms = now_ms;
	node->knows = 0;
	node->proved = false;
	if (node->opening.proves)
		node->backoff_ms = 0;
	node->suspect = false;
	say_owed(node, now_ms);
}

static void dialled(rlk_node *node, rlk_opening_result result, const rlk_error *err, int64_t now_ms)
{
	if (result == RLK_OPENING_OPEN) {
		become_ready(node, now_ms);
	} else if (result == RLK_OPENING_PENDING) {
		node->state = RLK_NODE_OPENING;
	} else {
		node->error = *err;
		back_off(node, now_ms);
	}
}

static void dial(rlk_node *node, int64_t now_ms)
{
	rlk_error err;

	rlk_error_clear(&err);
	node->dialled_at_ms = now_ms;
	dialled(node, rlk_opening_begin(&node->opening, &node->conn, node->suspect, &err), &err, now_ms);
}

static void dial_on(rlk_node *node, int64_t now_ms)
{
	rlk_error err;

	rlk_error_clear(&err);
	dialled(node, rlk_opening_advance(&node->opening, &node->conn, &err), &err, now_ms);
}

/* The answer to something nobody waited for. */
static void take_late(rlk_node *node, const rlk_reply *reply, int64_t now_ms)
{
	node->late--;
	node->late_since_ms = now_ms;
	if (rlk_reply_is_error(reply, "NOSCRIPT")) {
		node->knows = 0;
		say_owed(node, now_ms);
	} else if (node->late == 0) {
		forget_owed(node, OWED_HERE);
	}
}

/* An answer to AUTH, SELECT or CLIENT SETNAME. false: the server refuses us. What was sent behind those may have been
 * executed all the same, in another database say. */
static bool take_intro(rlk_node *node, const rlk_reply *reply)
{
	bool first = node->intro-- == node->opening.introduced;

	if (reply->type != RLK_REPLY_ERROR)
		return true;
	rlk_error_clear(&node->error);
	rlk_opening_refused(&node->conn, first, reply, &node->error);
	return false;
}

/* Reads late answers without waiting. false: the connection is over, or given up. */
static bool collect(rlk_node *node, int64_t now_ms)
{
	while (node->conn.awaited > 0) {
		const rlk_reply *reply = rlk_conn_take(&node->conn, NULL);

		if (reply == NULL)
			return node->conn.fd != RLK_SOCKET_NONE;
		if (node->intro == 0) {
			take_late(node, reply, now_ms);
		} else if (!take_intro(node, reply)) {
			give_up(node, now_ms);
			return false;
		}
	}
	return true;
}

/* A connection that had worked is over, which says little about the server: it is opened again at once. */
static void start_over(rlk_node *node, int64_t now_ms)
{
	close_node(node);
	dial(node, now_ms);
}

static bool is_overdue(const rlk_node *node, int64_t now_ms)
{
	return node->conn.awaited > 0 && now_ms - node->late_since_ms >= node->conn.endpoint->io_timeout_ms;
}

/* Before a round: looks after what has become of the server since the last one. */
static void look_after(rlk_node *node, int64_t now_ms)
{
	if (node->aside.fd != RLK_SOCKET_NONE) {
		bool held;
		int64_t until_ms = owed_until(node, true, &held, now_ms);

		if (!held)
			give_up_aside(node, until_ms);
	}
	if (node->state == RLK_NODE_READY) {
		bool overdue = is_overdue(node, now_ms);
		bool stale = node->conn.awaited == 0 && now_ms - node->conn.heard_at_ms >= RLK_CONN_FRESH_REPEATED_MS &&
			!rlk_stream_is_idle(node->conn.fd, node->conn.tls);

		if (stale || (overdue && !collect(node, now_ms) && node->state == RLK_NODE_READY))
			start_over(node, now_ms);
		else if (overdue && is_overdue(node, now_ms))
			give_up_silent(node, now_ms);
	}
	if (node->state == RLK_NODE_OPENING && now_ms - node->dialled_at_ms >= RLK_NODE_BACKGROUND_MS) {
		note_error(node, RLK_ERR_CONNECT, "cannot connect: no answer in time");
		back_off(node, now_ms);
	}
	if (node->state == RLK_NODE_CLOSED && now_ms >= node->retry_at_ms)
		dial(node, now_ms);
}

void rlk_nodes_open(rlk_nodes *nodes)
{
	int64_t now_ms = rlk_clock_now_ms();

	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];

		look_after(node, now_ms);
		if (node->state == RLK_NODE_READY && node->conn.out.len > 0)
			rlk_conn_flush(&node->conn, 0, NULL);
	}
}

void rlk_nodes_free(rlk_nodes *nodes)
{
	const rlk_conn_listener nobody = { NULL, NULL };
	int64_t now_ms = rlk_clock_now_ms();

	if (nodes == NULL)
		return;
	if (nodes->owner_pid != rlk_os_process_id())
		rlk_nodes_after_fork(nodes);
	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];

		if (node->state == RLK_NODE_READY && collect(node, now_ms)) {
			if (node->conn.pool == NULL && node->conn.awaited > 0)
				rlk_conn_abandon(&node->conn, now_ms + RLK_NODE_BACKGROUND_MS);
			rlk_conn_leave_unread(&node->conn, nobody, false);
			if (node->conn.pool != NULL)
				rlk_pool_put_unread(node->conn.pool, &node->conn);
		}
		if (node->state == RLK_NODE_OPENING && node->owed_count > 0) {
			unsigned replies;

			/* Said as soon as it is connected, though nobody will be there to hear the answer. */
			if (node->opening.connecting)
				rlk_intro_append(node->conn.endpoint, &node->conn.out, &replies);
			say_owed(node, now_ms);
			rlk_conn_abandon(&node->conn, now_ms + RLK_NODE_BACKGROUND_MS);
		}
		rlk_conn_close(&node->conn);
		rlk_conn_abandon(&node->aside, now_ms + RLK_NODE_BACKGROUND_MS);
		forget_owed(node, OWED_HERE | OWED_ASIDE);
	}
	free(nodes->node);
	free(nodes);
}

/* --- one round ---------------------------------------------------------------------------------- */

void rlk_nodes_begin(rlk_nodes *nodes, rlk_round round, int64_t ttl_ms)
{
	nodes->asked_at_ms = rlk_clock_now_ms();
	rlk_quorum_begin(&nodes->quorum, nodes->count, round,
		ttl_ms > 0 ? rlk_quorum_valid_until(nodes->asked_at_ms, ttl_ms) : RLK_NEVER);
}

static unsigned script_bit(const rlk_script *script)
{
	for (unsigned i = 0; i < RLK_SCRIPTS_COUNT; i++) {
		if (rlk_scripts_all[i] == script)
			return 1u << i;
	}
	return 0;
}

static bool append_request(rlk_node *node, const rlk_nodes_request *request)
{
	const rlk_str *args = request->argv + request->key_count;
	unsigned bit;
	bool known;

	if (request->script == NULL)
		return rlk_conn_append(&node->conn, request->argv, request->argc, NULL);
	bit = script_bit(request->script);
	known = (node->knows & bit) != 0;
	node->knows |= bit; /* by the time of the next request it does */
	return rlk_conn_append_eval(&node->conn, !known, request->script, request->argv, request->key_count, args,
		request->argc - request->key_count, NULL);
}

static void connection_broke(round_state *r, int i, const rlk_error *why, int64_t now_ms);

/* Sends the question to a READY server that has a vote. */
static void send_request(round_state *r, int i, int64_t now_ms)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_outcome outcome;
	rlk_error err;

	if (!append_request(node, r->request)) {
		note_error(node, RLK_ERR_MEMORY, "out of memory for a request");
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_SILENT);
		return;
	}
	rlk_error_clear(&err);
	outcome = rlk_conn_flush(&node->conn, 0, &err); /* what does not leave at once leaves with the next event */
	if (node->intro > 0 && node->conn.out.len == 0)
		rlk_buf_wipe(&node->conn.out); /* it held the password */
	if (outcome != RLK_FAIL || node->conn.fd != RLK_SOCKET_NONE)
		rlk_quorum_sent(&r->nodes->quorum, i);
	if (node->conn.fd == RLK_SOCKET_NONE)
		connection_broke(r, i, &err, now_ms);
}

/* Once in a round a connection that had worked is opened again, and the question repeated: all servers may have been
 * restarted since the last one. What was sent first may have been executed, so its release goes ahead. */
static void connection_broke(round_state *r, int i, const rlk_error *why, int64_t now_ms)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_quorum *quorum = &r->nodes->quorum;
	bool pending = quorum->votes[i] == RLK_VOTE_PENDING;

	if (why->code != RLK_ERR_NONE)
		node->error = *why;
	else
		note_error(node, RLK_ERR_IO, "the server closed the connection");
	if (!node->proved || (r->redialled & BIT(i)) != 0) {
		back_off(node, now_ms);
		rlk_quorum_answer(quorum, i, RLK_VOTE_SILENT);
		return;
	}
	r->redialled |= BIT(i);
	if (pending && (quorum->sent & BIT(i)) != 0 && quorum->round == RLK_ROUND_TAKE && r->request->owes != NULL)
		owe(node, r->request->owes, false);
	start_over(node, now_ms);
	if (pending && node->state == RLK_NODE_READY)
		send_request(r, i, now_ms);
	else if (node->state == RLK_NODE_CLOSED)
		rlk_quorum_answer(quorum, i, RLK_VOTE_SILENT);
}

/* The answer to this round's question. false: the question has to be put again. */
static bool take_answer(round_state *r, int i, const rlk_reply *reply)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_vote vote;

	if (reply->type == RLK_REPLY_ERROR) {
		if (r->request->script != NULL && rlk_reply_is_error(reply, "NOSCRIPT")) {
			node->knows = 0;
			return false;
		}
		rlk_error_clear(&node->error);
		rlk_reply_to_error(reply, &node->error);
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_REFUSED);
		return true;
	}
	vote = r->request->read(r->request->arg, i, reply);
	node->error.code = RLK_ERR_NONE;
	if (vote != RLK_VOTE_YES && vote != RLK_VOTE_NO) {
		note_error(node, RLK_ERR_PROTOCOL, "the server sent a reply that does not fit the request");
		vote = RLK_VOTE_SILENT;
	}
	if (vote == RLK_VOTE_NO && r->request->repeated_no_is_yes && (r->redialled & BIT(i)) != 0)
		vote = RLK_VOTE_YES;
	rlk_quorum_answer(&r->nodes->quorum, i, vote);
	return true;
}

/* Sends what is left, reads what there is. */
static void read_replies(round_state *r, int i, int64_t now_ms)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_error err;

	rlk_error_clear(&err);
	if (node->conn.out.len > 0)
		rlk_conn_flush(&node->conn, 0, &err);
	if (node->conn.fd == RLK_SOCKET_NONE) {
		connection_broke(r, i, &err, now_ms);
		return;
	}
	while (node->conn.awaited > 0) {
		const rlk_reply *reply = rlk_conn_take(&node->conn, &err);

		if (reply == NULL) {
			if (node->conn.fd == RLK_SOCKET_NONE)
				connection_broke(r, i, &err, now_ms);
			return;
		}
		node->proved = true;
		if (node->intro > 0) {
			if (take_intro(node, reply))
				continue;
			rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_SILENT);
			if (r->request->owes != NULL)
				owe(node, r->request->owes, false);
			give_up(node, now_ms);
			return;
		}
		node->backoff_ms = 0;
		if (node->late > 0) {
			take_late(node, reply, now_ms);
		} else if (!take_answer(r, i, reply)) {
			send_request(r, i, now_ms);
			return;
		}
	}
}

/* Whatever is still to come is the answer to an earlier question from now on. */
static void leave_unread(rlk_node *node, int64_t now_ms)
{
	if (node->late == 0)
		node->late_since_ms = now_ms;
	node->late = node->conn.awaited - node->intro;
}

/* Behind with answers for long, or with too many: no further lock is asked of it while others suffice. */
static bool is_lagging(const rlk_node *node, int64_t now_ms)
{
	return node->late > 0 &&
		(now_ms - node->late_since_ms >= node->conn.endpoint->io_timeout_ms / 2 ||
			node->owed_count > RLK_NODE_OWED_MAX);
}

static bool is_fit(const rlk_nodes *nodes, int i)
{
	const rlk_node *node = &nodes->node[i];

	if (node->state == RLK_NODE_READY)
		return nodes->quorum.round != RLK_ROUND_TAKE || !is_lagging(node, nodes->asked_at_ms);
	return node->state == RLK_NODE_OPENING && !node->suspect &&
		nodes->asked_at_ms < node->dialled_at_ms + patience_ms(node);
}

/* Puts the question to one server, or waits for it to be connected. */
static void ask_one(round_state *r, int i)
{
	rlk_node *node = &r->nodes->node[i];
	int64_t now_ms = r->nodes->asked_at_ms;

	if (node->state == RLK_NODE_CLOSED)
		dial(node, now_ms);
	if (node->state == RLK_NODE_READY) {
		rlk_quorum_ask(&r->nodes->quorum, i, now_ms + node->conn.endpoint->io_timeout_ms);
		send_request(r, i, now_ms);
	} else if (node->state == RLK_NODE_OPENING) {
		rlk_quorum_ask(&r->nodes->quorum, i, node->dialled_at_ms + patience_ms(node));
	} else {
		rlk_quorum_ask(&r->nodes->quorum, i, 0);
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_SILENT);
	}
}

/* Waits for the next event and handles all there are. */
static void attend(round_state *r, int64_t until_ms)
{
	rlk_nodes *nodes = r->nodes;
	rlk_socket_watched watched[RLK_QUORUM_MAX];
	int64_t now_ms;

	for (int i = 0; i < nodes->count; i++) {
		const rlk_node *node = &nodes->node[i];

		watched[i] = (rlk_socket_watched){ RLK_SOCKET_NONE, 0, false };
		if (node->state == RLK_NODE_OPENING)
			watched[i].events = rlk_opening_events(&node->opening, &node->conn);
		else if (node->state == RLK_NODE_READY && node->conn.awaited > 0)
			watched[i].events = rlk_opening_wants(&node->conn);
		if (watched[i].events != 0)
			watched[i].fd = node->conn.fd;
	}
	if (rlk_socket_wait_watched(watched, nodes->count, until_ms) <= 0)
		return;
	now_ms = rlk_clock_now_ms();
	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];

		if (!watched[i].ready)
			continue;
		if (node->state == RLK_NODE_OPENING) {
			dial_on(node, now_ms);
			if (node->state == RLK_NODE_READY && nodes->quorum.votes[i] == RLK_VOTE_PENDING)
				send_request(r, i, now_ms);
			else if (node->state == RLK_NODE_CLOSED)
				rlk_quorum_answer(&nodes->quorum, i, RLK_VOTE_SILENT);
			continue;
		}
		read_replies(r, i, now_ms);
	}
}

static void ask_all(round_state *r)
{
	rlk_nodes *nodes = r->nodes;
	uint32_t fit = 0;
	int fits = 0;
	bool all;

	for (int i = 0; i < nodes->count; i++) {
		look_after(&nodes->node[i], nodes->asked_at_ms);
		if (is_fit(nodes, i)) {
			fit |= BIT(i);
			fits++;
		}
	}
	/* Too few without those we have given up: then they are asked, too, after a look at what has become of them. */
	all = fits < rlk_quorum_needed(nodes->count);
	if (all)
		attend(r, 0);
	for (int i = 0; i < nodes->count; i++) {
		if ((r->request->among & BIT(i)) == 0) {
			/* It never had what this is about. */
			rlk_quorum_ask(&nodes->quorum, i, 0);
			rlk_quorum_answer(&nodes->quorum, i, RLK_VOTE_NO);
		} else if (all || (fit & BIT(i)) != 0) {
			ask_one(r, i);
		}
	}
}

/* What was not answered becomes a matter of later rounds. */
static void leave_rest(round_state *r, bool taken, int64_t now_ms)
{
	const rlk_nodes_request *request = r->request;

	for (int i = 0; i < r->nodes->count; i++) {
		rlk_node *node = &r->nodes->node[i];
		rlk_vote vote = r->nodes->quorum.votes[i];
		bool sent = (r->nodes->quorum.sent & BIT(i)) != 0;
		bool unanswered = vote == RLK_VOTE_NONE || vote == RLK_VOTE_PENDING || vote == RLK_VOTE_SILENT;

		if (!unanswered)
			continue;
		/* An acquisition that never left is owed nothing; a release that never left is owed itself. */
		if (request->owes != NULL && (sent || r->nodes->quorum.round == RLK_ROUND_KEEP))
			owe(node, request->owes, taken);
		if (node->state == RLK_NODE_READY && node->conn.awaited > node->late) {
			leave_unread(node, r->nodes->asked_at_ms);
			if (vote == RLK_VOTE_SILENT)
				give_up_silent(node, now_ms);
		} else if (node->state == RLK_NODE_OPENING && vote == RLK_VOTE_SILENT) {
			note_error(node, RLK_ERR_CONNECT, "cannot connect: no answer in time");
		}
	}
}

rlk_verdict rlk_nodes_ask(rlk_nodes *nodes, const rlk_nodes_request *request)
{
	round_state r = { nodes, request, 0 };
	rlk_verdict verdict;
	int64_t now_ms;

	if (nodes->owner_pid != rlk_os_process_id())
		rlk_nodes_after_fork(nodes);
	if (nodes->node[0].conn.park != NULL)
		rlk_park_tend(nodes->node[0].conn.park);
	ask_all(&r);
	for (;;) {
		now_ms = rlk_clock_now_ms();
		verdict = rlk_quorum_judge(&nodes->quorum, now_ms);
		if (verdict != RLK_VERDICT_OPEN)
			break;
		attend(&r, rlk_quorum_next_at(&nodes->quorum));
	}
	leave_rest(&r, nodes->quorum.round == RLK_ROUND_TAKE && verdict == RLK_VERDICT_YES, now_ms);
	return verdict;
}

void rlk_nodes_let_go(rlk_nodes *nodes, uint32_t among, const rlk_nodes_release *release)
{
	const rlk_str argv[] = { release->key, release->token };
	const rlk_nodes_request request = { .script = &rlk_script_release, .argv = argv, .argc = 2, .key_count = 1 };
	int64_t now_ms = rlk_clock_now_ms();

	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];

		if ((among & BIT(i)) == 0)
			continue;
		owe(node, release, false);
		if (node->state != RLK_NODE_READY || !append_request(node, &request))
			continue;
		leave_unread(node, now_ms);
		rlk_conn_flush(&node->conn, 0, NULL);
		if (node->conn.fd == RLK_SOCKET_NONE)
			start_over(node, now_ms);
	}
}

void rlk_nodes_lock_ends(rlk_nodes *nodes, const rlk_nodes_release *release)
{
	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];

		for (rlk_owed *owed = node->owed; owed != NULL; owed = owed->next) {
			if (!owed->held || !rlk_str_equal(token_of(owed), release->token))
				continue;
			owed->held = false; /* on an open connection the release is about to be sent */
			if (owed->aside && append_release(&node->aside, release->key, release->token))
				rlk_conn_flush(&node->aside, 0, NULL);
		}
	}
}

uint32_t rlk_nodes_may_have(const rlk_nodes *nodes)
{
	uint32_t among = 0;

	for (int i = 0; i < nodes->count; i++)
		among |= rlk_quorum_may_have(&nodes->quorum, i) ? BIT(i) : 0;
	return among;
}

void rlk_nodes_explain(const rlk_nodes *nodes, rlk_error *err)
{
	const rlk_node *first = NULL;
	int failed = 0;

	for (int i = 0; i < nodes->count; i++) {
		rlk_vote vote = nodes->quorum.votes[i];

		if (vote == RLK_VOTE_YES || vote == RLK_VOTE_NO || vote == RLK_VOTE_PENDING)
			continue;
		failed++;
		if (first == NULL && nodes->node[i].error.code != RLK_ERR_NONE)
			first = &nodes->node[i];
	}
	rlk_error_set(err, first != NULL ? first->error.code : RLK_ERR_TIMEOUT, first != NULL ? first->error.sys_errno : 0,
		"no majority of the servers, %d of %d failed: %s", failed, nodes->count,
		first != NULL ? first->error.text : "no answer in time");
	if (first != NULL)
		rlk_error_set_node(err, first->conn.endpoint->label);
	if (err != NULL)
		err->retryable = true;
}

const char *rlk_nodes_outcome(const rlk_nodes *nodes, int server, const char *no)
{
	const rlk_node *node = &nodes->node[server];

	switch (nodes->quorum.votes[server]) {
		case RLK_VOTE_YES:
			return "yes";
		case RLK_VOTE_NO:
			if ((nodes->quorum.sent & BIT(server)) != 0)
				return no;
			return node->error.code != RLK_ERR_NONE ? node->error.text : "not asked"; /* it never had the lock */
		case RLK_VOTE_PENDING:
			return "no answer yet";
		default:
			return node->error.code != RLK_ERR_NONE ? node->error.text : "no answer in time";
	}
}
