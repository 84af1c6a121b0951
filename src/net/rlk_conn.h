/*
 * rlk_conn: a connection to one server: open, authenticated, right database.
 *
 * Every operation ends by its deadline, whatever the server or signals do. A connection remembers the process that
 * opened it; a forked copy closes it without sending anything into the conversation of the parent. A connection whose
 * replies were not read (a timeout, a longjmp through the caller) is not used again; the next use opens a new one.
 */
#ifndef RLK_CONN_H
#define RLK_CONN_H

#include "base/rlk_deadline.h"
#include "base/rlk_error.h"
#include "base/rlk_os.h"
#include "base/rlk_str.h"
#include "net/rlk_address.h"
#include "net/rlk_drain.h"
#include "net/rlk_expected.h"
#include "net/rlk_reply.h"
#include "net/rlk_server.h"
#include "net/rlk_socket.h"
#include "net/rlk_tls.h"

#include <stdint.h>

/* Does the server have a command that compares and deletes? See rlk_dialect.h. */
typedef enum {
	RLK_DIALECT_NEW,    /* not asked yet; nothing was acquired over this connection */
	RLK_DIALECT_USED,   /* not asked yet, after one acquisition: too early to know whether a probe will pay */
	RLK_DIALECT_ASKED,  /* the reply to a probe is among the unread */
	RLK_DIALECT_NONE,   /* no such command, or this user may not call it */
	RLK_DIALECT_DELEX,  /* DELEX key IFEQ value: Redis 8.4 */
	RLK_DIALECT_DELIFEQ /* DELIFEQ key value: Valkey 9.0 */
} rlk_dialect;

/* Has the server answered over this connection? If so, a failure may mean that a server, proxy or balancer closed the
 * idle connection. */
typedef enum {
	RLK_CONN_UNUSED,   /* no reply yet but those to the handshake */
	RLK_CONN_ANSWERED, /* a reply has come since the last request was sent */
	RLK_CONN_REUSED    /* a request was sent after earlier replies, and nothing has come since */
} rlk_conn_usage;

typedef enum {
	RLK_CONN_STATE_CLOSED,
	RLK_CONN_STATE_CONNECTING,
	RLK_CONN_STATE_TLS, /* in the handshake of TLS */
	RLK_CONN_STATE_OPEN /* the handshake is queued or sent, and requests may follow it; its replies may be to come */
} rlk_conn_state;

/* What a connection has found out about its server and user. */
typedef struct {
	rlk_dialect dialect;
	bool refuses_blocking; /* the server, or a proxy before it, refuses blocking commands */
	bool take_sent;        /* set_take.lua went over it as text */
	int check_failures;    /* in a row, at the end of the last wait: see rlk_wait_check.h */
} rlk_conn_known;

/* When does opening end? */
typedef enum {
	RLK_CONN_WHEN_CONNECTED, /* as soon as a request may be sent behind the handshake */
	RLK_CONN_WHEN_ANSWERED,  /* the handshake was answered */
	RLK_CONN_WHEN_ALIVE,     /* a PING was answered, too: a process serves the socket, and does not merely accept */
	RLK_CONN_WHEN_MASTER     /* ROLE says that the server is a master, or this user may not ask */
} rlk_conn_when;

/* Progress through the addresses while connecting. */
typedef struct {
	const rlk_addresses *addresses; /* borrowed */
	rlk_conn_when when;
	int tried, round; /* addresses tried in this round, the present one included; rounds before it */
	bool silent;      /* an address of this round timed out, rather than refused */
	int sys_errno;    /* of the last one that refused */
	int64_t attempt_until_ms, until_ms;
} rlk_opening;

typedef struct rlk_pool rlk_pool;
typedef struct rlk_topology rlk_topology;

typedef struct rlk_conn {
	const rlk_server *server; /* borrowed; NULL in the renewal child, which queues its handshake itself */
	rlk_drain_list *drain;    /* borrowed; NULL: nothing is drained */
	rlk_pool *pool;           /* borrowed; looked into before opening; NULL: none */
	const rlk_hooks
		*hooks; /* borrowed; the host in whose loop long waits are; NULL: they block. Only suspend() is called */
	rlk_topology *topology; /* borrowed; chooses the server, see rlk_topology.h; NULL: there is but one */
	struct rlk_conn
		*sentinel;    /* the connection to a sentinel that is asked for the server, while this one opens; or NULL */
	int hash_slot;    /* in a Cluster: of the key that the connection is used for */
	bool send_asking; /* the server serves the slot only for requests with ASKING in front */

	rlk_conn_state state;
	rlk_opening opening;
	int address;                  /* index of the address tried or connected to; the next opening begins there */
	rlk_tls_context *tls_context; /* borrowed; NULL: opening loads that of `server` */
	int fd;                       /* RLK_SOCKET_NONE while closed */
	bool nonblocking;             /* of fd */
	rlk_tls *tls;                 /* NULL: in clear, or closed */
	long owner_pid;               /* process that opened fd */
	bool of_parent;               /* in a forked copy: of an operation that is the parent's, so it stays closed */
	bool keepalive;               /* see rlk_conn_enable_keepalive() */
	int receive_waits_ms; /* time limit of a blocking read, see rlk_conn_use_blocking_reads(); 0: no read may block */

	rlk_buf out;                 /* requests not yet handed to the system */
	bool corked;                 /* the system may still hold back a part, see rlk_conn_flush_corked() */
	rlk_reader *reader;          /* non-NULL while open */
	rlk_expected_queue expected; /* the replies to come: of the handshake, unread ones, then those awaited */
	uint64_t replies;            /* number of replies received over this connection */
	bool handshake_refused;      /* the server answered the handshake with an error: the connection is useless */

	rlk_conn_known known;

	rlk_conn_usage usage; /* of a closed connection: when it broke */
	bool undelivered;     /* the connection broke, and no byte of the last request had reached the server */
	size_t sent_bytes;    /* of the last flush */
	int64_t heard_at_ms;  /* when it was opened or came from the pool, or rlk_conn_try_read() last received something */
	int64_t sent_at_ms;   /* just before the last request was written */
	uint32_t opened, stale; /* counted in redis/rlk_exchange.c: opened; found unfit for use: closed, or owing a reply */
} rlk_conn;

