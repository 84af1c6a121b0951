/* unit: add tests/unit/fake_server.c */
/*
 * rlk_use: what it sends for a fiber that never goes on while its lock is acquired.
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

int main(void)
{
	RUN(forgets_what_is_acquired);
	return unit_done();
}
