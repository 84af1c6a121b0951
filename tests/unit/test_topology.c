/* unit: add tests/unit/fake_server.c */
/*
 * rlk_topology: what is done about a server that says no.
 */
#include "redis/rlk_topology.h"

#include "base/rlk_os.h"
#include "fake_server.h"
#include "unit.h"
#include "redis/rlk_exchange.h"
#include "redis/rlk_topology_rules.h"

#include <stdio.h>

static fake_server fake;
static rlk_server servers[2];
static rlk_topologies topologies;
static rlk_topology *topology;
static rlk_topology_user user;
static rlk_conn conn;
static rlk_error err;

/* A topology of that kind whose seeds are a server that plays the script and one that is not there. */
static bool begin(const char *script, rlk_topology_kind kind)
{
	const rlk_server *seeds[2] = { &servers[0], &servers[1] };

	rlk_error_clear(&err);
	if (!fake_server_start(&fake, script))
		return false;
	for (int i = 0; i < 2; i++) {
		rlk_server_init(&servers[i], 5000, 5000);
	}
	servers[1].transport = RLK_TRANSPORT_UNIX;
	if (!fake_server_address(&fake, &servers[0]) || !rlk_str_store(&servers[1].path, RLK_STR("/nowhere")))
		return false;
	rlk_server_write_uri(&servers[1]);
	topology = rlk_topology_get(&topologies, kind, &servers[0], seeds, 2, "service");
	if (topology == NULL)
		return false;
	rlk_conn_init(&conn, NULL, NULL);
	rlk_topology_attach(topology, &conn, &user);
	return rlk_conn_open(&conn, RLK_CONN_WHEN_ANSWERED, rlk_deadline_in(5000), &err);
}

static const char *end(void)
{
	rlk_conn_close(&conn);
	rlk_topology_remove_user(topology, &user);
	rlk_topologies_clear(&topologies);
	rlk_server_destroy(&servers[0]);
	rlk_server_destroy(&servers[1]);
	return fake_server_end(&fake);
}

static const rlk_reply *ask(void)
{
	const rlk_str ping = RLK_STR("PING");

	if (!rlk_conn_append(&conn, &ping, 1, &err) || rlk_conn_send(&conn, RLK_DEADLINE_NONE, &err) != RLK_YES)
		return NULL;
	return rlk_conn_receive(&conn, RLK_DEADLINE_NONE, &err);
}

/* Asks, and follows what is answered. */
static bool follow(void)
{
	int64_t until_ms = rlk_clock_now_ms() + 5000;
	const rlk_reply *reply = ask();

	return reply != NULL && rlk_topology_follow(&conn, reply, 0, (rlk_deadline){ until_ms });
}

/* The reply goes with its connection. */
static void leaves_a_master_that_became_a_replica(void)
{
	CHECK(begin("EXPECT PING\nSEND -READONLY You can't write against a read only replica.\nEXPECT-CLOSE",
		RLK_TOPOLOGY_SENTINEL));
	CHECK(follow());
	CHECK_INT(conn.fd, RLK_SOCKET_NONE);
	CHECK_STR(end(), "");
}

static bool always(void *arg)
{
	(void)arg;
	return true;
}

static void leaves_its_reply_to_who_is_interrupted(void)
{
	const rlk_hooks hooks = { .signalled = always, .interrupted = always };
	const rlk_reply *reply;

	CHECK(begin("EXPECT PING\nSEND -READONLY You can't write against a read only replica.\nEXPECT-CLOSE",
		RLK_TOPOLOGY_SENTINEL));
	reply = ask();
	CHECK(reply != NULL);
	conn.hooks = &hooks;
	CHECK(!rlk_topology_follow(&conn, reply, 0, rlk_deadline_in(5000)));
	CHECK(conn.fd != RLK_SOCKET_NONE);
	CHECK(reply != NULL && rlk_reply_is_error(reply, "READONLY"));
	conn.hooks = NULL;
	CHECK_STR(end(), "");
}

static void leaves_a_node_that_cannot_say(void)
{
	CHECK(begin("EXPECT PING\nSEND -CLUSTERDOWN The cluster is down\nEXPECT-CLOSE", RLK_TOPOLOGY_CLUSTER));
	CHECK(follow());
	CHECK_INT(conn.fd, RLK_SOCKET_NONE);
	CHECK_STR(conn.server->path, "/nowhere");
	CHECK_STR(end(), "");
}

