/*
 * rlk_conn: a connection to one server: open, authenticated, right database.
 *
 * Every operation has one absolute deadline, whatever the server or signals
 * do. A connection remembers the process that opened it; in a forked copy it
 * is dropped without a word, since anything written there would land in the
 * conversation the parent is still having. Requests that left without their
 * replies being read (a timeout, a longjmp through the caller) make the
 * connection unfit; the next use opens a new one.
 */
#ifndef RLK_CONN_H
#define RLK_CONN_H

#include "base/rlk_buf.h"
#include "base/rlk_clock.h"
#include "base/rlk_error.h"
#include "net/rlk_address.h"
#include "net/rlk_drain.h"
#include "net/rlk_reply.h"
#include "net/rlk_server.h"
#include "net/rlk_tls.h"

#include <stdint.h>

/* Gets the reply to a request whose sender did not wait for it; NULL: it will never come. */
typedef struct {
	void (*answered)(void *arg, const rlk_reply *reply);
	void *arg;
} rlk_conn_listener;

/* Does the server compare and act in one command of its own? See rlk_dialect.h. */
typedef enum {
	RLK_DIALECT_NEW,    /* as far as is known by scripts only; nothing was acquired over this connection yet */
	RLK_DIALECT_USED,   /* once: that does not tell whether asking will ever pay */
	RLK_DIALECT_ASKED,  /* the answer is among the unread */
	RLK_DIALECT_NONE,   /* it has no such command, or refuses us */
	RLK_DIALECT_DELEX,  /* DELEX key IFEQ value: Redis 8.4 */
	RLK_DIALECT_DELIFEQ /* DELIFEQ key value: Valkey 9.0 */
} rlk_dialect;

/* Who is at the other end? What was connected a while ago may have been closed since, by a server, a proxy or a balancer. */
typedef enum {
	RLK_CONN_PEER_NEW,    /* has said nothing yet, the handshake apart */
	RLK_CONN_PEER_HEARD,  /* has said something since the last request was sent */
	RLK_CONN_PEER_TRUSTED /* not since then, but before: it was sent in the belief that somebody still listens */
} rlk_conn_peer;

typedef enum {
	RLK_CONN_STATE_CLOSED,
	RLK_CONN_STATE_CONNECTING,
	RLK_CONN_STATE_SHAKING, /* hands, with TLS */
	RLK_CONN_STATE_OPEN     /* requests may follow the handshake, whose answers may still be to come */
} rlk_conn_state;

/* When is a connection that is being opened said to be open? */
typedef enum {
	RLK_CONN_WHEN_CONNECTED, /* as soon as a request may be sent, behind the handshake */
	RLK_CONN_WHEN_ANSWERED,  /* the handshake was answered */
	RLK_CONN_WHEN_ALIVE,     /* so was a PING: somebody is at work behind a socket that merely accepts */
	RLK_CONN_WHEN_MASTER     /* the server says that it is a master, or will not tell this user */
} rlk_conn_when;

/* While it is being opened: which of its addresses has its turn? */
typedef struct {
	const rlk_addresses *addresses; /* borrowed */
	rlk_conn_when when;
	int tried, round; /* addresses in this round, the present one too; rounds before it */
	bool silent;      /* one of this round may yet answer */
	int sys_errno;    /* of the last one that refused */
	int64_t turn_until_ms, until_ms;
} rlk_opening;

typedef struct rlk_pool rlk_pool;
typedef struct rlk_topology rlk_topology;

