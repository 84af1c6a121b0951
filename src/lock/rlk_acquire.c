/*
 * rlk_acquire: taking a lock by one command, and what comes before and after. Waiting for one is in rlk_wait.c.
 */
#include "lock/rlk_acquire.h"

#include "base/rlk_clock.h"
#include "lock/rlk_lock_own.h"
#include "lock/rlk_scripts.h"
#include "lock/rlk_wait.h"
#include "net/rlk_resp.h"
#include "net/rlk_socket.h"
#include "redis/rlk_dialect.h"

/* Between the confirmation of a lock that is not to expire, and the command that has it not expire. */
#define CONFIRMED_TTL_MS 2000

bool rlk_lock_set_token(rlk_lock *lock, rlk_str given, rlk_str label, rlk_error *err)
{
	char fresh[RLK_TOKEN_MAX];

	if (given.len == 0 || !rlk_str_equal(given, rlk_buf_str(&lock->token))) {
		lock->unsure = false;
		lock->least_ttl_ms = 0;
		lock->extended_at_ms = 0;
	}
	lock->given = given.len > 0;
	if (given.len == 0) {
		given = rlk_str_make(fresh, rlk_token_make(fresh, label, false, err));
		if (given.len == 0)
			return false;
	}
	lock->token.len = 0;
	if (rlk_buf_append_str(&lock->token, given))
		return true;
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a token");
	return false;
}

/* Our request may still run, or has run: its release follows, on the same connection if that is there, so that it runs
 * afterwards. */
void rlk_lock_release_behind(rlk_lock *lock, rlk_conn *conn, int64_t ttl_ms)
{
	if (lock->given) {
		lock->unsure = true;
		rlk_conn_close(conn);
		return;
	}
	rlk_conn_allow_last_words(conn);
	if (conn->fd == RLK_SOCKET_NONE) {
		/* It broke. What had arrived by then has run, unless a proxy still has it; another connection has to do. */
		if (rlk_conn_ready(conn, false, NULL))
			rlk_lock_leave(lock, conn, false);
		return;
	}
	rlk_lock_leave(lock, conn, true);
	rlk_lock_give_up(conn, ttl_ms);
}

bool rlk_lock_may_heal(rlk_lock *lock, const rlk_conn *conn, rlk_outcome outcome, const rlk_error *why)
{
	if (conn->topology == NULL)
		return false;
	if (outcome == RLK_FAIL)
		return why->retryable;
	/* After a timeout the release is behind the SET, where it must not meet a later SET of the same token. Of a given one
	 * there is none. */
	lock->unsure = lock->unsure || (outcome == RLK_UNKNOWN && why->code == RLK_ERR_IO);
	return lock->unsure;
}

static rlk_outcome set_if_free(rlk_lock *lock, rlk_conn *conn, int64_t ttl_ms, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str argv[] = { RLK_STR("SET"), rlk_buf_str(&lock->key), rlk_buf_str(&lock->token), RLK_STR("NX"), RLK_STR("PX"),
		rlk_resp_int(ttl_ms, number) };
	const rlk_reply *reply;
	rlk_outcome outcome = rlk_conn_call(conn, argv, ttl_ms > 0 ? 6 : 4, &reply, err);

	if (outcome != RLK_YES)
		return outcome;
	if (reply->type == RLK_REPLY_STATUS && rlk_str_equal(reply->text, RLK_STR("OK")))
		return RLK_YES;
	if (reply->type == RLK_REPLY_NIL)
		return RLK_NO;
	rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the server answered SET with something else than OK or nil");
	rlk_error_set_node(err, conn->server->label);
	return RLK_UNKNOWN;
}

