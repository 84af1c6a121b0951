/*
 * rlk_doubts: the tokens that one server of a quorum may hold although it never said so, and their pending releases.
 *
 * A release is sent on the connection of the acquisition, behind it, or first on the next connection if that one broke.
 * It is confirmed when the server has answered all requests up to then. A lock that is held has no pending release,
 * which would end what this server may have confirmed meanwhile. rlk_member reports what happens to its connection, and
 * the round which requests were not answered, by the functions below. Nothing else decides on a release.
 */
#ifndef RLK_DOUBTS_H
#define RLK_DOUBTS_H

#include "redis/rlk_exchange.h"

/* The release of a token, for a server that may hold it. */
typedef struct {
	rlk_str key, token;
	int64_t
		ttl_ms; /* ttl of the key; 0: none. The request that sets the key may be executed late, so the release is kept for twice as long */
} rlk_release;

/* A server with more pending releases gets no further acquisitions. */
#define RLK_DOUBTS_MANY 256

/* A connection that nobody waits for any more is opened, or drained, for at least this time. */
#define RLK_DOUBTS_BACKGROUND_MS 1000

typedef struct rlk_pending rlk_pending;

/* Empty when all zero. */
typedef struct {
	rlk_pending *first; /* newest first */
	unsigned count;
} rlk_doubts;

/* Forgets all pending releases. */
void rlk_doubts_end(rlk_doubts *doubts);

/* --- events --------------------------------------------------------------------------------------- */

/* Notes that the server did not answer, and may hold the token. `sent_on`: the connection on which the release, or the
 * request before it, was sent, and whose next replies confirm it; NULL or closed: the release has to be sent. Without
 * memory for it the key is left to its ttl. */
void rlk_doubts_unanswered(rlk_doubts *doubts, const rlk_release *release, const rlk_conn *sent_on);

/* Called when the connection is ready: queues the releases that are due and not sent yet. true: there were some. */
bool rlk_doubts_ready(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms);

/* Is there a release to be sent on the next connection? */
bool rlk_doubts_are_due(const rlk_doubts *doubts);

/* Called when a reply to an earlier request has come, which the connection has counted. */
void rlk_doubts_answered(rlk_doubts *doubts, const rlk_conn *conn, const rlk_reply *reply);

/* Called when the connection broke, or was closed. Its requests have run by now, or never will: the releases are due on
 * the next connection. */
void rlk_doubts_broke(rlk_doubts *doubts);

/* Gives up the connection, with requests unanswered: sends the releases behind them, and drains the connection. If it
 * is closed already, the releases are due on the next one. */
void rlk_doubts_given_up(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms);

#endif