typedef struct {
	const rlk_server
		*server; /* borrowed; NULL in the renewal child, where opening needs no more than what is given to it */
	rlk_drain_list *drain;  /* borrowed; NULL: nothing is drained */
	rlk_pool *pool;         /* borrowed; where to look for a connection before opening one; NULL: nowhere */
	rlk_topology *topology; /* borrowed; chooses the server, see rlk_topology.h; NULL: there is but the one */
	int hash_slot;          /* in a Cluster: of the key that the connection is used for */
	bool asking;            /* the server serves the slot for requests with ASKING in front only */
	rlk_conn_state state;
	rlk_opening opening;
	int address;                  /* the one tried or connected to, where the next opening begins */
	rlk_tls_context *tls_context; /* borrowed, with the name to ask for; NULL: as the server says */
	const char *tls_name;
	int fd;             /* RLK_SOCKET_NONE while closed */
	bool nonblocking;   /* the descriptor is */
	rlk_tls *tls;       /* NULL: in clear, or closed */
	long owner_pid;     /* process that opened fd */
	rlk_buf out;        /* requests appended and not yet handed to the system */
	rlk_reader *reader; /* non-NULL while open */
	unsigned handshake; /* replies to the handshake still to come, before all others; awaited, or unread, like them */
	bool refused;       /* the server refuses what the handshake says: of no use any more */
	unsigned awaited;   /* replies the server owes us */
	unsigned unread;    /* replies nobody waits for, all of them before those awaited */
	rlk_conn_listener listener; /* for the first of the unread; answered is NULL when nobody cares */
	bool draining;              /* the unread may take long: a command that blocks is among them */
	bool kept_back;             /* the system may not have sent all of it yet, see rlk_conn_flush_soon() */
	bool watched;               /* the system finds out if the server vanishes, see rlk_conn_watch() */
	bool refuses_blocking;      /* the server, or a proxy before it, has no blocking commands for us */
	bool refuses_scripts;       /* likewise EVAL and EVALSHA */
	bool releases;              /* a release was understood */
	rlk_dialect dialect;
	rlk_conn_peer peer;   /* of a closed connection: when it broke */
	bool unseen;          /* it broke, and the server had hung up before it got a byte of what was sent last */
	size_t sent_bytes;    /* the last time anything was */
	int receive_waits_ms; /* how long receiving may wait by itself; 0: it cannot, poll() has to */
	int64_t ready_at_ms;  /* when rlk_conn_ready() last found the connection fit */
	int64_t heard_at_ms;  /* when rlk_conn_take() last received something, or it came from the pool */
	int64_t sent_at_ms;   /* just before the last request of rlk_conn_request() was written */
	int64_t limit_at_ms;  /* no request waits beyond this, whatever its own time limit; 0: none */
} rlk_conn;

/* Has the server had its whole time for the last request? */
bool rlk_conn_is_late(const rlk_conn *conn);

/* What is said at the very end of the caller's time, a last try or a release, has a moment of its own. */
void rlk_conn_allow_last_words(rlk_conn *conn);

/* Until when to wait for something whose own time limit ends then. */
static inline int64_t rlk_conn_until(const rlk_conn *conn, int64_t at_ms)
{
	return conn->limit_at_ms > 0 ? rlk_clock_earlier(conn->limit_at_ms, at_ms) : at_ms;
}

/* Prepares a closed connection. Nothing is allocated, no I/O. */
void rlk_conn_init(rlk_conn *conn, const rlk_server *server, rlk_drain_list *drain);

/* Was it closed while nobody used it? Of a connection on which a request has just failed. */
bool rlk_conn_was_stale(const rlk_conn *conn, const rlk_error *why);

/* What to make of a request that was sent, when its reply does not come: RLK_UNKNOWN, or RLK_FAIL if it was not executed. */
rlk_outcome rlk_conn_unanswered(const rlk_conn *conn);

/* Closes at once, saying nothing more to the server. Usable again afterwards. */
void rlk_conn_close(rlk_conn *conn);

/* The same, and what has not reached the server's system by now never will. */
void rlk_conn_reset(rlk_conn *conn);

/* Within this a wait is over for certain, and so is what stands behind it: a wait takes a minute at most. */
#define RLK_CONN_DRAINED_WITHIN_MS 65000

/* Gives the connection up, yet lets what is queued and what was sent arrive: it is drained until the deadline. */
void rlk_conn_abandon(rlk_conn *conn, int64_t deadline_at_ms);

