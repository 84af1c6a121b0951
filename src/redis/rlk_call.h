/*
 * rlk_call: a request and its reply, over whichever connection serves it.
 */
#ifndef RLK_CALL_H
#define RLK_CALL_H

#include "net/rlk_conn.h"

/* A connection that answered within this is not checked before the next request: one that is repeated if the connection
 * turns out dead, or any other. The latter is the resolution of our clock. */
#define RLK_CONN_FRESH_REPEATED_MS 10
#define RLK_CONN_FRESH_MS 1

/* Opens the connection, handshake included, unless it is open and provably idle. Takes at most server->connect_timeout_ms for
 * each try. `repeated`: the request may be executed twice, and is sent again if the connection turns out dead. */
bool rlk_conn_ready(rlk_conn *conn, bool repeated, rlk_error *err);

/* For several requests in one write, queued on a connection just made ready: sends them, results of rlk_conn_request(); and
 * reads the next reply, error replies included, within server->io_timeout_ms of the sending. NULL: unknown whether they were
 * executed. */
rlk_outcome rlk_conn_send(rlk_conn *conn, rlk_error *err);
const rlk_reply *rlk_conn_receive(rlk_conn *conn, rlk_error *err);

/* Sends, and reads the first reply. */
rlk_outcome rlk_conn_exchange(rlk_conn *conn, const rlk_reply **reply, rlk_error *err);

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

/* Queues a request, a script by its text or by its digest. false: memory is out, and nothing was queued. */
bool rlk_request_append(const rlk_request *request, rlk_conn *conn, bool by_text, rlk_error *err);

/* Does this error reply say that the server does not know the script by its digest, as one restarted or newly promoted? Then
 * *by_text becomes true, and the request must be sent again. */
bool rlk_request_needs_text(const rlk_request *request, const rlk_reply *reply, bool *by_text);

/* Sends one request, and reads its reply within server->io_timeout_ms. The connection is made ready first, see
 * rlk_conn_ready(). RLK_YES: *reply is the reply, no error. RLK_FAIL: not executed (not sent, not received, or the server
 * answered why not). RLK_UNKNOWN: sent, but unanswered; if conn->fd is still open, a release may be sent behind it. */
rlk_outcome rlk_conn_request(rlk_conn *conn, bool repeated, const rlk_request *request, const rlk_reply **reply,
	rlk_error *err);

/* The same for a plain command, which must not be executed twice. */
static inline rlk_outcome rlk_conn_call(rlk_conn *conn, const rlk_str *argv, size_t argc, const rlk_reply **reply,
	rlk_error *err)
{
	const rlk_request request = { NULL, NULL, argv, 0, argc };

	return rlk_conn_request(conn, false, &request, reply, err);
}

/* Queues a script by its digest, or by its text, as for requests whose reply nobody reads. */
bool rlk_conn_append_eval(rlk_conn *conn, bool by_text, const rlk_script *script, const rlk_str *keys, size_t key_count,
	const rlk_str *args, size_t arg_count, rlk_error *err);

/* The reply does not fit the request. Closes the connection, since what comes next is unknown. Returns RLK_UNKNOWN. */
rlk_outcome rlk_conn_unexpected(rlk_conn *conn, rlk_error *err);

/* --- replicas ------------------------------------------------------------------------------------ */

/* WAIT makes the loss of a lock in a failover rarer, not impossible: replicas acknowledge what they received, and the one
 * that is promoted may be another. */
typedef struct {
	int min;            /* 0: none have to */
	int64_t timeout_ms; /* how long to wait for them, >= 1 */
} rlk_replicas;

/* Waits until they have received everything written over this connection, but no longer than until conn->limit_at_ms. RLK_YES:
 * they have, or none have to. RLK_FAIL: not in time; RLK_UNKNOWN: the server did not answer. */
rlk_outcome rlk_replicas_await(const rlk_replicas *replicas, rlk_conn *conn, rlk_error *err);

#endif
