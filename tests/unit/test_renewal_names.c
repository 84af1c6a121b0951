/* unit: POSIX only: it stands in for the resolver of the C library */
/*
 * rlk_renewal: names are resolved while other threads go on.
 */
#include "renew/rlk_renewal.h"

#include "renewal_case.h"
#include "unit.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static rlk_renewal renewal;
static rlk_server server;
static rlk_renewal_server known;
static rlk_error err;
static const rlk_backend backend;
static atomic_int names_asked, names_asked_under_mutex, resolvers_began, resolvers_ended;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* while this thread holds it, no name is answered */
static pthread_key_t resolver;
static int started;
static in_addr_t answer = INADDR_LOOPBACK;

/* In place of the C library's: every name is that, and none is known when it is 0. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **list)
{
	static struct sockaddr_in address = { .sin_family = AF_INET };
	static struct addrinfo info = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };

	(void)service;
	(void)name;
	if ((hints->ai_flags & AI_NUMERICHOST) != 0)
		return EAI_NONAME;
	pthread_setspecific(resolver, &renewal);
	atomic_fetch_add(&resolvers_began, 1);
	atomic_fetch_add(&names_asked, 1);
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	if (rlk_mutex_try_lock(&renewal.mutex))
		rlk_mutex_unlock(&renewal.mutex);
	else
		atomic_fetch_add(&names_asked_under_mutex, 1);
	if (answer == 0)
		return EAI_AGAIN;
	address.sin_addr.s_addr = htonl(answer);
	address.sin_port = htons(6379);
	info.ai_addr = (struct sockaddr *)&address;
	info.ai_addrlen = sizeof(address);
	*list = &info;
	return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
	(void)list;
}

/* At the very end of a thread that asked. */
static void resolver_ends(void *value)
{
	(void)value;
	atomic_fetch_add(&resolvers_ended, 1);
}

/* Each name has a thread of its own. */
static void await_resolvers(void)
{
	for (int64_t until_ms = rlk_clock_now_ms() + 60000;
		 atomic_load(&resolvers_ended) < atomic_load(&resolvers_began) && rlk_clock_now_ms() < until_ms;)
		usleep(500);
	CHECK_INT(atomic_load(&resolvers_ended), atomic_load(&resolvers_began));
}

static bool start(rlk_worker *worker, const rlk_slots *slots, bool with_heap, void (*notify)(void), rlk_error *error)
{
	(void)slots;
	(void)with_heap;
	(void)notify;
	(void)error;
	*worker = RLK_WORKER_NONE;
	worker->backend = &backend;
	started++;
	return true;
}

static void stop(rlk_worker *worker, bool has_releases)
{
	(void)has_releases;
	*worker = RLK_WORKER_NONE;
}

static void idle(rlk_worker *worker)
{
	(void)worker;
}

static bool resume(rlk_worker *worker)
{
	return worker->backend != NULL;
}

static const rlk_backend backend = { .name = "ours", .start = start, .stop = stop, .idle = idle, .resume = resume };

static int arm(void)
{
	return arm_lock(&renewal, &backend, &server, &known, 30000, &err);
}

static void asks_the_resolver_without_the_mutex(void)
{
	rlk_area_server *entry;

	rlk_renewal_init(&renewal, NULL);
	rlk_server_init(&server, 5000, 5000);
	CHECK(rlk_str_store(&server.host, RLK_STR("some name")));
	CHECK_INT(arm(), 0);
	CHECK_INT(atomic_load(&names_asked), 1);
	CHECK_INT(arm(), 1);
	CHECK_INT(atomic_load(&names_asked), 1);
	entry = &renewal.slots.area->servers[known.index];
	atomic_store(&entry->state, RLK_ENTRY_ASKED);
	rlk_renewal_resolve(&renewal);
	await_resolvers(); /* it is waited for, but not for long */
	CHECK_INT(atomic_load(&entry->state), RLK_ENTRY_FINE);
	CHECK_INT(atomic_load(&names_asked), 2);
	CHECK_INT(atomic_load(&names_asked_under_mutex), 0);
	rlk_renewal_stop(&renewal);
	rlk_server_destroy(&server);
}

static uint64_t request(void)
{
	int slot;

	rlk_renewal_request_begins(&renewal);
	slot = arm();
	rlk_renewal_disarm(&renewal, slot);
	rlk_renewal_request_ends(&renewal, 60000, false);
	return slot != RLK_SLOT_NONE ? known.number : 0;
}

static void some_time_passes(void)
{
	renewal.slots.books[known.index].resolved_at_ms -= 10000;
}

