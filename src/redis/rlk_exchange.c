/*
 * rlk_exchange: see the header.
 */
#include "redis/rlk_exchange.h"

#include "net/rlk_pool.h"
#include "redis/rlk_topology.h"

/* Keys and arguments of the largest script call, with EVALSHA, digest and count. */
#define ARGV_MAX 20

/* --- a connection fit for the next request ------------------------------------------------------- */

/* Has the connection just answered? Then it is alive. Asking the socket each time takes a system call: a pair of
 * acquire and release takes 5.3 % more of the client's processor (4.4 to 6.5, 100 paired rounds). */
static inline bool is_fresh(const rlk_conn *conn, int64_t now_ms, bool repeated)
{
	int64_t alive_at_ms = conn->heard_at_ms > conn->sent_at_ms ? conn->heard_at_ms : conn->sent_at_ms;

	return now_ms - alive_at_ms < (repeated ? RLK_CONN_FRESH_REPEATED_MS : RLK_CONN_FRESH_MS);
}

/* Is the connection fit for the next request? Not while a late answer is to come, to keepAlive() say, whose caller has gone on:
 * it would pass for ours. Nobody reads it: make_ready() closes. `fresh`: the socket need not be asked. */
static inline bool is_fit(const rlk_conn *conn, bool fresh)
{
	if (conn->owner_pid != rlk_os_process_id())
		return false;
	if (conn->expected.entries > 0) /* bytes are expected, so asking the socket would tell nothing */
		return !rlk_conn_is_awaited(conn) && !rlk_conn_is_blocked(conn);
	return rlk_reader_is_empty(conn->reader) && (fresh || rlk_stream_is_idle(conn->fd, conn->tls));
}

static bool take_idle(rlk_conn *conn)
{
	if (!rlk_topology_is_known(conn) || !rlk_pool_take(conn))
		return false;
	conn->heard_at_ms = rlk_clock_now_ms(); /* the pool has just checked it */
	return true;
}

static inline void tend_drain(const rlk_conn *conn)
{
	if (conn->drain != NULL && conn->drain->first != NULL)
		rlk_drain_tend(conn->drain);
}

/* Opens a new connection, with as many tries as are configured. */
static bool open_new(rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	tend_drain(conn);
	for (int tries_left = conn->server->retries;; tries_left--) {
		rlk_deadline until = rlk_deadline_within(deadline, rlk_clock_now_ms() + conn->server->connect_timeout_ms);
		rlk_error local;

		rlk_error_clear(&local);
		if (conn->topology != NULL ? rlk_topology_open(conn, until, &local) :
									 rlk_conn_open(conn, RLK_CONN_WHEN_ANSWERED, until, &local)) {
			conn->heard_at_ms = rlk_clock_now_ms();
			conn->opened++;
			return true;
		}
		if (tries_left > 0 && local.retryable && !rlk_deadline_is_over(deadline) &&
			rlk_conn_pause(conn, conn->server->retry_delay_ms, deadline, &local))
			continue;
		rlk_error_set_node(&local, conn->server->uri);
		rlk_error_adopt(err, &local);
		return false;
	}
}

/* As rlk_conn_connect(), but also for a server that serves this request only (ASK). Returns the point in time; 0: no
 * connection. */
static int64_t make_ready(rlk_conn *conn, bool repeated, rlk_deadline deadline, rlk_error *err)
{
	int64_t now_ms = rlk_clock_now_ms();
	bool fresh = is_fresh(conn, now_ms, repeated);

	/* Unread replies that have come. While one is awaited, none is read, and the connection is closed below. */
	if (conn->expected.entries > 0 && (rlk_conn_is_blocked(conn) || !fresh))
		rlk_conn_collect(conn);
	if (conn->fd != RLK_SOCKET_NONE) {
		if (is_fit(conn, fresh))
			return now_ms;
		conn->stale++;
		if (rlk_conn_is_blocked(conn))
			rlk_conn_abandon(conn, rlk_clock_add(now_ms, RLK_CONN_DRAINED_WITHIN_MS));
		else
			rlk_conn_close(conn);
	} else if (conn->of_parent) {
		rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the process was forked while it waited for the server");
		return 0;
	} else if (take_idle(conn)) {
		return conn->heard_at_ms;
	}
	return open_new(conn, deadline, err) ? conn->heard_at_ms : 0;
}

