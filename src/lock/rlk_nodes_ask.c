/*
 * rlk_nodes_ask: one round, a question to the servers of a quorum and a poll() loop until its result is certain. What it is
 * for one of them is in rlk_nodes_round.c.
 */
#include "lock/rlk_nodes_own.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "net/rlk_socket.h"

_Static_assert(RLK_QUORUM_MAX <= RLK_SOCKET_WATCHED_MAX && RLK_QUORUM_MAX <= 32, "a bit and a descriptor each");

#define BIT(i) (UINT32_C(1) << (i))

static void begin(rlk_nodes *nodes, const rlk_operation *op)
{
	nodes->asked_at_ms = rlk_clock_now_ms();
	rlk_quorum_begin(&nodes->quorum, nodes->count, op->round,
		rlk_clock_add(nodes->asked_at_ms, rlk_validity_ms(op->ttl_ms)));
	if (op->round == RLK_ROUND_HEAR)
		nodes->quorum.hear_until_ms = op->until_ms;
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
static void ask_one(rlk_nodes_round *r, int i)
{
	rlk_node *node = &r->nodes->node[i];
	int64_t now_ms = r->nodes->asked_at_ms;

	node->by_text = false;
	if (node->state == RLK_NODE_CLOSED)
		rlk_node_dial(node, now_ms);
	if (node->state == RLK_NODE_READY) {
		rlk_quorum_ask(&r->nodes->quorum, i, now_ms + node->conn.server->io_timeout_ms);
		rlk_node_round_send(r, i, now_ms);
	} else if (node->state == RLK_NODE_OPENING) {
		rlk_quorum_ask(&r->nodes->quorum, i, node->dialled_at_ms + rlk_node_patience_ms(node));
	} else {
		rlk_quorum_ask(&r->nodes->quorum, i, 0);
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_SILENT);
	}
}

/* Waits for the next event and handles all there are. */
static void attend(rlk_nodes_round *r, int64_t until_ms)
{
	rlk_nodes *nodes = r->nodes;
	rlk_socket_watched watched[RLK_QUORUM_MAX];
	int64_t now_ms;

	for (int i = 0; i < nodes->count; i++) {
		const rlk_node *node = &nodes->node[i];

		watched[i] = (rlk_socket_watched){ RLK_SOCKET_NONE, 0, false };
		if (node->state == RLK_NODE_OPENING)
			until_ms = rlk_clock_earlier(until_ms, rlk_conn_turn_until(&node->conn));
		if (node->state == RLK_NODE_OPENING || (node->state == RLK_NODE_READY && node->conn.awaited > 0))
			watched[i] = (rlk_socket_watched){ node->conn.fd, rlk_conn_events(&node->conn), false };
	}
	if (rlk_socket_poll(watched, nodes->count, until_ms, NULL) < 0)
		return;
	now_ms = rlk_clock_now_ms();
	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];

		if (node->state == RLK_NODE_OPENING && (watched[i].ready || now_ms >= rlk_conn_turn_until(&node->conn))) {
			rlk_node_dial_on(node, watched[i].ready, now_ms);
			if (node->state == RLK_NODE_READY && nodes->quorum.votes[i] == RLK_VOTE_PENDING)
				rlk_node_round_send(r, i, now_ms);
			else if (node->state == RLK_NODE_CLOSED)
				rlk_quorum_answer(&nodes->quorum, i, RLK_VOTE_SILENT);
		} else if (watched[i].ready) {
			rlk_node_round_read(r, i, now_ms);
		}
	}
}

static void ask_all(rlk_nodes_round *r)
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
		if ((r->op->among & BIT(i)) == 0) {
			/* It never had what this is about. */
			rlk_quorum_ask(&nodes->quorum, i, 0);
			rlk_quorum_answer(&nodes->quorum, i, RLK_VOTE_NO);
		} else if (all || (fit & BIT(i)) != 0) {
			ask_one(r, i);
		}
	}
}

/* What was not answered becomes a matter of later rounds. */
static void leave_rest(rlk_nodes_round *r, bool taken, int64_t now_ms)
{
	for (int i = 0; i < r->nodes->count; i++) {
		rlk_node *node = &r->nodes->node[i];
		rlk_vote vote = r->nodes->quorum.votes[i];
		bool unanswered = vote == RLK_VOTE_NONE || vote == RLK_VOTE_PENDING || vote == RLK_VOTE_SILENT;

		if (!unanswered)
			continue;
		rlk_node_round_add_pending(r, i, taken, true);
		if (node->state == RLK_NODE_READY && node->conn.awaited > node->late) {
			rlk_node_leave_unread(node, r->nodes->asked_at_ms);
			if (vote == RLK_VOTE_SILENT)
				rlk_node_give_up_silent(node, now_ms);
		} else if (node->state == RLK_NODE_OPENING && vote == RLK_VOTE_SILENT) {
			rlk_node_note_error(node, RLK_ERR_CONNECT, "cannot connect: no answer in time");
		}
	}
	for (int i = 0; i < r->nodes->count; i++) {
		if (r->nodes->node[i].state == RLK_NODE_READY && r->nodes->node[i].pending.count > 0)
			rlk_node_say_pending(&r->nodes->node[i], now_ms);
	}
}

rlk_verdict rlk_nodes_ask(rlk_nodes *nodes, const rlk_operation *op)
{
	rlk_nodes_round r = { .nodes = nodes, .op = op, .repeated = op->released_before };
	rlk_verdict verdict;
	int64_t now_ms;

	if (nodes->owner_pid != rlk_os_process_id())
		rlk_nodes_after_fork(nodes);
	if (nodes->node[0].conn.drain != NULL)
		rlk_drain_tend(nodes->node[0].conn.drain);
	begin(nodes, op);
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
