/*
 * rlk_config_table: every option that has a name, as one table.
 *
 * A row is a spelling. Rows with the same option are spellings of one thing;
 * the first of them is the one our manual uses. Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_TABLE_H
#define RLK_CONFIG_TABLE_H

#include "base/rlk_str.h"

#include <stdint.h>

typedef enum {
	RLK_OPTION_NAME,
	RLK_OPTION_PREFIX,
	RLK_OPTION_TOKEN,
	RLK_OPTION_LABEL,
	RLK_OPTION_TTL,
	RLK_OPTION_WAIT,
	RLK_OPTION_RETRY,
	RLK_OPTION_INTERVAL,
	RLK_OPTION_MAX_HOLD,
	RLK_OPTION_HOLD_AT_LEAST,
	RLK_OPTION_LINGER,
	RLK_OPTION_RENEW,
	RLK_OPTION_REENTRANT,
	RLK_OPTION_MIN_REPLICAS,
	RLK_OPTION_REPLICA_TIMEOUT,
	RLK_OPTION_RELEASE_ASYNC,
	RLK_OPTION_FENCE,
	RLK_OPTION_ON_LOST,
	RLK_OPTION_SCHEME,
	RLK_OPTION_HOST,
	RLK_OPTION_PORT,
	RLK_OPTION_PATH,
	RLK_OPTION_DATABASE,
	RLK_OPTION_USER,
	RLK_OPTION_PASSWORD,
	RLK_OPTION_CLIENT_NAME,
	RLK_OPTION_CONNECT_TIMEOUT,
	RLK_OPTION_IO_TIMEOUT,
	RLK_OPTION_RETRIES,
	RLK_OPTION_RETRY_DELAY,
	RLK_OPTION_BACKOFF_BASE,
	RLK_OPTION_BACKOFF_CAP,
	RLK_OPTION_PERSISTENT,
	RLK_OPTION_SERVICE,
	RLK_OPTION_SENTINEL_USER,
	RLK_OPTION_SENTINEL_PASSWORD,
	RLK_OPTION_REPLICATION,
	RLK_OPTION_CLUSTER,
	RLK_OPTION_TLS_WANTED, /* said by whatever asks for TLS */
	RLK_OPTION_TLS_VERIFY_PEER,
	RLK_OPTION_TLS_VERIFY_NAME,
	RLK_OPTION_TLS_ALLOW_SELF_SIGNED,
	RLK_OPTION_TLS_PEER_NAME,
	RLK_OPTION_TLS_CAFILE,
	RLK_OPTION_TLS_CAPATH,
	RLK_OPTION_TLS_LOCAL_CERT,
	RLK_OPTION_TLS_LOCAL_PK,
	RLK_OPTION_TLS_PASSPHRASE,
	/* Not one value to keep: `auth` is a user and a password, `url` many things, and the rest nothing at all. */
	RLK_OPTION_NONE,
	RLK_OPTION_COUNT = RLK_OPTION_NONE
} rlk_option_id;

typedef enum {
	RLK_KIND_STRING, /* min, max: length in bytes */
	RLK_KIND_BOOL,
	RLK_KIND_BOOL_OR_ID, /* a name is as good as true */
	RLK_KIND_INT,        /* min, max: the number */
	RLK_KIND_SECONDS,    /* becomes ms; no limits of its own but 1 ms and RLK_TTL_MAX_MS */
	RLK_KIND_MS,         /* min, max: in ms */
	RLK_KIND_US,         /* becomes ms, rounded up; min, max: in ms */
	RLK_KIND_TIMEOUT,    /* seconds, becomes ms; 0 and -1: the default, kept as 0; max: in ms */
	RLK_KIND_ON_LOST,    /* becomes an rlk_on_lost */
	RLK_KIND_SCHEME,     /* becomes an rlk_transport */
	RLK_KIND_HOST,       /* a name or address, or with a scheme in front, or the path of a socket */
	RLK_KIND_PATH,       /* of a socket, absolute */
	RLK_KIND_AUTH,       /* password, [password], [user, password] or a map of the two */
	RLK_KIND_URL,
	RLK_KIND_SERVERS,     /* a list */
	RLK_KIND_NODES,       /* a list of servers; `cluster` may also be yes or no */
	RLK_KIND_REPLICATION, /* "sentinel", or nothing */
	RLK_KIND_TLS,         /* options of TLS, or whether there is to be TLS */
	RLK_KIND_NESTED,      /* the map `options` of Predis, phpredis and Laravel */
	RLK_KIND_CONNECTION,  /* the connection `default` of Laravel's whole `redis` section */
	RLK_KIND_REFUSED,     /* an error unless it says "off": what it asks for is not built yet */
	RLK_KIND_IGNORED      /* cannot change what a lock means */
} rlk_option_kind;

enum {
	RLK_OPTION_PER_CALL = 1,  /* may be given to lock() */
	RLK_OPTION_SECRET = 2,    /* messages never show the value */
	RLK_OPTION_BINARY = 4,    /* a string that may hold NUL bytes */
	RLK_OPTION_EMPTY = 8,     /* the empty string is allowed and means none */
	RLK_OPTION_ZERO = 16,     /* seconds: 0 is allowed */
	RLK_OPTION_INFINITE = 32, /* seconds: INF is allowed */
	RLK_OPTION_STEM = 64      /* stands for every key that starts like this */
};

typedef struct {
	const char *key;
	const char *missing; /* RLK_KIND_REFUSED: what is not supported */
	rlk_option_id option;
	rlk_option_kind kind;
	unsigned flags;
	int64_t min, max;
} rlk_option_row;

/* The row of a spelling, NULL when there is none. Spellings are case-sensitive, as in the clients they come from. */
const rlk_option_row *rlk_option_find(rlk_str key);

/* The known spelling a mistyped key was most likely meant to be; NULL when none is near. */
const char *rlk_option_nearest(rlk_str key);

/* What a key that we do not know means elsewhere, and what we call that; NULL: nothing that we know of. */
const char *rlk_option_hint(rlk_str key);

/* ASCII only, whatever the locale. */
static inline char rlk_config_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* `prefix` inside the nested `options`, named so that a message says where it stands. */
extern const rlk_option_row rlk_option_nested_prefix;

#endif
