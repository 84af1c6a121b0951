/*
 * rlk_native: see the header.
 */
#include "core/rlk_native.h"

#include "base/rlk_clock.h"
#include "core/rlk_lock_try.h"
#include "core/rlk_scripts.h"
#include "wire/rlk_resp.h"
#include "wire/rlk_socket.h"

/* The answer to COMMAND LIST: names. An older server, or one that keeps such things to itself, sends an error. */
static void told(void *arg, const rlk_reply *reply)
{
	rlk_conn *conn = arg;

	if (conn->native != RLK_NATIVE_ASKED)
		return;
	conn->native = RLK_NATIVE_NONE;
	for (size_t i = 0; reply != NULL && reply->type == RLK_REPLY_ARRAY && i < reply->count; i++) {
		if (rlk_str_equal(reply->items[i].text, RLK_STR("delex")))
			conn->native = RLK_NATIVE_DELEX;
		else if (rlk_str_equal(reply->items[i].text, RLK_STR("delifeq")))
			conn->native = RLK_NATIVE_DELIFEQ;
	}
}

void rlk_native_ask(rlk_conn *conn)
{
	const rlk_str argv[] = { RLK_STR("COMMAND"), RLK_STR("LIST"), RLK_STR("FILTERBY"), RLK_STR("PATTERN"),
		RLK_STR("del*") };
	const rlk_conn_listener listener = { told, conn };

	if (conn->native == RLK_NATIVE_USED && conn->unread == 0 && rlk_conn_append(conn, argv, 5, NULL)) {
		conn->native = RLK_NATIVE_ASKED;
		rlk_conn_leave_unread(conn, listener, false);
	}
}

bool rlk_native_finds_no_string(const rlk_reply *reply)
{
	return rlk_reply_is_error(reply, "WRONGTYPE") ||
		(reply->type == RLK_REPLY_ERROR &&
			rlk_str_starts_with(reply->text, RLK_STR("ERR Key should be of string type")));
}

/* One of ours compared, and deleted or set: what does the answer say? */
static rlk_outcome judge(rlk_conn *conn, const rlk_reply *reply, rlk_reply_type fits, rlk_error *err)
{
	if (reply->type == RLK_REPLY_ERROR) {
		if (rlk_native_finds_no_string(reply))
			return RLK_NO;
		/* Out of memory, a server takes no SET, but the script extends without one. */
		if (rlk_reply_is_error(reply, "NOPERM") || rlk_reply_refuses(reply, "unknown command") ||
			(rlk_reply_is_error(reply, "OOM") && !conn->refuses_scripts))
			conn->native = RLK_NATIVE_NONE;
		rlk_reply_to_error(reply, err);
		rlk_error_set_node(err, conn->endpoint->label);
		return RLK_FAIL;
	}
	if (fits == RLK_REPLY_INTEGER && reply->type == fits)
		return reply->integer == 1 ? RLK_YES : RLK_NO;
	if (fits == RLK_REPLY_STATUS && reply->type == RLK_REPLY_NIL)
		return RLK_NO;
	if (fits == RLK_REPLY_STATUS && reply->type == fits && rlk_str_equal(reply->text, RLK_STR("OK")))
		return RLK_YES;
	return rlk_lock_unexpected(conn, err);
}

bool rlk_native_append_delete(rlk_conn *conn, rlk_native how, rlk_str key, rlk_str value, rlk_error *err)
{
	const rlk_str delex[] = { RLK_STR("DELEX"), key, RLK_STR("IFEQ"), value };
	const rlk_str delifeq[] = { RLK_STR("DELIFEQ"), key, value };

	return how == RLK_NATIVE_DELEX ? rlk_conn_append(conn, delex, 4, err) : rlk_conn_append(conn, delifeq, 3, err);
}

