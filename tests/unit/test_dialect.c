/* unit: add tests/unit/fake_server.c */
/*
 * rlk_dialect: locks where EVAL is refused, whatever the server says to the rest.
 */
#include "redis/rlk_dialect.h"
#include "lock_case.h"

#define REFUSED "SEND -NOPERM this user has no permissions to run the 'evalsha' command\n"
#define BY_SCRIPT "EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"
#define NO_DELEX "SEND -ERR unknown command 'DELEX'\n"
#define NO_DELIFEQ "SEND -ERR unknown command 'DELIFEQ'\n"
#define NOBODYS_DELEX "EXPECT DELEX k IFEQ rlk1:nobody\n"
#define NOBODYS_DELIFEQ "EXPECT DELIFEQ k rlk1:nobody\n"
#define NEITHER NO_DELEX NOBODYS_DELIFEQ NO_DELIFEQ

/* Holds the lock, on a connection over which scripts are refused. `script` is what follows. */
static bool begin_held(rlk_dialect native, const char *script, int io_timeout_ms)
{
	static char whole[4096];

	snprintf(whole, sizeof(whole), HELD "%s", script);
	if (!begin(whole, 5000) || acquire(10000, 0, 1) != RLK_YES)
		return false;
	server.io_timeout_ms = io_timeout_ms;
	conn.refuses_scripts = true;
	conn.dialect = native;
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
			"EXPECT AUTH secret\nSEND +OK\nEXPECT EVALSHA * 1 k rlk1:nobody\nEXPECT SET k mine NX PX 10000\nSEND %s\\r\\n+OK\n"
			"EXPECT-CLOSE\nEXPECT AUTH secret\nSEND +OK\n%sEXPECT SET k mine NX PX 10000\nSEND %s+OK\nEXPECT-CLOSE",
			cases[i].reply, cases[i].known ? "" : "EXPECT EVALSHA * 1 k rlk1:nobody\n",
			cases[i].known ? "" : ":0\\r\\n");
		CHECK(begin(script, 5000));
		CHECK(rlk_str_store(&server.password, RLK_STR("secret")));
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
	rlk_server_init(&server, 1, 1);
	CHECK(rlk_str_store(&server.host, rlk_str_from_cstr(host)));
	rlk_server_relabel(&server);
	rlk_dialect_note_scripts(&server);
	CHECK(rlk_dialect_takes_scripts(&server));
	server.port++;
	rlk_server_relabel(&server);
	CHECK(!rlk_dialect_takes_scripts(&server));
	server.port--;
	CHECK(rlk_str_store(&server.user, RLK_STR("someone")));
	CHECK(!rlk_dialect_takes_scripts(&server));
	rlk_server_destroy(&server);
}

/* Refused: is there another way to release, before the lock is handed out? What cannot be released is left to its ttl. */
static void settles(void)
{
	static const struct {
		const char *replies; /* to DELEX and DELIFEQ */
		rlk_dialect found;
		rlk_outcome outcome;
		rlk_error_code code;
	} cases[] = {
		{ "SEND :0\n", RLK_DIALECT_DELEX, RLK_YES, RLK_ERR_NONE },
		{ NO_DELEX NOBODYS_DELIFEQ "SEND :0\n", RLK_DIALECT_DELIFEQ, RLK_YES, RLK_ERR_NONE },
		{ NEITHER, RLK_DIALECT_NEW, RLK_FAIL, RLK_ERR_AUTH },
		{ "SEND +OK\n", RLK_DIALECT_NEW, RLK_FAIL, RLK_ERR_PROTOCOL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[2048];

		snprintf(script, sizeof(script),
			"EXPECT AUTH secret\nSEND +OK\nEXPECT EVALSHA * 1 k rlk1:nobody\nEXPECT SET k mine NX PX 10000\n"
			"SEND -NOPERM this user has no permissions to run the 'evalsha' command\\r\\n+OK\n" NOBODYS_DELEX
			"%sEXPECT-CLOSE",
			cases[i].replies);
		CHECK(begin(script, 5000));
		CHECK(rlk_str_store(&server.password, RLK_STR("secret")));
		CHECK_INT(acquire(10000, 0, 1), cases[i].outcome);
		CHECK_INT(lock.held, cases[i].outcome == RLK_YES);
		CHECK_INT(err.code, cases[i].code);
		CHECK_INT(conn.dialect, cases[i].found);
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
		{ "SEND :0\n", RLK_NO },
		{ NEITHER, RLK_FAIL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			"EXPECT AUTH secret\nSEND +OK\nEXPECT EVALSHA * 1 k rlk1:nobody\nEXPECT SET k mine NX PX 10000\n"
			"SEND -NOPERM this user has no permissions to run the 'evalsha' command\\r\\n$-1\n" NOBODYS_DELEX
			"%sEXPECT-CLOSE",
			cases[i].replies);
		CHECK(begin(script, 5000));
		CHECK(rlk_str_store(&server.password, RLK_STR("secret")));
		CHECK_INT(acquire(10000, 0, 1), cases[i].outcome);
		CHECK_INT(err.code, cases[i].outcome == RLK_NO ? RLK_ERR_NONE : RLK_ERR_AUTH);
		CHECK_STR(end(), "");
	}
}

static void without_an_answer_there_is_no_way(void)
{
	static const struct {
		const char *reply;
		rlk_error_code code;
	} cases[] = {
		{ "CLOSE\n", RLK_ERR_IO },
		{ "SEND ?\nEXPECT-CLOSE\n", RLK_ERR_PROTOCOL },
		{ "EXPECT-CLOSE\n", RLK_ERR_TIMEOUT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			"EXPECT DELEX k IFEQ mine\nSEND :0\nEXPECT SET k mine NX PX 10000\nSEND +OK\n" NOBODYS_DELEX "%s",
			cases[i].reply);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, i == 2 ? 300 : 5000));
		CHECK_INT(rlk_lock_release(&lock, &one, 0, &err), RLK_NO);
		conn.can_release = false;
		CHECK_INT(acquire(10000, 0, 1), RLK_FAIL);
		CHECK_INT(err.code, cases[i].code);
		CHECK_STR(err.node, server.label);
		CHECK_STR(end(), "");
	}
}

