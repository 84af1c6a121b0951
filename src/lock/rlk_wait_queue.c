/*
 * rlk_wait_queue: waiting where the server blocks: join the queue, block, and acquire. Rule numbers are those of
 * docs/internals/model.
 */
#include "lock/rlk_wait.h"

#include "net/rlk_resp.h"
#include "redis/rlk_topology.h"

#include <stdio.h>

_Static_assert(RLK_WAIT_LONGEST_MS + 1000 == RLK_SCRIPT_WAITERS_MAX_MS, "release.lua relies on it");

/* Redis 6 rounds 0.001 s to 0, which means for ever. */
#define BLOCK_LEAST_MS 2

/* A server or proxy that does not know a command closes the connection at once, each time. Operators close it at any time. */
#define AT_ONCE_MS 100
#define AT_ONCE_TIMES 2

/* The reply to BLPOP comes so much later than asked for, and a margin. */
#define ANSWERED_LATE_MS (RLK_WAIT_TICK_MS + 20)

/* Of poll_and_check(). */
#define FOUND 2

/* How a wait for a reply ended. */
typedef enum { ANSWERED, LIMIT, SILENT, INTERRUPTED, BROKEN } answer;

bool rlk_waiter_handle_signals(rlk_waiter *w, rlk_error *err)
{
	rlk_conn moved = rlk_conn_move_out(w->conn);
	rlk_topology *topology = w->conn->topology;
	rlk_topology_user user;
	bool stop;

	rlk_topology_add_user(topology, &moved, &user);
	stop = rlk_lock_handle_signals(w->terms->hooks, w->owner_pid, err);
	rlk_topology_remove_user(topology, &user);
	rlk_conn_move_back(w->conn, &moved);
	if (rlk_os_process_id() != w->owner_pid)
		rlk_conn_close(w->conn); /* the connection is the parent's, and so is the token */
	return stop;
}

/* Waits for bytes on the connection, and checks the lock when that is due. Returns 1, 0, -1 or RLK_SOCKET_SIGNAL as
 * rlk_socket_poll(); FOUND: a check has found what ends the wait. */
static int poll_and_check(rlk_waiter *w, int64_t until_ms, int first_ms)
{
	for (;;) {
		int64_t wake_at_ms = rlk_clock_earlier(until_ms, w->check.at_ms);
		rlk_socket_watched watched[2] = { { w->conn->fd, RLK_SOCKET_READABLE, false },
			rlk_wait_check_watched(&w->check) };
		int ready = rlk_socket_await(watched, 2, wake_at_ms, first_ms, w->terms->hooks);

		if (ready > 0 && watched[0].ready)
			return 1;
		if (ready < 0 || (ready == 0 && wake_at_ms == until_ms))
			return ready;
		rlk_wait_check_advance(&w->check, w->lock, w->conn);
		if (w->check.found != RLK_WAIT_FINDS_NOTHING)
			return FOUND;
	}
}

/* Waits for the next reply; one that is there counts at the deadline, too. LIMIT: the deadline of the wait; SILENT: the time
 * limit of the server. first_ms: see rlk_socket_await(). */
static answer await_reply(rlk_waiter *w, int64_t late_at_ms, int first_ms, const rlk_reply **reply)
{
	int64_t until_ms = rlk_clock_earlier(late_at_ms, w->terms->deadline.at_ms);

	for (;;) {
		int ready;

		*reply = rlk_conn_try_read(w->conn, &w->err);
		if (*reply != NULL)
			return ANSWERED;
		if (w->conn->fd == RLK_SOCKET_NONE)
			return BROKEN;
		ready = poll_and_check(w, until_ms, first_ms);
		if (ready == RLK_SOCKET_SIGNAL && rlk_waiter_handle_signals(w, &w->err))
			return INTERRUPTED;
		if (ready == FOUND && w->check.found == RLK_WAIT_FINDS_SILENCE)
			return SILENT;
		if (ready == FOUND) {
			rlk_conn_close(w->conn);
			return BROKEN;
		}
		if (ready == 0)
			return until_ms == late_at_ms ? SILENT : LIMIT;
	}
}

static void report(rlk_waiter *w, rlk_error_code code, const char *text)
{
	rlk_error_set(&w->err, code, 0, "%s", text); /* unless the cause is known */
	rlk_error_set_node(&w->err, w->conn->server->uri);
}

static void report_reply(rlk_waiter *w, const rlk_reply *reply)
{
	rlk_reply_to_error(reply, &w->err);
	rlk_error_set_node(&w->err, w->conn->server->uri);
}

