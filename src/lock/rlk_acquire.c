/*
 * rlk_acquire: acquires a lock by one command, on one server or on several. Waiting on one server is in rlk_wait.c.
 */
#include "lock/rlk_lock_own.h"

#include "lock/rlk_wait.h"
#include "net/rlk_resp.h"
#include "redis/rlk_dialect.h"

/* How long a lock without expiry has one at first, beside the time for an answer: until the expiry is dropped. */
#define CONFIRMED_TTL_MS 2000

/* --- one try on one server ------------------------------------------------------------------------- */

bool rlk_lock_may_heal(rlk_lock *lock, const rlk_conn *conn, rlk_outcome outcome, const rlk_error *why)
{
	if (conn->topology == NULL)
		return false;
	if (outcome == RLK_FAIL)
		return why->retryable;
	/* After a timeout the release was sent behind the SET, and must not run after a later SET of the same token. */
	lock->ledger.set =
		lock->ledger.set || (outcome == RLK_UNKNOWN && why->code == RLK_ERR_IO && !lock->token.from_caller);
	return lock->ledger.set;
}

void rlk_lock_say_try(const rlk_lock *lock, bool fence, int64_t ttl_ms, bool waited, rlk_try_words *words)
{
	const rlk_str key = rlk_buf_str(&lock->keys.lock), token = rlk_buf_str(&lock->token.text),
				  ttl = rlk_resp_int(ttl_ms, words->numbers[0]);
	rlk_str *args = words->args;

	if (fence) {
		words->keys[0] = key;
		words->keys[1] = rlk_buf_str(&lock->keys.fence);
		args[0] = token;
		args[1] = ttl;
		words->request = (rlk_request){ &rlk_script_acquire_fence, words->keys, args, 2, 2 };
	} else if (rlk_kind_is_string(&lock->kind)) {
		args[0] = RLK_STR("SET");
		args[1] = key;
		args[2] = token;
		args[3] = RLK_STR("NX");
		args[4] = RLK_STR("PX");
		args[5] = ttl;
		words->request = (rlk_request){ NULL, NULL, args, 0, ttl_ms > 0 ? 6 : 4 };
	} else {
		args[0] = token;
		args[1] = rlk_resp_int(lock->kind.permits, words->numbers[1]);
		args[2] = rlk_resp_int(lock->kind.weight, words->numbers[2]);
		args[3] = ttl;
		args[4] = rlk_lock_turn(lock);
		/* A waiter with the turnstile has waited, too. */
		waited = waited || args[4].len > 0;
		words->request = (rlk_request){ waited ? &rlk_script_set_take : &rlk_script_set_try, words->keys, args,
			rlk_lock_keys_to_try(lock, waited, args[4].len > 0, words->keys), waited ? 5 : 4 };
	}
}

/* Sends the acquiring request once. */
static rlk_outcome ask_to_acquire(rlk_lock *lock, rlk_conn *conn, bool fence, int64_t ttl_ms, rlk_deadline deadline,
	rlk_error *err)
{
	rlk_try_words words;
	rlk_exchange exchange = { .request = &words.request,
		.wakes_nobody = rlk_kind_is_string(&lock->kind) ? NULL : &lock->wakes_nobody };
	const rlk_reply *reply = NULL;
	rlk_outcome outcome;
	rlk_vote vote;

	rlk_lock_say_try(lock, fence, ttl_ms, false, &words);
	outcome = rlk_exchange_run(&exchange, conn, deadline, &reply, err);
	if (outcome == RLK_FAIL && reply != NULL && rlk_reply_is_error(reply, "NOLOCK")) {
		rlk_error_clear(err);
		rlk_lock_explain_no_lock(lock, conn, deadline, err);
	}
	if (outcome != RLK_YES)
		return outcome;
	vote = rlk_lock_read_try(lock, fence, reply);
	if (words.request.script != NULL)
		lock->fence = fence ? reply->integer : 0;
	if (vote != RLK_VOTE_NONE)
		return vote == RLK_VOTE_YES ? RLK_YES : RLK_NO;
	/* The connection stays open, for the release of what may have been acquired all the same. */
	rlk_reply_misfit(err);
	rlk_error_set_node(err, conn->server->uri);
	return RLK_UNKNOWN;
}

/* With a caller's token an unconfirmed SET is not released, so it needs an expiry even if the lock is to have none. */
static int64_t first_ttl_ms(const rlk_lock *lock, const rlk_conn *conn, const rlk_lock_terms *terms)
{
	return terms->ttl_ms == 0 && lock->token.from_caller ? conn->server->io_timeout_ms + CONFIRMED_TTL_MS :
														   terms->ttl_ms;
}

