/*
 * rlk_lock_own: the steps that acquiring and waiting are made of. For src/lock only.
 */
#ifndef RLK_LOCK_OWN_H
#define RLK_LOCK_OWN_H

#include "lock/rlk_lock.h"
#include "net/rlk_resp.h"

/* --- operations ----------------------------------------------------------------------------------- */

/* Runs the operation on the one server, waiting for the reply and asking once more where the connection breaks, or on several
 * in a round. The request is that of a plain lock. RLK_YES, RLK_NO: the answer of the one or of most. RLK_UNKNOWN: no answer, or
 * too few; RLK_FAIL: not executed. */
rlk_outcome rlk_operation_run(rlk_lock *lock, const rlk_servers *servers, rlk_operation *op, rlk_deadline deadline,
	rlk_error *err);

/* An rlk_operation.read for scripts, which answer 1 for done and 0 for "not ours". *arg: do they answer 2? NULL: they never do. */
rlk_vote rlk_read_done(void *arg, int server, const rlk_reply *reply);

/* --- steps ---------------------------------------------------------------------------------------- */

/* Has the owner set the token of the next attempt, and arm its renewal. false: see *err; a caller's token may be spent. */
static inline bool rlk_lock_begin_attempt(rlk_lock *lock, const rlk_hooks *hooks, rlk_error *err)
{
	if (lock->is_turnstile)
		return rlk_lock_set_token(lock, RLK_STR(""), RLK_STR(""), err);
	return (hooks == NULL || hooks->attempt == NULL || hooks->attempt(hooks->arg, err)) &&
		(lock->ledger.spent_until_ms == 0 || rlk_ledger_may_acquire(&lock->ledger, err));
}

/* Runs the host's signal handlers, which may use the same servers, or fork. true: stop waiting, *err says why. `pid`: of the
 * process that began to wait. */
bool rlk_lock_handle_signals(const rlk_hooks *hooks, long pid, rlk_error *err);

/* The request that acquires: SET NX, or a script for a fence or another kind. It points into itself. */
#define RLK_TRY_KEYS_MAX 6
#define RLK_TRY_ARGS_MAX 6 /* SET */
typedef struct {
	rlk_request request;
	rlk_str keys[RLK_TRY_KEYS_MAX], args[RLK_TRY_ARGS_MAX];
	char numbers[3][RLK_RESP_INT_MAX];
} rlk_try_words;

/* ttl_ms 0: none. `waited`: to be executed when the waiter is woken, before those who came later. */
void rlk_lock_say_try(const rlk_lock *lock, bool fence, int64_t ttl_ms, bool waited, rlk_try_words *words);

/* What its reply, no error, says; likewise that of join.lua about what was got. RLK_VOTE_NONE: it is no answer. */
static inline rlk_vote rlk_lock_read_try_script(bool fence, const rlk_reply *reply)
{
	if (!rlk_reply_is_within(reply, 0, fence ? INT64_MAX : 1))
		return RLK_VOTE_NONE;
	return reply->integer > 0 ? RLK_VOTE_YES : RLK_VOTE_NO;
}

static inline rlk_vote rlk_lock_read_try(const rlk_lock *lock, bool fence, const rlk_reply *reply)
{
	if (fence || !rlk_kind_is_string(&lock->kind))
		return rlk_lock_read_try_script(fence, reply);
	if (rlk_reply_is_ok(reply))
		return RLK_VOTE_YES;
	return reply->type == RLK_REPLY_NIL ? RLK_VOTE_NO : RLK_VOTE_NONE;
}

/* Makes the keys of the turnstile. false: memory is out. A name without helper keys has none. */
bool rlk_lock_make_turnstile(rlk_lock *lock, rlk_error *err);

/* One try on one server, by SET NX or, with terms->fence, by script. Results of rlk_lock_acquire(). *err is empty. */
rlk_outcome rlk_lock_try(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_deadline deadline,
	rlk_error *err);

