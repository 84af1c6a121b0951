/* unit: add tests/unit/fake_server.c */
/*
 * rlk_dialect: compare commands, whatever the server makes of them.
 */
#include "redis/rlk_dialect.h"
#include "lock_case.h"

#define DELEX "EXPECT DELEX k IFEQ mine\nEXPECT EXISTS {k}:rlk:waiters\n"
#define SCRIPT "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"
#define WAKES "EXPECT EVAL * 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"
#define SET_IFEQ "EXPECT SET k mine IFEQ mine PX 20000\n"

/* Holds the lock, on a connection that is known to have the command. `script` is what follows. */
static bool begin_held(rlk_dialect native, const char *script, int io_timeout_ms)
{
	static char whole[2048];

	snprintf(whole, sizeof(whole), HELD "%s", script);
	if (!begin(whole, 5000) || acquire(10000, 0, 1) != RLK_YES)
		return false;
	server.io_timeout_ms = io_timeout_ms;
	conn.known.dialect = native;
	return true;
}

static void asks_behind_the_second_acquisition(void)
{
	static const struct {
		const char *reply;
		rlk_dialect found;
	} cases[] = {
		{ "*2\\r\\n$3\\r\\ndel\\r\\n$5\\r\\ndelex", RLK_DIALECT_DELEX },
		{ "*2\\r\\n$7\\r\\ndelifeq\\r\\n$3\\r\\ndel", RLK_DIALECT_DELIFEQ },
		{ "*1\\r\\n$3\\r\\ndel", RLK_DIALECT_NONE },
		{ "*0", RLK_DIALECT_NONE },
		{ "*-1", RLK_DIALECT_NONE },
		{ "*2\\r\\n:1\\r\\n*1\\r\\n$5\\r\\ndelex", RLK_DIALECT_NONE },
		{ "$5\\r\\ndelex", RLK_DIALECT_NONE },
		{ "+delex", RLK_DIALECT_NONE },
		{ ":1", RLK_DIALECT_NONE },
		{ "-ERR unknown command 'COMMAND'", RLK_DIALECT_NONE },
		{ "-NOPERM this user has no permissions to run the 'command|list' command", RLK_DIALECT_NONE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[512];

		snprintf(script, sizeof(script),
			HELD SCRIPT "SEND :1\nEXPECT COMMAND LIST FILTERBY PATTERN del*\nEXPECT SET k mine NX PX 10000\n"
						"SEND %s\\r\\n+OK\nEXPECT-CLOSE",
			cases[i].reply);
		CHECK(begin(script, 5000));
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_INT(conn.known.dialect, RLK_DIALECT_USED);
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_INT(conn.known.dialect, cases[i].found);
		CHECK_STR(end(), "");
	}
}

/* The answer to our question never comes: then neither does that to the SET behind it. */
static void without_an_answer_to_the_question(void)
{
	static const char *const ends[] = { "CLOSE\n" WAKES "EXPECT-CLOSE",
		"SENDRAW *1\\r\\n$5\\r\\ndelex\\r\\n\nCLOSE\n" WAKES "EXPECT-CLOSE",
		"SEND ?\nEXPECT-CLOSE\n" WAKES "EXPECT-CLOSE" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			HELD SCRIPT "SEND :1\nEXPECT COMMAND LIST FILTERBY PATTERN del*\nEXPECT SET k mine NX PX 10000\n%s",
			ends[i]);
		CHECK(begin(script, 5000));
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		CHECK_INT(acquire(10000, 0, 1), RLK_UNKNOWN);
		CHECK_INT(conn.known.dialect, RLK_DIALECT_NEW);
		CHECK_STR(end(), "");
	}
}

