/*
 * rlk_replicas: see the header.
 */
#include "lock/rlk_replicas.h"

#include "net/rlk_resp.h"

rlk_outcome rlk_replicas_await(const rlk_replicas *replicas, rlk_conn *conn, rlk_error *err)
{
	char min[RLK_RESP_INT_MAX], timeout[RLK_RESP_INT_MAX];
	const rlk_str argv[] = { RLK_STR("WAIT"), rlk_resp_int(replicas->min, min),
		rlk_resp_int(replicas->timeout_ms, timeout) };
	const rlk_reply *reply;
	int64_t written_at_ms = conn->sent_at_ms; /* what follows is no write of its own: validity counts from there */
	rlk_outcome outcome;

	if (replicas->min == 0)
		return RLK_YES;
	conn->asking = false; /* this is not about a key */
	if (!rlk_conn_append(conn, argv, 3, err))
		return RLK_FAIL;
	outcome = rlk_conn_send(conn, err);
	if (outcome != RLK_YES)
		return RLK_UNKNOWN;
	reply = rlk_conn_read(conn, conn->sent_at_ms + replicas->timeout_ms + conn->server->io_timeout_ms, err);
	conn->sent_at_ms = written_at_ms;
	if (reply != NULL && reply->type == RLK_REPLY_INTEGER) {
		if (reply->integer >= replicas->min)
			return RLK_YES;
		rlk_error_set(err, RLK_ERR_SERVER, 0, "%lld of the %d replicas asked for have the lock after %lld ms",
			(long long)reply->integer, replicas->min, (long long)replicas->timeout_ms);
		if (err != NULL)
			err->retryable = true;
		outcome = RLK_FAIL;
	} else if (reply != NULL && reply->type == RLK_REPLY_ERROR) {
		rlk_reply_to_error(reply, err);
		outcome = RLK_FAIL;
	} else {
		outcome = reply != NULL ? rlk_conn_unexpected(conn, err) : RLK_UNKNOWN;
	}
	rlk_error_set_node(err, conn->server->label);
	return outcome;
}