bool rlk_native_append_set(rlk_conn *conn, rlk_str key, rlk_str compared, rlk_str value, rlk_str ttl_ms, rlk_error *err)
{
	const rlk_str argv[] = { RLK_STR("SET"), key, value, RLK_STR("IFEQ"), compared, RLK_STR("PX"), ttl_ms };

	return rlk_conn_append(conn, argv, ttl_ms.len > 0 ? 7 : 5, err);
}

rlk_outcome rlk_native_delete(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_str exists[] = { RLK_STR("EXISTS"), rlk_buf_str(&lock->waiters) };
	bool asks = lock->waiters.len > 0 && lock->signal.len > 0 && !lock->wakes_nobody && !conn->refuses_scripts;
	const rlk_reply *reply;
	rlk_outcome outcome;

	if (!rlk_conn_ready(conn, true, err) || !rlk_native_is_known(conn) ||
		!rlk_native_append_delete(conn, conn->native, rlk_buf_str(&lock->key), rlk_buf_str(&lock->token), err))
		return RLK_FAIL;
	if (asks && !rlk_conn_append(conn, exists, 2, err)) {
		rlk_conn_close(conn);
		return RLK_FAIL;
	}
	outcome = rlk_conn_send(conn, err);
	if (outcome != RLK_YES)
		return outcome;
	reply = rlk_conn_receive(conn, err);
	if (reply == NULL)
		return RLK_UNKNOWN;
	outcome = judge(conn, reply, RLK_REPLY_INTEGER, err);
	if (!asks || conn->fd == RLK_SOCKET_NONE)
		return outcome;
	/* What became of the delete is known. If the second answer does not come the waiters look by themselves. */
	reply = rlk_conn_receive(conn, NULL);
	if (reply != NULL && reply->type == RLK_REPLY_ERROR)
		lock->wakes_nobody = rlk_reply_is_error(reply, "NOPERM");
	/* Not behind a failure: the script would take from us what we go on relying upon. */
	if (outcome != RLK_FAIL && reply != NULL && reply->type == RLK_REPLY_INTEGER && reply->integer == 1) {
		lock->waited_until_ms = rlk_clock_add(conn->sent_at_ms, RLK_SCRIPT_MARK_MAX_MS);
		rlk_lock_leave(lock, conn, false);
	}
	return outcome;
}

rlk_outcome rlk_native_set(rlk_lock *lock, rlk_conn *conn, rlk_str value, int64_t ttl_ms, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str ttl = ttl_ms > 0 ? rlk_resp_int(ttl_ms, number) : RLK_STR("");
	const rlk_reply *reply;
	rlk_outcome outcome;

	if (!rlk_conn_ready(conn, true, err) || !rlk_native_is_known(conn) ||
		!rlk_native_append_set(conn, rlk_buf_str(&lock->key), rlk_buf_str(&lock->token), value, ttl, err))
		return RLK_FAIL;
	outcome = rlk_conn_send(conn, err);
	if (outcome != RLK_YES)
		return outcome;
	reply = rlk_conn_receive(conn, err);
	return reply != NULL ? judge(conn, reply, RLK_REPLY_STATUS, err) : RLK_UNKNOWN;
}

bool rlk_native_find(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_native commands[] = { RLK_NATIVE_DELEX, RLK_NATIVE_DELIFEQ };
	char nobody[RLK_TOKEN_MAX];
	size_t len = rlk_token_make(nobody, RLK_STR(""), true, err);
	bool ok = len > 0 && rlk_conn_ready(conn, false, err);

	for (int i = 0; ok && i < 2; i++)
		ok = rlk_native_append_delete(conn, commands[i], rlk_buf_str(&lock->key), rlk_str_make(nobody, len), err);
	ok = ok && rlk_conn_send(conn, err) == RLK_YES;
	for (int i = 0; ok && i < 2; i++) {
		const rlk_reply *reply = rlk_conn_receive(conn, err);

		ok = reply != NULL;
		if (ok && reply->type == RLK_REPLY_INTEGER)
			conn->native = commands[i];
	}
	if (ok && !rlk_native_is_known(conn))
		conn->native = RLK_NATIVE_NONE;
	return ok;
}
