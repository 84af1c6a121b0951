/* unit: add tests/unit/fake_server.c */
/*
 * rlk_use: what it sends for a fiber that never goes on while its lock is acquired, and what a forked copy does not send.
 */
#include "lock_case.h"
#include "lock/rlk_use.h"

#define ASKS "EXPECT BLPOP s 0\n"
#define WAKES "EXPECT EVAL (text) 3 k {k}:rlk:waiters {k}:rlk:signal\n"
#define RELEASES "EXPECT EVAL (text) 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"

/* What waits for replicas is acquired: then a release behind that would be dropped. A caller's token may be another's by now, so
 * it only wakes. */
static void forgets_what_is_acquired(void)
{
	static const struct {
		bool from_caller, held;
		const char *script;
	} cases[] = {
		{ false, false, ASKS RELEASES "EXPECT-CLOSE" },
		{ false, true, ASKS "EXPECT-CLOSE\n" RELEASES "EXPECT-CLOSE" },
		{ true, false, ASKS WAKES "EXPECT-CLOSE" },
		{ true, true, ASKS "EXPECT-CLOSE" },
	};
	static const rlk_str words[] = { { "BLPOP", 5 }, { "s", 1 }, { "0", 1 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_servers client = { &conn, NULL };
		rlk_use *list = NULL, use;

		CHECK(begin(cases[i].script, 5000));
		lock.token.from_caller = cases[i].from_caller;
		lock.held = cases[i].held;
		CHECK(rlk_conn_connect(&conn, false, RLK_DEADLINE_NONE, &err));
		CHECK(rlk_use_check_out(&use, &list, &client, &lock, true, RLK_DEADLINE_NONE, NULL) != NULL);
		CHECK(rlk_conn_append(&use.conn, words, 3, &err) &&
			rlk_conn_flush(&use.conn, RLK_DEADLINE_NONE, &err) == RLK_YES);
		rlk_use_forget(&use, true);
		CHECK(list == NULL);
		CHECK_STR(end(), "");
	}
}

/* The fork may come before the first request, while replies of another server are read. */
static void opens_nothing_in_a_copy(void)
{
	static const rlk_str ping = { "PING", 4 };
	rlk_servers client = { &conn, NULL };
	rlk_use *list = NULL, use;

	CHECK(begin("EXPECT PING\nEXPECT-CLOSE", 5000));
	CHECK(rlk_use_check_out(&use, &list, &client, &lock, true, RLK_DEADLINE_NONE, NULL) != NULL);
	rlk_uses_after_fork(list);
	CHECK(!rlk_conn_connect(&use.conn, false, RLK_DEADLINE_NONE, &err));
	CHECK_INT(err.code, RLK_ERR_INTERRUPTED);
	rlk_use_give_back(&use);
	rlk_error_clear(&err);
	/* What the copy begins itself. */
	CHECK(rlk_use_check_out(&use, &list, &client, &lock, true, RLK_DEADLINE_NONE, NULL) != NULL);
	CHECK(rlk_conn_connect(&use.conn, false, RLK_DEADLINE_NONE, &err));
	CHECK(rlk_conn_append(&use.conn, &ping, 1, &err) && rlk_conn_flush(&use.conn, RLK_DEADLINE_NONE, &err) == RLK_YES);
	rlk_use_give_back(&use);
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(forgets_what_is_acquired);
	RUN(opens_nothing_in_a_copy);
	return unit_done();
}
