/* unit: add tests/unit/fake_server.c */
/* unit: link -Wl,--wrap=rlk_clock_now_ms */
/*
 * rlk_wait where the server does not block, refuses, closes connections, or dies with a SET unanswered.
 */
#include "wait_case.h"
#include "redis/rlk_topology.h"

/* From then on the clock goes 50 times slower, 0: it does not. What comes within 100 ms of it comes within 5 s of this machine. */
static int64_t slow_from_ms;

int64_t __real_rlk_clock_now_ms(void);
int64_t __wrap_rlk_clock_now_ms(void);
int64_t __wrap_rlk_clock_now_ms(void)
{
	int64_t now_ms = __real_rlk_clock_now_ms();

	return slow_from_ms == 0 ? now_ms : slow_from_ms + (now_ms - slow_from_ms) / 50;
}

/* Old servers want whole seconds, users may lack the right: no wait took place, so look again and again. The whole ttl
 * then, since nobody extends. The connection remembers. */
static void refused_blocking_it_polls(void)
{
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.retry_ms = 100;
	CHECK(begin(HELD JOIN WAKES PAIR
		"SEND -ERR timeout is not an integer or out of range\n" NIL HELD "EXPECT SET k mine NX PX 10000\n" OK
		"EXPECT COMMAND LIST FILTERBY PATTERN del*\nSEND -NOPERM\n"
		"EXPECT SET k mine NX PX 10000\n" NIL "EXPECT SET k mine NX PX 10000\n" OK "EXPECT-CLOSE"));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK_INT(lock.extension.due_at_ms, 0);
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK_STR(end(), "");
}

/* Each half of the pair is judged alone. */
static void an_error_and_the_lock(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR "SEND -UNBLOCKED force unblock\n" OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_STR(end_drained(), "");
}

static void a_wait_and_an_error(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED "SEND -READONLY You can't write against a read only replica.\n" LEAVE
											"SEND :0\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_SERVER);
	CHECK_STR(err.node, server.uri);
	CHECK_STR(end_drained(), "");
}

