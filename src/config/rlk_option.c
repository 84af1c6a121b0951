/*
 * rlk_option: the rows, and finding one by an exact or a mistyped key, or by what it is called elsewhere.
 *
 * The spellings come from Predis (parameters), phpredis (connect() and its
 * options), Laravel (database.redis.*), Yii2 (Connection) and Symfony (DSN).
 */
#include "config/rlk_option.h"

#include "net/rlk_tls.h"

#include <limits.h>

#define LOCK RLK_OPTION_PER_CALL
#define SECRET RLK_OPTION_SECRET
#define BINARY RLK_OPTION_BINARY
#define EMPTY RLK_OPTION_EMPTY
#define ZERO RLK_OPTION_ZERO
#define FOREVER RLK_OPTION_INFINITE
#define ADDRESS RLK_OPTION_ADDRESS

/* clang-format off */
#define ROW(key, option, kind, flags, min, max) { key, RLK_OPTION_##option, RLK_KIND_##kind, flags, min, max }
/* clang-format on */

#define STRING_MAX 65535
#define RETRIES_MAX 100
#define SERVICE_MAX 255
#define PATH_BYTES_MAX 4095
#define PASSPHRASE_MAX 1023

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

static const rlk_option_row rows[] = {
	/* The lock. `prefix` and `name` say which key it is: unlock($name) would look for another one if a single
	 * call could change them. */
	ROW("name", NAME, STRING, BINARY, 0, RLK_NAME_MAX),
	ROW("prefix", PREFIX, STRING, BINARY | EMPTY, 0, RLK_NAME_MAX),
	ROW("token", TOKEN, STRING, BINARY | LOCK, 0, RLK_TOKEN_GIVEN_MAX),
	ROW("label", LABEL, STRING, EMPTY | LOCK, 0, RLK_LABEL_MAX),
	ROW("ttl", TTL, SECONDS, ZERO | LOCK, 0, 0),
	ROW("expiredTime", TTL, SECONDS, ZERO | LOCK, 0, 0),
	ROW("wait", WAIT, SECONDS, ZERO | FOREVER | LOCK, 0, 0),
	ROW("waitTime", WAIT, SECONDS, ZERO | FOREVER | LOCK, 0, 0),
	ROW("retry", RETRY, MS, LOCK, 1, RLK_TTL_MAX_MS),
	ROW("frequency", RETRY, MS, LOCK, 1, RLK_TTL_MAX_MS),
	ROW("interval", INTERVAL, SECONDS, LOCK, 0, 0),
	ROW("seconds", INTERVAL, SECONDS, LOCK, 0, 0),
	ROW("max_hold", MAX_HOLD, SECONDS, LOCK, 0, 0),
	ROW("hold_at_least", HOLD_AT_LEAST, SECONDS, ZERO | LOCK, 0, 0),
	ROW("linger", LINGER, SECONDS, ZERO | LOCK, 0, 0),
	ROW("renew", RENEW, BOOL, LOCK, 0, 0),
	ROW("reentrant", REENTRANT, BOOL, LOCK, 0, 0),
	ROW("fence", FENCE, BOOL, LOCK, 0, 0),
	ROW("on_lost", ON_LOST, ON_LOST, LOCK, 0, 0),
	ROW("min_replicas", MIN_REPLICAS, INT, LOCK, 0, RLK_REPLICAS_MAX),
	ROW("replica_timeout", REPLICA_TIMEOUT, SECONDS, LOCK, 0, 0),
	ROW("release_async", RELEASE_ASYNC, BOOL, LOCK, 0, 0),

	/* The server. */
	ROW("host", HOST, HOST, ADDRESS, 0, 0),
	ROW("hostname", HOST, HOST, ADDRESS, 0, 0),
	/* 0 and -1 are how phpredis and Laravel write "no port" beside the path of a socket. */
	ROW("port", PORT, INT, ADDRESS, -1, 65535),
	ROW("scheme", SCHEME, SCHEME, ADDRESS, 0, 0),
	ROW("path", PATH, PATH, ADDRESS, 0, 0),
	ROW("unixSocket", PATH, PATH, ADDRESS, 0, 0),
	ROW("unix_socket", PATH, PATH, ADDRESS, 0, 0),
	ROW("database", DATABASE, INT, EMPTY | ADDRESS, 0, INT_MAX),
	ROW("db", DATABASE, INT, EMPTY | ADDRESS, 0, INT_MAX),
	ROW("dbindex", DATABASE, INT, EMPTY | ADDRESS, 0, INT_MAX),
	ROW("username", USER, STRING, SECRET | EMPTY | ADDRESS, 0, STRING_MAX),
	ROW("user", USER, STRING, SECRET | EMPTY | ADDRESS, 0, STRING_MAX),
	ROW("password", PASSWORD, STRING, SECRET | EMPTY | ADDRESS, 0, STRING_MAX),
	ROW("pass", PASSWORD, STRING, SECRET | EMPTY | ADDRESS, 0, STRING_MAX),
	ROW("auth", NONE, AUTH, SECRET | EMPTY | ADDRESS, 0, STRING_MAX),
	ROW("client_name", CLIENT_NAME, STRING, EMPTY, 0, 255),
	ROW("timeout", CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	ROW("connectionTimeout", CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	ROW("connect_timeout", CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	ROW("connectTimeout", CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	ROW("read_write_timeout", IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	ROW("read_timeout", IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	ROW("readTimeout", IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	ROW("dataTimeout", IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS),
	ROW("retries", RETRIES, INT, 0, 0, RETRIES_MAX),
	ROW("max_retries", RETRIES, INT, 0, 0, RETRIES_MAX),
	ROW("retry_interval", RETRY_DELAY, MS, 0, 0, RLK_TIMEOUT_MAX_MS),
	ROW("retryInterval", RETRY_DELAY, US, 0, 0, RLK_TIMEOUT_MAX_MS),
	ROW("backoff_base", BACKOFF_BASE, MS, 0, 0, RLK_TIMEOUT_MAX_MS),
	ROW("backoff_cap", BACKOFF_CAP, MS, 0, 0, RLK_TIMEOUT_MAX_MS),
	ROW("persistent", PERSISTENT, BOOL_OR_ID, 0, 0, 0),
	ROW("useSSL", NONE, TLS, ADDRESS, 0, 0),
	ROW("ssl", NONE, TLS, ADDRESS, 0, 0),
	ROW("context", NONE, TLS, ADDRESS, 0, 0),
	ROW("contextOptions", NONE, TLS, ADDRESS, 0, 0),
	ROW("url", NONE, URL, SECRET | ADDRESS, 0, 0),
	ROW("servers", NONE, SERVERS, ADDRESS, 0, 0),

	/* Who knows the server. */
	ROW("sentinels", NONE, SEEDS, ADDRESS, 0, 0),
	ROW("service", SERVICE, STRING, EMPTY, 0, SERVICE_MAX),
	ROW("redis_sentinel", SERVICE, STRING, EMPTY, 0, SERVICE_MAX),
	ROW("sentinel_master", SERVICE, STRING, EMPTY, 0, SERVICE_MAX),
	ROW("sentinel_service", SERVICE, STRING, EMPTY, 0, SERVICE_MAX),
	ROW("sentinel_username", SENTINEL_USER, STRING, SECRET | EMPTY, 0, STRING_MAX),
	ROW("sentinel_password", SENTINEL_PASSWORD, STRING, SECRET | EMPTY, 0, STRING_MAX),
	ROW("replication", REPLICATION, REPLICATION, 0, 0, 0),
	ROW("cluster", CLUSTER, SEEDS, ADDRESS, 0, 0),
	ROW("redis_cluster", CLUSTER, BOOL, ADDRESS, 0, 0),
	ROW("options", NONE, NESTED, 0, 0, 0),
	ROW("default", NONE, CONNECTION, 0, 0, 0),
};

static const rlk_option_row nested[] = {
	ROW("options.prefix", PREFIX, STRING, BINARY | EMPTY, 0, RLK_NAME_MAX),
	ROW("ssl.verify_peer", TLS_VERIFY_PEER, BOOL, 0, 0, 0),
	ROW("ssl.verify_peer_name", TLS_VERIFY_NAME, BOOL, 0, 0, 0),
	ROW("ssl.allow_self_signed", TLS_ALLOW_SELF_SIGNED, BOOL, 0, 0, 0),
	ROW("ssl.peer_name", TLS_PEER_NAME, STRING, EMPTY, 0, RLK_TLS_NAME_MAX - 1),
	ROW("ssl.cafile", TLS_CAFILE, STRING, EMPTY, 0, PATH_BYTES_MAX),
	ROW("ssl.capath", TLS_CAPATH, STRING, EMPTY, 0, PATH_BYTES_MAX),
	ROW("ssl.local_cert", TLS_LOCAL_CERT, STRING, EMPTY, 0, PATH_BYTES_MAX),
	ROW("ssl.local_pk", TLS_LOCAL_PK, STRING, EMPTY, 0, PATH_BYTES_MAX),
	ROW("ssl.passphrase", TLS_PASSPHRASE, STRING, SECRET | EMPTY, 0, PASSPHRASE_MAX),
	/* What is so anyway. */
	ROW("ssl.SNI_enabled", NONE, BOOL, 0, 0, 0),
	ROW("ssl.disable_compression", NONE, BOOL, 0, 0, 0),
};

/* What cannot change what a lock means. (Asking the sentinels is part of connecting, and has the time of that.) */
static const char *const ignored[] = { "sentinel_timeout", "sentinel_read_timeout", "sentinel_retry_interval",
	"sentinel_persistent", "persistent_id", "conn_uid", "alias", "weight", "role", "protocol", "async_connect",
	"tcp_nodelay", "tcp_keepalive", "client_info", "cache", "lazy", "driver", "client", "scan", "serializer",
	"pack_ignore_numbers", "command_retries", "backoff", "backoff_algorithm", "failover", "class", "command_timeout",
	"redirectConnectionString", "redisCommands", "socketClientFlags" };

const rlk_option_row *rlk_option_find(rlk_str key)
{
	static const rlk_option_row without_effect = ROW("", NONE, IGNORED, 0, 0, 0);

	if (key.len == 0)
		return NULL;
	for (size_t i = 0; i < COUNT(rows); i++) {
		/* Spares measuring most rows, for each option of each lock made. */
		if (rows[i].key[0] == key.data[0] && rlk_str_equal(key, rlk_str_from_cstr(rows[i].key)))
			return &rows[i];
	}
	for (size_t i = 0; i < COUNT(ignored); i++) {
		if (rlk_str_equal(key, rlk_str_from_cstr(ignored[i])))
			return &without_effect;
	}
	/* compression_level and the like. */
	return rlk_str_starts_with(key, RLK_STR("compression")) ? &without_effect : NULL;
}

const rlk_option_row *rlk_option_find_nested(const char *within, rlk_str key)
{
	size_t len = strlen(within);

	for (size_t i = 0; i < COUNT(nested); i++) {
		if (strncmp(nested[i].key, within, len) == 0 && rlk_str_equal(key, rlk_str_from_cstr(nested[i].key + len)))
			return &nested[i];
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
			bool same = i > 0 && j > 0 && rlk_lower(a.data[i - 1]) == rlk_lower(b.data[j - 1]);

			if (i == 0 || j == 0) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && rlk_lower(a.data[i - 1]) == rlk_lower(b.data[j - 2]) &&
				rlk_lower(a.data[i - 2]) == rlk_lower(b.data[j - 1]) && d[i - 2][j - 2] + 1 < d[i][j])
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
	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned distance = edit_distance(key, rlk_str_from_cstr(rows[i].key));

		if (distance < best && distance <= allowed) {
			best = distance;
			nearest = rows[i].key;
		}
	}
	return nearest;
}

/* What other lock libraries, and people who guess, call our options. Only keys we do not know get here, so an entry never
 * takes an option from anybody. Lower case, without "_" and "-": "lock_name", "lockName" and "lock-name" are one. */
static const struct {
	const char *hint;
	const char *keys[16];
} hints[] = {
	{ "the time to live is \"ttl\", in seconds",
		{ "expire", "expires", "expiry", "expiration", "expiresin", "expiretime", "lifetime", "lease", "leasetime",
			"duration", "locktimeout", "lockttl", "maxttl", "px", "ex" } },
	{ "the time to live is \"ttl\", in seconds, fractions allowed",
		{ "ttlms", "milliseconds", "expirems", "leasems" } },
	{ "the name of the lock is \"name\"",
		{ "key", "resource", "lockname", "lockkey", "lock", "id", "mutex", "job", "task", "taskname" } },
	{ "how long to wait is \"wait\", in seconds; INF waits without limit",
		{ "block", "blocking", "blocked", "blocktimeout", "blockingtimeout", "waittimeout", "maxwait", "acquiretimeout",
			"waitfor", "spin", "tries", "attempts", "retrycount", "maxattempts", "maxtries" } },
	{ "the pause between two tries is \"retry\", in ms",
		{ "retrydelay", "retryms", "retrysleep", "sleep", "poll", "pollinterval", "retryafter", "retrywait" } },
	{ "a lock that ends with its process is \"renew\" => true",
		{ "autorelease", "autorenew", "autorefresh", "autoextend", "keepalive", "refresh", "watchdog", "renewal",
			"bound", "processbound" } },
	{ "the time between two renewals is \"interval\", in seconds",
		{ "refreshinterval", "renewinterval", "renewalinterval", "heartbeat", "heartbeatinterval", "refreshtime" } },
	{ "the owner's own token is \"token\"", { "owner", "lockid", "lockvalue", "lockowner", "value", "uniqueid" } },
	{ "the server is \"host\" and \"port\", or one \"url\"",
		{ "address", "addr", "uri", "dsn", "server", "endpoint", "connection", "redis", "hostport" } },
	{ "independent servers are \"servers\", seeds of a Cluster \"cluster\"",
		{ "nodes", "hosts", "masters", "instances", "seeds" } },
	{ "the name by which sentinels know the master is \"service\"",
		{ "master", "mastername", "servicename", "sentinelservicename", "masterset" } },
	{ "TLS is \"scheme\" => \"tls\"", { "tls", "usetls", "usessl", "encrypted", "encryption", "secure" } },
	{ "the key is \"prefix\" and \"name\"", { "namespace", "keyprefix", "lockprefix" } },
	{ "what holder() shows is \"label\"", { "description", "comment", "title", "tag", "holder" } },
	{ "the number that grows with each acquisition is \"fence\" => true", { "fencing", "fencingtoken", "fencetoken" } },
	{ "the least time a lock is kept is \"hold_at_least\", in seconds",
		{ "minhold", "mintime", "cooldown", "lockatleastfor" } },
	{ "the longest time a lock is renewed is \"max_hold\", in seconds", { "maxtime", "maxruntime", "lockatmostfor" } },
};

#define FOLDED_MAX 24

static rlk_str fold(rlk_str key, char out[FOLDED_MAX])
{
	size_t len = 0;

	for (size_t i = 0; i < key.len; i++) {
		if (key.data[i] == '_' || key.data[i] == '-')
			continue;
		if (len == FOLDED_MAX)
			return rlk_str_make(NULL, 0);
		out[len++] = rlk_lower(key.data[i]);
	}
	return rlk_str_make(out, len);
}

const char *rlk_option_hint(rlk_str key)
{
	char buf[FOLDED_MAX];
	rlk_str folded = fold(key, buf);

	for (size_t i = 0; i < COUNT(hints); i++) {
		for (size_t k = 0; k < 16 && hints[i].keys[k] != NULL; k++) {
			if (rlk_str_equal(folded, rlk_str_from_cstr(hints[i].keys[k])))
				return hints[i].hint;
		}
	}
	return NULL;
}