/* Prepares for a command that blocks: a server that vanishes without a word is noticed by the system, too. */
void rlk_conn_watch(rlk_conn *conn);

/* Moves an open connection out of the way while a handler of the host runs that may want to use *conn itself, and back
 * in again, closing what was opened instead. */
rlk_conn rlk_conn_lay_aside(rlk_conn *conn);
void rlk_conn_take_up(rlk_conn *conn, rlk_conn *laid_aside);

/* --- opening: rlk_conn_open.c ----------------------------------------------------------------- */

/* How long an address has in the first round before another one is tried, as in RFC 8305. */
#define RLK_CONN_TURN_MS 100

typedef enum { RLK_CONN_PENDING, RLK_CONN_OPEN, RLK_CONN_FAILED } rlk_conn_progress;

/* Begins to open a closed connection, to the first of the addresses that answers. They are borrowed while it is PENDING.
 * `may_wait`: it may block until the time is over. FAILED: *err says why, and it is closed. */
rlk_conn_progress rlk_conn_begin(rlk_conn *conn, const rlk_addresses *addresses, rlk_conn_when when, int64_t until_ms,
	bool may_wait, rlk_error *err);

/* Goes on, without waiting: the descriptor is `ready`, or it is rlk_conn_turn_until(). */
rlk_conn_progress rlk_conn_advance(rlk_conn *conn, bool ready, rlk_error *err);
int64_t rlk_conn_turn_until(const rlk_conn *conn);

/* What to wait for, a mask of rlk_socket_event: of one that is being opened, or that awaits replies. */
int rlk_conn_events(const rlk_conn *conn);

/* All of this before the deadline, with the addresses of its server. Looks neither for an idle connection nor for another
 * server. */
bool rlk_conn_open(rlk_conn *conn, rlk_conn_when when, int64_t deadline_at_ms, rlk_error *err);

/* Has reading wait by itself, in one system call where poll() would be another, where that is the faster way: for those
 * who may take it from the pool, too. */
void rlk_conn_wait_in_reading(rlk_conn *conn);

/* --- writing: rlk_conn_write.c ---------------------------------------------------------------- */

/* Queues a request behind those already queued. false: memory is out, nothing changed. */
bool rlk_conn_append(rlk_conn *conn, const rlk_str *argv, size_t argc, rlk_error *err);

/* Sends what is queued. On RLK_FAIL no byte of it left; on RLK_UNKNOWN some did. The connection is closed
 * when it broke, left as it is when the deadline passed. */
rlk_outcome rlk_conn_flush(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err);

/* Hands to the system what it takes without waiting, in no hurry, see rlk_socket_send_soon(). The rest stays queued. The
 * connection is closed when it broke. */
void rlk_conn_flush_soon(rlk_conn *conn);

/* --- reading: rlk_conn_read.c ----------------------------------------------------------------- */

/* Reads the next reply, error replies included; it is valid until the next read. NULL: see *err; the connection is
 * as rlk_conn_flush() leaves it. */
const rlk_reply *rlk_conn_read(rlk_conn *conn, int64_t deadline_at_ms, rlk_error *err);

/* As rlk_conn_read(), but does not wait: NULL with *err unset when there is no complete reply yet. With *err set and the
 * connection open, conn->refused is. */
const rlk_reply *rlk_conn_take(rlk_conn *conn, rlk_error *err);

/* Does not wait for the replies awaited now: they are read in passing, by whoever uses the connection next. The first
 * one goes to the listener, if any. `blocking`: they may take long, and nobody will want to stand behind them. */
void rlk_conn_leave_unread(rlk_conn *conn, rlk_conn_listener listener, bool blocking);

/* Reads without waiting what has come of the unread replies. */
void rlk_conn_collect(rlk_conn *conn);

/* Reads the unread replies, waiting until the deadline for them. They may still be unread then. */
void rlk_conn_drain(rlk_conn *conn, int64_t deadline_at_ms);

#endif