bool rlk_conn_connect(rlk_conn *conn, bool repeated, rlk_deadline deadline, rlk_error *err)
{
	if (conn->send_asking)
		rlk_topology_switch_back(conn, deadline);
	return make_ready(conn, repeated, deadline, err) > 0;
}

/* --- a request and its reply ------------------------------------------------------------------- */

static inline rlk_outcome send_at(rlk_conn *conn, int64_t now_ms, rlk_deadline deadline, rlk_error *err)
{
	rlk_outcome outcome;

	conn->sent_at_ms = now_ms;
	outcome = rlk_conn_flush(conn, rlk_conn_answers_until(conn, deadline), err);
	if (outcome == RLK_FAIL)
		rlk_conn_close(conn);
	if (outcome != RLK_YES)
		rlk_error_set_node(err, conn->server->uri);
	return outcome;
}

rlk_outcome rlk_conn_send(rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	return send_at(conn, rlk_clock_now_ms(), deadline, err);
}

inline const rlk_reply *rlk_conn_receive(rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	const rlk_reply *reply;

	tend_drain(conn); /* while the server works */
	reply = rlk_conn_read(conn, rlk_conn_answers_until(conn, deadline), err);
	if (reply == NULL)
		rlk_error_set_node(err, conn->server->uri);
	return reply;
}

static inline rlk_outcome send_and_receive_at(rlk_conn *conn, int64_t now_ms, rlk_deadline deadline,
	const rlk_reply **reply, rlk_error *err)
{
	rlk_outcome outcome = send_at(conn, now_ms, deadline, err);

	if (outcome != RLK_YES)
		return outcome;
	*reply = rlk_conn_receive(conn, deadline, err);
	if (*reply != NULL)
		return RLK_YES;
	return conn->fd == RLK_SOCKET_NONE && conn->undelivered ? RLK_FAIL : RLK_UNKNOWN;
}

rlk_outcome rlk_conn_send_and_receive(rlk_conn *conn, rlk_deadline deadline, const rlk_reply **reply, rlk_error *err)
{
	return send_and_receive_at(conn, rlk_clock_now_ms(), deadline, reply, err);
}

bool rlk_request_append(const rlk_request *request, rlk_conn *conn, bool by_text, rlk_error *err)
{
	static const char digits[] = "0123456789";
	rlk_str argv[ARGV_MAX];
	size_t argc = 0;

	if (request->script == NULL)
		return rlk_conn_append(conn, request->args, request->arg_count, err);
	argv[argc++] = by_text ? RLK_STR("EVAL") : RLK_STR("EVALSHA");
	argv[argc++] = by_text ? request->script->text : request->script->sha1;
	argv[argc++] = rlk_str_make(digits + request->key_count, 1);
	for (size_t i = 0; i < request->key_count; i++)
		argv[argc++] = request->keys[i];
	for (size_t i = 0; i < request->arg_count; i++)
		argv[argc++] = request->args[i];
	return rlk_conn_append(conn, argv, argc, err);
}

rlk_outcome rlk_conn_unexpected(rlk_conn *conn, rlk_error *err)
{
	rlk_reply_misfit(err);
	rlk_error_set_node(err, conn->server->uri);
	rlk_conn_close(conn);
	return RLK_UNKNOWN;
}

/* --- an exchange ------------------------------------------------------------------------------ */

static bool follow(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline, const rlk_reply *reply)
{
	if (conn->topology == NULL)
		return false;
	if (exchange->redirections == 0)
		exchange->redirected_until_ms = rlk_clock_now_ms() + conn->server->connect_timeout_ms;
	return rlk_topology_follow(conn, reply, exchange->redirections++,
		rlk_deadline_within(deadline, exchange->redirected_until_ms));
}

