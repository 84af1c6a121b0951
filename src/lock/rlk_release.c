/*
 * rlk_release: releases a lock, and what an unanswered request may have acquired. Three ways:
 *
 *     ask    rlk_lock_release()            waits for the answer
 *     post   rlk_lock_post_release()       the next user of the connection reads the answer
 *     last   rlk_lock_send_last_release()  the last that is sent on a connection, which is given up
 */
#include "lock/rlk_lock_own.h"

#include "net/rlk_resp.h"
#include "redis/rlk_dialect.h"
#include "redis/rlk_topology.h"

/* --- the request --------------------------------------------------------------------------------- */

/* A call of release.lua. Without arguments it only wakes the next waiter, unless the lock has a holder who will. */
typedef struct {
	rlk_request request;
	rlk_str keys[3], args[3];
	char resting[RLK_TOKEN_MAX], number[RLK_RESP_INT_MAX];
} release_call;

/* Deletes the key, or lets it rest until rest_until_ms if that is ahead. false: see *err. */
static inline bool make_call(const rlk_lock *lock, int64_t rest_until_ms, release_call *call, rlk_error *err)
{
	int64_t rest_ms = rest_until_ms > 0 ? rest_until_ms - rlk_clock_now_ms() : 0;
	rlk_token_info own;

	call->args[0] = rlk_buf_str(&lock->token.text);
	call->request =
		(rlk_request){ &rlk_script_release, call->keys, call->args, rlk_lock_keys_to_wake(lock, call->keys), 1 };
	if (rest_ms > 0) {
		rlk_token_parse(call->args[0], &own);
		call->args[1] =
			rlk_str_make(call->resting, rlk_token_make(call->resting, rlk_str_from_cstr(own.label), true, err));
		if (call->args[1].len == 0)
			return false;
		call->args[2] = rlk_resp_int(rest_ms, call->number);
		call->request.arg_count = 3;
	}
	return true;
}

/* --- post and last ------------------------------------------------------------------------------- */

/* Of several holders it says that the caller is gone: who waits may fit now, whatever its kind. */
static rlk_request only_waking(const rlk_lock *lock, rlk_request call)
{
	static const rlk_str gone[] = { { "", 0 }, { "", 0 } };

	call.args = gone;
	call.arg_count = rlk_kind_is_string(&lock->kind) ? 0 : 2;
	return call;
}

/* Queues a call that is not repeated, whatever the answer. Waking is a call of its own where this user may have no right to
 * the keys that wake, and where a Cluster that is moving keys may have them on another node than the lock. If that fails, the
 * waiters' checks find the lock free. */
static bool append_call(const rlk_lock *lock, rlk_request call, rlk_conn *conn)
{
	bool in_cluster = conn->topology != NULL && conn->topology->kind == RLK_TOPOLOGY_CLUSTER;

	rlk_kind_words words;

	if (call.key_count > 1 && call.arg_count > 0 && (in_cluster || conn->server->user != NULL)) {
		rlk_request alone = call;

		alone.key_count = 1;
		if (!rlk_request_append(rlk_kind_say(&lock->kind, &alone, &words), conn, true, NULL))
			return false;
		call = only_waking(lock, call);
		rlk_request_append(rlk_kind_say(&lock->kind, &call, &words), conn, true, NULL);
		return true;
	}
	return (call.key_count > 1 || call.arg_count > 0) &&
		rlk_request_append(rlk_kind_say(&lock->kind, &call, &words), conn, true, NULL);
}

static void post(const rlk_lock *lock, rlk_conn *conn, const rlk_request *call, bool blocking)
{
	if (append_call(lock, *call, conn))
		rlk_conn_flush(conn, RLK_DEADLINE_NOW, NULL); /* what cannot be sent at once stays queued */
	rlk_conn_leave_unread(conn, (rlk_conn_listener){ NULL, NULL }, blocking);
}

/* What was sent is drained until a key with this TTL has expired; 0: until the server closes. After a caller's token the
 * connection is reset: nothing may leave it later, since another process may acquire with the same token. */
