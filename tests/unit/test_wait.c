/* unit: add tests/unit/fake_server.c */
/*
 * rlk_wait in the queue of a server that does what a script says: what a waiter sends, what it believes, what it leaves
 * behind. test_wait_trouble.c has what the server refuses and breaks.
 */
#include "wait_case.h"

static void woken_it_has_a_claim_and_extends_it(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_INT(lock.ttl_ms, 10000);
	CHECK(rlk_lock_is_valid(&lock) && lock.valid_until_ms - rlk_clock_now_ms() <= 1978);
	while (lock.extension.conn != NULL)
		rlk_lock_collect(&lock);
	CHECK_INT(lock.valid_until_ms, lock.extension.sent_at_ms + 9898);
	CHECK_INT(lock.extension.due_at_ms, 0);
	CHECK_STR(end(), "");
}

/* The answer to the extension is read on the way to that of the next request. */
static void the_extension_comes_before_the_next_answer(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED OK EXTENSION
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :1\nSEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK(!lock.held && lock.extension.conn == NULL && !rlk_conn_has_unread(&conn));
	CHECK_STR(end(), "");
}

/* What the server said a moment ago does not mean that it is still there. */
static void a_release_outlives_the_connection_of_the_wait(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED OK EXTENSION
		"CLOSE\n"
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK(!lock.held && lock.extension.conn == NULL);
	CHECK_STR(end(), "");
}

static void an_extension_that_came_too_late_is_a_loss(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED OK EXTENSION "SEND :0\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	while (lock.extension.conn != NULL)
		rlk_lock_collect(&lock);
	CHECK(!rlk_lock_is_valid(&lock));
	CHECK_STR(end(), "");
}

/* An earlier extension of the same token may still shorten the ttl to this. */
static void the_extension_gives_no_more_than_an_unanswered_one(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	lock.ledger.least_ttl_ms = 3000;
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	while (lock.extension.conn != NULL)
		rlk_lock_collect(&lock);
	CHECK_INT(lock.valid_until_ms, lock.extension.sent_at_ms + 2968);
	CHECK_STR(end(), "");
}

/* Over another connection it was released meanwhile, which was not answered: somebody else may have it. */
static void a_late_answer_does_not_bring_it_back(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	lock.valid_until_ms = 0;
	while (lock.extension.conn != NULL)
		rlk_lock_collect(&lock);
	CHECK_INT(lock.valid_until_ms, 0);
	CHECK_STR(end(), "");
}

