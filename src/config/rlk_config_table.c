/*
 * rlk_config_table: the rows, and finding one by an exact or a mistyped key.
 *
 * The spellings come from Predis (parameters), phpredis (connect() and its
 * options), Laravel (database.redis.*), Yii2 (Connection) and Symfony (DSN).
 */
#include "config/rlk_config_table.h"

#include "config/rlk_config.h"

#include <limits.h>

#define LOCK RLK_OPTION_PER_CALL
#define SECRET RLK_OPTION_SECRET
#define BINARY RLK_OPTION_BINARY
#define EMPTY RLK_OPTION_EMPTY
#define ZERO RLK_OPTION_ZERO

#define STRING_ROW(key, option, flags, min, max) \
	{ \
		key, NULL, RLK_OPTION_##option, RLK_KIND_STRING, flags, min, max \
	}
#define VALUE_ROW(key, option, kind, flags) \
	{ \
		key, NULL, RLK_OPTION_##option, RLK_KIND_##kind, flags, 0, 0 \
	}
#define NUMBER_ROW(key, option, kind, flags, min, max) \
	{ \
		key, NULL, RLK_OPTION_##option, RLK_KIND_##kind, flags, min, max \
	}
#define REFUSED_ROW(key, flags, missing) \
	{ \
		key, missing, RLK_OPTION_NONE, RLK_KIND_REFUSED, flags, 0, 0 \
	}
#define IGNORED_ROW(key, flags) \
	{ \
		key, NULL, RLK_OPTION_NONE, RLK_KIND_IGNORED, flags, 0, 0 \
	}

#define STRING_MAX 65535
#define RETRIES_MAX 100
#define SERVICE_MAX 255

