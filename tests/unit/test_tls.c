/* unit: add tests/unit/tls_peer.c */
/* unit: POSIX only: it makes pairs of unix sockets */
/*
 * rlk_tls over a pair of sockets, the other end in the same thread.
 */
#ifdef HAVE_REDISLOCK_SSL

#include "net/rlk_conn.h"
#include "net/rlk_tls.h"

#include "base/rlk_os.h"
#include "lock/rlk_quorum.h"
#include "tls_peer.h"
#include "unit.h"
#include "redis/rlk_exchange.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/rand.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64], cert[96], key[96];
static rlk_tls_options trusting;
static tls_peer peer;
static rlk_tls *tls;
static int fd;
static rlk_error err;

/* Both ends step until both are done. */
static bool shake_hands(void)
{
	bool ours = false, theirs = false;

	for (int i = 0; i < 100 && !(ours && theirs); i++) {
		long n = ours ? 0 : rlk_tls_handshake(tls);

		if (n == RLK_SOCKET_ERROR)
			return false;
		ours = n == 0;
		theirs = theirs || SSL_accept(peer.ssl) == 1;
	}
	return ours && theirs;
}

static bool begin_with(const rlk_tls_options *options, int version, const char *name, bool again)
{
	int fds[2], small = 4096;
	rlk_tls_context *context;

	rlk_error_clear(&err);
	context = rlk_tls_context_get(options, &err);
	if (context == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) != 0)
		return false;
	for (int i = 0; i < 2; i++)
		setsockopt(fds[i], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	fd = fds[0];
	tls = rlk_tls_new(context, fd, name, &err);
	rlk_tls_context_release(context);
	return tls != NULL && (again ? tls_peer_again(&peer, fds[1]) : tls_peer_init(&peer, fds[1], cert, key, version));
}

static bool begin(int version, const char *name)
{
	return begin_with(&trusting, version, name, false);
}

static void end(void)
{
	rlk_tls_free(tls);
	close(fd);
	tls_peer_destroy(&peer);
}

/* 200 KB there and back, through buffers much smaller, with every step cut short by a full or an empty socket. */
static void carry(int version)
{
	static char sent[200000], got[sizeof(sent)];
	size_t out = 0, theirs = 0, back = 0, in = 0;
	bool waited_to_write = false;

	for (size_t i = 0; i < sizeof(sent); i++)
		sent[i] = (char)(i * 7 % 251);
	CHECK(begin(version, "localhost"));
	CHECK(shake_hands());
	for (int i = 0; i < 100000 && in < sizeof(sent); i++) {
		int n;
		long m;

		if (out < sizeof(sent)) {
			m = rlk_tls_send(tls, sent + out, sizeof(sent) - out);
			CHECK(m > 0 || m == RLK_SOCKET_AGAIN);
			waited_to_write = waited_to_write || (m == RLK_SOCKET_AGAIN && rlk_tls_wants(tls) == RLK_SOCKET_WRITABLE);
			out += m > 0 ? (size_t)m : 0;
		}
		n = theirs < sizeof(sent) ? SSL_read(peer.ssl, got + theirs, 999) : 0;
		theirs += n > 0 ? (size_t)n : 0;
		n = back < theirs ? SSL_write(peer.ssl, got + back, (int)(theirs - back)) : 0;
		back += n > 0 ? (size_t)n : 0;
		do {
			char some[100];

			m = rlk_tls_receive(tls, some, sizeof(some));
			CHECK(m > 0 || m == RLK_SOCKET_AGAIN);
			if (m > 0)
				CHECK(memcmp(sent + in, some, (size_t)m) == 0);
			in += m > 0 ? (size_t)m : 0;
		} while (m > 0);
	}
	CHECK_INT(in, sizeof(sent));
	CHECK(waited_to_write);
	CHECK(rlk_tls_is_idle(tls));
	CHECK(rlk_tls_problem(tls) == NULL);
	end();
}

static void carries_with_tls_1_2(void)
{
	carry(TLS1_2_VERSION);
}

static void carries_with_tls_1_3(void)
{
	carry(0);
}