static void deletes(void)
{
	static const struct {
		const char *reply;
		rlk_outcome outcome;
		rlk_error_code code;
	} cases[] = {
		{ ":1", RLK_YES, RLK_ERR_NONE },
		{ ":0", RLK_NO, RLK_ERR_NONE },
		{ ":-1", RLK_NO, RLK_ERR_NONE },
		{ "-WRONGTYPE Operation against a key", RLK_NO, RLK_ERR_NONE },
		{ "-ERR Key should be of string type", RLK_NO, RLK_ERR_NONE },
		{ "-READONLY You can't write", RLK_FAIL, RLK_ERR_SERVER },
		{ "-LOADING Redis is loading", RLK_FAIL, RLK_ERR_SERVER },
		{ "-NOAUTH Authentication required.", RLK_FAIL, RLK_ERR_AUTH },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[512];

		snprintf(script, sizeof(script), DELEX "SEND %s\\r\\n:0\nEXPECT-CLOSE", cases[i].reply);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), cases[i].outcome);
		CHECK_INT(err.code, cases[i].code);
		CHECK_INT(rlk_lock_is_valid(&lock), cases[i].outcome == RLK_FAIL);
		CHECK_INT(conn.known.dialect, RLK_DIALECT_DELEX);
		CHECK_STR(end(), "");
	}
	CHECK(begin_held(RLK_DIALECT_DELIFEQ,
		"EXPECT DELIFEQ k mine\nEXPECT EXISTS {k}:rlk:waiters\nSEND :1\nSEND :0\nEXPECT-CLOSE", 5000));
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_STR(end(), "");
}

/* A reply that says neither: the lock may be gone. */
static void deletes_or_not(void)
{
	static const char *const replies[] = { "+OK", "+QUEUED", "$-1", "$1\\r\\n1", "*1\\r\\n:1", "*-1" };

	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		char script[512];

		snprintf(script, sizeof(script), DELEX "SEND %s\\r\\n:1\nEXPECT-CLOSE", replies[i]);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_UNKNOWN);
		CHECK_INT(err.code, RLK_ERR_PROTOCOL);
		CHECK_STR(err.node, server.uri);
		CHECK(!rlk_lock_is_valid(&lock));
		CHECK_STR(end(), "");
	}
}

/* What the server refuses is done by the script, whatever it says of the waiters. */
static void the_script_takes_over(void)
{
	static const char *const refusals[] = { "-NOPERM this user has no permissions to run the 'delex' command",
		"-ERR unknown command 'DELEX', with args beginning with:" };

	for (int i = 0; i < 4; i++) {
		char script[512];

		snprintf(script, sizeof(script), DELEX "SEND %s\\r\\n:%d\n" SCRIPT "SEND :1\nEXPECT-CLOSE", refusals[i / 2],
			i % 2);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_INT(conn.known.dialect, RLK_DIALECT_NONE);
		CHECK_STR(end(), "");
	}
}

/* The lock stays as it is: nothing may be under way that takes it from us. */
static void a_failed_delete_wakes_nobody(void)
{
	CHECK(begin_held(RLK_DIALECT_DELEX,
		DELEX "SEND -BUSY script\\r\\n:1\nEXPECT EVALSHA * 1 k mine 20000\nSEND :1\nEXPECT-CLOSE", 5000));
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_FAIL);
	CHECK(rlk_lock_is_valid(&lock));
	CHECK_INT(rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 20000, NULL, NULL), RLK_YES);
	CHECK_STR(end(), "");
}

/* Whatever became of the delete, the next one is woken before anything else is sent. */
static void somebody_waits(void)
{
	for (int ours = 0; ours < 2; ours++) {
		char script[1024];

		snprintf(script, sizeof(script),
			DELEX "SEND :%d\\r\\n:1\nEXPECT EVAL * 3 k {k}:rlk:waiters {k}:rlk:signal\nSEND :0\n"
				  "EXPECT SET k mine NX PX 10000\nSEND +OK\n" SCRIPT "SEND :1\nEXPECT-CLOSE",
			ours);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), ours ? RLK_YES : RLK_NO);
		CHECK(lock.waited_until_ms > rlk_clock_now_ms());
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		/* Others may wait still: wakes in the same step. */
		CHECK_INT(conn.known.dialect, RLK_DIALECT_DELEX);
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		CHECK_STR(end(), "");
	}
}

