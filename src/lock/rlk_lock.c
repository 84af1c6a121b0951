/*
 * rlk_lock: see the header. Taking it is in rlk_acquire.c, asking what the key holds in rlk_lock_ask.c.
 */
#include "lock/rlk_lock.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "lock/rlk_keys.h"
#include "lock/rlk_lock_own.h"
#include "redis/rlk_dialect.h"
#include "lock/rlk_scripts.h"
#include "net/rlk_pool.h"
#include "net/rlk_resp.h"
#include "net/rlk_socket.h"

bool rlk_lock_init(rlk_lock *lock, rlk_str prefix, rlk_str name, rlk_error *err)
{
	memset(lock, 0, sizeof(*lock));
	lock->beside.fd = RLK_SOCKET_NONE;
	if (rlk_keys_lock(&lock->key, prefix, name) && rlk_keys_helper(&lock->waiters, prefix, name, RLK_KEYS_WAITERS) &&
		rlk_keys_helper(&lock->signal, prefix, name, RLK_KEYS_SIGNAL) &&
		rlk_keys_helper(&lock->fence_key, prefix, name, RLK_KEYS_FENCE))
		return true;
	rlk_lock_destroy(lock);
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a lock");
	return false;
}

void rlk_lock_destroy(rlk_lock *lock)
{
	rlk_buf_destroy(&lock->key);
	rlk_buf_destroy(&lock->waiters);
	rlk_buf_destroy(&lock->signal);
	rlk_buf_destroy(&lock->fence_key);
	rlk_buf_destroy(&lock->token);
	rlk_buf_destroy(&lock->released);
	rlk_lock_forget(lock);
	if (lock->releasing_on != NULL)
		lock->releasing_on->listener = (rlk_conn_listener){ NULL, NULL };
	lock->releasing_on = NULL;
}

void rlk_lock_forget(rlk_lock *lock)
{
	lock->held = false;
	lock->leaving = false;
	lock->valid_until_ms = 0;
	lock->ttl_known = false;
	lock->acquired_at_ms = 0;
	lock->fence = 0;
	lock->extend_at_ms = 0;
	if (lock->extending_on != NULL)
		lock->extending_on->listener = (rlk_conn_listener){ NULL, NULL };
	lock->extending_on = NULL;
	lock->maybe_on = 0;
	if (lock->beside.fd != RLK_SOCKET_NONE)
		rlk_pool_give_back(&lock->beside);
}

/* The answer to an extension nobody waited for. Without one the provisional ttl is all that is certain. */
static void extended(void *arg, const rlk_reply *reply)
{
	rlk_lock *lock = arg;

	lock->extending_on = NULL;
	if (reply == NULL || reply->type != RLK_REPLY_INTEGER)
		return;
	lock->extend_at_ms = 0;
	if (reply->integer == RLK_SCRIPT_EXTEND_EXTENDED)
		lock->valid_until_ms = rlk_clock_add(lock->extended_at_ms, rlk_lock_validity_ms(lock->ttl_ms));
	else
		lock->valid_until_ms = 0;
}

void rlk_lock_extend_unread(rlk_lock *lock, rlk_conn *conn, bool hurry)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str key = rlk_buf_str(&lock->key), args[2] = { rlk_buf_str(&lock->token), rlk_resp_int(lock->ttl_ms, number) };
	const rlk_conn_listener listener = { extended, lock };

	lock->extended_at_ms = rlk_clock_now_ms();
	if (!rlk_conn_append_eval(conn, true, &rlk_script_secure, &key, 1, args, 2, NULL))
		return;
	lock->extending_on = conn;
	/* What does not leave at once leaves with the next request. */
	if (hurry)
		rlk_conn_flush(conn, lock->extended_at_ms, NULL);
	else
		rlk_conn_flush_soon(conn);
	rlk_conn_leave_unread(conn, listener, false);
}

void rlk_lock_collect(rlk_lock *lock)
{
	if (lock->extending_on != NULL)
		rlk_conn_collect(lock->extending_on);
	if (lock->releasing_on != NULL)
		rlk_conn_collect(lock->releasing_on);
}