static rlk_outcome set_with_fence(rlk_lock *lock, rlk_conn *conn, int64_t ttl_ms, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str keys[2] = { rlk_buf_str(&lock->key), rlk_buf_str(&lock->fence_key) };
	rlk_str args[2] = { rlk_buf_str(&lock->token), rlk_resp_int(ttl_ms, number) };
	const rlk_reply *reply;
	rlk_outcome outcome = rlk_conn_eval(conn, false, &rlk_script_acquire_fence, keys, 2, args, 2, &reply, err);

	if (outcome != RLK_YES)
		return outcome;
	if (reply->type != RLK_REPLY_INTEGER) {
		rlk_error_set(err, RLK_ERR_PROTOCOL, 0,
			"the server answered the fencing script with something else than a number");
		rlk_error_set_node(err, conn->server->label);
		return RLK_UNKNOWN;
	}
	lock->fence = reply->integer;
	return reply->integer > 0 ? RLK_YES : RLK_NO;
}

/* Of a given token nothing releases what is not confirmed, so that has to end by itself. */
static int64_t first_ttl_ms(const rlk_lock *lock, const rlk_conn *conn, const rlk_lock_request *request)
{
	return request->ttl_ms == 0 && lock->given ? conn->server->io_timeout_ms + CONFIRMED_TTL_MS : request->ttl_ms;
}

static rlk_outcome try_once(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err)
{
	rlk_outcome outcome;

	if (conn->dialect == RLK_DIALECT_NEW || conn->dialect == RLK_DIALECT_USED) {
		if (!rlk_conn_ready(conn, false, err))
			return RLK_FAIL;
		rlk_dialect_ask(conn, &rlk_script_release, rlk_buf_str(&lock->key), rlk_buf_str(&lock->token));
	}
	if (request->fence)
		return set_with_fence(lock, conn, request->ttl_ms, err);
	outcome = set_if_free(lock, conn, first_ttl_ms(lock, conn, request), err);
	if (outcome == RLK_NO && lock->given && lock->unsure)
		outcome = rlk_lock_adopt(lock, conn, first_ttl_ms(lock, conn, request), err);
	return outcome;
}

/* What was sent over a connection that is no more may have arrived: it is undone over a new one, then a fresh token goes to
 * the lock and to whoever renews it. RLK_UNKNOWN: it could not be undone, and *provided says whether that is under way. */
static rlk_outcome start_afresh(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, bool *provided,
	rlk_error *err)
{
	int64_t limit_at_ms = conn->limit_at_ms;
	rlk_outcome undone = rlk_lock_withdraw(lock, conn, NULL);
	bool ready;

	rlk_lock_release_again(lock, conn); /* it was on the same connection */

	*provided = conn->fd == RLK_SOCKET_NONE; /* all that could be tried */
	if (undone != RLK_YES && undone != RLK_NO)
		return RLK_UNKNOWN;
	ready = request->hooks->attempt(request->hooks->arg, err);
	conn->limit_at_ms = limit_at_ms; /* connecting first, for the renewal's sake, has taken it away */
	return ready ? RLK_YES : RLK_FAIL;
}

/* A server, a proxy or a balancer had closed the connection while it was idle, and *err says how we were told. true: once
 * more, over a new one. A given token has no other in its place: its key stays where it may be, and is taken for ours if it
 * is there. */
static bool is_to_try_again(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_outcome *outcome,
	bool *provided, rlk_error *err)
{
	rlk_error local;

	if (*outcome == RLK_UNKNOWN && !lock->given && request->hooks != NULL && request->hooks->attempt != NULL) {
		rlk_error_clear(&local);
		*outcome = start_afresh(lock, conn, request, provided, &local);
		if (*outcome != RLK_UNKNOWN)
			*err = local;
		return *outcome == RLK_YES;
	}
	if (*outcome == RLK_UNKNOWN && (!lock->given || request->fence))
		return false;
	lock->unsure = lock->unsure || *outcome == RLK_UNKNOWN; /* after RLK_FAIL nothing had arrived */
	rlk_error_clear(err);
	return true;
}

static rlk_outcome have_it_not_expire(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	rlk_outcome outcome = rlk_lock_extend(lock, conn, 0, err);

	if (outcome == RLK_YES)
		return RLK_YES;
	lock->unsure = outcome != RLK_NO;
	rlk_lock_forget(lock);
	return outcome;
}

