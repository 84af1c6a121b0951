/*
 * rlk_call: a request and its reply, over whichever connection serves it.
 */
#ifndef RLK_CALL_H
#define RLK_CALL_H

#include "net/rlk_conn.h"

/* A connection used this recently is not looked at again, before a command that is repeated if it turns out dead, or
 * before any other one. The second is the resolution of our clock: what has answered in this millisecond is alive. */
#define RLK_CONN_FRESH_REPEATED_MS 10
#define RLK_CONN_FRESH_MS 1

/* Opens the connection unless it is open and provably idle; AUTH, SELECT and CLIENT SETNAME included. Takes at most
 * server->connect_timeout_ms for each try. `repeated`: the caller sends again when the connection turns out to be dead,
 * and nothing is lost by that. */
bool rlk_conn_ready(rlk_conn *conn, bool repeated, rlk_error *err);

/* What rlk_conn_call() is made of, for several requests in one write, queued on a connection just made ready: sends them,
 * results as there; and the next reply, error replies included, within server->io_timeout_ms of the sending. NULL:
 * it is not known what became of them. */
rlk_outcome rlk_conn_send(rlk_conn *conn, rlk_error *err);
const rlk_reply *rlk_conn_receive(rlk_conn *conn, rlk_error *err);

/* Both. RLK_YES: *reply is the first reply. */
rlk_outcome rlk_conn_exchange(rlk_conn *conn, const rlk_reply **reply, rlk_error *err);

/* A Lua script. The texts are in lua/, the constants in lock/rlk_scripts.h. */
typedef struct {
	const char *name; /* file name in lua/ without its ending, for phpinfo() and messages */
	rlk_str text;     /* constant: the server caches scripts by digest, for ever in old versions */
	rlk_str sha1;     /* 40 lower-case hex digits, as the server computes them */
} rlk_script;

/* What a server is asked: a script or, with NULL, a plain command, which is all of args. */
typedef struct {
	const rlk_script *script;
	const rlk_str *keys, *args; /* at most nine keys, the lock's first; of a script, args[0] is the token */
	size_t key_count, arg_count;
	bool compares; /* where scripts are refused, a command of rlk_dialect_argv() does the same */
} rlk_request;

/* How a request is put: zero to begin with, a script by its digest. */
typedef struct {
	bool by_text;
	rlk_dialect dialect; /* as it was put last: RLK_DIALECT_NEW by script; else by this command */
} rlk_wording;

/* Queues it. false: *err says why, and nothing was queued: memory is out, or
 * scripts are refused and there is no command either. */
bool rlk_request_append(const rlk_request *request, rlk_conn *conn, rlk_wording *wording, rlk_error *err);

/* Does this error reply tell that the request is to be put in another way, its text, or a command? Takes note of that. */
bool rlk_request_is_to_change(const rlk_request *request, rlk_conn *conn, const rlk_reply *reply, rlk_wording *wording);

/* Is this a reply, and no error, to what compares? 1 or 0, but of a SET that does OK or nil. */
bool rlk_request_fits(const rlk_request *request, const rlk_wording *wording, const rlk_reply *reply);

/* Does this error reply to a command that compares say that the key holds no string, hence not our token? */
bool rlk_request_finds_no_string(const rlk_request *request, const rlk_wording *wording, const rlk_reply *reply);

/* One request and its reply within server->io_timeout_ms, on a connection made ready first, see rlk_conn_ready(), in
 * whichever way the server takes it. RLK_YES: *reply is there, and is not an error reply. RLK_NO: a command found that the
 * key holds no string. RLK_FAIL: not executed (not sent, not seen, or the server said why not). RLK_UNKNOWN: sent, but
 * unanswered; if conn->fd is still open a release may be written behind it (rlk_conn_abandon). */
rlk_outcome rlk_conn_request(rlk_conn *conn, bool repeated, const rlk_request *request, const rlk_reply **reply,
	rlk_error *err);

/* The same for a plain command that must not be repeated. */
static inline rlk_outcome rlk_conn_call(rlk_conn *conn, const rlk_str *argv, size_t argc, const rlk_reply **reply,
	rlk_error *err)
{
	const rlk_request request = { NULL, NULL, argv, 0, argc, false };

	return rlk_conn_request(conn, false, &request, reply, err);
}

/* Queues a script by its digest or, as for requests nobody will read the answer of, by its text. */
bool rlk_conn_append_eval(rlk_conn *conn, bool by_text, const rlk_script *script, const rlk_str *keys, size_t key_count,
	const rlk_str *args, size_t arg_count, rlk_error *err);

/* The reply makes no sense. Closes the connection, since nobody knows what comes next. */
rlk_outcome rlk_conn_unexpected(rlk_conn *conn, rlk_error *err);

/* --- replicas ------------------------------------------------------------------------------------ */

/* WAIT makes the loss of a lock in a failover rarer, not impossible: replicas acknowledge what they received, and the one
 * that is promoted may be another. */
typedef struct {
	int min;            /* 0: none have to */
	int64_t timeout_ms; /* how long to wait for them, >= 1 */
} rlk_replicas;

/* Waits until they have everything written over this connection. RLK_YES: they do, or none have to. RLK_FAIL: not in
 * time; RLK_UNKNOWN: the server did not say. */
rlk_outcome rlk_replicas_await(const rlk_replicas *replicas, rlk_conn *conn, rlk_error *err);

#endif