bool rlk_lock_is_to_repeat(const rlk_conn *conn, int attempts, rlk_outcome *outcome, bool *retried, rlk_error *err)
{
	int most = conn->server->retries > 0 ? conn->server->retries : 1;
	bool again;

	if (*outcome == RLK_YES || *outcome == RLK_NO)
		return false;
	if (retried == NULL)
		again = attempts == 0 && *outcome == RLK_FAIL && rlk_conn_was_stale(conn, err); /* nothing has arrived */
	else
		again = attempts < most && err->code == RLK_ERR_IO;
	if (again) {
		if (retried != NULL)
			*retried = *retried || *outcome == RLK_UNKNOWN;
		rlk_error_clear(err);
	} else if (retried != NULL && *retried) {
		*outcome = RLK_UNKNOWN;
	}
	return again;
}

size_t rlk_lock_keys_to_wake(const rlk_lock *lock, rlk_str keys[3])
{
	keys[0] = rlk_buf_str(&lock->key);
	keys[1] = rlk_buf_str(&lock->waiters);
	keys[2] = rlk_buf_str(&lock->signal);
	return keys[1].len > 0 && keys[2].len > 0 && !lock->wakes_nobody ? 3 : 1;
}

rlk_outcome rlk_lock_run_script(rlk_lock *lock, rlk_conn *conn, rlk_lock_script *call, bool *retried, rlk_error *err)
{
	bool split, refused = false;
	rlk_outcome outcome;

	for (int attempts = 0;; attempts++) {
		outcome = rlk_conn_eval(conn, retried != NULL, call->script, call->keys, call->key_count, call->args,
			call->arg_count, &call->reply, err);
		if (outcome == RLK_YES)
			break;
		if (rlk_lock_is_to_repeat(conn, attempts, &outcome, retried, err))
			continue;
		if (outcome != RLK_FAIL || call->key_count == 1)
			break;
		split = err->code == RLK_ERR_SPLIT;
		refused = err->code == RLK_ERR_AUTH && conn->fd != RLK_SOCKET_NONE && !conn->refuses_scripts;
		if (!split && !refused)
			break;
		call->key_count = 1;
		attempts = -1;
		rlk_error_clear(err);
	}
	lock->wakes_nobody = lock->wakes_nobody || (refused && outcome == RLK_YES);
	return outcome;
}

/* A change of the key: compare, and delete it or give it another value and TTL. The script answers 1 for done and 0 for
 * "not ours"; the command does the same. */
typedef struct {
	const rlk_script *script;
	const rlk_str *args; /* of the script; args[0] is the token */
	size_t arg_count;
	rlk_str value; /* empty: the key is deleted */
	int64_t ttl_ms;
} change;

static rlk_outcome change_by_script(rlk_lock *lock, rlk_conn *conn, const change *c, bool *retried, rlk_error *err)
{
	rlk_str keys[3];
	size_t key_count = rlk_lock_keys_to_wake(lock, keys);
	rlk_lock_script call = { c->script, keys, c->args, c->script == &rlk_script_release ? key_count : 1, c->arg_count,
		NULL };
	rlk_outcome outcome = rlk_lock_run_script(lock, conn, &call, retried, err);

	if (outcome != RLK_YES)
		return outcome;
	if (call.reply->type != RLK_REPLY_INTEGER)
		return rlk_conn_unexpected(conn, err);
	return call.reply->integer == 1 ? RLK_YES : RLK_NO;
}

/* The arguments of rlk_dialect_words(). Returns how many; `number` backs the TTL. */
static size_t lay_out_change(const rlk_lock *lock, const change *c, rlk_str args[4], char *number)
{
	args[0] = rlk_buf_str(&lock->key);
	args[1] = c->args[0];
	args[2] = c->value;
	args[3] = c->ttl_ms > 0 ? rlk_resp_int(c->ttl_ms, number) : RLK_STR("");
	return c->value.len > 0 ? 4 : 2;
}

static rlk_outcome change_without_scripts(rlk_lock *lock, rlk_conn *conn, const change *c, bool *retried,
	rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str args[4];
	size_t count = lay_out_change(lock, c, args, number);
	rlk_outcome outcome;
	int attempts = 0;

	do
		outcome = rlk_dialect_change(conn, args, count, err);
	while (rlk_lock_is_to_repeat(conn, attempts++, &outcome, retried, err));
	return outcome;
}

