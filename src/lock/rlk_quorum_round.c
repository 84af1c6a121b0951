/*
 * rlk_quorum_round: one round, a request to the servers of a quorum and a poll() loop until its result is certain.
 */
#include "lock/rlk_quorum.h"

#include "net/rlk_socket.h"

_Static_assert(RLK_QUORUM_MAX <= RLK_SOCKET_WATCHED_MAX && RLK_QUORUM_MAX <= 32, "a bit and a descriptor each");

/* A round under way. */
typedef struct {
	rlk_quorum *quorum;
	rlk_operation *op;
	rlk_deadline deadline;
	rlk_exchange exchange[RLK_QUORUM_MAX]; /* one with each server */
} rlk_round_state;

/* --- what a server is owed ------------------------------------------------------------------------- */

static bool is_sent(const rlk_round_state *r, int i)
{
	return (r->quorum->votes.sent & RLK_SERVER_BIT(i)) != 0;
}

/* Is the server to be asked? A server that never had the key is not. */
static bool has_to_do(const rlk_operation *op, int i)
{
	return op->servers == 0 || (op->servers & RLK_SERVER_BIT(i)) != 0;
}

/* The server has not answered. An acquisition that was sent needs a release; a release is kept until it is answered. */
static void owe_release(rlk_round_state *r, int i)
{
	rlk_member *member = &r->quorum->member[i];
	bool released = r->op->round == RLK_ROUND_OWNED;

	if (r->op->release != NULL && has_to_do(r->op, i) && (released || is_sent(r, i)))
		rlk_doubts_unanswered(&member->doubts, r->op->release,
			released && is_sent(r, i) && member->state == RLK_MEMBER_READY ? &member->conn : NULL);
}

/* What comes next over this connection says nothing any more. */
static void give_up(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
	owe_release(r, i);
	rlk_member_give_up(&r->quorum->member[i], now_ms);
}

/* --- send ------------------------------------------------------------------------------------------ */

static void ask(rlk_round_state *r, int i, int64_t now_ms);

/* Once a round, a connection that had worked is opened again and the request repeated: all servers may have been restarted
 * since the last round. An acquisition is not repeated if part of its reply has come: that server was alive. */
static void connection_broke(rlk_round_state *r, int i, const rlk_error *why, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_exchange *exchange = &r->exchange[i];
	bool awaited = r->quorum->votes.cast[i] == RLK_VOTE_AWAITED, acquires = r->op->round == RLK_ROUND_ACQUIRE;
	bool answers = awaited && acquires && member->conn.usage == RLK_CONN_ANSWERED;

	if (why != NULL && why->code != RLK_ERR_NONE)
		member->error = *why;
	else
		rlk_member_set_error(member, RLK_ERR_IO, "the server closed the connection");
	if (member->conn.usage == RLK_CONN_UNUSED || answers || exchange->breaks > 0) {
		rlk_member_back_off(member, now_ms);
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
		return;
	}
	exchange->breaks++;
	exchange->repeated = exchange->repeated || (!member->conn.undelivered && is_sent(r, i));
	rlk_member_reconnect(member, now_ms);
	if (awaited)
		ask(r, i, now_ms);
}

/* To a READY server. The time limit is that of one request and its answer: it starts anew with each. */
static void send_request(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	const rlk_exchange *exchange = &r->exchange[i];
	rlk_outcome outcome;
	rlk_error err;

	/* The connection may have broken at once, while the pending releases were sent. */
	if (member->conn.fd == RLK_SOCKET_NONE) {
		connection_broke(r, i, NULL, now_ms);
		return;
	}
	rlk_error_clear(&member->error);
	if (!rlk_request_append(exchange->request, &member->conn, exchange->by_text, &member->error)) {
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_REFUSED);
		return;
	}
	rlk_error_clear(&err);
	member->conn.sent_at_ms = now_ms;
	/* What does not leave at once leaves with the next event. */
	outcome = rlk_conn_flush(&member->conn, RLK_DEADLINE_NOW, &err);
	if (outcome != RLK_FAIL || member->conn.fd != RLK_SOCKET_NONE)
		rlk_votes_sent(&r->quorum->votes, i, now_ms + member->conn.server->io_timeout_ms);
	if (member->conn.fd == RLK_SOCKET_NONE)
		connection_broke(r, i, &err, now_ms);
}

/* Sends the request to the server now, or later if the server still connects. */
static void go_on(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];

	if (member->state == RLK_MEMBER_CLOSED)
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
	else if (member->state == RLK_MEMBER_READY && r->quorum->votes.cast[i] == RLK_VOTE_AWAITED)
		send_request(r, i, now_ms);
}

static void ask(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_votes_ask(&r->quorum->votes, i, rlk_member_connects_until_ms(&r->quorum->member[i]));
	go_on(r, i, now_ms);
}

