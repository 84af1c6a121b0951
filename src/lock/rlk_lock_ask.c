/*
 * rlk_lock_ask: what the key of a lock holds, ours or somebody else's, and deleting it whoever has it.
 */
#include "lock/rlk_lock.h"

#include "base/rlk_clock.h"
#include "lock/rlk_lock_own.h"
#include "lock/rlk_scripts.h"
#include "redis/rlk_dialect.h"

void rlk_lock_found(rlk_lock *lock, int64_t least_until_ms, int64_t most_until_ms)
{
	if (!lock->held || least_until_ms > lock->valid_until_ms || most_until_ms < lock->valid_until_ms)
		lock->valid_until_ms = least_until_ms;
	lock->held = true;
}

/* What the key holds, where no script may say it. *err is empty. */
static rlk_outcome read_without_scripts(const rlk_lock *lock, rlk_conn *conn, rlk_str *value, int64_t *pttl_ms,
	rlk_error *err)
{
	bool retried = false;
	rlk_outcome outcome;
	int attempts = 0;

	do
		outcome = rlk_dialect_read(conn, rlk_buf_str(&lock->key), value, pttl_ms, err);
	while (rlk_lock_is_to_repeat(conn, attempts++, &outcome, &retried, err));
	return outcome;
}

rlk_outcome rlk_lock_confirm(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	rlk_str key = rlk_buf_str(&lock->key), token = rlk_buf_str(&lock->token);
	rlk_lock_script call = { &rlk_script_owned, &key, &token, 1, 1, NULL };
	int64_t pttl_ms = RLK_SCRIPT_OWNED_NOT_OURS;
	rlk_str value;
	bool retried = false;
	rlk_outcome outcome;
	rlk_error local;

	rlk_error_clear(&local);
	outcome = rlk_lock_run_script(lock, conn, &call, &retried, &local);
	if (outcome == RLK_YES) {
		if (call.reply->type != RLK_REPLY_INTEGER)
			return rlk_conn_unexpected(conn, err);
		pttl_ms = call.reply->integer;
	} else if (conn->refuses_scripts) {
		rlk_error_clear(&local);
		outcome = read_without_scripts(lock, conn, &value, &pttl_ms, &local);
		if (outcome != RLK_YES || !rlk_str_equal(value, token))
			pttl_ms = RLK_SCRIPT_OWNED_NOT_OURS;
	}
	rlk_error_adopt(err, &local);
	if (outcome != RLK_YES && outcome != RLK_NO)
		return outcome;
	if (pttl_ms == RLK_SCRIPT_OWNED_NOT_OURS) {
		rlk_lock_forget(lock);
		return RLK_NO;
	}
	if (lock->least_ttl_ms > 0 && (pttl_ms == RLK_SCRIPT_OWNED_NO_EXPIRY || pttl_ms > lock->least_ttl_ms))
		pttl_ms = lock->least_ttl_ms;
	if (pttl_ms == RLK_SCRIPT_OWNED_NO_EXPIRY)
		rlk_lock_found(lock, RLK_NEVER, RLK_NEVER);
	else
		rlk_lock_found(lock, rlk_clock_add(conn->sent_at_ms, pttl_ms - pttl_ms / 100),
			rlk_clock_add(rlk_clock_now_ms(), pttl_ms));
	return RLK_YES;
}

static int64_t item_integer(const rlk_reply *reply, size_t i)
{
	return i < reply->count && reply->items[i].type == RLK_REPLY_INTEGER ? reply->items[i].integer : 0;
}

static void describe_holder(rlk_lock_holder *holder, rlk_str value, int64_t pttl_ms)
{
	holder->token_len = value.len < sizeof(holder->token) ? value.len : sizeof(holder->token) - 1;
	if (holder->token_len > 0)
		memcpy(holder->token, value.data, holder->token_len);
	holder->ttl_ms = pttl_ms;
	holder->ours = rlk_token_parse(rlk_str_make(holder->token, holder->token_len), &holder->info);
}

bool rlk_lock_read_holder(const rlk_reply *reply, rlk_lock_holder *holder)
{
	if (reply->type != RLK_REPLY_ARRAY || reply->count != RLK_SCRIPT_HOLDER_FIELDS ||
		reply->items[0].type != RLK_REPLY_STRING)
		return false;
	describe_holder(holder, reply->items[0].text, item_integer(reply, RLK_SCRIPT_HOLDER_PTTL));
	holder->waited = item_integer(reply, RLK_SCRIPT_HOLDER_WAITED) == 1;
	return true;
}

/* As the server calls it. false: it does not tell. */
static bool ask_type(const rlk_lock *lock, rlk_conn *conn, rlk_str *type)
{
	const rlk_str argv[] = { RLK_STR("TYPE"), rlk_buf_str(&lock->key) };
	const rlk_reply *reply;
	bool told = rlk_conn_call(conn, argv, 2, &reply, NULL) == RLK_YES && reply->type == RLK_REPLY_STATUS;

	if (told)
		*type = reply->text;
	return told;
}

