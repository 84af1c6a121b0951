/* unit: add tests/unit/fake_server.c */
/*
 * rlk_scriptless: locks where EVAL is refused, whatever the server says to the rest.
 */
#include "lock/rlk_native.h"
#include "lock/rlk_scriptless.h"
#include "lock_case.h"

#define REFUSED "SEND -NOPERM this user has no permissions to run the 'evalsha' command\n"
#define BY_SCRIPT "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"
#define FIND "EXPECT DELEX k IFEQ *\nEXPECT DELIFEQ k *\n"
#define NEITHER "SEND -ERR unknown command 'DELEX'\\r\\n-NOPERM this user\n"
#define WATCH "EXPECT WATCH k\nEXPECT GET k\nEXPECT MULTI\n"
#define OURS "SEND +OK\\r\\n$4\\r\\nmine\\r\\n+OK\n"
#define DEL "EXPECT DEL k\nEXPECT EXEC\n"
#define SET "EXPECT SET k mine PX 20000\nEXPECT EXEC\n"
#define TRY_WATCH WATCH OURS "EXPECT DEL k\nEXPECT DISCARD\nSEND "
#define LOOK "EXPECT MULTI\nEXPECT GET k\nEXPECT PTTL k\nEXPECT EXEC\n"
#define DONE(what) "SEND +QUEUED\\r\\n*1\\r\\n" what "\n"

/* Holds the lock, on a connection over which scripts are refused. `script` is what follows. */
static bool begin_held(rlk_native native, const char *script, int io_timeout_ms)
{
	static char whole[4096];

	snprintf(whole, sizeof(whole), HELD "%s", script);
	if (!begin(whole, 5000) || acquire(10000, 0, 1) != RLK_YES)
		return false;
	endpoint.io_timeout_ms = io_timeout_ms;
	conn.refuses_scripts = true;
	conn.native = native;
	return true;
}

/* With a password in use the question goes out in front of the first acquisition, unless its answer is known. */
static void asks_before_the_first(void)
{
	static const struct {
		const char *reply;
		bool known;
	} cases[] = { { ":0", true }, { "-NOSCRIPT No matching script.", true }, { "-LOADING the data", false },
		{ "+OK", false }, { "$-1", false }, { "*0", false } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			"EXPECT AUTH secret\nSEND +OK\nEXPECT EVALSHA * 1 k mine\nEXPECT SET k mine NX PX 10000\nSEND %s\\r\\n+OK\n"
			"EXPECT-CLOSE\nEXPECT AUTH secret\nSEND +OK\n%sEXPECT SET k mine NX PX 10000\nSEND %s+OK\nEXPECT-CLOSE",
			cases[i].reply, cases[i].known ? "" : "EXPECT EVALSHA * 1 k mine\n", cases[i].known ? "" : ":0\\r\\n");
		CHECK(begin(script, 5000));
		CHECK(rlk_str_store(&endpoint.password, RLK_STR("secret")));
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK(!conn.refuses_scripts);
		rlk_conn_close(&conn);
		CHECK_INT(acquire(10000, 0, 1), RLK_YES);
		CHECK_STR(end(), "");
	}
}

/* By server, however long its name, and by user. */
static void knows_whom_it_has_asked(void)
{
	char host[300];

	memset(host, 'h', sizeof(host) - 1);
	host[sizeof(host) - 1] = '\0';
	rlk_endpoint_init(&endpoint, 1, 1);
	CHECK(rlk_str_store(&endpoint.host, rlk_str_from_cstr(host)));
	rlk_endpoint_relabel(&endpoint);
	rlk_scriptless_know(&endpoint);
	CHECK(rlk_scriptless_is_known(&endpoint));
	endpoint.port++;
	rlk_endpoint_relabel(&endpoint);
	CHECK(!rlk_scriptless_is_known(&endpoint));
	endpoint.port--;
	CHECK(rlk_str_store(&endpoint.user, RLK_STR("someone")));
	CHECK(!rlk_scriptless_is_known(&endpoint));
	rlk_endpoint_destroy(&endpoint);
}

