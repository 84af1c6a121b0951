/*
 * rlk_doubts: the tokens that one server of a quorum may hold although it never said so, and their pending releases.
 *
 * A release is sent on the connection that carried the acquisition, where TCP's order has it run behind that, or first on
 * the next connection if that one broke. It is confirmed once the server has answered everything that was asked up to
 * then. None is pending for a lock that is held: it would end what this server may have confirmed meanwhile.
 *
 * rlk_member tells what happens to its connection, and the round what was not answered: the events below. Nothing else
 * decides about a release.
 */
#ifndef RLK_DOUBTS_H
#define RLK_DOUBTS_H

#include "redis/rlk_exchange.h"

/* The release of a token, for a server that may hold it. */
typedef struct {
	rlk_str key, token;
	int64_t
		ttl_ms; /* of the key; 0: none. What may set it may be executed late: the release is kept for twice as long */
} rlk_release;

/* A server with more of them gets no further acquisitions. */
#define RLK_DOUBTS_MANY 256

/* A connection that nobody waits for any more is opened, or drained, for so long at least. */
#define RLK_DOUBTS_BACKGROUND_MS 1000

typedef struct rlk_pending rlk_pending;

/* Empty when all zero. */
typedef struct {
	rlk_pending *first; /* newest first */
	unsigned count;
} rlk_doubts;

/* Forgets all. */
void rlk_doubts_end(rlk_doubts *doubts);

/* --- events --------------------------------------------------------------------------------------- */

/* The server did not answer, and may hold the token. `sent_on`: the release, or what it is about, was sent on that
 * connection, whose next replies confirm it; NULL or closed: it has to be sent. Without memory for it the key is left to its ttl. */
void rlk_doubts_unanswered(rlk_doubts *doubts, const rlk_release *release, const rlk_conn *sent_on);

/* The connection is ready: queues the releases that are due and not sent yet. true: there were some. */
bool rlk_doubts_ready(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms);

/* Is there one to be sent on the next connection? */
bool rlk_doubts_are_due(const rlk_doubts *doubts);

/* A reply to an earlier request has come on the connection, which has counted it. */
void rlk_doubts_answered(rlk_doubts *doubts, const rlk_conn *conn, const rlk_reply *reply);

/* The connection broke, or was closed. What it carried has run by now, or never will: the releases are due on the next one. */
void rlk_doubts_broke(rlk_doubts *doubts);

/* The connection is given up, with requests unanswered: sends the releases behind them, and has it drained. If it is closed
 * already, the releases are due on the next one. */
void rlk_doubts_given_up(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms);

#endif