static rlk_outcome ask_on_one(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_deadline deadline,
	rlk_error *err)
{
	if (conn->known.dialect == RLK_DIALECT_NEW || conn->known.dialect == RLK_DIALECT_USED) {
		if (!rlk_conn_connect(conn, false, deadline, err))
			return RLK_FAIL;
		if (conn->known.dialect == RLK_DIALECT_USED) /* rlk_conn_connect() may have opened a new connection */
			rlk_dialect_probe(conn);
	}
	return ask_to_acquire(lock, conn, terms->fence, first_ttl_ms(lock, conn, terms), deadline, err);
}

/* Releases over a new connection what the SET may have left, then sets a fresh token for the lock and the renewal child. false:
 * the SET is not to be repeated, with this outcome. Without a connection the key is left to its ttl. */
static bool withdraw_attempt(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_deadline deadline,
	rlk_outcome *outcome, rlk_error *err)
{
	rlk_outcome undone = rlk_lock_release(lock, &(rlk_servers){ conn, NULL }, deadline, 0, NULL);

	if (undone != RLK_YES && undone != RLK_NO)
		return false;
	rlk_error_clear(err);
	*outcome = RLK_FAIL;
	return rlk_lock_begin_attempt(lock, terms->hooks, err);
}

/* Sends the SET. A server, a proxy or a balancer may have closed the connection while it was idle: then it is sent once more, with
 * a fresh token. Without an answer its release follows it. */
static rlk_outcome ask_and_settle(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_deadline deadline,
	rlk_error *err)
{
	rlk_outcome outcome = ask_on_one(lock, conn, terms, deadline, err);
	int64_t ttl_ms = first_ttl_ms(lock, conn, terms);

	if (outcome == RLK_UNKNOWN && rlk_conn_was_stale(conn, err) && !lock->token.from_caller && terms->hooks != NULL &&
		terms->hooks->attempt != NULL) {
		if (withdraw_attempt(lock, conn, terms, deadline, &outcome, err))
			outcome = ask_on_one(lock, conn, terms, deadline, err);
		else if (conn->fd == RLK_SOCKET_NONE)
			return outcome;
	}
	/* In a copy of the process, made while the host went on, what follows is the parent's. */
	if (outcome != RLK_UNKNOWN || conn->owner_pid != rlk_os_process_id())
		return outcome;
	if (lock->token.from_caller)
		rlk_ledger_spend(&lock->ledger, ttl_ms);
	/* With time left for the answer, the connection stays in use: its next user reads the reply. */
	if (rlk_conn_is_awaited(conn) && rlk_clock_now_ms() < conn->sent_at_ms + conn->server->io_timeout_ms)
		rlk_lock_post_release(lock, conn, true);
	else
		rlk_lock_send_last_release(lock, conn, deadline, ttl_ms);
	return outcome;
}

static rlk_outcome drop_expiry(rlk_lock *lock, rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	rlk_outcome outcome = rlk_lock_extend(lock, &(rlk_servers){ conn, NULL }, deadline, 0, NULL, err);

	if (outcome == RLK_YES)
		return RLK_YES;
	if (outcome != RLK_NO)
		rlk_ledger_spend(&lock->ledger, lock->ttl_ms);
	rlk_lock_forget(lock);
	return outcome;
}

/* Releases a lock that was not acquired as the caller asked. RLK_NO: a caller's token that is over stays, since another
 * process may hold the lock with the same token by now. */
static rlk_outcome give_back(rlk_lock *lock, rlk_conn *conn, rlk_deadline deadline)
{
	if (lock->token.from_caller && !rlk_lock_is_valid(lock))
		return RLK_NO;
	return rlk_lock_release(lock, &(rlk_servers){ conn, NULL }, deadline, 0, NULL);
}

rlk_outcome rlk_lock_try(rlk_lock *lock, rlk_conn *conn, const rlk_lock_terms *terms, rlk_deadline deadline,
	rlk_error *err)
{
	rlk_outcome outcome = ask_and_settle(lock, conn, terms, deadline, err);

	if (outcome != RLK_YES)
		return outcome;
	rlk_lock_take(lock, first_ttl_ms(lock, conn, terms), conn->sent_at_ms);
	if (conn->known.dialect == RLK_DIALECT_NEW)
		conn->known.dialect = RLK_DIALECT_USED;
	if (rlk_lock_is_valid(lock))
		return lock->ttl_ms == terms->ttl_ms ? RLK_YES : drop_expiry(lock, conn, deadline, err);
	rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the answer took longer than the ttl of %lld ms", (long long)lock->ttl_ms);
	rlk_error_set_node(err, conn->server->uri);
	outcome = give_back(lock, conn, deadline);
	rlk_lock_forget(lock);
	/* An unanswered release may run at any time: the token must not be used again. */
	return outcome == RLK_UNKNOWN ? RLK_UNKNOWN : RLK_FAIL;
}