/* Prepares a closed connection. Nothing is allocated, no I/O. */
void rlk_conn_init(rlk_conn *conn, const rlk_server *server, rlk_drain_list *drain);

/* Are there replies to come that the caller awaits? */
static inline bool rlk_conn_is_awaited(const rlk_conn *conn)
{
	/* Awaited replies are the last of the queue. */
	return conn->expected.entries > 0 &&
		rlk_expected_at(&conn->expected, conn->expected.entries - 1)->kind == RLK_EXPECTED_AWAITED;
}

/* Are there replies to come that nobody waits for? */
static inline bool rlk_conn_has_unread(const rlk_conn *conn)
{
	return rlk_expected_count(&conn->expected, RLK_EXPECTED_UNREAD) > 0;
}

/* Is one of the unread replies to a command that blocks, so that it may take long? */
bool rlk_conn_is_blocked(const rlk_conn *conn);

/* Are there replies to the handshake to come? */
static inline bool rlk_conn_shakes_hands(const rlk_conn *conn)
{
	return conn->expected.entries > 0 && conn->expected.entry[conn->expected.first].kind >= RLK_EXPECTED_AUTH;
}

/* Number of the last reply to come, counted as rlk_conn.replies. */
uint64_t rlk_conn_last_reply(const rlk_conn *conn);

/* The end of the time that the server has for the last request, within the deadline. Everything that belongs to that
 * request ends by then. */
static inline rlk_deadline rlk_conn_answers_until(const rlk_conn *conn, rlk_deadline deadline)
{
	return rlk_deadline_within(deadline, conn->sent_at_ms + conn->server->io_timeout_ms);
}

/* After a failed request: was the connection closed before the request was sent? */
bool rlk_conn_was_stale(const rlk_conn *conn, const rlk_error *why);

/* Five ways to be done with a connection. After each *conn is closed, and may be opened again; its listeners are told NULL,
 * but by the last.
 *
 *                            what is queued here    what the system has       the server's replies
 *     rlk_conn_close (*)     never leaves           is sent                   are lost
 *     rlk_conn_close_later   never leaves           is sent                   are lost
 *     rlk_conn_reset         never leaves           is dropped, if it can be  are lost
 *     rlk_conn_abandon       is sent                is sent                   are awaited on the drain list, and dropped
 *     rlk_pool_put           is sent                is sent                   are read by the next user of the server, or as above
 *
 * (*) With a request behind an unread reply as rlk_conn_abandon, without what is queued: a server that cannot write that reply reads no
 * further.
 */
void rlk_conn_close(rlk_conn *conn);

/* Leaves the closing itself, which takes longer than a quick acquisition, to the next rlk_drain_tend(). */
void rlk_conn_close_later(rlk_conn *conn);
void rlk_conn_reset(rlk_conn *conn);

/* Drains until the deadline. In a forked copy as rlk_conn_close(). */
void rlk_conn_abandon(rlk_conn *conn, int64_t deadline_at_ms);

/* After this time a blocking command has ended, and all requests behind it: they block for a minute at most. */
#define RLK_CONN_DRAINED_WITHIN_MS 65000

/* For a command that blocks: the system also finds out when the server vanishes. */
void rlk_conn_enable_keepalive(rlk_conn *conn);

/* Makes another connection, closed, with the same server, pool and topology. */
rlk_conn rlk_conn_like(const rlk_conn *conn);

/* Moves an open connection out of *conn, which becomes a connection as of rlk_conn_like(). rlk_conn_move_back() moves it
 * back, and closes what was opened instead. For handlers of the host, which may want to use *conn. */
rlk_conn rlk_conn_move_out(rlk_conn *conn);
void rlk_conn_move_back(rlk_conn *conn, rlk_conn *moved);