static const rlk_option_row rows[] = {
	/* The lock. `prefix` and `name` say which key it is: unlock($name) would look for another one if a single
	 * call could change them. */
	STRING_ROW("name", NAME, BINARY, 1, RLK_NAME_MAX),
	STRING_ROW("prefix", PREFIX, BINARY | EMPTY, 0, RLK_NAME_MAX),
	STRING_ROW("token", TOKEN, BINARY | LOCK, 1, RLK_TOKEN_GIVEN_MAX),
	STRING_ROW("label", LABEL, EMPTY | LOCK, 0, RLK_LABEL_MAX),
	VALUE_ROW("ttl", TTL, SECONDS, ZERO | LOCK),
	VALUE_ROW("expiredTime", TTL, SECONDS, ZERO | LOCK),
	VALUE_ROW("wait", WAIT, SECONDS, ZERO | RLK_OPTION_INFINITE | LOCK),
	VALUE_ROW("waitTime", WAIT, SECONDS, ZERO | RLK_OPTION_INFINITE | LOCK),
	NUMBER_ROW("retry", RETRY, MS, LOCK, 1, RLK_TTL_MAX_MS),
	NUMBER_ROW("frequency", RETRY, MS, LOCK, 1, RLK_TTL_MAX_MS),
	VALUE_ROW("interval", INTERVAL, SECONDS, LOCK),
	VALUE_ROW("seconds", INTERVAL, SECONDS, LOCK),
	VALUE_ROW("max_hold", MAX_HOLD, SECONDS, LOCK),
	VALUE_ROW("hold_at_least", HOLD_AT_LEAST, SECONDS, ZERO | LOCK),
	VALUE_ROW("linger", LINGER, SECONDS, ZERO | LOCK),
	VALUE_ROW("renew", RENEW, BOOL, LOCK),
	VALUE_ROW("reentrant", REENTRANT, BOOL, LOCK),
	VALUE_ROW("fence", FENCE, BOOL, LOCK),
	VALUE_ROW("on_lost", ON_LOST, ON_LOST, LOCK),
	NUMBER_ROW("min_replicas", MIN_REPLICAS, INT, LOCK, 0, RLK_REPLICAS_MAX),
	VALUE_ROW("replica_timeout", REPLICA_TIMEOUT, SECONDS, LOCK),
	VALUE_ROW("release_async", RELEASE_ASYNC, BOOL, LOCK),

	/* The server. */
	VALUE_ROW("host", HOST, HOST, 0),
	VALUE_ROW("hostname", HOST, HOST, 0),
	/* 0 and -1 are how phpredis and Laravel write "no port" beside the path of a socket. */
	NUMBER_ROW("port", PORT, INT, 0, -1, 65535),
	VALUE_ROW("scheme", SCHEME, SCHEME, 0),
	VALUE_ROW("path", PATH, PATH, 0),
	VALUE_ROW("unixSocket", PATH, PATH, 0),
	VALUE_ROW("unix_socket", PATH, PATH, 0),
	NUMBER_ROW("database", DATABASE, INT, EMPTY, 0, INT_MAX),
	NUMBER_ROW("db", DATABASE, INT, EMPTY, 0, INT_MAX),
	NUMBER_ROW("dbindex", DATABASE, INT, EMPTY, 0, INT_MAX),
	STRING_ROW("username", USER, SECRET | EMPTY, 0, STRING_MAX),
	STRING_ROW("user", USER, SECRET | EMPTY, 0, STRING_MAX),
	STRING_ROW("password", PASSWORD, SECRET | EMPTY, 0, STRING_MAX),
	STRING_ROW("pass", PASSWORD, SECRET | EMPTY, 0, STRING_MAX),
	NUMBER_ROW("auth", NONE, AUTH, SECRET | EMPTY, 0, STRING_MAX),
	STRING_ROW("client_name", CLIENT_NAME, EMPTY, 0, 255),
	NUMBER_ROW("timeout", CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("connectionTimeout", CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("connect_timeout", CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("connectTimeout", CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("read_write_timeout", IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("read_timeout", IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("readTimeout", IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("dataTimeout", IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("retries", RETRIES, INT, 0, 0, RETRIES_MAX),
	NUMBER_ROW("max_retries", RETRIES, INT, 0, 0, RETRIES_MAX),
	NUMBER_ROW("retry_interval", RETRY_DELAY, MS, ZERO, 0, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("retryInterval", RETRY_DELAY, US, ZERO, 0, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("backoff_base", BACKOFF_BASE, MS, ZERO, 0, RLK_TIMEOUT_MAX_MS),
	NUMBER_ROW("backoff_cap", BACKOFF_CAP, MS, ZERO, 0, RLK_TIMEOUT_MAX_MS),
	VALUE_ROW("persistent", PERSISTENT, BOOL_OR_ID, 0),
	VALUE_ROW("useSSL", NONE, TLS, 0),
	VALUE_ROW("ssl", NONE, TLS, 0),
	VALUE_ROW("context", NONE, TLS, 0),
	VALUE_ROW("contextOptions", NONE, TLS, 0),
	VALUE_ROW("url", NONE, URL, SECRET),
	VALUE_ROW("servers", NONE, SERVERS, 0),

	/* Who knows the server. */
	VALUE_ROW("sentinels", NONE, NODES, 0),
	STRING_ROW("service", SERVICE, EMPTY, 0, SERVICE_MAX),
	STRING_ROW("redis_sentinel", SERVICE, EMPTY, 0, SERVICE_MAX),
	STRING_ROW("sentinel_master", SERVICE, EMPTY, 0, SERVICE_MAX),
	STRING_ROW("sentinel_service", SERVICE, EMPTY, 0, SERVICE_MAX),
	STRING_ROW("sentinel_username", SENTINEL_USER, SECRET | EMPTY, 0, STRING_MAX),
	STRING_ROW("sentinel_password", SENTINEL_PASSWORD, SECRET | EMPTY, 0, STRING_MAX),
	VALUE_ROW("replication", REPLICATION, REPLICATION, 0),
	VALUE_ROW("cluster", CLUSTER, NODES, 0),
	VALUE_ROW("redis_cluster", CLUSTER, BOOL, 0),
	VALUE_ROW("options", NONE, NESTED, 0),
	VALUE_ROW("default", NONE, CONNECTION, 0),

	/* Not built yet. Going on without them would mean another server, clear text, or a weaker promise. */

	/* Asking the sentinels is part of connecting, and has the time of that. */
	IGNORED_ROW("sentinel_timeout", 0),
	IGNORED_ROW("sentinel_read_timeout", 0),
	IGNORED_ROW("sentinel_retry_interval", 0),
	IGNORED_ROW("sentinel_persistent", 0),
	IGNORED_ROW("persistent_id", 0),
	IGNORED_ROW("conn_uid", 0),
	IGNORED_ROW("alias", 0),
	IGNORED_ROW("weight", 0),
	IGNORED_ROW("role", 0),
	IGNORED_ROW("protocol", 0),
	IGNORED_ROW("async_connect", 0),
	IGNORED_ROW("tcp_nodelay", 0),
	IGNORED_ROW("tcp_keepalive", 0),
	IGNORED_ROW("client_info", 0),
	IGNORED_ROW("cache", 0),
	IGNORED_ROW("lazy", 0),
	IGNORED_ROW("driver", 0),
	IGNORED_ROW("client", 0),
	IGNORED_ROW("scan", 0),
	IGNORED_ROW("serializer", 0),
	IGNORED_ROW("compression", RLK_OPTION_STEM),
	IGNORED_ROW("pack_ignore_numbers", 0),
	IGNORED_ROW("command_retries", 0),
	IGNORED_ROW("backoff", 0),
	IGNORED_ROW("backoff_algorithm", 0),
	IGNORED_ROW("failover", 0),
	IGNORED_ROW("class", 0),
	IGNORED_ROW("command_timeout", 0),
	IGNORED_ROW("redirectConnectionString", 0),
	IGNORED_ROW("redisCommands", 0),
	IGNORED_ROW("socketClientFlags", 0),
};

const rlk_option_row rlk_option_nested_prefix = STRING_ROW("options.prefix", PREFIX, BINARY | EMPTY, 0, RLK_NAME_MAX);

const rlk_option_row *rlk_option_find(rlk_str key)
{
	if (key.len == 0)
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rlk_str known;

		/* Spares measuring most rows, for each option of each lock made. */
		if (rows[i].key[0] != key.data[0])
			continue;
		known = rlk_str_from_cstr(rows[i].key);
		if (rlk_str_equal(key, known))
			return &rows[i];
		if ((rows[i].flags & RLK_OPTION_STEM) != 0 && rlk_str_starts_with(key, known))
			return &rows[i];
	}
	return NULL;
}

#define NEAREST_KEY_MAX 32

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b, letter case aside. Both are
 * at most NEAREST_KEY_MAX long. */
static unsigned edit_distance(rlk_str a, rlk_str b)
{
	unsigned d[NEAREST_KEY_MAX + 1][NEAREST_KEY_MAX + 1];

	for (size_t i = 0; i <= a.len; i++) {
		for (size_t j = 0; j <= b.len; j++) {
			bool same = i > 0 && j > 0 && rlk_config_lower(a.data[i - 1]) == rlk_config_lower(b.data[j - 1]);

			if (i == 0 || j == 0) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && rlk_config_lower(a.data[i - 1]) == rlk_config_lower(b.data[j - 2]) &&
				rlk_config_lower(a.data[i - 2]) == rlk_config_lower(b.data[j - 1]) && d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[a.len][b.len];
}

const char *rlk_option_nearest(rlk_str key)
{
	/* A third of the letters may be wrong: a suggestion further off than that puzzles more than it helps. */
	unsigned allowed = key.len < 6 ? 1 : (unsigned)key.len / 3, best = UINT_MAX;
	const char *nearest = NULL;

	if (key.len < 2 || key.len > NEAREST_KEY_MAX)
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned distance;

		/* Nobody is helped by the name of an option without effect. */
		if (rows[i].kind == RLK_KIND_IGNORED)
			continue;
		distance = edit_distance(key, rlk_str_from_cstr(rows[i].key));
		if (distance < best && distance <= allowed) {
			best = distance;
			nearest = rows[i].key;
		}
	}
	return nearest;
}
