/* unit: add tests/unit/fake_server.c */
/*
 * rlk_lock_release_unread(): what the answer that nobody waits for says, and when that is noticed.
 */
#include "lock_case.h"
#include "net/rlk_socket.h"

#define RELEASE "EXPECT EVAL * 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"

static bool settles(void)
{
	for (int64_t until_ms = rlk_clock_now_ms() + 10000; lock.releasing_on != NULL && rlk_clock_now_ms() < until_ms;)
		rlk_lock_collect(&lock);
	return lock.releasing_on == NULL;
}

/* By itself, and together with the answer to the next command. */
static void every_answer(void)
{
	static const struct {
		const char *reply;
		rlk_late late;
	} cases[] = {
		{ ":1", RLK_LATE_NONE },
		{ ":0", RLK_LATE_NOT_OURS },
		{ ":2", RLK_LATE_NONE },
		{ "-LOADING the data", RLK_LATE_UNCONFIRMED },
		{ "-WRONGTYPE no string", RLK_LATE_UNCONFIRMED },
		{ "-ERR unknown command 'EVAL'", RLK_LATE_UNCONFIRMED },
		{ "+OK", RLK_LATE_UNCONFIRMED },
		{ "$-1", RLK_LATE_UNCONFIRMED },
		{ "$1\\r\\n1", RLK_LATE_UNCONFIRMED },
		{ "*1\\r\\n:1", RLK_LATE_UNCONFIRMED },
	};

	/* Taken is an answer where it is known how to release a lock. */
	static const char settled[] = "EXPECT DELEX k IFEQ rlk1:nobody\nSEND -ERR unknown command 'DELEX'\n"
								  "EXPECT DELIFEQ k rlk1:nobody\nSEND :0\n";

	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		bool together = i % 2, refused = strstr(cases[i / 2].reply, "EVAL") != NULL;
		char script[1024];

		/* Nothing more is asked while the answer is still to come, or once scripts are refused. */
		if (together)
			snprintf(script, sizeof(script),
				HELD RELEASE "EXPECT SET k mine NX PX 10000\nSEND %s\\r\\n$-1\n%sEXPECT-CLOSE", cases[i / 2].reply,
				refused ? settled : "");
		else
			snprintf(script, sizeof(script),
				HELD RELEASE "SEND %s\n%sEXPECT SET k mine NX PX 10000\nSEND $-1\n%sEXPECT-CLOSE", cases[i / 2].reply,
				refused ? "" : ASKED, refused ? settled : "");
		CHECK(begin(script, 5000));
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
		CHECK(!lock.held && lock.late == RLK_LATE_NONE && lock.releasing_on == &conn);
		CHECK(together || settles());
		CHECK_INT(acquire(10000, 0, 1), RLK_NO);
		CHECK(lock.releasing_on == NULL);
		CHECK_INT(lock.late, cases[i / 2].late);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_STR(end(), "");
	}
}

static void no_answer(void)
{
	static const char *const ends[] = { "CLOSE", "SENDRAW :\nCLOSE", "SEND ?\nEXPECT-CLOSE" };

	for (size_t i = 0; i < 3; i++) {
		char script[512];

		snprintf(script, sizeof(script), HELD RELEASE "%s\n" HELD "EXPECT-CLOSE", ends[i]);
		CHECK(begin(script, 5000));
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
		CHECK(settles());
		CHECK_INT(lock.late, RLK_LATE_UNCONFIRMED);
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_STR(end(), "");
	}
}

/* Nobody would say it again, so a connection that was used a moment ago is looked at all the same. */
static void a_connection_that_has_just_ended(void)
{
	CHECK(begin(HELD "CLOSE\n" RELEASE "SEND :1\nEXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_socket_wait(conn.fd, RLK_SOCKET_READABLE, rlk_clock_now_ms() + 5000), 1);
	conn.sent_at_ms = conn.heard_at_ms = rlk_clock_now_ms() - RLK_CONN_FRESH_MS;
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
	CHECK(settles());
	CHECK_INT(lock.late, RLK_LATE_NONE);
	CHECK_STR(end(), "");
}

/* Then the next command is late, too, and its release goes behind both. */
static void a_silent_server(void)
{
	CHECK(begin(HELD RELEASE "EXPECT SET k mine NX PX 10000\n" RELEASE "EXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	server.io_timeout_ms = 40;
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
	CHECK_INT(acquire(10000, 0, 1), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK_INT(lock.late, RLK_LATE_UNCONFIRMED);
	CHECK_STR(end(), "");
}

static void waits_behind_another_answer(void)
{
	CHECK(begin(HELD RELEASE "EXPECT SET k mine NX PX 10000\nSENDRAW :1\\r\\n+OK\\r\\n\n" RELEASE
							 "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :0\\r\\n:1\nEXPECT-CLOSE",
		5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	rlk_lock_send_release(&lock, &conn, false);
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
	CHECK(lock.releasing_on == NULL && lock.late == RLK_LATE_NONE);
	CHECK_STR(end(), "");
}

static void nobody_listens(void)
{
	CHECK(begin(HELD "GONE\nCLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_STR(fake_server_end(&fake), "");
	rlk_conn_close(&conn);
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_CONNECT);
	CHECK(lock.held);
	rlk_lock_destroy(&lock);
	rlk_server_destroy(&server);
}

/* The object goes before the answer comes. */
static void nobody_to_be_told(void)
{
	CHECK(begin(HELD RELEASE "SEND :0\nEXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
	rlk_lock_destroy(&lock);
	while (conn.unread > 0)
		rlk_conn_collect(&conn);
	CHECK_STR(end(), "");
}

/* What the server refuses is not tried the same way again. */
static void learns_from_a_refusal(void)
{
	CHECK(begin(HELD RELEASE "SEND -NOPERM No permissions to access a key\n" ASKED HELD
							 "EXPECT EVAL * 1 k mine\nSEND :1\nEXPECT-CLOSE",
		5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
	CHECK(settles());
	CHECK_INT(lock.late, RLK_LATE_UNCONFIRMED);
	lock.late = RLK_LATE_NONE;
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
	CHECK(settles());
	CHECK_INT(lock.late, RLK_LATE_NONE);
	CHECK_STR(end(), "");

	CHECK(
		begin(HELD RELEASE "SEND -ERR unknown command 'EVAL'\nEXPECT DELEX k IFEQ mine\nSEND :1\nEXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release_unread(&lock, &conn, &err), RLK_YES);
	CHECK(settles());
	CHECK_INT(lock.late, RLK_LATE_UNCONFIRMED);
	CHECK(rlk_lock_release_again(&lock, &conn));
	CHECK_INT(lock.late, RLK_LATE_NONE);
	CHECK(!rlk_lock_release_again(&lock, &conn));
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(every_answer);
	RUN(no_answer);
	RUN(a_connection_that_has_just_ended);
	RUN(a_silent_server);
	RUN(waits_behind_another_answer);
	RUN(nobody_listens);
	RUN(nobody_to_be_told);
	RUN(learns_from_a_refusal);
	return unit_done();
}