/* A child that stays would otherwise know a server's address of long ago. */
static void asks_again_after_a_rest(void)
{
	uint64_t number;

	rlk_renewal_init(&renewal, NULL);
	rlk_server_init(&server, 5000, 5000);
	CHECK(rlk_str_store(&server.host, RLK_STR("some name")));
	known = (rlk_renewal_server){ 0 };
	atomic_store(&names_asked, 0);
	started = 0;
	number = request();
	CHECK(number != 0);
	CHECK(request() == number);
	CHECK_INT(atomic_load(&names_asked), 1);
	some_time_passes();
	CHECK(request() == number);
	CHECK(request() == number);
	CHECK_INT(atomic_load(&names_asked), 2);
	CHECK_INT(started, 1);
	/* A name service that is away changes nothing. */
	answer = 0;
	some_time_passes();
	CHECK(request() == number);
	CHECK(request() == number);
	CHECK_INT(atomic_load(&names_asked), 3);
	CHECK_INT(started, 1);
	/* The name leads elsewhere: another place, and another child without the connection to the first one. */
	answer = INADDR_LOOPBACK + 1;
	some_time_passes();
	CHECK(request() != number);
	CHECK_INT(started, 2);
	number = known.number;
	CHECK(request() == number);
	CHECK_INT(atomic_load(&names_asked), 4);
	CHECK_INT(started, 2);
	rlk_renewal_stop(&renewal);
	rlk_server_destroy(&server);
}

/* The code that was interrupted has better things to do than to wait. */
static void an_answer_that_takes_long_is_not_waited_for(void)
{
	rlk_area_server *entry;
	int control[2];
	char byte;

	rlk_renewal_init(&renewal, NULL);
	rlk_server_init(&server, 5000, 5000);
	CHECK(rlk_str_store(&server.host, RLK_STR("some name")));
	known = (rlk_renewal_server){ 0 };
	CHECK_INT(arm(), 0);
	CHECK_INT(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, control), 0);
	renewal.worker.control = control[0];
	entry = &renewal.slots.area->servers[known.index];
	atomic_store(&entry->state, RLK_ENTRY_ASKED);
	atomic_store(&names_asked, 0);
	answer = INADDR_LOOPBACK + 1;
	pthread_mutex_lock(&gate);
	rlk_renewal_resolve(&renewal);
	rlk_renewal_resolve(&renewal);
	CHECK_INT(atomic_load(&entry->state), RLK_ENTRY_ASKED);
	pthread_mutex_unlock(&gate);
	/* It is handed on, and the child woken. */
	CHECK_INT(recv(control[1], &byte, 1, 0), 1);
	CHECK_INT(byte, RLK_WORKER_WAKE);
	CHECK_INT(atomic_load(&entry->state), RLK_ENTRY_FINE);
	CHECK_INT(atomic_load(&names_asked), 1);
	CHECK_INT(rlk_address_from_list(rlk_area_server_addresses(entry), 0).ip[3], 2);
	/* Too late for anything: the locks have ended meanwhile. */
	atomic_store(&entry->state, RLK_ENTRY_ASKED);
	pthread_mutex_lock(&gate);
	rlk_renewal_resolve(&renewal);
	rlk_renewal_stop(&renewal);
	pthread_mutex_unlock(&gate);
	await_resolvers();
	CHECK_INT(atomic_load(&names_asked), 2);
	close(control[0]);
	close(control[1]);
	rlk_server_destroy(&server);
}

/* Nobody waits for the names of several servers; the child is told where they are later. */
static void names_of_several_are_asked_beside(void)
{
	rlk_server servers[2];
	rlk_renewal_server known_servers[2] = { { 0 } };
	const rlk_renewal_lock lock = { .backend = &backend,
		.deadline = RLK_DEADLINE_NONE,
		.servers = servers,
		.known = known_servers,
		.server_count = 2,
		.key = RLK_STR("key"),
		.token = RLK_STR("token"),
		.waiters = RLK_STR(""),
		.ttl_ms = 30000,
		.interval_ms = 10000,
		.max_hold_ms = RLK_NEVER };
	int64_t until_ms;

	rlk_renewal_init(&renewal, NULL);
	answer = INADDR_LOOPBACK;
	for (int i = 0; i < 2; i++) {
		rlk_server_init(&servers[i], 60000, 60000);
		CHECK(rlk_str_store(&servers[i].host, i == 0 ? RLK_STR("one name") : RLK_STR("another")));
	}
	pthread_mutex_lock(&gate);
	until_ms = rlk_clock_now_ms() + 30000;
	CHECK(rlk_renewal_arm(&renewal, &lock, &err) != RLK_SLOT_NONE);
	CHECK(rlk_clock_now_ms() < until_ms);
	for (int i = 0; i < 2; i++)
		CHECK_INT(rlk_area_server_addresses(&renewal.slots.area->servers[known_servers[i].index])->count, 0);
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < 2; i++) {
		rlk_area_server *entry = &renewal.slots.area->servers[known_servers[i].index];

		while (atomic_load(&entry->state) != RLK_ENTRY_FINE && rlk_clock_now_ms() < until_ms)
			usleep(500);
		CHECK_INT(atomic_load(&entry->state), RLK_ENTRY_FINE);
		CHECK_INT(rlk_area_server_addresses(entry)->count, 1);
	}
	await_resolvers();
	rlk_renewal_stop(&renewal);
	for (int i = 0; i < 2; i++)
		rlk_server_destroy(&servers[i]);
}

int main(void)
{
	pthread_key_create(&resolver, resolver_ends);
	RUN(asks_again_after_a_rest);
	answer = INADDR_LOOPBACK;
	atomic_store(&names_asked, 0);
	RUN(asks_the_resolver_without_the_mutex);
	RUN(an_answer_that_takes_long_is_not_waited_for);
	RUN(names_of_several_are_asked_beside);
	return unit_done();
}
