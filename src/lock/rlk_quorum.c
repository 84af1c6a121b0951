/*
 * rlk_quorum: see the header. A round is in rlk_quorum_round.c, one server in rlk_member.c.
 */
#include "lock/rlk_quorum.h"

#include <stdlib.h>

rlk_quorum *rlk_quorum_new(const rlk_server *servers, size_t count, rlk_drain_list *drain, rlk_pool *pool)
{
	rlk_quorum *quorum = calloc(1, sizeof(*quorum));

	if (quorum != NULL)
		quorum->member = calloc(count, sizeof(*quorum->member));
	if (quorum == NULL || quorum->member == NULL) {
		free(quorum);
		return NULL;
	}
	quorum->count = (int)count;
	quorum->owner_pid = rlk_os_process_id();
	for (size_t i = 0; i < count; i++) {
		rlk_conn_init(&quorum->member[i].conn, &servers[i], drain);
		quorum->member[i].conn.pool = pool;
	}
	return quorum;
}

rlk_quorum *rlk_quorum_like(const rlk_quorum *quorum)
{
	const rlk_conn *first = &quorum->member[0].conn;

	return rlk_quorum_new(first->server, (size_t)quorum->count, first->drain, first->pool);
}

void rlk_quorum_free(rlk_quorum *quorum)
{
	if (quorum == NULL)
		return;
	if (quorum->owner_pid != rlk_os_process_id())
		rlk_quorum_after_fork(quorum);
	for (int i = 0; i < quorum->count; i++)
		rlk_member_end(&quorum->member[i], rlk_clock_now_ms());
	free(quorum->member);
	free(quorum);
}

void rlk_quorum_after_fork(rlk_quorum *quorum)
{
	if (quorum == NULL)
		return;
	for (int i = 0; i < quorum->count; i++) {
		rlk_member_close(&quorum->member[i]);
		rlk_doubts_end(&quorum->member[i].doubts);
	}
	quorum->owner_pid = rlk_os_process_id();
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

void rlk_quorum_send_release(rlk_quorum *quorum, uint32_t servers, const rlk_release *release, bool asking)
{
	int64_t now_ms = rlk_clock_now_ms();

	for (int i = 0; i < quorum->count; i++) {
		rlk_member *member = &quorum->member[i];

		if ((servers & RLK_SERVER_BIT(i)) == 0)
			continue;
		rlk_doubts_unanswered(&member->doubts, release, NULL);
		if (!asking && member->state == RLK_MEMBER_READY)
			rlk_member_send_pending(member, now_ms);
	}
}

void rlk_quorum_explain(const rlk_quorum *quorum, rlk_error *err)
{
	const rlk_member *first = NULL;
	int failed = 0, for_good = 0;

	for (int i = 0; i < quorum->count; i++) {
		rlk_vote vote = quorum->votes.cast[i];
		const rlk_member *member = &quorum->member[i];

		if (vote == RLK_VOTE_YES || vote == RLK_VOTE_NO || (vote == RLK_VOTE_AWAITED && !quorum->votes.over))
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
		case RLK_VOTE_AWAITED:
			return "no answer yet";
		default:
			return member->error.code != RLK_ERR_NONE ? member->error.text : "no answer in time";
	}
}
