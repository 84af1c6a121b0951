/* unit: add tests/unit/fake_clock.c */
/* unit: add tests/unit/fake_server.c */
/* unit: link -Wl,--wrap=rlk_clock_now_ms */
/*
 * rlk_wait_check: a waiter who polls reads no answer to a check, which then says nothing of the server.
 */
#include "lock_case.h"
#include "lock/rlk_lock_own.h"
#include "lock/rlk_wait_check.h"
#include "fake_clock.h"

static void a_check_that_nobody_read_in_time_is_no_failure(void)
{
	rlk_wait_check check;

	CHECK(begin("", 1000)); /* it listens, and answers nothing */
	CHECK(rlk_lock_make_turnstile(&lock, &err) && rlk_conn_connect(&conn, false, RLK_DEADLINE_NONE, &err));
	rlk_wait_check_init(&check, &conn);
	rlk_wait_check_begin(&check, &conn, 1, RLK_NEVER);
	fake_clock_set(check.at_ms);
	rlk_wait_check_advance(&check, &lock, &conn);
	rlk_wait_check_follow(&check, &conn);
	CHECK(check.outstanding && check.conn.fd != RLK_SOCKET_NONE);
	fake_clock_set(check.at_ms);
	rlk_wait_check_follow(&check, &conn);
	rlk_wait_check_advance(&check, &lock, &conn);
	CHECK(!check.outstanding && check.conn.fd == RLK_SOCKET_NONE);
	CHECK_INT(check.failures, 0);
	rlk_wait_check_end(&check, &conn);
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(a_check_that_nobody_read_in_time_is_no_failure);
	return unit_done();
}