/* No answer to the request, so what comes next is unknown. What it may have acquired is released behind it. */
static rlk_waiter_state misfit(rlk_waiter *w)
{
	rlk_reply_misfit(&w->err);
	rlk_error_set_node(&w->err, w->conn->server->uri);
	return rlk_waiter_leave(w, RLK_UNKNOWN, RLK_OWES_LAST_RELEASE);
}

/* The server does not block for us: polls for RLK_WAIT_REFUSED_MS. */
static rlk_waiter_state refused_to_block(rlk_waiter *w)
{
	w->polls_until_ms = rlk_clock_now_ms() + RLK_WAIT_REFUSED_MS;
	return RLK_WAITER_POLLING;
}

/* The connection broke, or was closed for what a check has found. The lock may be ours all the same, for the provisional
 * ttl: releases it. A server that has not noticed may even set the key later, when it wakes whoever waits there, so the token
 * is not used again. Whoever does so at once, again and again, does not block for us. */
static rlk_waiter_state recover_from_break(rlk_waiter *w)
{
	bool by_peer = w->check.found == RLK_WAIT_FINDS_NOTHING;
	rlk_waiter_state next = RLK_WAITER_JOINING;

	w->check.found = RLK_WAIT_FINDS_NOTHING;
	if (w->lock->token.from_caller) {
		rlk_ledger_spend(&w->lock->ledger, w->provisional_ms);
		report(w, RLK_ERR_IO, "the connection broke while waiting");
		return rlk_waiter_leave(w, RLK_UNKNOWN, RLK_OWES_NOTHING);
	}
	rlk_error_clear(&w->err);
	if (w->conn->topology != NULL) {
		/* More likely the server died, and another one takes its place: see withdraw(). */
		w->lock->ledger.set = true;
		rlk_error_set(&w->err, RLK_ERR_IO, 0, "the connection broke while waiting");
		return rlk_waiter_fail(w, RLK_UNKNOWN);
	}
	if (!by_peer || rlk_clock_now_ms() - w->conn->sent_at_ms >= AT_ONCE_MS)
		w->closed_at_once = 0;
	else if (++w->closed_at_once >= AT_ONCE_TIMES)
		next = refused_to_block(w);
	if (!rlk_conn_connect(w->conn, false, w->terms->deadline, &w->err))
		return rlk_waiter_leave(w, RLK_FAIL, RLK_OWES_NOTHING);
	rlk_lock_post_release(w->lock, w->conn, false);
	return rlk_waiter_start_afresh(w, next);
}

/* No reply came to a request that may have acquired the lock: what then goes behind it is up to leave_wait() (rlk_wait.c). */
static rlk_waiter_state handle_no_reply(rlk_waiter *w, answer why)
{
	switch (why) {
		case LIMIT:
			return rlk_waiter_leave_with_no(w, RLK_OWES_RELEASE);
		case INTERRUPTED:
			return rlk_waiter_leave(w, RLK_FAIL, RLK_OWES_RELEASE);
		case SILENT:
			report(w, RLK_ERR_TIMEOUT, "the server did not answer in time");
			return rlk_waiter_leave(w, RLK_UNKNOWN, RLK_OWES_LAST_RELEASE);
		default:
			return recover_from_break(w);
	}
}

/* Sends what is queued. false: it could not be sent, and *next says what follows. */
static bool send_all(rlk_waiter *w, rlk_waiter_state *next)
{
	rlk_conn *conn = w->conn;
	rlk_outcome outcome;

	conn->sent_at_ms = rlk_clock_now_ms();
	outcome = rlk_conn_flush(conn, rlk_conn_answers_until(conn, w->terms->deadline), &w->err);
	if (outcome == RLK_YES)
		return true;
	rlk_error_set_node(&w->err, conn->server->uri);
	if (conn->topology == NULL || conn->fd != RLK_SOCKET_NONE) {
		*next = rlk_waiter_leave(w, outcome, RLK_OWES_LAST_RELEASE);
	} else {
		rlk_lock_send_last_release(w->lock, conn, w->terms->deadline, w->provisional_ms);
		*next = rlk_waiter_fail(w, outcome);
	}
	return false;
}

/* Does this error mean only that another server, or this one a moment later, would have answered? */
static bool is_for_another(const rlk_waiter *w, const rlk_reply *reply)
{
	static const char *const codes[] = { "MOVED", "READONLY", "UNBLOCKED", "CLUSTERDOWN", "LOADING", "MASTERDOWN" };

	for (size_t i = 0; w->conn->topology != NULL && i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (rlk_reply_is_error(reply, codes[i]))
			return true;
	}
	return false;
}

