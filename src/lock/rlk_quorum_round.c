/*
 * rlk_quorum_round: one round, a request to the servers of a quorum and a poll() loop until its result is certain.
 */
#include "lock/rlk_quorum.h"

#include "base/rlk_os.h"
#include "lock/rlk_scripts.h"
#include "net/rlk_socket.h"
#include "redis/rlk_dialect.h"

_Static_assert(RLK_QUORUM_MAX <= RLK_SOCKET_WATCHED_MAX && RLK_QUORUM_MAX <= 32, "a bit and a descriptor each");

#define BIT(i) (UINT32_C(1) << (i))

/* A round under way. */
typedef struct {
	rlk_quorum *quorum;
	const rlk_operation *op;
	uint32_t reconnected; /* servers whose connection broke and was opened again in this round */
	uint32_t repeated;    /* those of them that may have done what was asked the first time */
	uint32_t adopting;    /* servers that are asked whether they have done it before */
} rlk_round_state;

/* --- one server: asked, asked again in another form or over another connection, and heard ------- */

static void connection_broke(rlk_round_state *r, int i, const rlk_error *why, int64_t now_ms);

/* Would the server release a lock? A value that nobody has tells. false: it would not, or memory is out. */
static bool append_try(rlk_round_state *r, rlk_member *member)
{
	const rlk_str nobody = RLK_STR("rlk:nobody");
	const rlk_request release = { &rlk_script_release, &r->op->pending->key, &nobody, 1, 1, true };

	member->trying = rlk_member_append(member, &release, &member->error);
	return member->trying;
}

/* What the server is asked by now. */
static const rlk_request *request_to(const rlk_round_state *r, int i)
{
	return (r->adopting & BIT(i)) != 0 ? r->op->adopt : &r->op->request;
}

/* Queues the request for a READY server. false: it cannot be asked, see its error. */
static bool append_request(rlk_round_state *r, int i)
{
	rlk_member *member = &r->quorum->member[i];
	bool tries = r->quorum->votes.round == RLK_ROUND_TAKE &&
		(rlk_member_must_try(member) || rlk_dialect_of(&member->conn) == RLK_DIALECT_NONE);

	member->withheld = RLK_VOTE_NONE;
	member->resets = member->resets || r->op->resets;
	rlk_error_clear(&member->error);
	if ((!tries || append_try(r, member)) && rlk_member_append(member, request_to(r, i), &member->error))
		return true;
	rlk_member_leave_unread(member, r->quorum->asked_at_ms); /* a try, perhaps */
	return false;
}

static void send_request(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	/* It may have broken as soon as it was there, when what is owed was said. */
	if (member->conn.fd == RLK_SOCKET_NONE) {
		connection_broke(r, i, &err, now_ms);
		return;
	}
	if (!append_request(r, i)) {
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_REFUSED);
		return;
	}
	outcome = rlk_conn_flush(&member->conn, 0, &err); /* what does not leave at once leaves with the next event */
	if (outcome != RLK_FAIL || member->conn.fd != RLK_SOCKET_NONE)
		rlk_votes_sent(&r->quorum->votes, i);
	if (member->conn.fd == RLK_SOCKET_NONE)
		connection_broke(r, i, &err, now_ms);
}

/* Nothing follows an acquisition that never left; a release that never left follows itself. */
static void add_pending(rlk_round_state *r, int i, bool held, bool said)
{
	bool sent = (r->quorum->votes.sent & BIT(i)) != 0;
	const rlk_release *pending = r->op->pending;

	if (pending != NULL && !pending->given && (sent || r->quorum->votes.round == RLK_ROUND_KEEP))
		rlk_member_add_pending(&r->quorum->member[i], pending, held, sent && said);
}

/* Once in a round a connection that had worked is opened again, and the request repeated: all servers may have been
 * restarted since the last one. What was sent first may have been executed, so its release goes ahead. Not an acquisition
 * of which a byte of the answer had come, though: that server was there. */