static void without_scripts_it_fails(void)
{
	CHECK(begin(HELD JOIN "SEND -NOPERM User ann has no permissions to run the 'evalsha' command\n"
						  "EXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_AUTH);
	CHECK(strstr(err.text, "needs the right to EVAL and EVALSHA") != NULL);
	CHECK_STR(end(), "");
}

static void without_rights_to_its_keys_it_polls(void)
{
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.retry_ms = 2;
	CHECK(begin(HELD JOIN "SEND -NOPERM No permissions\n" HELD "EXPECT SET k mine NX PX 10000\n" OK "EXPECT-CLOSE"));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK_STR(end(), "");
}

/* An operator closes a connection. What the pair may have taken is given back. */
static void hung_up_on_it_joins_again(void)
{
	CHECK(begin(
		HELD JOIN WAKES PAIR "CLOSE\n" LEAVE JOIN "SEND :0\n" WAKES PAIR POPPED OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_STR(end_drained(), "");
}

/* Proxies hang up on commands they do not know, each time. */
static void hung_up_on_twice_it_polls(void)
{
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.retry_ms = 2;
	CHECK(begin(HELD JOIN WAKES PAIR "CLOSE\n" LEAVE JOIN "SEND :0\n" WAKES PAIR "CLOSE\n" LEAVE
									 "EXPECT SET k mine NX PX 10000\nSEND :0\n" OK "EXPECT-CLOSE"));
	slow_from_ms = rlk_clock_now_ms();
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	slow_from_ms = 0;
	CHECK_STR(end_drained(), "");
}

/* The second time somebody who was in the queue for a while is cut off. */
static void hung_up_on_now_and_then_it_joins_again(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR "CLOSE\n" LEAVE JOIN "SEND :0\n" WAKES PAIR "DELAY 150\nCLOSE\n" LEAVE JOIN
									 "SEND :0\n" WAKES PAIR POPPED OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_STR(end_drained(), "");
}

/* Trouble of a moment is none of the connection's. */
static void refused_for_a_moment_it_joins_again(void)
{
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.retry_ms = 2;
	CHECK(begin(HELD JOIN WAKES PAIR
		"SEND -LOADING Redis is loading the dataset in memory\n" NIL HELD JOIN WAKES PAIR POPPED OK EXTENSION
		"SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK(!conn.known.refuses_blocking);
	CHECK_STR(end_drained(), "");
}

static bool next_token(void *arg, rlk_error *error)
{
	int *attempts = arg;
	bool set = rlk_lock_set_token(&lock, (*attempts)++ == 0 ? RLK_STR("mine") : RLK_STR("next"), RLK_STR(""), error);

	lock.token.from_caller = false;
	return set;
}

static bool never_pending(void *arg)
{
	(void)arg;
	return false;
}

/* The server may still believe that somebody waits on the broken connection, and set the key for it one day. */
static void after_a_break_the_token_is_another(void)
{
	int attempts = 0;
	const rlk_hooks hooks = { .signalled = never_pending, .attempt = next_token, .arg = &attempts };
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.retry_ms = 2;
	terms.hooks = &hooks;
	CHECK(begin(HELD JOIN WAKES PAIR
		"CLOSE\n" LEAVE
		"EXPECT EVALSHA * 6 k {k}:rlk:waiters {k}:rlk:signal {k}:rlk:turn {k}:rlk:turn:rlk:waiters {k}:rlk:turn:rlk:signal next 2000  * *\nSEND :0\n" WAKES
		"EXPECT BLPOP {k}:rlk:signal *\nEXPECT SET k next NX PX 2000\n" POPPED OK
		"EXPECT EVAL (text) 1 k next 10000\nSEND :1\nEXPECT-CLOSE"));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK_STR(end_drained(), "");
}

/* A name that has no helper keys is polled from the beginning. */
static void a_name_that_cannot_be_tagged_is_polled(void)
{
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.retry_ms = 2;
	CHECK(begin_named("EXPECT SET } mine NX PX 10000\n" NIL "EXPECT SET } mine NX PX 10000\n" NIL
					  "EXPECT SET } mine NX PX 10000\n" OK "EXPECT-CLOSE",
		"}", 5000));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK_STR(end(), "");
}

/* A pause longer than the wait ends with it, and one try more, which is a no where its answer comes too late. */
static void polling_ends_in_time(void)
{
	rlk_lock_terms terms;
	int64_t start_ms, took_ms;

	CHECK(begin_named("EXPECT SET } mine NX PX 10000\n" NIL "EXPECT SET } mine NX PX 10000\nSILENCE", "}", 5000));
	terms = terms_for(10000, 500);
	terms.retry_ms = 600000;
	start_ms = rlk_clock_now_ms();
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_NO);
	took_ms = rlk_clock_now_ms() - start_ms;
	CHECK(took_ms >= 499 && took_ms < 60000);
	CHECK_STR(end(), "");
}

/* As acquire() in a Cluster of one node. */
static rlk_outcome acquire_by_topology(int64_t wait_ms)
{
	const rlk_server *seeds[] = { &server };
	rlk_topologies topologies = { NULL };
	rlk_topology *topology = rlk_topology_get(&topologies, RLK_TOPOLOGY_CLUSTER, &server, seeds, 1, NULL);
	rlk_topology_user user;
	rlk_outcome outcome;

	if (topology == NULL)
		return RLK_FAIL;
	rlk_topology_attach(topology, &conn, &user);
	rlk_topology_set_key(&conn, RLK_STR("k"), RLK_DEADLINE_NONE);
	outcome = acquire(10000, wait_ms);
	while (outcome == RLK_YES && lock.extension.conn != NULL)
		rlk_lock_collect(&lock);
	rlk_conn_close(&conn);
	conn.topology = NULL;
	conn.server = &server;
	rlk_topology_remove_user(topology, &user);
	rlk_topologies_clear(&topologies);
	return outcome;
}

/* The keys that wake may be on another node. */
#define LEAVE_IN_CLUSTER "EXPECT EVAL (text) 1 k mine\nEXPECT EVAL (text) 3 k {k}:rlk:waiters {k}:rlk:signal\n"
#define LOST \
	"EXPECT SET k mine NX PX 10000\nCLOSE\n" LEAVE_IN_CLUSTER "SEND -READONLY not yet\nSEND -READONLY not yet\n"
#define RELEASE "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"
#define IS_FREE "SEND *4\\r\\n:1\\r\\n:0\\r\\n:0\\r\\n:0\n"

static void a_lost_set_is_released_until_that_is_answered(void)
{
	CHECK(begin(LOST RELEASE "SEND -READONLY not yet\n" RELEASE "CLOSE\n" RELEASE "SEND -READONLY not yet\n" RELEASE
							 "SEND :1\n" JOIN IS_FREE EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire_by_topology(60000), RLK_YES);
	CHECK(!lock.ledger.set);
	CHECK_STR(end(), "");
}

/* No later SET of the token is said that the release could meet. */
static void a_release_without_an_answer_ends_the_wait(void)
{
	CHECK(begin_named(LOST RELEASE LEAVE_IN_CLUSTER "EXPECT-CLOSE", "k", 1000));
	CHECK_INT(acquire_by_topology(60000), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK_STR(end(), "");
}

static void a_release_that_is_refused_ends_the_wait(void)
{
	CHECK(begin(LOST RELEASE "SEND -ERR no\nEXPECT-CLOSE"));
	CHECK_INT(acquire_by_topology(60000), RLK_UNKNOWN);
	CHECK_STR(err.text, "the server answered: ERR no");
	CHECK_STR(end(), "");
}

/* What became of the SET nobody knows: that is no plain no. */
static void the_limit_leaves_a_lost_set_unknown(void)
{
	CHECK(begin("EXPECT SET k mine NX PX 10000\nCLOSE\nSERVE\n"
				"EVAL ... => -READONLY not yet\nEVALSHA ... => -READONLY not yet\n"));
	CHECK_INT(acquire_by_topology(2000), RLK_UNKNOWN);
	/* The limit may come while the last request is on its way. */
	CHECK(err.code == RLK_ERR_TIMEOUT || strcmp(err.text, "the server answered: READONLY not yet") == 0);
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(refused_blocking_it_polls);
	RUN(an_error_and_the_lock);
	RUN(a_wait_and_an_error);
	RUN(without_scripts_it_fails);
	RUN(without_rights_to_its_keys_it_polls);
	RUN(hung_up_on_it_joins_again);
	RUN(hung_up_on_twice_it_polls);
	RUN(hung_up_on_now_and_then_it_joins_again);
	RUN(refused_for_a_moment_it_joins_again);
	RUN(after_a_break_the_token_is_another);
	RUN(a_name_that_cannot_be_tagged_is_polled);
	RUN(polling_ends_in_time);
	RUN(a_lost_set_is_released_until_that_is_answered);
	RUN(a_release_without_an_answer_ends_the_wait);
	RUN(a_release_that_is_refused_ends_the_wait);
	RUN(the_limit_leaves_a_lost_set_unknown);
	return unit_done();
}