static void report_refused(const rlk_conn *conn, const rlk_reply *reply, rlk_error *err)
{
	rlk_reply_to_error(reply, err);
	rlk_error_set_node(err, conn->server->uri);
	/* Redirections were followed as long as there was time. The nodes do not agree yet, or one has just died. */
	if (conn->topology != NULL && (rlk_reply_is_error(reply, "MOVED") || rlk_reply_is_error(reply, "ASK")))
		err->retryable = true;
}

/* Goes back to the owner of the key from the node that the owner named for one request. */
static inline void begin_anew(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline)
{
	exchange->redirections = 0;
	if (conn->send_asking)
		rlk_topology_switch_back(conn, deadline);
}

/* Was the request refused because of the keys that wake waiters: this user has no right to them, or a Cluster that
 * moves keys has them on two nodes? Then drops these keys. */
static bool drop_waking_keys(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	if (exchange->wakes_nobody == NULL || exchange->request->key_count == 1 ||
		(err->code != RLK_ERR_AUTH && err->code != RLK_ERR_SPLIT))
		return false;
	exchange->may_not_wake = err->code == RLK_ERR_AUTH;
	exchange->request->key_count = 1;
	exchange->breaks = 0;
	begin_anew(exchange, conn, deadline);
	rlk_error_clear(err);
	return true;
}

rlk_exchange_step rlk_exchange_take(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline,
	const rlk_reply *reply, rlk_error *err)
{
	if (reply->type != RLK_REPLY_ERROR)
		return RLK_EXCHANGE_ANSWERED;
	if (exchange->request->script != NULL && !exchange->by_text && rlk_reply_is_error(reply, "NOSCRIPT")) {
		exchange->by_text = true; /* a restarted or newly promoted server may not know the script */
		exchange->redirections = 0;
		return RLK_EXCHANGE_AGAIN;
	}
	if (follow(exchange, conn, deadline, reply))
		return RLK_EXCHANGE_AGAIN;
	report_refused(conn, reply, err);
	return drop_waking_keys(exchange, conn, deadline, err) ? RLK_EXCHANGE_AGAIN : RLK_EXCHANGE_REFUSED;
}

bool rlk_exchange_survives(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline, rlk_outcome outcome,
	rlk_error *err)
{
	int most = exchange->may_repeat && conn->server->retries > 0 ? conn->server->retries : 1;
	bool harmless = exchange->may_repeat || (outcome == RLK_FAIL && rlk_conn_was_stale(conn, err));

	if (!harmless || err->code != RLK_ERR_IO || exchange->breaks >= most)
		return false;
	exchange->breaks++;
	if (outcome == RLK_UNKNOWN && !exchange->repeated)
		exchange->first_at_ms = conn->sent_at_ms;
	exchange->repeated = exchange->repeated || outcome == RLK_UNKNOWN;
	begin_anew(exchange, conn, deadline);
	rlk_error_clear(err);
	return true;
}

/* Sends the request once, and reads the answer. RLK_NO: send it again. */
static inline rlk_outcome exchange_once(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline,
	const rlk_reply **reply, rlk_error *err)
{
	rlk_outcome outcome;
	int64_t now_ms = make_ready(conn, exchange->may_repeat, deadline, err);

	*reply = NULL; /* the last reply was of the connection, which may be another by now */
	if (now_ms == 0 || !rlk_request_append(exchange->request, conn, exchange->by_text, err))
		return RLK_FAIL;
	outcome = send_and_receive_at(conn, now_ms, deadline, reply, err);
	if (outcome != RLK_YES || (*reply)->type != RLK_REPLY_ERROR)
		return outcome;
	if (rlk_exchange_take(exchange, conn, deadline, *reply, err) == RLK_EXCHANGE_AGAIN)
		return RLK_NO;
	/* The server closes after this error; a connection that has just answered would pass for alive. */
	if (rlk_reply_is_error(*reply, RLK_REPLY_TURNED_AWAY)) {
		rlk_conn_close(conn);
		*reply = NULL;
	}
	return RLK_FAIL;
}