/* One script call, by digest and, if need be, by text. NULL: no reply, and *next says what follows. */
static const rlk_reply *call_join(rlk_waiter *w, const rlk_str *args, size_t arg_count, rlk_waiter_state *next)
{
	const rlk_lock *lock = w->lock;
	rlk_str keys[RLK_TRY_KEYS_MAX + 1];
	size_t key_count = rlk_lock_keys_to_line_up(lock, keys);
	rlk_request request = { &rlk_script_join, keys, args, key_count + w->terms->fence, arg_count };
	rlk_kind_words words;
	int redirections = 0;
	rlk_deadline until =
		rlk_deadline_within(w->terms->deadline, rlk_clock_now_ms() + w->conn->server->connect_timeout_ms);
	const rlk_reply *reply;
	answer a;

	keys[key_count] = rlk_buf_str(&lock->keys.fence);
	for (bool by_text = false;; by_text = true) {
		if (!rlk_conn_connect(w->conn, false, w->terms->deadline, &w->err) ||
			!rlk_request_append(rlk_kind_say(&lock->kind, &request, &words), w->conn, by_text, &w->err)) {
			*next = rlk_waiter_fail(w, RLK_FAIL);
			return NULL;
		}
		rlk_wait_check_follow(&w->check, w->conn);
		if (!send_all(w, next))
			return NULL;
		a = await_reply(w, rlk_conn_answers_until(w->conn, RLK_DEADLINE_NONE).at_ms, RLK_SOCKET_BLOCKS_MS, &reply);
		if (a != ANSWERED) {
			*next = handle_no_reply(w, a);
			return NULL;
		}
		if (!by_text && rlk_reply_is_error(reply, "NOSCRIPT"))
			continue;
		/* While the keys are being moved, a script with two of them fails on the other node as well. */
		if (rlk_reply_is_error(reply, "ASK") || !rlk_topology_follow(w->conn, reply, redirections++, until))
			return reply;
	}
}

/* What join.lua answers about a lock that is not ours. */
typedef struct {
	int64_t pttl_ms;
	bool turnstile;         /* to be acquired first */
	bool wakes;             /* its holder wakes somebody */
	int64_t first_check_ms; /* until then; 0: no check is needed */
} joined;

static bool fits_join(const rlk_waiter *w, const rlk_reply *reply)
{
	return reply->type == RLK_REPLY_ARRAY && reply->count == RLK_SCRIPT_JOIN_FIELDS &&
		rlk_lock_read_try_script(w->terms->fence, &reply->items[RLK_SCRIPT_JOIN_GOT]) != RLK_VOTE_NONE &&
		rlk_reply_is_within(&reply->items[RLK_SCRIPT_JOIN_PTTL], -2, RLK_NEVER - 1) &&
		rlk_reply_is_within(&reply->items[RLK_SCRIPT_JOIN_WAKES], 0, 2) &&
		rlk_reply_is_within(&reply->items[RLK_SCRIPT_JOIN_PAUSE], 0, INT32_MAX);
}

/* Does the error say that the server does not know the command, or wants whole seconds (before Redis 6), or that this user may
 * not use it? Others may be over in a moment: BUSY, LOADING, UNBLOCKED, ASK. */
static bool refuses_command(const rlk_reply *reply)
{
	return rlk_reply_is_error(reply, "ERR") || rlk_reply_is_error(reply, "NOPERM");
}

/* An error in place of an answer. */
static rlk_waiter_state join_failed(rlk_waiter *w, const rlk_reply *reply)
{
	if (is_for_another(w, reply)) {
		report_reply(w, reply);
		w->err.retryable = true;
		return rlk_waiter_fail(w, RLK_FAIL);
	}
	if (rlk_reply_is_error(reply, "NOLOCK") || rlk_reply_refuses_scripts(reply)) {
		if (rlk_reply_is_error(reply, "NOLOCK"))
			rlk_lock_explain_no_lock(w->lock, w->conn, w->terms->deadline, &w->err);
		else
			report_reply(w, reply);
		return rlk_waiter_leave(w, RLK_FAIL, RLK_OWES_NOTHING);
	}
	/* Trouble that lasts shows in the answer to the next SET. */
	if (refuses_command(reply))
		refused_to_block(w);
	return RLK_WAITER_POLLING;
}

