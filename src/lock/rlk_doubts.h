/*
 * rlk_doubts: the tokens that one server of a quorum may hold although it never said so, and their pending releases.
 *
 * A release is sent on the connection that carried the acquisition, where TCP's order has it run behind that, or first on
 * the next connection if that one broke. It is confirmed once the server has answered everything that was asked up to
 * then.
 *
 * If the lock was acquired all the same, by the votes of others, the release is *deferred* until the lock ends: asked
 * again over another connection, this server may by then have confirmed the key, and been counted. A connection that is
 * given up with such a request unanswered is *laid aside* until then.
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
	int64_t until_ms; /* the key has expired by then */
} rlk_release;

/* A server with more of them gets no further acquisitions. */
#define RLK_DOUBTS_MANY 256

/* A connection that nobody waits for any more is opened, or drained, for so long at least. */
#define RLK_DOUBTS_BACKGROUND_MS 1000

typedef struct rlk_pending rlk_pending;

/* Empty when all zero, but for `aside`, which rlk_conn_init() prepares. */
typedef struct {
	rlk_pending *first; /* newest first */
	unsigned count;
	rlk_conn aside; /* the connection laid aside, else closed */
} rlk_doubts;

/* Forgets all. What was sent on the connection laid aside still arrives, unless `forked`: then it is the parent's. */
void rlk_doubts_end(rlk_doubts *doubts, bool forked, int64_t now_ms);

/* Queues the release on a connection: by text, since nobody could repeat it for a server that does not know the script. */
bool rlk_release_append(const rlk_release *release, rlk_conn *conn);

/* --- events --------------------------------------------------------------------------------------- */

/* The server did not answer, and may hold the token. `sent_on`: the release, or what it is about, was sent on that
 * connection, whose next replies confirm it; NULL or closed: it has to be sent. Without memory for it the key is left to its ttl. */
void rlk_doubts_unanswered(rlk_doubts *doubts, const rlk_release *release, bool deferred, const rlk_conn *sent_on);

/* The connection is ready: queues the releases that are due and not sent yet. true: there were some. */
bool rlk_doubts_ready(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms);

/* Is there one to be sent on the next connection? */
bool rlk_doubts_are_due(const rlk_doubts *doubts);

/* A reply to an earlier request has come on the connection, which has counted it. */
void rlk_doubts_answered(rlk_doubts *doubts, const rlk_conn *conn, const rlk_reply *reply);

/* The connection broke, or was closed. What it carried has run by now, or never will: the release of a lock that is held
 * finds it, and the others are due on the next connection. */
void rlk_doubts_broke(rlk_doubts *doubts);

/* The connection is given up, with requests unanswered: sends the releases behind them, and has it drained or laid aside.
 * If it is closed already, the releases are due on the next one. */
void rlk_doubts_given_up(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms);

/* Is a release deferred, of a lock whose key has not expired? */
bool rlk_doubts_defer_any(const rlk_doubts *doubts);

/* The lock with this token ends, and its deferred releases are due. `follows`: the caller sends one on the connection, which
 * needs no second one ahead of it. true: another one was sent, or is due, which may run before one that the caller sends. */
bool rlk_doubts_lock_ended(rlk_doubts *doubts, const rlk_release *release, bool follows);

/* Time has passed: has the connection laid aside drained if no lock waits for it any more. */
void rlk_doubts_pass_time(rlk_doubts *doubts, int64_t now_ms);

#endif
