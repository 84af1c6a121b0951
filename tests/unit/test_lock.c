/* unit: add tests/unit/fake_server.c */
/*
 * rlk_lock against a server that does what a script says: what is sent, what is believed, and until when.
 */
#include "base/rlk_os.h"
#include "lock_case.h"
#include "lock/rlk_lock.h"

static void validity_leaves_a_margin(void)
{
	static const int64_t cases[][2] = { { 1, 1 }, { 9, 9 }, { 10, 7 }, { 99, 96 }, { 100, 97 }, { 101, 97 },
		{ 10000, 9898 }, { 0, RLK_NEVER }, { 315360000000, 312206399998 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_INT(rlk_validity_ms(cases[i][0]), cases[i][1]);
}

static void acquired_and_released(void)
{
	int64_t before_ms = rlk_clock_now_ms(), after_ms;

	CHECK(begin(HELD "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :1\nEXPECT-CLOSE", 5000));
	CHECK(!rlk_lock_is_valid(&lock));
	CHECK_INT(acquire(10000, 0, 10), RLK_YES);
	after_ms = rlk_clock_now_ms();
	CHECK(rlk_lock_is_valid(&lock));
	CHECK(lock.acquired_at_ms >= before_ms && lock.acquired_at_ms <= after_ms);
	CHECK_INT(lock.valid_until_ms, lock.acquired_at_ms + 9898);
	CHECK(lock.valid_until_ms - rlk_clock_now_ms() <= 9898 && rlk_lock_is_valid(&lock));
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK(!lock.held && !rlk_lock_is_valid(&lock));
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK_STR(end(), "");
}

static void without_expiry(void)
{
	CHECK(begin("EXPECT SET k mine NX\nSEND +OK\nEXPECT-CLOSE", 5000));
	CHECK_INT(acquire(0, 0, 10), RLK_YES);
	CHECK_INT(lock.valid_until_ms, RLK_NEVER);
	CHECK_STR(end(), "");
}

static void one_try_is_one_request(void)
{
	CHECK(begin("EXPECT SET k mine NX PX 10000\nSENDRAW $-1\\r\\n\nEXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 10), RLK_NO);
	CHECK(!lock.held && err.code == RLK_ERR_NONE);
	CHECK_STR(end(), "");
}

/* Silence, and replies that stop in the middle: the release follows on the same connection. */
static void a_late_set_is_released_behind(void)
{
	static const char *const halves[] = { "", "SENDRAW +\n", "SENDRAW +OK\\r\n", "SENDRAW $-\n" };

	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		char script[256];
		int64_t start_ms = rlk_clock_now_ms();

		snprintf(script, sizeof(script), "EXPECT SET k mine NX PX 10000\n%sEXPECT EVAL ...\nEXPECT-CLOSE", halves[i]);
		CHECK(begin(script, 40));
		CHECK_INT(acquire(10000, 60000, 1), RLK_UNKNOWN);
		CHECK(rlk_clock_now_ms() - start_ms >= 40);
		CHECK_INT(err.code, RLK_ERR_TIMEOUT);
		CHECK(err.retryable);
		CHECK_STR(err.node, server.uri);
		CHECK(!lock.held);
		CHECK_STR(end(), "");
	}
}

static void a_late_fenced_set_is_released_behind(void)
{
	rlk_lock_terms terms = { .ttl_ms = 10000, .deadline = RLK_DEADLINE_NONE, .attempts = 1, .fence = true };

	CHECK(begin("EXPECT EVALSHA * 2 k {k}:rlk:fence mine 10000\nEXPECT EVAL ...\nEXPECT-CLOSE", 40));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_UNKNOWN);
	CHECK_STR(end(), "");
}

static void after_a_broken_connection_it_is_released_and_not_asked_again(void)
{
	static const char *const halves[] = { "", "SENDRAW +O\n" };

	for (size_t i = 0; i < 2; i++) {
		char script[256];

		snprintf(script, sizeof(script),
			"EXPECT SET k mine NX PX 10000\n%sCLOSE\nEXPECT EVAL * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :1\n"
			"EXPECT SET k mine NX PX 10000\nSEND $-1\nEXPECT-CLOSE",
			halves[i]);
		CHECK(begin(script, 5000));
		CHECK_INT(acquire(10000, 60000, 1), RLK_UNKNOWN);
		CHECK_INT(err.code, RLK_ERR_IO);
		CHECK_INT(acquire(10000, 0, 1), RLK_NO);
		CHECK_STR(end(), "");
	}
}

static void only_ok_is_ok(void)
{
	static const char *const replies[] = { "+QUEUED", "+", ":1", "$2\\r\\nOK", "*1\\r\\n+OK" };

	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		char script[256];

		snprintf(script, sizeof(script), "EXPECT SET k mine NX PX 10000\nSEND %s\nEXPECT EVAL ...\nEXPECT-CLOSE",
			replies[i]);
		CHECK(begin(script, 5000));
		CHECK_INT(acquire(10000, 0, 1), RLK_UNKNOWN);
		CHECK_INT(err.code, RLK_ERR_PROTOCOL);
		CHECK_STR(err.node, server.uri);
		CHECK_STR(end(), "");
	}
}

static void an_error_reply_is_a_failure(void)
{
	CHECK(begin("EXPECT SET k mine NX PX 10000\nSEND -OOM command not allowed\n" HELD "EXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 60000, 1), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_SERVER);
	CHECK(err.retryable);
	CHECK_STR(err.node, server.uri);
	/* The connection is fit for the next. */
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_STR(end(), "");
}

/* It is released, but with a given token, with which another process may have it by then. */
static void an_answer_after_the_ttl_is_no_lock(void)
{
	CHECK(begin(
		"EXPECT SET k mine NX PX 5\nDELAY 15\nSEND +OK\nEXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :0\nEXPECT-CLOSE",
		5000));
	CHECK_INT(acquire(5, 0, 1), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK(!lock.held);
	CHECK_STR(end(), "");
	CHECK(begin("EXPECT SET k mine NX PX 5\nDELAY 15\nSEND +OK\nEXPECT-CLOSE", 5000));
	lock.token.from_caller = true;
	CHECK_INT(acquire(5, 0, 1), RLK_FAIL);
	CHECK(!lock.held);
	CHECK_STR(end(), "");
}

static void fences(void)
{
	rlk_lock_terms terms = { .ttl_ms = 10000, .deadline = RLK_DEADLINE_NONE, .attempts = 1, .fence = true };

	CHECK(begin("EXPECT EVALSHA * 2 k {k}:rlk:fence mine 10000\nSEND -NOSCRIPT No\nEXPECT EVAL ...\nSEND :7\n"
				"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :1\n" ASKED
				"EXPECT EVALSHA * 2 k {k}:rlk:fence mine 10000\nSEND :0\nEXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_YES);
	CHECK_INT(lock.fence, 7);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_INT(lock.fence, 0);
	CHECK_INT(rlk_lock_acquire(&lock, &one, &terms, &err), RLK_NO);
	CHECK_INT(lock.fence, 0);
	CHECK_STR(end(), "");
}

static void extends(void)
{
	CHECK(begin(HELD
		"EXPECT EVALSHA * 1 k mine 20000\nSEND -NOSCRIPT\nEXPECT EVAL ...\nSEND :1\nEXPECT EVALSHA * 1 k mine 0\nSEND :1\n"
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine 500\nSEND :0\nEXPECT-CLOSE",
		5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 20000, NULL, &err), RLK_YES);
	CHECK_INT(lock.ttl_ms, 20000);
	CHECK_INT(lock.valid_until_ms, conn.sent_at_ms + 19798);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 0, NULL, &err), RLK_YES);
	CHECK_INT(lock.valid_until_ms, RLK_NEVER);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 500, NULL, &err), RLK_NO);
	CHECK(!lock.held);
	CHECK_STR(end(), "");
}

static void an_unconfirmed_extension_may_have_shortened(void)
{
	int64_t until_ms, before_ms;

	CHECK(begin(HELD
		"EXPECT EVALSHA * 1 k mine 20000\nSILENCE\nEXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine 1000\nSILENCE",
		40));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	until_ms = lock.valid_until_ms;
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 20000, NULL, &err), RLK_UNKNOWN);
	CHECK_INT(lock.valid_until_ms, until_ms);
	before_ms = rlk_clock_now_ms();
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 1000, NULL, &err), RLK_UNKNOWN);
	CHECK(lock.valid_until_ms >= before_ms + 988 && lock.valid_until_ms <= conn.sent_at_ms + 988);
	CHECK(lock.held);
	CHECK_STR(end(), "");
}