/* Tries once more, and else sets the waiters key (rules 3, 10). true: in the queue, as *found says. */
static bool line_up(rlk_waiter *w, joined *found, rlk_waiter_state *next)
{
	rlk_lock *lock = w->lock;
	int64_t left_ms = rlk_deadline_left_ms(w->terms->deadline);
	int64_t waiters_ms = rlk_clock_earlier(left_ms, RLK_WAIT_LONGEST_MS) + 1000;
	char provisional[RLK_RESP_INT_MAX], waiters[RLK_RESP_INT_MAX], left[RLK_RESP_INT_MAX];
	rlk_str args[5] = { rlk_buf_str(&lock->token.text), rlk_resp_int(w->provisional_ms, provisional),
		rlk_lock_turn(lock), rlk_resp_int(waiters_ms, waiters), rlk_resp_int(left_ms, left) };
	const rlk_reply *reply = call_join(w, args, 5, next);
	int64_t got;

	if (reply == NULL)
		return false;
	if (reply->type == RLK_REPLY_ERROR || !fits_join(w, reply)) {
		*next = reply->type == RLK_REPLY_ERROR ? join_failed(w, reply) : misfit(w);
		return false;
	}
	*found = (joined){ reply->items[RLK_SCRIPT_JOIN_PTTL].integer, reply->items[RLK_SCRIPT_JOIN_WAKES].integer == 2,
		reply->items[RLK_SCRIPT_JOIN_WAKES].integer == 1, reply->items[RLK_SCRIPT_JOIN_PAUSE].integer };
	got = reply->items[RLK_SCRIPT_JOIN_GOT].integer;
	if (got == 0 && found->turnstile) {
		*next = RLK_WAITER_TURNSTILE;
		return false;
	}
	if (got == 0)
		return true;
	rlk_lock_note_passed(lock);
	rlk_lock_take(lock, w->provisional_ms, w->conn->sent_at_ms);
	lock->fence = w->terms->fence ? got : 0;
	*next = RLK_WAITER_SECURING;
	return false;
}

/* How long to block: as long as possible if the waiter can check the lock, else until the lock expires, or for a slice.
 * Slices differ at random, but never end after the expiry. */
static int64_t block_ms(const rlk_waiter *w, const joined *found)
{
	bool checks = found->wakes && w->check.failures == 0;
	/* A waiter keeps the turnstile by checks, or by joining again. */
	int64_t slice_ms = rlk_lock_turn(w->lock).len > 0 ? RLK_WAIT_PROVISIONAL_MS / 2 : RLK_WAIT_SLICE_MS;
	int64_t longest_ms = checks ? RLK_WAIT_LONGEST_MS : slice_ms;
	int64_t left_ms = rlk_deadline_left_ms(w->terms->deadline);

	if (!found->wakes)
		longest_ms = rlk_clock_earlier(longest_ms, w->terms->retry_ms);
	if (!checks)
		longest_ms += rlk_random_spread((uint32_t)(longest_ms / 20 + 1));
	if (!checks && found->pttl_ms >= 0)
		longest_ms = rlk_clock_earlier(longest_ms, rlk_clock_add(found->pttl_ms, 1)); /* PTTL is rounded */
	/* A token that is kept would be spent if the limit came before the answer. */
	longest_ms = rlk_clock_earlier(longest_ms, w->lock->token.from_caller ? left_ms - ANSWERED_LATE_MS : left_ms);
	return longest_ms > BLOCK_LEAST_MS ? longest_ms : BLOCK_LEAST_MS;
}

/* Sends BLPOP and SET, or the fencing script, in one write. */
static rlk_waiter_state write_pair(rlk_waiter *w, int64_t longest_ms)
{
	rlk_lock *lock = w->lock;
	rlk_conn *conn = w->conn;
	const rlk_hooks *hooks = w->terms->hooks;
	char seconds[RLK_RESP_INT_MAX + 4];
	int len = snprintf(seconds, sizeof(seconds), "%d.%03d", (int)(longest_ms / 1000), (int)(longest_ms % 1000));
	rlk_str block[] = { RLK_STR("BLPOP"), rlk_buf_str(&lock->keys.signal), rlk_str_make(seconds, (size_t)len) };
	rlk_try_words words;
	bool ok = rlk_conn_connect(conn, false, w->terms->deadline, &w->err) && rlk_conn_append(conn, block, 3, &w->err),
		 takes;
	rlk_waiter_state next;

	if (ok)
		rlk_conn_enable_keepalive(conn);
	/* By text: after an unknown digest the waiter would have to queue again. The long one only once over a connection. */
	rlk_lock_say_try(lock, w->terms->fence, w->provisional_ms, true, &words);
	takes = words.request.script == &rlk_script_set_take;
	ok = ok && rlk_request_append(&words.request, conn, !takes || !conn->known.take_sent, &w->err);
	conn->known.take_sent = conn->known.take_sent || takes;
	if (!ok) {
		rlk_conn_close(conn);
		return rlk_waiter_fail(w, RLK_FAIL);
	}
	if (hooks != NULL && hooks->provisional != NULL && !lock->is_turnstile)
		hooks->provisional(hooks->arg, rlk_clock_now_ms() + w->provisional_ms / 2);
	return send_all(w, &next) ? RLK_WAITER_BLOCKED : next;
}

