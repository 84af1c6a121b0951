/* unit: add tests/unit/fake_server.c */
/*
 * rlk_socket: how long waiting takes, and what ends it. The same on every system.
 */
#include "net/rlk_socket.h"

#include "base/rlk_os.h"
#include "fake_server.h"
#include "unit.h"
#include "net/rlk_address.h"

#define PAUSE_MS 60
#define LIMIT_MS 10000

static int64_t began_ms;

static int64_t deadline(void)
{
	began_ms = rlk_clock_now_ms();
	return began_ms + PAUSE_MS;
}

static bool it_took_its_time(void)
{
	return rlk_clock_now_ms() >= began_ms + PAUSE_MS;
}

static bool never(void *arg)
{
	(void)arg;
	return false;
}

static const rlk_hooks without_notes = { .signalled = never };

static bool at_once(void *arg)
{
	(void)arg;
	return true;
}

/* The third time it is asked: that somebody asks again is what ends the wait where there are no signals. */
static bool soon(void *arg)
{
	return ++*(int *)arg >= 3;
}

static void a_pause_pauses(void)
{
	rlk_socket_pause(deadline());
	CHECK(it_took_its_time());
	rlk_socket_pause(rlk_clock_now_ms() - 1);
}

static void waiting_for_nothing_takes_its_time(void)
{
	rlk_socket_watched watched[2] = { { RLK_SOCKET_NONE, RLK_SOCKET_READABLE, true },
		{ RLK_SOCKET_NONE, RLK_SOCKET_WRITABLE, true } };

	CHECK_INT(rlk_socket_wait(RLK_SOCKET_NONE, RLK_SOCKET_READABLE, deadline()), 0);
	CHECK(it_took_its_time());
	CHECK_INT(rlk_socket_poll(watched, 2, deadline(), &without_notes), 0);
	CHECK(it_took_its_time());
	CHECK_INT(rlk_socket_poll(watched, 2, deadline(), NULL), 0);
	CHECK(it_took_its_time());
	CHECK(!watched[0].ready && !watched[1].ready);
	CHECK_INT(rlk_socket_poll(NULL, 0, deadline(), NULL), 0);
	CHECK(it_took_its_time());
}

static void a_note_ends_the_wait(void)
{
	const rlk_hooks hooks = { .signalled = at_once };

	CHECK_INT(rlk_socket_poll(NULL, 0, RLK_NEVER, &hooks), RLK_SOCKET_SIGNAL);
#ifdef _WIN32
	int asked = 0;
	const rlk_hooks later = { .signalled = soon, .arg = &asked };

	CHECK_INT(rlk_socket_poll(NULL, 0, RLK_NEVER, &later), RLK_SOCKET_SIGNAL);
	CHECK_INT(asked, 3);
#else
	(void)soon; /* a signal does it: test_opening, and the phpt tests with handlers */
#endif
}

/* A connection to the server; RLK_SOCKET_NONE: it did not come about. */
static int connect_to(const fake_server *fake)
{
	rlk_server server;
	rlk_addresses addresses;
	bool pending;
	int fd = RLK_SOCKET_NONE, sys_errno;
	int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS;

	rlk_server_init(&server, LIMIT_MS, LIMIT_MS);
	if (fake_server_address(fake, &server) &&
		rlk_address_resolve(&server, NULL, (rlk_deadline){ until_ms }, &addresses, NULL))
		fd = rlk_socket_connect(&addresses, 0, 0, &pending, &sys_errno);
	rlk_server_destroy(&server);
	if (fd != RLK_SOCKET_NONE && pending &&
		(rlk_socket_wait(fd, RLK_SOCKET_WRITABLE, until_ms) != 1 || rlk_socket_connected(fd) != 0)) {
		rlk_socket_close(fd);
		return RLK_SOCKET_NONE;
	}
	return fd;
}

static bool asks(int fd)
{
	return rlk_socket_send(fd, "*1\r\n$4\r\nPING\r\n", 14) == 14;
}

/* Beside what is no descriptor, beside another that is silent, and first when both are ready. */
static void what_is_ready_ends_the_wait(void)
{
	fake_server fake;
	rlk_socket_watched watched[2];
	char in[16];
	int fd;

	CHECK(fake_server_start(&fake, "EXPECT PING\nSEND +PONG\nEXPECT PING\nSEND +PONG\nEXPECT-CLOSE"));
	fd = connect_to(&fake);
	CHECK(fd != RLK_SOCKET_NONE);
	CHECK(rlk_socket_is_idle(fd));
	CHECK_INT(rlk_socket_wait(fd, RLK_SOCKET_READABLE, deadline()), 0);
	CHECK(it_took_its_time());
	watched[0] = (rlk_socket_watched){ RLK_SOCKET_NONE, RLK_SOCKET_READABLE, true };
	watched[1] = (rlk_socket_watched){ fd, RLK_SOCKET_WRITABLE, false };
	CHECK_INT(rlk_socket_poll(watched, 2, RLK_NEVER, &without_notes), 1);
	CHECK(!watched[0].ready && watched[1].ready);
	watched[1].events = RLK_SOCKET_READABLE;
	CHECK_INT(rlk_socket_poll(watched, 2, deadline(), &without_notes), 0);
	CHECK(it_took_its_time());
	CHECK(asks(fd));
	CHECK_INT(rlk_socket_poll(watched, 2, RLK_NEVER, NULL), 1);
	CHECK(!watched[0].ready && watched[1].ready);
	CHECK(!rlk_socket_is_idle(fd));
	CHECK_INT(rlk_socket_receive(fd, in, sizeof(in)), 7);
	CHECK_INT(rlk_socket_receive(fd, in, sizeof(in)), RLK_SOCKET_AGAIN);
	CHECK(asks(fd));
	CHECK_INT(rlk_socket_wait(fd, RLK_SOCKET_READABLE, rlk_clock_now_ms() + LIMIT_MS), 1);
	CHECK_INT(rlk_socket_receive(fd, in, sizeof(in)), 7);
	rlk_socket_close(fd);
	CHECK_STR(fake_server_end(&fake), "");
}

int main(void)
{
	RUN(a_pause_pauses);
	RUN(waiting_for_nothing_takes_its_time);
	RUN(a_note_ends_the_wait);
	RUN(what_is_ready_ends_the_wait);
	return unit_done();
}
