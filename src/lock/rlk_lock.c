/*
 * rlk_lock: the keys and the state of a lock, and how an operation runs on its servers. The operations are in rlk_acquire.c,
 * rlk_extend.c, rlk_release.c and rlk_holder.c.
 */
#include "lock/rlk_lock.h"

#include "lock/rlk_lock_own.h"
#include "redis/rlk_topology_rules.h"

#include <stdlib.h>

/* --- keys ---------------------------------------------------------------------------------------- */

bool rlk_keys_lock(rlk_buf *out, rlk_str prefix, rlk_str name)
{
	return rlk_buf_append_str(out, prefix) && rlk_buf_append_str(out, name);
}

bool rlk_keys_helper(rlk_buf *out, rlk_str prefix, rlk_str name, const char *suffix)
{
	rlk_buf lock = RLK_BUF_INIT;
	bool ok = rlk_keys_lock(&lock, prefix, name);
	rlk_str key = rlk_buf_str(&lock), slot_part = rlk_hash_tag(key);
	bool tagged = slot_part.len != key.len;

	ok = ok && (tagged || (rlk_buf_append_str(out, prefix) && rlk_buf_append(out, "{", 1))) &&
		rlk_buf_append_str(out, key) && (tagged || rlk_buf_append(out, "}", 1)) &&
		rlk_buf_append_str(out, rlk_str_from_cstr(suffix));
	if (!ok || !rlk_str_equal(rlk_hash_tag(rlk_buf_str(out)), slot_part))
		rlk_buf_destroy(out);
	rlk_buf_destroy(&lock);
	return ok;
}

rlk_str rlk_keys_signal(rlk_str waiters, char *out)
{
	size_t base = waiters.len - (sizeof(RLK_KEYS_WAITERS) - 1);

	_Static_assert(sizeof(RLK_KEYS_SIGNAL) <= sizeof(RLK_KEYS_WAITERS), "it has to fit");
	memcpy(out, waiters.data, base);
	memcpy(out + base, RLK_KEYS_SIGNAL, sizeof(RLK_KEYS_SIGNAL) - 1);
	return rlk_str_make(out, base + sizeof(RLK_KEYS_SIGNAL) - 1);
}

/* --- what is known of a lock ---------------------------------------------------------------------- */

bool rlk_lock_init(rlk_lock *lock, rlk_str prefix, rlk_str name, rlk_error *err)
{
	memset(lock, 0, sizeof(*lock));
	if (rlk_keys_lock(&lock->keys.lock, prefix, name) &&
		rlk_keys_helper(&lock->keys.waiters, prefix, name, RLK_KEYS_WAITERS) &&
		rlk_keys_helper(&lock->keys.signal, prefix, name, RLK_KEYS_SIGNAL) &&
		rlk_keys_helper(&lock->keys.fence, prefix, name, RLK_KEYS_FENCE))
		return true;
	rlk_lock_destroy(lock);
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a lock");
	return false;
}

void rlk_lock_destroy(rlk_lock *lock)
{
	rlk_buf_destroy(&lock->keys.lock);
	rlk_buf_destroy(&lock->keys.waiters);
	rlk_buf_destroy(&lock->keys.signal);
	rlk_buf_destroy(&lock->keys.fence);
	rlk_buf_destroy(&lock->token.text);
	rlk_lock_forget(lock);
	if (lock->turnstile != NULL)
		rlk_lock_destroy(lock->turnstile);
	free(lock->turnstile);
	lock->turnstile = NULL;
}

bool rlk_lock_make_turnstile(rlk_lock *lock, rlk_error *err)
{
	rlk_str waiters = rlk_buf_str(&lock->keys.waiters);
	rlk_buf name = RLK_BUF_INIT;

	if (waiters.len == 0 || lock->turnstile != NULL)
		return true;
	waiters.len -= sizeof(RLK_KEYS_WAITERS) - 1;
	lock->turnstile = malloc(sizeof(*lock->turnstile));
	if (lock->turnstile != NULL && rlk_keys_lock(&name, waiters, RLK_STR(RLK_KEYS_TURN)) &&
		rlk_lock_init(lock->turnstile, RLK_STR(""), rlk_buf_str(&name), err)) {
		rlk_buf_destroy(&name);
		lock->turnstile->is_turnstile = true;
		return true;
	}
	rlk_buf_destroy(&name);
	free(lock->turnstile);
	lock->turnstile = NULL;
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a lock");
	return false;
}