/* Sends the request again as long as that may help. A request in other words has the time of the first; another server
 * or connection has its own time. */
rlk_outcome rlk_exchange_run(rlk_exchange *exchange, rlk_conn *conn, rlk_deadline deadline, const rlk_reply **reply,
	rlk_error *err)
{
	rlk_deadline until = deadline;
	rlk_error local;

	rlk_error_clear(&local);
	begin_anew(exchange, conn, deadline);
	for (;;) {
		rlk_outcome outcome = exchange_once(exchange, conn, until, reply, &local);

		if (outcome == RLK_YES) {
			if (exchange->may_not_wake)
				*exchange->wakes_nobody = true;
			return outcome;
		}
		if (outcome != RLK_NO && !rlk_exchange_survives(exchange, conn, deadline, outcome, &local)) {
			rlk_error_adopt(err, &local);
			return exchange->repeated ? RLK_UNKNOWN : outcome;
		}
		until = outcome == RLK_NO && exchange->redirections == 0 ? rlk_conn_answers_until(conn, until) : deadline;
	}
}

/* --- replicas ------------------------------------------------------------------------------------ */

/* The server stops waiting this long before the deadline. It looks at its timers late, but also whenever a request
 * comes, so a release sent at the limit is executed. Behind a WAIT that goes on, the release would be dropped when we
 * close the connection. */
#define WAIT_ENDS_EARLY_MS 5

static rlk_outcome ask_replicas(const rlk_replicas *replicas, rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	int64_t left_ms = rlk_deadline_left_ms(deadline) - WAIT_ENDS_EARLY_MS;
	int64_t timeout_ms = left_ms < 1 ? 1 : rlk_clock_earlier(replicas->timeout_ms, left_ms); /* 0 is for ever */
	char min[RLK_RESP_INT_MAX], timeout[RLK_RESP_INT_MAX];
	const rlk_str argv[] = { RLK_STR("WAIT"), rlk_resp_int(replicas->min, min), rlk_resp_int(timeout_ms, timeout) };
	const rlk_reply *reply;
	int64_t written_at_ms = conn->sent_at_ms; /* validity counts from then; WAIT writes no key */
	int64_t late_at_ms;
	rlk_outcome outcome;
	rlk_error local;

	conn->send_asking = false; /* WAIT has no key */
	if (!rlk_conn_append(conn, argv, 3, err))
		return RLK_FAIL;
	outcome = rlk_conn_send(conn, deadline, err);
	if (outcome != RLK_YES)
		return RLK_UNKNOWN;
	late_at_ms = conn->sent_at_ms + timeout_ms + conn->server->io_timeout_ms;
	rlk_error_clear(&local);
	reply = rlk_conn_read(conn, rlk_deadline_within(deadline, late_at_ms), &local);
	if (reply == NULL && local.code == RLK_ERR_TIMEOUT && rlk_clock_now_ms() < late_at_ms)
		rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the replicas did not answer in time");
	rlk_error_adopt(err, &local);
	conn->sent_at_ms = written_at_ms;
	if (reply != NULL && reply->type == RLK_REPLY_INTEGER) {
		if (reply->integer >= replicas->min)
			return RLK_YES;
		rlk_error_set(err, RLK_ERR_SERVER, 0, "%lld of the %d replicas asked for have the lock after %lld ms",
			(long long)reply->integer, replicas->min, (long long)timeout_ms);
		if (err != NULL)
			err->retryable = true;
		outcome = RLK_FAIL;
	} else if (reply != NULL && reply->type == RLK_REPLY_ERROR) {
		rlk_reply_to_error(reply, err);
		outcome = RLK_FAIL;
	} else {
		outcome = reply != NULL ? rlk_conn_unexpected(conn, err) : RLK_UNKNOWN;
	}
	rlk_error_set_node(err, conn->server->uri);
	return outcome;
}

rlk_outcome rlk_replicas_await(const rlk_replicas *replicas, rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	return replicas == NULL || replicas->min == 0 ? RLK_YES : ask_replicas(replicas, conn, deadline, err);
}
