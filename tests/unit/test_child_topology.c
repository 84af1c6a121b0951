/* unit: POSIX only: the renewal child is a fork */
/*
 * test_child_topology: how the renewal child finds a server by way of others.
 */
#include "child_case.h"

#include <netinet/in.h>

#define RENEWAL "EVAL renew 1 key0 token 60000"
#define WHO_IS_MASTER "SENTINEL get-master-addr-by-name service"

static int more[2] = { -1, -1 }; /* listeners over TCP, beside the one that is there */
static int kept[4] = { -1, -1, -1, -1 };
static char addresses[2][32]; /* of `more` */

static bool listen_more(int i)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(in);

	more[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (more[i] < 0 || bind(more[i], (struct sockaddr *)&in, len) != 0 || listen(more[i], 8) != 0 ||
		getsockname(more[i], (struct sockaddr *)&in, &len) != 0)
		return false;
	snprintf(addresses[i], sizeof(addresses[i]), "127.0.0.1:%d", ntohs(in.sin_port));
	return true;
}

/* The server of the lock becomes what stands for several servers: its seeds are the first listener and those of `more` that
 * are told. */
static bool begin_topology(rlk_topology_kind kind, int more_seeds)
{
	rlk_area_server seed;

	if (!begin() || !listen_more(0) || !listen_more(1))
		return false;
	seed = entry;
	entry.kind = kind;
	memset(&entry.addresses, 0, sizeof(entry.addresses));
	entry.seeds[entry.seed_count++] = (uint32_t)rlk_slots_enter_server(&slots, &seed, NULL);
	for (int i = 0; i < more_seeds; i++) {
		rlk_server server = { .transport = RLK_TRANSPORT_TCP, .host = (char *)"127.0.0.1" };

		server.port = (uint16_t)atoi(strchr(addresses[i], ':') + 1);
		if (!rlk_address_resolve(&server, NULL, RLK_DEADLINE_NONE, &seed.addresses[0], NULL))
			return false;
		entry.seeds[entry.seed_count++] = (uint32_t)rlk_slots_enter_server(&slots, &seed, NULL);
	}
	return true;
}

static bool begin_service(int more_seeds)
{
	if (!begin_topology(RLK_TOPOLOGY_SENTINEL, more_seeds))
		return false;
	strcpy(entry.service, "service");
	return true;
}

/* The next connection; the one before stays open. */
static bool accept_at(int from)
{
	for (int i = 0; i < 4; i++) {
		if (kept[i] < 0) {
			kept[i] = client;
			break;
		}
	}
	client = -1;
	in_len = 0;
	client = ready(from) ? accept(from, NULL, NULL) : -1;
	return client >= 0;
}

static bool replies(const char *format, const char *address)
{
	char text[128];

	snprintf(text, sizeof(text), format, address);
	return reply(text);
}

/* Two nodes that do not agree must not keep a processor busy. */
static void pauses_where_nodes_lead_in_circles(void)
{
	int64_t from_ms;

	CHECK(begin_topology(RLK_TOPOLOGY_CLUSTER, 0));
	atomic_store(&active_lock(60000, 5000)->extend_at_ms, rlk_clock_now_ms());
	CHECK(start() && accept_at(listener));
	CHECK_STR(request(), RENEWAL);
	CHECK(replies("-MOVED 1 %s\r\n", addresses[0]));
	CHECK(accept_at(more[0]));
	from_ms = rlk_clock_now_ms();
	for (int i = 0; i < 6; i++) {
		CHECK_STR(request(), i == 0 ? RENEWAL : "EVALSHA renew 1 key0 token 60000");
		CHECK(replies("-MOVED 1 %s\r\n", addresses[0]));
	}
	CHECK(rlk_clock_now_ms() - from_ms >= 150);
	CHECK(rlk_clock_now_ms() - from_ms < LIMIT_MS / 2);
}

static void asks_another_node_than_one_that_cannot_say(void)
{
	static const char *const answers[] = { "-CLUSTERDOWN The cluster is down\r\n", "-LOADING the data\r\n" };

	for (int i = 0; i < 2; i++) {
		CHECK(begin_topology(RLK_TOPOLOGY_CLUSTER, 1));
		active_lock(60000, 20);
		CHECK(start() && accept_at(listener));
		CHECK_STR(request(), RENEWAL);
		CHECK(reply(answers[i]));
		CHECK(accept_at(more[0]));
		CHECK_STR(request(), RENEWAL);
		CHECK(reply(":1\r\n") && counts(1));
		clean_up();
		drop(&more[0]);
		drop(&more[1]);
	}
}