/* The master has the lock. It is released if too few replicas have it. RLK_NO: it was freed by force meanwhile, or a master has
 * taken over that had not heard of it, as the extension that follows a wait was told. */
static rlk_outcome replicate(rlk_lock *lock, rlk_conn *conn, const rlk_replicas *replicas, rlk_deadline deadline,
	rlk_error *err)
{
	rlk_error local;
	rlk_outcome outcome;

	rlk_error_clear(&local);
	outcome = rlk_replicas_await(replicas, conn, deadline, &local);
	if (outcome == RLK_YES && lock->valid_until_ms == 0) {
		rlk_lock_forget(lock);
		return RLK_NO;
	}
	if (outcome == RLK_YES && !rlk_lock_is_valid(lock)) {
		rlk_error_set(&local, RLK_ERR_TIMEOUT, 0, "the wait for replicas took longer than the ttl");
		rlk_error_set_node(&local, conn->server->uri);
		outcome = RLK_FAIL;
	}
	if (outcome == RLK_YES)
		return outcome;
	if (conn->owner_pid != rlk_os_process_id()) {
		rlk_lock_forget(lock); /* it is the parent's, whose replicas may have it */
		rlk_error_adopt(err, &local);
		return outcome;
	}
	/* WAIT may go on, for long after a fiber was stopped, and its connection is closed where another fiber has opened one. Then the
	 * server would drop a release behind it: it goes over a new one, within the connect timeout. */
	if (outcome == RLK_UNKNOWN && conn->hooks != NULL) {
		rlk_conn_close(conn);
		deadline = RLK_DEADLINE_NONE;
	}
	/* WAIT may go on for a moment. The release runs behind it, unless the server sees before that we have hung up: so whoever
	 * uses the connection next waits for that moment, too. */
	if (outcome == RLK_UNKNOWN && rlk_conn_is_awaited(conn) && deadline.at_ms != RLK_NEVER && !lock->token.from_caller)
		rlk_lock_post_release(lock, conn, false);
	else if (outcome == RLK_UNKNOWN)
		rlk_lock_send_last_release(lock, conn, deadline, lock->ttl_ms);
	else
		give_back(lock, conn, deadline);
	rlk_lock_forget(lock);
	rlk_error_adopt(err, &local);
	return outcome;
}

/* --- on several ------------------------------------------------------------------------------------ */

static rlk_vote read_set(void *arg, int server, const rlk_reply *reply)
{
	(void)server;
	return rlk_lock_read_try(arg, false, reply);
}

static rlk_outcome try_on_several(rlk_lock *lock, const rlk_servers *servers, int64_t ttl_ms, rlk_deadline deadline,
	rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	const rlk_str key = rlk_buf_str(&lock->keys.lock), token = rlk_buf_str(&lock->token.text),
				  ttl = rlk_resp_int(ttl_ms, number);
	const rlk_str set[] = { RLK_STR("SET"), key, token, RLK_STR("NX"), RLK_STR("PX"), ttl };
	const rlk_release release = { key, token, ttl_ms };
	rlk_operation op = { .request = { NULL, NULL, set, 0, 6 },
		.round = RLK_ROUND_ACQUIRE,
		.read = read_set,
		.arg = lock,
		.ttl_ms = ttl_ms,
		.release = &release };
	rlk_quorum *quorum = servers->quorum;
	rlk_outcome outcome = rlk_operation_run(lock, servers, &op, deadline, err);

	if (outcome == RLK_YES) {
		rlk_lock_take(lock, ttl_ms, quorum->asked_at_ms);
		lock->ledger.servers = rlk_votes_may_have(&quorum->votes);
	}
	return outcome == RLK_UNKNOWN ? RLK_FAIL : outcome; /* the releases were sent */
}

bool rlk_lock_handle_signals(const rlk_hooks *hooks, long pid, rlk_error *err)
{
	bool stop = hooks->interrupted(hooks->arg);

	if (rlk_os_process_id() != pid) {
		rlk_error_set(err, RLK_ERR_IO, 0, "the process was forked while it waited for the lock");
		return true;
	}
	if (stop)
		rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the wait was interrupted");
	return stop;
}