static void send_last(rlk_lock *lock, rlk_conn *conn, const rlk_request *call, int64_t ttl_ms)
{
	if (lock->token.from_caller) {
		rlk_ledger_spend(&lock->ledger, ttl_ms);
		rlk_conn_reset(conn);
		return;
	}
	post(lock, conn, call, true);
	rlk_conn_abandon(conn, ttl_ms > 0 ? rlk_clock_add(rlk_clock_now_ms(), ttl_ms) : RLK_NEVER);
}

/* The lock is free, and the release has woken the holder of the turnstile, who may be dead: wakes a waiter at the turnstile. */
static void post_again(const rlk_lock *lock, rlk_conn *conn, const rlk_request *release)
{
	const rlk_str nobody = RLK_STR("");
	rlk_request again = { release->script, release->keys, &nobody, release->key_count, 1 };
	rlk_kind_words words;

	if (rlk_request_append(rlk_kind_say(&lock->kind, &again, &words), conn, true, NULL))
		rlk_conn_flush(conn, RLK_DEADLINE_NOW, NULL);
	rlk_conn_leave_unread(conn, (rlk_conn_listener){ NULL, NULL }, false);
}

void rlk_lock_post_release(rlk_lock *lock, rlk_conn *conn, bool blocking)
{
	release_call call;

	make_call(lock, 0, &call, NULL);
	if (lock->token.from_caller)
		call.request.arg_count = 0;
	post(lock, conn, &call.request, blocking);
}

void rlk_lock_send_last_release(rlk_lock *lock, rlk_conn *conn, rlk_deadline deadline, int64_t ttl_ms)
{
	bool broke = conn->fd == RLK_SOCKET_NONE && !lock->token.from_caller;
	release_call call;

	/* What had arrived by the break has run, unless a proxy still holds it: another connection will do. */
	if (broke && !rlk_conn_connect(conn, false, rlk_deadline_for_one_more(deadline), NULL))
		return;
	make_call(lock, 0, &call, NULL);
	if (broke)
		post(lock, conn, &call.request, false);
	else
		send_last(lock, conn, &call.request, ttl_ms);
}

/* --- ask one server ------------------------------------------------------------------------------ */

/* May there be a command that removes this token? Of a set that is ZREM, unless the token has more than one member. */
static inline bool has_command(const rlk_lock *lock, const rlk_conn *conn)
{
	return lock->kind.weight == 1 || rlk_dialect_has_command(conn);
}

/* What became of a release by command. */
typedef enum {
	DELETE_ANSWERED,  /* *outcome is the answer */
	DELETE_FALL_BACK, /* the script does it: the server has no such command, refused it, or the connection broke */
	DELETE_FAILED     /* the script would fare no better, or come too late: *outcome and *err say why */
} delete_end;

/* Is the command enough? If somebody waited or held it as well lately, the script is better, since it does all in the same
 * step. Only a script sees whether a member of a set is over. */
static bool command_will_do(const rlk_lock *lock, const rlk_conn *conn, const rlk_request *release)
{
	return has_command(lock, conn) && release->arg_count == 1 && rlk_clock_now_ms() >= lock->waited_until_ms &&
		(rlk_kind_is_string(&lock->kind) || (lock->kind.weight == 1 && rlk_lock_is_valid(lock)));
}

/* Queues the delete and, behind it in the same write, EXISTS of the waiters key: if somebody waits, the script follows, since a
 * command cannot wake. No wake-up is lost: a waiter sets that key in the script in which its try failed, hence before the
 * delete. Of a set, EXISTS asks for the lock key as well: if there are other holders, the script gives it the expiry of the
 * longest one. *asks: is there anything to ask? */
