/* unit: POSIX only: its servers leave a SYN unanswered as Linux does */
/* unit: link -Wl,--wrap=rlk_error_strerror -Wl,--wrap=getaddrinfo */
/*
 * rlk_conn_begin, rlk_address_resolve: the first address that answers, in time, and no descriptor left behind.
 */
#include "net/rlk_conn.h"

#include "base/rlk_os.h"
#include "unit.h"
#include "net/rlk_address.h"
#include "net/rlk_socket.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUEUE_MAX 8

typedef struct {
	int listener;
	int queue[QUEUE_MAX]; /* connections that fill it up; -1: it takes more */
	struct sockaddr_in addr;
} host;

static host live, dead, refusing;
static const rlk_server server; /* without a handshake */
static rlk_conn conn;
static rlk_error err;

static int texts; /* asked of the C library */

const char *__real_rlk_error_strerror(int sys_errno, char *buf, size_t size);
const char *__wrap_rlk_error_strerror(int sys_errno, char *buf, size_t size);
const char *__wrap_rlk_error_strerror(int sys_errno, char *buf, size_t size)
{
	texts++;
	return __real_rlk_error_strerror(sys_errno, buf, size);
}

static int entries(const char *path)
{
	DIR *dir = opendir(path);
	int count = 0;

	while (dir != NULL && readdir(dir) != NULL)
		count++;
	if (dir != NULL)
		closedir(dir);
	return count;
}

static bool open_host(host *h, bool full)
{
	socklen_t len = sizeof(h->addr);

	memset(h, 0, sizeof(*h));
	h->addr.sin_family = AF_INET;
	h->addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	h->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(h->listener, (struct sockaddr *)&h->addr, sizeof(h->addr)) != 0 ||
		listen(h->listener, full ? 0 : 100) != 0 || getsockname(h->listener, (struct sockaddr *)&h->addr, &len) != 0)
		return false;
	/* Linux leaves a SYN without an answer when the queue is full. */
	for (int i = 0; i < QUEUE_MAX; i++) {
		h->queue[i] = full ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
		if (full)
			connect(h->queue[i], (struct sockaddr *)&h->addr, sizeof(h->addr));
	}
	return true;
}

static void close_host(host *h)
{
	for (int i = 0; i < QUEUE_MAX; i++) {
		if (h->queue[i] >= 0)
			close(h->queue[i]);
	}
	close(h->listener);
}

static void add(rlk_addresses *addresses, const host *h)
{
	memcpy(&addresses->item[addresses->count].addr, &h->addr, sizeof(h->addr));
	addresses->item[addresses->count++].len = sizeof(h->addr);
}

static bool connect_to(const host *const *hosts, int64_t within_ms)
{
	rlk_addresses addresses = { 0 };
	rlk_conn_progress progress;

	rlk_error_clear(&err);
	rlk_conn_init(&conn, &server, NULL);
	for (; *hosts != NULL; hosts++)
		add(&addresses, *hosts);
	progress = rlk_conn_begin(&conn, &addresses, RLK_CONN_WHEN_CONNECTED, rlk_clock_now_ms() + within_ms, true, &err);
	while (progress == RLK_CONN_CONNECTING) {
		int ready = rlk_socket_wait(conn.fd, rlk_conn_events(&conn), rlk_conn_advance_at(&conn));

		progress = rlk_conn_advance(&conn, ready == 1, &err);
	}
	return progress == RLK_CONN_OPEN;
}

/* Whom did we reach: the port, or 0 with *err. */
static int dial(const host *const *hosts, int64_t within_ms)
{
	struct sockaddr_in peer = { 0 };
	socklen_t len = sizeof(peer);

	if (!connect_to(hosts, within_ms))
		return 0;
	getpeername(conn.fd, (struct sockaddr *)&peer, &len);
	rlk_conn_close(&conn);
	return peer.sin_port;
}

/* The renewal child passes no error. strerror() may allocate, from memory that the child's copy lacks. */
static void no_text_is_made_that_nobody_reads(void)
{
	rlk_addresses addresses = { 0 };

	add(&addresses, &refusing);
	for (int reader = 0; reader < 2; reader++) {
		rlk_conn_init(&conn, &server, NULL);
		rlk_error_clear(&err);
		texts = 0;
		CHECK_INT(rlk_conn_begin(&conn, &addresses, RLK_CONN_WHEN_CONNECTED, rlk_clock_now_ms() + 5000, true,
					  reader ? &err : NULL),
			RLK_CONN_FAILED);
		CHECK_INT(texts, reader);
	}
}

static void the_first_that_answers_is_taken(void)
{
	static const host *const lists[][5] = { { &live }, { &dead, &live }, { &refusing, &live },
		{ &dead, &refusing, &live }, { &dead, &dead, &dead, &live }, { &refusing, &dead, &live, &dead } };
	int before = entries("/proc/self/fd");

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		CHECK_INT(dial(lists[i], 5000), live.addr.sin_port);
		CHECK_INT(err.code, RLK_ERR_NONE);
	}
	CHECK_INT(entries("/proc/self/fd"), before);
}

