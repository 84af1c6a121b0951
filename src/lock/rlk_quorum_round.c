/*
 * rlk_quorum_round: see the header.
 */
#include "lock/rlk_quorum_own.h"

#include "lock/rlk_scripts.h"
#include "redis/rlk_dialect.h"

#define BIT(i) (UINT32_C(1) << (i))

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

void rlk_round_send(rlk_round_state *r, int i, int64_t now_ms)
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
void rlk_round_add_pending(rlk_round_state *r, int i, bool held, bool said)
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
	bool answers = pending && takes && member->conn.peer == RLK_CONN_PEER_HEARD && member->late == 0 &&
		member->conn.handshake == 0;

	if (why->code != RLK_ERR_NONE)
		member->error = *why;
	else
		rlk_member_note_error(member, RLK_ERR_IO, "the server closed the connection");
	if (member->conn.peer == RLK_CONN_PEER_NEW || answers || (r->reconnected & BIT(i)) != 0) {
		rlk_member_back_off(member, now_ms);
		rlk_votes_answer(votes, i, RLK_VOTE_SILENT);
		return;
	}
	r->reconnected |= BIT(i);
	r->adopting &= ~BIT(i);
	if (!member->conn.unseen)
		r->repeated |= votes->sent & BIT(i);
	if (pending && takes)
		rlk_round_add_pending(r, i, false, false);
	rlk_member_start_over(member, now_ms);
	if (pending && member->state == RLK_MEMBER_READY)
		rlk_round_send(r, i, now_ms);
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
	if (member->conn.releases) {
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

void rlk_round_read(rlk_round_state *r, int i, int64_t now_ms)
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
		const rlk_reply *reply = rlk_conn_take(&member->conn, &err);

		if (member->conn.refused) {
			/* What was sent behind the handshake may have been executed all the same, in another database say. */
			member->error = err;
			rlk_votes_answer(&r->quorum->votes, i, RLK_VOTE_SILENT);
			rlk_round_add_pending(r, i, false, false);
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
				rlk_round_send(r, i, now_ms);
			return;
		}
		/* poll() tells when there is more, but knows nothing of what TLS has received already. */
		if (member->conn.tls == NULL && member->conn.fd != RLK_SOCKET_NONE && rlk_reader_is_empty(member->conn.reader))
			return;
	}
}