/* It has answered for the key, although nobody has said that it is the owner. */
static void opens_again_where_it_was(void)
{
	rlk_topology_node *node;

	CHECK(begin("EXPECT PING\nSEND +PONG\nEXPECT-CLOSE\nEXPECT PING\nSEND +PONG\nEXPECT-CLOSE", RLK_TOPOLOGY_CLUSTER));
	CHECK(!follow());
	rlk_conn_close(&conn);
	node = topology->nodes;
	topology->nodes = node->next; /* the one that is not there would be the next guess */
	node->next->next = node;
	node->next = NULL;
	CHECK(rlk_conn_connect(&conn, false, RLK_DEADLINE_NONE, &err));
	CHECK_INT(topology->nodes->failed_at_ms, 0);
	CHECK(!follow());
	CHECK_STR(end(), "");
}

/* A Cluster whose one configured node is never asked here. */
static bool begin_unasked(void)
{
	const rlk_server *seed = &servers[0];

	rlk_server_init(&servers[0], 5000, 5000);
	rlk_server_init(&servers[1], 5000, 5000);
	servers[0].port = 7000;
	if (!rlk_str_store(&servers[0].host, RLK_STR("10.0.0.1")))
		return false;
	topology = rlk_topology_get(&topologies, RLK_TOPOLOGY_CLUSTER, &servers[0], &seed, 1, NULL);
	if (topology == NULL)
		return false;
	rlk_conn_init(&conn, NULL, NULL);
	rlk_topology_attach(topology, &conn, &user);
	return true;
}

static void end_unasked(void)
{
	rlk_conn_close(&conn);
	rlk_topology_remove_user(topology, &user);
	rlk_topologies_clear(&topologies);
	rlk_server_destroy(&servers[0]);
}

static const char *address_of(int number)
{
	static char address[32];

	snprintf(address, sizeof(address), "10.1.%d.%d", number / 256, number % 256);
	return address;
}

static bool is_moved(rlk_conn *of, int slot, int number)
{
	char text[64];
	rlk_reply reply = { .type = RLK_REPLY_ERROR };

	snprintf(text, sizeof(text), "MOVED %d %s:7000", slot, address_of(number));
	reply.text = rlk_str_from_cstr(text);
	return rlk_topology_follow(of, &reply, 0, RLK_DEADLINE_NONE) && strcmp(of->server->host, address_of(number)) == 0;
}

static int count_nodes(void)
{
	int count = 0;

	for (const rlk_topology_node *node = topology->nodes; node != NULL; node = node->next)
		count++;
	return count;
}

static void forgets_nodes_that_nothing_points_to(void)
{
	rlk_conn other;
	rlk_topology_user of_other;

	CHECK(begin_unasked());
	rlk_conn_init(&other, NULL, NULL);
	rlk_topology_attach(topology, &other, &of_other);
	CHECK(is_moved(&other, 1, 0));
	CHECK(is_moved(&conn, 2, 1));
	for (int i = 2; i < 5000; i++)
		CHECK(is_moved(&conn, 1, i));
	CHECK(count_nodes() <= RLK_TOPOLOGY_NODES_FEW);
	CHECK_STR(other.server->host, address_of(0));
	CHECK_STR(topology->owner[2]->server.host, address_of(1));
	CHECK_STR(topology->nodes->server.host, "10.0.0.1");
	rlk_topology_remove_user(topology, &of_other);
	for (int i = 0; i < RLK_TOPOLOGY_NODES_FEW; i++)
		CHECK(is_moved(&conn, 1, 5000 + i));
	CHECK(strcmp(topology->nodes->next->server.host, address_of(0)) != 0);
	end_unasked();
}

static void forgets_owners_beyond_what_a_cluster_has(void)
{
	CHECK(begin_unasked());
	for (int i = 0; i < 5000; i++) {
		CHECK(is_moved(&conn, i, i));
		CHECK(topology->owner[i] != NULL);
	}
	CHECK(count_nodes() <= RLK_TOPOLOGY_NODES_MAX);
	CHECK_STR(conn.server->host, address_of(4999));
	end_unasked();
}

static void forgets_owners_that_failed(void)
{
	CHECK(begin_unasked());
	for (int i = 0; i < 500; i++) {
		CHECK(is_moved(&conn, i, i));
		topology->owner[i]->failed_at_ms = 1;
	}
	CHECK(count_nodes() <= RLK_TOPOLOGY_NODES_FEW);
	CHECK(topology->owner[0] == NULL);
	end_unasked();
}

int main(void)
{
	RUN(forgets_nodes_that_nothing_points_to);
	RUN(forgets_owners_beyond_what_a_cluster_has);
	RUN(forgets_owners_that_failed);
	RUN(leaves_a_master_that_became_a_replica);
	RUN(leaves_its_reply_to_who_is_interrupted);
	RUN(leaves_a_node_that_cannot_say);
	RUN(opens_again_where_it_was);
	return unit_done();
}
