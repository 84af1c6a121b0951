/*
 * rlk_extend: extends a lock that is ours, and confirms that it is.
 */
#include "lock/rlk_lock_own.h"

#include "net/rlk_resp.h"

/* An extension that got no answer may still arrive, from a proxy, when a later one has been answered. If it shortened what that
 * one gave, we would rely on a lock that others may have by then. So whatever may arrive late compares times first (lengthen.lua, renew.lua), and
 * never shortens: the extension after a wait, the renewals of the child, and keepAlive(), which the caller may repeat.
 *
 * keepAlive() is also the newest word of the caller, who wants exactly this ttl. Where the key has more, as the answer says or we
 * know, extend.lua sets the ttl without comparing. That one may arrive late, too, and the renewal child asks over connections of its
 * own, so no order is to be relied upon. Of several servers all to whom it was sent are awaited. If one of them, or the one server,
 * does not answer it each time, least_ttl_ms has its ttl, and nothing later is relied upon for longer: rule 3 of the model. */

/* Waiters learn of an end that is further away by their checks. Also in extend.lua and set_extend.lua. */
#define BEFORE_CHECK_MS 1100

/* Sets this ttl where the key has the token. *exactly: without comparing first; on return: was that done in the end? Nobody reads
 * a late answer: make_ready() (rlk_exchange.c) closes its connection. What it may say is in the ledger by then. */
static rlk_outcome ask_to_extend(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, int64_t ttl_ms,
	bool *exactly, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str keys[3];
	const rlk_str args[2] = { rlk_buf_str(&lock->token.text), rlk_resp_int(ttl_ms, number) };
	size_t key_count = rlk_lock_keys_to_wake(lock, keys);

	for (;;) {
		bool compares = !*exactly, has_more = false;
		rlk_operation op = { .request = { compares ? &rlk_script_lengthen : &rlk_script_extend, keys, args,
								 compares || ttl_ms == 0 || ttl_ms >= BEFORE_CHECK_MS ? 1 : key_count, 2 },
			.round = compares ? RLK_ROUND_OWNED : RLK_ROUND_SHORTEN,
			.read = rlk_read_done,
			.arg = &has_more,
			.may_repeat = true,
			.servers = lock->ledger.servers,
			.ttl_ms = ttl_ms };
		rlk_outcome outcome = rlk_operation_run(lock, servers, &op, deadline, err);

		if (*exactly && op.unanswered)
			rlk_ledger_note_shorter(&lock->ledger, ttl_ms);
		if (outcome != RLK_YES || !compares || !has_more)
			return outcome;
		*exactly = true;
		if (servers->quorum == NULL)
			deadline = rlk_conn_answers_until(servers->conn, deadline);
	}
}

rlk_outcome rlk_lock_extend(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, int64_t ttl_ms,
	const rlk_replicas *replicas, rlk_error *err)
{
	/* Could it shorten what the key has? For a restored lock, whose TTL is not known, it could. */
	bool exactly = ttl_ms == 0 || !lock->ttl_known || lock->ttl_ms == 0 || ttl_ms < lock->ttl_ms;
	int64_t began_at_ms = rlk_clock_now_ms();
	rlk_outcome outcome = ask_to_extend(lock, servers, deadline, ttl_ms, &exactly, err);
	int64_t asked_at_ms = rlk_lock_asked_at_ms(servers), lasts_ms, valid_until_ms;

	lasts_ms = rlk_validity_ms(rlk_ledger_least_ttl_ms(&lock->ledger, ttl_ms));
	valid_until_ms = rlk_clock_add(asked_at_ms, lasts_ms);
	if (outcome == RLK_YES) {
		lock->held = true;
		lock->ttl_ms = ttl_ms;
		lock->ttl_known = true;
		lock->extension.due_at_ms = 0;
		/* Without enough replicas a master that takes over may have the earlier expiry. Other fibers look meanwhile. */
		lock->valid_until_ms = rlk_clock_earlier(lock->valid_until_ms, valid_until_ms);
		outcome = rlk_replicas_await(replicas, servers->conn, deadline, err);
		if (outcome == RLK_YES)
			lock->valid_until_ms = valid_until_ms;
	} else if (outcome == RLK_NO) {
		rlk_lock_release_leftovers_and_forget(lock, servers);
	} else if (outcome == RLK_UNKNOWN && exactly) {
		/* The request may have shortened the TTL, by the first of two requests even, or do so later: the shorter of the two counts. */
		lock->valid_until_ms = rlk_clock_earlier(lock->valid_until_ms, rlk_clock_add(began_at_ms, lasts_ms));
	}
	return outcome;
}

