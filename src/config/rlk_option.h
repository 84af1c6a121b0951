/*
 * rlk_option: the table of all options: spellings, allowed values, and where each is kept. Values are checked against it.
 */
#ifndef RLK_OPTION_H
#define RLK_OPTION_H

#include "base/rlk_str.h"
#include "config/rlk_value.h"
#include "lock/rlk_kind.h"
#include "net/rlk_server.h"

/* clang-format off */
typedef enum {
	/* Of the lock. */
	RLK_OPTION_NAME, RLK_OPTION_PREFIX, RLK_OPTION_TOKEN, RLK_OPTION_LABEL,
	RLK_OPTION_TTL, RLK_OPTION_WAIT, RLK_OPTION_RETRY, RLK_OPTION_INTERVAL,
	RLK_OPTION_MAX_HOLD, RLK_OPTION_HOLD_AT_LEAST, RLK_OPTION_LINGER,
	RLK_OPTION_RENEW, RLK_OPTION_REENTRANT, RLK_OPTION_FENCE, RLK_OPTION_ON_LOST,
	RLK_OPTION_MIN_REPLICAS, RLK_OPTION_REPLICA_TIMEOUT, RLK_OPTION_PERSISTENT,
	RLK_OPTION_PERMITS, RLK_OPTION_WEIGHT, RLK_OPTION_SHARED,
	/* Of one server, also in an entry of a list. */
	RLK_OPTION_SCHEME, RLK_OPTION_TRANSPORT /* from the scheme, else from the address */,
	RLK_OPTION_HOST, RLK_OPTION_PORT, RLK_OPTION_PATH,
	RLK_OPTION_DATABASE, RLK_OPTION_USER, RLK_OPTION_PASSWORD, RLK_OPTION_CLIENT_NAME,
	RLK_OPTION_CONNECT_TIMEOUT, RLK_OPTION_IO_TIMEOUT,
	RLK_OPTION_TLS_WANTED, /* set by every option that asks for TLS */
	RLK_OPTION_TLS_VERIFY_PEER, RLK_OPTION_TLS_VERIFY_NAME, RLK_OPTION_TLS_ALLOW_SELF_SIGNED,
	RLK_OPTION_TLS_PEER_NAME, RLK_OPTION_TLS_CAFILE, RLK_OPTION_TLS_CAPATH,
	RLK_OPTION_TLS_LOCAL_CERT, RLK_OPTION_TLS_LOCAL_PK, RLK_OPTION_TLS_PASSPHRASE,
	/* Of the connection, to any server. */
	RLK_OPTION_RETRIES, RLK_OPTION_RETRY_DELAY,
	RLK_OPTION_SERVERS, RLK_OPTION_SENTINELS, RLK_OPTION_CLUSTER /* 1: such a list is given, or `cluster` is true */,
	RLK_OPTION_SERVICE, RLK_OPTION_SENTINEL_USER, RLK_OPTION_SENTINEL_PASSWORD,
	/* Not one value to store: `auth` is a user and a password, `url` is many options, others have no effect. */
	RLK_OPTION_NONE,
	RLK_OPTION_COUNT = RLK_OPTION_NONE
} rlk_option_id;
/* clang-format on */

/* Sets of options, a bit each: RLK_BIT(HOST) is RLK_OPTION_BIT(RLK_OPTION_HOST). */
#define RLK_OPTION_BIT(option) (UINT64_C(1) << (option))
#define RLK_BIT(name) RLK_OPTION_BIT(RLK_OPTION_##name)
#define RLK_OPTIONS(first, last) ((RLK_OPTION_BIT(last) << 1) - RLK_OPTION_BIT(first))
#define RLK_OPTIONS_OF_SERVER RLK_OPTIONS(RLK_OPTION_SCHEME, RLK_OPTION_TLS_PASSPHRASE)
#define RLK_OPTIONS_OF_ADDRESS RLK_OPTIONS(RLK_OPTION_SCHEME, RLK_OPTION_PATH)
#define RLK_OPTIONS_OF_TLS RLK_OPTIONS(RLK_OPTION_TLS_WANTED, RLK_OPTION_TLS_PASSPHRASE)

