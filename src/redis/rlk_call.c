/*
 * rlk_call: a request and its reply, on whichever connection serves it.
 */
#include "redis/rlk_call_own.h"

#include "base/rlk_clock.h"
#include "net/rlk_resp.h"
#include "redis/rlk_topology.h"

/* Keys and arguments of the largest script call, with EVALSHA, digest and count. */
#define ARGV_MAX 16

static rlk_outcome send_at(rlk_conn *conn, int64_t now_ms, rlk_error *err)
{
	rlk_outcome outcome;

	conn->sent_at_ms = now_ms;
	outcome = rlk_conn_flush(conn, rlk_conn_until(conn, now_ms + conn->server->io_timeout_ms), err);
	if (outcome == RLK_FAIL)
		rlk_conn_close(conn);
	if (outcome != RLK_YES)
		rlk_error_set_node(err, conn->server->label);
	return outcome;
}

rlk_outcome rlk_conn_send(rlk_conn *conn, rlk_error *err)
{
	return send_at(conn, rlk_clock_now_ms(), err);
}

const rlk_reply *rlk_conn_receive(rlk_conn *conn, rlk_error *err)
{
	int64_t until_ms = rlk_conn_until(conn, conn->sent_at_ms + conn->server->io_timeout_ms);
	const rlk_reply *reply = rlk_conn_read(conn, until_ms, err);

	if (reply == NULL)
		rlk_error_set_node(err, conn->server->label);
	return reply;
}

/* The exchange of rlk_conn_call() on a connection that is ready; error replies are the caller's business. */
static rlk_outcome exchange(rlk_conn *conn, int64_t now_ms, const rlk_str *argv, size_t argc, const rlk_reply **reply,
	rlk_error *err)
{
	rlk_outcome outcome;

	*reply = NULL;
	if (!rlk_conn_append(conn, argv, argc, err))
		return RLK_FAIL;
	outcome = send_at(conn, now_ms, err);
	if (outcome == RLK_YES && conn->asking && rlk_conn_receive(conn, err) == NULL)
		return rlk_conn_unanswered(conn);
	if (outcome == RLK_YES)
		*reply = rlk_conn_receive(conn, err);
	return outcome == RLK_YES && *reply == NULL ? rlk_conn_unanswered(conn) : outcome;
}

/* An exchange with whoever serves the request now, which the servers may have to tell first. */
static rlk_outcome exchange_by_topology(rlk_conn *conn, bool repeated, const rlk_str *argv, size_t argc,
	const rlk_reply **reply, rlk_error *err)
{
	int64_t until_ms = 0;
	rlk_outcome outcome;

	for (int redirections = 0;; redirections++) {
		*reply = NULL;
		if (!rlk_conn_make_ready(conn, repeated, err))
			return RLK_FAIL;
		outcome = exchange(conn, conn->ready_at_ms, argv, argc, reply, err);
		if (conn->topology == NULL || outcome != RLK_YES || (*reply)->type != RLK_REPLY_ERROR)
			return outcome;
		if (redirections == 0)
			until_ms = rlk_conn_until(conn, rlk_clock_add(conn->ready_at_ms, conn->server->connect_timeout_ms));
		if (!rlk_topology_follow(conn, *reply, redirections, until_ms))
			return outcome;
	}
}

static rlk_outcome refuse_error_reply(rlk_conn *conn, const rlk_reply **reply, rlk_error *err)
{
	bool turned_away;

	if ((*reply)->type != RLK_REPLY_ERROR)
		return RLK_YES;
	turned_away = rlk_reply_is_error(*reply, RLK_REPLY_TURNED_AWAY);
	rlk_reply_to_error(*reply, err);
	rlk_error_set_node(err, conn->server->label);
	/* Followed for as long as there was time: the nodes do not agree yet, or one of them has just died. */
	if (err != NULL && conn->topology != NULL &&
		(rlk_reply_is_error(*reply, "MOVED") || rlk_reply_is_error(*reply, "ASK")))
		err->retryable = true;
	/* The server hangs up behind this one; a connection that has just answered would pass for alive. */
	if (turned_away)
		rlk_conn_close(conn);
	return RLK_FAIL;
}

rlk_outcome rlk_conn_call(rlk_conn *conn, const rlk_str *argv, size_t argc, const rlk_reply **reply, rlk_error *err)
{
	rlk_outcome outcome;

	rlk_topology_return(conn);
	outcome = exchange_by_topology(conn, false, argv, argc, reply, err);
	return outcome == RLK_YES ? refuse_error_reply(conn, reply, err) : outcome;
}

/* Lays out EVALSHA or EVAL with its keys and arguments; returns the count. `number` backs the key count. */
static size_t lay_out_eval(rlk_str *argv, rlk_str command, rlk_str body, const rlk_str *keys, size_t key_count,
	const rlk_str *args, size_t arg_count, char *number)
{
	size_t argc = 0;

	argv[argc++] = command;
	argv[argc++] = body;
	argv[argc++] = rlk_resp_int((int64_t)key_count, number);
	for (size_t i = 0; i < key_count; i++)
		argv[argc++] = keys[i];
	for (size_t i = 0; i < arg_count; i++)
		argv[argc++] = args[i];
	return argc;
}

rlk_outcome rlk_conn_eval(rlk_conn *conn, bool repeated, const rlk_script *script, const rlk_str *keys,
	size_t key_count, const rlk_str *args, size_t arg_count, const rlk_reply **reply, rlk_error *err)
{
	rlk_str argv[ARGV_MAX];
	char number[RLK_RESP_INT_MAX];
	size_t argc = lay_out_eval(argv, RLK_STR("EVALSHA"), script->sha1, keys, key_count, args, arg_count, number);
	rlk_outcome outcome;

	rlk_topology_return(conn);
	outcome = exchange_by_topology(conn, repeated, argv, argc, reply, err);
	if (outcome == RLK_YES && rlk_reply_is_error(*reply, "NOSCRIPT")) {
		/* A restarted or newly promoted server may not know the script. */
		argv[0] = RLK_STR("EVAL");
		argv[1] = script->text;
		outcome = exchange_by_topology(conn, repeated, argv, argc, reply, err);
	}
	if (outcome == RLK_YES && rlk_reply_refuses_scripts(*reply))
		conn->refuses_scripts = true;
	return outcome == RLK_YES ? refuse_error_reply(conn, reply, err) : outcome;
}

bool rlk_conn_append_eval(rlk_conn *conn, bool by_text, const rlk_script *script, const rlk_str *keys, size_t key_count,
	const rlk_str *args, size_t arg_count, rlk_error *err)
{
	rlk_str argv[ARGV_MAX];
	char number[RLK_RESP_INT_MAX];
	size_t argc = lay_out_eval(argv, by_text ? RLK_STR("EVAL") : RLK_STR("EVALSHA"),
		by_text ? script->text : script->sha1, keys, key_count, args, arg_count, number);

	return rlk_conn_append(conn, argv, argc, err);
}

rlk_outcome rlk_conn_unexpected(rlk_conn *conn, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the server sent a reply that does not fit the request");
	rlk_error_set_node(err, conn->server->label);
	rlk_conn_close(conn);
	return RLK_UNKNOWN;
}
