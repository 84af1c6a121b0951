/*
 * rlk_scriptless: see the header.
 */
#include "lock/rlk_scriptless.h"

#include "base/rlk_clock.h"
#include "base/rlk_hash.h"
#include "lock/rlk_lock_try.h"
#include "lock/rlk_native.h"
#include "lock/rlk_scripts.h"
#include "net/rlk_resp.h"
#include "redis/rlk_route.h"

#include <string.h>

/* Somebody changes the key between WATCH and EXEC at most when the lock is being lost; after that it has another value. */
#define WATCH_TRIES 3

/* Users of servers that are known to take scripts. Forgotten ones are asked about once more, which is all. */
#define KNOWN_MAX 16

static _Thread_local uint64_t known[KNOWN_MAX];
static _Thread_local unsigned known_next;

/* Server and user. */
static uint64_t identity(const rlk_endpoint *endpoint)
{
	uint64_t hash = RLK_HASH_START ^ ((unsigned)endpoint->transport << 16 | endpoint->port);

	hash = rlk_hash_add(hash, rlk_str_from_cstr(rlk_endpoint_address(endpoint)));
	return rlk_hash_add(hash, rlk_str_from_cstr(endpoint->user));
}

bool rlk_scriptless_is_known(const rlk_endpoint *endpoint)
{
	uint64_t wanted = identity(endpoint);

	for (int i = 0; i < KNOWN_MAX; i++) {
		if (known[i] == wanted)
			return true;
	}
	return false;
}

void rlk_scriptless_know(const rlk_endpoint *endpoint)
{
	if (!rlk_scriptless_is_known(endpoint))
		known[known_next++ % KNOWN_MAX] = identity(endpoint);
}

/* The answer to a release of a token that nobody has: 0, or NOSCRIPT, or a refusal. */
static void told(void *arg, const rlk_reply *reply)
{
	rlk_conn *conn = arg;

	if (reply == NULL)
		return;
	if (rlk_reply_refuses_scripts(reply))
		conn->refuses_scripts = true;
	else if (reply->type == RLK_REPLY_INTEGER || rlk_reply_is_error(reply, "NOSCRIPT"))
		rlk_scriptless_know(conn->endpoint);
}

void rlk_scriptless_ask(const rlk_lock *lock, rlk_conn *conn)
{
	const rlk_str key = rlk_buf_str(&lock->key), token = rlk_buf_str(&lock->token);
	const rlk_conn_listener listener = { told, conn };

	/* A server that tells users apart asks for a password. */
	if (conn->native != RLK_NATIVE_NEW || conn->unread > 0 || conn->endpoint->password == NULL ||
		rlk_scriptless_is_known(conn->endpoint))
		return;
	if (rlk_conn_append_eval(conn, false, &rlk_script_release, &key, 1, &token, 1, NULL))
		rlk_conn_leave_unread(conn, listener, false);
}

static bool append(rlk_conn *conn, const rlk_str *argv, size_t argc, rlk_error *err)
{
	if (rlk_conn_append(conn, argv, argc, err))
		return true;
	rlk_conn_close(conn);
	return false;
}

static bool append_word(rlk_conn *conn, rlk_str word, rlk_error *err)
{
	return append(conn, &word, 1, err);
}

static bool append_on_key(const rlk_lock *lock, rlk_conn *conn, rlk_str word, rlk_error *err)
{
	const rlk_str argv[] = { word, rlk_buf_str(&lock->key) };

	return append(conn, argv, 2, err);
}

/* Leaves with the next request: what it watches for no longer concerns us. */
static void discard(rlk_conn *conn)
{
	const rlk_conn_listener nobody = { NULL, NULL };

	if (append_word(conn, RLK_STR("DISCARD"), NULL))
		rlk_conn_leave_unread(conn, nobody, false);
}

/* Watches, looks and begins: whatever comes next is done with EXEC, and only if the key is as it was. */
static bool append_watch(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	return append_on_key(lock, conn, RLK_STR("WATCH"), err) && append_on_key(lock, conn, RLK_STR("GET"), err) &&
		append_word(conn, RLK_STR("MULTI"), err);
}