/* The delete was answered: that counts, also when the question behind it was not. */
static void an_answer_to_the_question_is_not_needed(void)
{
	static const char *const replies[] = { "SEND -ERR whatever\n", "SEND $-1\n", "SEND +OK\n", "SEND *0\n" };
	static const char *const broken[] = { "CLOSE\n", "SENDRAW :\nCLOSE\n", "SEND ?\nEXPECT-CLOSE\n" };

	for (size_t i = 0; i < 4; i++) {
		char script[1024];

		snprintf(script, sizeof(script), DELEX "SEND :1\n%s" HELD DELEX "SEND :1\\r\\n:0\nEXPECT-CLOSE", replies[i]);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		for (int j = 0; j < 2; j++) {
			CHECK(j == 0 || acquire(10000, 0, 1) == RLK_YES);
			CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
			CHECK_INT(err.code, RLK_ERR_NONE);
		}
		CHECK_STR(end(), "");
	}
	for (size_t i = 0; i < 3; i++) {
		char script[1024];

		snprintf(script, sizeof(script), DELEX "SEND :%d\n%s" HELD "EXPECT-CLOSE", (int)(i % 2), broken[i]);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), i % 2 ? RLK_YES : RLK_NO);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_STR(end(), "");
	}
}

static void a_late_answer_to_the_question_is_not_taken_for_another(void)
{
	CHECK(begin_held(RLK_DIALECT_DELEX, DELEX "SEND :1\nEXPECT-CLOSE\n" HELD "EXPECT-CLOSE", 300));
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_STR(end(), "");
}

/* Who may not touch the waiters key is not asked about it again, and wakes nobody by script either. */
static void without_rights_to_the_waiters_key(void)
{
	CHECK(begin_held(RLK_DIALECT_DELEX,
		DELEX "SEND :1\\r\\n-NOPERM No permissions to access a key\n" HELD
			  "EXPECT DELEX k IFEQ mine\nSEND :1\nEXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK(lock.wakes_nobody);
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
	CHECK_STR(end(), "");
}

/* The connection breaks before the first answer. A new one is asked by script, and finds what the old one left. */
static void repeated_by_script(void)
{
	static const char *const cuts[] = { "", "SENDRAW :\n" };

	for (int i = 0; i < 4; i++) {
		char script[512];

		snprintf(script, sizeof(script), DELEX "%sCLOSE\n" SCRIPT "SEND :%d\nEXPECT-CLOSE", cuts[i / 2], i % 2);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_STR(end(), "");
	}
}

static void broken_and_nobody_listens(void)
{
	CHECK(begin_held(RLK_DIALECT_DELEX, DELEX "GONE\nCLOSE", 5000));
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_CONNECT);
	CHECK(!rlk_lock_is_valid(&lock));
	CHECK_STR(end(), "");
}

/* The script follows behind on the same connection, and wakes whoever waits. */
static void a_late_delete_is_followed_by_the_script(void)
{
	static const char *const halves[] = { "", "SENDRAW :\n" };

	for (size_t i = 0; i < 2; i++) {
		char script[512];

		snprintf(script, sizeof(script), DELEX "%sEXPECT EVAL * 3 k {k}:rlk:waiters {k}:rlk:signal mine\nEXPECT-CLOSE",
			halves[i]);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 40));
		CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err), RLK_UNKNOWN);
		CHECK_INT(err.code, RLK_ERR_TIMEOUT);
		CHECK(!rlk_lock_is_valid(&lock));
		CHECK_STR(end(), "");
	}
}

/* One step puts at rest and wakes: that is the script's. */
static void rests_by_script(void)
{
	CHECK(begin_held(RLK_DIALECT_DELEX,
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine * *\nSEND :1\nEXPECT-CLOSE", 5000));
	CHECK_INT(rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, rlk_clock_now_ms() + 60000, &err), RLK_YES);
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(asks_behind_the_second_acquisition);
	RUN(without_an_answer_to_the_question);
	RUN(deletes);
	RUN(deletes_or_not);
	RUN(the_script_takes_over);
	RUN(a_failed_delete_wakes_nobody);
	RUN(somebody_waits);
	RUN(an_answer_to_the_question_is_not_needed);
	RUN(a_late_answer_to_the_question_is_not_taken_for_another);
	RUN(without_rights_to_the_waiters_key);
	RUN(repeated_by_script);
	RUN(broken_and_nobody_listens);
	RUN(a_late_delete_is_followed_by_the_script);
	RUN(rests_by_script);
	return unit_done();
}