static void a_dead_one_costs_its_share_of_the_time(void)
{
	static const host *const lists[][4] = { { &dead, &live }, { &dead, &dead, &live }, { &refusing, &live } };
	static const struct {
		int64_t within_ms, least_ms;
	} times[][2] = { { { 5000, RLK_CONN_ATTEMPT_MS }, { 100, 50 } },
		{ { 5000, 2 * RLK_CONN_ATTEMPT_MS }, { 150, 100 } }, { { 5000, 0 }, { 100, 0 } } };

	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < 2; j++) {
			int64_t start_ms, took_ms;
			int port;

			/* A machine that stands still that long takes all the time there is. */
			for (int tries = 20; tries > 0; tries--) {
				start_ms = rlk_clock_now_ms();
				port = dial(lists[i], times[i][j].within_ms);
				took_ms = rlk_clock_now_ms() - start_ms;
				if (took_ms < times[i][j].within_ms)
					break;
			}
			CHECK_INT(port, live.addr.sin_port);
			CHECK(took_ms >= times[i][j].least_ms - 1 && took_ms < times[i][j].within_ms);
		}
	}
}

static void nobody_answers(void)
{
	static const host *const all_dead[] = { &dead, &dead, NULL }, *const all_refuse[] = { &refusing, &refusing, NULL },
							 *const mixed[] = { &dead, &refusing, NULL }, *const alive[] = { &live, NULL };
	int before = entries("/proc/self/fd");
	int64_t start_ms = rlk_clock_now_ms();

	CHECK_INT(dial(all_dead, 150), 0);
	CHECK(rlk_clock_now_ms() - start_ms >= 149);
	CHECK_INT(err.code, RLK_ERR_CONNECT);
	CHECK_INT(err.sys_errno, ETIMEDOUT);
	CHECK(err.retryable);
	CHECK_INT(dial(all_refuse, 5000), 0);
	CHECK_INT(err.sys_errno, ECONNREFUSED);
	CHECK_INT(dial(mixed, 150), 0);
	CHECK_INT(err.sys_errno, ETIMEDOUT);
	/* Resolving took it all. A connection that is there at once would be taken; over TCP none is. */
	dial(alive, -1);
	CHECK(err.code == RLK_ERR_NONE || err.sys_errno == ETIMEDOUT);
	CHECK_INT(entries("/proc/self/fd"), before);
}

static void leave_it(int signal)
{
	(void)signal;
}

/* The only address is waited for inside connect(). That ends in time, too, and a signal neither ends nor prolongs it. */
static void an_only_address_is_waited_for_as_long(void)
{
	static const host *const only[] = { &dead, NULL }, *const refused[] = { &refusing, NULL };
	const struct itimerval soon = { .it_value = { .tv_usec = 50000 } };
	struct sigaction note = { .sa_handler = leave_it }, before_us;
	int before = entries("/proc/self/fd");

	CHECK(sigaction(SIGALRM, &note, &before_us) == 0);
	for (int interrupted = 0; interrupted < 2; interrupted++) {
		int64_t start_ms = rlk_clock_now_ms(), took_ms;

		if (interrupted)
			setitimer(ITIMER_REAL, &soon, NULL);
		CHECK_INT(dial(only, 150), 0);
		took_ms = rlk_clock_now_ms() - start_ms;
		CHECK_INT(err.sys_errno, ETIMEDOUT);
		CHECK(took_ms >= 149 && took_ms < 5000);
	}
	sigaction(SIGALRM, &before_us, NULL);
	CHECK_INT(dial(refused, 5000), 0);
	CHECK_INT(err.sys_errno, ECONNREFUSED);
	CHECK_INT(entries("/proc/self/fd"), before);
}

/* However many addresses there were, receiving may then wait in its one system call, and gives up in time. */
static void what_is_connected_can_wait(void)
{
	static const host *const lists[][3] = { { &live }, { &refusing, &live } };

	for (int i = 0; i < 2; i++) {
		rlk_server server;
		int64_t start_ms;
		char byte;

		CHECK(connect_to(lists[i], 5000));
		rlk_server_init(&server, 1000, 60);
		conn.server = &server;
		rlk_conn_use_blocking_reads(&conn);
		CHECK_INT(conn.receive_waits_ms, 60);
		CHECK_INT(rlk_socket_receive(conn.fd, &byte, 1), RLK_SOCKET_AGAIN);
		start_ms = rlk_clock_now_ms();
		CHECK_INT(rlk_socket_receive_waiting(conn.fd, &byte, 1), RLK_SOCKET_AGAIN);
		CHECK(rlk_clock_now_ms() - start_ms >= 59);
		rlk_conn_close(&conn);
	}
}

