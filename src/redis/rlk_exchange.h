/*
 * rlk_exchange: one request to one server, and its answer, even if the request is sent several times.
 *
 * A request is sent again as text, if the server does not know the digest of the script; to the server that a
 * redirection names; without the keys that only wake waiters, if this user has no right to them or a Cluster has them
 * on two nodes; and over a new connection, if one broke: once, or `retries` times if it may be repeated. Replies and breaks
 * decide on that. Only rlk_exchange_run(), for one server, waits here; a round over several servers has an exchange for
 * each.
 */
#ifndef RLK_EXCHANGE_H
#define RLK_EXCHANGE_H

#include "net/rlk_conn.h"

/* --- a connection fit for the next request ------------------------------------------------------- */

/* A connection that has answered within this time is not checked before the next request. REPEATED: before a request
 * that is sent again if the connection turns out to be dead. The other time is the resolution of our clock. */
#define RLK_CONN_FRESH_REPEATED_MS 10
#define RLK_CONN_FRESH_MS 1

/* Opens the connection, handshake included, unless it is open and provably idle. Takes at most
 * server->connect_timeout_ms for each try. `repeated`: the request may be executed twice, and is sent again if the
 * connection turns out to be dead. */
bool rlk_conn_connect(rlk_conn *conn, bool repeated, rlk_deadline deadline, rlk_error *err);

/* For several requests in one write, queued on a connection that is ready. rlk_conn_send() sends them, with the results
 * of rlk_exchange_run(). rlk_conn_receive() reads the next reply, error replies included, within server->io_timeout_ms
 * of the sending. NULL: unknown whether they were executed. */
rlk_outcome rlk_conn_send(rlk_conn *conn, rlk_deadline deadline, rlk_error *err);
const rlk_reply *rlk_conn_receive(rlk_conn *conn, rlk_deadline deadline, rlk_error *err);

/* Sends the queued requests, and reads the first reply. */
rlk_outcome rlk_conn_send_and_receive(rlk_conn *conn, rlk_deadline deadline, const rlk_reply **reply, rlk_error *err);

/* --- a request ------------------------------------------------------------------------------------ */

/* A Lua script. The texts are in lua/, the constants in lock/rlk_scripts.h. */
typedef struct {
	const char *name; /* file name in lua/ without its ending, for phpinfo() and messages */
	rlk_str text;     /* constant: the server caches scripts by digest, for ever in old versions */
	rlk_str sha1;     /* 40 lower-case hex digits, as the server computes them */
} rlk_script;

/* A script call or, with script NULL, a plain command, which is all of args. */
typedef struct {
	const rlk_script *script;
	const rlk_str *keys, *args; /* at most nine keys, the lock's first; args[0] of a script is the token */
	size_t key_count, arg_count;
} rlk_request;

/* Queues a request, a script by its digest or its text; by text also if nobody reads the reply. false: memory is out,
 * and nothing was queued. */
bool rlk_request_append(const rlk_request *request, rlk_conn *conn, bool by_text, rlk_error *err);

/* Reports a reply that does not fit the request, and closes the connection, since the next bytes are unknown. Returns
 * RLK_UNKNOWN. */
rlk_outcome rlk_conn_unexpected(rlk_conn *conn, rlk_error *err);

/* --- an exchange ---------------------------------------------------------------------------------- */

/* Zero at first, but for request, may_repeat and wakes_nobody. */
typedef struct {
	rlk_request *request; /* loses keys that are refused */
	bool may_repeat;      /* the server may execute the request twice */
	/* Not NULL: the keys behind the first only wake waiters, and the request goes without them where they are refused. Set when it was
	 * answered that way since this user has no right to them: waiters notice by their own checks. */
	bool *wakes_nobody;
	bool may_not_wake;   /* the request goes without these keys for that reason */
	bool by_text;        /* the script goes as text */
	bool repeated;       /* an earlier sending may have been executed, whatever the last one does */
	int64_t first_at_ms; /* then: when the first of these was sent; on one server only */
	int breaks;          /* how often the request was sent again over a new connection */
	int redirections;
	int64_t redirected_until_ms; /* until then redirections are followed */
} rlk_exchange;

/* What a reply or a break means. */
typedef enum {
	RLK_EXCHANGE_ANSWERED, /* the reply is the answer, no error */
	RLK_EXCHANGE_REFUSED,  /* not executed; *err says why not */
	RLK_EXCHANGE_AGAIN     /* to be sent again: over another connection, if it is closed or has another server by now */
} rlk_exchange_step;

/* Takes the reply. Follows a redirection, which may pause. */
rlk_exchange_step rlk_exchange_take(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline,
	const rlk_reply *reply, rlk_error *err);

/* Called when the connection broke or did not open, with this outcome. true: send the request again over a new
 * connection; *err is cleared. Not after a timeout: the time of the caller is over. */
bool rlk_exchange_survives(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline, rlk_outcome outcome,
	rlk_error *err);

/* Sends the request to one server, and reads its answer within server->io_timeout_ms. Makes the connection ready first,
 * see rlk_conn_connect(). RLK_YES: *reply is the answer, no error. RLK_FAIL: not executed: not sent, not received, or
 * refused; then *reply says why, unless the connection was closed; else *reply is NULL. RLK_UNKNOWN: sent, but
 * unanswered; if conn->fd is still open, a release may be sent behind it. */
rlk_outcome rlk_exchange_run(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline, const rlk_reply **reply,
	rlk_error *err);

/* The same for a plain command, which must not be executed twice. */
static inline rlk_outcome rlk_conn_call(rlk_conn *conn, const rlk_str *argv, size_t argc, rlk_deadline deadline,
	const rlk_reply **reply, rlk_error *err)
{
	rlk_request request = { NULL, NULL, argv, 0, argc };
	rlk_exchange exchange = { .request = &request };

	return rlk_exchange_run(&exchange, conn, deadline, reply, err);
}

/* --- replicas ------------------------------------------------------------------------------------ */

/* WAIT makes the loss of a lock in a failover rarer, not impossible: replicas confirm what they received, but another
 * replica may be promoted. */
typedef struct {
	int min;            /* replicas that must have received a write; 0: none */
	int64_t timeout_ms; /* how long to wait for them, >= 1 */
} rlk_replicas;

/* Waits until the replicas have received everything written over this connection, at most until the deadline. RLK_YES:
 * they have, or `replicas` is NULL or asks for none. RLK_FAIL: not in time; RLK_UNKNOWN: the server did not answer. */
rlk_outcome rlk_replicas_await(const rlk_replicas *replicas, rlk_conn *conn, rlk_deadline deadline, rlk_error *err);

#endif