/* A command cannot wake. Where somebody turns out to wait, the script follows. */
static rlk_outcome delete_by_command(rlk_lock *lock, rlk_conn *conn, const rlk_str *args, rlk_error *err)
{
	rlk_str keys[3], waiters_key = rlk_lock_keys_to_wake(lock, keys) > 1 ? keys[1] : RLK_STR("");
	rlk_waiters waiters;
	rlk_outcome outcome = rlk_dialect_delete(conn, args[0], args[1], waiters_key, &waiters, err);

	lock->wakes_nobody = lock->wakes_nobody || waiters == RLK_WAITERS_REFUSED;
	/* Not behind a failure: the script would take from us what we go on relying upon. */
	if (outcome != RLK_FAIL && waiters == RLK_WAITERS_SOME) {
		lock->waited_until_ms = rlk_clock_add(conn->sent_at_ms, RLK_SCRIPT_WAITERS_MAX_MS);
		rlk_lock_leave(lock, conn, false);
	}
	return outcome;
}

/* A release by command where that is enough: where somebody waited a moment ago, the script is the better one, since it
 * wakes in the same step; and an extension by command could shorten. false: by script, since the command was refused, or
 * sent over a connection that is no more. */
static bool change_by_command(rlk_lock *lock, rlk_conn *conn, const change *c, bool *retried, rlk_outcome *outcome,
	rlk_error *err)
{
	const rlk_str args[] = { rlk_buf_str(&lock->key), c->args[0] };
	rlk_error local;

	if (c->value.len > 0 || rlk_clock_now_ms() < lock->waited_until_ms)
		return false;
	rlk_error_clear(&local);
	*outcome = delete_by_command(lock, conn, args, &local);
	if (*outcome == RLK_YES || *outcome == RLK_NO ||
		(!(*outcome == RLK_FAIL && conn->topology != NULL) &&
			(rlk_dialect_has_commands(conn) || (conn->fd == RLK_SOCKET_NONE && local.code != RLK_ERR_IO)))) {
		rlk_error_adopt(err, &local);
		return true;
	}
	*retried = *retried || *outcome == RLK_UNKNOWN;
	return false;
}

/* By whatever the server offers. */
static rlk_outcome apply(rlk_lock *lock, rlk_conn *conn, const change *c, bool *retried, rlk_error *err)
{
	rlk_outcome outcome = RLK_FAIL;
	rlk_error local;

	if (rlk_dialect_has_commands(conn) && !conn->refuses_scripts &&
		change_by_command(lock, conn, c, retried, &outcome, err))
		return outcome;
	if (!rlk_dialect_has_commands(conn))
		conn->refuses_scripts = false; /* rights may have come back */
	rlk_error_clear(&local);
	if (!conn->refuses_scripts)
		outcome = change_by_script(lock, conn, c, retried, &local);
	if (conn->refuses_scripts) {
		rlk_error_clear(&local);
		outcome = change_without_scripts(lock, conn, c, retried, &local);
	}
	rlk_error_adopt(err, &local);
	return outcome;
}

rlk_outcome rlk_lock_adopt(rlk_lock *lock, rlk_conn *conn, int64_t ttl_ms, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	const rlk_str args[2] = { rlk_buf_str(&lock->token), rlk_resp_int(ttl_ms, number) };
	const rlk_script *script =
		rlk_lock_may_shorten(lock, ttl_ms) || ttl_ms == 0 ? &rlk_script_extend : &rlk_script_renew;
	const change extend = { script, args, 2, args[0], ttl_ms };
	bool retried = false;

	return apply(lock, conn, &extend, &retried, err);
}