static bool begin_given(const char *script)
{
	bool ok = begin(script, 100);

	lock.token.from_caller = true;
	return ok;
}

/* Nothing follows what was not answered, and nothing more is sent with it until the ttl is over; another token is. */
static void a_given_token_without_an_answer_is_spent(void)
{
	CHECK(begin_given("EXPECT SET k mine NX PX 10000\nSILENCE\nEXPECT SET k other NX PX 10000\nSEND +OK"));
	CHECK_INT(acquire(10000, 0, 1), RLK_UNKNOWN);
	CHECK(lock.ledger.spent_until_ms >= rlk_clock_now_ms() + 9000);
	for (int i = 0; i < 2; i++) {
		rlk_error_clear(&err);
		CHECK_INT(acquire(10000, i * 1000, 1), RLK_FAIL);
		CHECK_INT(err.code, RLK_ERR_IO);
		CHECK(!err.retryable && strstr(err.text, "the token is spent for ") != NULL);
	}
	CHECK(rlk_lock_set_token(&lock, RLK_STR("other"), RLK_STR(""), &err));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_STR(end(), "");
}

/* The connection stays in use, since the server still has time. */
static void it_is_spent_at_the_deadline_too(void)
{
	CHECK(begin_given(
		"EXPECT SET k mine NX PX 10000\nEXPECT EVAL (text) 3 k {k}:rlk:waiters {k}:rlk:signal\nEXPECT-CLOSE"));
	server.io_timeout_ms = 5000;
	CHECK_INT(acquire(10000, 30, 1), RLK_UNKNOWN);
	CHECK(lock.ledger.spent_until_ms >= rlk_clock_now_ms() + 9000);
	CHECK_STR(end(), "");
}

