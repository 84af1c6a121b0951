/*
 * rlk_dialect: see the header.
 */
#include "redis/rlk_dialect.h"

#include "base/rlk_clock.h"
#include "base/rlk_hash.h"
#include "net/rlk_resp.h"
#include "net/rlk_socket.h"
#include "redis/rlk_topology.h"

/* Users of servers that are known to take scripts. Forgotten ones are asked about once more, which is all. */
#define KNOWN_MAX 16

static _Thread_local uint64_t known[KNOWN_MAX];
static _Thread_local unsigned known_next;

/* Server and user. */
static uint64_t identity(const rlk_server *server)
{
	uint64_t hash = RLK_HASH_START ^ ((unsigned)server->transport << 16 | server->port);

	hash = rlk_hash_add(hash, rlk_str_from_cstr(rlk_server_address(server)));
	return rlk_hash_add(hash, rlk_str_from_cstr(server->user));
}

bool rlk_dialect_takes_scripts(const rlk_server *server)
{
	uint64_t wanted = identity(server);

	for (int i = 0; i < KNOWN_MAX; i++) {
		if (known[i] == wanted)
			return true;
	}
	return false;
}

void rlk_dialect_note_scripts(const rlk_server *server)
{
	if (!rlk_dialect_takes_scripts(server))
		known[known_next++ % KNOWN_MAX] = identity(server);
}

/* The answer to a release of a token that nobody has: 0, or NOSCRIPT, or a refusal. */
static void told_of_scripts(void *arg, const rlk_reply *reply)
{
	rlk_conn *conn = arg;

	if (reply == NULL)
		return;
	if (rlk_reply_refuses_scripts(reply))
		conn->refuses_scripts = true;
	else if (reply->type == RLK_REPLY_INTEGER || rlk_reply_is_error(reply, "NOSCRIPT"))
		rlk_dialect_note_scripts(conn->server);
}