/* A sentinel that names a server which is no master is behind the others: it is not asked again before them. */
static void asks_another_sentinel_than_one_that_is_behind(void)
{
	CHECK(begin_service(1));
	active_lock(60000, 20);
	CHECK(start() && accept_at(listener));
	CHECK_STR(request(), WHO_IS_MASTER);
	CHECK(replies("*2\r\n$9\r\n127.0.0.1\r\n$5\r\n%s\r\n", strchr(addresses[1], ':') + 1));
	CHECK(accept_at(more[1]));
	CHECK_STR(request(), "ROLE");
	CHECK(reply("*3\r\n$5\r\nslave\r\n:0\r\n*0\r\n"));
	CHECK(accept_at(more[0]));
	CHECK_STR(request(), WHO_IS_MASTER);
	CHECK(replies("*2\r\n$9\r\n127.0.0.1\r\n$5\r\n%s\r\n", strchr(addresses[1], ':') + 1));
	CHECK(accept_at(more[1]));
	CHECK_STR(request(), "ROLE");
	CHECK(reply("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n"));
	CHECK_STR(request(), RENEWAL);
	CHECK(reply(":1\r\n") && counts(1));
}

/* What was a master does a renewal that shortens nothing, since that writes nothing, but it cannot be asked for replicas. */
static void finds_the_master_where_a_replica_has_renewed(void)
{
	CHECK(begin_service(0));
	active_lock(60000, 20)->replicas = (rlk_replicas){ .min = 1, .timeout_ms = 100 };
	CHECK(start() && accept_at(listener));
	for (int i = 0; i < 2; i++) {
		CHECK_STR(request(), WHO_IS_MASTER);
		CHECK(replies("*2\r\n$9\r\n127.0.0.1\r\n$5\r\n%s\r\n", strchr(addresses[i], ':') + 1));
		CHECK(accept_at(more[i]));
		CHECK_STR(request(), "ROLE");
		CHECK(reply("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n"));
		CHECK_STR(request(), RENEWAL);
		CHECK(reply(":2\r\n"));
		CHECK_STR(request(), "WAIT 1 100");
		if (i == 1)
			break;
		CHECK(reply("-ERR WAIT cannot be used with replica instances. Please also note\r\n") && hung_up());
		drop(&client);
		client = kept[0]; /* the sentinel */
		kept[0] = -1;
	}
	CHECK(reply(":1\r\n") && counts(1));
}

/* A server says how many replicas have what was written on the same connection. */
static void asks_for_replicas_where_it_has_renewed(void)
{
	CHECK(begin_topology(RLK_TOPOLOGY_CLUSTER, 0));
	active_lock(60000, 20)->replicas = (rlk_replicas){ .min = 1, .timeout_ms = 200 };
	CHECK(start() && accept_at(listener));
	CHECK_STR(request(), RENEWAL);
	CHECK(replies("-ASK 1 %s\r\n", addresses[0]));
	CHECK(accept_at(more[0]));
	CHECK_STR(request(), "ASKING");
	CHECK_STR(request(), RENEWAL);
	CHECK(reply("+OK\r\n:1\r\n"));
	CHECK_STR(request(), "WAIT 1 100");
	CHECK(reply(":0\r\n"));
	CHECK_STR(request(), "WAIT 1 100");
	CHECK(reply(":1\r\n") && counts(1));
}

static void clean_up_more(void)
{
	for (int i = 0; i < 4; i++)
		drop(&kept[i]);
	drop(&more[0]);
	drop(&more[1]);
}

#define RUN_ALL_CLEAN(test) \
	do { \
		RUN_CLEAN(test); \
		clean_up_more(); \
	} while (0)

int main(void)
{
	prepare();
	RUN_ALL_CLEAN(pauses_where_nodes_lead_in_circles);
	RUN_ALL_CLEAN(asks_another_node_than_one_that_cannot_say);
	RUN_ALL_CLEAN(asks_another_sentinel_than_one_that_is_behind);
	RUN_ALL_CLEAN(finds_the_master_where_a_replica_has_renewed);
	RUN_ALL_CLEAN(asks_for_replicas_where_it_has_renewed);
	return unit_done();
}
