/*
 * rlk_option: the table, the check of a value against its row, and hints for unknown keys.
 *
 * Beside our own spellings the table has the flat ones of Predis (parameters), phpredis (connect()), Laravel (a
 * connection) and Yii 2 (Connection). RedisLock\Options::from() reads nested ones in PHP.
 */
#include "config/rlk_option.h"

#include "base/rlk_os.h"
#include "config/rlk_uri.h"
#include "lock/rlk_kind.h"
#include "lock/rlk_quorum.h"
#include "net/rlk_tls.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#define OPTION_ALLOWED_MAX 128
#define DIGITS_MAX 24

/* --- the table --- */

#define LOCK RLK_OPTION_PER_CALL
#define SECRET RLK_OPTION_SECRET
#define BINARY RLK_OPTION_BINARY
#define EMPTY RLK_OPTION_EMPTY
#define ZERO RLK_OPTION_ZERO
#define FOREVER RLK_OPTION_INFINITE
#define NEGATED RLK_OPTION_NEGATED

#define CONFIG(field) RLK_KEPT_IN_CONFIG, offsetof(rlk_config, field), sizeof(((rlk_config *)0)->field)
#define SERVER(field) RLK_KEPT_IN_SERVER, offsetof(rlk_server, field), sizeof(((rlk_server *)0)->field)
#define NOWHERE RLK_KEPT_NOWHERE, 0, 0

#define STRING_MAX 65535
#define RETRIES_MAX 100
#define REPLICAS_MAX 100
#define SERVICE_MAX 255
#define PATH_BYTES_MAX 4095
#define PASSPHRASE_MAX 1023