/* A server that tells users apart asks for a password. */
static void ask_for_scripts(rlk_conn *conn, const rlk_script *release, rlk_str key, rlk_str token)
{
	const rlk_conn_listener listener = { told_of_scripts, conn };

	if (conn->unread == 0 && conn->server->password != NULL && !rlk_dialect_takes_scripts(conn->server) &&
		rlk_conn_append_eval(conn, false, release, &key, 1, &token, 1, NULL))
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

void rlk_dialect_ask(rlk_conn *conn, const rlk_script *release, rlk_str key, rlk_str token)
{
	if (conn->dialect == RLK_DIALECT_NEW)
		ask_for_scripts(conn, release, key, token);
	else if (conn->dialect == RLK_DIALECT_USED)
		ask_for_commands(conn);
}

bool rlk_dialect_finds_no_string(rlk_str error)
{
	return rlk_str_starts_with(error, RLK_STR("WRONGTYPE")) ||
		rlk_str_starts_with(error, RLK_STR("ERR Key should be of string type"));
}

size_t rlk_dialect_words(rlk_dialect dialect, const rlk_str *args, size_t arg_count,
	rlk_str words[RLK_DIALECT_WORDS_MAX])
{
	rlk_str key = args[0], token = args[1], value = arg_count > 3 ? args[2] : token, ttl = args[arg_count - 1];
	const rlk_str set[] = { RLK_STR("SET"), key, value, RLK_STR("IFEQ"), token, RLK_STR("PX"), ttl };
	const rlk_str delex[] = { RLK_STR("DELEX"), key, RLK_STR("IFEQ"), token };
	const rlk_str delifeq[] = { RLK_STR("DELIFEQ"), key, token };

	if (arg_count > 2) {
		memcpy(words, set, sizeof(set));
		return ttl.len > 0 ? 7 : 5;
	}
	if (dialect == RLK_DIALECT_DELEX) {
		memcpy(words, delex, sizeof(delex));
		return 4;
	}
	memcpy(words, delifeq, sizeof(delifeq));
	return 3;
}

bool rlk_dialect_append(rlk_conn *conn, rlk_dialect dialect, const rlk_str *args, size_t arg_count, rlk_error *err)
{
	rlk_str words[RLK_DIALECT_WORDS_MAX];
	size_t count = rlk_dialect_words(dialect, args, arg_count, words);

	return rlk_conn_append(conn, words, count, err);
}

bool rlk_dialect_learn(rlk_conn *conn, const rlk_reply *reply)
{
	bool scripts = rlk_reply_refuses_scripts(reply);

	/* Other answers of the kind may still come, to what was asked before this was known. */
	if (scripts && !conn->refuses_scripts)
		conn->dialect = RLK_DIALECT_DELEX;
	conn->refuses_scripts = conn->refuses_scripts || scripts;
	if (scripts || !conn->refuses_scripts || reply->type != RLK_REPLY_ERROR)
		return scripts;
	if (conn->dialect == RLK_DIALECT_DELEX && rlk_reply_refuses(reply, "delex"))
		conn->dialect = RLK_DIALECT_DELIFEQ;
	else if ((conn->dialect == RLK_DIALECT_DELIFEQ && rlk_reply_refuses(reply, "delifeq")) ||
		rlk_str_starts_with(reply->text, RLK_STR("ERR syntax error"))) /* SET has no IFEQ */
		conn->dialect = RLK_DIALECT_NONE;
	else
		return false;
	return true;
}

bool rlk_dialect_probe(rlk_conn *conn, rlk_str key, rlk_error *err)
{
	const rlk_dialect commands[] = { RLK_DIALECT_DELEX, RLK_DIALECT_DELIFEQ };
	const rlk_str args[] = { key, RLK_STR("rlk1:nobody") };
	bool ok = rlk_dialect_has_commands(conn) || rlk_conn_ready(conn, false, err);

	if (!ok || rlk_dialect_has_commands(conn))
		return ok;
	for (int i = 0; ok && i < 2; i++)
		ok = rlk_dialect_append(conn, commands[i], args, 2, err);
	ok = ok && rlk_conn_send(conn, err) == RLK_YES;
	for (int i = 0; ok && i < 2; i++) {
		const rlk_reply *reply = rlk_conn_receive(conn, err);

		ok = reply != NULL;
		if (ok && reply->type == RLK_REPLY_INTEGER)
			conn->dialect = commands[i];
	}
	if (!ok || rlk_dialect_has_commands(conn))
		return ok;
	/* Rights may come back: the next call asks for scripts once more. */
	conn->refuses_scripts = false;
	conn->dialect = RLK_DIALECT_NEW;
	rlk_error_set(err, RLK_ERR_AUTH, 0, RLK_DIALECT_MISSING);
	rlk_error_set_node(err, conn->server->label);
	return false;
}

/* One of ours compared, and deleted or set: what does the answer say? */
static rlk_outcome judge(rlk_conn *conn, const rlk_reply *reply, rlk_reply_type fits, rlk_error *err)
{
	if (reply->type == RLK_REPLY_ERROR) {
		if (rlk_dialect_finds_no_string(reply->text))
			return RLK_NO;
		if (rlk_reply_refuses_any(reply))
			conn->dialect = RLK_DIALECT_NONE;
		rlk_reply_to_error(reply, err);
		rlk_error_set_node(err, conn->server->label);
		return RLK_FAIL;
	}
	if (fits == RLK_REPLY_INTEGER && reply->type == fits)
		return reply->integer == 1 ? RLK_YES : RLK_NO;
	if (fits == RLK_REPLY_STATUS && reply->type == RLK_REPLY_NIL)
		return RLK_NO;
	if (fits == RLK_REPLY_STATUS && reply->type == fits && rlk_str_equal(reply->text, RLK_STR("OK")))
		return RLK_YES;
	return rlk_conn_unexpected(conn, err);
}

/* Is the connection ready, and is there a command for it? */
static bool finds_command(rlk_conn *conn, rlk_str key, rlk_error *err)
{
	if (!rlk_conn_ready(conn, true, err))
		return false;
	conn->refuses_scripts = true; /* a new connection does not know yet */
	return rlk_dialect_probe(conn, key, err);
}

rlk_outcome rlk_dialect_change(rlk_conn *conn, const rlk_str *args, size_t arg_count, rlk_error *err)
{
	int64_t until_ms = rlk_conn_until(conn, rlk_clock_now_ms() + conn->server->connect_timeout_ms);

	for (int redirections = 0;; redirections++) {
		const rlk_reply *reply;
		rlk_outcome outcome;

		if (!finds_command(conn, args[0], err) || !rlk_dialect_append(conn, conn->dialect, args, arg_count, err))
			return RLK_FAIL;
		outcome = rlk_conn_exchange(conn, &reply, err);
		if (outcome != RLK_YES)
			return outcome;
		/* The target of an ASK serves what has ASKING in front, for which there is no place here. */
		if (rlk_reply_is_error(reply, "ASK") || !rlk_topology_follow(conn, reply, redirections, until_ms))
			return judge(conn, reply, arg_count > 2 ? RLK_REPLY_STATUS : RLK_REPLY_INTEGER, err);
	}
}

rlk_outcome rlk_dialect_delete(rlk_conn *conn, rlk_str key, rlk_str token, rlk_str waiters_key, rlk_waiters *waiters,
	rlk_error *err)
{
	const rlk_str args[] = { key, token }, exists[] = { RLK_STR("EXISTS"), waiters_key };
	const rlk_reply *reply;
	rlk_outcome outcome;

	*waiters = RLK_WAITERS_UNKNOWN;
	if (!rlk_conn_ready(conn, true, err) || !rlk_dialect_has_commands(conn) ||
		!rlk_dialect_append(conn, conn->dialect, args, 2, err))
		return RLK_FAIL;
	if (waiters_key.len > 0 && !rlk_conn_append(conn, exists, 2, err)) {
		rlk_conn_close(conn);
		return RLK_FAIL;
	}
	outcome = rlk_conn_exchange(conn, &reply, err);
	if (outcome != RLK_YES)
		return outcome;
	outcome = judge(conn, reply, RLK_REPLY_INTEGER, err);
	if (waiters_key.len == 0 || conn->fd == RLK_SOCKET_NONE)
		return outcome;
	/* What became of the delete is known. If the second answer does not come the waiters look by themselves. */
	reply = rlk_conn_receive(conn, NULL);
	if (reply != NULL && reply->type == RLK_REPLY_INTEGER)
		*waiters = reply->integer == 1 ? RLK_WAITERS_SOME : RLK_WAITERS_NONE;
	else if (reply != NULL && rlk_reply_is_error(reply, "NOPERM"))
		*waiters = RLK_WAITERS_REFUSED;
	return outcome;
}

rlk_outcome rlk_dialect_read(rlk_conn *conn, rlk_str key, rlk_str *value, int64_t *pttl_ms, rlk_error *err)
{
	const rlk_str pttl[] = { RLK_STR("PTTL"), key }, get[] = { RLK_STR("GET"), key };
	const rlk_reply *reply;
	rlk_outcome outcome = rlk_conn_call(conn, pttl, 2, &reply, err);
	rlk_error local;

	if (outcome != RLK_YES)
		return outcome;
	if (reply->type != RLK_REPLY_INTEGER)
		return rlk_conn_unexpected(conn, err);
	*pttl_ms = reply->integer;
	*value = rlk_str_make(NULL, 0);
	/* Behind the time left: a value that was there then cannot have come in between. */
	rlk_error_clear(&local);
	outcome = rlk_conn_call(conn, get, 2, &reply, &local);
	if (outcome == RLK_FAIL && reply != NULL && rlk_reply_is_error(reply, "WRONGTYPE"))
		return RLK_YES;
	rlk_error_adopt(err, &local);
	if (outcome != RLK_YES)
		return outcome;
	if (reply->type == RLK_REPLY_STRING)
		*value = reply->text;
	else if (reply->type != RLK_REPLY_NIL)
		return rlk_conn_unexpected(conn, err);
	return reply->type == RLK_REPLY_NIL ? RLK_NO : RLK_YES;
}
