/*
 * rlk_sentinel: the master of a service, as the sentinels know it.
 *
 * They are asked each time a connection has to be opened, since what they said
 * before is just what may have changed. A sentinel can be behind the others:
 * the server it names is asked for its role before anything else.
 */
#include "redis/rlk_topology_own.h"

#include "base/rlk_clock.h"
#include "net/rlk_place.h"
#include "net/rlk_socket.h"

/* Between two rounds, while a failover is under way. */
#define PAUSE_MS 100

/* A round with less time than this may be too short to learn anything. */
#define ROUND_MS 200

/* One request of ours and its reply on an open connection. */
static const rlk_reply *ask(rlk_conn *conn, const rlk_str *argv, size_t argc, int64_t deadline_at_ms, rlk_error *err)
{
	if (!rlk_conn_append(conn, argv, argc, err) || rlk_conn_flush(conn, deadline_at_ms, err) != RLK_YES)
		return NULL;
	return rlk_conn_read(conn, deadline_at_ms, err);
}

/* RLK_YES: *node is the master, as this sentinel believes. RLK_NO: it does not know the service. */
static rlk_outcome ask_sentinel(rlk_topology *topology, const rlk_server *sentinel, int64_t deadline_at_ms,
	rlk_topology_node **node, rlk_error *err)
{
	rlk_str argv[] = { RLK_STR("SENTINEL"), RLK_STR("get-master-addr-by-name"), rlk_str_from_cstr(topology->service) };
	const rlk_reply *reply = NULL;
	rlk_outcome outcome = RLK_FAIL;
	uint16_t port;
	rlk_conn conn;

	rlk_conn_init(&conn, sentinel, NULL);
	if (rlk_conn_open(&conn, RLK_CONN_WHEN_ANSWERED, deadline_at_ms, err))
		reply = ask(&conn, argv, 3, deadline_at_ms, err);
	if (reply == NULL) {
		;
	} else if (reply->type == RLK_REPLY_NIL) {
		outcome = RLK_NO;
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "the sentinel watches no master named \"%s\"", topology->service);
		if (err != NULL)
			err->retryable = false;
	} else if (reply->type == RLK_REPLY_ARRAY && reply->count == 2 && reply->items[0].type == RLK_REPLY_STRING &&
		reply->items[0].text.len > 0 && (port = rlk_place_port(reply->items[1].text)) != 0) {
		*node = rlk_topology_node_at(topology, RLK_TRANSPORT_TCP, reply->items[0].text, port);
		if (*node != NULL)
			outcome = RLK_YES;
		else
			rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a server");
	} else if (reply->type == RLK_REPLY_ERROR) {
		rlk_reply_to_error(reply, err);
	} else {
		rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the sentinel sent a reply that does not fit the request");
	}
	if (outcome != RLK_YES)
		rlk_error_set_node(err, sentinel->label);
	rlk_conn_close(&conn);
	return outcome;
}

static bool open_master(rlk_topology *topology, rlk_conn *conn, rlk_topology_node *node, int64_t deadline_at_ms,
	rlk_error *err)
{
	conn->server = &node->server;
	if (rlk_conn_open(conn, RLK_CONN_WHEN_MASTER, deadline_at_ms, err)) {
		topology->master = node;
		return true;
	}
	rlk_error_set_node(err, node->server.label);
	rlk_conn_close(conn);
	return false;
}

static void move_to_front(rlk_topology *topology, size_t i)
{
	rlk_server first = topology->seeds[i];

	memmove(&topology->seeds[1], &topology->seeds[0], i * sizeof(first));
	topology->seeds[0] = first;
}

/* Asks one after the other. Each gets its share of the time, so that a dead first one does not use it all. *again: the
 * same may end otherwise a moment later. */
static bool ask_all(rlk_topology *topology, rlk_conn *conn, int64_t deadline_at_ms, bool *again, rlk_error *err)
{
	rlk_error denial;
	bool named = false;

	rlk_error_clear(&denial);
	for (size_t i = 0; i < topology->seed_count; i++) {
		int64_t now_ms = rlk_clock_now_ms();
		int64_t share_ms = (deadline_at_ms - now_ms) / (int64_t)(topology->seed_count - i + 1);
		rlk_topology_node *node;
		rlk_outcome outcome;

		rlk_error_clear(err);
		outcome = ask_sentinel(topology, &topology->seeds[i], now_ms + share_ms, &node, err);
		if (outcome == RLK_NO)
			rlk_error_adopt(&denial, err);
		if (outcome != RLK_YES)
			continue;
		named = true;
		if (!open_master(topology, conn, node, deadline_at_ms, err))
			continue;
		move_to_front(topology, i);
		return true;
	}
	if (!named && denial.code != RLK_ERR_NONE)
		*err = denial;
	*again = err->retryable;
	return false;
}

bool rlk_sentinel_open(rlk_topology *topology, rlk_conn *conn, rlk_error *err)
{
	int64_t deadline_at_ms = rlk_conn_until(conn, rlk_clock_now_ms() + rlk_topology_connect_ms(topology));
	rlk_error told;
	bool again;

	topology->master = NULL;
	rlk_error_clear(&told);
	for (;;) {
		int64_t left_ms = deadline_at_ms - rlk_clock_now_ms();
		rlk_error local;

		if (ask_all(topology, conn, deadline_at_ms, &again, &local))
			return true;
		/* That the time ran out says less than what the round before it found. */
		if (told.code == RLK_ERR_NONE || left_ms >= ROUND_MS || rlk_clock_now_ms() < deadline_at_ms)
			told = local;
		if (!again || rlk_clock_now_ms() + PAUSE_MS >= deadline_at_ms)
			break;
		rlk_socket_pause(rlk_clock_now_ms() + PAUSE_MS);
	}
	rlk_error_adopt(err, &told);
	return false;
}

bool rlk_sentinel_follow(rlk_topology *topology, rlk_conn *conn, const rlk_reply *reply)
{
	if (rlk_reply_is_error(reply, "LOADING"))
		return true;
	if (!rlk_reply_is_error(reply, "READONLY") && !rlk_reply_is_error(reply, "MASTERDOWN"))
		return false;
	/* It was the master once. */
	topology->master = NULL;
	rlk_conn_close(conn);
	return true;
}