static bool wait_for_threads(int count)
{
	for (int i = 0; i < 12000 && entries("/proc/self/task") > count; i++)
		usleep(5000);
	return entries("/proc/self/task") <= count;
}

static void names_are_resolved_or_given_up_on(void)
{
	int fds, code = 0, threads = entries("/proc/self/task");
	rlk_addresses addresses;
	char name[256];

	CHECK_INT(rlk_address_resolve_name("127.0.0.1", "6379", NULL, 0, NULL, NULL, &addresses), 0);
	CHECK_INT(addresses.count, 1);
	CHECK_INT(rlk_address_resolve_name("::1", "6379", NULL, 0, NULL, NULL, &addresses), 0);
	CHECK_INT(rlk_address_resolve_name("localhost", "6379", NULL, 0, NULL, NULL, &addresses), 0);
	CHECK(addresses.count >= 1);
	CHECK_INT(entries("/proc/self/task"), threads);

	/* This machine's own name is in its hosts file, as likely as not. Nobody waits for it; the thread ends by itself. */
	CHECK(gethostname(name, sizeof(name)) == 0);
	fds = entries("/proc/self/fd");
	/* Now and then the answer is there before anybody looks at the clock. */
	for (int i = 0; i < 1000 && code != RLK_ADDRESS_LATE; i++)
		code = rlk_address_resolve_name(name, "6379", NULL, rlk_clock_now_ms() - 1, NULL, NULL, &addresses);
	CHECK_INT(code, RLK_ADDRESS_LATE);
	CHECK(wait_for_threads(threads));
	CHECK_INT(entries("/proc/self/fd"), fds);
}

/* A name service that answers once a byte comes here. */
static int held[2];

int __real_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list);
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list);

int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list)
{
	char byte;

	if (strcmp(host, "held.test") != 0 || (hints->ai_flags & AI_NUMERICHOST) != 0)
		return __real_getaddrinfo(host, port, hints, list);
	return read(held[0], &byte, 1) == 1 ? __real_getaddrinfo("127.0.0.1", port, hints, list) : EAI_AGAIN;
}

static jmp_buf fatal;

/* As the engine does after a fatal error: the fiber never goes on. */
static int leave_for_good(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	(void)unused;
	(void)watched;
	(void)count;
	(void)deadline_at_ms;
	longjmp(fatal, 1);
}

static pid_t copy;
static int copied; /* descriptors that the copy begins with */

static int fork_meanwhile(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	(void)unused;
	copy = fork();
	copied = entries("/proc/self/fd");
	if (copy == 0)
		return RLK_SOCKET_SIGNAL;
	(void)!write(held[1], "", 1);
	return rlk_socket_poll(watched, count, deadline_at_ms, NULL);
}

static void what_is_asked_in_a_loop_leaves_nothing(void)
{
	const rlk_hooks leaves = { .suspend = leave_for_good }, forks = { .suspend = fork_meanwhile };
	int fds, threads = entries("/proc/self/task"), status = -1, code;
	rlk_addresses addresses;

	CHECK(pipe(held) == 0);
	fds = entries("/proc/self/fd");
	for (int late = 0; late < 2; late++) {
		if (setjmp(fatal) == 0)
			rlk_address_resolve_name("held.test", "6379", &leaves, RLK_NEVER, NULL, NULL, &addresses);
		if (late == 0)
			rlk_address_forget_suspended();
		CHECK_INT(write(held[1], "", 1), 1);
		if (late == 1)
			rlk_address_forget_suspended();
		CHECK(wait_for_threads(threads));
		CHECK_INT(entries("/proc/self/fd"), fds);
	}

	code = rlk_address_resolve_name("held.test", "6379", &forks, RLK_NEVER, NULL, NULL, &addresses);
	if (copy == 0)
		_exit(code == RLK_ADDRESS_STOPPED && entries("/proc/self/fd") == copied - 2 ? 0 : 1);
	CHECK_INT(code, 0);
	CHECK(waitpid(copy, &status, 0) == copy);
	CHECK_INT(status, 0);
	CHECK(wait_for_threads(threads));
	CHECK_INT(entries("/proc/self/fd"), fds);
	close(held[0]);
	close(held[1]);
}

int main(void)
{
	if (!open_host(&live, false) || !open_host(&dead, true) || !open_host(&refusing, false))
		return 1;
	close(refusing.listener);
	refusing.listener = dup(0);
	RUN(no_text_is_made_that_nobody_reads);
	RUN(the_first_that_answers_is_taken);
	RUN(a_dead_one_costs_its_share_of_the_time);
	RUN(nobody_answers);
	RUN(an_only_address_is_waited_for_as_long);
	RUN(what_is_connected_can_wait);
	RUN(names_are_resolved_or_given_up_on);
	RUN(what_is_asked_in_a_loop_leaves_nothing);
	close_host(&live);
	close_host(&dead);
	close_host(&refusing);
	return unit_done();
}
