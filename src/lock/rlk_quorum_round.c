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
} rlk_round_state;

/* --- one server ----------------------------------------------------------------------------------- */

static void member_connection_broke(rlk_round_state *r, int i, const rlk_error *why, int64_t now_ms);

/* To a READY server. The time limit is that of one request and its answer: it starts anew with each. */
static void send_request(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_outcome outcome;
	rlk_error err;

	/* The connection may have broken at once, while the pending releases were sent. */
	if (member->conn.fd == RLK_SOCKET_NONE) {
		member_connection_broke(r, i, NULL, now_ms);
		return;
	}
	rlk_error_clear(&member->error);
	if (!rlk_request_append(member->exchange.request, &member->conn, member->exchange.by_text, &member->error)) {
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_REFUSED);
		return;
	}
	rlk_error_clear(&err);
	member->conn.sent_at_ms = now_ms;
	outcome = rlk_conn_flush(&member->conn, RLK_DEADLINE_NOW,
		&err); /* what does not leave at once leaves with the next event */
	if (outcome != RLK_FAIL || member->conn.fd != RLK_SOCKET_NONE)
		rlk_votes_sent(&r->quorum->votes, i, now_ms + member->conn.server->io_timeout_ms);
	if (member->conn.fd == RLK_SOCKET_NONE)
		member_connection_broke(r, i, &err, now_ms);
}

/* Has the round wait until the server is connected. */
static void await_connection(rlk_round_state *r, int i)
{
	const rlk_member *member = &r->quorum->member[i];

	rlk_votes_ask(&r->quorum->votes, i, member->connecting_since_ms + rlk_member_connect_limit_ms(member));
}

/* Those that never had the key do not. */
static bool has_to_do(const rlk_operation *op, int i)
{
	return op->servers == 0 || (op->servers & RLK_SERVER_BIT(i)) != 0;
}

/* An acquisition that was never sent needs no release. A release that was never sent stays to be sent. `outstanding`: the
 * reply may still come on this connection. */
static void note_unanswered(rlk_round_state *r, int i, bool outstanding)
{
	rlk_member *member = &r->quorum->member[i];
	bool sent = (r->quorum->votes.sent & RLK_SERVER_BIT(i)) != 0;
	const rlk_release *pending = r->op->pending;

	if (pending != NULL && has_to_do(r->op, i) && (sent || r->quorum->votes.round == RLK_ROUND_OWNED))
		rlk_doubts_unanswered(&member->doubts, pending,
			sent && outstanding && member->state == RLK_MEMBER_READY ? &member->conn : NULL);
}

/* Once a round, a connection that had worked is opened again and the request repeated: all servers may have been restarted
 * since the last round. The first request may have been executed, so its release goes ahead. An acquisition is not repeated
 * if part of its reply has come: that server was alive. */
static void member_connection_broke(rlk_round_state *r, int i, const rlk_error *why, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_votes *votes = &r->quorum->votes;
	bool pending = votes->cast[i] == RLK_VOTE_PENDING, takes = votes->round == RLK_ROUND_ACQUIRE;
	bool answers = pending && takes && member->conn.usage == RLK_CONN_ANSWERED;

	if (why != NULL && why->code != RLK_ERR_NONE)
		member->error = *why;
	else
		rlk_member_set_error(member, RLK_ERR_IO, "the server closed the connection");
	if (member->conn.usage == RLK_CONN_UNUSED || answers || member->exchange.breaks > 0) {
		rlk_member_back_off(member, now_ms);
		rlk_votes_answer(votes, i, RLK_VOTE_SILENT);
		return;
	}
	member->exchange.breaks++;
	if (!member->conn.undelivered && (votes->sent & RLK_SERVER_BIT(i)) != 0)
		member->exchange.repeated = true;
	if (pending && takes)
		note_unanswered(r, i, false);
	rlk_member_reconnect(member, now_ms);
	if (pending)
		await_connection(r, i);
	if (pending && member->state == RLK_MEMBER_READY)
		send_request(r, i, now_ms);
	else if (member->state == RLK_MEMBER_CLOSED)
		rlk_votes_answer(votes, i, RLK_VOTE_SILENT);
}

/* The answer to this round's request. */
static rlk_vote vote_of(rlk_round_state *r, int i, const rlk_reply *reply)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_vote vote = r->op->read(r->op->arg, i, reply);

	if (vote != RLK_VOTE_YES && vote != RLK_VOTE_NO) {
		rlk_reply_misfit(&member->error);
		member->error.retryable = true;
		return RLK_VOTE_SILENT;
	}
	return r->op->repeated_no_is_yes && member->exchange.repeated ? RLK_VOTE_YES : vote;
}

