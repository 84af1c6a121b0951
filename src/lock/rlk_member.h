/*
 * rlk_member: one server of a quorum: its connection, which nothing here waits for.
 *
 * It knows nothing of rounds and votes: those are in rlk_quorum.h, which describes what is done here and why.
 */
#ifndef RLK_MEMBER_H
#define RLK_MEMBER_H

#include "lock/rlk_doubts.h"
#include "lock/rlk_votes.h"
#include "redis/rlk_exchange.h"

/* Pauses before a server that failed is tried again: doubled from the first to the last. */
#define RLK_MEMBER_BACKOFF_FIRST_MS 100
#define RLK_MEMBER_BACKOFF_LAST_MS 2000

/* A host name is resolved again only after a failure, and no sooner than this after the last time. */
#define RLK_MEMBER_RESOLVE_MS 10000

typedef enum { RLK_MEMBER_CLOSED, RLK_MEMBER_OPENING, RLK_MEMBER_READY } rlk_member_state;

/* "Outstanding" replies are those to requests of earlier rounds: the connection's unread ones. */
typedef struct {
	rlk_conn conn;
	rlk_addresses addresses;
	int64_t resolved_at_ms; /* 0: not yet */
	rlk_query *query;       /* OPENING: its name is being looked up, and the connection still closed; else NULL */
	rlk_member_state state;
	bool suspect;                 /* it failed: the next connection begins with a PING, and no round waits for it */
	bool pings;                   /* the connection was opened with a PING */
	int backoff_ms;               /* 0: it has not failed lately */
	int64_t retry_at_ms;          /* CLOSED: not before, unless it is needed */
	int64_t connecting_since_ms;  /* OPENING: since when */
	int64_t outstanding_since_ms; /* READY, with outstanding replies: when the oldest was asked for, or later */
	rlk_exchange exchange;        /* of this round */
	rlk_doubts doubts;
	rlk_error error; /* why it gave no answer the last time; code RLK_ERR_NONE: it did */
} rlk_member;

/* Closes, drains or pools the connections; what was sent still arrives. */
void rlk_member_end(rlk_member *member, int64_t now_ms);

/* Between rounds: reads outstanding replies, applies the time limits, and connects when a pause is over. */
void rlk_member_maintain(rlk_member *member, int64_t now_ms);

/* Starts to connect, its name being looked up first, and goes on when what is watched is ready or its time is over. Neither
 * waits. */
void rlk_member_connect(rlk_member *member, int64_t now_ms);
void rlk_member_advance(rlk_member *member, bool ready, int64_t now_ms);
int64_t rlk_member_advance_at(const rlk_member *member);
rlk_socket_watched rlk_member_watched(const rlk_member *member);

/* Closes the connection, or ends the lookup of the name. */
void rlk_member_close(rlk_member *member);

/* A connection that had worked broke, which says little about the server: connects again at once. */
void rlk_member_reconnect(rlk_member *member, int64_t now_ms);

/* Closes the connection and leaves the server alone for a while. */
void rlk_member_back_off(rlk_member *member, int64_t now_ms);

/* The connection is of no use, or silent for too long: sends the pending releases behind what is unanswered, then has it
 * drained, and backs off. */
void rlk_member_give_up(rlk_member *member, int64_t now_ms);
void rlk_member_time_out(rlk_member *member, int64_t now_ms);

void rlk_member_set_error(rlk_member *member, rlk_error_code code, const char *text);

/* How long a round waits for it to connect. */
int rlk_member_connect_limit_ms(const rlk_member *member);

/* Late with replies, or with too many pending releases: it gets no further acquisition while others suffice. */
bool rlk_member_is_lagging(const rlk_member *member, int64_t now_ms);

/* Makes all replies still to come outstanding ones. */
void rlk_member_leave_outstanding(rlk_member *member, int64_t now_ms);

/* On a READY connection: sends the pending releases that are due. */
void rlk_member_send_pending(rlk_member *member, int64_t now_ms);

#endif