static void connection_broke(rlk_round_state *r, int i, const rlk_error *why, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_votes *votes = &r->quorum->votes;
	bool pending = votes->cast[i] == RLK_VOTE_PENDING, takes = votes->round == RLK_ROUND_TAKE;
	bool answers =
		pending && takes && member->conn.usage == RLK_CONN_ANSWERED && member->late == 0 && member->conn.handshake == 0;

	if (why->code != RLK_ERR_NONE)
		member->error = *why;
	else
		rlk_member_note_error(member, RLK_ERR_IO, "the server closed the connection");
	if (member->conn.usage == RLK_CONN_UNUSED || answers || (r->reconnected & BIT(i)) != 0) {
		rlk_member_back_off(member, now_ms);
		rlk_votes_answer(votes, i, RLK_VOTE_SILENT);
		return;
	}
	r->reconnected |= BIT(i);
	r->adopting &= ~BIT(i);
	if (!member->conn.undelivered)
		r->repeated |= votes->sent & BIT(i);
	if (pending && takes)
		add_pending(r, i, false, false);
	rlk_member_start_over(member, now_ms);
	if (pending && member->state == RLK_MEMBER_READY)
		send_request(r, i, now_ms);
	else if (member->state == RLK_MEMBER_CLOSED)
		rlk_votes_answer(votes, i, RLK_VOTE_SILENT);
}

/* An error in answer to this round's request. false: the request has to be put again. */
static bool take_error(rlk_round_state *r, int i, const rlk_reply *reply)
{
	rlk_member *member = &r->quorum->member[i];
	const rlk_request *asked = request_to(r, i);

	if (rlk_request_is_to_change(asked, &member->conn, reply, &member->wording))
		return false;
	rlk_error_clear(&member->error);
	if (rlk_request_finds_no_string(asked, &member->wording, reply)) {
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_NO);
		return true;
	}
	rlk_reply_to_error(reply, &member->error);
	rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_REFUSED);
	return true;
}

/* It would not take the key back, not in this way. Is there another? Without one the key, if we were given it, is left to
 * its ttl: a DEL that does not compare may arrive when somebody else has it. */
static void withhold(rlk_round_state *r, int i, rlk_vote vote)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_error err;

	rlk_error_clear(&err);
	rlk_error_clear(&member->error);
	member->withheld = vote;
	if (!append_try(r, member)) {
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_REFUSED);
		return;
	}
	rlk_conn_flush(&member->conn, 0, &err);
	if (member->conn.fd == RLK_SOCKET_NONE)
		connection_broke(r, i, &err, r->quorum->asked_at_ms);
}

/* The answer to a try, which comes before that to the request, or after one that is withheld. */
static void take_try(rlk_round_state *r, int i, const rlk_reply *reply)
{
	rlk_member *member = &r->quorum->member[i];
	bool has_another = reply->type == RLK_REPLY_ERROR && rlk_dialect_learn(&member->conn, reply);

	member->trying = false;
	if (reply->type == RLK_REPLY_INTEGER)
		rlk_member_understood(member);
	if (member->withheld == RLK_VOTE_NONE)
		return;
	if (member->conn.can_release) {
		rlk_votes_answer(&r->quorum->votes, i, member->withheld);
	} else if (has_another) {
		withhold(r, i, member->withheld);
	} else {
		rlk_error_clear(&member->error);
		rlk_reply_to_error(reply, &member->error);
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
	}
}

/* The answer to this round's request. false: the request has to be put again. */
static bool take_answer(rlk_round_state *r, int i, const rlk_reply *reply)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_vote vote;

	if (reply->type == RLK_REPLY_ERROR)
		return take_error(r, i, reply);
	if (reply->type == RLK_REPLY_INTEGER)
		rlk_member_understood(member);
	vote =
		rlk_request_fits(request_to(r, i), &member->wording, reply) ? r->op->read(r->op->arg, i, reply) : RLK_VOTE_NONE;
	member->error.code = RLK_ERR_NONE;
	if (vote != RLK_VOTE_YES && vote != RLK_VOTE_NO) {
		rlk_member_note_error(member, RLK_ERR_PROTOCOL, "the server sent a reply that does not fit the request");
		vote = RLK_VOTE_SILENT;
	}
	if (vote == RLK_VOTE_NO && r->op->repeated_no_is_yes && (r->repeated & BIT(i)) != 0)
		vote = RLK_VOTE_YES;
	if (vote == RLK_VOTE_NO && r->op->adopt != NULL && (r->adopting & BIT(i)) == 0 &&
		(r->op->unsure || (r->repeated & BIT(i)) != 0)) {
		r->adopting |= BIT(i);
		return false;
	}
	/* A no, too: it may be for a key that could not be released. */
	if (vote != RLK_VOTE_SILENT && r->quorum->votes.round == RLK_ROUND_TAKE && rlk_member_must_try(member))
		withhold(r, i, vote);
	else
		rlk_votes_answer(&r->quorum->votes, i, vote);
	return true;
}