/* A connection that breaks leaves the provisional ttl, and nothing that points to a lock long gone. */
static void without_the_answer_the_claim_is_all(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED OK EXTENSION "CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	while (lock.extension.conn != NULL)
		rlk_lock_collect(&lock);
	CHECK(conn.fd < 0);
	CHECK(rlk_lock_is_valid(&lock) && lock.valid_until_ms - rlk_clock_now_ms() <= 1978 && lock.extension.due_at_ms > 0);
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

/* That is known at once, and the lock would be lost when the provisional ttl is over. */
static void an_extension_that_cannot_be_sent_is_sent_again(void)
{
	const rlk_hooks hooks = { .signalled = cut_what_is_awaited };
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.hooks = &hooks;
	CHECK(begin(HELD JOIN "DELAY 20\nSEND *4\\r\\n:1\\r\\n:0\\r\\n:0\\r\\n:0\nEXPECT-CLOSE\n"
						  "EXPECT EVALSHA * 1 k mine 10000\nSEND :1\nEXPECT-CLOSE"));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK_INT(lock.extension.due_at_ms, 0);
	CHECK_INT(lock.ttl_ms, 10000);
	CHECK_INT(lock.valid_until_ms, conn.sent_at_ms + 9898);
	CHECK_STR(end(), "");
}

static void a_forgotten_lock_hears_nothing(void)
{
	CHECK(begin(
		HELD JOIN WAKES PAIR POPPED OK EXTENSION "SEND :1\nEXPECT SET k mine NX PX 10000\nSEND +OK\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	rlk_lock_forget(&lock);
	while (rlk_conn_has_unread(&conn))
		rlk_conn_collect(&conn);
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_INT(lock.valid_until_ms, lock.acquired_at_ms + 9898);
	CHECK_STR(end(), "");
}

static void where_a_child_renews_it_extends(void)
{
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.renewed = true;
	CHECK(begin(HELD JOIN WAKES PAIR POPPED OK "EXPECT-CLOSE"));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK(lock.extension.due_at_ms > 0 && lock.extension.due_at_ms <= rlk_clock_now_ms() + 1000);
	CHECK_INT(lock.ttl_ms, 10000);
	CHECK_STR(end(), "");
}

/* A ttl no longer than the provisional ttl needs no extension. */
static void a_short_ttl_is_its_own_provisional_ttl(void)
{
	CHECK(begin(
		"EXPECT SET k mine NX PX 1500\n" NIL
		"EXPECT EVALSHA * 6 k {k}:rlk:waiters {k}:rlk:signal {k}:rlk:turn {k}:rlk:turn:rlk:waiters {k}:rlk:turn:rlk:signal mine 1500  * *\n" WAKES
		"EXPECT BLPOP {k}:rlk:signal *\nEXPECT SET k mine NX PX 1500\n" POPPED OK "EXPECT-CLOSE"));
	CHECK_INT(acquire(1500, 60000), RLK_YES);
	CHECK_INT(lock.extension.due_at_ms, 0);
	CHECK_STR(end(), "");
}

static void it_may_be_free_by_the_time_of_joining(void)
{
	CHECK(begin(HELD JOIN "SEND *4\\r\\n:1\\r\\n:0\\r\\n:0\\r\\n:0\n" EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_INT(lock.fence, 0);
	CHECK_STR(end_drained(), "");
}

/* Validity starts when the pair is written. Later than half of the provisional ttl after that, the extension has to succeed
 * before anybody may believe in the lock, and counts from itself. */
static void woken_late_it_extends_first(void)
{
	CHECK(
		begin(HELD JOIN WAKES PAIR "DELAY 1050\n" POPPED OK "EXPECT EVALSHA * 1 k mine 10000\nSEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_INT(lock.valid_until_ms, conn.sent_at_ms + 9898);
	CHECK_STR(end(), "");
}

/* ... or it waits on, and at the end passes on what it owes. */
static void woken_too_late_it_waits_on(void)
{
	CHECK(
		begin(HELD JOIN WAKES PAIR "DELAY 1050\n" POPPED OK "EXPECT EVALSHA * 1 k mine 10000\nSEND :0\n" JOIN WAKES PAIR
								   "DELAY 1300\n" TIMED_OUT NIL LEAVE "SEND :0\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 2000), RLK_NO);
	CHECK(!lock.held);
	CHECK_STR(end_drained(), "");
}

/* ... or the wait is over by then, which is no error, and the connection stays. */
static void woken_at_the_end_it_leaves(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR "DELAY 1050\n" POPPED OK "EXPECT EVALSHA * 1 k mine 10000\n" LEAVE
									 "SEND :1\nSEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 1500), RLK_NO);
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK(!lock.held && conn.fd != RLK_SOCKET_NONE);
	CHECK_STR(end_drained(), "");
}

/* A turn that somebody else took first is kept, not handed round, while one goes on waiting. */
static void a_turn_lost_is_waited_for_again(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR POPPED NIL JOIN WAKES PAIR POPPED OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_STR(end_drained(), "");
}

/* Its limit is its own: the answers are left to whoever uses the connection next. */
static void the_limit_is_kept_whatever_the_server_does(void)
{
	int64_t start_ms = rlk_clock_now_ms(), took_ms;

	CHECK(begin(HELD JOIN WAKES PAIR LEAVE TIMED_OUT NIL "SEND :0\nEXPECT SET k mine NX PX 10000\n" OK "EXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 500), RLK_NO);
	took_ms = rlk_clock_now_ms() - start_ms;
	CHECK(took_ms >= 500 && took_ms < server.io_timeout_ms);
	CHECK_INT(err.code, RLK_ERR_NONE);
	while (rlk_conn_has_unread(&conn))
		rlk_conn_collect(&conn);
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_STR(end(), "");
}

/* Also where it is not the lock that is slow. */
static void the_limit_is_kept_before_the_wait_began(void)
{
	int64_t start_ms = rlk_clock_now_ms(), took_ms;

	CHECK(begin(HELD JOIN LEAVE "EXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 500), RLK_NO);
	took_ms = rlk_clock_now_ms() - start_ms;
	CHECK(took_ms >= 500 && took_ms < server.io_timeout_ms);
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK_STR(end(), "");
}

/* As when connecting and starting the renewal child took all of it. */
static void a_limit_gone_by_leaves_the_try_a_moment(void)
{
	const char *verdict = "";
	rlk_outcome outcome = RLK_FAIL;
	int64_t took_ms = 0;

	/* A busy machine may not come to SET in so short a time. */
	for (int tries = 0; tries < 100; tries++) {
		int64_t start_ms;

		CHECK(begin_named("EXPECT SET k mine NX PX 10000\nSILENCE", "k", 60000));
		CHECK(rlk_conn_connect(&conn, false, RLK_DEADLINE_NONE, &err));
		start_ms = rlk_clock_now_ms();
		outcome = acquire(10000, -1);
		took_ms = rlk_clock_now_ms() - start_ms;
		verdict = end();
		if (verdict[0] == '\0')
			break;
	}
	CHECK_STR(verdict, "");
	CHECK_INT(outcome, RLK_UNKNOWN);
	CHECK(took_ms < 30000);
}

static void joins_by_text_where_the_script_is_unknown(void)
{
	CHECK(begin(HELD JOIN
		"SEND -NOSCRIPT No matching script\nEXPECT EVAL (text) 6 k {k}:rlk:waiters {k}:rlk:signal {k}:rlk:turn {k}:rlk:turn:rlk:waiters {k}:rlk:turn:rlk:signal mine 2000  * *\n" WAKES
			PAIR POPPED OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_STR(end_drained(), "");
}

/* Nobody stands behind a command that blocks. */
static void a_blocked_connection_is_not_waited_for(void)
{
	CHECK(begin(HELD JOIN WAKES PAIR LEAVE "EXPECT-CLOSE\nEXPECT SET k mine NX PX 10000\n" OK "EXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 500), RLK_NO); /* enough to come to BLPOP on a busy machine */
	CHECK_INT(acquire(10000, 60000), RLK_YES);
	CHECK_STR(end(), "");
}

static void a_silent_server_is_given_up(void)
{
	CHECK(begin_named(HELD
		"EXPECT EVALSHA * 6 k {k}:rlk:waiters {k}:rlk:signal {k}:rlk:turn {k}:rlk:turn:rlk:waiters {k}:rlk:turn:rlk:signal mine 2000  * *\nSEND *4\\r\\n:0\\r\\n:20\\r\\n:0\\r\\n:0\n" PAIR
			LEAVE "EXPECT-CLOSE",
		"k", 1000));
	CHECK_INT(acquire(10000, 60000), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK_STR(err.node, server.uri);
	CHECK_STR(end(), "");
}

/* A minute, or one's own limit. Where the holder wakes nobody, `retry`, where no look is possible, 5 s, with up to 5 % more
 * or until the lock expires. */
static void blocks_as_long_as_makes_sense(void)
{
	static const struct {
		const char *joined;
		int64_t wait_ms;
		int check_failures;
		double at_least, at_most;
	} cases[] = {
		{ "*4\\r\\n:0\\r\\n:40\\r\\n:1\\r\\n:0", 90000, 0, 60, 60 },
		{ "*4\\r\\n:0\\r\\n:-1\\r\\n:1\\r\\n:0", RLK_NEVER, 0, 60, 60 },
		{ "*4\\r\\n:0\\r\\n:90000\\r\\n:1\\r\\n:0", 30000, 0, 15, 30 },
		{ "*4\\r\\n:0\\r\\n:40\\r\\n:0\\r\\n:0", 60000, 0, 0.041, 0.041 },
		{ "*4\\r\\n:0\\r\\n:0\\r\\n:0\\r\\n:0", 60000, 0, 0.002, 0.002 },
		{ "*4\\r\\n:0\\r\\n:90000\\r\\n:0\\r\\n:0", 60000, 0, 0.2, 0.21 },
		{ "*4\\r\\n:0\\r\\n:40\\r\\n:1\\r\\n:0", 60000, 1, 0.041, 0.041 },
		{ "*4\\r\\n:0\\r\\n:90000\\r\\n:1\\r\\n:0", 60000, 1, 5, 5.25 },
		{ "*4\\r\\n:0\\r\\n:90000\\r\\n:0\\r\\n:0", 60000, 1, 0.2, 0.21 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[512];
		double seconds = 0;

		/* It does not say 0.0; what it says instead is in the verdict. */
		snprintf(script, sizeof(script), HELD JOIN "SEND %s\nEXPECT BLPOP {k}:rlk:signal 0.0\nEXPECT-CLOSE",
			cases[i].joined);
		CHECK(begin_named(script, "k", 10000)); /* the answers come at once, but on a busy machine */
		conn.known.check_failures = cases[i].check_failures;
		acquire(10000, cases[i].wait_ms);
		sscanf(strstr(end(), "rlk:signal ") != NULL ? strrchr(fake.verdict, ' ') : " 0", " %lf", &seconds);
		CHECK(seconds >= cases[i].at_least && seconds <= cases[i].at_most);
	}
}

static void fences_come_with_the_pair(void)
{
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.fence = true;
	CHECK(begin(
		"EXPECT EVALSHA * 2 k {k}:rlk:fence mine 10000\nSEND :0\n"
		"EXPECT EVALSHA * 7 k {k}:rlk:waiters {k}:rlk:signal {k}:rlk:turn {k}:rlk:turn:rlk:waiters {k}:rlk:turn:rlk:signal {k}:rlk:fence mine 2000  * *\n" WAKES
		"EXPECT BLPOP {k}:rlk:signal *\nEXPECT EVAL (text) 2 k {k}:rlk:fence mine 2000\n" POPPED "SEND :12\n" EXTENSION
		"SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK_INT(lock.fence, 12);
	CHECK_STR(end_drained(), "");
}

/* A host with a note that is there from the start, taken away by the answer to it. */
typedef struct {
	int notes, stop_at, asked;
} host;

static bool pending(void *arg)
{
	return ((host *)arg)->notes > 0;
}

static bool interrupted(void *arg)
{
	host *h = arg;

	h->notes--;
	h->asked++;
	return h->asked == h->stop_at;
}

static rlk_outcome acquire_with(host *h)
{
	const rlk_hooks hooks = { .signalled = pending, .interrupted = interrupted, .arg = h };
	rlk_lock_terms terms = terms_for(10000, 60000);

	terms.hooks = &hooks;
	return rlk_lock_acquire(&lock, &one, &terms, &err);
}

static void the_host_may_stop_a_wait(void)
{
	host h = { .notes = 2, .stop_at = 2 };

	/* Once before anything is under way, then while the server thinks. */
	CHECK(begin(HELD JOIN LEAVE "EXPECT-CLOSE"));
	CHECK_INT(acquire_with(&h), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_INTERRUPTED);
	CHECK_INT(h.asked, 2);
	CHECK(rlk_conn_is_blocked(&conn));
	CHECK_STR(end(), "");
}

static void a_host_that_goes_on_does_not_disturb(void)
{
	host h = { .notes = 3 };

	CHECK(begin(HELD JOIN WAKES PAIR "DELAY 20\n" POPPED OK EXTENSION "SEND :1\nEXPECT-CLOSE"));
	CHECK_INT(acquire_with(&h), RLK_YES);
	CHECK_INT(h.asked, 3);
	CHECK_STR(end_drained(), "");
}

int main(void)
{
	RUN(woken_it_has_a_claim_and_extends_it);
	RUN(the_extension_comes_before_the_next_answer);
	RUN(a_release_outlives_the_connection_of_the_wait);
	RUN(an_extension_that_came_too_late_is_a_loss);
	RUN(the_extension_gives_no_more_than_an_unanswered_one);
	RUN(a_late_answer_does_not_bring_it_back);
	RUN(without_the_answer_the_claim_is_all);
	RUN(an_extension_that_cannot_be_sent_is_sent_again);
	RUN(a_forgotten_lock_hears_nothing);
	RUN(where_a_child_renews_it_extends);
	RUN(a_short_ttl_is_its_own_provisional_ttl);
	RUN(it_may_be_free_by_the_time_of_joining);
	RUN(woken_late_it_extends_first);
	RUN(woken_too_late_it_waits_on);
	RUN(woken_at_the_end_it_leaves);
	RUN(a_turn_lost_is_waited_for_again);
	RUN(the_limit_is_kept_whatever_the_server_does);
	RUN(the_limit_is_kept_before_the_wait_began);
	RUN(a_limit_gone_by_leaves_the_try_a_moment);
	RUN(joins_by_text_where_the_script_is_unknown);
	RUN(a_blocked_connection_is_not_waited_for);
	RUN(a_silent_server_is_given_up);
	RUN(blocks_as_long_as_makes_sense);
	RUN(fences_come_with_the_pair);
	RUN(the_host_may_stop_a_wait);
	RUN(a_host_that_goes_on_does_not_disturb);
	return unit_done();
}
