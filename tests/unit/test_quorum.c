/* unit: add tests/unit/fake_server.c */
/* unit: link -Wl,--wrap=rlk_address_begin_query -Wl,--wrap=rlk_address_end_query -Wl,--wrap=rlk_query_fd */
/*
 * A lock on three servers that do what a script says: what each is sent, and when.
 */

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"
#include "lock/rlk_use.h"
#include "fake_server.h"
#include "unit.h"
#include "net/rlk_pool.h"
#include "net/rlk_socket.h"

#include <setjmp.h>

#define SERVERS 3
#define LIMIT_MS 1500

static fake_server fakes[SERVERS];
static rlk_server servers[SERVERS];
static rlk_drain_list drain;
static rlk_quorum *quorum;
static rlk_servers several;
static rlk_lock lock;
static rlk_error err;

/* A lock with the token "mine" on servers that play these scripts. */
static bool begin(const char *a, const char *b, const char *c)
{
	const char *scripts[] = { a, b, c };

	rlk_error_clear(&err);
	for (int i = 0; i < SERVERS; i++) {
		rlk_server_init(&servers[i], LIMIT_MS, LIMIT_MS);
		if (!fake_server_start(&fakes[i], scripts[i]) || !fake_server_address(&fakes[i], &servers[i]))
			return false;
	}
	quorum = several.quorum = rlk_quorum_new(servers, SERVERS, &drain, NULL);
	if (quorum == NULL || !rlk_lock_init(&lock, RLK_STR(""), RLK_STR("k"), &err) ||
		!rlk_lock_set_token(&lock, RLK_STR("mine"), RLK_STR(""), &err))
		return false;
	lock.token.from_caller = false; /* like a fresh one, known to the scripts */
	return true;
}

/* "" when all went by the scripts. */
static const char *end(void)
{
	static char verdict[SERVERS * 520];
	int64_t until_ms = rlk_clock_now_ms() + 5000;

	rlk_quorum_free(quorum);
	/* What was drained has to leave first. */
	while (drain.open > 0 && rlk_clock_now_ms() < until_ms) {
		rlk_drain_tend(&drain);
		rlk_socket_pause(rlk_clock_now_ms() + 1);
	}
	verdict[0] = '\0';
	for (int i = 0; i < SERVERS; i++) {
		strcat(verdict, fake_server_end(&fakes[i]));
		rlk_server_destroy(&servers[i]);
	}
	rlk_drain_clear(&drain);
	rlk_lock_destroy(&lock);
	return verdict;
}

static rlk_outcome acquire_for(int64_t ttl_ms)
{
	rlk_lock_terms terms = { .ttl_ms = ttl_ms, .deadline = RLK_DEADLINE_NONE, .attempts = 1 };

	return rlk_lock_acquire(&lock, &several, &terms, &err);
}

static rlk_outcome acquire(void)
{
	return acquire_for(10000);
}

static unsigned outstanding(const rlk_member *member)
{
	return rlk_expected_count(&member->conn.expected, RLK_EXPECTED_UNREAD);
}

/* Reads what the slower ones say after the decision. */
static void settle(void)
{
	for (int i = 0; i < SERVERS; i++) {
		while (outstanding(&quorum->member[i]) > 0 &&
			rlk_socket_wait(quorum->member[i].conn.fd, RLK_SOCKET_READABLE, rlk_clock_now_ms() + 5000) == 1) {
			quorum->member[i].since_ms = 0; /* overdue replies are read */
			rlk_quorum_open(quorum);
		}
	}
}

#define SET "EXPECT SET k mine NX PX 10000\n"
#define OK "SEND +OK\n"
#define NIL "SEND $-1\n"
#define RELEASE "EXPECT EVAL (text) 1 k mine\n"
#define EXTEND "EXPECT EVAL (text) 1 k mine 10000\n"
#define ONE "SEND :1\n"

