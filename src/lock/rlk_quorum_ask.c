/*
 * rlk_quorum_ask: one round, a request to the servers of a quorum and a poll() loop until its result is certain. What it is
 * for one of them is in rlk_quorum_round.c.
 */
#include "lock/rlk_quorum_own.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "net/rlk_socket.h"

_Static_assert(RLK_QUORUM_MAX <= RLK_SOCKET_WATCHED_MAX && RLK_QUORUM_MAX <= 32, "a bit and a descriptor each");

#define BIT(i) (UINT32_C(1) << (i))

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
		rlk_round_send(r, i, now_ms);
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
			until_ms = rlk_clock_earlier(until_ms, rlk_conn_turn_until(&member->conn));
		if (member->state == RLK_MEMBER_OPENING || (member->state == RLK_MEMBER_READY && member->conn.awaited > 0))
			watched[i] = (rlk_socket_watched){ member->conn.fd, rlk_conn_events(&member->conn), false };
	}
	if (rlk_socket_poll(watched, quorum->count, until_ms, NULL) < 0)
		return;
	now_ms = rlk_clock_now_ms();
	for (int i = 0; i < quorum->count; i++) {
		rlk_member *member = &quorum->member[i];

		if (member->state == RLK_MEMBER_OPENING && (watched[i].ready || now_ms >= rlk_conn_turn_until(&member->conn))) {
			rlk_member_go_on(member, watched[i].ready, now_ms);
			if (member->state == RLK_MEMBER_READY && quorum->votes.cast[i] == RLK_VOTE_PENDING)
				rlk_round_send(r, i, now_ms);
			else if (member->state == RLK_MEMBER_CLOSED)
				rlk_votes_answer(&quorum->votes, i, RLK_VOTE_SILENT);
		} else if (watched[i].ready) {
			rlk_round_read(r, i, now_ms);
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
		rlk_round_add_pending(r, i, taken, true);
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

rlk_verdict rlk_quorum_ask(rlk_quorum *quorum, const rlk_operation *op)
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