/* That nothing has come does not mean that nothing is to be sent. */
static void looking_for_a_reply_leaves_what_is_unsent(void)
{
	static const char much[200000];
	char byte;
	const rlk_server server = { .transport = RLK_TRANSPORT_TLS };
	rlk_conn conn;

	CHECK(begin(0, "localhost"));
	CHECK(shake_hands());
	rlk_conn_init(&conn, &server, NULL);
	conn.state = RLK_CONN_STATE_OPEN;
	conn.fd = fd;
	conn.tls = tls;
	CHECK(rlk_buf_append(&conn.out, much, sizeof(much)));
	while (rlk_tls_send(tls, much, sizeof(much)) > 0)
		;
	CHECK_INT(rlk_conn_events(&conn), RLK_SOCKET_READABLE | RLK_SOCKET_WRITABLE);
	CHECK_INT(rlk_tls_receive(tls, &byte, 1), RLK_SOCKET_AGAIN);
	CHECK_INT(rlk_conn_events(&conn), RLK_SOCKET_READABLE | RLK_SOCKET_WRITABLE);
	rlk_buf_destroy(&conn.out);
	end();
}

/* What a server sends when it likes is no reply. */
static void tickets_and_new_keys_leave_it_idle(void)
{
	char byte;

	CHECK(begin(0, "localhost"));
	CHECK(shake_hands()); /* two tickets are behind it */
	CHECK(rlk_tls_is_idle(tls));
	CHECK_INT(SSL_key_update(peer.ssl, SSL_KEY_UPDATE_REQUESTED), 1);
	CHECK_INT(SSL_do_handshake(peer.ssl), 1);
	CHECK(rlk_tls_is_idle(tls));
	CHECK_INT(rlk_tls_send(tls, "a", 1), 1);
	CHECK_INT(SSL_read(peer.ssl, &byte, 1), 1);
	CHECK_INT(SSL_write(peer.ssl, "b", 1), 1);
	CHECK(!rlk_tls_is_idle(tls));
	CHECK_INT(rlk_tls_receive(tls, &byte, 1), 1);
	CHECK_INT(byte, 'b');
	CHECK(rlk_tls_is_idle(tls));
	/* The first bytes of a record, of whatever kind. */
	CHECK_INT(write(peer.fd, "\x17\x03\x03", 3), 3);
	CHECK(!rlk_tls_is_idle(tls));
	end();
}

static void an_end_is_not_idle(void)
{
	char byte;

	CHECK(begin(0, "localhost"));
	CHECK(shake_hands());
	CHECK(rlk_tls_is_idle(tls));
	shutdown(peer.fd, SHUT_WR);
	CHECK(!rlk_tls_is_idle(tls));
	CHECK_INT(rlk_tls_receive(tls, &byte, 1), 0);
	end();

	/* Nobody is there any more, and nobody is killed by a signal for it. */
	CHECK(begin(0, "localhost"));
	CHECK(shake_hands());
	close(peer.fd);
	peer.fd = -1;
	CHECK_INT(rlk_tls_send(tls, "a", 1), RLK_SOCKET_ERROR);
	CHECK_INT(errno, EPIPE);
	end();

	/* Said properly. */
	CHECK(begin(0, "localhost"));
	CHECK(shake_hands());
	SSL_shutdown(peer.ssl);
	CHECK_INT(rlk_tls_receive(tls, &byte, 1), 0);
	end();
}

static void end_ours(void)
{
	rlk_tls_free(tls);
	close(fd);
}