rlk_outcome rlk_lock_extend(rlk_lock *lock, rlk_conn *conn, int64_t ttl_ms, rlk_error *err)
{
	bool shortens = rlk_lock_may_shorten(lock, ttl_ms);
	rlk_outcome outcome = rlk_lock_adopt(lock, conn, ttl_ms, err);
	int64_t relied_upon_ms = rlk_lock_validity_ms(rlk_lock_least_ttl_ms(lock, ttl_ms));
	int64_t valid_until_ms = rlk_clock_add(conn->sent_at_ms, relied_upon_ms);

	if (outcome == RLK_YES) {
		lock->held = true;
		lock->ttl_ms = ttl_ms;
		lock->ttl_known = true;
		lock->extend_at_ms = 0;
		outcome = rlk_replicas_await(&lock->replicas, conn, err);
		/* Not enough replicas have it: a master that takes over may know the earlier end, if any. */
		if (outcome == RLK_YES || valid_until_ms < lock->valid_until_ms)
			lock->valid_until_ms = valid_until_ms;
	} else if (outcome == RLK_NO) {
		rlk_lock_forget(lock);
	} else if (outcome == RLK_UNKNOWN && (shortens || conn->refuses_scripts)) {
		/* It may have shortened the TTL, or do so later: believe the shorter of the two. */
		lock->least_ttl_ms = rlk_lock_least_ttl_ms(lock, ttl_ms);
		lock->valid_until_ms = rlk_clock_earlier(lock->valid_until_ms, valid_until_ms);
	}
	return outcome;
}

/* Queues what wakes the next waiter, unless the lock has a holder who will. */
static bool append_wake(const rlk_lock *lock, rlk_conn *conn)
{
	rlk_str keys[3];

	return rlk_lock_keys_to_wake(lock, keys) > 1 && !conn->refuses_scripts &&
		rlk_conn_append_eval(conn, true, &rlk_script_release, keys, 3, NULL, 0, NULL);
}

/* Queues a release that nobody will say again, whatever the answer. A user may have no right to the keys that wake, so
 * for one with a name they come in a request of their own; if that cannot be said, the waiters look by themselves. */
static bool append_release(const rlk_lock *lock, rlk_conn *conn, const rlk_str *args, size_t arg_count, rlk_error *err)
{
	rlk_str keys[3];
	size_t key_count = rlk_lock_keys_to_wake(lock, keys);
	const rlk_str named[] = { keys[0], args[0] };
	bool apart = key_count > 1 && conn->server->user != NULL;

	if (conn->refuses_scripts)
		return arg_count == 1 && rlk_dialect_has_commands(conn) &&
			rlk_dialect_append(conn, conn->dialect, named, 2, err);
	if (!rlk_conn_append_eval(conn, true, &rlk_script_release, keys, apart ? 1 : key_count, args, arg_count, err))
		return false;
	if (apart)
		append_wake(lock, conn);
	return true;
}

void rlk_lock_give_up(rlk_conn *conn, int64_t ttl_ms)
{
	rlk_conn_abandon(conn, ttl_ms > 0 ? rlk_clock_add(rlk_clock_now_ms(), ttl_ms) : RLK_NEVER);
}

/* The release was sent and not answered. It may have been executed, so the validity is over; or refused by a server
 * that does not know the script, so its text follows, which does no harm when both are executed. With a given token the
 * caller may acquire next, over another connection: nothing said on this one may leave after that. */
static void give_up_release(rlk_lock *lock, rlk_conn *conn, const rlk_str *args, size_t arg_count)
{
	lock->valid_until_ms = 0;
	lock->leaving = true;
	lock->unsure = lock->given;
	if (conn->fd != RLK_SOCKET_NONE && append_release(lock, conn, args, arg_count, NULL) && lock->given)
		rlk_conn_flush(conn, rlk_clock_now_ms(), NULL);
	if (lock->given)
		rlk_conn_reset(conn);
	else
		rlk_lock_give_up(conn, lock->ttl_ms);
}

rlk_outcome rlk_lock_release(rlk_lock *lock, rlk_conn *conn, int64_t rest_until_ms, rlk_error *err)
{
	char resting[RLK_TOKEN_MAX], number[RLK_RESP_INT_MAX];
	rlk_str args[3] = { rlk_buf_str(&lock->token) };
	change release = { &rlk_script_release, args, 1, RLK_STR(""), 0 };
	int64_t rest_ms = rest_until_ms > 0 ? rest_until_ms - rlk_clock_now_ms() : 0;
	int64_t valid_until_ms = lock->held ? lock->valid_until_ms : 0;
	bool retried = false;
	rlk_outcome outcome;

	if (rest_ms > 0) {
		size_t len = rlk_token_make(resting, RLK_STR(""), true, err);

		if (len == 0)
			return RLK_FAIL;
		args[1] = rlk_str_make(resting, len);
		args[2] = rlk_resp_int(rest_ms, number);
		release = (change){ &rlk_script_release, args, 3, args[1], rest_ms };
	}
	outcome = apply(lock, conn, &release, &retried, err);
	/* The first request of two may have done it, unseen: within validity nobody else could have. */
	if (outcome == RLK_NO && retried && conn->sent_at_ms < valid_until_ms)
		outcome = RLK_YES;
	if (outcome == RLK_YES || outcome == RLK_NO)
		rlk_lock_forget(lock);
	else if (outcome == RLK_UNKNOWN)
		give_up_release(lock, conn, args, release.arg_count);
	return outcome;
}