/* Sends what was appended. *may: no answer is a refusal. false: not all answers came. */
static bool hear_refusals(rlk_conn *conn, int answers, bool *may, rlk_error *err)
{
	if (rlk_conn_send(conn, err) != RLK_YES)
		return false;
	*may = true;
	while (answers-- > 0) {
		const rlk_reply *reply = rlk_conn_receive(conn, err);

		if (reply == NULL)
			return false;
		*may = *may && !rlk_reply_refuses_any(reply);
	}
	return true;
}

/* May we watch, look and change? The server says so when it queues a command, and then nothing is done. Only once MULTI is
 * known to be allowed, though: without it DEL would be done at once. */
static bool may_watch(const rlk_lock *lock, rlk_conn *conn, bool *may, rlk_error *err)
{
	if (!rlk_conn_ready(conn, false, err) || !append_watch(lock, conn, err) || !hear_refusals(conn, 3, may, err))
		return false;
	if (!*may) {
		discard(conn);
		return true;
	}
	return append_on_key(lock, conn, RLK_STR("DEL"), err) && append_word(conn, RLK_STR("DISCARD"), err) &&
		hear_refusals(conn, 2, may, err);
}

bool rlk_scriptless_settle(rlk_lock *lock, rlk_conn *conn, bool renewed, rlk_error *err)
{
	bool ok = rlk_native_is_known(conn) || rlk_native_find(lock, conn, err), may = rlk_native_is_known(conn);
	bool retried = false;

	if (ok && !may && !renewed)
		ok = may_watch(lock, conn, &may, err);
	if (ok && may)
		return true;
	if (ok)
		rlk_error_set(err, RLK_ERR_AUTH, 0,
			renewed ?
				"the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that "
				"process-bound locks cannot be renewed" :
				"the server refuses EVAL and EVALSHA, has neither DELEX nor DELIFEQ for this user, and refuses WATCH, "
				"MULTI or DEL, so that locks could not be released");
	rlk_error_set_node(err, conn->endpoint->label);
	/* Perhaps what is missing is not needed for that. Else the key is left to its ttl: a DEL that does not compare may
	 * arrive when somebody else has it. */
	if (rlk_lock_is_valid(lock))
		rlk_scriptless_change(lock, conn, RLK_STR(""), 0, &retried, NULL);
	return false;
}

typedef struct {
	rlk_lock *lock;
	rlk_str value;
	int64_t ttl_ms;
	const rlk_reply *reply; /* the result of look_once() */
	char refusal[128];      /* what the server had against it first, when there are others that may know better */
	size_t refusal_len;
} request;

static void note_refusal(request *r, const rlk_conn *conn, const rlk_reply *reply)
{
	if (conn->route == NULL || reply->type != RLK_REPLY_ERROR || r->refusal_len > 0 ||
		reply->text.len > sizeof(r->refusal))
		return;
	memcpy(r->refusal, reply->text.data, reply->text.len);
	r->refusal_len = reply->text.len;
}

/* Reads `count` replies and returns the last one, valid until the next is read. NULL: *err. */
static const rlk_reply *receive(request *r, rlk_conn *conn, int count, rlk_error *err)
{
	const rlk_reply *reply = NULL;

	while (count-- > 0) {
		reply = rlk_conn_receive(conn, err);
		if (reply == NULL)
			return NULL;
		note_refusal(r, conn, reply);
	}
	return reply;
}

/* Does it, and again where the server says that the key is. Not at the target of an ASK: ASKING would become a part of
 * the transaction. */
static rlk_outcome find_and_do(rlk_conn *conn, request *r, rlk_outcome (*once)(rlk_conn *, request *, rlk_error *),
	rlk_error *err)
{
	int64_t until_ms = rlk_conn_until(conn, rlk_clock_now_ms() + conn->endpoint->connect_timeout_ms);

	for (int redirections = 0;; redirections++) {
		rlk_reply refusal = { .type = RLK_REPLY_ERROR };
		rlk_error local;
		rlk_outcome outcome;

		rlk_error_clear(&local);
		r->refusal_len = 0;
		outcome = once(conn, r, &local);
		refusal.text = rlk_str_make(r->refusal, r->refusal_len);
		if (outcome != RLK_FAIL || r->refusal_len == 0 || rlk_reply_is_error(&refusal, "ASK") ||
			!rlk_route_follow(conn, &refusal, redirections, until_ms)) {
			rlk_error_adopt(err, &local);
			return outcome;
		}
	}
}