static bool connects_too_long(const rlk_member *member, int64_t now_ms)
{
	return rlk_member_is_connecting(member) && now_ms >= rlk_member_connects_until_ms(member);
}

static bool is_usable(const rlk_round_state *r, const rlk_member *member, int64_t now_ms)
{
	if (member->state == RLK_MEMBER_READY)
		return r->op->round != RLK_ROUND_ACQUIRE || !rlk_member_is_lagging(member, now_ms);
	return rlk_member_is_connecting(member) && member->backoff_ms == 0 && !connects_too_long(member, now_ms);
}

/* --- poll ------------------------------------------------------------------------------------------ */

/* A reply in this round. false: another request must be sent. */
static bool take_reply(rlk_round_state *r, int i, const rlk_reply *reply, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_vote vote = RLK_VOTE_REFUSED;
	rlk_exchange_step step;

	rlk_error_clear(&member->error);
	step = rlk_exchange_take(&r->exchange[i], &member->conn, r->deadline, reply, &member->error);
	if (step == RLK_EXCHANGE_AGAIN)
		return false;
	if (step == RLK_EXCHANGE_ANSWERED)
		vote = r->op->read(r->op->arg, i, reply);
	if (vote == RLK_VOTE_NO && r->op->repeated_no_is_yes && r->exchange[i].repeated)
		vote = RLK_VOTE_YES;
	if (vote == RLK_VOTE_NONE) {
		rlk_reply_misfit(&member->error);
		member->error.retryable = true;
		give_up(r, i, now_ms);
		return true;
	}
	/* The SET before the break may have been executed, which this no may be due to. */
	if (r->op->round == RLK_ROUND_ACQUIRE && r->exchange[i].repeated && vote != RLK_VOTE_YES)
		vote = RLK_VOTE_SILENT;
	rlk_votes_answer(&r->quorum->votes, i, vote);
	return true;
}

/* rlk_conn_try_read() returns the replies of this round. The late ones before them go to outstanding_answered(). */
static void read_replies(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_error err;

	rlk_error_clear(&err);
	if (member->conn.out.len > 0)
		rlk_conn_flush(&member->conn, RLK_DEADLINE_NOW, &err);
	if (member->conn.fd == RLK_SOCKET_NONE) {
		connection_broke(r, i, &err, now_ms);
		return;
	}
	while (member->conn.expected.entries > 0) {
		const rlk_reply *reply = rlk_conn_try_read(&member->conn, &err);

		if (member->conn.handshake_refused) {
			/* The request behind it may have run all the same, perhaps in another database. */
			member->error = err;
			give_up(r, i, now_ms);
			return;
		}
		if (reply == NULL) {
			if (member->conn.fd == RLK_SOCKET_NONE)
				connection_broke(r, i, &err, now_ms);
			return;
		}
		if (!take_reply(r, i, reply, now_ms)) {
			if (r->quorum->votes.cast[i] == RLK_VOTE_AWAITED)
				send_request(r, i, now_ms);
			return;
		}
		/* poll() reports further bytes, but not those that TLS has received already. */
		if (member->conn.tls == NULL && member->conn.fd != RLK_SOCKET_NONE && rlk_reader_is_empty(member->conn.reader))
			return;
	}
}

/* Handles the events until that time. false: the host stops the wait. */
static bool handle_events(rlk_round_state *r, int64_t until_ms)
{
	rlk_quorum *quorum = r->quorum;
	rlk_socket_watched watched[RLK_QUORUM_MAX];
	int64_t now_ms;
	int ready;

	for (int i = 0; i < quorum->count; i++) {
		watched[i] = rlk_member_watched(&quorum->member[i]);
		until_ms = rlk_clock_earlier(until_ms, rlk_member_advance_at(&quorum->member[i]));
	}
	ready = rlk_socket_await(watched, quorum->count, until_ms, RLK_SOCKET_BLOCKS_MS, quorum->hooks);
	if (ready < 0)
		return ready != RLK_SOCKET_SIGNAL;
	now_ms = rlk_clock_now_ms();
	for (int i = 0; i < quorum->count; i++) {
		rlk_member *member = &quorum->member[i];

		if (watched[i].ready && member->state == RLK_MEMBER_READY) {
			read_replies(r, i, now_ms);
		} else if (watched[i].ready || now_ms >= rlk_member_advance_at(member)) {
			rlk_member_advance(member, watched[i].ready, now_ms);
			go_on(r, i, now_ms);
		}
	}
	return true;
}

/* --- a round --------------------------------------------------------------------------------------- */

