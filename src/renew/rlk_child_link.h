/*
 * rlk_child_link: the child's own connection to one server, over memory that it has from the beginning.
 *
 * Requests of many locks are gathered and leave in one write. Replies come
 * back in order and are handed to the child one by one. A link that breaks or
 * stays silent is closed; everything under way on it is reported as unanswered.
 */
#ifndef RLK_CHILD_LINK_H
#define RLK_CHILD_LINK_H

#include "redis/rlk_call.h"
#include "renew/rlk_area.h"

#define RLK_LINK_OUT_BYTES (256u << 10)
#define RLK_LINK_OPS_MAX 2048u
/* Pauses between attempts to connect or to repeat a refused renewal: doubled from the first to the last. */
#define RLK_LINK_BACKOFF_FIRST_MS 10
#define RLK_LINK_BACKOFF_LAST_MS 1000

typedef enum {
	RLK_OP_RENEW,
	RLK_OP_RELEASE,
	RLK_OP_REST,
	RLK_OP_REPLICATE, /* a renewal, which replicas must have */
	RLK_OP_WAKE,      /* a release of what we have lost, for the sake of those who wait */
	RLK_OP_ASKING,    /* stands in front of another one, in a Cluster */
	RLK_OP_LOCATE     /* a question to a sentinel; the slot is the number of the peer, the epoch that of the sentinel */
} rlk_op_kind;

/* One request under way, and what its reply has to be measured against. */
typedef struct {
	uint32_t slot;
	uint32_t tenancy;
	uint32_t epoch;
	rlk_op_kind kind;
	rlk_dialect dialect; /* in which it was said */
	int64_t ttl_ms;
	int64_t sent_at_ms;
	int64_t blocked_ms;    /* it may take this much longer than others */
	int64_t renewed_at_ms; /* REPLICATE: when the renewal was sent */
} rlk_op;

typedef struct {
	rlk_peer *peer; /* NULL: this link was never used */
	rlk_conn conn;  /* over the memory below */
	rlk_addresses addresses;
	int64_t retry_at_ms;           /* closed: not before */
	int64_t closed_at_ms;          /* closed: since then; 0: it was never open */
	int64_t avoided_until_ms;      /* open, to a node of a Cluster that cannot say: others are asked until then */
	int backoff_ms;                /* not 0: the last attempts came to nothing */
	bool proved;                   /* the server has answered something on this connection */
	rlk_dialect dialect;           /* rlk_dialect_of() the server, on the next connection, too */
	bool knows[2];                 /* the server has cached renew.lua, release.lua since we connected */
	uint32_t ops_first, ops_count; /* ring of requests under way */
	rlk_op ops[RLK_LINK_OPS_MAX];
	rlk_reader reader;
	char out[RLK_LINK_OUT_BYTES];
} rlk_link;

static inline bool rlk_link_is_closed(const rlk_link *link)
{
	return link->conn.state == RLK_CONN_STATE_CLOSED;
}

/* May requests be queued? */
static inline bool rlk_link_is_ready(const rlk_link *link)
{
	return link->conn.state == RLK_CONN_STATE_OPEN && link->conn.handshake == 0;
}

typedef struct {
	/* A reply, or NULL when the link broke before it came. */
	void (*answered)(void *arg, const rlk_op *op, const rlk_reply *reply);
	void *arg;
} rlk_link_listener;

/* The next of pauses that are doubled from the first to the last; *pause_ms is 0 before the first. */
static inline int rlk_link_longer(int *pause_ms, int first_ms, int last_ms)
{
	*pause_ms = *pause_ms == 0 ? first_ms : *pause_ms * 2;
	if (*pause_ms > last_ms)
		*pause_ms = last_ms;
	return *pause_ms;
}

/* Starts connecting, for so long at most, if the link is closed and its pause is over. */
void rlk_link_open(rlk_link *link, rlk_peer *peer, int64_t connect_ms, int64_t now_ms);

/* Queues a request. false: no room until replies have come in. */
bool rlk_link_queue(rlk_link *link, const rlk_op *op, const rlk_request *request);

/* Sends what is queued; returns the number of send() calls that carried something. */
int rlk_link_flush(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms);

/* Call when poll() says the descriptor is `ready`: connects on, reads replies. */
void rlk_link_advance(rlk_link *link, bool ready, const rlk_link_listener *listener, int64_t now_ms);

/* Closes a link that has been silent too long, and has the next address tried of one that connects. */
void rlk_link_check_time(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms);

/* When rlk_link_check_time() or rlk_link_open() has something to do next. RLK_NEVER: not by itself. */
int64_t rlk_link_next_at(const rlk_link *link);

#endif