static void sessions_are_resumed(int version)
{
	rlk_tls_options careless = trusting;

	careless.no_verify_peer = careless.no_verify_name = true;
	CHECK(begin_with(&careless, version, "elsewhere", false));
	CHECK(shake_hands());
	CHECK(rlk_tls_is_idle(tls)); /* the sessions are received in passing */
	CHECK(!SSL_session_reused(peer.ssl));
	end_ours();
	CHECK(begin_with(&careless, version, "elsewhere", true));
	CHECK(shake_hands());
	CHECK(rlk_tls_is_idle(tls));
	CHECK(SSL_session_reused(peer.ssl));
	end_ours();
	/* What was agreed without looking is nothing to those who look, nor for another name. */
	CHECK(begin_with(&trusting, version, "elsewhere", true));
	CHECK(!shake_hands());
	end_ours();
	CHECK(begin_with(&careless, version, "localhost", true));
	CHECK(shake_hands());
	CHECK(!SSL_session_reused(peer.ssl));
	end_ours();
	CHECK(begin_with(&trusting, version, "localhost", true));
	CHECK(shake_hands());
	CHECK(rlk_tls_is_idle(tls));
	CHECK(!SSL_session_reused(peer.ssl));
	end_ours();
	CHECK(begin_with(&trusting, version, "localhost", true));
	CHECK(shake_hands());
	CHECK(SSL_session_reused(peer.ssl));
	end();
	/* A server that remembers nothing. */
	CHECK(begin(version, "localhost"));
	CHECK(shake_hands());
	CHECK(!SSL_session_reused(peer.ssl));
	end();
}

static void sessions_of_tls_1_2_are_resumed(void)
{
	sessions_are_resumed(TLS1_2_VERSION);
}

static void sessions_of_tls_1_3_are_resumed(void)
{
	sessions_are_resumed(0);
}

/* A connection as rlk_conn_connect() leaves it. */
static void make_conn(rlk_conn *conn, rlk_server *server)
{
	rlk_server_init(server, 1000, 1000);
	server->transport = RLK_TRANSPORT_TLS;
	rlk_conn_init(conn, server, NULL);
	conn->fd = fd;
	conn->owner_pid = (long)getpid();
	conn->reader = rlk_reader_new();
}

/* The second one has come in with the first, and poll() knows nothing of it. */
static void replies_that_came_together_are_read_at_once(void)
{
	const rlk_reply *reply;
	rlk_server server;
	int64_t before_ms;
	rlk_conn conn;

	CHECK(begin(0, "localhost"));
	CHECK(shake_hands());
	make_conn(&conn, &server);
	conn.tls = tls;
	rlk_expected_add(&conn.expected, (rlk_expected){ RLK_EXPECTED_AWAITED, false, 2, { NULL, NULL } });
	CHECK_INT(SSL_write(peer.ssl, "+A\r\n", 4), 4);
	CHECK_INT(SSL_write(peer.ssl, "+B\r\n", 4), 4);
	before_ms = rlk_clock_now_ms();
	reply = rlk_conn_read(&conn, (rlk_deadline){ before_ms + 60000 }, NULL);
	CHECK(reply != NULL && rlk_str_equal(reply->text, RLK_STR("A")));
	reply = rlk_conn_read(&conn, (rlk_deadline){ before_ms + 60000 }, NULL);
	CHECK(reply != NULL && rlk_str_equal(reply->text, RLK_STR("B")));
	CHECK(rlk_clock_now_ms() - before_ms < 30000);
	rlk_conn_close(&conn);
	tls_peer_destroy(&peer);
}

static void nothing_leaves_in_clear(void)
{
	const rlk_str ping = RLK_STR("PING");
	rlk_server server;
	rlk_conn conn;
	char byte;

	CHECK(begin(0, "localhost"));
	for (int soon = 0; soon < 2; soon++) {
		int fds[2];

		CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
		make_conn(&conn, &server);
		conn.fd = fds[0];
		CHECK(rlk_conn_append(&conn, &ping, 1, NULL));
		rlk_error_clear(&err);
		if (soon)
			rlk_conn_flush_corked(&conn);
		else
			CHECK_INT(rlk_conn_flush(&conn, rlk_deadline_in(100), &err), RLK_FAIL);
		CHECK_INT(conn.fd, RLK_SOCKET_NONE);
		CHECK_INT(read(fds[1], &byte, 1), 0);
		close(fds[1]);
	}
	end();
}

static void garbage_is_an_error(void)
{
	char byte;

	CHECK(begin(0, "localhost"));
	CHECK(shake_hands());
	CHECK_INT(write(peer.fd, "\x17\x03\x03\x00\x20 no record that we have a key for", 37), 37);
	CHECK_INT(rlk_tls_receive(tls, &byte, 1), RLK_SOCKET_ERROR);
	CHECK(rlk_tls_problem(tls) != NULL);
	end();
}