/* The reply to rlk_lock_extend_unread(). Without one only the provisional ttl is certain. */
static void extension_answered(void *arg, const rlk_reply *reply)
{
	rlk_lock *lock = arg;

	lock->extension.conn = NULL;
	if (reply == NULL || !rlk_reply_is_within(reply, 0, RLK_SCRIPT_RENEW_HAS_MORE) || lock->valid_until_ms == 0)
		return;
	lock->extension.due_at_ms = 0;
	if (reply->integer != RLK_SCRIPT_EXTEND_NOT_OURS)
		lock->valid_until_ms = rlk_clock_add(lock->extension.sent_at_ms,
			rlk_validity_ms(rlk_ledger_least_ttl_ms(&lock->ledger, lock->ttl_ms)));
	else
		lock->valid_until_ms = 0;
}

bool rlk_lock_extend_unread(rlk_lock *lock, rlk_conn *conn, bool hurry)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str key = rlk_buf_str(&lock->keys.lock),
			args[2] = { rlk_buf_str(&lock->token.text), rlk_resp_int(lock->ttl_ms, number) };
	rlk_request request = { &rlk_script_lengthen, &key, args, 1, 2 };
	const rlk_conn_listener listener = { extension_answered, lock };
	rlk_kind_words words;

	lock->extension.sent_at_ms = rlk_clock_now_ms();
	/* By text: with an unknown digest the ttl would not be extended. It may arrive late, so it never shortens. */
	if (!rlk_request_append(rlk_kind_say(&lock->kind, &request, &words), conn, true, NULL))
		return false;
	lock->extension.conn = conn;
	/* What is not sent at once is sent with the next request. */
	if (hurry)
		rlk_conn_flush(conn, RLK_DEADLINE_NOW, NULL);
	else
		rlk_conn_flush_corked(conn);
	rlk_conn_leave_unread(conn, listener, false);
	return conn->fd != RLK_SOCKET_NONE;
}

/* *arg: the least time left of those found; RLK_NEVER: no expiry. */
static rlk_vote read_owned(void *arg, int server, const rlk_reply *reply)
{
	int64_t *left_ms = arg;

	(void)server;
	if (!rlk_reply_is_within(reply, RLK_SCRIPT_OWNED_NOT_OURS, RLK_NEVER - 1))
		return RLK_VOTE_NONE;
	if (reply->integer == RLK_SCRIPT_OWNED_NOT_OURS)
		return RLK_VOTE_NO;
	if (reply->integer != RLK_SCRIPT_OWNED_NO_EXPIRY)
		*left_ms = rlk_clock_earlier(*left_ms, reply->integer);
	return RLK_VOTE_YES;
}

rlk_outcome rlk_lock_confirm(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	const rlk_replicas *replicas, rlk_error *err)
{
	const rlk_str key = rlk_buf_str(&lock->keys.lock), token = rlk_buf_str(&lock->token.text);
	int64_t left_ms = RLK_NEVER, least_until_ms, most_until_ms;
	rlk_operation op = { .request = { &rlk_script_owned, &key, &token, 1, 1 },
		.round = RLK_ROUND_OWNED,
		.read = read_owned,
		.arg = &left_ms,
		.may_repeat = true,
		.servers = lock->ledger.servers };
	rlk_outcome outcome;
	bool longer;

	outcome = rlk_operation_run(lock, servers, &op, deadline, err);
	if (outcome == RLK_NO)
		rlk_lock_release_leftovers_and_forget(lock, servers);
	if (outcome != RLK_YES)
		return outcome;
	if (lock->ledger.least_ttl_ms > 0)
		left_ms = rlk_clock_earlier(left_ms, lock->ledger.least_ttl_ms);
	most_until_ms = rlk_clock_add(rlk_clock_now_ms(), left_ms);
	if (left_ms > 0 && left_ms != RLK_NEVER)
		left_ms = rlk_validity_ms(left_ms);
	least_until_ms = rlk_clock_add(rlk_lock_asked_at_ms(servers), left_ms);
	/* Counted from the request and from the reply. A validity between the two is kept: it is more precise. Replicas may not have
	 * what is longer. */
	longer = !lock->held || least_until_ms > lock->valid_until_ms;
	longer = longer && rlk_replicas_await(replicas, servers->conn, deadline, NULL) == RLK_YES;
	if (longer || most_until_ms < lock->valid_until_ms)
		lock->valid_until_ms = least_until_ms;
	lock->held = true;
	return RLK_YES;
}
