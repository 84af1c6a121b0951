/*
 * rlk_quorum_own: one member in a round: asked, asked again in another way or over another connection, and heard.
 * For rlk_quorum_ask.c, which asks them all.
 */
#ifndef RLK_QUORUM_OWN_H
#define RLK_QUORUM_OWN_H

#include "lock/rlk_quorum.h"

/* A round under way. */
typedef struct {
	rlk_quorum *quorum;
	const rlk_operation *op;
	uint32_t reconnected; /* servers whose connection broke and was opened again in this round */
	uint32_t repeated;    /* those of them that may have done what was asked the first time */
	uint32_t adopting;    /* servers that are asked whether they have done it before */
} rlk_round_state;

/* Sends the request to a READY member that has a vote. */
void rlk_round_send(rlk_round_state *r, int i, int64_t now_ms);

/* The descriptor of a READY member is ready: sends what is left, reads what there is. */
void rlk_round_read(rlk_round_state *r, int i, int64_t now_ms);

/* The member gives no answer in this round. `said`: its request is still under way on the connection. */
void rlk_round_add_pending(rlk_round_state *r, int i, bool held, bool said);

#endif