typedef enum {
	RLK_KIND_STRING, /* max: length in bytes */
	RLK_KIND_BOOL,
	RLK_KIND_BOOL_OR_ID, /* a name means true */
	RLK_KIND_INT,        /* min, max: the number */
	RLK_KIND_SECONDS,    /* becomes ms; no limits of its own but 1 ms and RLK_TTL_MAX_MS */
	RLK_KIND_MS,         /* min, max: in ms */
	RLK_KIND_US,         /* becomes ms, rounded up; min, max: in ms */
	RLK_KIND_TIMEOUT,    /* seconds, becomes ms; 0 and -1: the default, kept as 0; max: in ms */
	RLK_KIND_ON_LOST,    /* becomes an rlk_on_lost */
	RLK_KIND_SCHEME,     /* becomes an rlk_transport */
	RLK_KIND_HOST,       /* a name or address, or with a scheme in front, or the path of a socket */
	RLK_KIND_PATH,       /* of a socket, absolute */
	RLK_KIND_AUTH,       /* password, [password] or [user, password] */
	RLK_KIND_TLS,        /* true or false; `ssl` may also be a map of TLS options */
	RLK_KIND_LIST,       /* of servers; max: its length. `cluster` may also be true or false */
	RLK_KIND_URL,
	RLK_KIND_IGNORED /* cannot change what a lock means */
} rlk_option_kind;

enum {
	RLK_OPTION_PER_CALL = 1,  /* may be given to lock() */
	RLK_OPTION_SECRET = 2,    /* messages never show the value */
	RLK_OPTION_BINARY = 4,    /* a string that may hold NUL bytes */
	RLK_OPTION_EMPTY = 8,     /* the empty string is allowed and means none */
	RLK_OPTION_ZERO = 16,     /* seconds: 0 is allowed */
	RLK_OPTION_INFINITE = 32, /* seconds: INF is allowed */
	RLK_OPTION_NEGATED = 64   /* true is kept as false */
};

/* A string is kept as a char *, NULL when it is empty, or with RLK_OPTION_BINARY as an rlk_buf. A number is kept as a
 * bool, a uint16_t, an int or an int64_t, by its size. */
typedef enum { RLK_KEPT_NOWHERE, RLK_KEPT_IN_CONFIG, RLK_KEPT_IN_SERVER } rlk_option_kept;

#define RLK_SPELLINGS_MAX 5 /* of one row */

typedef struct {
	rlk_option_id option;
	rlk_option_kind kind;
	unsigned flags;
	int64_t min, max;
	rlk_option_kept kept;
	size_t offset, size;                     /* in an rlk_config or an rlk_server */
	const char *keys[RLK_SPELLINGS_MAX + 1]; /* NULL behind the last; our manual uses the first */
} rlk_option_row;

/* The whole table. Spellings that differ in more than the word have a row each. */
extern const rlk_option_row rlk_option_rows[];
extern const size_t rlk_option_row_count;

/* An option in one of its spellings. */
typedef struct {
	const rlk_option_row *row; /* NULL: there is none of this name */
	const char *key;           /* a constant */
} rlk_option;

/* Finds an option by its key. `within`: "", or "ssl." for PHP's context options. Spellings are case-sensitive, as in the clients they come from. */
rlk_option rlk_option_find(const char *within, rlk_str key);

/* The hint of messages about nested configurations of other libraries. */
#define RLK_READS_OTHERS "RedisLock\\Options::from() of redislock/lock reads it"

/* Fails with `unknown option <what>` and a hint: the nearest key, or what this key means in another library. Returns
 * false. */
bool rlk_option_wrong_key(rlk_str key, const char *what, bool is_map, rlk_error *err);

/* A checked value. The row's kind says which field counts; the other is 0 or empty. */
typedef struct {
	const char *key; /* the spelling, for messages; a constant */
	int64_t number;  /* numbers as they are, times in ms, bools 0 and 1, enums */
	rlk_str text;    /* borrowed */
} rlk_setting;

