/*
 * base: errors, buffers, clock, random numbers.
 */
#include "base/rlk_str.h"
#include "base/rlk_os.h"
#include "base/rlk_error.h"

#include "unit.h"

#include <errno.h>
#include <limits.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

static void error_keeps_the_first_cause(void)
{
	rlk_error err;

	rlk_error_clear(&err);
	CHECK_INT(err.code, RLK_ERR_NONE);
	CHECK_STR(err.text, "");
	CHECK_STR(err.node, "");
	rlk_error_set(&err, RLK_ERR_SERVER, EPERM, "first %d", 1);
	rlk_error_set(&err, RLK_ERR_IO, EIO, "second");
	rlk_error_set_node(&err, "tcp://a:1");
	rlk_error_set_node(&err, "tcp://b:2");
	CHECK_INT(err.code, RLK_ERR_SERVER);
	CHECK_INT(err.sys_errno, EPERM);
	CHECK_STR(err.text, "first 1");
	CHECK_STR(err.node, "tcp://a:1");
	CHECK(!err.retryable);
	rlk_error_clear(&err);
	rlk_error_set(&err, RLK_ERR_IO, EIO, "second");
	CHECK_STR(err.text, "second");
	CHECK_STR(err.node, "");
}

static void error_knows_what_may_be_tried_again(void)
{
	static const rlk_error_code again[] = { RLK_ERR_CONNECT, RLK_ERR_TIMEOUT, RLK_ERR_IO };
	static const rlk_error_code never[] = { RLK_ERR_VALUE, RLK_ERR_TYPE, RLK_ERR_MEMORY, RLK_ERR_RANDOM,
		RLK_ERR_PROTOCOL, RLK_ERR_AUTH, RLK_ERR_SERVER, RLK_ERR_INTERRUPTED, RLK_ERR_RENEWAL };
	rlk_error err;

	for (size_t i = 0; i < sizeof(again) / sizeof(again[0]); i++) {
		rlk_error_clear(&err);
		rlk_error_set(&err, again[i], 0, "x");
		CHECK(err.retryable);
	}
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		rlk_error_clear(&err);
		rlk_error_set(&err, never[i], 0, "x");
		CHECK(!err.retryable);
	}
}

static void error_cuts_what_is_too_long(void)
{
	char longer[RLK_ERROR_TEXT_MAX + 100];
	rlk_error err;

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	rlk_error_clear(&err);
	rlk_error_set(&err, RLK_ERR_IO, 0, "%s", longer);
	rlk_error_set_node(&err, longer);
	CHECK_INT(strlen(err.text), RLK_ERROR_TEXT_MAX - 1);
	CHECK_INT(strlen(err.node), RLK_ERROR_NODE_MAX - 1);
}

static void error_may_be_null(void)
{
	rlk_error_clear(NULL);
	rlk_error_set(NULL, RLK_ERR_IO, 0, "nobody asked");
	rlk_error_set_node(NULL, "tcp://a:1");
}

static void strerror_fills_the_buffer(void)
{
	char buf[128], small[4];

	CHECK(rlk_error_strerror(EACCES, buf, sizeof(buf)) == buf);
	CHECK_STR(buf, strerror(EACCES));
	rlk_error_strerror(99999, buf, sizeof(buf));
	CHECK(buf[0] != '\0');
	rlk_error_strerror(EACCES, small, sizeof(small));
	CHECK(memchr(small, '\0', sizeof(small)) != NULL);
	CHECK(rlk_error_strerror(EACCES, NULL, 0) == NULL);
}

static void buf_grows_and_stays_terminated(void)
{
	rlk_buf buf = RLK_BUF_INIT;
	rlk_str all;

	for (int i = 0; i < 1000; i++) {
		CHECK(rlk_buf_append(&buf, "a\0b", 3));
		CHECK_INT(buf.data[buf.len], '\0');
		CHECK(buf.len < buf.cap);
	}
	CHECK(rlk_buf_append_str(&buf, RLK_STR("end")));
	all = rlk_buf_str(&buf);
	CHECK_INT(all.len, 3003);
	CHECK(memcmp(all.data + 2997, "a\0bend", 7) == 0);
	rlk_buf_destroy(&buf);
	CHECK_INT(rlk_buf_str(&buf).len, 0);
	CHECK(rlk_buf_append(&buf, NULL, 0));
	CHECK_STR(buf.data, "");
	rlk_buf_wipe(&buf);
	CHECK(buf.data == NULL);
	rlk_buf_wipe(&buf);
}

static void buf_that_cannot_grow_stays_as_it_was(void)
{
	static const size_t too_much[] = { SIZE_MAX, SIZE_MAX - 3 };
	rlk_buf buf = RLK_BUF_INIT;

	CHECK(rlk_buf_append(&buf, "abc", 3));
	for (size_t i = 0; i < 2; i++) {
		CHECK(rlk_buf_reserve(&buf, too_much[i]) == NULL);
		CHECK_INT(buf.len, 3);
		CHECK_STR(buf.data, "abc");
	}
	rlk_buf_destroy(&buf);
}

