/*
 * rlk_pool: idle connections kept for the next object or request that needs one like it.
 *
 * "Like it": with the same server, handshake (user, password, database, client
 * name) and TLS options. A kept connection is used only if its socket shows,
 * without a round trip, that it is still open and idle. One pool per thread.
 */
#ifndef RLK_POOL_H
#define RLK_POOL_H

#include "net/rlk_conn.h"

typedef struct rlk_pooled rlk_pooled;

struct rlk_pool {
	rlk_pooled *first; /* put last first: it is the freshest */
	int count;
};

/* A process has few servers, and few connections to each at a time. Beyond this the oldest is closed. */
#define RLK_POOL_MAX 16

/* A process without locks for a minute gives its connections back to the server. */
#define RLK_POOL_IDLE_MS 60000

/* Gives up a connection, which is closed afterwards. The pool takes it if it is fit to be used again: unread replies may be on their
 * way, which the next user reads before its own. If nobody may use it behind those, as behind a blocking command or a reply that a
 * listener needs, it goes to the drain list. Else, and without a pool, it is closed. */
void rlk_pool_put(rlk_conn *conn);

/* Moves a connection like *conn, which is closed, from the pool into *conn, and checks that it is fit for use. false:
 * there is none, or *conn has just turned out to be stale, and the others may be, too. */
bool rlk_pool_take(rlk_conn *conn);

/* Closes connections that are idle for too long. */
void rlk_pool_tend(rlk_pool *pool);

/* Closes all connections, sending nothing. Also right in a forked copy. */
void rlk_pool_clear(rlk_pool *pool);

#endif
