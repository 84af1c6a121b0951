/* unit: add tests/unit/tls_peer.c */
/* unit: POSIX only: there is no renewal yet */
/*
 * Who renews a lock over TLS: a whole copy of the process, or a thread where there are threads already.
 */
#ifdef HAVE_REDISLOCK_SSL

#include "renew/rlk_renewal.h"

#include "base/rlk_os.h"
#include "tls_peer.h"
#include "renewal_case.h"
#include "unit.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static char dir[64], cert[96], key[96];
static rlk_renewal renewal;
static rlk_server clear, first, second, third;
static rlk_renewal_server known_clear, known_first, known_second, known_third;

static void notify(void)
{
}

/* Nobody listens there: it is about who tries. */
static void make_endpoint(rlk_server *server, rlk_transport transport, bool no_verify_name)
{
	rlk_server_init(server, 1000, 1000);
	server->transport = transport;
	server->port = 1;
	server->tls.no_verify_name = no_verify_name;
	rlk_str_store(&server->host, RLK_STR("127.0.0.1"));
	rlk_str_store(&server->tls.cafile, rlk_str_from_cstr(cert));
}

static bool arm(rlk_server *server, rlk_renewal_server *known)
{
	rlk_error err;

	rlk_error_clear(&err);
	if (arm_lock(&renewal, rlk_backend_process, server, known, 9000, &err) != RLK_SLOT_NONE)
		return true;
	printf("# %s\n", err.text);
	return false;
}

static void disarm_all(void)
{
	for (int i = 0; i < (int)atomic_load(&renewal.slots.area->slots_used); i++)
		rlk_renewal_disarm(&renewal, i);
}

static void a_child_is_replaced_when_it_lacks_something(void)
{
	long lean, whole;

	CHECK(arm(&clear, &known_clear));
	CHECK_STR(running_backend(&renewal), "process");
	lean = renewal.worker.pid;
	CHECK(arm(&first, &known_first));
	CHECK_STR(running_backend(&renewal), "process");
	whole = renewal.worker.pid;
	CHECK(whole != lean);
	CHECK_INT(kill((pid_t)lean, 0), -1); /* ended, and reaped */
	/* What it knows already needs no other one. */
	CHECK(arm(&first, &known_first));
	CHECK(arm(&clear, &known_clear));
	CHECK_INT(renewal.worker.pid, whole);
	CHECK(arm(&second, &known_second));
	CHECK(renewal.worker.pid != whole);
	whole = renewal.worker.pid;
	/* Other certificates in the same place. */
	known_first = (rlk_renewal_server){ 0 };
	CHECK(arm(&first, &known_first));
	CHECK_INT(renewal.worker.pid, whole);
	CHECK(tls_peer_certificate("localhost", cert, key));
	known_first = (rlk_renewal_server){ 0 };
	CHECK(arm(&first, &known_first));
	CHECK(renewal.worker.pid != whole);
	CHECK_INT(atomic_load(&renewal.slots.area->servers_used), 3);
	/* And one that died. */
	whole = renewal.worker.pid;
	kill((pid_t)whole, SIGKILL);
	for (int i = 0; i < 2000 && renewal.worker.pid == whole; i++) {
		rlk_renewal_check_child(&renewal);
		usleep(1000);
	}
	CHECK(renewal.worker.pid != whole);
	CHECK_INT(renewal.worker.entered, 3);
	disarm_all();
	rlk_renewal_stop(&renewal);
}