/* --- opening: rlk_conn_open.c ----------------------------------------------------------------- */

/* Appends address, TLS and handshake as bytes to compare: connections with equal bytes are interchangeable. */
bool rlk_conn_append_identity(const rlk_server *server, rlk_buf *out);

/* How long the first round waits for one address before the next is tried: the Connection Attempt Delay of RFC 8305. */
#define RLK_CONN_ATTEMPT_MS 100

typedef enum { RLK_CONN_CONNECTING, RLK_CONN_OPEN, RLK_CONN_FAILED } rlk_conn_progress;

/* Begins to open a closed connection, to the first of the addresses that answers. They are borrowed while it is PENDING.
 * `may_wait`: it may block until the deadline. FAILED: *err says why, and it is closed. */
rlk_conn_progress rlk_conn_begin(rlk_conn *conn, const rlk_addresses *addresses, rlk_conn_when when, int64_t until_ms,
	bool may_wait, rlk_error *err);

/* For a connection that is connecting: everything sent is encrypted once it is connected. */
bool rlk_conn_begin_tls(rlk_conn *conn, rlk_error *err);

/* Takes a reply to the handshake, or to the PING or ROLE behind it. */
void rlk_conn_take_handshake(rlk_conn *conn, rlk_expected_kind kind, const rlk_reply *reply, rlk_error *err);

/* Goes on without waiting, when the descriptor is `ready` (see rlk_conn_events()), or at rlk_conn_advance_at(). */
rlk_conn_progress rlk_conn_advance(rlk_conn *conn, bool ready, rlk_error *err);
int64_t rlk_conn_advance_at(const rlk_conn *conn);

/* What to wait for while opening or awaiting replies, a mask of rlk_socket_event. */
int rlk_conn_events(const rlk_conn *conn);

/* Waits for events of the open connection, rlk_socket_event. 1: they came, 0: the deadline has passed, -1: see errno.
 * RLK_SOCKET_SIGNAL: the host stops the wait, see *err; the connection may be closed by now. */
int rlk_conn_await(rlk_conn *conn, int events, int64_t deadline_at_ms, rlk_error *err);

/* Waits for this long, with a connection or without. false: the host stops the wait, and *err says only that. */
bool rlk_conn_pause(const rlk_conn *conn, int64_t pause_ms, rlk_deadline deadline, rlk_error *err);

/* Opens before the deadline, with the addresses of its server. Uses neither the pool nor a topology. */
bool rlk_conn_open(rlk_conn *conn, rlk_conn_when when, rlk_deadline deadline, rlk_error *err);

/* The same with these addresses, which are borrowed until it returns. */
bool rlk_conn_open_at(rlk_conn *conn, const rlk_addresses *addresses, rlk_conn_when when, rlk_deadline deadline,
	rlk_error *err);

/* Makes rlk_conn_read() of an open connection wait in recv() where that is faster than poll() and recv(). */
void rlk_conn_use_blocking_reads(rlk_conn *conn);

/* --- sending and receiving: on a closed connection that is a failure like any other ------------ */

/* Queues a request behind those already queued. false: out of memory, it is not queued. */
bool rlk_conn_append(rlk_conn *conn, const rlk_str *argv, size_t argc, rlk_error *err);

/* Sends all requests queued. On RLK_FAIL no byte of it left; on RLK_UNKNOWN some did. The connection is closed
 * when it broke, left as it is when the deadline passed. If it was closed before, nothing stays queued. */
rlk_outcome rlk_conn_flush(rlk_conn *conn, rlk_deadline deadline, rlk_error *err);

/* Sends without waiting, and lets the system hold it back for a moment, see rlk_socket_send_corked(). The rest stays
 * queued. The connection is closed when it broke. */
void rlk_conn_flush_corked(rlk_conn *conn);

/* Reads the next awaited reply, error replies included; it is valid until the next read. NULL: see *err; the connection
 * is as rlk_conn_flush() leaves it. */
const rlk_reply *rlk_conn_read(rlk_conn *conn, rlk_deadline deadline, rlk_error *err);

/* As rlk_conn_read(), but does not wait. NULL with *err unset: there is no complete reply yet. NULL with *err set and
 * the connection open: conn->handshake_refused is set. If the reader takes RESP3, also returns a PUSH, which the server
 * sends unasked and which is none of the expected replies. */
const rlk_reply *rlk_conn_try_read(rlk_conn *conn, rlk_error *err);

/* Makes the awaited replies unread: the next user of the connection reads them before its own. The listener, if any,
 * gets them, or NULL if the connection is closed before. `blocking`: the replies may take long, so nobody should wait
 * behind them. */
void rlk_conn_leave_unread(rlk_conn *conn, rlk_conn_listener listener, bool blocking);

/* Reads those unread replies that have come, without waiting. */
void rlk_conn_collect(rlk_conn *conn);

/* Reads the unread replies, waiting for them until the deadline. Some may still be unread then. */
void rlk_conn_read_unread(rlk_conn *conn, rlk_deadline deadline);

#endif