/* Checks a value that is not NULL, of a kind that is one value; RLK_KIND_AUTH and RLK_KIND_HOST count as strings. `quiet`:
 * messages must not show a number, which may be a piece of a password in a URI. Numbers given for a string become digits
 * in the scratch memory. */
bool rlk_option_check(const rlk_option *option, const rlk_value *value, bool quiet, rlk_scratch *scratch,
	rlk_setting *out, rlk_error *err);

/* The allowed values of the option `auth`, for messages. */
#define RLK_AUTH_ALLOWED "a password, or a list of user and password"

/* Fail with `option "key" must be <allowed>`, and unless `quiet` with what was given. Both return false. */
bool rlk_option_wrong_type(const char *key, const rlk_value *value, const char *allowed, rlk_error *err);
bool rlk_option_wrong_number(const rlk_option *option, double number, bool quiet, rlk_error *err);

/* Writes an option's name for messages: option "key". */
#define RLK_OPTION_PHRASE_MAX 48
void rlk_option_phrase(const char *key, char phrase[RLK_OPTION_PHRASE_MAX]);

/* --- where they are kept: the configuration of a lock, as plain data --- */

/* What the listed servers are. */
typedef enum {
	RLK_ROUTING_NONE,     /* none are listed: `server` is the server */
	RLK_ROUTING_QUORUM,   /* independent servers, a majority of which has to agree */
	RLK_ROUTING_SENTINEL, /* sentinels, which know the address of the master of `service` */
	RLK_ROUTING_CLUSTER   /* some of the nodes of a Redis Cluster */
} rlk_routing;

/* From RLK_ON_LOST_GROUP on: throws, once for all locks of the process with the same number. */
typedef enum { RLK_ON_LOST_THROW, RLK_ON_LOST_FLAG, RLK_ON_LOST_GROUP } rlk_on_lost;

#define RLK_CONFIG_SEEDS_MAX 64

typedef struct {
	rlk_server *servers;
	size_t count;
} rlk_config_list;

typedef struct {
	/* Connection: the one server, or the options that hold for all listed ones. */
	rlk_server server;
	rlk_routing routing;
	rlk_config_list listed; /* at least one, unless routing is NONE */
	char *service;          /* with sentinels */
	int attempts;           /* without a wait; of RedLock set by the host */

	/* Names. No data: not given. */
	rlk_buf name;   /* "" rather than NULL */
	rlk_buf prefix; /* likewise */
	rlk_buf token;  /* the caller's own token for the next acquisition */
	char *label;    /* shown by holder() */

	/* Times. */
	int64_t ttl_ms;           /* >= 1; 0 = no expiry, leases only */
	int64_t wait_ms;          /* 0 = one try, RLK_NEVER = no limit */
	int64_t retry_ms;         /* fallback poll, >= 1 */
	int64_t interval_ms;      /* process-bound: 1 .. ttl_ms/2; 0 on leases */
	int64_t max_hold_ms;      /* RLK_NEVER = none */
	int64_t hold_at_least_ms; /* 0 = none; may exceed ttl_ms */
	int64_t linger_ms;        /* 0 = released at once when the holder dies */

	bool waits; /* a wait above 0 was given, or any wait in the options of one call */
	bool renew; /* process-bound lock instead of a lease */
	bool reentrant;
	int min_replicas;           /* replicas that must have the lock before it counts as acquired or renewed */
	int64_t replica_timeout_ms; /* how long to wait for them */
	bool fence;
	int permits, weight; /* how many may hold the name at a time, and for how many of them this lock counts */
	bool shared;         /* any number of locks with this option share the name */
	rlk_kind kind;       /* made of these three */
	bool persistent;     /* the connection outlives its object */
	int on_lost;         /* an rlk_on_lost */

	/* Private to rlk_config.c: what the options of one call are laid over. */
	uint64_t given;            /* which were given, a bit for each rlk_option_id */
	const char *ttl_key;       /* the spelling it was given in */
	int64_t interval_given_ms; /* 0 = not given */
	int64_t ttl_default_ms;    /* 0 = the built-in default of the lock's kind */
} rlk_config;

#endif
