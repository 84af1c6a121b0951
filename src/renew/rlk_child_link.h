/*
 * rlk_child_link: the child's own connection to one server, in clear or with TLS, never blocking.
 *
 * Requests of many locks are gathered and leave in one write. Replies come
 * back in order and are handed to the child one by one. A link that breaks or
 * stays silent is closed; everything under way on it is reported as unanswered.
 */
#ifndef RLK_CHILD_LINK_H
#define RLK_CHILD_LINK_H

#include "renew/rlk_area.h"
#include "net/rlk_conn.h"
#include "net/rlk_resp.h"
#include "redis/rlk_script.h"

#define RLK_LINK_OUT_BYTES (256u << 10)
#define RLK_LINK_IN_BYTES 4096u
#define RLK_LINK_OPS_MAX 2048u
/* Pauses between attempts to connect or to repeat a refused renewal: doubled from the first to the last. */
#define RLK_LINK_BACKOFF_FIRST_MS 10
#define RLK_LINK_BACKOFF_LAST_MS 1000

typedef enum {
	RLK_LINK_CLOSED,
	RLK_LINK_CONNECTING,
	RLK_LINK_SHAKING, /* hands, with TLS */
	RLK_LINK_INTRODUCING,
	RLK_LINK_READY
} rlk_link_state;

typedef enum {
	RLK_OP_RENEW,
	RLK_OP_RELEASE,
	RLK_OP_REST,
	RLK_OP_REPLICATE, /* a renewal, which replicas must have */
	RLK_OP_WAKE,      /* a release of what we have lost, for the sake of those who wait */
	RLK_OP_ASKING,    /* stands in front of another one, in a Cluster */
	RLK_OP_LOCATE     /* a question to a sentinel; the slot is the number of the peer */
} rlk_op_kind;

/* One request under way, and what its reply has to be measured against. */
typedef struct {
	uint32_t slot;
	uint32_t tenancy;
	uint32_t epoch;
	rlk_op_kind kind;
	rlk_dialect dialect; /* the link's when it was queued */
	int64_t ttl_ms;
	int64_t sent_at_ms;
	int64_t blocked_ms;    /* it may take this much longer than others */
	int64_t renewed_at_ms; /* REPLICATE: when the renewal was sent */
} rlk_op;

typedef struct {
	rlk_peer *peer; /* NULL: this link was never used */
	rlk_link_state state;
	int fd;
	rlk_tls *tls;                 /* NULL: in clear, or not connected */
	rlk_socket_event flush_wants; /* what a flush waits for that has not sent everything */
	int address;                  /* index of the address tried or connected to */
	int rounds;                   /* times all of several addresses have been tried in vain since the last connection */
	int64_t deadline_at_ms;       /* CONNECTING to INTRODUCING: give up then */
	int64_t retry_at_ms;          /* CLOSED: not before */
	int64_t closed_at_ms;         /* CLOSED: since then; 0: it was never open */
	int backoff_ms;
	uint32_t handshake_left;       /* replies of the handshake still to come */
	bool proved;                   /* the server has answered something on this connection */
	bool knows[2];                 /* the server has cached renew.lua, release.lua since we connected */
	rlk_dialect dialect;           /* what to use instead of scripts, which it refuses; RLK_DIALECT_NONE: nothing yet */
	uint32_t ops_first, ops_count; /* ring of requests under way */
	uint32_t out_len, out_sent, in_len;
	rlk_op ops[RLK_LINK_OPS_MAX];
	char out[RLK_LINK_OUT_BYTES];
	char in[RLK_LINK_IN_BYTES];
} rlk_link;

typedef struct {
	/* A reply, or NULL when the link broke before it came. */
	void (*answered)(void *arg, const rlk_op *op, const rlk_reply *reply);
	void *arg;
} rlk_link_listener;

/* Starts connecting if the link is closed and its pause is over. */
void rlk_link_open(rlk_link *link, rlk_peer *peer, int64_t now_ms);

/* Queues one script call. false: no room until replies have come in. */
bool rlk_link_queue(rlk_link *link, const rlk_op *op, const rlk_script *script, const rlk_str *keys, size_t key_count,
	const rlk_str *args, size_t arg_count);

/* The same for any other command. */
bool rlk_link_queue_command(rlk_link *link, const rlk_op *op, const rlk_str *argv, size_t argc);

/* Sends what is queued; returns the number of send() calls that carried something. */
int rlk_link_flush(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms);

/* Call when poll() says the descriptor is ready: connects on, reads replies. */
void rlk_link_advance(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms);

/* Closes a link that has been silent too long. */
void rlk_link_check_time(rlk_link *link, const rlk_link_listener *listener, int64_t now_ms);

/* When rlk_link_check_time() or rlk_link_open() has something to do next. RLK_NEVER: not by itself. */
int64_t rlk_link_next_at(const rlk_link *link);

/* What poll() has to wait for: a mask of rlk_socket_event, 0 when closed. */
int rlk_link_events(const rlk_link *link);

#endif