static bool append_delete(const rlk_lock *lock, rlk_conn *conn, const rlk_request *release, bool *asks, rlk_error *err)
{
	bool is_string = rlk_kind_is_string(&lock->kind);
	const rlk_str remove[] = { RLK_STR("ZREM"), release->keys[0], release->args[0] };
	rlk_str exists[3] = { RLK_STR("EXISTS") };
	size_t count = 1;

	if (!is_string)
		exists[count++] = release->keys[0];
	if (release->key_count > 1)
		exists[count++] = release->keys[1];
	*asks = count > 1;
	return (is_string ? rlk_dialect_append_delete(conn, release->keys[0], release->args[0], err) :
						rlk_conn_append(conn, remove, 3, err)) &&
		(!*asks || rlk_conn_append(conn, exists, count, err));
}

/* Wakes the next waiter, which the delete did not. Answered before our next acquisition is sent: read in the same moment, that
 * would overtake the waiter. Without the token, which the caller may give again: without an answer it may be executed later. */
static void wake_after_delete(rlk_lock *lock, rlk_conn *conn, rlk_deadline until, const rlk_request *release)
{
	const rlk_reply *reply;
	bool again = false;

	lock->waited_until_ms = rlk_clock_add(conn->sent_at_ms, RLK_SCRIPT_WAITERS_MAX_MS);
	if (!append_call(lock, only_waking(lock, *release), conn) || rlk_conn_send(conn, until, NULL) != RLK_YES)
		return;
	while (rlk_conn_is_awaited(conn) && (reply = rlk_conn_receive(conn, until, NULL)) != NULL)
		again = rlk_reply_is_within(reply, RLK_SCRIPT_RELEASE_AGAIN, RLK_SCRIPT_RELEASE_AGAIN);
	if (again)
		post_again(lock, conn, release);
}

/* The reply to EXISTS. If it does not come, the waiters' checks find the lock free. `deleted`: else the script would release a
 * lock that is still relied upon. */
static void take_exists(rlk_lock *lock, rlk_conn *conn, rlk_deadline until, const rlk_request *release, bool deleted)
{
	const rlk_reply *reply = rlk_conn_receive(conn, until, NULL);

	if (reply != NULL && rlk_reply_is_error(reply, "NOPERM"))
		lock->wakes_nobody = true;
	if (deleted && reply != NULL && reply->type == RLK_REPLY_INTEGER && reply->integer > 0)
		wake_after_delete(lock, conn, until, release);
}

/* The reply to a compare-and-delete command, or to ZREM. */
static delete_end take_deleted(const rlk_lock *lock, rlk_conn *conn, const rlk_reply *reply, rlk_outcome *outcome,
	rlk_error *err)
{
	bool is_string = rlk_kind_is_string(&lock->kind);

	if (reply->type != RLK_REPLY_ERROR) {
		/* Of a compare-and-delete command -1 would be a no, too. */
		bool fits = rlk_reply_is_within(reply, is_string ? -1 : 0, 1);

		*outcome = !fits ? rlk_conn_unexpected(conn, err) : reply->integer == 1 ? RLK_YES : RLK_NO;
		return fits ? DELETE_ANSWERED : DELETE_FAILED;
	}
	*outcome = is_string && rlk_dialect_finds_no_string(reply->text) ? RLK_NO : RLK_FAIL;
	if (*outcome == RLK_NO)
		return DELETE_ANSWERED;
	if (is_string && rlk_reply_refuses_any(reply))
		conn->known.dialect = RLK_DIALECT_NONE;
	/* The script is refused for the same reason, but for a command's: or it is sent to another server. */
	if (!is_string || conn->topology != NULL || conn->known.dialect == RLK_DIALECT_NONE)
		return DELETE_FALL_BACK;
	rlk_reply_to_error(reply, err);
	rlk_error_set_node(err, conn->server->uri);
	return DELETE_FAILED;
}

