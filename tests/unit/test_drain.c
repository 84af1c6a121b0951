/* unit: add tests/unit/fake_clock.c */
/* unit: link -Wl,--wrap=rlk_clock_now_ms -Wl,--wrap=rlk_socket_receive */
/* unit: POSIX only: it makes pairs of unix sockets */
/*
 * rlk_drain_list: bytes still to be sent arrive, and every connection is closed in the end.
 */
#include "net/rlk_drain.h"

#include "fake_clock.h"
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOREVER_MS (FAKE_CLOCK_START_MS + 1000000000)

static rlk_drain_list drain;

/* A pair of sockets: [0] to be drained, [1] the server's end. */
static bool make_pair(int fd[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd) == 0;
}

/* Is the other end closed, all bytes read? */
static bool is_at_end(int fd)
{
	char c;

	return recv(fd, &c, 1, 0) == 0;
}

static void add(int fd, const char *unsent, int64_t deadline_at_ms)
{
	rlk_buf buf = RLK_BUF_INIT;

	if (unsent[0] != '\0')
		rlk_buf_append(&buf, unsent, strlen(unsent));
	rlk_drain_add(&drain, fd, NULL, &buf, deadline_at_ms);
}

static void sends_what_is_left(void)
{
	char got[16] = "";
	int fd[2];

	CHECK(make_pair(fd));
	CHECK(write(fd[0], "sent,", 5) == 5);
	add(fd[0], "unsent", FOREVER_MS);
	CHECK_INT(drain.open, 1);
	CHECK_INT(recv(fd[1], got, sizeof(got), 0), 11);
	CHECK_STR(got, "sent,unsent");
	CHECK(is_at_end(fd[1]));

	/* It stays until the server has answered and closed. */
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 1);
	CHECK(write(fd[1], "+OK\r\n:1\r\n", 9) == 9);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 1);
	close(fd[1]);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 0);
	CHECK(drain.first == NULL);
}

static void nothing_left_to_send(void)
{
	int fd[2];

	CHECK(make_pair(fd));
	add(fd[0], "", FOREVER_MS);
	CHECK(is_at_end(fd[1]));
	CHECK_INT(drain.open, 1);
	close(fd[1]);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 0);
}

/* More than the system takes at once: goes on with every tending, in order. */
static void sends_in_pieces(void)
{
	size_t size = 4 << 20, seen = 0;
	char *bytes = malloc(size), piece[65536];
	rlk_buf buf = RLK_BUF_INIT;
	int fd[2];

	CHECK(bytes != NULL && make_pair(fd));
	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)(i * 7 >> 3);
	CHECK(rlk_buf_append(&buf, bytes, size));
	rlk_drain_add(&drain, fd[0], NULL, &buf, FOREVER_MS);
	for (;;) {
		ssize_t n = recv(fd[1], piece, sizeof(piece), 0);

		if (n == 0)
			break;
		if (n > 0) {
			CHECK(memcmp(piece, bytes + seen, (size_t)n) == 0);
			seen += (size_t)n;
		}
		rlk_drain_tend(&drain);
	}
	CHECK_INT(seen, size);
	close(fd[1]);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 0);
	free(bytes);
}

static void deadlines(void)
{
	int a[2], b[2];

	CHECK(make_pair(a) && make_pair(b));
	add(a[0], "", FAKE_CLOCK_START_MS + 10);
	add(b[0], "", FAKE_CLOCK_START_MS + 20);
	fake_clock_set(FAKE_CLOCK_START_MS + 9);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 2);
	fake_clock_set(FAKE_CLOCK_START_MS + 10);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 1);
	CHECK(write(a[1], "x", 1) < 0);
	CHECK(write(b[1], "x", 1) == 1);
	fake_clock_set(FAKE_CLOCK_START_MS + 20);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 0);
	close(a[1]);
	close(b[1]);
}

