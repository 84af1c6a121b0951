/*
 * rlk_offers: see the header.
 */
#include "lock/rlk_offers.h"

#include "lock/rlk_scripts.h"
#include "redis/rlk_dialect.h"

/* The answer to a release of a token that nobody has: 0, or NOSCRIPT, or a refusal. */
static void told_of_scripts(void *arg, const rlk_reply *reply)
{
	rlk_conn *conn = arg;

	if (reply != NULL && !rlk_dialect_learn(conn, reply) &&
		(reply->type == RLK_REPLY_INTEGER || rlk_reply_is_error(reply, "NOSCRIPT")))
		rlk_dialect_note_scripts(conn->server);
}

/* A server that tells users apart asks for a password. */
static void ask_for_scripts(const rlk_lock *lock, rlk_conn *conn)
{
	const rlk_str key = rlk_buf_str(&lock->key), token = rlk_buf_str(&lock->token);
	const rlk_conn_listener listener = { told_of_scripts, conn };

	if (conn->unread == 0 && conn->server->password != NULL && !rlk_dialect_takes_scripts(conn->server) &&
		rlk_conn_append_eval(conn, false, &rlk_script_release, &key, 1, &token, 1, NULL))
		rlk_conn_leave_unread(conn, listener, false);
}

/* The answer to COMMAND LIST: names. An older server, or one that keeps such things to itself, sends an error. */
static void told_of_commands(void *arg, const rlk_reply *reply)
{
	rlk_conn *conn = arg;

	if (conn->dialect != RLK_DIALECT_ASKED)
		return;
	conn->dialect = RLK_DIALECT_NONE;
	for (size_t i = 0; reply != NULL && reply->type == RLK_REPLY_ARRAY && i < reply->count; i++) {
		if (rlk_str_equal(reply->items[i].text, RLK_STR("delex")))
			conn->dialect = RLK_DIALECT_DELEX;
		else if (rlk_str_equal(reply->items[i].text, RLK_STR("delifeq")))
			conn->dialect = RLK_DIALECT_DELIFEQ;
	}
}

static void ask_for_commands(rlk_conn *conn)
{
	const rlk_str argv[] = { RLK_STR("COMMAND"), RLK_STR("LIST"), RLK_STR("FILTERBY"), RLK_STR("PATTERN"),
		RLK_STR("del*") };
	const rlk_conn_listener listener = { told_of_commands, conn };

	if (conn->unread == 0 && rlk_conn_append(conn, argv, 5, NULL)) {
		conn->dialect = RLK_DIALECT_ASKED;
		rlk_conn_leave_unread(conn, listener, false);
	}
}

bool rlk_offers_ask_now(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	if (!rlk_conn_ready(conn, false, err))
		return false;
	if (conn->dialect == RLK_DIALECT_NEW)
		ask_for_scripts(lock, conn);
	else if (conn->dialect == RLK_DIALECT_USED) /* it may be another connection by now */
		ask_for_commands(conn);
	return true;
}

bool rlk_offers_try_release(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_str key = rlk_buf_str(&lock->key), nobody = RLK_STR("rlk1:nobody");
	rlk_operation op = { .request = { &rlk_script_release, &key, &nobody, 1, 1, true }, .read = rlk_read_done };
	const rlk_servers one = { conn, NULL };
	rlk_outcome outcome = rlk_ask(&one, &op, err);

	return outcome == RLK_YES || outcome == RLK_NO;
}