static void refused_at_the_release(void)
{
	CHECK(begin(HELD BY_SCRIPT REFUSED "EXPECT DELEX k IFEQ mine\nSEND :1\nEXPECT-CLOSE", 5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, 0, &err), RLK_YES);
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK_STR(end(), "");
}

/* One that refuses EVAL where DELEX was said makes no sense, and is not asked for ever. */
static void a_refusal_of_what_was_not_said_ends_it(void)
{
	CHECK(begin("SERVE\nSET ... => +OK\n"
				"EVALSHA ... => -NOPERM this user has no permissions to run the 'evalsha' command\n"
				"DELEX ... => -NOPERM this user has no permissions to run the 'evalsha' command",
		5000));
	CHECK_INT(acquire(10000, 0, 1), RLK_YES);
	CHECK_INT(rlk_lock_release(&lock, &one, 0, &err), RLK_FAIL);
	CHECK_INT(err.code, RLK_ERR_AUTH);
	CHECK_STR(end(), "");
}

/* The connection breaks, and the new one has yet to learn of the command. */
static void compares_again_on_another_connection(void)
{
	static const char *const cuts[] = { "CLOSE\n", "SENDRAW :\nCLOSE\n" };

	for (size_t i = 0; i < 2; i++) {
		char script[2048];

		snprintf(script, sizeof(script),
			"EXPECT DELIFEQ k mine\n%s" BY_SCRIPT REFUSED "EXPECT DELEX k IFEQ mine\n" NO_DELEX
			"EXPECT DELIFEQ k mine\nSEND :0\nEXPECT-CLOSE",
			cuts[i]);
		CHECK(begin_held(RLK_DIALECT_DELIFEQ, script, 5000));
		CHECK_INT(rlk_lock_release(&lock, &one, 0, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_STR(end(), "");

		snprintf(script, sizeof(script),
			"EXPECT SET k mine IFEQ mine PX 20000\n%sEXPECT EVALSHA * 1 k mine 20000\n" REFUSED
			"EXPECT SET k mine IFEQ mine PX 20000\nSEND +OK\nEXPECT-CLOSE",
			cuts[i]);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_extend(&lock, &one, 20000, &err), RLK_YES);
		CHECK_INT(err.code, RLK_ERR_NONE);
		CHECK_STR(end(), "");
	}
}

static void late_answer(void)
{
	CHECK(begin_held(RLK_DIALECT_DELEX, "EXPECT DELEX k IFEQ mine\nSILENCE", 40));
	CHECK_INT(rlk_lock_release(&lock, &one, 0, &err), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK(!rlk_lock_is_valid(&lock));
	CHECK_STR(end(), "");
}

/* The release behind a SET without an answer goes the way that is known to be open. */
static void releases_behind_an_unanswered_set(void)
{
	CHECK(begin_held(RLK_DIALECT_DELIFEQ,
		"EXPECT DELIFEQ k mine\nSEND :1\nEXPECT SET k mine NX PX 10000\nEXPECT DELIFEQ k mine\nEXPECT-CLOSE", 300));
	CHECK_INT(rlk_lock_release(&lock, &one, 0, &err), RLK_YES);
	CHECK_INT(acquire(10000, 0, 1), RLK_UNKNOWN);
	CHECK_INT(err.code, RLK_ERR_TIMEOUT);
	CHECK_STR(end(), "");
}

/* A refusal by EVAL is found out first; then the time left, and the value behind it. */
static void looks(void)
{
	static const struct {
		const char *pttl, *value;
		rlk_outcome confirmed, held;
		rlk_error_code code;
	} cases[] = {
		{ ":5000", "$4\\r\\nmine", RLK_YES, RLK_YES, RLK_ERR_NONE },
		{ ":-1", "$4\\r\\nmine", RLK_YES, RLK_YES, RLK_ERR_NONE },
		{ ":5000", "$5\\r\\nother", RLK_NO, RLK_YES, RLK_ERR_NONE },
		{ ":-2", "$-1", RLK_NO, RLK_NO, RLK_ERR_NONE },
		{ ":5000", "-WRONGTYPE no string", RLK_NO, RLK_YES, RLK_ERR_NONE },
		{ ":5000", "-NOPERM ACLs rules changed", RLK_FAIL, RLK_FAIL, RLK_ERR_AUTH },
		{ ":5000", "-ERR max number of clients reached", RLK_FAIL, RLK_FAIL, RLK_ERR_SERVER },
		{ "-NOPERM ACLs rules changed", NULL, RLK_FAIL, RLK_FAIL, RLK_ERR_AUTH },
		{ ":5000", ":1", RLK_UNKNOWN, RLK_UNKNOWN, RLK_ERR_PROTOCOL },
		{ "$4\\r\\nmine", NULL, RLK_UNKNOWN, RLK_UNKNOWN, RLK_ERR_PROTOCOL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_lock_holder holder;
		char script[1024], answers[256];
		int len = snprintf(answers, sizeof(answers), "EXPECT PTTL k\nSEND %s\n", cases[i].pttl);

		if (cases[i].value != NULL)
			snprintf(answers + len, sizeof(answers) - (size_t)len, "EXPECT GET k\nSEND %s\n", cases[i].value);
		snprintf(script, sizeof(script), "EXPECT EVALSHA * 1 k mine\n" REFUSED "%sEXPECT-CLOSE", answers);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_confirm(&lock, &one, &err), cases[i].confirmed);
		CHECK_INT(err.code, cases[i].code);
		CHECK_INT(lock.held, cases[i].confirmed != RLK_NO);
		CHECK_STR(end(), "");

		snprintf(script, sizeof(script), "EXPECT EVALSHA * 2 k {k}:rlk:waiters\n" REFUSED "%s%sEXPECT-CLOSE", answers,
			i == 4 ? "EXPECT TYPE k\nSEND +zset\n" : "");
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_ask_holder(&lock, &one, RLK_NEVER, &holder, NULL, &err), cases[i].held);
		CHECK_INT(err.code, cases[i].code);
		CHECK(!holder.waited);
		CHECK_STR(end(), "");
	}
}

static void looks_again_on_another_connection(void)
{
	static const char *const cuts[] = { "EXPECT PTTL k\nCLOSE\n",
		"EXPECT PTTL k\nSEND :5000\nEXPECT GET k\nSEND $4\nCLOSE\n" };

	for (size_t i = 0; i < 2; i++) {
		char script[1024];

		snprintf(script, sizeof(script),
			"EXPECT EVALSHA * 1 k mine\n" REFUSED
			"%sEXPECT PTTL k\nSEND :5000\nEXPECT GET k\nSEND $4\\r\\nmine\nEXPECT-CLOSE",
			cuts[i]);
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_confirm(&lock, &one, &err), RLK_YES);
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
			"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal\n" REFUSED
			"EXPECT PTTL k\nSEND :5000\nEXPECT GET k\nSEND $4\\r\\nmine\nEXPECT DEL k\n%s%s",
			cases[i].reply, i < 5 ? "EXPECT-CLOSE" : "");
		CHECK(begin_held(RLK_DIALECT_DELEX, script, 5000));
		CHECK_INT(rlk_lock_force_release(&lock, &one, &err), cases[i].outcome);
		CHECK_INT(err.code, cases[i].code);
		CHECK_STR(end(), "");
	}
	CHECK(begin_held(RLK_DIALECT_DELEX,
		"EXPECT EVALSHA * 3 k {k}:rlk:waiters {k}:rlk:signal\n" REFUSED
		"EXPECT PTTL k\nSEND :-1\nEXPECT GET k\nSEND -WRONGTYPE no string\nEXPECT TYPE k\nSEND +hash\nEXPECT-CLOSE",
		5000));
	CHECK_INT(rlk_lock_force_release(&lock, &one, &err), RLK_FAIL);
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
	RUN(without_an_answer_there_is_no_way);
	RUN(refused_at_the_release);
	RUN(a_refusal_of_what_was_not_said_ends_it);
	RUN(compares_again_on_another_connection);
	RUN(late_answer);
	RUN(releases_behind_an_unanswered_set);
	RUN(looks);
	RUN(looks_again_on_another_connection);
	RUN(forced_release);
	return unit_done();
}