static void taken_extended_and_released_everywhere(void)
{
	CHECK(begin(SET OK EXTEND ONE RELEASE ONE "EXPECT-CLOSE", SET OK EXTEND ONE RELEASE ONE "EXPECT-CLOSE",
		SET OK EXTEND ONE RELEASE ONE "EXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_YES);
	CHECK(rlk_lock_is_valid(&lock));
	CHECK_INT(rlk_lock_extend(&lock, &several, RLK_DEADLINE_NONE, 10000, NULL, &err), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK(!lock.held);
	CHECK_STR(end(), "");
}

bool __real_rlk_address_begin_query(const rlk_server *server, rlk_query **query, rlk_addresses *out, rlk_error *e);
bool __wrap_rlk_address_begin_query(const rlk_server *server, rlk_query **query, rlk_addresses *out, rlk_error *e);
bool __wrap_rlk_address_end_query(rlk_query *query, rlk_addresses *out, rlk_error *e);
int __wrap_rlk_query_fd(const rlk_query *query);

/* The name service says nothing of this server, until it is asked for its answer. */
static const rlk_server *unanswered;
static int questions;

bool __wrap_rlk_address_begin_query(const rlk_server *server, rlk_query **query, rlk_addresses *out, rlk_error *e)
{
	if (server != unanswered)
		return __real_rlk_address_begin_query(server, query, out, e);
	questions++;
	*query = (rlk_query *)&unanswered;
	return false;
}

bool __wrap_rlk_address_end_query(rlk_query *query, rlk_addresses *out, rlk_error *e)
{
	questions--;
	return __real_rlk_address_begin_query(unanswered, &query, out, e);
}

int __wrap_rlk_query_fd(const rlk_query *query)
{
	(void)query;
	return RLK_SOCKET_NONE;
}

static int poll_at_once(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	(void)unused;
	return rlk_socket_poll(watched, count, deadline_at_ms, NULL);
}

/* Nobody waits for a name without need, in the loop of a host or not; and who had no chance to be released is released later. */
static void a_name_without_answer_costs_nobody_anything(void)
{
	const rlk_hooks hooks = { .suspend = poll_at_once };

	for (int i = 0; i < 4; i++) {
		int64_t began_at_ms = rlk_clock_now_ms();
		bool had = i >= 2;

		CHECK(begin(SET OK RELEASE ONE "EXPECT-CLOSE", SET OK RELEASE ONE "EXPECT-CLOSE",
			had ? RELEASE ONE "EXPECT-CLOSE" : ""));
		unanswered = &servers[2];
		quorum->hooks = i % 2 == 0 ? NULL : &hooks;
		CHECK_INT(acquire(), RLK_YES);
		CHECK_INT(quorum->member[2].state, RLK_MEMBER_RESOLVING);
		if (had)
			lock.ledger.servers = 0;
		CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		CHECK(rlk_clock_now_ms() < began_at_ms + LIMIT_MS);
		CHECK_INT(questions, 1);
		CHECK_INT(quorum->member[2].doubts.count, had);
		quorum->hooks = NULL;
		if (had)
			rlk_member_advance(&quorum->member[2], true, rlk_clock_now_ms());
		settle();
		CHECK_STR(end(), "");
		CHECK_INT(questions, 0);
		unanswered = NULL;
	}
}

/* Whether its answer will be read in time is not known when it is sent. */
static void what_may_be_decided_without_it_goes_by_text(void)
{
	static const char script[] = SET OK EXTEND ONE RELEASE ONE SET OK EXTEND ONE RELEASE ONE "EXPECT-CLOSE";

	CHECK(begin(script, script, script));
	for (int i = 0; i < 2; i++) {
		CHECK_INT(acquire(), RLK_YES);
		CHECK_INT(rlk_lock_extend(&lock, &several, RLK_DEADLINE_NONE, 10000, NULL, &err), RLK_YES);
		CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		settle();
	}
	CHECK_STR(end(), "");
}

static void a_refusal_is_released_where_it_was_a_yes(void)
{
	CHECK(begin(SET OK RELEASE ONE "EXPECT-CLOSE", SET NIL "EXPECT-CLOSE", SET NIL "EXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_NO);
	CHECK_STR(end(), "");
}

static void an_answer_that_took_longer_than_the_ttl_is_released(void)
{
	static const char script[] = "EXPECT SET k mine NX PX 100\nDELAY 200\n" OK RELEASE "SEND :0\nEXPECT-CLOSE";

	CHECK(begin(script, script, script));
	CHECK_INT(acquire_for(100), RLK_FAIL);
	CHECK_STR(err.text, "the answers took longer than the ttl");
	settle();
	CHECK_STR(end(), "");
}

static void what_is_not_answered_is_released_behind_it(void)
{
	CHECK(begin(SET NIL "EXPECT-CLOSE", SET NIL "EXPECT-CLOSE", SET RELEASE "EXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_NO);
	CHECK_STR(end(), "");
}

static void too_few_answers_are_trouble_and_released(void)
{
	CHECK(begin(SET OK RELEASE ONE "EXPECT-CLOSE", SET RELEASE "EXPECT-CLOSE", SET RELEASE "EXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK_STR(err.text, "no majority of the servers, 2 of 3 failed: the server did not answer in time");
	CHECK(err.retryable);
	CHECK_STR(end(), "");
}

/* Given up while the lock is held: its SET may still run, and adds a server to it. The release goes over the next connection. */
static void a_held_lock_is_released_nowhere_before_its_end(void)
{
	CHECK(begin(SET OK EXTEND ONE RELEASE ONE "EXPECT-CLOSE", SET OK EXTEND ONE RELEASE ONE "EXPECT-CLOSE",
		SET "EXPECT-CLOSE\nEXPECT PING\nSEND +PONG\n" RELEASE ONE "EXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_YES);
	rlk_socket_pause(rlk_clock_now_ms() + LIMIT_MS + 10);
	CHECK_INT(rlk_lock_extend(&lock, &several, RLK_DEADLINE_NONE, 10000, NULL, &err), RLK_YES);
	CHECK_INT(quorum->member[2].state, RLK_MEMBER_CLOSED);
	CHECK_INT(quorum->member[2].doubts.count, 0);
	CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_INT(quorum->member[2].doubts.count, 1);
	CHECK_STR(end(), "");
}

/* Its connection breaks amid the round. If the first SET was executed, the second is refused, which says nothing. */
static void a_no_to_a_repeated_set_is_no_answer(void)
{
	static const struct {
		const char *second, *third, *then;
		rlk_outcome outcome;
		uint32_t maybe_on;
	} cases[] = {
		{ OK EXTEND ONE RELEASE ONE, OK, EXTEND ONE RELEASE ONE, RLK_YES, 7 },
		{ OK EXTEND ONE RELEASE ONE, NIL, EXTEND ONE RELEASE ONE, RLK_YES, 7 },
		{ NIL, NIL, RELEASE ONE, RLK_NO, 0 },
		{ NIL, "SEND -LOADING the data\n", RELEASE ONE, RLK_NO, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char second[512], third[512];
		bool yes = cases[i].outcome == RLK_YES;

		snprintf(second, sizeof(second), SET "AWAIT\n%sEXPECT-CLOSE", cases[i].second);
		snprintf(third, sizeof(third), SET "CLOSE\n" SET "%sTELL\n%sEXPECT-CLOSE", cases[i].third, cases[i].then);
		CHECK(begin(yes ? SET OK EXTEND ONE RELEASE ONE "EXPECT-CLOSE" : SET OK RELEASE ONE "EXPECT-CLOSE", second,
			third));
		rlk_quorum_open(quorum);
		quorum->member[2].conn.usage = RLK_CONN_REUSED;
		CHECK_INT(acquire(), cases[i].outcome);
		CHECK_INT(lock.ledger.servers, cases[i].maybe_on);
		settle();
		if (yes) {
			CHECK_INT(rlk_lock_extend(&lock, &several, RLK_DEADLINE_NONE, 10000, NULL, &err), RLK_YES);
			CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		}
		CHECK_STR(end(), "");
	}
}

static int never_go_on(void *arg, rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	(void)watched;
	(void)count;
	(void)deadline_at_ms;
	longjmp(*(jmp_buf *)arg, 1);
}

/* It never goes on, as a fiber when the request ends. The answers to it are none to the next round. */
static void what_a_forgotten_round_is_answered_is_no_vote(void)
{
	static const char script[] = SET OK EXTEND RELEASE "SEND :0\n" ONE "EXPECT-CLOSE";
	jmp_buf forgotten;
	const rlk_hooks hooks = { .suspend = never_go_on, .arg = &forgotten };
	rlk_use *list = NULL;
	static rlk_use use;
	rlk_conn conn;

	CHECK(begin(script, script, script));
	rlk_conn_init(&conn, &servers[0], &drain);
	several.conn = &conn;
	CHECK_INT(acquire(), RLK_YES);
	settle();
	CHECK(rlk_use_check_out(&use, &list, &several, &lock, true, RLK_DEADLINE_NONE, &hooks) != NULL);
	if (setjmp(forgotten) == 0)
		rlk_lock_extend(&lock, &use.servers, RLK_DEADLINE_NONE, 10000, NULL, &err);
	rlk_use_forget(&use, false);
	CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	several.conn = NULL;
	CHECK_STR(end(), "");
}

#define SHORTEN "EXPECT EVAL (text) 1 k mine 2000\n"

/* One that answers late has executed it, and one that does not may do so at any time, also behind what the renewal child asks of it
 * over its own connection: then no later ttl is relied upon for longer. */
static void who_is_to_shorten_is_awaited(void)
{
	static const struct {
		const char *last;
		int64_t least_ttl_ms;
	} cases[] = {
		{ "DELAY 200\n" ONE EXTEND ONE "EXPECT-CLOSE", 0 },
		{ "DELAY 200\nSEND -LOADING the data\n" EXTEND ONE "EXPECT-CLOSE", 0 },
		{ "EXPECT-CLOSE", 2000 },
		{ "CLOSE\n" SHORTEN ONE EXTEND ONE "EXPECT-CLOSE", 2000 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		static const char quick[] = SET OK SHORTEN ONE EXTEND ONE "EXPECT-CLOSE";
		char script[512];

		snprintf(script, sizeof(script), SET OK SHORTEN "%s", cases[i].last);
		CHECK(begin(quick, quick, script));
		CHECK_INT(acquire(), RLK_YES);
		settle();
		CHECK_INT(rlk_lock_extend(&lock, &several, RLK_DEADLINE_NONE, 2000, NULL, &err), RLK_YES);
		CHECK_INT(outstanding(&quorum->member[2]), 0);
		CHECK_INT(rlk_lock_extend(&lock, &several, RLK_DEADLINE_NONE, 10000, NULL, &err), RLK_YES);
		CHECK_INT(lock.valid_until_ms - quorum->asked_at_ms,
			rlk_validity_ms(cases[i].least_ttl_ms != 0 ? cases[i].least_ttl_ms : 10000));
		settle();
		CHECK_STR(end(), "");
	}
}

/* The child releases it over other connections; but behind a SET without answer a release can only go over this one. */
static void what_a_lost_lock_has_under_way_is_released_behind_it(void)
{
	static const char quick[] = SET OK RELEASE ONE "EXPECT-CLOSE";

	CHECK(begin(quick, quick, SET RELEASE "EXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_YES);
	rlk_lock_release_leftovers(&lock, &several);
	CHECK_STR(end(), "");
}

/* Forgotten by a balancer, say: a release that has come to nothing when the object goes is said once more. */
static void a_release_is_said_again_at_the_end(void)
{
	CHECK(begin(SET OK RELEASE ONE "EXPECT-CLOSE", SET OK RELEASE ONE "EXPECT-CLOSE",
		SET OK RELEASE "DELAY 50\nCLOSE\n" RELEASE ONE "EXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_YES);
	settle();
	CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK(rlk_socket_wait(quorum->member[2].conn.fd, RLK_SOCKET_READABLE, rlk_clock_now_ms() + 5000) == 1);
	CHECK_STR(end(), "");
}

/* A server that cannot execute anything just now has not released either: it is told again. */
static void a_refused_release_is_pending_still(void)
{
	static const char *const refusals[] = { "LOADING Redis is loading the dataset in memory",
		"BUSY Redis is busy running a script." };
	static const char taken[] = "SERVE\nSET ... => $-1\nEVAL ... => :0";

	for (size_t i = 0; i < 2; i++) {
		char script[512];

		snprintf(script, sizeof(script), SET OK RELEASE "SEND -%s\n" RELEASE ONE "EXPECT-CLOSE", refusals[i]);
		CHECK(begin(script, taken, taken));
		CHECK_INT(acquire(), RLK_NO);
		settle();
		CHECK_STR(end(), "");
	}
}

/* The connection breaks only when the release is sent on which it is given up: the next one carries it. */
static void a_break_on_giving_up_loses_no_release(void)
{
	rlk_member *member;

	CHECK(begin(SET RELEASE "DELAY 500\nEXPECT-CLOSE\nEXPECT PING\nSEND +PONG\n" RELEASE ONE "EXPECT-CLOSE",
		SET NIL "EXPECT-CLOSE", SET NIL "EXPECT-CLOSE"));
	member = &quorum->member[0];
	CHECK_INT(acquire(), RLK_NO);
	CHECK_INT(member->doubts.count, 1);
	rlk_socket_finish_sending(member->conn.fd);
	member->since_ms = 0; /* its time is over */
	rlk_quorum_open(quorum);
	CHECK_INT(member->state, RLK_MEMBER_CLOSED);
	CHECK_INT(member->doubts.count, 1);
	CHECK_STR(end(), "");
}

/* It had failed, so nobody waits for it, and is back before the others have answered. */
static void who_comes_back_amid_a_release_is_told(void)
{
	CHECK(begin(SET OK RELEASE ONE "EXPECT-CLOSE", SET OK RELEASE "DELAY 700\n" ONE "EXPECT-CLOSE",
		SET OK "EXPECT-CLOSE\nEXPECT PING\nDELAY 20\nSEND +PONG\n" RELEASE ONE "EXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_YES);
	settle();
	rlk_member_back_off(&quorum->member[2], rlk_clock_now_ms());
	quorum->member[2].since_ms = 0;
	CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_INT(quorum->member[2].state, RLK_MEMBER_READY);
	CHECK_INT(outstanding(&quorum->member[2]), 1);
	settle();
	CHECK_STR(end(), "");
}

/* AUTH leaves in one write with the SET; that of one who was refused counts for nothing, and is released. */
static void the_introduction_goes_with_the_first_request(void)
{
#define HANDSHAKE "EXPECT AUTH secret\nEXPECT SELECT 2\n" SET
#define NOAUTH "SEND -NOAUTH no\n"
	static const char welcome[] = HANDSHAKE OK OK OK RELEASE ONE "EXPECT-CLOSE";

	CHECK(begin(welcome, welcome, HANDSHAKE "SEND -WRONGPASS no\n" NOAUTH NOAUTH "EXPECT * * 1 k mine\nSILENCE"));
	for (int i = 0; i < SERVERS; i++) {
		rlk_str_store(&servers[i].password, RLK_STR("secret"));
		servers[i].database = 2;
	}
	CHECK_INT(acquire(), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_STR(end(), "");
}

#define REFUSED(command) "SEND -NOPERM this user has no permissions to run the '" command "' command\n"

/* The first call that needs a script says which right is missing. */
static void refused_scripts(void)
{
	static const char poor[] = SET OK EXTEND REFUSED("eval") "EXPECT-CLOSE";

	CHECK(begin(SET OK EXTEND ONE "EXPECT-CLOSE", poor, poor));
	CHECK_INT(acquire(), RLK_YES);
	CHECK_INT(rlk_lock_extend(&lock, &several, RLK_DEADLINE_NONE, 10000, NULL, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_AUTH);
	CHECK(strstr(err.text, "2 of 3 failed: redislock needs the right to EVAL and EVALSHA") != NULL);
	CHECK_STR(end(), "");
}

/* Its answers always come two questions late: pending releases do not pile up. */
static void a_straggler_is_owed_little(void)
{
	static const char quick[] = "SERVE\nSET ... => +OK\nEVAL ... => :1";
	static char script[8192];
	rlk_member *straggler;

	strcpy(script, "EXPECT SET ...\nEXPECT EVAL ...\n");
	for (int i = 1; i < 40; i++)
		strcat(script, "EXPECT SET ...\n" OK "EXPECT EVAL ...\n" ONE);
	strcat(script, "SILENCE");
	CHECK(begin(quick, quick, script));
	straggler = &quorum->member[2];
	for (int i = 0; i < 40; i++) {
		CHECK(rlk_lock_set_token(&lock, RLK_STR(""), RLK_STR(""), &err));
		CHECK_INT(acquire(), RLK_YES);
		CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		while (outstanding(straggler) > 2 &&
			rlk_socket_wait(straggler->conn.fd, RLK_SOCKET_READABLE, rlk_clock_now_ms() + 5000) == 1) {
			straggler->since_ms = 0; /* who is overdue is looked at */
			rlk_quorum_open(quorum);
		}
	}
	CHECK_INT(outstanding(straggler), 2);
	CHECK_INT(straggler->doubts.count, 1);
	CHECK_STR(end(), "");
}

/* Its answers come when its connection has gone to others by way of the pool, who must not take them for theirs. */
static void a_pooled_connection_may_await_answers(void)
{
	static const char no[] = "SERVE\nSET ... => $-1\nEVAL ... => :0";
	rlk_pool pool = { NULL, 0 };

	CHECK(begin(SET NIL SET OK RELEASE ONE "EXPECT-CLOSE", no,
		SET RELEASE SET NIL "SEND :0\n" OK RELEASE ONE "EXPECT-CLOSE"));
	for (int i = 0; i < 2; i++) {
		rlk_quorum_free(quorum);
		quorum = several.quorum = rlk_quorum_new(servers, SERVERS, &drain, &pool);
		CHECK(quorum != NULL);
		CHECK_INT(acquire(), i == 0 ? RLK_NO : RLK_YES);
	}
	CHECK_INT(rlk_lock_release(&lock, &several, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	rlk_quorum_free(quorum);
	quorum = NULL;
	rlk_pool_clear(&pool);
	CHECK_STR(end(), "");
}

static void nonsense_is_no_vote(void)
{
	CHECK(begin(SET OK RELEASE ONE "EXPECT-CLOSE", SET "SEND :1\n" RELEASE ONE "EXPECT-CLOSE",
		SET "SEND -READONLY no\nEXPECT-CLOSE"));
	CHECK_INT(acquire(), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_PROTOCOL);
	CHECK_STR(end(), "");
}

static void the_holder_is_who_most_servers_name(void)
{
	static const char a[] = "EXPECT EVALSHA * 1 k\nSEND *3\\r\\n$1\\r\\na\\r\\n:500\\r\\n:0\nEXPECT-CLOSE";
	static const char b[] = "EXPECT EVALSHA * 1 k\nSEND *3\\r\\n$1\\r\\nb\\r\\n:500\\r\\n:0\nEXPECT-CLOSE";
	static const char nobody[] = "EXPECT EVALSHA * 1 k\nSEND $-1\nEXPECT-CLOSE";
	rlk_lock_holder holder, each[SERVERS];

	CHECK(begin(a, nobody, a));
	CHECK_INT(rlk_lock_ask_holder(&lock, &several, RLK_DEADLINE_NONE, &holder, each, &err), RLK_YES);
	CHECK_STR(holder.token, "a");
	CHECK_INT(quorum->votes.cast[1], RLK_VOTE_NO);
	CHECK_STR(end(), "");
	CHECK(begin(a, nobody, b));
	CHECK_INT(rlk_lock_ask_holder(&lock, &several, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_NO);
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(taken_extended_and_released_everywhere);
	RUN(a_name_without_answer_costs_nobody_anything);
	RUN(what_may_be_decided_without_it_goes_by_text);
	RUN(a_refusal_is_released_where_it_was_a_yes);
	RUN(an_answer_that_took_longer_than_the_ttl_is_released);
	RUN(what_is_not_answered_is_released_behind_it);
	RUN(too_few_answers_are_trouble_and_released);
	RUN(a_held_lock_is_released_nowhere_before_its_end);
	RUN(a_no_to_a_repeated_set_is_no_answer);
	RUN(what_a_forgotten_round_is_answered_is_no_vote);
	RUN(who_is_to_shorten_is_awaited);
	RUN(what_a_lost_lock_has_under_way_is_released_behind_it);
	RUN(a_release_is_said_again_at_the_end);
	RUN(a_refused_release_is_pending_still);
	RUN(a_break_on_giving_up_loses_no_release);
	RUN(who_comes_back_amid_a_release_is_told);
	RUN(the_introduction_goes_with_the_first_request);
	RUN(refused_scripts);
	RUN(a_straggler_is_owed_little);
	RUN(a_pooled_connection_may_await_answers);
	RUN(nonsense_is_no_vote);
	RUN(the_holder_is_who_most_servers_name);
	return unit_done();
}
