/*
 * rlk_nodes_round: see the header.
 */
#include "lock/rlk_nodes_own.h"

#include "base/rlk_clock.h"
#include "lock/rlk_scripts.h"
#include "redis/rlk_dialect.h"

#define BIT(i) (UINT32_C(1) << (i))

static void connection_broke(rlk_nodes_round *r, int i, const rlk_error *why, int64_t now_ms);

/* Would the server release a lock? A value that nobody has tells. false: it would not, or memory is out. */
static bool append_try(rlk_nodes_round *r, rlk_node *node)
{
	const rlk_str nobody = RLK_STR("rlk:nobody");
	const rlk_request release = { &rlk_script_release, &r->op->pending->key, &nobody, 1, 1, true };

	node->trying = rlk_node_append(node, &release, &node->error);
	return node->trying;
}

/* What the server is asked by now. */
static const rlk_request *request_to(const rlk_nodes_round *r, int i)
{
	return (r->adopting & BIT(i)) != 0 ? r->op->adopt : &r->op->request;
}

/* Queues the request for a READY server. false: it cannot be asked, see its error. */
static bool append_request(rlk_nodes_round *r, int i)
{
	rlk_node *node = &r->nodes->node[i];
	bool tries = r->nodes->quorum.round == RLK_ROUND_TAKE &&
		(rlk_node_must_try(node) || rlk_dialect_of(&node->conn) == RLK_DIALECT_NONE);

	node->withheld = RLK_VOTE_NONE;
	node->resets = node->resets || r->op->resets;
	rlk_error_clear(&node->error);
	if ((!tries || append_try(r, node)) && rlk_node_append(node, request_to(r, i), &node->error))
		return true;
	rlk_node_leave_unread(node, r->nodes->asked_at_ms); /* a try, perhaps */
	return false;
}

void rlk_node_round_send(rlk_nodes_round *r, int i, int64_t now_ms)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	/* It may have broken as soon as it was there, when what is owed was said. */
	if (node->conn.fd == RLK_SOCKET_NONE) {
		connection_broke(r, i, &err, now_ms);
		return;
	}
	if (!append_request(r, i)) {
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_REFUSED);
		return;
	}
	outcome = rlk_conn_flush(&node->conn, 0, &err); /* what does not leave at once leaves with the next event */
	if (outcome != RLK_FAIL || node->conn.fd != RLK_SOCKET_NONE)
		rlk_quorum_sent(&r->nodes->quorum, i);
	if (node->conn.fd == RLK_SOCKET_NONE)
		connection_broke(r, i, &err, now_ms);
}

/* Nothing follows an acquisition that never left; a release that never left follows itself. */
void rlk_node_round_add_pending(rlk_nodes_round *r, int i, bool held, bool said)
{
	bool sent = (r->nodes->quorum.sent & BIT(i)) != 0;
	const rlk_release *pending = r->op->pending;

	if (pending != NULL && !pending->given && (sent || r->nodes->quorum.round == RLK_ROUND_KEEP))
		rlk_node_add_pending(&r->nodes->node[i], pending, held, sent && said);
}

/* Once in a round a connection that had worked is opened again, and the request repeated: all servers may have been
 * restarted since the last one. What was sent first may have been executed, so its release goes ahead. Not an acquisition
 * of which a byte of the answer had come, though: that server was there. */
static void connection_broke(rlk_nodes_round *r, int i, const rlk_error *why, int64_t now_ms)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_quorum *quorum = &r->nodes->quorum;
	bool pending = quorum->votes[i] == RLK_VOTE_PENDING, takes = quorum->round == RLK_ROUND_TAKE;
	bool answers =
		pending && takes && node->conn.peer == RLK_CONN_PEER_HEARD && node->late == 0 && node->conn.handshake == 0;

	if (why->code != RLK_ERR_NONE)
		node->error = *why;
	else
		rlk_node_note_error(node, RLK_ERR_IO, "the server closed the connection");
	if (node->conn.peer == RLK_CONN_PEER_NEW || answers || (r->redialled & BIT(i)) != 0) {
		rlk_node_back_off(node, now_ms);
		rlk_quorum_answer(quorum, i, RLK_VOTE_SILENT);
		return;
	}
	r->redialled |= BIT(i);
	r->adopting &= ~BIT(i);
	if (!node->conn.unseen)
		r->repeated |= quorum->sent & BIT(i);
	if (pending && takes)
		rlk_node_round_add_pending(r, i, false, false);
	rlk_node_start_over(node, now_ms);
	if (pending && node->state == RLK_NODE_READY)
		rlk_node_round_send(r, i, now_ms);
	else if (node->state == RLK_NODE_CLOSED)
		rlk_quorum_answer(quorum, i, RLK_VOTE_SILENT);
}