rlk_outcome rlk_lock_withdraw(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	rlk_str token = rlk_buf_str(&lock->token);
	const change release = { &rlk_script_release, &token, 1, RLK_STR(""), 0 };
	bool retried = false;

	return apply(lock, conn, &release, &retried, err);
}

static void released(void *arg, const rlk_reply *reply)
{
	rlk_lock *lock = arg;
	rlk_conn *conn = lock->releasing_on;

	lock->releasing_on = NULL;
	if (reply == NULL && conn->owner_pid != rlk_os_process_id())
		return; /* a forked copy closes its copy of the connection: the answer is for the parent */
	if (reply == NULL || reply->type != RLK_REPLY_INTEGER)
		lock->late = RLK_LATE_UNCONFIRMED;
	else if (reply->integer == RLK_SCRIPT_RELEASE_NOT_OURS)
		lock->late = RLK_LATE_NOT_OURS;
	lock->maybe_released = lock->maybe_released && reply == NULL && !conn->unseen;
	/* The next one has to go another way. */
	if (reply != NULL && rlk_reply_refuses_scripts(reply))
		conn->refuses_scripts = true;
	else if (reply != NULL && rlk_reply_is_error(reply, "NOPERM"))
		lock->wakes_nobody = true;
}

rlk_outcome rlk_lock_release_unread(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_conn_listener listener = { released, lock };
	rlk_str token = rlk_buf_str(&lock->token);
	rlk_buf spare = lock->released;
	rlk_outcome outcome;

	if (!rlk_conn_ready(conn, false, err))
		return RLK_FAIL;
	rlk_conn_collect(conn);
	if (conn->fd == RLK_SOCKET_NONE || conn->unread > 0 || conn->refuses_scripts)
		return rlk_lock_release(lock, conn, 0, err);
	/* By text: a digest that the server does not know would leave the lock where it is. */
	if (!append_release(lock, conn, &token, 1, err))
		return RLK_FAIL;
	outcome = rlk_conn_send(conn, err);
	if (outcome != RLK_YES) {
		if (outcome == RLK_UNKNOWN)
			give_up_release(lock, conn, &token, 1);
		return outcome;
	}
	lock->maybe_released = conn->sent_at_ms < lock->valid_until_ms;
	rlk_lock_forget(lock);
	lock->releasing_on = conn;
	lock->released = lock->token;
	lock->token = spare;
	lock->token.len = 0;
	rlk_conn_leave_unread(conn, listener, false);
	return RLK_YES;
}

bool rlk_lock_release_again(rlk_lock *lock, rlk_conn *conn)
{
	rlk_buf token = lock->token;
	rlk_outcome outcome;

	if (lock->late != RLK_LATE_UNCONFIRMED || lock->released.len == 0)
		return false;
	lock->token = lock->released;
	outcome = rlk_lock_withdraw(lock, conn, NULL);
	lock->token = token;
	lock->released.len = 0;
	if (outcome != RLK_YES && outcome != RLK_NO)
		return false;
	lock->late = outcome == RLK_YES || lock->maybe_released ? RLK_LATE_NONE : RLK_LATE_NOT_OURS;
	return true;
}

void rlk_lock_leave(rlk_lock *lock, rlk_conn *conn, bool blocking)
{
	const rlk_conn_listener nobody = { NULL, NULL };
	rlk_str token = rlk_buf_str(&lock->token);

	if (lock->given ? append_wake(lock, conn) : append_release(lock, conn, &token, 1, NULL))
		rlk_conn_flush(conn, rlk_clock_now_ms(), NULL); /* what does not leave at once stays queued */
	rlk_conn_leave_unread(conn, nobody, blocking);
}
