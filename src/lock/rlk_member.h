/*
 * rlk_member: one server of a quorum, with its connection. Nothing here waits for the connection.
 *
 * Rounds and votes are not known here: rlk_quorum.h describes them, and the reasons.
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

/*
 *     CLOSED -> RESOLVING -> OPENING -> READY      the name is looked up; the connection opens; requests may be sent
 *     CLOSED <--------------------------+          it failed, or was given up: left alone for a while, unless it is needed
 *
 * The name is looked up once, and again after failures. A server that failed has to answer a PING before it is READY.
 */
typedef enum { RLK_MEMBER_CLOSED, RLK_MEMBER_RESOLVING, RLK_MEMBER_OPENING, RLK_MEMBER_READY } rlk_member_state;

/* "Outstanding" replies are those to requests of earlier rounds: the connection's unread ones. */
typedef struct {
	rlk_conn conn;
	rlk_addresses addresses;
	int64_t resolved_at_ms; /* 0: not yet */
	rlk_query *query;       /* RESOLVING; else NULL */
	rlk_member_state state;
	/* CLOSED: when it failed. RESOLVING, OPENING: when that began. READY, with outstanding replies: when the oldest was asked
	 * for, or later. */
	int64_t since_ms;
	int backoff_ms; /* how long the server is left alone while CLOSED, and no round waits for it; 0: it has not failed lately */
	rlk_doubts doubts;
	rlk_error error; /* why the server gave no answer the last time; code RLK_ERR_NONE: it did */
} rlk_member;

/* Closes, drains or pools the connections; bytes that were sent still arrive. */
void rlk_member_end(rlk_member *member, int64_t now_ms);

/* Between rounds: reads outstanding replies, applies the time limits, and connects when a pause is over. */
void rlk_member_maintain(rlk_member *member, int64_t now_ms);

static inline bool rlk_member_is_connecting(const rlk_member *member)
{
	return member->state == RLK_MEMBER_RESOLVING || member->state == RLK_MEMBER_OPENING;
}

/* The first starts to connect, the second goes on when a watched event has come or its time is over. Neither waits. */
void rlk_member_connect(rlk_member *member, int64_t now_ms);
void rlk_member_advance(rlk_member *member, bool ready, int64_t now_ms);

/* The point in time of the next call, unless a watched event comes: RLK_NEVER, except while it connects. */
int64_t rlk_member_advance_at(const rlk_member *member);
rlk_socket_watched rlk_member_watched(const rlk_member *member);

/* Closes the connection, or ends the lookup of the name. */
void rlk_member_close(rlk_member *member);

/* Called when a connection that had worked broke, which says little about the server: connects again at once. */
void rlk_member_reconnect(rlk_member *member, int64_t now_ms);

/* Closes the connection and leaves the server alone for a while. */
void rlk_member_back_off(rlk_member *member, int64_t now_ms);

/* Called when the connection is useless, or silent for too long: sends the pending releases behind the unanswered
 * requests, drains the connection, and backs off. */
void rlk_member_give_up(rlk_member *member, int64_t now_ms);
void rlk_member_time_out(rlk_member *member, int64_t now_ms);

void rlk_member_set_error(rlk_member *member, rlk_error_code code, const char *text);

/* The time until which a round waits for it to connect. */
int64_t rlk_member_connects_until_ms(const rlk_member *member);

/* Is the server late with replies, or has it too many pending releases? Then it gets no further acquisition while
 * others suffice. */
bool rlk_member_is_lagging(const rlk_member *member, int64_t now_ms);

/* Makes all replies still to come outstanding ones. */
void rlk_member_leave_outstanding(rlk_member *member, int64_t now_ms);

/* For a READY connection: sends the pending releases that are due. */
void rlk_member_send_pending(rlk_member *member, int64_t now_ms);

#endif
