/*
 * rlk_acquire: taking a lock by one command, and what comes before and after. Waiting for the one server is in rlk_wait.c.
 */
#include "lock/rlk_lock_own.h"

#include "base/rlk_os.h"
#include "lock/rlk_scripts.h"
#include "lock/rlk_wait.h"
#include "net/rlk_resp.h"
#include "net/rlk_socket.h"
#include "redis/rlk_dialect.h"

/* Between the confirmation of a lock that is not to expire, and the command that has it not expire. */
#define CONFIRMED_TTL_MS 2000

/* --- what does the server offer to release a lock with? ------------------------------------------ */

/* The answer to a release of a token that nobody has: 0, or NOSCRIPT, or a refusal. */
static void told_of_scripts(void *arg, const rlk_reply *reply)
{
	rlk_conn *conn = arg;

	if (reply != NULL && !rlk_dialect_learn(conn, reply) &&
		(reply->type == RLK_REPLY_INTEGER || rlk_reply_is_error(reply, "NOSCRIPT")))
		rlk_dialect_note_scripts(conn->server);
}

/* A server that tells users apart asks for a password. */
static void ask_for_scripts(const rlk_lock *lock, rlk_conn *conn)
{
	const rlk_str key = rlk_buf_str(&lock->key), token = rlk_buf_str(&lock->token);
	const rlk_conn_listener listener = { told_of_scripts, conn };

	if (conn->unread == 0 && conn->server->password != NULL && !rlk_dialect_takes_scripts(conn->server) &&
		rlk_conn_append_eval(conn, false, &rlk_script_release, &key, 1, &token, 1, NULL))
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

static bool probe_dialect_now(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	if (!rlk_conn_ready(conn, false, err))
		return false;
	if (conn->dialect == RLK_DIALECT_NEW)
		ask_for_scripts(lock, conn);
	else if (conn->dialect == RLK_DIALECT_USED) /* it may be another connection by now */
		ask_for_commands(conn);
	return true;
}

static bool try_release(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_str key = rlk_buf_str(&lock->key), nobody = RLK_STR("rlk1:nobody");
	rlk_operation op = { .request = { &rlk_script_release, &key, &nobody, 1, 1, true }, .read = rlk_read_done };
	const rlk_servers one = { conn, NULL };
	rlk_outcome outcome = rlk_operation_run(&one, &op, err);

	return outcome == RLK_YES || outcome == RLK_NO;
}

static inline bool rlk_offers_ask(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	bool known = conn->dialect != RLK_DIALECT_NEW && conn->dialect != RLK_DIALECT_USED;

	return known || probe_dialect_now(lock, conn, err);
}

static inline bool rlk_offers_release(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	return !conn->refuses_scripts || conn->can_release || try_release(lock, conn, err);
}

/* --- one try on one server ------------------------------------------------------------------------- */

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
	const rlk_request request = { &rlk_script_acquire_fence, keys, args, 2, 2, false };
	rlk_outcome outcome = rlk_conn_request(conn, false, &request, &reply, err);

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

	if (!rlk_offers_ask(lock, conn, err))
		return RLK_FAIL;
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
	const rlk_servers one = { conn, NULL };
	rlk_outcome outcome = rlk_lock_extend(lock, &one, 0, err);

	if (outcome == RLK_YES)
		return RLK_YES;
	lock->unsure = outcome != RLK_NO;
	rlk_lock_forget(lock);
	return outcome;
}

rlk_outcome rlk_lock_try(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err)
{
	const rlk_servers one = { conn, NULL };
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
			rlk_lock_send_release(lock, conn, true);
		else if (!provided)
			rlk_lock_release_behind(lock, conn, request->ttl_ms);
	} else if (outcome == RLK_YES) {
		rlk_lock_take(lock, first_ttl_ms(lock, conn, request), conn->sent_at_ms);
	}
	/* Taken by another, too, is an answer only where it may be so: it may be a lock that could not be released. One that is
	 * ours is left to its ttl: a DEL that does not compare may arrive when somebody else has it. */
	if ((outcome == RLK_YES || outcome == RLK_NO) && !rlk_offers_release(lock, conn, err)) {
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
	outcome = rlk_lock_release(lock, &one, 0, NULL);
	rlk_lock_forget(lock);
	/* Unanswered, that may come to pass at any time: the token must not be used again. */
	return outcome == RLK_UNKNOWN ? RLK_UNKNOWN : RLK_FAIL;
}

/* Ours on the master. A lock that too few replicas have is given back. */
static rlk_outcome replicate(rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	const rlk_servers one = { conn, NULL };
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
		rlk_lock_release(lock, &one, 0, NULL);
	rlk_lock_forget(lock);
	rlk_error_adopt(err, &local);
	return outcome;
}

static bool begin_attempt(const rlk_hooks *hooks, rlk_error *err)
{
	return hooks == NULL || hooks->attempt == NULL || hooks->attempt(hooks->arg, err);
}