static void a_token_is_spent_no_longer_than_its_ttl(void)
{
	CHECK(begin_given("EXPECT SET k mine NX PX 30\nSILENCE\nEXPECT SET k mine NX PX 10000\nSEND +OK"));
	CHECK_INT(acquire(30, 0, 1), RLK_UNKNOWN);
	rlk_socket_pause(rlk_clock_now_ms() + 30);
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_STR(end(), "");
}

static void a_given_token_expires_until_it_is_confirmed(void)
{
	CHECK(begin_given("EXPECT SET k mine NX PX 2100\nSEND +OK\nEXPECT EVALSHA * 1 k mine 0\nSEND :1"));
	CHECK_INT(acquire(0, 0, 1), RLK_YES);
	CHECK_INT(lock.valid_until_ms, RLK_NEVER);
	CHECK_STR(end(), "");
}

/* Nothing arrives any more. */
static void an_unanswered_release_of_a_given_token_goes_with_its_connection(void)
{
	CHECK(begin_given(HELD "EXPECT EVALSHA ...\nEXPECT-CLOSE"));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_UNKNOWN);
	CHECK(lock.ledger.release);
	CHECK_INT(conn.fd, RLK_SOCKET_NONE);
	CHECK_INT(acquire(10000, 0, 1), RLK_FAIL);
	CHECK_STR(end(), "");
}

/* The first of two requests may have shortened the ttl, so that counts from the first. */
static void a_repeated_extension_counts_from_the_first(void)
{
	CHECK(begin(HELD
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine 1000\nDELAY 20\nCLOSE\nEXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine 1000\nCLOSE",
		5000));
	CHECK_INT(acquire(10000, 0, 10), RLK_YES);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 1000, NULL, &err), RLK_UNKNOWN);
	CHECK(lock.valid_until_ms <= conn.sent_at_ms - 20 + rlk_validity_ms(1000));
	CHECK_STR(end(), "");
}

