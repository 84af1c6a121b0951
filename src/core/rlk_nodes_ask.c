/*
 * rlk_nodes_ask: one round, a question to the servers of a quorum and a poll() loop until its result is certain.
 */
#include "core/rlk_nodes.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "core/rlk_native.h"
#include "wire/rlk_socket.h"

_Static_assert(RLK_QUORUM_MAX <= RLK_SOCKET_WATCHED_MAX && RLK_QUORUM_MAX <= 32, "a bit and a descriptor each");

#define BIT(i) (UINT32_C(1) << (i))

/* A round under way. */
typedef struct {
	rlk_nodes *nodes;
	const rlk_nodes_request *request;
	uint32_t redialled; /* servers whose connection broke and was opened again in this round */
} round_state;

void rlk_nodes_begin(rlk_nodes *nodes, rlk_round round, int64_t ttl_ms)
{
	nodes->asked_at_ms = rlk_clock_now_ms();
	rlk_quorum_begin(&nodes->quorum, nodes->count, round,
		ttl_ms > 0 ? rlk_quorum_valid_until(nodes->asked_at_ms, ttl_ms) : RLK_NEVER);
}

static void connection_broke(round_state *r, int i, const rlk_error *why, int64_t now_ms);

/* Would the server release a lock? A value that nobody has tells. false: memory is out. */
static bool append_try(round_state *r, rlk_node *node)
{
	const rlk_str argv[] = { r->request->owes->key, RLK_STR("rlk:nobody") };
	const rlk_question release = { &rlk_script_release, argv, 2, 1 };

	node->trying = rlk_node_append(node, &release);
	return node->trying;
}

/* Queues the question for a READY server. false: it cannot be asked, see its error. */
static bool append_question(round_state *r, rlk_node *node)
{
	const rlk_nodes_request *request = r->request;
	bool takes = r->nodes->quorum.round == RLK_ROUND_TAKE;
	const rlk_question release = { .script = &rlk_script_release };

	node->withheld = false;
	if (rlk_node_way(node, takes ? &release : &request->question) == RLK_NATIVE_NONE) {
		rlk_node_has_no_way(node);
		return false;
	}
	if ((!takes || !rlk_node_must_try(node) || append_try(r, node)) && rlk_node_append(node, &request->question))
		return true;
	rlk_node_note_error(node, RLK_ERR_MEMORY, "out of memory for a request");
	return false;
}

/* Sends the question to a READY server that has a vote. */
static void send_request(round_state *r, int i, int64_t now_ms)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_outcome outcome;
	rlk_error err;

	if (!append_question(r, node)) {
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_REFUSED);
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

/* The server gives no answer. An acquisition that never left is owed nothing; a release that never left is owed itself. */
static void owe(round_state *r, int i, bool held, bool said)
{
	bool sent = (r->nodes->quorum.sent & BIT(i)) != 0;

	if (r->request->owes != NULL && (sent || r->nodes->quorum.round == RLK_ROUND_KEEP))
		rlk_node_owe(&r->nodes->node[i], r->request->owes, held, sent && said);
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
		rlk_node_note_error(node, RLK_ERR_IO, "the server closed the connection");
	if (!node->proved || (r->redialled & BIT(i)) != 0) {
		rlk_node_back_off(node, now_ms);
		rlk_quorum_answer(quorum, i, RLK_VOTE_SILENT);
		return;
	}
	r->redialled |= BIT(i);
	if (pending && quorum->round == RLK_ROUND_TAKE)
		owe(r, i, false, false);
	rlk_node_start_over(node, now_ms);
	if (pending && node->state == RLK_NODE_READY)
		send_request(r, i, now_ms);
	else if (node->state == RLK_NODE_CLOSED)
		rlk_quorum_answer(quorum, i, RLK_VOTE_SILENT);
}

/* An error in answer to this round's question. false: the question has to be put again. */
static bool take_error(round_state *r, int i, const rlk_reply *reply)
{
	rlk_node *node = &r->nodes->node[i];
	const rlk_question *asked = &r->request->question;

	if (node->way != RLK_NATIVE_NEW && rlk_native_finds_no_string(reply)) {
		node->error.code = RLK_ERR_NONE;
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_NO);
		return true;
	}
	if (asked->script != NULL) {
		rlk_node_learn(node, reply);
		if (rlk_reply_is_error(reply, "NOSCRIPT") || rlk_node_way(node, asked) != node->way)
			return false;
	}
	rlk_error_clear(&node->error);
	rlk_reply_to_error(reply, &node->error);
	rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_REFUSED);
	return true;
}

/* It has given us the key, but does not take it back, not in this way. Is there another? */
static void withhold(round_state *r, int i)
{
	rlk_node *node = &r->nodes->node[i];
	const rlk_question release = { .script = &rlk_script_release };
	const rlk_str del[] = { RLK_STR("DEL"), r->request->owes->key };
	rlk_error err;

	rlk_error_clear(&err);
	node->withheld = true;
	if (rlk_node_way(node, &release) != RLK_NATIVE_NONE) {
		append_try(r, node);
	} else {
		rlk_node_has_no_way(node);
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_REFUSED);
		rlk_conn_append(&node->conn, del, 2, NULL); /* ours since a moment ago */
		rlk_node_leave_unread(node, r->nodes->asked_at_ms);
	}
	rlk_conn_flush(&node->conn, 0, &err);
	if (node->conn.fd == RLK_SOCKET_NONE)
		connection_broke(r, i, &err, r->nodes->asked_at_ms);
}