rlk_outcome rlk_lock_try(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err)
{
	bool again = false, provided = false;
	rlk_outcome outcome;

	do {
		outcome = try_once(lock, conn, request, err);
		again = outcome != RLK_YES && outcome != RLK_NO && !again && rlk_conn_was_stale(conn, err) &&
			is_to_try_again(lock, conn, request, &outcome, &provided, err);
	} while (again);
	if (outcome == RLK_UNKNOWN) {
		lock->unsure = lock->unsure || lock->given;
		/* The caller's time was up before the server's: its answer is still read, by whoever uses the connection next. */
		if (conn->awaited > 0 && !rlk_conn_is_late(conn))
			rlk_lock_leave(lock, conn, true);
		else if (!provided)
			rlk_lock_release_behind(lock, conn, request->ttl_ms);
	} else if (outcome == RLK_YES) {
		rlk_lock_take(lock, first_ttl_ms(lock, conn, request), conn->sent_at_ms);
	}
	/* Taken by another, too, is an answer only where it may be so: it may be a lock that could not be released. One that is
	 * ours is left to its ttl: a DEL that does not compare may arrive when somebody else has it. */
	if ((outcome == RLK_YES || outcome == RLK_NO) && conn->refuses_scripts &&
		!rlk_dialect_probe(conn, rlk_buf_str(&lock->key), err)) {
		rlk_lock_forget(lock);
		return RLK_FAIL;
	}
	if (outcome != RLK_YES)
		return outcome;
	if (conn->dialect == RLK_DIALECT_NEW)
		conn->dialect = RLK_DIALECT_USED;
	if (rlk_lock_is_valid(lock))
		return lock->ttl_ms == request->ttl_ms ? RLK_YES : have_it_not_expire(lock, conn, err);
	rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the answer took longer than the ttl of %lld ms", (long long)lock->ttl_ms);
	rlk_error_set_node(err, conn->server->label);
	rlk_lock_release(lock, conn, 0, NULL);
	rlk_lock_forget(lock);
	return RLK_FAIL;
}

/* Ours on the master. A lock that too few replicas have is given back. */
static rlk_outcome replicate(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	rlk_error local;
	rlk_outcome outcome;

	rlk_error_clear(&local);
	outcome = rlk_replicas_await(&lock->replicas, conn, &local);
	if (outcome == RLK_YES && !rlk_lock_is_valid(lock)) {
		rlk_error_set(&local, RLK_ERR_TIMEOUT, 0, "the wait for replicas took longer than the ttl");
		rlk_error_set_node(&local, conn->server->label);
		outcome = RLK_FAIL;
	}
	if (outcome == RLK_YES)
		return outcome;
	if (outcome == RLK_UNKNOWN)
		rlk_lock_release_behind(lock, conn, lock->ttl_ms);
	else
		rlk_lock_release(lock, conn, 0, NULL);
	rlk_lock_forget(lock);
	rlk_error_adopt(err, &local);
	return outcome;
}

rlk_outcome rlk_lock_acquire(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err)
{
	rlk_outcome outcome;
	rlk_error local;

	rlk_lock_forget(lock);
	lock->ttl_ms = request->ttl_ms;
	lock->unsure = lock->unsure && lock->given;
	conn->limit_at_ms = request->deadline_at_ms;
	if (request->deadline_at_ms > 0) {
		/* The shortest time to wait, or one that went by before this, in starting a renewal child say, leaves the try a
		 * moment, less what rlk_wait_reach() has taken of it. */
		rlk_conn_allow_last_words(conn);
		if (conn->ready_at_ms > request->deadline_at_ms)
			conn->limit_at_ms -= conn->ready_at_ms - request->deadline_at_ms;
	}
	rlk_error_clear(&local);
	outcome = rlk_lock_try(lock, conn, request, &local);
	if (request->deadline_at_ms > 0 && rlk_clock_now_ms() < request->deadline_at_ms &&
		(outcome == RLK_NO || rlk_lock_may_heal(lock, conn, outcome, &local)))
		outcome = rlk_wait(lock, conn, request, err);
	else
		rlk_error_adopt(err, &local);
	conn->limit_at_ms = 0;
	if (outcome == RLK_YES && lock->replicas.min > 0)
		outcome = replicate(lock, conn, err);
	return outcome;
}