static rlk_outcome acquire_on_one(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err)
{
	rlk_outcome outcome;
	rlk_error local;

	if (!begin_attempt(request->hooks, err))
		return RLK_FAIL;
	rlk_lock_forget(lock);
	lock->ttl_ms = request->ttl_ms;
	lock->unsure = lock->unsure && lock->given;
	conn->limit_at_ms = request->deadline_at_ms;
	if (request->deadline_at_ms > 0) {
		/* The shortest time to wait, or one that went by before this, in starting a renewal child say, leaves the try a
		 * moment, less what rlk_wait_reach() has taken of it. */
		rlk_conn_extend_limit(conn);
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

/* --- on several ------------------------------------------------------------------------------------ */

/* Servers that were asked in the last round, and have not answered. */
static uint32_t unanswered(const rlk_quorum *quorum)
{
	uint32_t among = 0;

	for (int i = 0; i < quorum->count; i++) {
		rlk_vote vote = quorum->votes.cast[i];

		among |= vote == RLK_VOTE_PENDING || vote == RLK_VOTE_SILENT ? UINT32_C(1) << i : 0;
	}
	return among & quorum->votes.sent;
}

static rlk_vote read_set(void *arg, int server, const rlk_reply *reply)
{
	return reply->type == RLK_REPLY_INTEGER ? RLK_VOTE_NONE : rlk_read_done(arg, server, reply);
}

/* With a given token nothing is released where the outcome is not known, and the key is ours where it has that already. */
static rlk_outcome try_on_several(rlk_lock *lock, const rlk_servers *servers, int64_t ttl_ms, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	const rlk_str key = rlk_buf_str(&lock->key), token = rlk_buf_str(&lock->token), ttl = rlk_resp_int(ttl_ms, number);
	const rlk_str set[] = { RLK_STR("SET"), key, token, RLK_STR("NX"), RLK_STR("PX"), ttl }, extend[] = { token, ttl };
	const rlk_request adopt = { &rlk_script_extend, &key, extend, 1, 2, true };
	/* What is released may arrive late. */
	const rlk_release release = { key, token, rlk_clock_add(rlk_clock_now_ms(), 2 * ttl_ms), lock->given };
	rlk_operation op = { .request = { NULL, NULL, set, 0, 6, false },
		.round = RLK_ROUND_ACQUIRE,
		.read = lock->given ? rlk_read_done : read_set,
		.servers = RLK_SERVERS_ALL,
		.ttl_ms = rlk_lock_least_ttl_ms(lock, ttl_ms),
		.pending = &release,
		.adopt = lock->given ? &adopt : NULL,
		.unsure = lock->unsure };
	rlk_quorum *quorum = servers->quorum;
	rlk_outcome outcome = rlk_operation_run(servers, &op, err);
	uint32_t may_have = rlk_quorum_may_have(quorum);
	bool unsure = lock->given && (lock->unsure || unanswered(quorum) != 0);

	if (outcome == RLK_YES) {
		rlk_lock_take(lock, ttl_ms, quorum->asked_at_ms);
		lock->unsure = unsure;
		lock->maybe_on = may_have;
		return RLK_YES;
	}
	lock->unsure = unsure;
	rlk_quorum_send_release(quorum, lock->given ? may_have & ~unanswered(quorum) : may_have, &release);
	return outcome == RLK_UNKNOWN ? RLK_FAIL : outcome; /* what may have been done is being undone */
}

/* Pauses. Between two rounds nothing is under way, so handlers may use the same servers. false: stop, see *err. */
static bool pause_until(const rlk_hooks *hooks, int64_t until_ms, rlk_error *err)
{
	long pid = rlk_os_process_id();

	while (rlk_socket_poll(NULL, 0, until_ms, hooks) == RLK_SOCKET_SIGNAL) {
		bool stop = hooks->interrupted(hooks->arg);

		if (rlk_os_process_id() != pid) {
			rlk_error_set(err, RLK_ERR_IO, 0, "the process was forked while it waited for the lock");
			return false;
		}
		if (stop) {
			rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the wait was interrupted");
			return false;
		}
	}
	return true;
}

static rlk_outcome acquire_on_several(rlk_lock *lock, const rlk_servers *servers, const rlk_lock_request *request,
	rlk_error *err)
{
	const rlk_hooks *hooks = request->hooks;

	rlk_lock_note_unanswered(lock, servers); /* a given token may be the same again */
	rlk_lock_forget(lock);
	for (int attempt = 1;; attempt++) {
		rlk_outcome outcome = RLK_FAIL;
		int64_t now_ms, until_ms;
		rlk_error local;

		rlk_error_clear(&local);
		if (begin_attempt(hooks, &local))
			outcome = try_on_several(lock, servers, request->ttl_ms, &local);
		now_ms = rlk_clock_now_ms();
		if (outcome == RLK_YES || (outcome == RLK_FAIL && !local.retryable) ||
			(request->attempts > 0 ? attempt >= request->attempts : now_ms >= request->deadline_at_ms)) {
			rlk_error_adopt(err, &local);
			return outcome;
		}
		until_ms =
			now_ms + rlk_votes_pause_ms(rlk_clock_earlier(request->retry_ms, INT32_MAX), rlk_random_spread(INT32_MAX));
		if (request->attempts == 0 && until_ms > request->deadline_at_ms)
			until_ms = request->deadline_at_ms;
		if (!pause_until(hooks, until_ms, err))
			return RLK_FAIL;
	}
}

rlk_outcome rlk_lock_acquire(rlk_lock *lock, const rlk_servers *servers, const rlk_lock_request *request,
	rlk_error *err)
{
	return servers->quorum != NULL ? acquire_on_several(lock, servers, request, err) :
									 acquire_on_one(lock, servers->conn, request, err);
}
