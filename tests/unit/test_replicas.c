/* unit: add tests/unit/fake_server.c */
/*
 * rlk_replicas: a lock that enough replicas must have, whatever the server says of them.
 */
#include "lock_case.h"

#define WAITS "EXPECT WAIT 2 100\n"
#define RELEASES "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :1\n"
#define BEHIND "EXPECT EVAL * 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"

/* What the server says to WAIT, and what that means for the lock. */
static const struct {
	const char *reply, *afterwards;
	rlk_outcome outcome;
	rlk_error_code code;
} cases[] = {
	{ "SEND :2\n", "EXPECT-CLOSE", RLK_YES, RLK_ERR_NONE },
	{ "SEND :3\n", "EXPECT-CLOSE", RLK_YES, RLK_ERR_NONE },
	{ "SEND :1\n", RELEASES "EXPECT-CLOSE", RLK_FAIL, RLK_ERR_SERVER },
	{ "SEND :0\n", RELEASES "EXPECT-CLOSE", RLK_FAIL, RLK_ERR_SERVER },
	{ "SEND :-1\n", RELEASES "EXPECT-CLOSE", RLK_FAIL, RLK_ERR_SERVER },
	{ "SEND -ERR unknown command 'WAIT'\n", RELEASES "EXPECT-CLOSE", RLK_FAIL, RLK_ERR_SERVER },
	{ "SEND -ERR WAIT cannot be used with replica instances.\n", RELEASES "EXPECT-CLOSE", RLK_FAIL, RLK_ERR_SERVER },
	{ "SEND -NOPERM this user\n", RELEASES "EXPECT-CLOSE", RLK_FAIL, RLK_ERR_AUTH },
	/* The rest says nothing, and nothing that makes sense may follow it. */
	{ "SEND +OK\n", "EXPECT-CLOSE\n" BEHIND "EXPECT-CLOSE", RLK_UNKNOWN, RLK_ERR_PROTOCOL },
	{ "SEND $-1\n", "EXPECT-CLOSE\n" BEHIND "EXPECT-CLOSE", RLK_UNKNOWN, RLK_ERR_PROTOCOL },
	{ "SEND *1\\r\\n:2\n", "EXPECT-CLOSE\n" BEHIND "EXPECT-CLOSE", RLK_UNKNOWN, RLK_ERR_PROTOCOL },
	{ "SEND ?\n", "EXPECT-CLOSE\n" BEHIND "EXPECT-CLOSE", RLK_UNKNOWN, RLK_ERR_PROTOCOL },
	{ "CLOSE\n", BEHIND "EXPECT-CLOSE", RLK_UNKNOWN, RLK_ERR_IO },
	{ "SENDRAW :2\nCLOSE\n", BEHIND "EXPECT-CLOSE", RLK_UNKNOWN, RLK_ERR_IO },
	/* Silent for longer than WAIT may take and an answer may need. */
	{ "", BEHIND "EXPECT-CLOSE", RLK_UNKNOWN, RLK_ERR_TIMEOUT },
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static bool begin_waiting(const char *script, size_t i)
{
	if (!begin(script, cases[i].reply[0] == '\0' ? 300 : 5000))
		return false;
	replicas = (rlk_replicas){ .min = 2, .timeout_ms = 100 };
	return true;
}

static void acquires(void)
{
	for (size_t i = 0; i < CASES; i++) {
		int64_t start_ms = rlk_clock_now_ms();
		char script[1024];

		snprintf(script, sizeof(script), HELD WAITS "%s%s", cases[i].reply, cases[i].afterwards);
		CHECK(begin_waiting(script, i));
		CHECK_INT(acquire(10000, 0, 1), cases[i].outcome);
		CHECK_INT(err.code, cases[i].code);
		CHECK(err.code == RLK_ERR_NONE || strcmp(err.node, server.uri) == 0);
		CHECK_INT(rlk_lock_is_valid(&lock), cases[i].outcome == RLK_YES);
		CHECK(err.code != RLK_ERR_TIMEOUT || rlk_clock_now_ms() - start_ms >= 400);
		CHECK_STR(end(), "");
	}
}

/* Too few, or nobody knows: the end that was there before is the one to believe in, if it comes first. */
static void extends(void)
{
	for (size_t i = 0; i < CASES; i++) {
		for (int shortens = 0; shortens < 2; shortens++) {
			int64_t until_ms;
			char script[1024];

			snprintf(script, sizeof(script), HELD WAITS "SEND :2\nEXPECT EVALSHA * 1 k mine %d\nSEND :1\n" WAITS "%s%s",
				shortens ? 5000 : 20000, cases[i].reply, strstr(cases[i].reply, "CLOSE") == NULL ? "EXPECT-CLOSE" : "");
			CHECK(begin_waiting(script, i));
			CHECK_INT(acquire(10000, 0, 1), RLK_YES);
			until_ms = lock.valid_until_ms;
			CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, shortens ? 5000 : 20000, &replicas, &err),
				cases[i].outcome);
			CHECK_INT(err.code, cases[i].code);
			CHECK(lock.held);
			if (shortens)
				CHECK(lock.valid_until_ms < until_ms - 3000);
			else if (cases[i].outcome == RLK_YES)
				CHECK(lock.valid_until_ms > until_ms + 5000);
			else
				CHECK_INT(lock.valid_until_ms, until_ms);
			CHECK_STR(end(), "");
		}
	}
}