static void the_oldest_goes(void)
{
	int fd[RLK_DRAIN_MAX + 1][2];

	for (int i = 0; i <= RLK_DRAIN_MAX; i++) {
		CHECK(make_pair(fd[i]));
		CHECK(write(fd[i][0], "x", 1) == 1);
		add(fd[i][0], "", FOREVER_MS);
	}
	CHECK_INT(drain.open, RLK_DRAIN_MAX);
	CHECK(write(fd[0][1], "x", 1) < 0);
	CHECK(write(fd[1][1], "x", 1) == 1);
	rlk_drain_clear(&drain);
	CHECK_INT(drain.open, 0);
	CHECK(write(fd[RLK_DRAIN_MAX][1], "x", 1) < 0);
	for (int i = 0; i <= RLK_DRAIN_MAX; i++)
		close(fd[i][1]);
	rlk_drain_clear(&drain);
	rlk_drain_tend(&drain);
}

/* Without a deadline nothing is done to it until the list is tended. */
static void closes_later(void)
{
	char c;
	int fd[2];

	CHECK(make_pair(fd));
	add(fd[0], "", 0);
	CHECK_INT(drain.open, 1);
	CHECK(recv(fd[1], &c, 1, 0) < 0);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 0);
	CHECK(is_at_end(fd[1]));
	close(fd[1]);
}

long __real_rlk_socket_receive(int fd, char *data, size_t len);
long __wrap_rlk_socket_receive(int fd, char *data, size_t len);

/* So many times there is something to read at once. */
static long more;

long __wrap_rlk_socket_receive(int fd, char *data, size_t len)
{
	if (more <= 0)
		return __real_rlk_socket_receive(fd, data, len);
	more--;
	memset(data, ':', len);
	return (long)len;
}

/* A peer that never pauses has its share of a call, not all of it. */
static void goes_on_later_with_a_stream_without_pauses(void)
{
	int fd[2];

	CHECK(make_pair(fd));
	more = 1000000;
	add(fd[0], "", FOREVER_MS);
	CHECK(more > 999000);
	rlk_drain_tend(&drain);
	CHECK(more > 998000 && more < 999999);
	CHECK_INT(drain.open, 1);
	more = 0;
	close(fd[1]);
	rlk_drain_tend(&drain);
	CHECK_INT(drain.open, 0);
}

/* At the end of the process: no longer than allowed, and no longer than the servers need. */
static void waits_until_all_is_read(void)
{
	int a[2], b[2], status = -1;
	char c;
	pid_t pid;

	CHECK(make_pair(a) && make_pair(b));
	add(a[0], "abc", FOREVER_MS);
	add(b[0], "", FOREVER_MS);
	pid = fork();
	if (pid == 0) {
		close(a[0]);
		close(b[0]);
		while (read(a[1], &c, 1) != 0)
			;
		_exit(write(b[1], "x", 1) == 1 && write(a[1], "x", 1) == 1 ? 0 : 1);
	}
	close(a[1]);
	close(b[1]);
	rlk_drain_finish(&drain, RLK_NEVER);
	CHECK_INT(drain.open, 0);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);

	CHECK(make_pair(a));
	add(a[0], "", FOREVER_MS);
	rlk_drain_finish(&drain, FAKE_CLOCK_START_MS);
	CHECK_INT(drain.open, 0);
	CHECK(write(a[1], "x", 1) < 0);
	close(a[1]);
}

/* The conversations are the parent's. */
static void a_copy_only_closes(void)
{
	int fd[2], status = -1;
	pid_t pid;
	char c;

	CHECK(make_pair(fd));
	add(fd[0], "", FOREVER_MS);
	CHECK(is_at_end(fd[1]));
	CHECK(write(fd[1], "x", 1) == 1);
	pid = fork();
	if (pid == 0) {
		rlk_drain_finish(&drain, RLK_NEVER);
		_exit(drain.open);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK(recv(fd[0], &c, 1, 0) == 1);
	rlk_drain_clear(&drain);
	close(fd[1]);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	RUN(sends_what_is_left);
	RUN(nothing_left_to_send);
	RUN(sends_in_pieces);
	RUN(deadlines);
	RUN(the_oldest_goes);
	RUN(closes_later);
	RUN(goes_on_later_with_a_stream_without_pauses);
	RUN(waits_until_all_is_read);
	RUN(a_copy_only_closes);
	return unit_done();
}