/* A reply in this round. false: another request must be sent. */
static bool take_member_reply(rlk_round_state *r, int i, const rlk_reply *reply, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_exchange_step step;
	rlk_vote vote = RLK_VOTE_REFUSED;

	rlk_error_clear(&member->error);
	step = rlk_exchange_take(&member->exchange, &member->conn, r->deadline, reply, &member->error);
	if (step == RLK_EXCHANGE_AGAIN)
		return false;
	if (step == RLK_EXCHANGE_ANSWERED)
		vote = vote_of(r, i, reply);
	rlk_votes_answer(&r->quorum->votes, i, vote);
	if (vote == RLK_VOTE_SILENT) { /* what comes next over this connection is unknown */
		note_unanswered(r, i, false);
		rlk_member_give_up(member, now_ms);
	}
	return true;
}

static void read_member_replies(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_error err;

	rlk_error_clear(&err);
	if (member->conn.out.len > 0)
		rlk_conn_flush(&member->conn, RLK_DEADLINE_NOW, &err);
	if (member->conn.fd == RLK_SOCKET_NONE) {
		member_connection_broke(r, i, &err, now_ms);
		return;
	}
	while (member->conn.expected.entries > 0) {
		const rlk_reply *reply = rlk_conn_try_read(&member->conn, &err);

		if (member->conn.handshake_refused) {
			/* The request behind the handshake may have been executed all the same, perhaps in another database. */
			member->error = err;
			rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
			note_unanswered(r, i, false);
			rlk_member_give_up(member, now_ms);
			return;
		}
		if (reply == NULL) {
			if (member->conn.fd == RLK_SOCKET_NONE)
				member_connection_broke(r, i, &err, now_ms);
			return;
		}
		member->backoff_ms = 0;
		if (!take_member_reply(r, i, reply, now_ms)) {
			if (r->quorum->votes.cast[i] == RLK_VOTE_PENDING)
				send_request(r, i, now_ms);
			return;
		}
		/* poll() reports further bytes, but not those that TLS has received already. */
		if (member->conn.tls == NULL && member->conn.fd != RLK_SOCKET_NONE && rlk_reader_is_empty(member->conn.reader))
			return;
	}
}

/* --- all of them ---------------------------------------------------------------------------------- */

/* Does it connect for longer than it may? */
static bool is_slow_to_connect(const rlk_quorum *quorum, const rlk_member *member)
{
	return member->state == RLK_MEMBER_OPENING &&
		quorum->asked_at_ms >= member->connecting_since_ms + rlk_member_connect_limit_ms(member);
}

static bool is_usable(const rlk_quorum *quorum, int i)
{
	const rlk_member *member = &quorum->member[i];

	if (member->state == RLK_MEMBER_READY)
		return quorum->votes.round != RLK_ROUND_ACQUIRE || !rlk_member_is_lagging(member, quorum->asked_at_ms);
	return member->state == RLK_MEMBER_OPENING && !member->suspect && !is_slow_to_connect(quorum, member);
}

/* Sends the request to one server, or has the round wait until it is connected. */
static void start_request(rlk_round_state *r, int i)
{
	rlk_member *member = &r->quorum->member[i];
	int64_t now_ms = r->quorum->asked_at_ms;

	if (member->state == RLK_MEMBER_CLOSED)
		rlk_member_connect(member, now_ms);
	else if (is_slow_to_connect(r->quorum, member))
		member->connecting_since_ms = now_ms; /* nobody may have looked at it since, and now it is needed */
	await_connection(r, i);
	if (member->state == RLK_MEMBER_READY)
		send_request(r, i, now_ms);
	else if (member->state == RLK_MEMBER_CLOSED)
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
}

/* Waits for events until that time, and handles them. false: the host stops the wait. */
static bool handle_events(rlk_round_state *r, int64_t until_ms)
{
	rlk_quorum *quorum = r->quorum;
	rlk_socket_watched watched[RLK_QUORUM_MAX];
	int64_t now_ms;
	int ready;

	for (int i = 0; i < quorum->count; i++) {
		const rlk_member *member = &quorum->member[i];

		watched[i] = (rlk_socket_watched){ RLK_SOCKET_NONE, 0, false };
		if (member->state == RLK_MEMBER_OPENING)
			until_ms = rlk_clock_earlier(until_ms, rlk_member_advance_at(member));
		if (member->state == RLK_MEMBER_OPENING ||
			(member->state == RLK_MEMBER_READY && member->conn.expected.entries > 0))
			watched[i] = rlk_member_watched(member);
	}
	ready = rlk_socket_await(watched, quorum->count, until_ms, RLK_SOCKET_BLOCKS_MS, quorum->hooks);
	if (ready < 0)
		return ready != RLK_SOCKET_SIGNAL;
	now_ms = rlk_clock_now_ms();
	for (int i = 0; i < quorum->count; i++) {
		rlk_member *member = &quorum->member[i];

		if (member->state == RLK_MEMBER_OPENING && (watched[i].ready || now_ms >= rlk_member_advance_at(member))) {
			rlk_member_advance(member, watched[i].ready, now_ms);
			if (member->state == RLK_MEMBER_READY && quorum->votes.cast[i] == RLK_VOTE_PENDING)
				send_request(r, i, now_ms);
			else if (member->state == RLK_MEMBER_CLOSED)
				rlk_votes_answer(&quorum->votes, i, RLK_VOTE_SILENT);
		} else if (watched[i].ready) {
			read_member_replies(r, i, now_ms);
		}
	}
	return true;
}