static void buf_gives_room_behind_its_content(void)
{
	rlk_buf buf = RLK_BUF_INIT;
	char *to;

	CHECK(rlk_buf_append(&buf, "ab", 2));
	to = rlk_buf_reserve(&buf, 500);
	CHECK(to == buf.data + 2);
	memset(to, 'x', 500);
	buf.len += 500;
	CHECK(rlk_buf_append(&buf, "!", 1));
	CHECK_INT(buf.len, 503);
	CHECK(strncmp(buf.data, "abxx", 4) == 0);
	CHECK_STR(buf.data + 500, "xx!");
	rlk_buf_destroy(&buf);
}

static void wipe_leaves_nothing(void)
{
	char secret[] = "secret";

	rlk_wipe(secret, sizeof(secret));
	for (size_t i = 0; i < sizeof(secret); i++)
		CHECK_INT(secret[i], 0);
	rlk_wipe(NULL, 0);
}

static void clock_adds_without_overflow(void)
{
	CHECK_INT(rlk_clock_add(1000, 500), 1500);
	CHECK_INT(rlk_clock_add(1000, -1500), -500);
	CHECK_INT(rlk_clock_add(1000, RLK_NEVER), RLK_NEVER);
	CHECK_INT(rlk_clock_add(RLK_NEVER, 1), RLK_NEVER);
	CHECK_INT(rlk_clock_add(RLK_NEVER, -1), RLK_NEVER);
	CHECK_INT(rlk_clock_add(1000, RLK_NEVER - 500), RLK_NEVER);
	CHECK_INT(rlk_clock_add(-1000, INT64_MIN + 500), INT64_MIN);
}

static void clock_goes_forward(void)
{
	int64_t before = rlk_clock_now_ms(), now;

	CHECK(before > 0);
	/* Ends with the clock, not with a count: a clock that stands still hangs here until the runner's limit. */
	do {
		now = rlk_clock_now_ms();
		CHECK(now >= before);
	} while (now < before + 2);
}

static void clock_cuts_poll_timeouts(void)
{
	int64_t now = rlk_clock_now_ms();
	int left = rlk_clock_poll_timeout(now + 100000);

	CHECK(left > 0 && left <= 100000);
	CHECK_INT(rlk_clock_poll_timeout(RLK_NEVER), -1);
	CHECK_INT(rlk_clock_poll_timeout(now), 0);
	CHECK_INT(rlk_clock_poll_timeout(now - 1), 0);
	CHECK_INT(rlk_clock_poll_timeout(INT64_MIN), 0);
	CHECK_INT(rlk_clock_poll_timeout(RLK_NEVER - 1), INT_MAX);
}

/* 1000 bytes are more than getentropy() gives at once. */
static void random_bytes_fill_it_all(void)
{
	unsigned char a[1000], b[1000];
	int zeros = 0;

	CHECK(rlk_random_bytes(a, sizeof(a)));
	CHECK(rlk_random_bytes(b, sizeof(b)));
	CHECK(memcmp(a, b, 16) != 0);
	CHECK(memcmp(a + 984, b + 984, 16) != 0);
	for (size_t i = 0; i < sizeof(a); i++)
		zeros += a[i] == 0;
	CHECK(zeros < 100);
	CHECK(rlk_random_bytes(NULL, 0));
}

static void spread_covers_its_range(void)
{
	int seen[4] = { 0 };

	CHECK_INT(rlk_random_spread(0), 0);
	CHECK_INT(rlk_random_spread(1), 0);
	for (int i = 0; i < 4000; i++) {
		uint32_t n = rlk_random_spread(4);

		CHECK(n < 4);
		seen[n]++;
	}
	for (int i = 0; i < 4; i++)
		CHECK(seen[i] > 500);
}

#ifndef _WIN32
static void spread_differs_in_a_forked_copy(void)
{
	uint32_t mine[4], its[4];
	int ends[2], status = -1;
	pid_t pid;

	rlk_random_spread(10);
	CHECK(pipe(ends) == 0);
	pid = fork();
	CHECK(pid >= 0);
	for (int i = 0; i < 4; i++)
		mine[i] = rlk_random_spread(UINT32_MAX);
	if (pid == 0)
		_exit(write(ends[1], mine, sizeof(mine)) != sizeof(mine));
	CHECK_INT(read(ends[0], its, sizeof(its)), sizeof(its));
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_INT(status, 0);
	CHECK(memcmp(mine, its, sizeof(mine)) != 0);
	close(ends[0]);
	close(ends[1]);
}
#endif

int main(void)
{
	RUN(error_keeps_the_first_cause);
	RUN(error_knows_what_may_be_tried_again);
	RUN(error_cuts_what_is_too_long);
	RUN(error_may_be_null);
	RUN(strerror_fills_the_buffer);
	RUN(buf_grows_and_stays_terminated);
	RUN(buf_that_cannot_grow_stays_as_it_was);
	RUN(buf_gives_room_behind_its_content);
	RUN(wipe_leaves_nothing);
	RUN(clock_adds_without_overflow);
	RUN(clock_goes_forward);
	RUN(clock_cuts_poll_timeouts);
	RUN(random_bytes_fill_it_all);
	RUN(spread_covers_its_range);
	RUN_POSIX(spread_differs_in_a_forked_copy, "it forks");
	return unit_done();
}