static void read_replies(rlk_round_state *r, int i, int64_t now_ms)
{
	rlk_member *member = &r->quorum->member[i];
	rlk_error err;

	rlk_error_clear(&err);
	if (member->conn.out.len > 0)
		rlk_conn_flush(&member->conn, 0, &err);
	if (member->conn.fd == RLK_SOCKET_NONE) {
		connection_broke(r, i, &err, now_ms);
		return;
	}
	while (member->conn.awaited > 0) {
		const rlk_reply *reply = rlk_conn_try_read(&member->conn, &err);

		if (member->conn.handshake_refused) {
			/* What was sent behind the handshake may have been executed all the same, in another database say. */
			member->error = err;
			rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
			add_pending(r, i, false, false);
			rlk_member_give_up(member, now_ms);
			return;
		}
		if (reply == NULL) {
			if (member->conn.fd == RLK_SOCKET_NONE)
				connection_broke(r, i, &err, now_ms);
			return;
		}
		rlk_member_answered(member);
		if (member->late > 0) {
			rlk_member_take_late(member, reply, now_ms);
		} else if (member->trying) {
			take_try(r, i, reply);
		} else if (!take_answer(r, i, reply)) {
			if (r->quorum->votes.cast[i] == RLK_VOTE_PENDING)
				send_request(r, i, now_ms);
			return;
		}
		/* poll() tells when there is more, but knows nothing of what TLS has received already. */
		if (member->conn.tls == NULL && member->conn.fd != RLK_SOCKET_NONE && rlk_reader_is_empty(member->conn.reader))
			return;
	}
}

/* --- all of them ---------------------------------------------------------------------------------- */

static void begin(rlk_quorum *quorum, const rlk_operation *op)
{
	quorum->asked_at_ms = rlk_clock_now_ms();
	rlk_votes_begin(&quorum->votes, quorum->count, op->round,
		rlk_clock_add(quorum->asked_at_ms, rlk_validity_ms(op->ttl_ms)));
	if (op->round == RLK_ROUND_HEAR)
		quorum->votes.hear_until_ms = op->until_ms;
}

static bool is_fit(const rlk_quorum *quorum, int i)
{
	const rlk_member *member = &quorum->member[i];

	if (member->state == RLK_MEMBER_READY)
		return quorum->votes.round != RLK_ROUND_TAKE || !rlk_member_is_lagging(member, quorum->asked_at_ms);
	return member->state == RLK_MEMBER_OPENING && !member->suspect &&
		quorum->asked_at_ms < member->connecting_since_ms + rlk_member_patience_ms(member);
}

/* Puts the request to one server, or waits for it to be connected. */
static void ask_one(rlk_round_state *r, int i)
{
	rlk_member *member = &r->quorum->member[i];
	int64_t now_ms = r->quorum->asked_at_ms;

	member->wording = (rlk_wording){ false, RLK_DIALECT_NEW };
	if (member->state == RLK_MEMBER_CLOSED)
		rlk_member_connect(member, now_ms);
	if (member->state == RLK_MEMBER_READY) {
		rlk_votes_ask(&r->quorum->votes, i, now_ms + member->conn.server->io_timeout_ms);
		send_request(r, i, now_ms);
	} else if (member->state == RLK_MEMBER_OPENING) {
		rlk_votes_ask(&r->quorum->votes, i, member->connecting_since_ms + rlk_member_patience_ms(member));
	} else {
		rlk_votes_ask(&r->quorum->votes, i, 0);
		rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
	}
}

