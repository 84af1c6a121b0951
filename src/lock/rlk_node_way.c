/*
 * rlk_node_way: how a question is put to one server of a quorum, see rlk_node.h.
 *
 * What rlk_dialect.h does where one waits for each answer is done here by the answers as they come: a refusal of EVAL, or of
 * DELEX, has the question put in the next way. Two round trips more, once for a connection.
 */
#include "lock/rlk_node.h"

#include "redis/rlk_dialect.h"
#include "redis/rlk_call.h"

static unsigned script_bit(const rlk_script *script)
{
	for (unsigned i = 0; i < RLK_SCRIPTS_COUNT; i++) {
		if (rlk_scripts_all[i] == script)
			return 1u << i;
	}
	return 0;
}

rlk_dialect rlk_node_way(const rlk_node *node, const rlk_question *question)
{
	bool has_another = question->script == &rlk_script_release || question->script == &rlk_script_extend ||
		question->script == &rlk_script_renew;

	return has_another ? rlk_dialect_of(&node->conn) : RLK_DIALECT_NEW;
}

/* A release goes by text. A round ends without the slowest servers, and nobody may be there to say it again to one of them
 * that has forgotten the script. */
static bool append_script(rlk_node *node, const rlk_question *question)
{
	const rlk_str *args = question->argv + question->key_count;
	unsigned bit = script_bit(question->script);
	bool known = (node->knows & bit) != 0 && question->script != &rlk_script_release;

	node->knows |= bit; /* by the time of the next question it does */
	return rlk_conn_append_eval(&node->conn, !known, question->script, question->argv, question->key_count, args,
		question->argc - question->key_count, NULL);
}

bool rlk_node_append(rlk_node *node, const rlk_question *question)
{
	node->resets = node->resets || question->resets;
	node->way = rlk_node_way(node, question);
	if (question->script == NULL)
		return rlk_conn_append(&node->conn, question->argv, question->argc, NULL);
	if (node->way == RLK_DIALECT_NEW)
		return append_script(node, question);
	return rlk_dialect_append(&node->conn, node->way, question->argv, question->argc, NULL);
}

bool rlk_node_append_release(rlk_conn *conn, rlk_str key, rlk_str token)
{
	const rlk_str args[] = { key, token };

	if (!conn->refuses_scripts)
		return rlk_conn_append_eval(conn, true, &rlk_script_release, &key, 1, &token, 1, NULL);
	return rlk_dialect_has_commands(conn) && rlk_dialect_append(conn, conn->dialect, args, 2, NULL);
}

bool rlk_node_learn(rlk_node *node, const rlk_reply *reply)
{
	if (rlk_reply_is_error(reply, "NOSCRIPT")) {
		node->knows = 0;
		return true;
	}
	return rlk_dialect_learn(&node->conn, reply);
}

/* A server that tells users apart asks for a password. */
bool rlk_node_must_try(const rlk_node *node)
{
	return !node->releases && node->conn.server->password != NULL && !rlk_dialect_takes_scripts(node->conn.server);
}

void rlk_node_understood(rlk_node *node)
{
	node->releases = true;
	if (!node->conn.refuses_scripts)
		rlk_dialect_note_scripts(node->conn.server);
}

void rlk_node_has_no_way(rlk_node *node)
{
	rlk_error_clear(&node->error);
	rlk_error_set(&node->error, RLK_ERR_AUTH, 0, RLK_DIALECT_MISSING);
}
