/* unit: add tests/unit/fake_server.c */
/* unit: add tests/unit/fake_clock.c */
/* unit: link -Wl,--wrap=rlk_clock_now_ms */
/*
 * rlk_pool: who gets an idle connection, and which ones are closed.
 */
#include "net/rlk_pool.h"

#include "fake_clock.h"
#include "fake_server.h"
#include "unit.h"
#include "net/rlk_socket.h"
#include "redis/rlk_exchange.h"

#define SERVER "SERVE\nSELECT * => +OK\nPING => +PONG\n"

static fake_server fake;
static rlk_pool pool;
static rlk_drain_list drain;
static rlk_error err;

static bool begin(rlk_server *server, int database)
{
	rlk_server_init(server, 5000, 5000);
	server->database = database;
	return fake_server_address(&fake, server);
}

/* An open connection that has been used. */
static bool open_one(rlk_conn *conn, const rlk_server *server)
{
	const rlk_str ping = RLK_STR("PING");
	const rlk_reply *reply;

	rlk_conn_init(conn, server, &drain);
	conn->pool = &pool;
	return rlk_conn_call(conn, &ping, 1, RLK_DEADLINE_NONE, &reply, &err) == RLK_YES;
}

static void the_same_server_and_database_fit(void)
{
	rlk_server first, second;
	rlk_conn conn, other;
	int fd;

	CHECK(fake_server_start(&fake, SERVER));
	CHECK(begin(&first, 1) && begin(&second, 2) && open_one(&conn, &first));
	fd = conn.fd;
	rlk_pool_put(&conn);
	CHECK_INT(pool.count, 1);
	CHECK_INT(conn.fd, RLK_SOCKET_NONE);
	rlk_conn_init(&other, &second, &drain);
	other.pool = &pool;
	CHECK(!rlk_pool_take(&other));
	CHECK(rlk_pool_take(&conn));
	CHECK_INT(conn.fd, fd);
	CHECK_INT(pool.count, 0);
	CHECK(!rlk_pool_take(&conn));
	rlk_conn_close(&conn);
	rlk_server_destroy(&first);
	rlk_server_destroy(&second);
	CHECK_STR(fake_server_end(&fake), "");
}

/* The oldest goes when there are too many, all of them after a minute. */
static void idle_ones_are_closed(void)
{
	rlk_server server;
	rlk_conn conns[RLK_POOL_MAX + 1];

	CHECK(fake_server_start(&fake, SERVER) && begin(&server, 1));
	for (int i = 0; i <= RLK_POOL_MAX; i++)
		CHECK(open_one(&conns[i], &server));
	for (int i = 0; i <= RLK_POOL_MAX; i++)
		rlk_pool_put(&conns[i]);
	CHECK_INT(pool.count, RLK_POOL_MAX);
	fake_clock_advance(RLK_POOL_IDLE_MS - 1);
	rlk_pool_tend(&pool);
	CHECK_INT(pool.count, RLK_POOL_MAX);
	fake_clock_advance(1);
	rlk_pool_tend(&pool);
	CHECK_INT(pool.count, 0);
	CHECK(open_one(&conns[0], &server));
	rlk_pool_put(&conns[0]);
	rlk_pool_clear(&pool);
	CHECK_INT(pool.count, 0);
	rlk_server_destroy(&server);
	CHECK_STR(fake_server_end(&fake), "");
}

/* A connection that owes an answer is nobody else's. */
static void what_is_under_way_is_not_kept(void)
{
	const rlk_str ping = RLK_STR("PING");
	rlk_server server;
	rlk_conn conn;

	CHECK(fake_server_start(&fake, SERVER) && begin(&server, 1) && open_one(&conn, &server));
	CHECK(rlk_conn_append(&conn, &ping, 1, &err));
	rlk_pool_put(&conn);
	CHECK_INT(pool.count, 0);
	CHECK_INT(conn.fd, RLK_SOCKET_NONE);
	rlk_server_destroy(&server);
	CHECK_STR(fake_server_end(&fake), "");
}

/* One with a request behind an unread reply stays open: a server that cannot write that reply reads no further. */
static void what_is_behind_an_unread_reply_is_drained(void)
{
	static const char *const script[] = {
		"EXPECT SELECT 1\nSEND +OK\nEXPECT PING\nSEND +PONG\nEXPECT PING\nEXPECT-CLOSE",
		"EXPECT SELECT 1\nSEND +OK\nEXPECT PING\nSEND +PONG\nEXPECT PING\nEXPECT PING\nAWAIT\nEXPECT-CLOSE"
	};
	const rlk_str ping = RLK_STR("PING");
	fake_server teller;
	rlk_server server;
	rlk_conn conn;

	for (int behind = 0; behind <= 1; behind++) {
		CHECK(fake_server_start(&fake, script[behind]) && begin(&server, 1) && open_one(&conn, &server));
		for (int i = 0; i <= behind; i++)
			CHECK(rlk_conn_append(&conn, &ping, 1, &err));
		CHECK(rlk_conn_flush(&conn, RLK_DEADLINE_NONE, &err) == RLK_YES);
		rlk_conn_leave_unread(&conn, (rlk_conn_listener){ NULL, NULL }, false);
		rlk_pool_put(&conn);
		CHECK_INT(pool.count, 1);
		rlk_pool_clear(&pool);
		CHECK_INT(pool.count, 0);
		CHECK_INT(drain.open, behind);
		CHECK(behind == 0 || (fake_server_start(&teller, "TELL") && fake_server_end(&teller)[0] == '\0'));
		rlk_drain_finish(&drain, RLK_NEVER);
		CHECK_INT(drain.open, 0);
		rlk_server_destroy(&server);
		CHECK_STR(fake_server_end(&fake), "");
	}
}

int main(void)
{
	RUN(the_same_server_and_database_fit);
	RUN(idle_ones_are_closed);
	RUN(what_is_under_way_is_not_kept);
	RUN(what_is_behind_an_unread_reply_is_drained);
	return unit_done();
}