static void set_no_lock(const rlk_conn *conn, const char *what, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_NO_LOCK, 0, "the key holds %s, not a lock", what);
	rlk_error_set_node(err, conn->server->label);
}

/* For a sentence. NULL: a lock may look like that, or there is none. */
static const char *name_no_lock(rlk_str type)
{
	static const struct {
		const char *type, *name;
	} types[] = { { "hash", "a hash" }, { "list", "a list" }, { "set", "a set" }, { "stream", "a stream" },
		{ "string", NULL }, { "none", NULL }, { "zset", NULL } };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (rlk_str_equal(type, rlk_str_from_cstr(types[i].type)))
			return types[i].name;
	}
	return "a module's data";
}

void rlk_lock_explain_no_lock(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const char *what = NULL;
	rlk_str type;

	if (ask_type(lock, conn, &type))
		what = rlk_str_equal(type, RLK_STR("zset")) ? "a sorted set" : name_no_lock(type);
	set_no_lock(conn, what != NULL ? what : "something else than a string", err);
}

/* A value that is empty, or none that could be read. */
static rlk_outcome judge_empty(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const char *what;
	rlk_str type;

	if (!ask_type(lock, conn, &type))
		return RLK_YES;
	what = name_no_lock(type);
	if (what != NULL)
		set_no_lock(conn, what, err);
	return what == NULL ? RLK_YES : RLK_FAIL;
}

rlk_outcome rlk_lock_ask_holder(rlk_lock *lock, rlk_conn *conn, rlk_lock_holder *holder, rlk_error *err)
{
	rlk_str keys[3];
	rlk_lock_script call = { &rlk_script_holder, keys, NULL, rlk_lock_keys_to_wake(lock, keys) > 1 ? 2 : 1, 0, NULL };
	bool retried = false;
	rlk_outcome outcome;
	rlk_error local;
	int64_t pttl_ms;
	rlk_str value;

	memset(holder, 0, sizeof(*holder));
	rlk_error_clear(&local);
	outcome = rlk_lock_run_script(lock, conn, &call, &retried, &local);
	if (outcome != RLK_YES && conn->refuses_scripts) {
		rlk_error_clear(&local);
		outcome = read_without_scripts(lock, conn, &value, &pttl_ms, &local);
		rlk_error_adopt(err, &local);
		if (outcome == RLK_YES)
			describe_holder(holder, value, pttl_ms);
		return outcome == RLK_YES && holder->token_len == 0 ? judge_empty(lock, conn, err) : outcome;
	}
	rlk_error_adopt(err, &local);
	if (outcome != RLK_YES)
		return outcome;
	if (call.reply->type == RLK_REPLY_NIL)
		return RLK_NO;
	if (!rlk_lock_read_holder(call.reply, holder))
		return rlk_conn_unexpected(conn, err);
	return holder->token_len == 0 ? judge_empty(lock, conn, err) : RLK_YES;
}

static rlk_outcome force_without_scripts(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_str del[] = { RLK_STR("DEL"), rlk_buf_str(&lock->key) };
	const rlk_reply *reply;
	rlk_outcome outcome;
	rlk_error local;
	int64_t pttl_ms;
	rlk_str value;

	rlk_error_clear(&local);
	outcome = read_without_scripts(lock, conn, &value, &pttl_ms, &local);
	rlk_error_adopt(err, &local);
	if (outcome == RLK_YES && value.data == NULL) {
		rlk_lock_explain_no_lock(lock, conn, err);
		return RLK_FAIL;
	}
	if (outcome == RLK_YES)
		outcome = rlk_conn_call(conn, del, 2, &reply, err);
	if (outcome != RLK_YES)
		return outcome;
	if (reply->type != RLK_REPLY_INTEGER)
		return rlk_conn_unexpected(conn, err);
	return reply->integer > 0 ? RLK_YES : RLK_NO;
}

rlk_outcome rlk_lock_force_release(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	rlk_str keys[3];
	rlk_lock_script call = { &rlk_script_force_release, keys, NULL, rlk_lock_keys_to_wake(lock, keys), 0, NULL };
	rlk_outcome outcome;
	rlk_error local;

	rlk_error_clear(&local);
	outcome = rlk_lock_run_script(lock, conn, &call, NULL, &local);
	if (outcome != RLK_YES && conn->refuses_scripts)
		return force_without_scripts(lock, conn, err);
	if (outcome == RLK_UNKNOWN)
		rlk_conn_reset(conn); /* it would delete what is acquired next */
	if (outcome != RLK_YES) {
		rlk_error_adopt(err, &local);
		return outcome;
	}
	if (call.reply->type != RLK_REPLY_INTEGER)
		return rlk_conn_unexpected(conn, err);
	if (call.reply->integer == RLK_SCRIPT_FORCE_RELEASE_NO_LOCK) {
		rlk_lock_explain_no_lock(lock, conn, err);
		return RLK_FAIL;
	}
	return call.reply->integer == RLK_SCRIPT_FORCE_RELEASE_DELETED ? RLK_YES : RLK_NO;
}
