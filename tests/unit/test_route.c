/* unit: add tests/unit/fake_server.c */
/*
 * rlk_route: what is done about a server that says no.
 */
#include "redis/rlk_route.h"

#include "base/rlk_clock.h"
#include "fake_server.h"
#include "unit.h"
#include "redis/rlk_call.h"

static fake_server server;
static rlk_endpoint endpoints[2];
static rlk_routes routes;
static rlk_route *route;
static rlk_conn conn;
static rlk_error err;

/* A route of that kind whose guides are a server that plays the script and one that is not there. */
static bool begin(const char *script, rlk_route_kind kind)
{
	const rlk_endpoint *guides[2] = { &endpoints[0], &endpoints[1] };

	rlk_error_clear(&err);
	if (!fake_server_start(&server, script))
		return false;
	for (int i = 0; i < 2; i++) {
		rlk_endpoint_init(&endpoints[i], 5000, 5000);
	}
	endpoints[1].transport = RLK_TRANSPORT_UNIX;
	if (!fake_server_address(&server, &endpoints[0]) || !rlk_str_store(&endpoints[1].path, RLK_STR("/nowhere")))
		return false;
	rlk_endpoint_relabel(&endpoints[1]);
	route = rlk_route_get(&routes, kind, &endpoints[0], guides, 2, "service");
	if (route == NULL)
		return false;
	rlk_conn_init(&conn, NULL, NULL);
	rlk_route_attach(route, &conn);
	return rlk_conn_open(&conn, rlk_clock_now_ms() + 5000, &err);
}

static const char *end(void)
{
	rlk_conn_close(&conn);
	rlk_route_release(route);
	rlk_routes_clear(&routes);
	rlk_endpoint_destroy(&endpoints[0]);
	rlk_endpoint_destroy(&endpoints[1]);
	return fake_server_end(&server);
}

/* Asks, and follows what is answered. */
static bool follow(void)
{
	const rlk_str ping = RLK_STR("PING");
	const rlk_reply *reply;
	int64_t until_ms = rlk_clock_now_ms() + 5000;

	if (!rlk_conn_append(&conn, &ping, 1, &err) || rlk_conn_send(&conn, &err) != RLK_YES)
		return false;
	reply = rlk_conn_receive(&conn, &err);
	return reply != NULL && rlk_route_follow(&conn, reply, 0, until_ms);
}

/* The reply goes with its connection. */
static void leaves_a_master_that_became_a_replica(void)
{
	CHECK(begin("EXPECT PING\nSEND -READONLY You can't write against a read only replica.\nEXPECT-CLOSE",
		RLK_ROUTE_SENTINEL));
	CHECK(follow());
	CHECK_INT(conn.fd, RLK_SOCKET_NONE);
	CHECK_STR(end(), "");
}

static void leaves_a_node_that_cannot_say(void)
{
	CHECK(begin("EXPECT PING\nSEND -CLUSTERDOWN The cluster is down\nEXPECT-CLOSE", RLK_ROUTE_CLUSTER));
	CHECK(follow());
	CHECK_INT(conn.fd, RLK_SOCKET_NONE);
	CHECK_STR(conn.endpoint->path, "/nowhere");
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(leaves_a_master_that_became_a_replica);
	RUN(leaves_a_node_that_cannot_say);
	return unit_done();
}
