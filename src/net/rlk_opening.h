/*
 * rlk_opening: opens a connection without ever waiting, for whoever waits for several at once, or for something else.
 *
 * rlk_conn_ready() opens one and blocks until it is open. Here the same steps
 * are taken one by one, each when poll() says so: connect, to one address
 * after the other; then AUTH, SELECT, CLIENT SETNAME, which either leave in one
 * write with the first request, or are awaited together with a PING, whose
 * answer proves that somebody is at work behind a socket that merely accepts.
 */
#ifndef RLK_OPENING_H
#define RLK_OPENING_H

#include "net/rlk_address.h"
#include "net/rlk_conn.h"

typedef struct {
	rlk_addresses addresses;
	int64_t resolved_at_ms; /* 0: not yet */
	int address;            /* the one tried or connected to */
	bool connecting;        /* not yet connected */
	bool proves;            /* with a PING */
	unsigned introduced;    /* OPEN: replies awaited to what is said first, and not sent yet; 0 after a PING */
} rlk_opening;

typedef enum { RLK_OPENING_PENDING, RLK_OPENING_OPEN, RLK_OPENING_FAILED } rlk_opening_result;

/* Starts to open a closed connection; one from its pool is open at once, and may have unread replies to what its last
 * user asked. Resolving a host name blocks, and is done once and again only after a failure, RLK_OPENING_RESOLVE_MS
 * later at the earliest. FAILED: *err says why, conn is closed. */
#define RLK_OPENING_RESOLVE_MS 10000
rlk_opening_result rlk_opening_begin(rlk_opening *opening, rlk_conn *conn, bool proves, rlk_error *err);

/* Instead of resolving: to where `to` is connected, since a name service may take its time. A unix socket may be known by
 * another path to the server that made it, hence by its own. false: `to` is over. */
bool rlk_opening_aim(rlk_opening *opening, const rlk_conn *to, rlk_error *err);

/* Goes on when the descriptor is ready. Results as above. */
rlk_opening_result rlk_opening_advance(rlk_opening *opening, rlk_conn *conn, rlk_error *err);

/* An OPEN one becomes like those of rlk_conn_open(), since others may take it from the pool. */
void rlk_opening_settle(rlk_conn *conn);

/* What poll() has to wait for while PENDING: a mask of rlk_socket_event. */
int rlk_opening_events(const rlk_opening *opening, const rlk_conn *conn);

/* The same for a connection that is open, awaits replies and may have something left to send. */
int rlk_opening_wants(const rlk_conn *conn);

#endif