/* An error in answer to this round's request. false: the request has to be put again. */
static bool take_error(rlk_nodes_round *r, int i, const rlk_reply *reply)
{
	rlk_node *node = &r->nodes->node[i];
	const rlk_request *asked = request_to(r, i);

	if (rlk_request_is_to_change(asked, &node->conn, reply, &node->by_text))
		return false;
	rlk_error_clear(&node->error);
	if (asked->compares && node->conn.refuses_scripts && rlk_dialect_finds_no_string(reply->text)) {
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_NO);
		return true;
	}
	rlk_reply_to_error(reply, &node->error);
	rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_REFUSED);
	return true;
}

/* It would not take the key back, not in this way. Is there another? Without one the key, if we were given it, is left to
 * its ttl: a DEL that does not compare may arrive when somebody else has it. */
static void withhold(rlk_nodes_round *r, int i, rlk_vote vote)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_error err;

	rlk_error_clear(&err);
	rlk_error_clear(&node->error);
	node->withheld = vote;
	if (!append_try(r, node)) {
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_REFUSED);
		return;
	}
	rlk_conn_flush(&node->conn, 0, &err);
	if (node->conn.fd == RLK_SOCKET_NONE)
		connection_broke(r, i, &err, r->nodes->asked_at_ms);
}

/* The answer to a try, which comes before that to the request, or after one that is withheld. */
static void take_try(rlk_nodes_round *r, int i, const rlk_reply *reply)
{
	rlk_node *node = &r->nodes->node[i];
	bool has_another = reply->type == RLK_REPLY_ERROR && rlk_dialect_learn(&node->conn, reply);

	node->trying = false;
	if (reply->type == RLK_REPLY_INTEGER)
		rlk_node_understood(node);
	if (node->withheld == RLK_VOTE_NONE)
		return;
	if (node->conn.releases) {
		rlk_quorum_answer(&r->nodes->quorum, i, node->withheld);
	} else if (has_another) {
		withhold(r, i, node->withheld);
	} else {
		rlk_error_clear(&node->error);
		rlk_reply_to_error(reply, &node->error);
		rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_SILENT);
	}
}

/* The answer to this round's request. false: the request has to be put again. */
static bool take_answer(rlk_nodes_round *r, int i, const rlk_reply *reply)
{
	rlk_node *node = &r->nodes->node[i];
	rlk_vote vote;

	if (reply->type == RLK_REPLY_ERROR)
		return take_error(r, i, reply);
	if (reply->type == RLK_REPLY_INTEGER)
		rlk_node_understood(node);
	vote = rlk_request_fits(request_to(r, i), &node->conn, reply) ? r->op->read(r->op->arg, i, reply) : RLK_VOTE_NONE;
	node->error.code = RLK_ERR_NONE;
	if (vote != RLK_VOTE_YES && vote != RLK_VOTE_NO) {
		rlk_node_note_error(node, RLK_ERR_PROTOCOL, "the server sent a reply that does not fit the request");
		vote = RLK_VOTE_SILENT;
	}
	if (vote == RLK_VOTE_NO && r->op->repeated_no_is_yes && (r->repeated & BIT(i)) != 0)
		vote = RLK_VOTE_YES;
	if (vote == RLK_VOTE_NO && r->op->adopt != NULL && (r->adopting & BIT(i)) == 0 &&
		(r->op->unsure || (r->repeated & BIT(i)) != 0)) {
		r->adopting |= BIT(i);
		return false;
	}
	/* A no, too: it may be for a key that could not be released. */
	if (vote != RLK_VOTE_SILENT && r->nodes->quorum.round == RLK_ROUND_TAKE && rlk_node_must_try(node))
		withhold(r, i, vote);
	else
		rlk_quorum_answer(&r->nodes->quorum, i, vote);
	return true;
}

void rlk_node_round_read(rlk_nodes_round *r, int i, int64_t now_ms)
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

		if (node->conn.refused) {
			/* What was sent behind the handshake may have been executed all the same, in another database say. */
			node->error = err;
			rlk_quorum_answer(&r->nodes->quorum, i, RLK_VOTE_SILENT);
			rlk_node_round_add_pending(r, i, false, false);
			rlk_node_give_up(node, now_ms);
			return;
		}
		if (reply == NULL) {
			if (node->conn.fd == RLK_SOCKET_NONE)
				connection_broke(r, i, &err, now_ms);
			return;
		}
		rlk_node_answered(node);
		if (node->late > 0) {
			rlk_node_take_late(node, reply, now_ms);
		} else if (node->trying) {
			take_try(r, i, reply);
		} else if (!take_answer(r, i, reply)) {
			if (r->nodes->quorum.votes[i] == RLK_VOTE_PENDING)
				rlk_node_round_send(r, i, now_ms);
			return;
		}
		/* poll() tells when there is more, but knows nothing of what TLS has received already. */
		if (node->conn.tls == NULL && node->conn.fd != RLK_SOCKET_NONE && rlk_reader_is_empty(node->conn.reader))
			return;
	}
}