static rlk_outcome acquire_on_several(rlk_lock *lock, const rlk_servers *servers, const rlk_lock_terms *terms,
	rlk_error *err)
{
	const rlk_hooks *hooks = terms->hooks;
	long pid = rlk_os_process_id();
	rlk_outcome before = RLK_FAIL;
	rlk_error why_before;

	rlk_lock_forget(lock);
	for (int attempt = 1;; attempt++) {
		rlk_outcome outcome = RLK_FAIL;
		int64_t now_ms, until_ms;
		rlk_error local;
		bool over;

		rlk_error_clear(&local);
		if (rlk_lock_begin_attempt(lock, hooks, &local))
			outcome = try_on_several(lock, servers, terms->ttl_ms, rlk_deadline_for_one_more(terms->deadline), &local);
		now_ms = rlk_clock_now_ms();
		over = now_ms >= terms->deadline.at_ms;
		/* A try that was cut short says less than the one before. */
		if (attempt > 1 && outcome == RLK_FAIL && servers->quorum->votes.over) {
			rlk_error_adopt(err, &why_before);
			return before;
		}
		if (outcome == RLK_YES || (outcome == RLK_FAIL && !local.retryable) ||
			(terms->attempts > 0 ? attempt >= terms->attempts : over)) {
			rlk_error_adopt(err, &local);
			return outcome;
		}
		before = outcome;
		why_before = local;
		if (lock->waits_since_ms == 0)
			lock->waits_since_ms = now_ms;
		until_ms =
			now_ms + rlk_votes_pause_ms(rlk_clock_earlier(terms->retry_ms, INT32_MAX), rlk_random_spread(INT32_MAX));
		until_ms = rlk_clock_earlier(until_ms, terms->deadline.at_ms);
		while (rlk_socket_await(NULL, 0, until_ms, 0, hooks) == RLK_SOCKET_SIGNAL) {
			if (rlk_lock_handle_signals(hooks, pid, err))
				return RLK_FAIL;
		}
	}
}

/* --- on either ------------------------------------------------------------------------------------ */

/* A very short wait, or one that is over already, perhaps by starting a renewal child, has a moment for one try, less what
 * rlk_wait_reach() has used of it to open the connection. */
static rlk_deadline first_try_until(const rlk_conn *conn, rlk_deadline deadline)
{
	int64_t used_ms, ends_at_ms;

	if (deadline.at_ms == RLK_NEVER)
		return deadline;
	used_ms = conn->heard_at_ms > deadline.at_ms ? conn->heard_at_ms - deadline.at_ms : 0;
	ends_at_ms = rlk_clock_now_ms() + RLK_DEADLINE_MOMENT_MS - used_ms;
	return (rlk_deadline){ deadline.at_ms > ends_at_ms ? deadline.at_ms : ends_at_ms };
}

rlk_outcome rlk_lock_acquire(rlk_lock *lock, const rlk_servers *servers, const rlk_lock_terms *terms, rlk_error *err)
{
	rlk_conn *conn = servers->conn;
	rlk_deadline until;
	rlk_outcome outcome;
	rlk_error local;

	if (servers->quorum != NULL)
		return acquire_on_several(lock, servers, terms, err);
	if ((!rlk_kind_is_string(&lock->kind) && !rlk_lock_make_turnstile(lock, err)) ||
		!rlk_lock_begin_attempt(lock, terms->hooks, err))
		return RLK_FAIL;
	rlk_lock_forget(lock);
	lock->ttl_ms = terms->ttl_ms;
	until = first_try_until(conn, terms->deadline);
	rlk_error_clear(&local);
	outcome = terms->in_line ? RLK_NO : rlk_lock_try(lock, conn, terms, until, &local);
	if (terms->attempts == 0 && !rlk_deadline_is_over(terms->deadline) &&
		(outcome == RLK_NO || rlk_lock_may_heal(lock, conn, outcome, &local))) {
		lock->waits_since_ms = rlk_clock_now_ms();
		outcome = rlk_wait(lock, conn, terms, err);
	} else {
		rlk_error_adopt(err, &local);
	}
	while (outcome == RLK_YES && terms->replicas != NULL && terms->replicas->min > 0) {
		/* Within the deadline, too: acquired at the last moment, there is one more, unless the lock had that already. */
		rlk_deadline one_more = rlk_deadline_for_one_more(terms->deadline);

		outcome = replicate(lock, conn, terms->replicas, one_more.at_ms > until.at_ms ? one_more : until, err);
		if (outcome != RLK_NO || terms->attempts > 0 || rlk_deadline_is_over(terms->deadline))
			break;
		outcome = rlk_lock_begin_attempt(lock, terms->hooks, err) ? rlk_wait(lock, conn, terms, err) : RLK_FAIL;
	}
	return outcome;
}