/* The master still has the longer TTL of an extension that too few replicas had. */
static void confirms(void)
{
	for (size_t i = 0; i < CASES; i++) {
		int64_t until_ms;
		char script[1024];

		snprintf(script, sizeof(script), HELD WAITS "SEND :2\nEXPECT EVALSHA * 1 k mine\nSEND :20000\n" WAITS "%s%s",
			cases[i].reply, strstr(cases[i].reply, "CLOSE") == NULL ? "EXPECT-CLOSE" : "");
		CHECK(begin_waiting(script, i));
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		until_ms = lock.valid_until_ms;
		CHECK_INT(rlk_lock_confirm(&lock, &one, RLK_DEADLINE_NONE, &replicas, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
		if (cases[i].outcome == RLK_YES)
			CHECK(lock.valid_until_ms > until_ms + 5000);
		else
			CHECK_INT(lock.valid_until_ms, until_ms);
		CHECK_STR(end(), "");
	}
	/* One that is shorter is believed without asking. */
	CHECK(begin_waiting(HELD WAITS "SEND :2\nEXPECT EVALSHA * 1 k mine\nSEND :5000\nEXPECT-CLOSE", 0));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_confirm(&lock, &one, RLK_DEADLINE_NONE, &replicas, &err), RLK_YES);
	CHECK(lock.valid_until_ms < rlk_clock_now_ms() + 5000);
	CHECK_STR(end(), "");
}

static void validity_counts_from_the_write(void)
{
	CHECK(begin_waiting("EXPECT SET k mine NX PX 10000\nSEND +OK\n" WAITS "DELAY 60\nSEND :2\nEXPECT-CLOSE", 0));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK(rlk_clock_now_ms() - lock.acquired_at_ms >= 60);
	CHECK_INT(lock.valid_until_ms, lock.acquired_at_ms + 9898);
	CHECK_INT(conn.sent_at_ms, lock.acquired_at_ms);
	CHECK_STR(end(), "");
}

static void an_answer_after_the_ttl_is_no_lock(void)
{
	CHECK(begin_waiting("EXPECT SET k mine NX PX 500\nSEND +OK\n" WAITS "DELAY 600\nSEND :2\n" RELEASES "EXPECT-CLOSE",
		0));
	CHECK_INT(acquire(500, 0, 1), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK(!lock.held);
	CHECK_STR(end(), "");
}

static void held_by_another_is_no_matter_of_replicas(void)
{
	CHECK(begin_waiting("EXPECT SET k mine NX PX 10000\nSEND $-1\nEXPECT-CLOSE", 0));
	CHECK_INT(acquire(10000, 0, 1), RLK_NO);
	CHECK_STR(end(), "");
}

/* All of it is over at the limit of the wait, but for the moment that a last request has: the wait for the replicas, and
 * where they are too few, the release. Behind a wait for them the connection stays: if it were closed, the server would drop the
 * release. */
static void the_limit_of_a_wait_holds(void)
{
	static const struct {
		const char *script;
		int64_t deadline_ms;
		rlk_error_code code;
	} limits[] = {
		{ HELD "EXPECT WAIT 2 *\n" BEHIND "SEND :0\nSEND :1\n" HELD "EXPECT-CLOSE", 200, RLK_ERR_TIMEOUT },
		{ HELD "EXPECT WAIT 2 *\nSEND :1\nEXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\n" BEHIND
			   "EXPECT-CLOSE",
			200, RLK_ERR_SERVER },
		{ "EXPECT SET k mine NX PX 10000\nSEND $-1\nEXPECT EVALSHA * 6 k {k}:rlk:waiters {k}:rlk:signal {k}:rlk:turn {k}:rlk:turn:rlk:waiters {k}:rlk:turn:rlk:signal mine 2000  * *\n"
		  "SEND *4\\r\\n:1\\r\\n:0\\r\\n:0\\r\\n:0\nEXPECT EVAL (text) 1 k mine 10000\nEXPECT WAIT 2 *\nSEND :1\n" BEHIND
		  "EXPECT-CLOSE",
			200, RLK_ERR_TIMEOUT },
		/* Over when it began: there is a moment for all of it. */
		{ HELD "EXPECT WAIT 2 *\n" BEHIND "EXPECT-CLOSE", -10, RLK_ERR_TIMEOUT },
	};

	for (size_t i = 0, late = 0; i < sizeof(limits) / sizeof(limits[0]);) {
		rlk_lock_terms terms = { .ttl_ms = 10000, .retry_ms = 200, .replicas = &replicas };
		int64_t start_ms, took_ms;
		rlk_outcome outcome, next = RLK_YES;
		bool held;
		const char *verdict;

		CHECK(begin(limits[i].script, 3000));
		CHECK(rlk_conn_connect(&conn, false, RLK_DEADLINE_NONE, &err));
		replicas = (rlk_replicas){ .min = 2, .timeout_ms = 2000 };
		start_ms = rlk_clock_now_ms();
		terms.deadline = (rlk_deadline){ start_ms + limits[i].deadline_ms };
		outcome = rlk_lock_acquire(&lock, &one, &terms, &err);
		took_ms = rlk_clock_now_ms() - start_ms;
		held = lock.held;
		replicas.min = 0;
		if (i == 0 && !rlk_conn_is_blocked(&conn))
			next = acquire(10000, 0, 1);
		verdict = end();
		/* A busy machine may not come to WAIT in so short a time. */
		if (verdict[0] != '\0' && late++ < 100)
			continue;
		CHECK_STR(verdict, "");
		CHECK_INT(outcome, i == 1 ? RLK_FAIL : RLK_UNKNOWN);
		CHECK_INT(err.code, limits[i].code);
		CHECK_INT(next, RLK_YES);
		CHECK(took_ms < 2000);
		CHECK(!held);
		i++;
	}
}

/* Nor does the server wait for longer. */
static void the_limit_is_told_to_the_server(void)
{
	int waits_ms = 0;

	CHECK(begin("EXPECT SET k mine NX PX 100000\nSEND +OK\nEXPECT WAIT 2 nothing\nEXPECT-CLOSE", 3000));
	replicas = (rlk_replicas){ .min = 2, .timeout_ms = 90000 };
	acquire(100000, 60000, 1);
	end();
	CHECK_INT(sscanf(strstr(fake.verdict, "WAIT 2 ") != NULL ? strrchr(fake.verdict, ' ') : "", "%d", &waits_ms), 1);
	CHECK(waits_ms >= 1 && waits_ms <= 60015);
}

/* They count what was written over one connection: another one could not tell. */
static void without_the_connection_nobody_knows(void)
{
	rlk_transport transport;

	CHECK(begin_waiting(HELD "EXPECT-CLOSE\nEXPECT SET k mine NX PX 10000\nSEND $-1\nEXPECT-CLOSE", 0));
	transport = server.transport;
	replicas.min = 0;
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	rlk_conn_close(&conn);
	replicas.min = 2;
	server.transport = RLK_TRANSPORT_TCP; /* there the message of a break says more */
	CHECK_INT(rlk_replicas_await(&replicas, &conn, RLK_DEADLINE_NONE, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_IO);
	CHECK_STR(err.node, server.uri);
	CHECK(rlk_conn_receive(&conn, RLK_DEADLINE_NONE, NULL) == NULL);
	server.transport = transport; /* on Windows it is TCP */
	/* Nothing of it is left for the next connection. */
	CHECK_INT(acquire(10000, 0, 1), RLK_NO);
	CHECK_STR(end(), "");
}

/* No more can be sent from the moment on in which it waits for an answer. */
static bool cut_what_is_awaited(void *arg)
{
	(void)arg;
	if (rlk_conn_is_awaited(&conn))
		rlk_socket_finish_sending(conn.fd);
	return false;
}

#define JOINS \
	"EXPECT SET k mine NX PX 10000\nSEND $-1\nEXPECT EVALSHA * 6 k {k}:rlk:waiters {k}:rlk:signal {k}:rlk:turn {k}:rlk:turn:rlk:waiters {k}:rlk:turn:rlk:signal mine 2000  * *\nDELAY 20\n" \
	"SEND *4\\r\\n:1\\r\\n:0\\r\\n:0\\r\\n:0\n"

/* The extension after a wait breaks the connection, so it is sent again, for the replicas to have. */
static void a_wait_may_end_without_the_connection(void)
{
	static const char *const answers[] = { "SEND :2\nEXPECT-CLOSE", "CLOSE\n" BEHIND "EXPECT-CLOSE" };
	const rlk_hooks hooks = { .signalled = cut_what_is_awaited };
	rlk_lock_terms terms = { .ttl_ms = 10000,
		.deadline = rlk_deadline_in(60000),
		.retry_ms = 200,
		.hooks = &hooks,
		.replicas = &replicas };

	for (size_t i = 0; i < 2; i++) {
		char script[1024];

		snprintf(script, sizeof(script), JOINS "EXPECT-CLOSE\nEXPECT EVALSHA * 1 k mine 10000\nSEND :1\n" WAITS "%s",
			answers[i]);
		CHECK(begin_waiting(script, 0));
		CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), i == 0 ? RLK_YES : RLK_UNKNOWN);
		CHECK_INT(rlk_lock_is_valid(&lock), i == 0);
		CHECK_STR(end(), "");
	}
}

static bool stopped;

/* Stops the wait for the replicas, and refuses all that come after it. */
static int stop_once(void *arg, rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	if (!lock.held)
		return rlk_socket_poll(watched, count, deadline_at_ms, NULL);
	if (stopped)
		return RLK_SOCKET_REFUSED;
	stopped = true;
	if (arg != NULL)
		conn.owner_pid = -1; /* of another process: this one is a copy */
	return RLK_SOCKET_SIGNAL;
}

/* The host stops a fiber that waits for the replicas, for as long as they like: the release cannot stand behind that. In a copy
 * of the process nothing is released, since the parent may have the lock. */
static void a_wait_for_them_may_be_stopped(void)
{
	char copied[] = "copied";

	for (int i = 0; i < 2; i++) {
		const rlk_hooks hooks = { .suspend = stop_once, .arg = i == 0 ? NULL : copied };
		rlk_lock_terms terms = { .ttl_ms = 10000,
			.replicas = &replicas,
			.deadline = rlk_deadline_in(60000),
			.retry_ms = 200 };

		CHECK(begin_waiting(i == 0 ? HELD WAITS "EXPECT-CLOSE\n" BEHIND "EXPECT-CLOSE" : HELD WAITS "EXPECT-CLOSE", 0));
		CHECK(rlk_conn_connect(&conn, false, RLK_DEADLINE_NONE, &err));
		conn.hooks = &hooks;
		stopped = false;
		CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_UNKNOWN);
		CHECK_INT(err.code, RLK_ERR_INTERRUPTED);
		CHECK(!lock.held);
		conn.hooks = NULL;
		CHECK_STR(end(), "");
	}
}

int main(void)
{
	RUN(acquires);
	RUN(extends);
	RUN(confirms);
	RUN(validity_counts_from_the_write);
	RUN(an_answer_after_the_ttl_is_no_lock);
	RUN(held_by_another_is_no_matter_of_replicas);
	RUN(the_limit_of_a_wait_holds);
	RUN(the_limit_is_told_to_the_server);
	RUN(without_the_connection_nobody_knows);
	RUN(a_wait_may_end_without_the_connection);
	RUN(a_wait_for_them_may_be_stopped);
	return unit_done();
}