/* What the server has to say against it. */
static rlk_outcome fails(const rlk_conn *conn, const rlk_reply *reply, rlk_error *err)
{
	rlk_reply_to_error(reply, err);
	rlk_error_set_node(err, conn->endpoint->label);
	return RLK_FAIL;
}

/* Is the token there, the key watched, and will the next commands be done at once or not at all? MULTI comes before that
 * is known, so that nothing is ever done without it. */
static rlk_outcome watch(request *r, rlk_conn *conn, rlk_error *err)
{
	rlk_outcome outcome = RLK_YES;

	if (!rlk_conn_ready(conn, true, err) || !append_watch(r->lock, conn, err) || rlk_conn_send(conn, err) != RLK_YES)
		return RLK_FAIL; /* whatever was sent changes nothing */
	for (int i = 0; i < 3; i++) {
		const rlk_reply *reply = rlk_conn_receive(conn, err);
		bool is_value = i == 1;

		if (reply == NULL)
			return RLK_FAIL;
		note_refusal(r, conn, reply);
		if (reply->type == RLK_REPLY_ERROR && !(is_value && rlk_reply_is_error(reply, "WRONGTYPE")))
			outcome = fails(conn, reply, err);
		else if (is_value && outcome == RLK_YES &&
			!(reply->type == RLK_REPLY_STRING && rlk_str_equal(reply->text, rlk_buf_str(&r->lock->token))))
			outcome = RLK_NO;
	}
	if (outcome != RLK_YES)
		discard(conn);
	return outcome;
}

/* The change, and EXEC. RLK_NO: the key has been changed since it is watched. */
static rlk_outcome change_watched(request *r, rlk_conn *conn, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	const rlk_str set[] = { RLK_STR("SET"), rlk_buf_str(&r->lock->key), r->value, RLK_STR("PX"),
		rlk_resp_int(r->ttl_ms, number) };
	bool deletes = r->value.len == 0;
	const rlk_reply *reply;
	rlk_outcome outcome;

	if (!(deletes ? append_on_key(r->lock, conn, RLK_STR("DEL"), err) :
					append(conn, set, r->ttl_ms > 0 ? 5 : 3, err)) ||
		!append_word(conn, RLK_STR("EXEC"), err))
		return RLK_FAIL;
	outcome = rlk_conn_send(conn, err);
	if (outcome != RLK_YES)
		return outcome;
	reply = receive(r, conn, 2, err);
	if (reply == NULL)
		return rlk_conn_unanswered(conn);
	if (reply->type == RLK_REPLY_NIL)
		return RLK_NO;
	if (reply->type == RLK_REPLY_ARRAY && reply->count == 1)
		reply = &reply->items[0];
	else if (reply->type != RLK_REPLY_ERROR)
		return rlk_lock_unexpected(conn, err);
	if (reply->type == RLK_REPLY_ERROR)
		return fails(conn, reply, err);
	if (reply->type != (deletes ? RLK_REPLY_INTEGER : RLK_REPLY_STATUS))
		return rlk_lock_unexpected(conn, err);
	/* Before 6.0.9 a key that expired does not count as changed. */
	return deletes && reply->integer == 0 ? RLK_NO : RLK_YES;
}

static rlk_outcome change_by_watching(request *r, rlk_conn *conn, rlk_error *err)
{
	for (int tries = 0; tries < WATCH_TRIES; tries++) {
		rlk_outcome outcome = watch(r, conn, err);

		if (outcome != RLK_YES)
			return outcome;
		outcome = change_watched(r, conn, err);
		if (outcome != RLK_NO)
			return outcome;
	}
	rlk_error_set(err, RLK_ERR_SERVER, 0, "the key changes all the time");
	rlk_error_set_node(err, conn->endpoint->label);
	return RLK_FAIL;
}