rlk_waiter_state rlk_waiter_join(rlk_waiter *w)
{
	joined found;
	int64_t longest_ms;
	rlk_waiter_state next;

	if (!line_up(w, &found, &next))
		return next;
	if ((!found.wakes && w->terms->retry_ms < RLK_WAIT_TICK_MS) ||
		(w->lock->token.from_caller && rlk_deadline_left_ms(w->terms->deadline) < 2 * ANSWERED_LATE_MS))
		return RLK_WAITER_POLLING;
	longest_ms = block_ms(w, &found);
	next = write_pair(w, longest_ms);
	if (next == RLK_WAITER_BLOCKED) {
		w->late_at_ms = rlk_clock_add(w->conn->sent_at_ms, longest_ms + w->conn->server->io_timeout_ms);
		rlk_wait_check_begin(&w->check, w->conn, found.first_check_ms, w->conn->sent_at_ms + longest_ms);
	}
	return next;
}

rlk_waiter_state rlk_waiter_block(rlk_waiter *w)
{
	const rlk_reply *reply;
	answer a = await_reply(w, w->late_at_ms, 0, &reply);

	if (a != ANSWERED)
		return handle_no_reply(w, a);
	if (reply->type != RLK_REPLY_NIL && reply->type != RLK_REPLY_ERROR &&
		(reply->type != RLK_REPLY_ARRAY || reply->count != 2))
		return misfit(w);
	w->woken = w->woken || reply->type == RLK_REPLY_ARRAY;
	w->after_no = RLK_WAITER_JOINING;
	if (reply->type != RLK_REPLY_ERROR)
		w->closed_at_once = 0;
	else if (!is_for_another(w, reply)) {
		/* No wait took place. */
		w->conn->known.refuses_blocking = refuses_command(reply);
		w->after_no = RLK_WAITER_POLLING;
		if (w->conn->known.refuses_blocking)
			refused_to_block(w);
	}
	return RLK_WAITER_WOKEN;
}

/* Ours for the provisional ttl, from when the pair was written (rule 1). */
rlk_waiter_state rlk_waiter_take(rlk_waiter *w)
{
	const rlk_reply *reply;
	answer a = await_reply(w, w->late_at_ms, RLK_SOCKET_BLOCKS_MS, &reply);
	bool elsewhere;
	rlk_vote vote;

	if (a != ANSWERED)
		return handle_no_reply(w, a);
	vote = reply->type != RLK_REPLY_ERROR ? rlk_lock_read_try(w->lock, w->terms->fence, reply) : RLK_VOTE_REFUSED;
	if (vote == RLK_VOTE_NONE)
		return misfit(w);
	if (vote == RLK_VOTE_NO)
		return w->after_no;
	if (vote == RLK_VOTE_YES) {
		rlk_lock_take(w->lock, w->provisional_ms, w->conn->sent_at_ms);
		w->lock->fence = w->terms->fence ? reply->integer : 0;
		rlk_lock_note_passed(w->lock);
		return RLK_WAITER_SECURING;
	}
	if (rlk_reply_is_error(reply, "NOSCRIPT")) {
		w->conn->known.take_sent = false;
		return w->after_no;
	}
	/* The key has moved. With no time left to try there, the lock was just not acquired in time, which is no error. */
	elsewhere = rlk_reply_is_error(reply, "ASK") || rlk_reply_is_error(reply, "MOVED");
	if (rlk_topology_follow(w->conn, reply, 0, elsewhere ? RLK_DEADLINE_NONE : w->terms->deadline))
		return w->after_no;
	report_reply(w, reply);
	return rlk_waiter_fail(w, RLK_FAIL);
}