void rlk_lock_forget(rlk_lock *lock)
{
	lock->held = false;
	lock->valid_until_ms = 0;
	lock->ttl_known = false;
	lock->acquired_at_ms = 0;
	lock->fence = 0;
	lock->extension.due_at_ms = 0;
	if (lock->extension.conn != NULL)
		rlk_expected_forget(&lock->extension.conn->expected, lock);
	lock->extension.conn = NULL;
}

bool rlk_lock_set_token(rlk_lock *lock, rlk_str from_caller, rlk_str label, rlk_error *err)
{
	rlk_lock_token *token = &lock->token;
	char *room;

	token->from_caller = from_caller.len > 0;
	rlk_ledger_begin(&lock->ledger, token->from_caller && rlk_str_equal(from_caller, rlk_buf_str(&token->text)));
	token->text.len = 0;
	room = rlk_buf_reserve(&token->text, token->from_caller ? from_caller.len : RLK_TOKEN_MAX);
	if (room == NULL)
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a token");
	else if (token->from_caller)
		rlk_buf_append_str(&token->text, from_caller);
	else
		token->text.len = rlk_token_make(room, label, false, err);
	return token->text.len > 0;
}

void rlk_lock_collect(rlk_lock *lock)
{
	if (lock->extension.conn != NULL)
		rlk_conn_collect(lock->extension.conn);
}

/* --- operations ----------------------------------------------------------------------------------- */

rlk_vote rlk_read_done(void *arg, int server, const rlk_reply *reply)
{
	(void)server;
	if (!rlk_reply_is_within(reply, 0, arg != NULL ? 2 : 1))
		return RLK_VOTE_NONE;
	if (reply->integer > 1)
		*(bool *)arg = true;
	return reply->integer != 0 ? RLK_VOTE_YES : RLK_VOTE_NO;
}

static rlk_outcome run_on_several(rlk_operation *op, rlk_quorum *quorum, rlk_deadline deadline, rlk_error *err)
{
	switch (rlk_quorum_run(quorum, op, deadline)) {
		case RLK_VERDICT_YES:
			return RLK_YES;
		case RLK_VERDICT_NO:
			return RLK_NO;
		case RLK_VERDICT_STOPPED:
			rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the wait for the servers was interrupted");
			return RLK_UNKNOWN;
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

rlk_outcome rlk_operation_run(rlk_lock *lock, const rlk_servers *servers, rlk_operation *op, rlk_deadline deadline,
	rlk_error *err)
{
	rlk_exchange exchange = { .may_repeat = op->may_repeat,
		.wakes_nobody = op->request.key_count > 1 ? &lock->wakes_nobody : NULL,
		.repeated = op->unanswered };
	rlk_conn *conn = servers->conn;
	rlk_kind_words words;
	const rlk_reply *reply;
	rlk_outcome outcome;
	rlk_vote vote;

	if (servers->quorum != NULL) {
		op->request.key_count = op->request.script != NULL ? 1 : 0; /* there is no waiting on several servers */
		return run_on_several(op, servers->quorum, deadline, err);
	}
	exchange.first_at_ms = conn->sent_at_ms; /* of the command before this script */
	exchange.request = rlk_kind_say(&lock->kind, &op->request, &words);
	outcome = rlk_exchange_run(&exchange, conn, deadline, &reply, err);
	op->unanswered = exchange.repeated || outcome == RLK_UNKNOWN;
	if (outcome != RLK_YES)
		return outcome;
	vote = op->read(op->arg, 0, reply);
	if (vote != RLK_VOTE_YES && vote != RLK_VOTE_NO) {
		op->unanswered = true;
		return rlk_conn_unexpected(conn, err);
	}
	if (exchange.repeated && op->repeated_no_is_yes && lock->held && exchange.first_at_ms < lock->valid_until_ms)
		return RLK_YES;
	return vote == RLK_VOTE_YES ? RLK_YES : RLK_NO;
}