/* clang-format off */
#define ROW(option, kind, flags, min, max, kept, ...) \
	{ RLK_OPTION_##option, RLK_KIND_##kind, flags, min, max, kept, { __VA_ARGS__ } }

const rlk_option_row rlk_option_rows[] = {
	/* The lock. `prefix` and `name` are not for single calls: unlock($name) would look for another key. */
	ROW(NAME, STRING, BINARY, 0, RLK_NAME_MAX, CONFIG(name), "name"),
	ROW(PREFIX, STRING, BINARY | EMPTY, 0, RLK_NAME_MAX, CONFIG(prefix), "prefix"),
	ROW(TOKEN, STRING, BINARY | LOCK, 0, RLK_TOKEN_GIVEN_MAX, CONFIG(token), "token"),
	ROW(LABEL, STRING, EMPTY | LOCK, 0, RLK_LABEL_MAX, CONFIG(label), "label"),
	ROW(TTL, SECONDS, ZERO | LOCK, 0, 0, CONFIG(ttl_ms), "ttl", "expiredTime"),
	ROW(WAIT, SECONDS, ZERO | FOREVER | LOCK, 0, 0, CONFIG(wait_ms), "wait", "waitTime"),
	ROW(RETRY, MS, LOCK, 1, RLK_TTL_MAX_MS, CONFIG(retry_ms), "retry_ms", "frequency"),
	ROW(INTERVAL, SECONDS, LOCK, 0, 0, CONFIG(interval_given_ms), "interval"),
	ROW(MAX_HOLD, SECONDS, LOCK, 0, 0, CONFIG(max_hold_ms), "max_hold"),
	ROW(HOLD_AT_LEAST, SECONDS, ZERO | LOCK, 0, 0, CONFIG(hold_at_least_ms), "hold_at_least"),
	ROW(LINGER, SECONDS, ZERO | LOCK, 0, 0, CONFIG(linger_ms), "linger"),
	ROW(RENEW, BOOL, LOCK, 0, 0, CONFIG(renew), "renew"),
	ROW(REENTRANT, BOOL, LOCK, 0, 0, CONFIG(reentrant), "reentrant"),
	ROW(FENCE, BOOL, LOCK, 0, 0, CONFIG(fence), "fence"),
	ROW(ON_LOST, ON_LOST, LOCK, 0, 0, CONFIG(on_lost), "on_lost"),
	ROW(MIN_REPLICAS, INT, LOCK, 0, REPLICAS_MAX, CONFIG(min_replicas), "min_replicas"),
	ROW(REPLICA_TIMEOUT, SECONDS, LOCK, 0, 0, CONFIG(replica_timeout_ms), "replica_timeout"),
	ROW(PERMITS, INT, LOCK, 1, RLK_PERMITS_MAX, CONFIG(permits), "permits"),
	ROW(WEIGHT, INT, LOCK, 1, RLK_PERMITS_MAX, CONFIG(weight), "weight"),
	ROW(SHARED, BOOL, LOCK, 0, 0, CONFIG(shared), "shared"),

	/* The server. */
	ROW(HOST, HOST, EMPTY, 0, 0, SERVER(host), "host", "hostname"),
	/* phpredis and Laravel write 0 or -1 beside the path of a socket. */
	ROW(PORT, INT, 0, -1, 65535, SERVER(port), "port"),
	ROW(SCHEME, SCHEME, 0, 0, 0, NOWHERE, "scheme"),
	ROW(TRANSPORT, INT, 0, 0, 0, SERVER(transport), NULL),
	ROW(PATH, PATH, 0, 0, 0, SERVER(path), "path", "unixSocket", "unix_socket"),
	ROW(DATABASE, INT, EMPTY, 0, INT_MAX, SERVER(database), "database", "db", "dbindex"),
	ROW(USER, STRING, SECRET | EMPTY, 0, STRING_MAX, SERVER(user), "username", "user"),
	ROW(PASSWORD, STRING, SECRET | EMPTY, 0, STRING_MAX, SERVER(password), "password", "pass"),
	ROW(NONE, AUTH, SECRET | EMPTY, 0, STRING_MAX, NOWHERE, "auth"),
	ROW(CLIENT_NAME, STRING, EMPTY, 0, 255, SERVER(client_name), "client_name"),
	ROW(CONNECT_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS, SERVER(connect_timeout_ms),
		"timeout", "connectionTimeout", "connect_timeout", "connectTimeout"),
	ROW(IO_TIMEOUT, TIMEOUT, 0, 1, RLK_TIMEOUT_MAX_MS, SERVER(io_timeout_ms),
		"read_write_timeout", "read_timeout", "readTimeout", "dataTimeout"),
	ROW(RETRIES, INT, 0, 0, RETRIES_MAX, SERVER(retries), "retries", "max_retries"),
	ROW(RETRY_DELAY, MS, 0, 0, RLK_TIMEOUT_MAX_MS, SERVER(retry_delay_ms), "retry_interval"),
	ROW(RETRY_DELAY, US, 0, 0, RLK_TIMEOUT_MAX_MS, NOWHERE, "retryInterval"),
	ROW(PERSISTENT, BOOL_OR_ID, 0, 0, 0, CONFIG(persistent), "persistent"),
	ROW(TLS_WANTED, TLS, 0, 0, 0, NOWHERE, "useSSL", "ssl"),
	ROW(NONE, URL, SECRET, 0, 0, NOWHERE, "url"),
	ROW(SERVERS, LIST, 0, 0, RLK_QUORUM_MAX, NOWHERE, "servers"),

	/* Sentinels and Clusters. */
	ROW(SENTINELS, LIST, 0, 0, RLK_CONFIG_SEEDS_MAX, NOWHERE, "sentinels"),
	ROW(SERVICE, STRING, EMPTY, 0, SERVICE_MAX, CONFIG(service), "service"),
	ROW(SENTINEL_USER, STRING, SECRET | EMPTY, 0, STRING_MAX, NOWHERE, "sentinel_username"),
	ROW(SENTINEL_PASSWORD, STRING, SECRET | EMPTY, 0, STRING_MAX, NOWHERE, "sentinel_password"),
	ROW(CLUSTER, LIST, 0, 0, RLK_CONFIG_SEEDS_MAX, NOWHERE, "cluster"),

	/* In `ssl`. Messages show the whole name. */
	ROW(TLS_VERIFY_PEER, BOOL, NEGATED, 0, 0, SERVER(tls.no_verify_peer), "ssl.verify_peer"),
	ROW(TLS_VERIFY_NAME, BOOL, NEGATED, 0, 0, SERVER(tls.no_verify_name), "ssl.verify_peer_name"),
	ROW(TLS_ALLOW_SELF_SIGNED, BOOL, 0, 0, 0, SERVER(tls.allow_self_signed), "ssl.allow_self_signed"),
	ROW(TLS_PEER_NAME, STRING, EMPTY, 0, RLK_TLS_NAME_MAX - 1, SERVER(tls.peer_name), "ssl.peer_name"),
	ROW(TLS_CAFILE, STRING, EMPTY, 0, PATH_BYTES_MAX, SERVER(tls.cafile), "ssl.cafile"),
	ROW(TLS_CAPATH, STRING, EMPTY, 0, PATH_BYTES_MAX, SERVER(tls.capath), "ssl.capath"),
	ROW(TLS_LOCAL_CERT, STRING, EMPTY, 0, PATH_BYTES_MAX, SERVER(tls.local_cert), "ssl.local_cert"),
	ROW(TLS_LOCAL_PK, STRING, EMPTY, 0, PATH_BYTES_MAX, SERVER(tls.local_pk), "ssl.local_pk"),
	ROW(TLS_PASSPHRASE, STRING, SECRET | EMPTY, 0, PASSPHRASE_MAX, SERVER(tls.passphrase), "ssl.passphrase"),
	/* Always so. */
	ROW(NONE, BOOL, 0, 0, 0, NOWHERE, "ssl.SNI_enabled", "ssl.disable_compression"),
};
/* clang-format on */

const size_t rlk_option_row_count = sizeof(rlk_option_rows) / sizeof(rlk_option_rows[0]);

_Static_assert(RLK_OPTION_NONE < 64, "a set of options has a bit for each");

/* Options of clients that do not change what a lock means. */
static const char *const ignored[] = { "persistent_id", "conn_uid", "alias", "role", "protocol", "async_connect",
	"tcp_nodelay", "tcp_keepalive", "client_info", "cache", "lazy", "driver", "client", "scan", "serializer",
	"compression", "compression_level", "pack_ignore_numbers", "command_retries", "backoff", "backoff_algorithm",
	"backoff_base", "backoff_cap", "failover", "class", "command_timeout", "redirectConnectionString", "redisCommands",
	"socketClientFlags" };

rlk_option rlk_option_find(const char *within, rlk_str key)
{
	static const rlk_option_row without_effect = { .option = RLK_OPTION_NONE, .kind = RLK_KIND_IGNORED };
	size_t len = strlen(within);
	/* Compares the first byte first, which is faster for each option of each new lock. */
	char first = len > 0 ? within[0] : key.len > 0 ? key.data[0] : '\0';

	for (size_t i = 0; i < rlk_option_row_count; i++) {
		for (const char *const *other = rlk_option_rows[i].keys; *other != NULL; other++) {
			if (**other == first && strncmp(*other, within, len) == 0 &&
				rlk_str_equal(key, rlk_str_from_cstr(*other + len)) && strchr(*other + len, '.') == NULL)
				return (rlk_option){ &rlk_option_rows[i], *other };
		}
	}
	for (size_t i = 0; len == 0 && i < sizeof(ignored) / sizeof(ignored[0]); i++) {
		if (*ignored[i] == first && rlk_str_equal(key, rlk_str_from_cstr(ignored[i])))
			return (rlk_option){ &without_effect, ignored[i] };
	}
	return (rlk_option){ NULL, NULL };
}

/* --- numbers and times --- */

bool rlk_option_wrong_type(const char *key, const rlk_value *value, const char *allowed, rlk_error *err)
{
	char given[RLK_SHOWN_MAX];

	return RLK_WRONG_TYPE(err, "option \"%s\" must be %s, %s given", key, allowed,
		rlk_value_type_name(value, given, sizeof(given)));
}

static bool read_number(const rlk_option_row *row, const rlk_number *number, int64_t *out)
{
	bool zero = (row->flags & RLK_OPTION_ZERO) != 0, infinite = (row->flags & RLK_OPTION_INFINITE) != 0;
	double in_ms = row->kind == RLK_KIND_US ? number->real / 1000 : number->real;

	switch (row->kind) {
		case RLK_KIND_SECONDS:
			return rlk_seconds_to_ms(number->real, zero, infinite, out);
		case RLK_KIND_TIMEOUT:
			return rlk_timeout_to_ms(number->real, out);
		case RLK_KIND_INT:
			*out = number->whole;
			return number->is_whole && number->whole >= row->min && number->whole <= row->max;
		default:
			if (!(in_ms >= (double)row->min && in_ms <= (double)row->max))
				return false;
			/* Rounds up: a short pause must not become none. */
			*out = (int64_t)in_ms;
			*out += (double)*out < in_ms;
			return true;
	}
}

static const char *show_allowed(const rlk_option_row *row, char *buf, size_t size)
{
	bool zero = (row->flags & RLK_OPTION_ZERO) != 0, infinite = (row->flags & RLK_OPTION_INFINITE) != 0;
	int64_t per_ms = row->kind == RLK_KIND_US ? 1000 : 1;

	if (row->kind == RLK_KIND_SECONDS)
		rlk_seconds_allowed(zero, infinite, buf, size);
	else if (row->kind == RLK_KIND_TIMEOUT)
		snprintf(buf, size, RLK_TIMEOUT_ALLOWED);
	else if (row->kind == RLK_KIND_INT)
		snprintf(buf, size, "a whole number from %" PRId64 " to %" PRId64,
			row->option == RLK_OPTION_PORT ? 1 : row->min, row->max);
	else
		snprintf(buf, size, "a number of %sseconds of at least %" PRId64 " and at most %" PRId64,
			per_ms == 1 ? "milli" : "micro", row->min * per_ms, row->max * per_ms);
	return buf;
}

bool rlk_option_wrong_number(const rlk_option *option, double number, bool quiet, rlk_error *err)
{
	char allowed[OPTION_ALLOWED_MAX], given[RLK_NUMBER_SHOWN_MAX];

	show_allowed(option->row, allowed, sizeof(allowed));
	if (quiet)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be %s", option->key, allowed);
	return RLK_WRONG_VALUE(err, "option \"%s\" must be %s, %s given", option->key, allowed,
		rlk_number_show(number, given, sizeof(given)));
}

/* Made only for a message: the words for what is allowed would be a good part of the cost of a new lock. */
static bool check_number(const rlk_option *option, const rlk_value *value, bool quiet, int64_t *out, rlk_error *err)
{
	unsigned flags = option->row->flags;
	char allowed[OPTION_ALLOWED_MAX];
	rlk_number number;

	/* As PHP prints it, and the only way to write it in a URI. */
	if ((flags & RLK_OPTION_INFINITE) != 0 && rlk_value_is_text(value, "INF")) {
		*out = RLK_NEVER;
		return true;
	}
	if ((flags & RLK_OPTION_EMPTY) != 0 && rlk_value_is_text(value, "")) {
		*out = -1;
		return true;
	}
	if (!rlk_number_of(value, &number))
		return rlk_option_wrong_type(option->key, value, show_allowed(option->row, allowed, sizeof(allowed)), err);
	return read_number(option->row, &number, out) || rlk_option_wrong_number(option, number.real, quiet, err);
}

static bool check_bool(const char *key, const rlk_value *value, int64_t *out, rlk_error *err)
{
	int truth = rlk_value_truth(value);

	*out = truth == 1;
	if (truth >= 0)
		return true;
	if (value->type == RLK_VALUE_INT || value->type == RLK_VALUE_STRING)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be true or false", key);
	return rlk_option_wrong_type(key, value, "true or false", err);
}

/* --- texts --- */

void rlk_option_phrase(const char *key, char phrase[RLK_OPTION_PHRASE_MAX])
{
	snprintf(phrase, RLK_OPTION_PHRASE_MAX, "option \"%s\"", key);
}

/* CLIENT SETNAME takes no other bytes. */
static bool check_client_name(rlk_str name, const char *what, rlk_error *err)
{
	for (size_t i = 0; i < name.len; i++) {
		if (name.data[i] < '!' || name.data[i] > '~')
			return RLK_WRONG_VALUE(err, "%s must be printable ASCII without blanks", what);
	}
	return true;
}

static bool check_string(const rlk_option_row *row, rlk_str s, const char *what, rlk_error *err)
{
	size_t most = row->max > 0 ? (size_t)row->max : SIZE_MAX;

	if (!rlk_config_check_length(s, (row->flags & RLK_OPTION_EMPTY) != 0, most, what, err))
		return false;
	if ((row->flags & RLK_OPTION_BINARY) == 0 && s.len > 0 && memchr(s.data, '\0', s.len) != NULL)
		return RLK_WRONG_VALUE(err, "%s must not contain NUL bytes", what);
	switch (row->option) {
		case RLK_OPTION_NAME:
			return rlk_config_check_name(s, what, err);
		case RLK_OPTION_TOKEN:
			return rlk_config_check_token(s, what, err);
		case RLK_OPTION_LABEL:
			return rlk_config_check_label(s, what, err);
		case RLK_OPTION_CLIENT_NAME:
			return check_client_name(s, what, err);
		default:
			return true;
	}
}

/* Points out->text at the string. Takes whole numbers, too: parsers of YAML and URLs turn digits into numbers. */
static bool read_string(const rlk_option *option, const rlk_value *value, rlk_scratch *scratch, rlk_setting *out,
	rlk_error *err)
{
	bool auth = option->row->kind == RLK_KIND_AUTH;
	char *digits;

	if (value->type == RLK_VALUE_STRING) {
		out->text = rlk_str_make(value->as.s.data != NULL ? value->as.s.data : "", value->as.s.len);
		return true;
	}
	if (value->type != RLK_VALUE_INT || (!auth && option->row->kind != RLK_KIND_STRING))
		return rlk_option_wrong_type(option->key, value, auth ? RLK_AUTH_ALLOWED : "a string", err);
	digits = rlk_scratch_take(scratch, DIGITS_MAX, err);
	if (digits == NULL)
		return false;
	out->text = rlk_str_make(digits, (size_t)snprintf(digits, DIGITS_MAX, "%" PRId64, value->as.i));
	return true;
}

/* Our Composer package has several names lost as one, by "throw#" and a number of up to 9 digits. */
static bool read_group(rlk_str text, int64_t *on_lost)
{
	const rlk_str begin = RLK_STR("throw#");

	if (!rlk_str_starts_with(text, begin) || text.len == begin.len || text.len > begin.len + 9)
		return false;
	*on_lost = 0;
	for (size_t i = begin.len; i < text.len; i++) {
		if (text.data[i] < '0' || text.data[i] > '9')
			return false;
		*on_lost = 10 * *on_lost + text.data[i] - '0';
	}
	*on_lost += RLK_ON_LOST_GROUP;
	return true;
}

static bool check_text(const rlk_option *option, const rlk_value *value, const char *what, rlk_scratch *scratch,
	rlk_setting *out, rlk_error *err)
{
	rlk_option_kind kind = option->row->kind;
	rlk_str text;

	if (!read_string(option, value, scratch, out, err))
		return false;
	text = out->text;
	if (kind == RLK_KIND_PATH)
		return rlk_socket_path_check(text, what, err);
	if (kind != RLK_KIND_SCHEME && kind != RLK_KIND_ON_LOST)
		return check_string(option->row, text, what, err);
	/* Words become numbers: "tcp" and "redis" are one value. */
	out->text = rlk_str_make(NULL, 0);
	if (kind == RLK_KIND_SCHEME)
		return rlk_scheme_read(text, what, &out->number, err);
	if (read_group(text, &out->number))
		return true;
	out->number = rlk_str_equal(text, RLK_STR("flag")) ? RLK_ON_LOST_FLAG : RLK_ON_LOST_THROW;
	return out->number == RLK_ON_LOST_FLAG || rlk_str_equal(text, RLK_STR("throw")) ||
		RLK_WRONG_VALUE(err, "%s must be \"throw\" or \"flag\"", what);
}

bool rlk_option_check(const rlk_option *option, const rlk_value *value, bool quiet, rlk_scratch *scratch,
	rlk_setting *out, rlk_error *err)
{
	char what[RLK_OPTION_PHRASE_MAX];

	out->key = option->key;
	out->number = 0;
	out->text = rlk_str_make(NULL, 0);
	switch (option->row->kind) {
		case RLK_KIND_BOOL:
		case RLK_KIND_TLS:
			return check_bool(option->key, value, &out->number, err);
		case RLK_KIND_BOOL_OR_ID:
			out->number = !rlk_value_is_off(value);
			return value->type != RLK_VALUE_MAP ||
				rlk_option_wrong_type(option->key, value, "true, false or a name", err);
		case RLK_KIND_INT:
		case RLK_KIND_SECONDS:
		case RLK_KIND_MS:
		case RLK_KIND_US:
		case RLK_KIND_TIMEOUT:
			return check_number(option, value, quiet, &out->number, err);
		default:
			/* The words for a message would be a good part of the cost of a new lock. */
			if (check_text(option, value, "", scratch, out, NULL))
				return true;
			rlk_option_phrase(option->key, what);
			return check_text(option, value, what, scratch, out, err);
	}
}

/* --- unknown keys: a mistyped one --- */

#define NEAREST_KEY_MAX 32

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b, ignoring case. Both are at most
 * NEAREST_KEY_MAX long. */
static unsigned edit_distance(rlk_str a, rlk_str b)
{
	unsigned d[NEAREST_KEY_MAX + 1][NEAREST_KEY_MAX + 1], least;

	for (size_t i = 0; i <= a.len; i++) {
		for (size_t j = 0; j <= b.len; j++) {
			bool same = i > 0 && j > 0 && rlk_lower(a.data[i - 1]) == rlk_lower(b.data[j - 1]);

			if (i == 0 || j == 0) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			least = d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] : d[i][j - 1];
			d[i][j] = least < d[i - 1][j - 1] + !same ? least + 1 : d[i - 1][j - 1] + !same;
			if (i > 1 && j > 1 && rlk_lower(a.data[i - 1]) == rlk_lower(b.data[j - 2]) &&
				rlk_lower(a.data[i - 2]) == rlk_lower(b.data[j - 1]) && d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[a.len][b.len];
}

/* NULL: none is near. */
static const char *find_nearest(rlk_str key)
{
	/* At most a third of the letters may be wrong. A suggestion further off would only puzzle. */
	unsigned allowed = key.len < 6 ? 1 : (unsigned)key.len / 3, best = allowed + 1;
	const char *nearest = NULL;

	if (key.len < 2 || key.len > NEAREST_KEY_MAX)
		return NULL;
	for (size_t i = 0; i < rlk_option_row_count; i++) {
		for (const char *const *other = rlk_option_rows[i].keys; *other != NULL; other++) {
			unsigned distance = strchr(*other, '.') == NULL ? edit_distance(key, rlk_str_from_cstr(*other)) : best;

			if (distance < best) {
				best = distance;
				nearest = *other;
			}
		}
	}
	return nearest;
}

/* --- unknown keys: one of another library --- */

/* Names that other lock libraries, and people who guess, use for our options. In lower case, without "_" and "-", so
 * "lock_name", "lockName" and "lock-name" are one. Each key stands between blanks. */
static const struct {
	const char *meant, *keys;
} hints[] = {
	{ "\"ttl\", in seconds",
		" expire expires expiry expiration expiresin expiretime lifetime lease leasetime duration locktimeout lockttl "
		"maxttl px ex seconds ttlms milliseconds expirems leasems " },
	{ "\"name\"", " key resource lockname lockkey lock id mutex job task taskname " },
	{ "\"wait\", in seconds, or INF",
		" block blocking blocked blocktimeout blockingtimeout waittimeout maxwait acquiretimeout waitfor spin tries "
		"attempts retrycount maxattempts maxtries " },
	{ "\"retry_ms\"", " retry retrydelay retrysleep sleep poll pollinterval retryafter retrywait " },
	{ "\"renew\" => true",
		" autorelease autorenew autorefresh autoextend keepalive refresh watchdog renewal bound processbound " },
	{ "\"interval\", in seconds",
		" refreshinterval renewinterval renewalinterval heartbeat heartbeatinterval refreshtime " },
	{ "\"token\"", " owner lockid lockvalue lockowner value uniqueid " },
	{ "\"host\" and \"port\", or one \"url\"", " address addr uri dsn server endpoint connection redis hostport " },
	{ "\"servers\", or \"cluster\"", " nodes hosts masters instances seeds " },
	{ "\"service\"",
		" master mastername servicename sentinel sentinelmaster sentinelservice sentinelservicename redissentinel "
		"masterset " },
	{ "\"cluster\"", " rediscluster " },
	{ "\"scheme\" => \"tls\"", " tls usetls usessl encrypted encryption secure " },
	{ "\"prefix\"", " namespace keyprefix lockprefix " },
	{ "\"label\"", " description comment title tag holder " },
	{ "\"fence\" => true", " fencing fencingtoken fencetoken " },
	{ "\"hold_at_least\", in seconds", " minhold mintime cooldown lockatleastfor " },
	{ "\"max_hold\", in seconds", " maxtime maxruntime lockatmostfor " },
};

/* Of configurations that the extension does not read. */
static const char nested[] = " options parameters default clusters context contextoptions replication ";

#define FOLDED_MAX 24

/* Writes the key as in the hints, between blanks. false: it is longer than all of them. */
static bool fold(rlk_str key, char out[FOLDED_MAX + 3])
{
	size_t len = 0;

	out[len++] = ' ';
	for (size_t i = 0; i < key.len; i++) {
		if (key.data[i] == '_' || key.data[i] == '-')
			continue;
		if (len > FOLDED_MAX || key.data[i] == ' ' || key.data[i] == '\0')
			return false;
		out[len++] = rlk_lower(key.data[i]);
	}
	out[len++] = ' ';
	out[len] = '\0';
	return len > 2;
}

bool rlk_option_wrong_key(rlk_str key, const char *what, bool is_map, rlk_error *err)
{
	char folded[FOLDED_MAX + 3];
	bool known = fold(key, folded);
	const char *nearest;

	for (size_t i = 0; known && i < sizeof(hints) / sizeof(hints[0]); i++) {
		if (strstr(hints[i].keys, folded) != NULL)
			return RLK_WRONG_VALUE(err, "unknown option %s, did you mean %s?", what, hints[i].meant);
	}
	if (is_map || (known && strstr(nested, folded) != NULL))
		return RLK_WRONG_VALUE(err, "unknown option %s; " RLK_READS_OTHERS, what);
	nearest = find_nearest(key);
	if (nearest != NULL)
		return RLK_WRONG_VALUE(err, "unknown option %s, did you mean \"%s\"?", what, nearest);
	return RLK_WRONG_VALUE(err, "unknown option %s", what);
}
