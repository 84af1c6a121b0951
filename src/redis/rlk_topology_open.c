/*
 * rlk_topology_open: opens a connection to the server that has the key, and waits for it.
 *
 * Sentinels are asked each time: their last answer may be out of date. Nodes of a Cluster that do not answer are
 * skipped: any other node names the owners of their hash slots. rlk_topology_rules.h says which server is asked when.
 */
#include "redis/rlk_topology.h"

#include "base/rlk_os.h"

/* A shorter lap may be too short to find anything. */
#define LAP_MS 200

static void no_time(rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_CONNECT, 0, "no time is left to connect");
}

/* --- Sentinel ------------------------------------------------------------------------------------ */

static rlk_outcome judge(rlk_topology *topology, const rlk_reply *reply, rlk_topology_node **node, rlk_error *err)
{
	uint16_t port;
	rlk_str host;

	switch (rlk_search_read(reply, &host, &port)) {
		case RLK_SENTINEL_NAMES:
			*node = rlk_topology_node_at(topology, RLK_TRANSPORT_TCP, host, port);
			if (*node != NULL)
				return RLK_YES;
			rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a server");
			return RLK_FAIL;
		case RLK_SENTINEL_DENIES:
			rlk_error_set(err, RLK_ERR_CONNECT, 0, "the sentinel watches no master named \"%s\"", topology->service);
			err->retryable = false;
			return RLK_NO;
		case RLK_SENTINEL_REFUSES:
			rlk_reply_to_error(reply, err);
			return RLK_FAIL;
		case RLK_SENTINEL_CONFUSED:
			break;
	}
	rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the sentinel sent a reply that does not fit the request");
	return RLK_FAIL;
}

/* RLK_YES: *node is the master according to this sentinel. RLK_NO: the sentinel does not know the service. *master is
 * the connection that is opened; the host may resume other code meanwhile, and while the connection is used. */
static rlk_outcome ask_sentinel(rlk_conn *master, const rlk_server *sentinel, rlk_deadline deadline,
	rlk_topology_node **node, rlk_error *err)
{
	rlk_topology *topology = master->topology;
	rlk_str argv[RLK_SEARCH_ARGC];
	const rlk_reply *reply = NULL;
	rlk_outcome outcome = RLK_FAIL;
	rlk_conn conn;

	rlk_search_argv(topology->service, argv);
	rlk_conn_init(&conn, sentinel, NULL);
	conn.hooks = master->hooks;
	master->sentinel = &conn;
	if (rlk_conn_open(&conn, RLK_CONN_WHEN_ANSWERED, deadline, err) &&
		rlk_conn_append(&conn, argv, RLK_SEARCH_ARGC, err) && rlk_conn_flush(&conn, deadline, err) == RLK_YES)
		reply = rlk_conn_read(&conn, deadline, err);
	if (reply != NULL)
		outcome = judge(topology, reply, node, err);
	if (outcome != RLK_YES)
		rlk_error_set_node(err, sentinel->uri);
	rlk_conn_close(&conn);
	master->sentinel = NULL;
	return outcome;
}

static bool open_master(rlk_topology *topology, rlk_conn *conn, rlk_topology_node *node, rlk_deadline deadline,
	rlk_error *err)
{
	conn->server = &node->server;
	if (rlk_conn_open(conn, RLK_CONN_WHEN_MASTER, deadline, err)) {
		topology->master = node;
		return true;
	}
	rlk_error_set_node(err, node->server.uri);
	rlk_conn_close(conn);
	return false;
}

/* Asks all sentinels once. If none named a master, *err is the error of the last sentinel, or that one knows no
 * master. */
static bool ask_all(rlk_topology *topology, rlk_search *search, rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	rlk_error denial;
	bool named = false;

	rlk_error_clear(&denial);
	rlk_error_clear(err);
	while (rlk_search_next(search, rlk_clock_now_ms()) == RLK_SEARCH_ASK) {
		rlk_topology_node *node;
		rlk_outcome outcome;

		rlk_error_clear(err);
		outcome = ask_sentinel(conn, &topology->seeds[search->turn], (rlk_deadline){ search->next_at_ms }, &node, err);
		if (outcome == RLK_NO)
			rlk_error_adopt(&denial, err);
		named = named || outcome == RLK_YES;
		if (outcome == RLK_YES && open_master(topology, conn, node, deadline, err))
			return true;
		if (err->code == RLK_ERR_INTERRUPTED)
			return false;
		rlk_search_pass(search, rlk_clock_now_ms());
	}
	if (!named && denial.code != RLK_ERR_NONE)
		*err = denial;
	no_time(err);
	return false;
}

