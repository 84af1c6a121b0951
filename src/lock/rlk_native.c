/*
 * rlk_native: see the header.
 */
#include "lock/rlk_native.h"

#include "base/rlk_clock.h"
#include "lock/rlk_lock_try.h"
#include "lock/rlk_scripts.h"
#include "net/rlk_resp.h"
#include "net/rlk_socket.h"

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

bool rlk_native_finds_no_string(rlk_str error)
{
	return rlk_str_starts_with(error, RLK_STR("WRONGTYPE")) ||
		rlk_str_starts_with(error, RLK_STR("ERR Key should be of string type"));
}

/* One of ours compared, and deleted or set: what does the answer say? */
static rlk_outcome judge(rlk_conn *conn, const rlk_reply *reply, rlk_reply_type fits, rlk_error *err)
{
	if (reply->type == RLK_REPLY_ERROR) {
		if (rlk_native_finds_no_string(reply->text))
			return RLK_NO;
		/* Out of memory, a server takes no SET, but the script extends without one. */
		if (rlk_reply_refuses_any(reply) || (rlk_reply_is_error(reply, "OOM") && !conn->refuses_scripts))
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

size_t rlk_native_words(rlk_native how, const rlk_str *args, size_t arg_count, rlk_str words[RLK_NATIVE_WORDS_MAX])
{
	rlk_str key = args[0], token = args[1], value = arg_count > 3 ? args[2] : token, ttl = args[arg_count - 1];
	const rlk_str set[] = { RLK_STR("SET"), key, value, RLK_STR("IFEQ"), token, RLK_STR("PX"), ttl };
	const rlk_str delex[] = { RLK_STR("DELEX"), key, RLK_STR("IFEQ"), token };
	const rlk_str delifeq[] = { RLK_STR("DELIFEQ"), key, token };

	if (arg_count > 2) {
		memcpy(words, set, sizeof(set));
		return ttl.len > 0 ? 7 : 5;
	}
	if (how == RLK_NATIVE_DELEX) {
		memcpy(words, delex, sizeof(delex));
		return 4;
	}
	memcpy(words, delifeq, sizeof(delifeq));
	return 3;
}

bool rlk_native_append(rlk_conn *conn, rlk_native how, const rlk_str *args, size_t arg_count, rlk_error *err)
{
	rlk_str words[RLK_NATIVE_WORDS_MAX];
	size_t count = rlk_native_words(how, args, arg_count, words);

	return rlk_conn_append(conn, words, count, err);
}

rlk_outcome rlk_native_delete(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_str args[] = { rlk_buf_str(&lock->key), rlk_buf_str(&lock->token) };
	const rlk_str exists[] = { RLK_STR("EXISTS"), rlk_buf_str(&lock->waiters) };
	bool asks = lock->waiters.len > 0 && lock->signal.len > 0 && !lock->wakes_nobody && !conn->refuses_scripts;
	const rlk_reply *reply;
	rlk_outcome outcome;

	if (!rlk_conn_ready(conn, true, err) || !rlk_native_is_known(conn) ||
		!rlk_native_append(conn, conn->native, args, 2, err))
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
		return rlk_conn_unanswered(conn);
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
	const rlk_str args[] = { rlk_buf_str(&lock->key), rlk_buf_str(&lock->token), value,
		ttl_ms > 0 ? rlk_resp_int(ttl_ms, number) : RLK_STR("") };
	const rlk_reply *reply;
	rlk_outcome outcome;

	if (!rlk_conn_ready(conn, true, err) || !rlk_native_is_known(conn) ||
		!rlk_native_append(conn, conn->native, args, 4, err))
		return RLK_FAIL;
	outcome = rlk_conn_send(conn, err);
	if (outcome != RLK_YES)
		return outcome;
	reply = rlk_conn_receive(conn, err);
	return reply != NULL ? judge(conn, reply, RLK_REPLY_STATUS, err) : rlk_conn_unanswered(conn);
}

bool rlk_native_find(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_native commands[] = { RLK_NATIVE_DELEX, RLK_NATIVE_DELIFEQ };
	char nobody[RLK_TOKEN_MAX];
	size_t len = rlk_token_make(nobody, RLK_STR(""), true, err);
	const rlk_str args[] = { rlk_buf_str(&lock->key), rlk_str_make(nobody, len) };
	bool ok = len > 0 && rlk_conn_ready(conn, false, err);

	for (int i = 0; ok && i < 2; i++)
		ok = rlk_native_append(conn, commands[i], args, 2, err);
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
