/* unit: add tests/unit/fake_server.c */
/* unit: add tests/unit/fake_clock.c */
/* unit: link -Wl,--wrap=rlk_clock_now_ms -Wl,--wrap=rlk_socket_poll */
/*
 * A quorum of one server that takes its time: each answer comes after most of the time limit, by a clock that nothing else
 * moves. Connecting, and each request with its answer, have a time limit of their own.
 */
#include "lock/rlk_lock.h"

#include "fake_clock.h"
#include "fake_server.h"
#include "net/rlk_socket.h"
#include "unit.h"

#define LIMIT_MS 500
#define HALF_WAY_MS 240

/* A wait for an answer ends once without it, half-way. */
static bool half_way;

int __real_rlk_socket_poll(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, const rlk_hooks *hooks);
int __wrap_rlk_socket_poll(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, const rlk_hooks *hooks);
int __wrap_rlk_socket_poll(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, const rlk_hooks *hooks)
{
	bool answer = watched[0].events == RLK_SOCKET_READABLE, before = answer && !half_way;
	int ready = before ? 0 : __real_rlk_socket_poll(watched, count, deadline_at_ms, hooks);

	if (before || (answer && ready > 0)) {
		fake_clock_advance(HALF_WAY_MS);
		half_way = before;
	}
	return ready;
}

static fake_server fake;
static rlk_server server;
static rlk_drain_list drain;
static rlk_quorum *quorum;
static rlk_servers several;
static rlk_lock lock;
static rlk_error err;

/* A lock with a token of its own at a server that plays this script. */
static bool begin(const char *script)
{
	rlk_error_clear(&err);
	rlk_server_init(&server, LIMIT_MS, LIMIT_MS);
	if (!fake_server_start(&fake, script) || !fake_server_address(&fake, &server))
		return false;
	half_way = false;
	quorum = several.quorum = rlk_quorum_new(&server, 1, &drain, NULL);
	return quorum != NULL && rlk_lock_init(&lock, RLK_STR(""), RLK_STR("k"), &err) &&
		rlk_lock_set_token(&lock, RLK_STR("mine"), RLK_STR(""), &err);
}

static const char *end(void)
{
	const char *verdict;

	rlk_quorum_free(quorum);
	rlk_drain_clear(&drain);
	verdict = fake_server_end(&fake);
	rlk_server_destroy(&server);
	rlk_lock_destroy(&lock);
	return verdict;
}

static rlk_outcome acquire(void)
{
	rlk_lock_terms terms = { .ttl_ms = 10000, .deadline = RLK_DEADLINE_NONE, .attempts = 1 };

	return rlk_lock_acquire(&lock, &several, &terms, &err);
}

#define SET "EXPECT SET k mine NX PX 10000\n"

/* A question that needs the text of its script. */
static void each_request_has_its_own_time(void)
{
	rlk_lock_holder holder;

	CHECK(begin("EXPECT EVALSHA * 1 k\nSEND -NOSCRIPT no\n"
				"EXPECT EVAL (text) 1 k\nSEND *3\\r\\n$1\\r\\na\\r\\n:500\\r\\n:0\nEXPECT-CLOSE"));
	CHECK_INT(rlk_lock_ask_holder(&lock, &several, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_YES);
	CHECK_STR(holder.token, "a");
	CHECK_STR(end(), "");
}

/* It had failed, so it has to answer a PING first. */
static void connecting_has_its_own_time(void)
{
	CHECK(begin("EXPECT PING\nSEND +PONG\n" SET "SEND +OK\nEXPECT-CLOSE"));
	quorum->member[0].backoff_ms = 1;
	CHECK_INT(acquire(), RLK_YES);
	CHECK_STR(end(), "");
}

/* A round that was decided without it has left it so. Then nobody looked for longer than its limit, and now it is needed. */
static void who_was_not_looked_at_has_time_anew(void)
{
	CHECK(begin("EXPECT PING\nSEND +PONG\n" SET "SEND +OK\nEXPECT-CLOSE"));
	quorum->member[0].backoff_ms = 1;
	rlk_member_connect(&quorum->member[0], rlk_clock_now_ms());
	CHECK_INT(quorum->member[0].state, RLK_MEMBER_OPENING);
	fake_clock_advance(LIMIT_MS + 10);
	CHECK_INT(acquire(), RLK_YES);
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(each_request_has_its_own_time);
	RUN(connecting_has_its_own_time);
	RUN(who_was_not_looked_at_has_time_anew);
	return unit_done();
}