/* Refused: is there another way to release, before the lock is handed out? */
static void settles(void)
{
	static const struct {
		const char *replies; /* to DELEX and DELIFEQ, and what follows */
		rlk_native found;
		rlk_outcome outcome;
		bool renewed;
	} cases[] = {
		{ "SEND :0\\r\\n-ERR unknown command 'DELIFEQ'\n", RLK_NATIVE_DELEX, RLK_YES, true },
		{ "SEND -ERR unknown command 'DELEX'\\r\\n:0\n", RLK_NATIVE_DELIFEQ, RLK_YES, false },
		{ NEITHER TRY_WATCH "+QUEUED\\r\\n+OK\n", RLK_NATIVE_NONE, RLK_YES, false },
		{ NEITHER TRY_WATCH "-NOPERM this user\\r\\n+OK\n" WATCH OURS DEL
							"SEND -NOPERM this user\\r\\n-EXECABORT Transaction discarded\n",
			RLK_NATIVE_NONE, RLK_FAIL, false },
		/* Without MULTI a DEL would be done. */
		{ NEITHER WATCH "SEND +OK\\r\\n$4\\r\\nmine\\r\\n-ERR unknown command\nEXPECT DISCARD\n" WATCH
						"SEND -ERR DISCARD without MULTI\\r\\n+OK\\r\\n$4\\r\\nmine\\r\\n-ERR unknown command\n",
			RLK_NATIVE_NONE, RLK_FAIL, false },
		/* A child does not watch; but we do, to free it again. */
		{ NEITHER WATCH OURS DEL DONE(":1"), RLK_NATIVE_NONE, RLK_FAIL, true },
		{ "SEND +OK\\r\\n$-1\n" WATCH OURS DEL DONE(":1"), RLK_NATIVE_NONE, RLK_FAIL, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_lock_request request = { .ttl_ms = 10000, .renewed = cases[i].renewed };
		char script[2048];

		snprintf(script, sizeof(script),
			"EXPECT AUTH secret\nSEND +OK\nEXPECT EVALSHA * 1 k mine\nEXPECT SET k mine NX PX 10000\n"
			"SEND -NOPERM this user has no permissions to run the 'evalsha' command\\r\\n+OK\n" FIND "%sEXPECT-CLOSE",
			cases[i].replies);
		CHECK(begin(script, 5000));
		CHECK(rlk_str_store(&endpoint.password, RLK_STR("secret")));
		CHECK_INT(rlk_lock_acquire(&lock, &conn, &request, &err), cases[i].outcome);
		CHECK_INT(lock.held, cases[i].outcome == RLK_YES);
		CHECK_INT(err.code, cases[i].outcome == RLK_YES ? RLK_ERR_NONE : RLK_ERR_AUTH);
		CHECK_INT(conn.native, cases[i].outcome == RLK_YES && i < 2 ? cases[i].found : RLK_NATIVE_NONE);
		CHECK_STR(end(), "");
	}
}

/* The lock is taken, perhaps for the reason that an earlier one could not be released. */
static void taken_is_no_answer_where_none_could_be_released(void)
{
	static const struct {
		const char *replies; /* to DELEX and DELIFEQ, and what follows */
		rlk_outcome outcome;
	} cases[] = {
		{ "SEND :0\\r\\n-ERR unknown command 'DELIFEQ'\n", RLK_NO },
		{ NEITHER TRY_WATCH "+QUEUED\\r\\n+OK\n", RLK_NO },
		{ NEITHER TRY_WATCH "-NOPERM this user\\r\\n+OK\n", RLK_FAIL },
		{ NEITHER WATCH "SEND +OK\\r\\n$5\\r\\nother\\r\\n-NOPERM this user\n", RLK_FAIL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			"EXPECT AUTH secret\nSEND +OK\nEXPECT EVALSHA * 1 k mine\nEXPECT SET k mine NX PX 10000\n"
			"SEND -NOPERM this user has no permissions to run the 'evalsha' command\\r\\n$-1\n" FIND "%sEXPECT-CLOSE",
			cases[i].replies);
		CHECK(begin(script, 5000));
		CHECK(rlk_str_store(&endpoint.password, RLK_STR("secret")));
		CHECK_INT(acquire(10000, 0, 1), cases[i].outcome);
		CHECK_INT(err.code, cases[i].outcome == RLK_NO ? RLK_ERR_NONE : RLK_ERR_AUTH);
		CHECK_STR(end(), "");
	}
}

/* Nobody knows whether it could be released: then it is not handed out, and released as well as that goes. */
static void without_an_answer_there_is_no_lock(void)
{
	static const struct {
		const char *replies;
		rlk_error_code code;
	} cases[] = {
		{ "SEND :0\nCLOSE\n", RLK_ERR_IO },
		{ "SEND ?\nEXPECT-CLOSE\n", RLK_ERR_PROTOCOL },
		{ "SEND :0\nEXPECT-CLOSE\n", RLK_ERR_TIMEOUT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			FIND "%s" FIND "SEND :0\\r\\n-ERR unknown\nEXPECT DELEX k IFEQ mine\nSEND :1\nEXPECT-CLOSE",
			cases[i].replies);
		CHECK(begin_held(RLK_NATIVE_NEW, script, i == 2 ? 300 : 5000));
		CHECK(!rlk_scriptless_settle(&lock, &conn, false, &err));
		CHECK_INT(err.code, cases[i].code);
		CHECK_STR(err.node, endpoint.label);
		CHECK_STR(end(), "");
	}
}

/* All that asking may have taken longer than the ttl, and somebody else have it by now. */
static void what_has_run_out_is_not_deleted(void)
{
	CHECK(begin_held(RLK_NATIVE_NEW, FIND NEITHER "EXPECT-CLOSE", 5000));
	lock.valid_until_ms = rlk_clock_now_ms();
	CHECK(!rlk_scriptless_settle(&lock, &conn, true, &err));
	CHECK_INT(err.code, RLK_ERR_AUTH);
	CHECK_STR(end(), "");
}

static void refused_at_the_release(void)
{
	CHECK(
		begin(HELD BY_SCRIPT REFUSED FIND "SEND :0\\r\\n-ERR unknown\nEXPECT DELEX k IFEQ mine\nSEND :1\nEXPECT-CLOSE",
			5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &conn, 0, &err), RLK_YES);
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK_STR(end(), "");
}

static void releases_by_watching(void)
{
	static const struct {
		const char *script;
		rlk_outcome outcome;
		rlk_error_code code;
	} cases[] = {
		{ WATCH OURS DEL DONE(":1"), RLK_YES, RLK_ERR_NONE },
		{ WATCH "SEND +OK\\r\\n$5\\r\\nother\\r\\n+OK\n", RLK_NO, RLK_ERR_NONE },
		{ WATCH "SEND +OK\\r\\n$-1\\r\\n+OK\n", RLK_NO, RLK_ERR_NONE },
		{ WATCH "SEND +OK\\r\\n-WRONGTYPE no string\\r\\n+OK\n", RLK_NO, RLK_ERR_NONE },
		{ WATCH "SEND +OK\\r\\n-LOADING the data\\r\\n+OK\n", RLK_FAIL, RLK_ERR_SERVER },
		{ WATCH "SEND -NOPERM this user\\r\\n-NOPERM this user\\r\\n+OK\n", RLK_FAIL, RLK_ERR_AUTH },
		/* Not watched, so that what comes next would not be of one piece. */
		{ WATCH "SEND -ERR unknown command 'WATCH'\\r\\n$4\\r\\nmine\\r\\n+OK\n", RLK_FAIL, RLK_ERR_SERVER },
		{ WATCH "SEND +OK\\r\\n$4\\r\\nmine\\r\\n-NOPERM this user\n", RLK_FAIL, RLK_ERR_AUTH },
		/* Changed in between, or expired, which older servers let pass. */
		{ WATCH OURS DEL "SEND +QUEUED\\r\\n*-1\n" WATCH "SEND +OK\\r\\n$5\\r\\nother\\r\\n+OK\n", RLK_NO,
			RLK_ERR_NONE },
		{ WATCH OURS DEL DONE(":0") WATCH "SEND +OK\\r\\n$-1\\r\\n+OK\n", RLK_NO, RLK_ERR_NONE },
		{ WATCH OURS DEL "SEND +QUEUED\\r\\n*-1\n" WATCH OURS DEL DONE(":1"), RLK_YES, RLK_ERR_NONE },
		{ WATCH OURS DEL "SEND +QUEUED\\r\\n*-1\n" WATCH OURS DEL "SEND +QUEUED\\r\\n*-1\n" WATCH OURS DEL
						 "SEND +QUEUED\\r\\n*-1\n",
			RLK_FAIL, RLK_ERR_SERVER },
		{ WATCH OURS DEL "SEND -NOPERM this user\\r\\n-EXECABORT Transaction discarded\n", RLK_FAIL, RLK_ERR_SERVER },
		{ WATCH OURS DEL DONE("-NOPERM ACLs rules changed"), RLK_FAIL, RLK_ERR_AUTH },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[2048];

		snprintf(script, sizeof(script), "%sEXPECT-CLOSE", cases[i].script);
		CHECK(begin_held(RLK_NATIVE_NONE, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &conn, 0, &err), cases[i].outcome);
		CHECK_INT(err.code, cases[i].code);
		CHECK_INT(rlk_lock_is_valid(&lock), cases[i].outcome == RLK_FAIL);
		CHECK_STR(end(), "");
	}
}

static void extends_by_watching(void)
{
	static const struct {
		const char *script;
		rlk_outcome outcome;
		rlk_error_code code;
	} cases[] = {
		{ WATCH OURS SET DONE("+OK"), RLK_YES, RLK_ERR_NONE },
		{ WATCH "SEND +OK\\r\\n$5\\r\\nother\\r\\n+OK\n", RLK_NO, RLK_ERR_NONE },
		{ WATCH OURS SET "SEND -OOM command not allowed\\r\\n-EXECABORT Transaction discarded\n", RLK_FAIL,
			RLK_ERR_SERVER },
		{ WATCH OURS SET DONE("-OOM command not allowed"), RLK_FAIL, RLK_ERR_SERVER },
		{ WATCH OURS SET DONE(":1"), RLK_UNKNOWN, RLK_ERR_PROTOCOL },
		{ WATCH OURS SET "SEND +QUEUED\\r\\n*0\n", RLK_UNKNOWN, RLK_ERR_PROTOCOL },
		{ WATCH OURS SET "SEND +QUEUED\\r\\n+OK\n", RLK_UNKNOWN, RLK_ERR_PROTOCOL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[2048];

		snprintf(script, sizeof(script), "%sEXPECT-CLOSE", cases[i].script);
		CHECK(begin_held(RLK_NATIVE_NONE, script, 5000));
		CHECK_INT(rlk_lock_extend(&lock, &conn, 20000, &err), cases[i].outcome);
		CHECK_INT(err.code, cases[i].code);
		CHECK_INT(rlk_lock_remaining_ms(&lock) > 15000, cases[i].outcome == RLK_YES);
		CHECK_STR(end(), "");
	}
}

/* It breaks before, between and in the middle of the answers; the next connection is told the same. */
static void watches_again_on_another_connection(void)
{
	static const char *const cuts[] = { WATCH "CLOSE\n", WATCH "SEND +OK\nCLOSE\n",
		WATCH "SEND +OK\\r\\n$4\\r\\nmi\nCLOSE\n", WATCH OURS DEL "CLOSE\n", WATCH OURS DEL "SEND +QUEUED\nCLOSE\n" };

	for (int i = 0; i < 10; i++) {
		char script[2048];
		bool done = i % 2;

		if (done && i / 2 < 3)
			continue; /* nothing could have been done */
		snprintf(script, sizeof(script), "%s" FIND NEITHER WATCH "%sEXPECT-CLOSE", cuts[i / 2],
			done ? "SEND +OK\\r\\n$-1\\r\\n+OK\n" : OURS DEL DONE(":1"));
		CHECK(begin_held(RLK_NATIVE_NONE, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &conn, 0, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_STR(end(), "");
	}
}

/* The same for a compare command, whose availability the new connection has yet to learn. */
static void compares_again_on_another_connection(void)
{
	static const char *const cuts[] = { "CLOSE\n", "SENDRAW :\nCLOSE\n" };

	for (size_t i = 0; i < 2; i++) {
		char script[2048];

		snprintf(script, sizeof(script),
			"EXPECT DELIFEQ k mine\n%s" FIND "SEND -ERR unknown\\r\\n:0\nEXPECT DELIFEQ k mine\nSEND :0\nEXPECT-CLOSE",
			cuts[i]);
		CHECK(begin_held(RLK_NATIVE_DELIFEQ, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &conn, 0, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_STR(end(), "");

		snprintf(script, sizeof(script),
			"EXPECT SET k mine IFEQ mine PX 20000\n%s" FIND
			"SEND :0\\r\\n-ERR unknown\nEXPECT SET k mine IFEQ mine PX 20000\nSEND +OK\nEXPECT-CLOSE",
			cuts[i]);
		CHECK(begin_held(RLK_NATIVE_DELEX, script, 5000));
		CHECK_INT(rlk_lock_extend(&lock, &conn, 20000, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_STR(end(), "");
	}
}

static void late_answers(void)
{
	/* Watching changes nothing, so nothing is given up. */
	CHECK(begin_held(RLK_NATIVE_NONE, WATCH "SILENCE", 40));
	CHECK_INT(rlk_lock_release(&lock, &conn, 0, &err), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK(rlk_lock_is_valid(&lock));
	CHECK_STR(end(), "");

	CHECK(begin_held(RLK_NATIVE_NONE, WATCH OURS DEL "SEND +QUEUED\nSILENCE", 300));
	CHECK_INT(rlk_lock_release(&lock, &conn, 0, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK(!rlk_lock_is_valid(&lock));
	CHECK_STR(end(), "");

	CHECK(begin_held(RLK_NATIVE_DELEX, "EXPECT DELEX k IFEQ mine\nSILENCE", 40));
	CHECK_INT(rlk_lock_release(&lock, &conn, 0, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK(!rlk_lock_is_valid(&lock));
	CHECK_STR(end(), "");
}

/* The release behind a SET without an answer goes the way that is known to be open. */
static void releases_behind_an_unanswered_set(void)
{
	CHECK(begin_held(RLK_NATIVE_DELIFEQ,
		"EXPECT DELIFEQ k mine\nSEND :1\nEXPECT SET k mine NX PX 10000\nEXPECT DELIFEQ k mine\nEXPECT-CLOSE", 300));
	CHECK_INT(rlk_lock_release(&lock, &conn, 0, &err), RLK_YES);
	CHECK_INT(acquire(10000, 0, 1), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK_STR(end(), "");
}

/* A refusal by EVAL is found out first; then value and time left come of one piece. */
static void looks(void)
{
	static const struct {
		const char *reply;
		rlk_outcome confirmed, held;
		rlk_error_code code;
	} cases[] = {
		{ "*2\\r\\n$4\\r\\nmine\\r\\n:5000", RLK_YES, RLK_YES, RLK_ERR_NONE },
		{ "*2\\r\\n$4\\r\\nmine\\r\\n:-1", RLK_YES, RLK_YES, RLK_ERR_NONE },
		{ "*2\\r\\n$5\\r\\nother\\r\\n:5000", RLK_NO, RLK_YES, RLK_ERR_NONE },
		{ "*2\\r\\n$-1\\r\\n:-2", RLK_NO, RLK_NO, RLK_ERR_NONE },
		{ "*2\\r\\n-WRONGTYPE no string\\r\\n:5000", RLK_NO, RLK_YES, RLK_ERR_NONE },
		{ "*2\\r\\n-NOPERM ACLs rules changed\\r\\n:5000", RLK_FAIL, RLK_FAIL, RLK_ERR_AUTH },
		{ "*2\\r\\n$4\\r\\nmine\\r\\n-NOPERM ACLs rules changed", RLK_FAIL, RLK_FAIL, RLK_ERR_AUTH },
		{ "-EXECABORT Transaction discarded", RLK_FAIL, RLK_FAIL, RLK_ERR_SERVER },
		{ "*2\\r\\n:1\\r\\n:5000", RLK_UNKNOWN, RLK_UNKNOWN, RLK_ERR_PROTOCOL },
		{ "*1\\r\\n$4\\r\\nmine", RLK_UNKNOWN, RLK_UNKNOWN, RLK_ERR_PROTOCOL },
		{ "*-1", RLK_UNKNOWN, RLK_UNKNOWN, RLK_ERR_PROTOCOL },
		{ ":1", RLK_UNKNOWN, RLK_UNKNOWN, RLK_ERR_PROTOCOL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_lock_holder holder;
		char script[1024];

		snprintf(script, sizeof(script),
			"EXPECT EVALSHA * 1 k mine\n" REFUSED LOOK "SEND +OK\\r\\n+QUEUED\\r\\n+QUEUED\\r\\n%s\nEXPECT-CLOSE",
			cases[i].reply);
		CHECK(begin_held(RLK_NATIVE_NONE, script, 5000));
		CHECK_INT(rlk_lock_confirm(&lock, &conn, &err), cases[i].confirmed);
		CHECK_INT(err.code, cases[i].code);
		CHECK_INT(lock.held, cases[i].confirmed != RLK_NO);
		CHECK_STR(end(), "");

		snprintf(script, sizeof(script),
			"EXPECT EVALSHA * 2 k {k}:rlk:waiters\n" REFUSED LOOK
			"SEND +OK\\r\\n+QUEUED\\r\\n+QUEUED\\r\\n%s\n%sEXPECT-CLOSE",
			cases[i].reply, i == 4 ? "EXPECT TYPE k\nSEND +zset\n" : "");
		CHECK(begin_held(RLK_NATIVE_NONE, script, 5000));
		CHECK_INT(rlk_lock_ask_holder(&lock, &conn, &holder, &err), cases[i].held);
		CHECK_INT(err.code, cases[i].code);
		CHECK(!holder.waited);
		CHECK_STR(end(), "");
	}
}

static void looks_again_on_another_connection(void)
{
	static const char *const cuts[] = { "", "SEND +OK\\r\\n+QUEUED\n", "SEND +OK\\r\\n+QUEUED\\r\\n+QUEUED\\r\\n*2\n" };

	for (size_t i = 0; i < 3; i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			"EXPECT EVALSHA * 1 k mine\n" REFUSED LOOK "%sCLOSE\n" LOOK
			"SEND +OK\\r\\n+QUEUED\\r\\n+QUEUED\\r\\n*2\\r\\n$4\\r\\nmine\\r\\n:5000\nEXPECT-CLOSE",
			cuts[i]);
		CHECK(begin_held(RLK_NATIVE_NONE, script, 5000));
		CHECK_INT(rlk_lock_confirm(&lock, &conn, &err), RLK_YES);
		CHECK_STR(end(), "");
	}
}

static void forced_release(void)
{
	static const struct {
		const char *reply;
		rlk_outcome outcome;
		rlk_error_code code;
	} cases[] = {
		{ "SEND :1\n", RLK_YES, RLK_ERR_NONE },
		{ "SEND :0\n", RLK_NO, RLK_ERR_NONE },
		{ "SEND -NOPERM this user\n", RLK_FAIL, RLK_ERR_AUTH },
		{ "SEND +OK\n", RLK_UNKNOWN, RLK_ERR_PROTOCOL },
		{ "SEND $-1\n", RLK_UNKNOWN, RLK_ERR_PROTOCOL },
		{ "CLOSE\n", RLK_UNKNOWN, RLK_ERR_IO },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[512];

		snprintf(script, sizeof(script),
			"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal\n" REFUSED LOOK
			"SEND +OK\\r\\n+QUEUED\\r\\n+QUEUED\\r\\n*2\\r\\n$4\\r\\nmine\\r\\n:5000\nEXPECT DEL k\n%s%s",
			cases[i].reply, i < 5 ? "EXPECT-CLOSE" : "");
		CHECK(begin_held(RLK_NATIVE_NONE, script, 5000));
		CHECK_INT(rlk_lock_force_release(&lock, &conn, &err), cases[i].outcome);
		CHECK_INT(err.code, cases[i].code);
		CHECK_STR(end(), "");
	}
	CHECK(begin_held(RLK_NATIVE_NONE,
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal\n" REFUSED LOOK
		"SEND +OK\\r\\n+QUEUED\\r\\n+QUEUED\\r\\n*2\\r\\n-WRONGTYPE no string\\r\\n:-1\nEXPECT TYPE k\nSEND +hash\n"
		"EXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_force_release(&lock, &conn, &err), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_NO_LOCK);
	CHECK_STR(err.text, "the key holds a hash, not a lock");
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(asks_before_the_first);
	RUN(knows_whom_it_has_asked);
	RUN(settles);
	RUN(taken_is_no_answer_where_none_could_be_released);
	RUN(without_an_answer_there_is_no_lock);
	RUN(what_has_run_out_is_not_deleted);
	RUN(refused_at_the_release);
	RUN(releases_by_watching);
	RUN(extends_by_watching);
	RUN(watches_again_on_another_connection);
	RUN(compares_again_on_another_connection);
	RUN(late_answers);
	RUN(releases_behind_an_unanswered_set);
	RUN(looks);
	RUN(looks_again_on_another_connection);
	RUN(forced_release);
	return unit_done();
}
