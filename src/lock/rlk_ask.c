/*
 * rlk_ask: see the header.
 */
#include "lock/rlk_ask.h"

#include "net/rlk_socket.h"

rlk_vote rlk_read_done(void *arg, int server, const rlk_reply *reply)
{
	(void)arg;
	(void)server;
	if (reply->type == RLK_REPLY_INTEGER)
		return reply->integer != 0 ? RLK_VOTE_YES : RLK_VOTE_NO;
	if (reply->type == RLK_REPLY_STATUS && rlk_str_equal(reply->text, RLK_STR("OK")))
		return RLK_VOTE_YES;
	return reply->type == RLK_REPLY_NIL ? RLK_VOTE_NO : RLK_VOTE_NONE;
}

bool rlk_is_to_repeat(rlk_operation *op, const rlk_conn *conn, int attempts, rlk_outcome *outcome, rlk_error *err)
{
	int most = conn->server->retries > 0 ? conn->server->retries : 1;
	bool again;

	if (*outcome == RLK_YES || *outcome == RLK_NO)
		return false;
	if (op->may_repeat)
		again = attempts < most && err->code == RLK_ERR_IO;
	else
		again = attempts == 0 && *outcome == RLK_FAIL && rlk_conn_was_stale(conn, err); /* nothing has arrived */
	if (again) {
		op->repeated = op->repeated || *outcome == RLK_UNKNOWN;
		rlk_error_clear(err);
	} else if (op->repeated) {
		*outcome = RLK_UNKNOWN;
	}
	return again;
}

/* Refused for the sake of the keys behind the first, or since a Cluster is moving them and has the lock on another node
 * already? Then it goes on without them. */
static bool is_to_ask_without_others(rlk_operation *op, const rlk_conn *conn, bool *refused, rlk_error *err)
{
	bool split = err->code == RLK_ERR_SPLIT;

	*refused = err->code == RLK_ERR_AUTH && conn->fd != RLK_SOCKET_NONE && !conn->refuses_scripts;
	if (op->request.key_count == 1 || (!split && !*refused))
		return false;
	op->request.key_count = 1;
	rlk_error_clear(err);
	return true;
}

static rlk_outcome ask_until_answered(rlk_operation *op, rlk_conn *conn, const rlk_reply **reply, rlk_error *err)
{
	bool refused = false;
	rlk_outcome outcome;

	for (int attempts = 0;; attempts++) {
		outcome = rlk_conn_ask(conn, op->may_repeat, &op->request, reply, err);
		if (rlk_is_to_repeat(op, conn, attempts, &outcome, err))
			continue;
		if (outcome == RLK_YES || outcome == RLK_NO)
			break;
		if (outcome != RLK_FAIL || !is_to_ask_without_others(op, conn, &refused, err))
			return outcome;
		attempts = -1;
	}
	if (refused)
		*op->wakes_nobody = true;
	return outcome;
}

static rlk_outcome ask_most(const rlk_operation *op, rlk_quorum *quorum, rlk_error *err)
{
	switch (rlk_quorum_ask(quorum, op)) {
		case RLK_VERDICT_YES:
			return RLK_YES;
		case RLK_VERDICT_NO:
			return RLK_NO;
		case RLK_VERDICT_LATE:
			rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the answers took longer than the ttl");
			if (err != NULL)
				err->retryable = true;
			return RLK_UNKNOWN;
		default:
			rlk_quorum_explain(quorum, err);
			return RLK_UNKNOWN;
	}
}

rlk_outcome rlk_ask(const rlk_servers *servers, rlk_operation *op, rlk_error *err)
{
	rlk_conn *conn = servers->conn;
	const rlk_reply *reply;
	rlk_error local;
	rlk_outcome outcome;
	rlk_vote vote;

	if (servers->quorum != NULL) {
		op->request.key_count = op->request.script != NULL ? 1 : 0; /* nobody can wait at several to be woken */
		return ask_most(op, servers->quorum, err);
	}
	rlk_error_clear(&local);
	outcome = ask_until_answered(op, conn, &reply, &local);
	if (outcome != RLK_YES) {
		rlk_error_adopt(err, &local);
		return outcome;
	}
	vote = op->read(op->arg, 0, reply);
	if (vote != RLK_VOTE_YES && vote != RLK_VOTE_NO)
		return rlk_conn_unexpected(conn, err);
	return vote == RLK_VOTE_YES ? RLK_YES : RLK_NO;
}

int64_t rlk_servers_asked_at_ms(const rlk_servers *servers)
{
	return servers->quorum == NULL ? servers->conn->sent_at_ms : servers->quorum->asked_at_ms;
}

bool rlk_servers_refuse_scripts(const rlk_servers *servers)
{
	return servers->quorum == NULL ? servers->conn->refuses_scripts : rlk_quorum_refuse_scripts(servers->quorum);
}
