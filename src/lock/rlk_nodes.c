/*
 * rlk_nodes: see the header. The rounds are in rlk_nodes_ask.c, one server is in rlk_node.c.
 */
#include "lock/rlk_nodes.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"

#include <stdlib.h>

#define BIT(i) (UINT32_C(1) << (i))

rlk_nodes *rlk_nodes_new(const rlk_server *servers, size_t count, rlk_drain_list *drain, rlk_pool *pool)
{
	rlk_nodes *nodes = calloc(1, sizeof(*nodes));

	if (nodes != NULL)
		nodes->node = calloc(count, sizeof(*nodes->node));
	if (nodes == NULL || nodes->node == NULL) {
		free(nodes);
		return NULL;
	}
	nodes->count = (int)count;
	nodes->owner_pid = rlk_os_process_id();
	for (size_t i = 0; i < count; i++)
		rlk_node_init(&nodes->node[i], &servers[i], drain, pool);
	return nodes;
}

void rlk_nodes_after_fork(rlk_nodes *nodes)
{
	for (int i = 0; nodes != NULL && i < nodes->count; i++)
		rlk_node_after_fork(&nodes->node[i]);
	if (nodes != NULL)
		nodes->owner_pid = rlk_os_process_id();
}

void rlk_nodes_open(rlk_nodes *nodes)
{
	int64_t now_ms = rlk_clock_now_ms();

	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];

		rlk_node_look_after(node, now_ms);
		if (node->state == RLK_NODE_READY && node->conn.out.len > 0)
			rlk_conn_flush(&node->conn, 0, NULL);
	}
}

void rlk_nodes_free(rlk_nodes *nodes)
{
	int64_t now_ms = rlk_clock_now_ms();

	if (nodes == NULL)
		return;
	if (nodes->owner_pid != rlk_os_process_id())
		rlk_nodes_after_fork(nodes);
	for (int i = 0; i < nodes->count; i++)
		rlk_node_end(&nodes->node[i], now_ms);
	free(nodes->node);
	free(nodes);
}

void rlk_nodes_let_go(rlk_nodes *nodes, uint32_t among, const rlk_release *release)
{
	int64_t now_ms = rlk_clock_now_ms();

	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];
		bool said;

		if ((among & BIT(i)) == 0)
			continue;
		said = node->state == RLK_NODE_READY && rlk_node_append_release(&node->conn, release->key, release->token);
		node->resets = node->resets || (said && release->given);
		if (!release->given)
			rlk_node_add_pending(node, release, false, said);
		if (!said)
			continue;
		rlk_node_leave_unread(node, now_ms);
		rlk_conn_flush(&node->conn, 0, NULL);
		if (node->conn.fd == RLK_SOCKET_NONE)
			rlk_node_start_over(node, now_ms);
	}
}

uint32_t rlk_nodes_lock_ends(rlk_nodes *nodes, const rlk_release *release)
{
	uint32_t said = 0;

	for (int i = 0; i < nodes->count; i++)
		said |= rlk_node_lock_ends(&nodes->node[i], release, true) ? BIT(i) : 0;
	return said;
}

void rlk_nodes_lock_is_lost(rlk_nodes *nodes, const rlk_release *release)
{
	int64_t now_ms = rlk_clock_now_ms();

	for (int i = 0; i < nodes->count; i++) {
		rlk_node *node = &nodes->node[i];

		rlk_node_lock_ends(node, release, false);
		if (node->state == RLK_NODE_READY)
			rlk_node_say_pending(node, now_ms);
	}
}

bool rlk_nodes_refuse_scripts(const rlk_nodes *nodes)
{
	for (int i = 0; i < nodes->count; i++) {
		if (nodes->node[i].conn.refuses_scripts)
			return true;
	}
	return false;
}

uint32_t rlk_nodes_may_have(const rlk_nodes *nodes)
{
	uint32_t among = 0;

	for (int i = 0; i < nodes->count; i++)
		among |= rlk_quorum_may_have(&nodes->quorum, i) ? BIT(i) : 0;
	return among;
}

void rlk_nodes_explain(const rlk_nodes *nodes, rlk_error *err)
{
	const rlk_node *first = NULL;
	int failed = 0, for_good = 0;

	for (int i = 0; i < nodes->count; i++) {
		rlk_vote vote = nodes->quorum.votes[i];
		const rlk_node *node = &nodes->node[i];

		if (vote == RLK_VOTE_YES || vote == RLK_VOTE_NO || vote == RLK_VOTE_PENDING)
			continue;
		failed++;
		if (node->error.code == RLK_ERR_NONE)
			continue;
		for_good += !node->error.retryable;
		if (first == NULL)
			first = node;
	}
	rlk_error_set(err, first != NULL ? first->error.code : RLK_ERR_TIMEOUT, first != NULL ? first->error.sys_errno : 0,
		"no majority of the servers, %d of %d failed: %s", failed, nodes->count,
		first != NULL ? first->error.text : "no answer in time");
	if (first != NULL)
		rlk_error_set_node(err, first->conn.server->label);
	if (err != NULL)
		err->retryable = nodes->count - for_good >= rlk_quorum_needed(nodes->count);
}

const char *rlk_nodes_outcome(const rlk_nodes *nodes, int server, const char *no)
{
	const rlk_node *node = &nodes->node[server];

	switch (nodes->quorum.votes[server]) {
		case RLK_VOTE_YES:
			return "yes";
		case RLK_VOTE_NO:
			if ((nodes->quorum.sent & BIT(server)) != 0)
				return no;
			return node->error.code != RLK_ERR_NONE ? node->error.text : "not asked"; /* it never had the lock */
		case RLK_VOTE_PENDING:
			return "no answer yet";
		default:
			return node->error.code != RLK_ERR_NONE ? node->error.text : "no answer in time";
	}
}