static void start_requests(rlk_round_state *r)
{
	rlk_quorum *quorum = r->quorum;
	uint32_t usable = 0;
	int usable_count = 0;
	bool all;

	for (int i = 0; i < quorum->count; i++) {
		quorum->member[i].exchange = (rlk_exchange){ .request = &r->op->request,
			.may_repeat = r->op->may_repeat,
			.by_text =
				r->op->round != RLK_ROUND_SURVEY }; /* others are over without the slow ones, when NOSCRIPT may come */
		rlk_member_maintain(&quorum->member[i], quorum->asked_at_ms);
		if (is_usable(quorum, i)) {
			usable |= RLK_SERVER_BIT(i);
			usable_count++;
		}
	}
	/* Too few without those given up: then those are asked, too, once the events of their connections are handled. */
	all = usable_count < rlk_votes_needed(quorum->count);
	if (all)
		handle_events(r, 0);
	for (int i = 0; i < quorum->count; i++) {
		if (!has_to_do(r->op, i)) {
			rlk_votes_ask(&quorum->votes, i, 0);
			rlk_votes_answer(&quorum->votes, i, RLK_VOTE_NO);
		} else if (all || (usable & RLK_SERVER_BIT(i)) != 0) {
			start_request(r, i);
		}
	}
}

/* Later rounds deal with what was not answered. `acquired`: it only adds a server to a lock that is held. */
static void leave_unanswered(rlk_round_state *r, bool acquired, int64_t now_ms)
{
	for (int i = 0; i < r->quorum->count; i++) {
		rlk_member *member = &r->quorum->member[i];
		rlk_vote vote = r->quorum->votes.cast[i];
		bool unanswered = vote == RLK_VOTE_NONE || vote == RLK_VOTE_PENDING || vote == RLK_VOTE_SILENT;

		r->op->unanswered = r->op->unanswered || member->exchange.repeated ||
			(unanswered && (r->quorum->votes.sent & RLK_SERVER_BIT(i)) != 0);
		if (!unanswered)
			continue;
		if (!acquired)
			note_unanswered(r, i, true);
		if (member->state == RLK_MEMBER_READY && rlk_conn_is_awaited(&member->conn)) {
			rlk_member_leave_outstanding(member, member->conn.sent_at_ms);
			if (vote == RLK_VOTE_SILENT)
				rlk_member_time_out(member, now_ms);
		} else if (member->state == RLK_MEMBER_OPENING && (vote == RLK_VOTE_SILENT || r->quorum->votes.over)) {
			rlk_member_set_error(member, RLK_ERR_CONNECT,
				member->query != NULL ? "cannot resolve the host name: no answer in time" :
										"cannot connect: no answer in time");
		}
	}
	for (int i = 0; i < r->quorum->count; i++) {
		if (r->quorum->member[i].state == RLK_MEMBER_READY && r->quorum->member[i].doubts.count > 0)
			rlk_member_send_pending(&r->quorum->member[i], now_ms);
	}
}

rlk_verdict rlk_quorum_run(rlk_quorum *quorum, rlk_operation *op, rlk_deadline deadline)
{
	rlk_round_state r = { quorum, op, deadline };
	long pid = rlk_os_process_id();
	rlk_verdict verdict;
	int64_t now_ms;

	if (quorum->owner_pid != pid)
		rlk_quorum_after_fork(quorum);
	if (quorum->member[0].conn.drain != NULL)
		rlk_drain_tend(quorum->member[0].conn.drain);
	quorum->asked_at_ms = rlk_clock_now_ms();
	rlk_votes_begin(&quorum->votes, quorum->count, op->round,
		rlk_clock_add(quorum->asked_at_ms, rlk_validity_ms(op->ttl_ms)));
	quorum->votes.until_ms = deadline.at_ms;
	start_requests(&r);
	for (;;) {
		now_ms = rlk_clock_now_ms();
		verdict = rlk_votes_judge(&quorum->votes, now_ms);
		if (verdict != RLK_VERDICT_OPEN)
			break;
		if (handle_events(&r, rlk_votes_next_at(&quorum->votes)))
			continue;
		verdict = RLK_VERDICT_STOPPED;
		if (rlk_os_process_id() != pid)
			return verdict;
		break;
	}
	leave_unanswered(&r, quorum->votes.round == RLK_ROUND_ACQUIRE && verdict == RLK_VERDICT_YES, now_ms);
	return verdict;
}
