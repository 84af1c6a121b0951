/*
 * rlk_quorum: see the header. A round is in rlk_quorum_round.c, one server in rlk_member.c.
 */
#include "lock/rlk_quorum.h"

#include <stdlib.h>

static rlk_quorum *new_alone(int count)
{
	rlk_quorum *quorum = calloc(1, sizeof(*quorum));

	if (quorum != NULL)
		quorum->member = calloc((size_t)count, sizeof(*quorum->member));
	if (quorum == NULL || quorum->member == NULL) {
		free(quorum);
		return NULL;
	}
	quorum->next = quorum;
	quorum->count = count;
	quorum->owner_pid = rlk_os_process_id();
	return quorum;
}

static void init_member(rlk_member *member, const rlk_server *server, rlk_drain_list *drain, rlk_pool *pool)
{
	rlk_conn_init(&member->conn, server, drain);
	rlk_conn_init(&member->doubts.aside, server, drain);
	member->conn.pool = pool;
}

rlk_quorum *rlk_quorum_new(const rlk_server *servers, size_t count, rlk_drain_list *drain, rlk_pool *pool)
{
	rlk_quorum *quorum = new_alone((int)count);

	for (size_t i = 0; quorum != NULL && i < count; i++)
		init_member(&quorum->member[i], &servers[i], drain, pool);
	return quorum;
}

rlk_quorum *rlk_quorum_find_idle(rlk_quorum *quorum)
{
	rlk_quorum *found = quorum;

	while (found->in_use && found->next != quorum)
		found = found->next;
	if (!found->in_use)
		return found;
	found = new_alone(quorum->count);
	for (int i = 0; found != NULL && i < quorum->count; i++) {
		const rlk_conn *conn = &quorum->member[i].conn;

		init_member(&found->member[i], conn->server, conn->drain, conn->pool);
	}
	if (found != NULL) {
		found->next = quorum->next;
		quorum->next = found;
	}
	return found;
}

static void free_one(rlk_quorum *quorum, int64_t now_ms)
{
	for (int i = 0; i < quorum->count; i++)
		rlk_member_end(&quorum->member[i], now_ms);
	free(quorum->member);
	free(quorum);
}

static bool defers_any(const rlk_quorum *quorum)
{
	for (int i = 0; i < quorum->count; i++) {
		if (rlk_doubts_defer_any(&quorum->member[i].doubts))
			return true;
	}
	return false;
}

void rlk_quorum_free_idle_others(rlk_quorum *quorum)
{
	rlk_quorum *before = quorum, *other;

	while ((other = before->next) != quorum) {
		if (other->in_use || defers_any(other)) {
			before = other;
			continue;
		}
		before->next = other->next;
		free_one(other, rlk_clock_now_ms());
	}
}

void rlk_quorum_free(rlk_quorum *quorum)
{
	rlk_quorum *other;

	if (quorum == NULL)
		return;
	if (quorum->owner_pid != rlk_os_process_id())
		rlk_quorum_after_fork(quorum);
	while ((other = quorum->next) != quorum) {
		quorum->next = other->next;
		free_one(other, rlk_clock_now_ms());
	}
	free_one(quorum, rlk_clock_now_ms());
}

void rlk_quorum_after_fork(rlk_quorum *quorum)
{
	rlk_quorum *each = quorum;

	if (quorum == NULL)
		return;
	do {
		for (int i = 0; i < each->count; i++) {
			rlk_member_close(&each->member[i]);
			rlk_doubts_end(&each->member[i].doubts, true, 0);
		}
		each->owner_pid = rlk_os_process_id();
	} while ((each = each->next) != quorum);
}

void rlk_quorum_open(rlk_quorum *quorum)
{
	int64_t now_ms = rlk_clock_now_ms();

	for (int i = 0; i < quorum->count; i++) {
		rlk_member *member = &quorum->member[i];

		rlk_member_maintain(member, now_ms);
		if (member->state == RLK_MEMBER_READY && member->conn.out.len > 0)
			rlk_conn_flush(&member->conn, RLK_DEADLINE_NOW, NULL);
	}
}

void rlk_quorum_send_release(rlk_quorum *quorum, uint32_t servers, const rlk_release *release)
{
	int64_t now_ms = rlk_clock_now_ms();

	for (int i = 0; i < quorum->count; i++) {
		rlk_member *member = &quorum->member[i];
		bool sent;

		if ((servers & RLK_SERVER_BIT(i)) == 0)
			continue;
		sent = member->state == RLK_MEMBER_READY && rlk_release_append(release, &member->conn);
		rlk_doubts_unanswered(&member->doubts, release, false, sent ? &member->conn : NULL);
		if (!sent)
			continue;
		rlk_member_leave_outstanding(member, now_ms);
		rlk_conn_flush(&member->conn, RLK_DEADLINE_NOW, NULL);
		if (member->conn.fd == RLK_SOCKET_NONE)
			rlk_member_reconnect(member, now_ms);
	}
}

uint32_t rlk_quorum_lock_ended(rlk_quorum *quorum, const rlk_release *release, bool follows)
{
	rlk_quorum *each = quorum;
	uint32_t sent = 0;

	do {
		bool here = follows && each == quorum;

		for (int i = 0; i < each->count; i++) {
			rlk_member *member = &each->member[i];

			sent |= rlk_doubts_lock_ended(&member->doubts, release, here) ? RLK_SERVER_BIT(i) : 0;
			/* A round that is under way sends it at its end. */
			if (!here && member->state == RLK_MEMBER_READY && !each->in_use)
				rlk_member_send_pending(member, rlk_clock_now_ms());
		}
	} while ((each = each->next) != quorum);
	return sent;
}

void rlk_quorum_explain(const rlk_quorum *quorum, rlk_error *err)
{
	const rlk_member *first = NULL;
	int failed = 0, for_good = 0;

	for (int i = 0; i < quorum->count; i++) {
		rlk_vote vote = quorum->votes.cast[i];
		const rlk_member *member = &quorum->member[i];

		if (vote == RLK_VOTE_YES || vote == RLK_VOTE_NO || (vote == RLK_VOTE_PENDING && !quorum->votes.over))
			continue;
		failed++;
		if (member->error.code == RLK_ERR_NONE)
			continue;
		for_good += !member->error.retryable;
		if (first == NULL)
			first = member;
	}
	rlk_error_set(err, first != NULL ? first->error.code : RLK_ERR_TIMEOUT, first != NULL ? first->error.sys_errno : 0,
		"no majority of the servers, %d of %d failed: %s", failed, quorum->count,
		first != NULL ? first->error.text : "no answer in time");
	if (first != NULL)
		rlk_error_set_node(err, first->conn.server->uri);
	if (err != NULL)
		err->retryable = quorum->count - for_good >= rlk_votes_needed(quorum->count);
}

const char *rlk_quorum_outcome(const rlk_quorum *quorum, int server, const char *no)
{
	const rlk_member *member = &quorum->member[server];

	switch (quorum->votes.cast[server]) {
		case RLK_VOTE_YES:
			return "yes";
		case RLK_VOTE_NO:
			if ((quorum->votes.sent & RLK_SERVER_BIT(server)) != 0)
				return no;
			/* A server that was not asked never had the lock. */
			return member->error.code != RLK_ERR_NONE ? member->error.text : "not asked";
		case RLK_VOTE_PENDING:
			return "no answer yet";
		default:
			return member->error.code != RLK_ERR_NONE ? member->error.text : "no answer in time";
	}
}