static void another_name_is_refused(void)
{
	CHECK(begin(0, "elsewhere"));
	CHECK(!shake_hands());
	CHECK_STR(rlk_tls_problem(tls), "the server's certificate is not for \"elsewhere\"");
	end();
	CHECK(begin(0, "127.0.0.1"));
	CHECK(!shake_hands());
	CHECK_STR(rlk_tls_problem(tls), "the server's certificate is not for \"127.0.0.1\"");
	end();
}

static void contexts_are_kept_until_their_files_change(void)
{
	rlk_tls_options other = trusting;
	rlk_tls_context *first = rlk_tls_context_get(&trusting, &err), *again = rlk_tls_context_get(&trusting, &err),
					*third;
	struct timespec times[2] = { { 1000000000, 0 }, { 1000000000, 0 } };

	CHECK(first != NULL && first == again);
	rlk_tls_context_release(again);
	other.no_verify_name = true;
	third = rlk_tls_context_get(&other, &err);
	CHECK(third != NULL && third != first);
	rlk_tls_context_release(third);
	CHECK_INT(utimensat(AT_FDCWD, cert, times, 0), 0);
	third = rlk_tls_context_get(&trusting, &err);
	CHECK(third != NULL && third != first);
	rlk_tls_context_release(third);
	rlk_tls_context_release(first);
	/* More of them than are kept. */
	for (int i = 0; i < 40; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%d", i);
		other.peer_name = name;
		third = rlk_tls_context_get(&other, &err);
		CHECK(third != NULL);
		rlk_tls_context_release(third);
	}
}

static void the_deadline_ends_a_handshake(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(addr);
	rlk_server server;
	int64_t before_ms;
	rlk_conn conn;
	int silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(bind(silent, (struct sockaddr *)&addr, len) == 0 && listen(silent, 1) == 0 &&
		getsockname(silent, (struct sockaddr *)&addr, &len) == 0);
	rlk_server_init(&server, 60000, 60000);
	server.transport = RLK_TRANSPORT_TLS;
	server.tls = trusting;
	server.host = (char *)"127.0.0.1";
	server.port = ntohs(addr.sin_port);
	rlk_conn_init(&conn, &server, NULL);
	rlk_error_clear(&err);
	before_ms = rlk_clock_now_ms();
	CHECK(!rlk_conn_open(&conn, RLK_CONN_WHEN_ANSWERED, (rlk_deadline){ before_ms + 50 }, &err));
	CHECK_INT(err.code, RLK_ERR_CONNECT);
	CHECK_INT(err.sys_errno, ETIMEDOUT);
	CHECK(rlk_clock_now_ms() - before_ms >= 50 && rlk_clock_now_ms() - before_ms < 30000);
	close(silent);
}

/* It is written by the time that it is encrypted, though nobody waits for that any more. */
static void what_is_pending_at_the_end_leaves_encrypted(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const rlk_release release = { RLK_STR("the key"), RLK_STR("the token"), 60000 };
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), accepted, got = 0;
	int64_t until_ms = rlk_clock_now_ms() + 30000;
	rlk_drain_list drain = { 0 };
	socklen_t len = sizeof(addr);
	char text[8192] = "";
	rlk_quorum *quorum;
	rlk_server server;

	CHECK(bind(listener, (struct sockaddr *)&addr, len) == 0 && listen(listener, 1) == 0 &&
		getsockname(listener, (struct sockaddr *)&addr, &len) == 0);
	rlk_server_init(&server, 60000, 60000);
	server.transport = RLK_TRANSPORT_TLS;
	server.tls = trusting;
	server.tls.peer_name = (char *)"localhost";
	server.host = (char *)"127.0.0.1";
	server.port = ntohs(addr.sin_port);
	quorum = rlk_quorum_new(&server, 1, &drain, NULL);
	rlk_member_connect(&quorum->member[0], rlk_clock_now_ms());
	CHECK_INT(quorum->member[0].conn.state, RLK_CONN_STATE_CONNECTING);
	rlk_doubts_unanswered(&quorum->member[0].doubts, &release, NULL);
	rlk_quorum_free(quorum);
	accepted = accept(listener, NULL, NULL);
	CHECK(accepted >= 0 && fcntl(accepted, F_SETFL, O_NONBLOCK) == 0);
	CHECK(tls_peer_init(&peer, accepted, cert, key, 0));
	while (got <= 0 && rlk_clock_now_ms() < until_ms) {
		rlk_drain_tend(&drain);
		got = SSL_accept(peer.ssl) == 1 ? SSL_read(peer.ssl, text, sizeof(text) - 1) : 0;
	}
	CHECK(got > 0 && strstr(text, "\r\nthe key\r\n$9\r\nthe token\r\n") != NULL);
	rlk_drain_clear(&drain);
	tls_peer_destroy(&peer);
	close(listener);
}