/* One attempt by command. *until: what the script may use of the deadline, if it follows over the same connection. */
static delete_end delete_by_command(rlk_lock *lock, rlk_conn *conn, rlk_deadline *until, rlk_operation *op,
	rlk_outcome *outcome, rlk_error *err)
{
	rlk_deadline deadline = *until;
	const rlk_reply *reply;
	rlk_error local;
	delete_end end;
	bool asks;

	*outcome = RLK_FAIL;
	if (!rlk_conn_connect(conn, true, deadline, err))
		return DELETE_FAILED;
	if (!has_command(lock, conn)) /* of a new connection that is not known yet */
		return DELETE_FALL_BACK;
	if (!append_delete(lock, conn, &op->request, &asks, err)) {
		rlk_conn_close(conn);
		return DELETE_FAILED;
	}
	rlk_error_clear(&local);
	*outcome = rlk_conn_send_and_receive(conn, deadline, &reply, &local);
	op->unanswered = *outcome == RLK_UNKNOWN;
	if (*outcome != RLK_YES && conn->fd == RLK_SOCKET_NONE && local.code == RLK_ERR_IO)
		return DELETE_FALL_BACK;
	if (*outcome != RLK_YES) {
		rlk_error_adopt(err, &local);
		return DELETE_FAILED;
	}
	*until = rlk_conn_answers_until(conn, deadline);
	end = take_deleted(lock, conn, reply, outcome, err);
	if (asks && conn->fd != RLK_SOCKET_NONE)
		take_exists(lock, conn, *until, &op->request, end == DELETE_ANSWERED);
	return end;
}

static rlk_outcome ask_one(rlk_lock *lock, rlk_conn *conn, rlk_deadline deadline, rlk_operation *op, rlk_error *err)
{
	rlk_deadline until = deadline;
	rlk_outcome outcome = RLK_FAIL;
	delete_end end = DELETE_FALL_BACK;

	op->repeated_no_is_yes = true;
	if (command_will_do(lock, conn, &op->request))
		end = delete_by_command(lock, conn, &until, op, &outcome, err);
	switch (end) {
		case DELETE_FALL_BACK:
			/* If the connection broke: over a new one (rlk_exchange_run()), with a time limit of its own. Without one the
			 * outcome is unknown, since `unanswered` goes along. */
			outcome = rlk_operation_run(lock, &(rlk_servers){ conn, NULL }, op,
				conn->fd != RLK_SOCKET_NONE ? until : deadline, err);
			break;
		case DELETE_ANSWERED:
		case DELETE_FAILED:
			break;
	}
	if (outcome == RLK_UNKNOWN) {
		/* It may have been executed. Or the server did not know the script, so its text follows; both do no harm. */
		lock->valid_until_ms = 0;
		lock->ledger.release = true;
		if (lock->token.from_caller || rlk_conn_is_awaited(conn))
			send_last(lock, conn, &op->request, lock->ttl_ms);
	} else if (outcome != RLK_FAIL) {
		rlk_lock_forget(lock);
	}
	if (*(const bool *)op->arg)
		post_again(lock, conn, &op->request);
	return outcome;
}

/* --- ask several servers -------------------------------------------------------------------------- */

static rlk_release release_of(const rlk_lock *lock)
{
	return (rlk_release){ rlk_buf_str(&lock->keys.lock), rlk_buf_str(&lock->token.text), lock->ttl_ms };
}

static void send_release_of_leftovers(const rlk_lock *lock, rlk_quorum *quorum, bool asking)
{
	const rlk_release release = release_of(lock);

	if (quorum != NULL)
		rlk_quorum_send_release(quorum, lock->ledger.servers != 0 ? lock->ledger.servers : UINT32_MAX, &release,
			asking);
}

void rlk_lock_release_leftovers_and_forget(rlk_lock *lock, const rlk_servers *servers)
{
	send_release_of_leftovers(lock, servers->quorum, false);
	rlk_lock_forget(lock);
}

void rlk_lock_release_leftovers(const rlk_lock *lock, const rlk_servers *servers)
{
	send_release_of_leftovers(lock, servers->quorum, servers->quorum != NULL && servers->quorum->in_use);
}

