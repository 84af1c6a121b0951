/*
 * rlk_nodes_own: one server's part in a round: asked, asked again in another way or over another connection, and heard.
 * For rlk_nodes_ask.c, which asks them all.
 */
#ifndef RLK_NODES_OWN_H
#define RLK_NODES_OWN_H

#include "lock/rlk_nodes.h"

/* A round under way. */
typedef struct {
	rlk_nodes *nodes;
	const rlk_operation *op;
	uint32_t redialled; /* servers whose connection broke and was opened again in this round */
	uint32_t repeated;  /* those of them that may have done what was asked the first time */
	uint32_t adopting;  /* servers that are asked whether they have done it before */
} rlk_nodes_round;

/* Sends the question to a READY server that has a vote. */
void rlk_node_round_send(rlk_nodes_round *r, int i, int64_t now_ms);

/* The descriptor of a READY server is ready: sends what is left, reads what there is. */
void rlk_node_round_read(rlk_nodes_round *r, int i, int64_t now_ms);

/* The server gives no answer in this round. `said`: its question is still under way on the connection. */
void rlk_node_round_add_pending(rlk_nodes_round *r, int i, bool held, bool said);

#endif