/* A copy made behind the C library's back, as the renewal child is. */
static bool random_of_copy(bool fresh, unsigned char bytes[32])
{
	int fds[2];
	long pid;
	bool ok;

	if (pipe(fds) != 0)
		return false;
	pid = syscall(SYS_clone, SIGCHLD, 0, NULL, NULL, 0);
	if (pid == 0) {
		ok = (!fresh || rlk_tls_after_clone()) && RAND_bytes(bytes, 32) == 1 && write(fds[1], bytes, 32) == 32;
		_exit(ok ? 0 : 1);
	}
	close(fds[1]);
	ok = pid > 0 && read(fds[0], bytes, 32) == 32;
	close(fds[0]);
	waitpid((pid_t)pid, NULL, 0);
	return ok;
}

static void copies_share_no_randomness(void)
{
	unsigned char warm[32], a[32], b[32], ours[32];

	CHECK_INT(RAND_bytes(warm, 32), 1);
	CHECK(random_of_copy(true, a));
	CHECK(random_of_copy(true, b));
	CHECK_INT(RAND_bytes(ours, 32), 1);
	CHECK(memcmp(a, b, 32) != 0 && memcmp(a, ours, 32) != 0 && memcmp(b, ours, 32) != 0);
}

/* A forked copy lets go of the connection without a byte to the server. */
static void a_copy_says_nothing(void)
{
	char byte;
	pid_t pid;

	CHECK(begin(0, "localhost"));
	CHECK(shake_hands());
	CHECK(rlk_tls_is_idle(tls));
	pid = fork();
	if (pid == 0) {
		rlk_tls_after_fork();
		rlk_tls_free(tls);
		close(fd);
		_exit(0);
	}
	CHECK_INT(waitpid(pid, NULL, 0), pid);
	CHECK_INT(recv(peer.fd, &byte, 1, MSG_PEEK), -1);
	CHECK_INT(rlk_tls_send(tls, "a", 1), 1);
	CHECK_INT(SSL_read(peer.ssl, &byte, 1), 1);
	end();
}

int main(void)
{
	signal(SIGPIPE, SIG_DFL);
	snprintf(dir, sizeof(dir), "/tmp/rlk-test-tls-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return 1;
	snprintf(cert, sizeof(cert), "%s/cert", dir);
	snprintf(key, sizeof(key), "%s/key", dir);
	trusting.cafile = cert;
	if (!tls_peer_certificate("localhost", cert, key))
		return 1;
	RUN(carries_with_tls_1_2);
	RUN(carries_with_tls_1_3);
	RUN(looking_for_a_reply_leaves_what_is_unsent);
	RUN(tickets_and_new_keys_leave_it_idle);
	RUN(an_end_is_not_idle);
	RUN(sessions_of_tls_1_2_are_resumed);
	RUN(sessions_of_tls_1_3_are_resumed);
	RUN(replies_that_came_together_are_read_at_once);
	RUN(nothing_leaves_in_clear);
	RUN(garbage_is_an_error);
	RUN(another_name_is_refused);
	RUN(contexts_are_kept_until_their_files_change);
	RUN(the_deadline_ends_a_handshake);
	RUN(what_is_pending_at_the_end_leaves_encrypted);
	RUN(copies_share_no_randomness);
	RUN(a_copy_says_nothing);
	rlk_tls_shutdown();
	unlink(cert);
	unlink(key);
	rmdir(dir);
	return unit_done();
}

#else

#include <stdio.h>

int main(void)
{
	puts("ok 1 - tls # SKIP built without OpenSSL\n1..1");
	return 0;
}

#endif