/* Waits for the next event and handles all there are. */
static void attend(rlk_round_state *r, int64_t until_ms)
{
	rlk_quorum *quorum = r->quorum;
	rlk_socket_watched watched[RLK_QUORUM_MAX];
	int64_t now_ms;

	for (int i = 0; i < quorum->count; i++) {
		const rlk_member *member = &quorum->member[i];

		watched[i] = (rlk_socket_watched){ RLK_SOCKET_NONE, 0, false };
		if (member->state == RLK_MEMBER_OPENING)
			until_ms = rlk_clock_earlier(until_ms, rlk_conn_advance_at(&member->conn));
		if (member->state == RLK_MEMBER_OPENING || (member->state == RLK_MEMBER_READY && member->conn.awaited > 0))
			watched[i] = (rlk_socket_watched){ member->conn.fd, rlk_conn_events(&member->conn), false };
	}
	if (rlk_socket_poll(watched, quorum->count, until_ms, NULL) < 0)
		return;
	now_ms = rlk_clock_now_ms();
	for (int i = 0; i < quorum->count; i++) {
		rlk_member *member = &quorum->member[i];

		if (member->state == RLK_MEMBER_OPENING && (watched[i].ready || now_ms >= rlk_conn_advance_at(&member->conn))) {
			rlk_member_go_on(member, watched[i].ready, now_ms);
			if (member->state == RLK_MEMBER_READY && quorum->votes.cast[i] == RLK_VOTE_PENDING)
				send_request(r, i, now_ms);
			else if (member->state == RLK_MEMBER_CLOSED)
				rlk_votes_answer(&quorum->votes, i, RLK_VOTE_SILENT);
		} else if (watched[i].ready) {
			read_replies(r, i, now_ms);
		}
	}
}

static void ask_all(rlk_round_state *r)
{
	rlk_quorum *quorum = r->quorum;
	uint32_t fit = 0;
	int fits = 0;
	bool all;

	for (int i = 0; i < quorum->count; i++) {
		rlk_member_look_after(&quorum->member[i], quorum->asked_at_ms);
		if (is_fit(quorum, i)) {
			fit |= BIT(i);
			fits++;
		}
	}
	/* Too few without those we have given up: then they are asked, too, after a look at what has become of them. */
	all = fits < rlk_votes_needed(quorum->count);
	if (all)
		attend(r, 0);
	for (int i = 0; i < quorum->count; i++) {
		if ((r->op->among & BIT(i)) == 0) {
			/* It never had what this is about. */
			rlk_votes_ask(&quorum->votes, i, 0);
			rlk_votes_answer(&quorum->votes, i, RLK_VOTE_NO);
		} else if (all || (fit & BIT(i)) != 0) {
			ask_one(r, i);
		}
	}
}

/* What was not answered becomes a matter of later rounds. */
static void leave_rest(rlk_round_state *r, bool taken, int64_t now_ms)
{
	for (int i = 0; i < r->quorum->count; i++) {
		rlk_member *member = &r->quorum->member[i];
		rlk_vote vote = r->quorum->votes.cast[i];
		bool unanswered = vote == RLK_VOTE_NONE || vote == RLK_VOTE_PENDING || vote == RLK_VOTE_SILENT;

		if (!unanswered)
			continue;
		add_pending(r, i, taken, true);
		if (member->state == RLK_MEMBER_READY && member->conn.awaited > member->late) {
			rlk_member_leave_unread(member, r->quorum->asked_at_ms);
			if (vote == RLK_VOTE_SILENT)
				rlk_member_give_up_silent(member, now_ms);
		} else if (member->state == RLK_MEMBER_OPENING && vote == RLK_VOTE_SILENT) {
			rlk_member_note_error(member, RLK_ERR_CONNECT, "cannot connect: no answer in time");
		}
	}
	for (int i = 0; i < r->quorum->count; i++) {
		if (r->quorum->member[i].state == RLK_MEMBER_READY && r->quorum->member[i].pending.count > 0)
			rlk_member_say_pending(&r->quorum->member[i], now_ms);
	}
}

rlk_verdict rlk_quorum_run(rlk_quorum *quorum, const rlk_operation *op)
{
	rlk_round_state r = { .quorum = quorum, .op = op, .repeated = op->released_before };
	rlk_verdict verdict;
	int64_t now_ms;

	if (quorum->owner_pid != rlk_os_process_id())
		rlk_quorum_after_fork(quorum);
	if (quorum->member[0].conn.drain != NULL)
		rlk_drain_tend(quorum->member[0].conn.drain);
	begin(quorum, op);
	ask_all(&r);
	for (;;) {
		now_ms = rlk_clock_now_ms();
		verdict = rlk_votes_judge(&quorum->votes, now_ms);
		if (verdict != RLK_VERDICT_OPEN)
			break;
		attend(&r, rlk_votes_next_at(&quorum->votes));
	}
	leave_rest(&r, quorum->votes.round == RLK_ROUND_TAKE && verdict == RLK_VERDICT_YES, now_ms);
	return verdict;
}