/* From then on no longer one is believed, whoever confirms it: the shorter may arrive at any time. */
static void an_unanswered_extension_limits_later_ones(void)
{
	CHECK(begin(HELD
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine 1000\nSILENCE\nEXPECT EVALSHA * 1 k mine 20000\nSEND :1\n"
		"EXPECT EVALSHA * 1 k mine\nSEND :19000\nEXPECT EVALSHA * 1 k mine\nSEND :-1\n"
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine 500\nSEND :1\nEXPECT EVALSHA * 1 k mine 0\nSEND :1",
		100));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 1000, NULL, &err), RLK_UNKNOWN);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 20000, NULL, &err), RLK_YES);
	CHECK_INT(lock.valid_until_ms, conn.sent_at_ms + 988);
	CHECK_INT(lock.ttl_ms, 20000);
	for (int i = 0; i < 2; i++) {
		lock.held = false;
		CHECK_INT(rlk_lock_confirm(&lock, &one, RLK_DEADLINE_NONE, NULL, &err), RLK_YES);
		CHECK_INT(lock.valid_until_ms, conn.sent_at_ms + 988);
	}
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 500, NULL, &err), RLK_YES);
	CHECK_INT(lock.valid_until_ms, conn.sent_at_ms + 493);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 0, NULL, &err), RLK_YES);
	CHECK_INT(lock.valid_until_ms, conn.sent_at_ms + 988);
	CHECK(rlk_lock_set_token(&lock, RLK_STR(""), RLK_STR(""), &err));
	CHECK_INT(lock.ledger.least_ttl_ms, 0);
	CHECK_STR(end(), "");
}

/* Whatever may arrive late compares times. Where the key has more than that, a second request sets the ttl exactly; it limits
 * later ones if it, or its first try, was not answered. */
static void more_than_was_asked_for_is_shortened(void)
{
	static const struct {
		const char *answers;
		rlk_outcome outcome;
		int64_t least_ttl_ms;
	} cases[] = {
		{ "SEND :1\nEXPECT-CLOSE", RLK_YES, 0 },
		{ "SEND :0\nEXPECT-CLOSE", RLK_NO, 0 },
		{ "SEND :2\nEXPECT-CLOSE", RLK_YES, 0 },
		{ "SEND -LOADING the data\nEXPECT-CLOSE", RLK_FAIL, 0 },
		{ "EXPECT-CLOSE", RLK_UNKNOWN, 20000 },
		{ "CLOSE\nEXPECT EVALSHA * 1 k mine 20000\nSEND :1\nEXPECT-CLOSE", RLK_YES, 20000 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			HELD "EXPECT EVALSHA %s 1 k mine 20000\nSEND :2\nEXPECT EVALSHA %s 1 k mine 20000\n%s",
			rlk_script_lengthen.sha1.data, rlk_script_extend.sha1.data, cases[i].answers);
		CHECK(begin(script, cases[i].outcome == RLK_UNKNOWN ? 300 : 5000));
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 20000, NULL, &err), cases[i].outcome);
		CHECK_INT(lock.ledger.least_ttl_ms, cases[i].least_ttl_ms);
		CHECK(cases[i].outcome != RLK_YES || lock.valid_until_ms == conn.sent_at_ms + 19798);
		CHECK_STR(end(), "");
	}
}