/* A child that is still to be replaced connects: what the parent has loaded since is not in its memory. */
static void a_child_has_the_contexts_of_its_copy(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	struct pollfd listener = { .fd = socket(AF_INET, SOCK_STREAM, 0), .events = POLLIN };
	_Atomic(rlk_tls_context *) *shared;
	rlk_tls_context *context;
	char first_byte = 0;
	int client, slot;
	int64_t now_ms;

	CHECK_INT(bind(listener.fd, (struct sockaddr *)&address, sizeof(address)), 0);
	CHECK_INT(listen(listener.fd, 1), 0);
	CHECK_INT(getsockname(listener.fd, (struct sockaddr *)&address, &len), 0);
	make_endpoint(&third, RLK_TRANSPORT_TLS, false);
	third.port = ntohs(address.sin_port);
	slot = arm_lock(&renewal, rlk_backend_process, &third, &known_third, 9000, NULL);
	CHECK(slot >= 0);
	CHECK_STR(running_backend(&renewal), "process");
	shared = &renewal.slots.books[known_third.index].tls;
	context = atomic_exchange(shared, (rlk_tls_context *)1);
	now_ms = rlk_clock_now_ms();
	rlk_renewal_activate(&renewal, slot, now_ms - 9000, now_ms + 9000, 0); /* a renewal is due */
	CHECK_INT(poll(&listener, 1, 60000), 1);
	client = accept(listener.fd, NULL, NULL);
	CHECK_INT(recv(client, &first_byte, 1, 0), 1);
	CHECK_INT(first_byte, 0x16); /* a handshake of TLS */
	atomic_store(shared, context);
	close(client);
	close(listener.fd);
	disarm_all();
	rlk_renewal_stop(&renewal);
}

/* Sentinels with TLS may name a master without: the child asks them, too. */
static void seeds_count_as_their_service_does(void)
{
	rlk_server seeds[] = { first };
	const rlk_topology topology = { .kind = RLK_TOPOLOGY_SENTINEL,
		.seeds = seeds,
		.seed_count = 1,
		.service = (char *)"service" };
	rlk_renewal_server known = { 0 };
	const rlk_renewal_lock lock = { .backend = rlk_backend_process,
		.deadline = RLK_DEADLINE_NONE,
		.servers = &clear,
		.known = &known,
		.server_count = 1,
		.topology = &topology,
		.key = RLK_STR("key"),
		.token = RLK_STR("token"),
		.ttl_ms = 9000,
		.interval_ms = 3000,
		.max_hold_ms = RLK_NEVER };
	long lean;

	CHECK(arm(&clear, &known_clear));
	lean = renewal.worker.pid;
	CHECK(rlk_renewal_arm(&renewal, &lock, NULL) != RLK_SLOT_NONE);
	CHECK_STR(running_backend(&renewal), "process");
	CHECK(renewal.worker.pid != lean);
	disarm_all();
	rlk_renewal_stop(&renewal);
}

static void *wait_for_end(void *fd)
{
	char byte;

	(void)!read(*(int *)fd, &byte, 1);
	return NULL;
}

static void with_several_threads_it_is_a_thread(void)
{
	pthread_t thread;
	int fds[2];

	CHECK(arm(&clear, &known_clear));
	CHECK_STR(running_backend(&renewal), "process");
	CHECK_INT(pipe(fds), 0);
	CHECK_INT(pthread_create(&thread, NULL, wait_for_end, &fds[0]), 0);
	CHECK(arm(&first, &known_first));
	CHECK_STR(running_backend(&renewal), "thread");
	CHECK(arm(&second, &known_second));
	disarm_all();
	rlk_renewal_stop(&renewal);
	CHECK(arm(&clear, &known_clear));
	CHECK_STR(running_backend(&renewal), "process");
	disarm_all();
	rlk_renewal_stop(&renewal);
	close(fds[1]);
	pthread_join(thread, NULL);
	close(fds[0]);
}

int main(void)
{
	snprintf(dir, sizeof(dir), "/tmp/rlk-test-renewal-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return 1;
	snprintf(cert, sizeof(cert), "%s/cert", dir);
	snprintf(key, sizeof(key), "%s/key", dir);
	if (!tls_peer_certificate("localhost", cert, key))
		return 1;
	make_endpoint(&clear, RLK_TRANSPORT_TCP, false);
	make_endpoint(&first, RLK_TRANSPORT_TLS, false);
	make_endpoint(&second, RLK_TRANSPORT_TLS, true);
	rlk_renewal_init(&renewal, notify);
	RUN(a_child_is_replaced_when_it_lacks_something);
	RUN(a_child_has_the_contexts_of_its_copy);
	RUN(seeds_count_as_their_service_does);
	RUN(with_several_threads_it_is_a_thread);
	rlk_server_destroy(&clear);
	rlk_server_destroy(&first);
	rlk_server_destroy(&second);
	rlk_server_destroy(&third);
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