/* Asks the servers that are usable; if they are too few, all servers, once the events of their connections are handled. */
static void begin_asking(rlk_round_state *r)
{
	rlk_quorum *quorum = r->quorum;
	int64_t now_ms = quorum->asked_at_ms;
	uint32_t usable = 0;
	int count = 0;

	for (int i = 0; i < quorum->count; i++) {
		if (is_usable(r, &quorum->member[i], now_ms)) {
			usable |= RLK_SERVER_BIT(i);
			count++;
		}
	}
	if (count < rlk_votes_needed(quorum->count)) {
		handle_events(r, 0);
		usable = UINT32_MAX;
	}
	for (int i = 0; i < quorum->count; i++) {
		rlk_member *member = &quorum->member[i];

		if (!has_to_do(r->op, i)) {
			rlk_votes_ask(&quorum->votes, i, 0);
			rlk_votes_answer(&quorum->votes, i, RLK_VOTE_NO);
		} else if ((usable & RLK_SERVER_BIT(i)) != 0) {
			if (member->state == RLK_MEMBER_CLOSED)
				rlk_member_connect(member, now_ms);
			else if (connects_too_long(member, now_ms))
				member->since_ms = now_ms; /* nobody may have looked at it since, and now it is needed */
			ask(r, i, now_ms);
		}
	}
}

/* Leaves late answers to outstanding_answered() (rlk_member.c), and releases what a failed acquisition may have. */
static void end_asking(rlk_round_state *r, rlk_verdict verdict, int64_t now_ms)
{
	const rlk_votes *votes = &r->quorum->votes;
	uint32_t undone = r->op->round == RLK_ROUND_ACQUIRE && verdict != RLK_VERDICT_YES ? rlk_votes_may_have(votes) : 0;

	for (int i = 0; i < r->quorum->count; i++) {
		rlk_member *member = &r->quorum->member[i];
		rlk_vote vote = votes->cast[i];
		bool silent = vote == RLK_VOTE_SILENT, unanswered = silent || vote == RLK_VOTE_NONE || vote == RLK_VOTE_AWAITED;

		r->op->unanswered = r->op->unanswered || r->exchange[i].repeated || (unanswered && is_sent(r, i));
		if ((undone & RLK_SERVER_BIT(i)) != 0 || (unanswered && r->op->round == RLK_ROUND_OWNED))
			owe_release(r, i);
		if (unanswered && rlk_member_is_connecting(member) && (silent || votes->over))
			rlk_member_set_error(member, RLK_ERR_CONNECT,
				member->state == RLK_MEMBER_RESOLVING ? "cannot resolve the host name: no answer in time" :
														"cannot connect: no answer in time");
		if (member->state != RLK_MEMBER_READY)
			continue;
		if (unanswered && rlk_conn_is_awaited(&member->conn)) {
			rlk_member_leave_outstanding(member, member->conn.sent_at_ms);
			if (silent)
				rlk_member_time_out(member, now_ms);
		}
		if (member->state == RLK_MEMBER_READY)
			rlk_member_send_pending(member, now_ms);
	}
}

/* Validity counts from before anything is sent. Names and connections that are not there yet take of it only if they are needed: each
 * server has its own state, and goes on with the events. */
rlk_verdict rlk_quorum_run(rlk_quorum *quorum, rlk_operation *op, rlk_deadline deadline)
{
	rlk_round_state r = { .quorum = quorum, .op = op, .deadline = deadline };
	long pid = rlk_os_process_id();
	rlk_verdict verdict;
	int64_t now_ms;

	if (quorum->owner_pid != pid)
		rlk_quorum_after_fork(quorum);
	if (quorum->member[0].conn.drain != NULL)
		rlk_drain_tend(quorum->member[0].conn.drain);
	now_ms = quorum->asked_at_ms = rlk_clock_now_ms();
	for (int i = 0; i < quorum->count; i++) {
		r.exchange[i] = (rlk_exchange){ .request = &op->request,
			.may_repeat = op->may_repeat,
			.by_text =
				op->round != RLK_ROUND_SURVEY }; /* others are over without the slow ones, when NOSCRIPT may come */
		rlk_member_maintain(&quorum->member[i], now_ms);
	}
	rlk_votes_begin(&quorum->votes, quorum->count, op->round, rlk_clock_add(now_ms, rlk_validity_ms(op->ttl_ms)),
		deadline.at_ms);
	begin_asking(&r);
	do {
		now_ms = rlk_clock_now_ms();
		verdict = rlk_votes_judge(&quorum->votes, now_ms);
		if (verdict == RLK_VERDICT_OPEN && !handle_events(&r, rlk_votes_next_at(&quorum->votes)))
			verdict = RLK_VERDICT_STOPPED;
	} while (verdict == RLK_VERDICT_OPEN);
	if (rlk_os_process_id() == pid)
		end_asking(&r, verdict, now_ms);
	return verdict;
}