/* The second request was certainly not executed. The first may have been, so that is the outcome of both. */
static void a_repeated_request_is_as_unknown_as_its_first(void)
{
	CHECK(begin(HELD "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine 1000\nGONE\nCLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 1000, NULL, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_CONNECT);
	CHECK(lock.valid_until_ms - rlk_clock_now_ms() <= 1000);
	CHECK_STR(end(), "");
}

static void a_repeated_release_that_finds_nothing_was_ours(void)
{
	CHECK(begin(HELD
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nCLOSE\nEXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :0\nEXPECT-CLOSE",
		5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_STR(end(), "");
}

static int wait_beyond_validity(void *arg, rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	(void)arg;
	lock.valid_until_ms = rlk_clock_earlier(lock.valid_until_ms, rlk_clock_now_ms());
	return rlk_socket_poll(watched, count, deadline_at_ms, NULL);
}

/* Its time may be over by the second request, but not by the first. */
static void it_was_ours_if_it_was_valid_at_first(void)
{
	const rlk_hooks hooks = { .suspend = wait_beyond_validity };

	for (int valid = 0; valid <= 1; valid++) {
		CHECK(begin(HELD
			"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nDELAY 50\nCLOSE\nEXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :0\nEXPECT-CLOSE",
			5000));
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		conn.hooks = &hooks;
		if (!valid)
			lock.valid_until_ms = rlk_clock_now_ms();
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), valid ? RLK_YES : RLK_NO);
		CHECK_STR(end(), "");
	}
}

static void a_release_says_whose_it_was(void)
{
	CHECK(begin(HELD "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :0\nEXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_NO);
	CHECK(!lock.held);
	CHECK_STR(end(), "");
}

/* Who may not touch the helper keys must still get rid of the lock, and is not told so each time. */
static void a_release_needs_the_lock_key_only(void)
{
	CHECK(begin(HELD
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND -NOPERM No permissions to access a key\n"
		"EXPECT EVALSHA * 1 k mine\nSEND :1\n" ASKED HELD "EXPECT EVALSHA * 1 k mine\nSEND :1\nEXPECT-CLOSE",
		5000));
	for (int i = 0; i < 2; i++) {
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
	}
	CHECK_STR(end(), "");
}

static void an_unanswered_release_ends_validity(void)
{
	CHECK(begin(HELD
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nEXPECT EVAL ...\nEXPECT-CLOSE\nEXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :1\nEXPECT-CLOSE",
		200));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK(!rlk_lock_is_valid(&lock));
	/* It may be released again. */
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_STR(end(), "");
}

static void rests(void)
{
	int64_t rest_until_ms = rlk_clock_now_ms() + 60000;

	CHECK(begin(HELD "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine * *\nSEND :1\nEXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, rest_until_ms, &err), RLK_YES);
	CHECK(!lock.held);
	CHECK_STR(end(), "");
}

static void confirms(void)
{
	CHECK(begin(
		"EXPECT EVALSHA * 1 k mine\nSEND :5000\nEXPECT EVALSHA * 1 k mine\nSEND :-1\nEXPECT EVALSHA * 1 k mine\nSEND :-2\n"
		"EXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_confirm(&lock, &one, RLK_DEADLINE_NONE, NULL, &err), RLK_YES);
	CHECK(rlk_lock_is_valid(&lock));
	CHECK(lock.valid_until_ms <= conn.sent_at_ms + 4950);
	CHECK_INT(rlk_lock_confirm(&lock, &one, RLK_DEADLINE_NONE, NULL, &err), RLK_YES);
	CHECK_INT(lock.valid_until_ms, RLK_NEVER);
	CHECK_INT(rlk_lock_confirm(&lock, &one, RLK_DEADLINE_NONE, NULL, &err), RLK_NO);
	CHECK(!lock.held);
	CHECK_STR(end(), "");
}

static void holders(void)
{
	rlk_lock_holder holder;

	CHECK(begin(
		"EXPECT EVALSHA * 2 k {k}:rlk:waiters\nSEND $-1\nEXPECT EVALSHA * 2 k {k}:rlk:waiters\n"
		"SEND *3\\r\\n$5\\r\\nother\\r\\n:-1\\r\\n:1\nEXPECT EVALSHA * 2 k {k}:rlk:waiters\n"
		"SEND *3\\r\\n$51\\r\\nrlk1:h:12:a:0123456789abcdef0123456789abcdef:done  \\r\\n:1500\\r\\n:0\nEXPECT EVALSHA * 2 k {k}:rlk:waiters\n"
		"SEND *3\\r\\n$49\\r\\nrlk1:h:12:a:0123456789abcdef0123456789abcdef:done\\r\\n:1500\\r\\n:0\nEXPECT EVALSHA ...\nSEND *2\\r\\n:1\\r\\n:2",
		5000));
	CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_NO);
	CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_YES);
	CHECK_STR(holder.token, "other");
	CHECK(!holder.ours && holder.waited && holder.ttl_ms == -1);
	CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_YES);
	CHECK(!holder.ours);
	CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_YES);
	CHECK(holder.ours && holder.info.resting && holder.info.pid == 12 && holder.ttl_ms == 1500 && !holder.waited);
	CHECK_STR(holder.info.label, "a");
	CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_PROTOCOL);
	CHECK(conn.fd < 0);
	CHECK_STR(end(), "");
}

static void bytes_nobody_asked_for_close_the_connection(void)
{
	CHECK(begin(
		"EXPECT SET k mine NX PX 10000\nSENDRAW +OK\\r\\n:1\\r\\n\nEXPECT-CLOSE\nEXPECT EVALSHA * 1 k mine 10000\nSEND :0\nEXPECT-CLOSE",
		5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 10000, NULL, &err), RLK_NO);
	CHECK_STR(end(), "");
}

static void forced_release(void)
{
	CHECK(begin(
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal\nSEND :1\nEXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal\nSEND :0\nEXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_force_release(&lock, &one, RLK_DEADLINE_NONE, RLK_STR(""), &err), RLK_YES);
	CHECK_INT(rlk_lock_force_release(&lock, &one, RLK_DEADLINE_NONE, RLK_STR(""), &err), RLK_NO);
	CHECK_STR(end(), "");
}

static void a_forced_release_needs_the_lock_key_only(void)
{
	CHECK(begin("EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal\nSEND -NOPERM No permissions to access a key\n"
				"EXPECT EVALSHA * 1 k\nSEND :1\nEXPECT EVALSHA * 1 k\nSEND -NOPERM No permissions\nEXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_force_release(&lock, &one, RLK_DEADLINE_NONE, RLK_STR(""), &err), RLK_YES);
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK_INT(rlk_lock_force_release(&lock, &one, RLK_DEADLINE_NONE, RLK_STR(""), &err), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_AUTH);
	CHECK_STR(end(), "");
}

static void the_holder_is_told_without_the_waiters_key(void)
{
	rlk_lock_holder holder;

	CHECK(begin(
		"EXPECT EVALSHA * 2 k {k}:rlk:waiters\nSEND -NOPERM No permissions to access a key\n"
		"EXPECT EVALSHA * 1 k\nSEND *3\\r\\n$4\\r\\nmine\\r\\n:5000\\r\\n:0\nEXPECT EVALSHA * 1 k\nSEND $-1\nEXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_YES);
	CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_NO);
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK_STR(end(), "");

	/* It was for something else: those who wait are woken all the same. */
	CHECK(begin(
		"EXPECT EVALSHA * 2 k {k}:rlk:waiters\nSEND -NOPERM this user\nEXPECT EVALSHA * 1 k\nSEND -NOPERM this user\n" HELD
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nSEND :1\nEXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_AUTH);
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, NULL), RLK_YES);
	CHECK_STR(end(), "");
}

static void nobody_listens(void)
{
	CHECK(begin("GONE", 5000));
	CHECK_STR(fake_server_end(&fake), "");
	CHECK_INT(acquire(10000, 60000, 1), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_CONNECT);
	CHECK(err.retryable && err.sys_errno != 0);
	CHECK_STR(err.node, server.uri);
	rlk_lock_destroy(&lock);
	rlk_server_destroy(&server);
}

int main(void)
{
	RUN(validity_leaves_a_margin);
	RUN(acquired_and_released);
	RUN(without_expiry);
	RUN(one_try_is_one_request);
	RUN(a_late_set_is_released_behind);
	RUN(a_late_fenced_set_is_released_behind);
	RUN(after_a_broken_connection_it_is_released_and_not_asked_again);
	RUN(only_ok_is_ok);
	RUN(an_error_reply_is_a_failure);
	RUN(an_answer_after_the_ttl_is_no_lock);
	RUN(fences);
	RUN(extends);
	RUN(an_unconfirmed_extension_may_have_shortened);
	RUN(an_unanswered_extension_limits_later_ones);
	RUN(more_than_was_asked_for_is_shortened);
	RUN(a_repeated_extension_counts_from_the_first);
	RUN(a_given_token_without_an_answer_is_spent);
	RUN(it_is_spent_at_the_deadline_too);
	RUN(a_token_is_spent_no_longer_than_its_ttl);
	RUN(a_given_token_expires_until_it_is_confirmed);
	RUN(an_unanswered_release_of_a_given_token_goes_with_its_connection);
	RUN(a_repeated_request_is_as_unknown_as_its_first);
	RUN(a_repeated_release_that_finds_nothing_was_ours);
	RUN(it_was_ours_if_it_was_valid_at_first);
	RUN(a_release_says_whose_it_was);
	RUN(a_release_needs_the_lock_key_only);
	RUN(an_unanswered_release_ends_validity);
	RUN(rests);
	RUN(confirms);
	RUN(holders);
	RUN(bytes_nobody_asked_for_close_the_connection);
	RUN(forced_release);
	RUN(a_forced_release_needs_the_lock_key_only);
	RUN(the_holder_is_told_without_the_waiters_key);
	RUN(nobody_listens);
	return unit_done();
}