/* The lock is ours for this ttl, counted from the moment before the command was written. */
static inline void rlk_lock_take(rlk_lock *lock, int64_t ttl_ms, int64_t sent_at_ms)
{
	lock->held = true;
	lock->ttl_ms = ttl_ms;
	lock->ttl_known = true;
	lock->extension.due_at_ms = 0;
	lock->acquired_at_ms = sent_at_ms;
	lock->valid_until_ms = rlk_clock_add(sent_at_ms, rlk_validity_ms(rlk_ledger_least_ttl_ms(&lock->ledger, ttl_ms)));
}

/* A SET is unanswered: sends its release behind it on the same connection, where it runs afterwards, and gives the connection
 * up. If that broke, the release goes over a new one, opened by the deadline or within a moment; without one the key is left to its
 * ttl. A caller's token is not released but spent, and the connection reset. */
void rlk_lock_send_last_release(rlk_lock *lock, rlk_conn *conn, rlk_deadline deadline, int64_t ttl_ms);

/* Can another server take over from the one in trouble, so that trying goes on? Sets lock->ledger.set if a SET was unanswered. */
bool rlk_lock_may_heal(rlk_lock *lock, const rlk_conn *conn, rlk_outcome outcome, const rlk_error *why);

/* Extends a provisional ttl to the ttl without waiting for the reply, see rlk_lock_collect(). Without `hurry` the system
 * chooses the moment of sending, or the extension leaves with the next request. false: it never leaves. */
bool rlk_lock_extend_unread(rlk_lock *lock, rlk_conn *conn, bool hurry);

/* The lock key and, where the name has them, the keys that wake a waiter. Returns how many. */
static inline size_t rlk_lock_keys_to_wake(const rlk_lock *lock, rlk_str keys[3])
{
	keys[0] = rlk_buf_str(&lock->keys.lock);
	keys[1] = rlk_buf_str(&lock->keys.waiters);
	keys[2] = rlk_buf_str(&lock->keys.signal);
	return keys[1].len > 0 && keys[2].len > 0 && !lock->wakes_nobody ? 3 : 1;
}

/* The keys of a try. Whoever has waited wakes others; else it is only asked whether some are at the turnstile, which exists if
 * the name has helper keys, or on their way from it. Whoever opens it does both. */
static inline size_t rlk_lock_keys_to_try(const rlk_lock *lock, bool waited, bool opens, rlk_str keys[RLK_TRY_KEYS_MAX])
{
	size_t count = rlk_lock_keys_to_wake(lock, keys);

	if (count == 1 || (waited && !opens))
		return count;
	if (!waited)
		count = 1;
	return count + rlk_lock_keys_to_wake(lock->turnstile, keys + count);
}

/* All six, for those who line up, whether or not this user may use them. */
static inline size_t rlk_lock_keys_to_line_up(const rlk_lock *lock, rlk_str keys[RLK_TRY_KEYS_MAX])
{
	const rlk_lock *of[2] = { lock, lock->turnstile };

	for (int i = 0; i < 2; i++) {
		keys[3 * i] = rlk_buf_str(&of[i]->keys.lock);
		keys[3 * i + 1] = rlk_buf_str(&of[i]->keys.waiters);
		keys[3 * i + 2] = rlk_buf_str(&of[i]->keys.signal);
	}
	return 6;
}

/* The token that this waiter has at the turnstile, or "". */
static inline rlk_str rlk_lock_turn(const rlk_lock *lock)
{
	return lock->turnstile != NULL && lock->turnstile->held ? rlk_buf_str(&lock->turnstile->token.text) : RLK_STR("");
}

/* The script that acquired has opened the turnstile. */
static inline void rlk_lock_note_passed(rlk_lock *lock)
{
	if (lock->turnstile != NULL && !rlk_kind_is_string(&lock->kind))
		rlk_lock_forget(lock->turnstile);
}

#endif