static bool open_by_sentinels(rlk_topology *topology, rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	rlk_search search = { .turn = topology->turn };
	rlk_error reported;
	bool open;

	topology->master = NULL;
	rlk_error_clear(&reported);
	rlk_search_begin(&search, (unsigned)topology->seed_count, topology->like.connect_timeout_ms, deadline.at_ms,
		rlk_clock_now_ms());
	for (;;) {
		int64_t left_ms = rlk_deadline_left_ms(deadline);
		rlk_search_step step;
		rlk_error local;

		open = ask_all(topology, &search, conn, deadline, &local);
		topology->turn = search.turn;
		if (open)
			return true;
		/* Keeps the error of the lap before, which says more than "no time left". */
		if (reported.code == RLK_ERR_NONE || left_ms >= LAP_MS || !rlk_deadline_is_over(deadline))
			reported = local;
		step = rlk_search_next(&search, rlk_clock_now_ms());
		if (!local.retryable || step == RLK_SEARCH_OVER)
			break;
		if (step == RLK_SEARCH_PAUSE &&
			!rlk_conn_pause(conn, search.next_at_ms - rlk_clock_now_ms(), deadline, &reported))
			break;
	}
	rlk_error_adopt(err, &reported);
	return false;
}

/* --- Cluster ------------------------------------------------------------------------------------- */

static int64_t avoided_until(const rlk_topology_node *node)
{
	return node->failed_at_ms > 0 ? node->failed_at_ms + RLK_CLUSTER_AVOIDED_MS : 0;
}

rlk_topology_node *rlk_topology_choose(rlk_topology *topology, int hash_slot, int64_t now_ms)
{
	rlk_topology_node *best = topology->owner[hash_slot];
	int64_t best_until_ms = RLK_NEVER;

	if (best != NULL)
		rlk_choice_takes(&best_until_ms, avoided_until(best), now_ms);
	for (rlk_topology_node *node = topology->nodes; node != NULL; node = node->next) {
		if (rlk_choice_takes(&best_until_ms, avoided_until(node), now_ms))
			best = node;
	}
	return best;
}

static bool open_in_cluster(rlk_topology *topology, rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	const rlk_topology_node *owner = topology->owner[conn->hash_slot];
	rlk_topology_node *present = owner == NULL ? rlk_topology_node_of(topology, conn) : NULL;
	int64_t now_ms = rlk_clock_now_ms();

	/* Only this node may be asked (ASK). If it fails, the next request begins with the owner again. */
	if (conn->send_asking)
		return rlk_conn_open(conn, RLK_CONN_WHEN_ANSWERED, deadline, err);
	for (unsigned left = topology->node_count; left > 0 && now_ms < deadline.at_ms;
		 left--, now_ms = rlk_clock_now_ms()) {
		/* If the owner is not known, the present node comes first: nobody may read the redirection of a release. */
		rlk_topology_node *node = present != NULL && present->failed_at_ms == 0 ?
			present :
			rlk_topology_choose(topology, conn->hash_slot, now_ms);
		rlk_error local;

		present = NULL;
		conn->server = &node->server;
		rlk_error_clear(&local);
		if (rlk_conn_open(conn, RLK_CONN_WHEN_ANSWERED,
				rlk_deadline_within(deadline, now_ms + rlk_topology_share_ms(deadline.at_ms - now_ms, left)), &local)) {
			node->failed_at_ms = 0;
			return true;
		}
		if (local.code != RLK_ERR_INTERRUPTED)
			node->failed_at_ms = rlk_clock_now_ms();
		rlk_error_set_node(&local, node->server.uri);
		rlk_error_adopt(err, &local);
		if (!local.retryable)
			return false;
	}
	no_time(err);
	return false;
}

bool rlk_topology_open(rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	return conn->topology->kind == RLK_TOPOLOGY_SENTINEL ? open_by_sentinels(conn->topology, conn, deadline, err) :
														   open_in_cluster(conn->topology, conn, deadline, err);
}