static rlk_outcome change_here(rlk_conn *conn, request *r, rlk_error *err)
{
	if (!rlk_conn_ready(conn, true, err))
		return RLK_FAIL;
	conn->refuses_scripts = true; /* a new connection does not know yet */
	if (!rlk_native_is_known(conn) && conn->native != RLK_NATIVE_NONE && !rlk_native_find(r->lock, conn, err))
		return RLK_FAIL;
	if (!rlk_native_is_known(conn))
		return change_by_watching(r, conn, err);
	return r->value.len == 0 ? rlk_native_delete(r->lock, conn, err) :
							   rlk_native_set(r->lock, conn, r->value, r->ttl_ms, err);
}

static rlk_outcome change_once(rlk_conn *conn, void *arg, rlk_error *err)
{
	return find_and_do(conn, arg, change_here, err);
}

rlk_outcome rlk_scriptless_change(rlk_lock *lock, rlk_conn *conn, rlk_str value, int64_t ttl_ms, bool *retried,
	rlk_error *err)
{
	request r = { .lock = lock, .value = value, .ttl_ms = ttl_ms };

	return rlk_lock_repeat(conn, change_once, &r, retried, err);
}

static rlk_outcome look_here(rlk_conn *conn, request *r, rlk_error *err)
{
	const rlk_reply *value, *pttl;
	rlk_outcome outcome;

	if (!rlk_conn_ready(conn, true, err) || !append_word(conn, RLK_STR("MULTI"), err) ||
		!append_on_key(r->lock, conn, RLK_STR("GET"), err) || !append_on_key(r->lock, conn, RLK_STR("PTTL"), err) ||
		!append_word(conn, RLK_STR("EXEC"), err))
		return RLK_FAIL;
	outcome = rlk_conn_send(conn, err);
	if (outcome != RLK_YES)
		return outcome;
	r->reply = receive(r, conn, 4, err);
	if (r->reply == NULL)
		return RLK_UNKNOWN;
	if (r->reply->type == RLK_REPLY_ERROR)
		return fails(conn, r->reply, err);
	if (r->reply->type != RLK_REPLY_ARRAY || r->reply->count != 2)
		return rlk_lock_unexpected(conn, err);
	value = &r->reply->items[0];
	pttl = &r->reply->items[1];
	if (value->type == RLK_REPLY_ERROR && !rlk_reply_is_error(value, "WRONGTYPE"))
		return fails(conn, value, err);
	if (pttl->type == RLK_REPLY_ERROR)
		return fails(conn, pttl, err);
	if (pttl->type != RLK_REPLY_INTEGER ||
		(value->type != RLK_REPLY_STRING && value->type != RLK_REPLY_NIL && value->type != RLK_REPLY_ERROR))
		return rlk_lock_unexpected(conn, err);
	return RLK_YES;
}

static rlk_outcome look_once(rlk_conn *conn, void *arg, rlk_error *err)
{
	return find_and_do(conn, arg, look_here, err);
}

rlk_outcome rlk_scriptless_look(rlk_lock *lock, rlk_conn *conn, rlk_str *value, int64_t *pttl_ms, rlk_error *err)
{
	request r = { .lock = lock };
	bool retried = false;
	rlk_outcome outcome = rlk_lock_repeat(conn, look_once, &r, &retried, err);

	if (outcome != RLK_YES)
		return outcome;
	*value = r.reply->items[0].type == RLK_REPLY_STRING ? r.reply->items[0].text : rlk_str_make(NULL, 0);
	*pttl_ms = r.reply->items[1].integer;
	return r.reply->items[0].type == RLK_REPLY_NIL ? RLK_NO : RLK_YES;
}

rlk_outcome rlk_scriptless_force_release(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_str argv[] = { RLK_STR("DEL"), rlk_buf_str(&lock->key) };
	const rlk_reply *reply;
	int64_t pttl_ms;
	rlk_str value;
	rlk_outcome outcome = rlk_scriptless_look(lock, conn, &value, &pttl_ms, err);

	if (outcome == RLK_YES && value.data == NULL) {
		rlk_lock_explain_no_lock(lock, conn, err);
		return RLK_FAIL;
	}
	if (outcome != RLK_YES)
		return outcome;
	outcome = rlk_conn_call(conn, argv, 2, &reply, err);
	if (outcome != RLK_YES)
		return outcome;
	if (reply->type != RLK_REPLY_INTEGER)
		return rlk_lock_unexpected(conn, err);
	return reply->integer > 0 ? RLK_YES : RLK_NO;
}
