/*
 * rlk_pool: idle connections kept for the next object or request that needs one like it.
 *
 * Like it means: the same server and the same handshake, that is user,
 * password, database and client name, and what TLS is told and verifies. What was kept is used only when it is
 * provably idle, which the socket tells without a round trip. One pool per
 * thread.
 */
#ifndef RLK_POOL_H
#define RLK_POOL_H

#include "net/rlk_conn.h"

typedef struct rlk_pooled rlk_pooled;

struct rlk_pool {
	rlk_pooled *first; /* put last first, since that is the freshest */
	int count;
};

/* A process has few servers, and few connections to one at a time. Beyond this the oldest is closed. */
#define RLK_POOL_MAX 16

/* A process that has not locked anything for a minute gives the server its connection back. */
#define RLK_POOL_IDLE_MS 60000

/* Moves the connection into the pool if it is fit to be used again, else closes it. conn is closed afterwards. */
void rlk_pool_put(rlk_pool *pool, rlk_conn *conn);

/* The same for one whose unread replies are on their way: whoever takes it reads them in passing. */
void rlk_pool_put_unread(rlk_pool *pool, rlk_conn *conn);

/* Moves one that fits conn's server into conn, which is closed, and looks whether it is fit for use: it has been out of
 * sight. Where a connection has just turned out to be dead that looked alive, the others may be no better. false: there is
 * none. */
bool rlk_pool_take(rlk_pool *pool, rlk_conn *conn);

/* Closes what has been idle for too long. */
void rlk_pool_tend(rlk_pool *pool);

/* Closes everything, saying nothing. Also right in a forked copy. */
void rlk_pool_clear(rlk_pool *pool);

/* Puts a connection that is done with into its pool, or closes it where it has none. */
void rlk_pool_give_back(rlk_conn *conn);

#endif