/* The answer to a try, which comes before that to the question, or after a yes that is withheld. */
static void take_try(round_state *r, int i, const rlk_reply *reply)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_native way = node->conn.refuses_scripts ? node->conn.native : RLK_NATIVE_NEW;

	node->trying = false;
	if (reply->type == RLK_REPLY_INTEGER || rlk_reply_is_error(reply, "NOSCRIPT"))
		rlk_node_understood(node);
	else if (reply->type == RLK_REPLY_ERROR)
		rlk_node_learn(node, reply);
	if (!node->withheld)
		return;
	if (node->releases) {
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_YES);
	} else if (node->conn.native != way) {
		withhold(r, i);
	} else {
		rlk_reply_to_error(reply, &node->error);
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_SILENT);
	}
}

/* The answer to this round's question. false: the question has to be put again. */
static bool take_answer(round_state *r, int i, const rlk_reply *reply)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_vote vote;

	if (reply->type == RLK_REPLY_ERROR)
		return take_error(r, i, reply);
	if (reply->type == RLK_REPLY_INTEGER)
		rlk_node_understood(node);
	vote = r->request->read(r->request->arg, i, reply);
	node->error.code = RLK_ERR_NONE;
	if (vote != RLK_VOTE_YES && vote != RLK_VOTE_NO) {
		rlk_node_note_error(node, RLK_ERR_PROTOCOL, "the server sent a reply that does not fit the request");
		vote = RLK_VOTE_SILENT;
	}
	if (vote == RLK_VOTE_NO && r->request->repeated_no_is_yes && (r->redialled & BIT(i)) != 0)
		vote = RLK_VOTE_YES;
	if (vote == RLK_VOTE_YES && r->nodes->quorum.round == RLK_ROUND_TAKE && rlk_node_must_try(node))
		withhold(r, i);
	else
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
			if (rlk_node_take_intro(node, reply))
				continue;
			rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_SILENT);
			owe(r, i, false, false);
			rlk_node_give_up(node, now_ms);
			return;
		}
		rlk_node_answered(node);
		if (node->late > 0) {
			rlk_node_take_late(node, reply, now_ms);
		} else if (node->trying) {
			take_try(r, i, reply);
		} else if (!take_answer(r, i, reply)) {
			if (r->nodes->quorum.votes[i] == RLK_VOTE_PENDING)
				send_request(r, i, now_ms);
			return;
		}
		/* poll() tells when there is more, but knows nothing of what TLS has received already. */
		if (node->conn.tls == NULL && node->conn.fd != RLK_SOCKET_NONE && rlk_reader_is_empty(node->conn.reader))
			return;
	}
}

static bool is_fit(const rlk_nodes *nodes, int i)
{
	const rlk_node *node = &nodes->node[i];

	if (node->state == RLK_NODE_READY)
		return nodes->quorum.round != RLK_ROUND_TAKE || !rlk_node_is_lagging(node, nodes->asked_at_ms);
	return node->state == RLK_NODE_OPENING && !node->suspect &&
		nodes->asked_at_ms < node->dialled_at_ms + rlk_node_patience_ms(node);
}

/* Puts the question to one server, or waits for it to be connected. */
static void ask_one(round_state *r, int i)
{
	rlk_node *node = &r->nodes->node[i];
	int64_t now_ms = r->nodes->asked_at_ms;

	if (node->state == RLK_NODE_CLOSED)
		rlk_node_dial(node, now_ms);
	if (node->state == RLK_NODE_READY) {
		rlk_quorum_ask(&r->nodes->quorum, i, now_ms + node->conn.endpoint->io_timeout_ms);
		send_request(r, i, now_ms);
	} else if (node->state == RLK_NODE_OPENING) {
		rlk_quorum_ask(&r->nodes->quorum, i, node->dialled_at_ms + rlk_node_patience_ms(node));
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
			rlk_node_dial_on(node, now_ms);
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
		rlk_node_look_after(&nodes->node[i], nodes->asked_at_ms);
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
	for (int i = 0; i < r->nodes->count; i++) {
		rlk_node *node = &r->nodes->node[i];
		rlk_vote vote = r->nodes->quorum.votes[i];
		bool unanswered = vote == RLK_VOTE_NONE || vote == RLK_VOTE_PENDING || vote == RLK_VOTE_SILENT;

		if (!unanswered)
			continue;
		owe(r, i, taken, true);
		if (node->state == RLK_NODE_READY && node->conn.awaited > node->late) {
			rlk_node_leave_unread(node, r->nodes->asked_at_ms);
			if (vote == RLK_VOTE_SILENT)
				rlk_node_give_up_silent(node, now_ms);
		} else if (node->state == RLK_NODE_OPENING && vote == RLK_VOTE_SILENT) {
			rlk_node_note_error(node, RLK_ERR_CONNECT, "cannot connect: no answer in time");
		}
	}
	for (int i = 0; i < r->nodes->count; i++) {
		if (r->nodes->node[i].state == RLK_NODE_READY && r->nodes->node[i].owed.count > 0)
			rlk_node_say_owed(&r->nodes->node[i], now_ms);
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
