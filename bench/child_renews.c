/*
 * child_renews: a process with many locks on one server, for whoever watches its renewal child.
 *
 *     child_renews LOCKS LONG_NAMES TTL_MS INTERVAL_MS SOCKET
 *
 * LONG_NAMES of the names have 10 kB. Prints the pid of the child once all locks are there and held. After that
 * each line on stdin is answered with "renewals writes" so far: confirmed renewals, and send() calls that carried some.
 * At the end of stdin it ends in good order.
 */
#include "child.h"

#include <hiredis/hiredis.h>

#define NAME_MAX_BYTES 10240

static char name[NAME_MAX_BYTES];

/* Long names are spread evenly, as they would be met. */
static rlk_str name_of(long i, long locks, long long_names)
{
	bool is_long = long_names > 0 && i % (locks / long_names) == 0;
	int len = snprintf(name, sizeof(name), "bench:child_renews:%06ld:", i);

	if (!is_long)
		return rlk_str_make(name, (size_t)len - 1);
	memset(name + len, 'x', sizeof(name) - (size_t)len);
	return rlk_str_make(name, sizeof(name));
}

static void set(redisContext *redis, rlk_str key, const char *ttl_ms)
{
	const char *words[] = { "SET", key.data, TOKEN, "PX", ttl_ms };
	const size_t lengths[] = { 3, key.len, sizeof(TOKEN) - 1, 2, strlen(ttl_ms) };
	redisReply *reply = redisCommandArgv(redis, 5, words, lengths);

	if (reply == NULL || reply->type != REDIS_REPLY_STATUS)
		fail("SET failed");
	freeReplyObject(reply);
}

static void hold_all(bench_child *b, const char *socket_path, long locks, long long_names, const char *ttl,
	int64_t interval_ms)
{
	redisContext *redis = redisConnectUnix(socket_path);

	if (redis == NULL || redis->err != 0)
		fail("cannot connect");
	for (long i = 0; i < locks; i++) {
		rlk_str key = name_of(i, locks, long_names);

		set(redis, key, ttl);
		bench_child_hold(b, key, strtol(ttl, NULL, 10), interval_ms);
	}
	redisFree(redis);
}

int main(int argc, char **argv)
{
	static bench_child b;
	char line[16];

	if (argc != 6)
		fail("usage: child_renews LOCKS LONG_NAMES TTL_MS INTERVAL_MS SOCKET");
	bench_child_init(&b, argv[5]);
	hold_all(&b, argv[5], strtol(argv[1], NULL, 10), strtol(argv[2], NULL, 10), argv[3], strtol(argv[4], NULL, 10));
	printf("%ld\n", b.renewal.worker.pid);
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		const rlk_area *area = b.renewal.slots.area;

		printf("%llu %llu\n", (unsigned long long)atomic_load(&area->renewals),
			(unsigned long long)atomic_load(&area->writes));
		fflush(stdout);
	}
	rlk_renewal_stop(&b.renewal);
	rlk_server_destroy(&b.server);
	return 0;
}