static rlk_outcome ask_several(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, rlk_operation *op,
	rlk_error *err)
{
	rlk_release release = release_of(lock);
	rlk_outcome outcome;

	op->repeated_no_is_yes = rlk_lock_is_valid(lock);
	/* No pending releases for a lock at rest: where the rest is not set, the key keeps its ttl. */
	if (op->request.arg_count == 1)
		op->release = &release;
	op->servers = lock->ledger.servers;
	outcome = rlk_operation_run(lock, servers, op, deadline, err);
	if (outcome != RLK_UNKNOWN) {
		rlk_lock_forget(lock);
		return outcome;
	}
	lock->ledger.release = true;
	lock->valid_until_ms = 0; /* the lock may be released, and acquired by somebody else */
	return outcome;
}

/* --- ask either ----------------------------------------------------------------------------------- */

rlk_outcome rlk_lock_release(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, int64_t rest_until_ms,
	rlk_error *err)
{
	bool again = false;
	release_call call;
	rlk_outcome outcome;
	rlk_operation op = { .round = RLK_ROUND_OWNED, .read = rlk_read_done, .arg = &again, .may_repeat = true };

	if (!make_call(lock, rest_until_ms, &call, err))
		return RLK_FAIL;
	op.request = call.request;
	outcome = servers->quorum != NULL ? ask_several(lock, servers, deadline, &op, err) :
										ask_one(lock, servers->conn, deadline, &op, err);
	/* The release of a fiber that never went on has released the lock. */
	return outcome == RLK_NO && lock->ledger.release_unread ? RLK_YES : outcome;
}

/* *arg: does the key of one server hold no lock? */
static rlk_vote read_forced(void *arg, int server, const rlk_reply *reply)
{
	bool *no_lock = arg;

	(void)server;
	if (!rlk_reply_is_within(reply, RLK_SCRIPT_FORCE_RELEASE_NO_LOCK, RLK_SCRIPT_FORCE_RELEASE_DELETED))
		return RLK_VOTE_NONE;
	*no_lock = *no_lock || reply->integer == RLK_SCRIPT_FORCE_RELEASE_NO_LOCK;
	return reply->integer == RLK_SCRIPT_FORCE_RELEASE_DELETED ? RLK_VOTE_YES : RLK_VOTE_NO;
}

rlk_outcome rlk_lock_force_release(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, rlk_str token,
	rlk_error *err)
{
	bool several = servers->quorum != NULL, no_lock = false, plain = token.len == 0 && rlk_kind_is_string(&lock->kind);
	rlk_str keys[3];
	rlk_operation op = {
		.request = { plain ? &rlk_script_force_release : &rlk_script_set_free, keys, &token,
			rlk_lock_keys_to_wake(lock, keys), plain ? 0 : 1 },
		.round = RLK_ROUND_SURVEY,
		.read = read_forced,
		.arg = &no_lock,
	};
	rlk_outcome outcome;
	rlk_error local;

	rlk_error_clear(&local);
	outcome = rlk_operation_run(lock, servers, &op, deadline, &local);
	/* A plain lock deletes a string. Others may have a set of holders there. */
	if (outcome == RLK_NO && no_lock && !several && plain) {
		op.request = (rlk_request){ &rlk_script_set_free, keys, &token, rlk_lock_keys_to_wake(lock, keys), 1 };
		no_lock = false;
		outcome = rlk_operation_run(lock, servers, &op, rlk_conn_answers_until(servers->conn, deadline), &local);
		no_lock = no_lock || outcome == RLK_FAIL;
		outcome = outcome == RLK_FAIL ? RLK_NO : outcome;
	}
	if (outcome == RLK_UNKNOWN && !several)
		rlk_conn_reset(servers->conn); /* executed later, it would delete the next holder's key */
	/* On several, the round says yes as soon as most have answered. */
	if (outcome == RLK_YES && several && rlk_votes_count(&servers->quorum->votes, RLK_VOTE_YES) == 0)
		outcome = RLK_NO;
	if (outcome == RLK_NO && no_lock) {
		if (several)
			rlk_error_set(err, RLK_ERR_NO_LOCK, 0, "the key holds something else than a string, not a lock");
		else
			rlk_lock_explain_no_lock(lock, servers->conn, deadline, err);
		return RLK_FAIL;
	}
	rlk_error_adopt(err, &local);
	return outcome;
}
