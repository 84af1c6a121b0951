/*
 * rlk_config: everything a lock is configured with, checked and complete.
 *
 * Built in three steps: rlk_config_init() with the host's defaults, any number
 * of rlk_config_apply_map() / rlk_config_apply_uri() (later ones win over earlier ones), then
 * rlk_config_finish(), which checks what only the whole can show (interval
 * against ttl, TLS in a build without it) and derives what was left open.
 */
#ifndef RLK_CONFIG_H
#define RLK_CONFIG_H

#include "base/rlk_clock.h"
#include "base/rlk_error.h"
#include "config/rlk_value.h"
#include "net/rlk_server.h"

/* The longest ttl of a process-bound lock, which is renewed long before. */
#define RLK_TTL_MAX_BOUND_MS 3600000
#define RLK_TTL_DEFAULT_LEASE_MS 60000
#define RLK_TTL_DEFAULT_BOUND_MS 30000
#define RLK_RETRY_DEFAULT_MS 200
/* The wait of lock(..., BLOCKED) when neither waitTime nor wait says otherwise. */
#define RLK_WAIT_DEFAULT_BLOCKED_MS 10000
#define RLK_TIMEOUT_DEFAULT_MS 2000
/* A replica in the same data centre has the write within a few ms. */
#define RLK_REPLICA_TIMEOUT_DEFAULT_MS 100

typedef enum {
	RLK_ROUTING_NONE,     /* `server` is the server */
	RLK_ROUTING_SENTINEL, /* `seeds` are sentinels, who know the address of the master of `service` */
	RLK_ROUTING_CLUSTER   /* `seeds` are some of the nodes of a Redis Cluster */
} rlk_routing;

/* Servers as an option listed them. What an entry does not say it has from rlk_config.server. */
typedef struct {
	rlk_server *servers;
	uint64_t *said; /* as server_said, for each of them */
	size_t count;
} rlk_config_list;

#define RLK_CONFIG_SEEDS_MAX 64

/* What the host (php.ini) says where the options say nothing. Strings are borrowed, NULL = none. */
typedef struct {
	const char *server; /* a URI; counts only while the options name no address of their own */
	const char *prefix;
	int64_t ttl_ms;         /* 0: the built-in default of the lock's kind */
	int connect_timeout_ms; /* 0: RLK_TIMEOUT_DEFAULT_MS */
	int io_timeout_ms;      /* 0: RLK_TIMEOUT_DEFAULT_MS */
} rlk_config_defaults;

typedef struct {
	/* Connection: the one server, or what holds for all of those below. */
	rlk_server server;
	rlk_config_list quorum; /* the servers of a quorum, from the option `servers`; empty: none */
	int attempts;           /* RedLock's; the host sets it. 0: `wait` decides how long to try */
	rlk_routing routing;
	rlk_config_list seeds; /* who know where `server` is: at least one, unless routing is NONE */
	char *service;         /* with sentinels */

	/* Names; owned, binary-safe, NUL-terminated behind their length. NULL = not given. */
	char *name; /* never NULL after rlk_config_finish(): "" when none */
	size_t name_len;
	char *prefix; /* never NULL after rlk_config_finish(): "" when none */
	size_t prefix_len;
	char *token; /* the caller's own token for the next acquisition */
	size_t token_len;
	char *label; /* shown by holder() */
	size_t label_len;

	/* Times. */
	int64_t ttl_ms;           /* >= 1; 0 = no expiry, leases only */
	int64_t wait_ms;          /* 0 = one try, RLK_NEVER = no limit */
	int64_t retry_ms;         /* fallback poll, >= 1 */
	int64_t interval_ms;      /* process-bound: 1 .. ttl_ms/2; 0 on leases */
	int64_t max_hold_ms;      /* RLK_NEVER = none */
	int64_t hold_at_least_ms; /* 0 = none; may exceed ttl_ms */
	int64_t linger_ms;        /* 0 = free at once on the holder's death */

	bool wait_given; /* `wait` or an alias was given a value above 0, or any value in the options of one call */
	bool renew;      /* process-bound lock instead of a lease */
	bool reentrant;
	bool release_async;         /* leases only: the answer to a release is read with the next command */
	int min_replicas;           /* that must have the lock before it counts as acquired or renewed; 0 = none */
	int64_t replica_timeout_ms; /* how long to wait for them */
	bool fence;
	bool persistent; /* the connection outlives its object; the host sets its default after rlk_config_init() */
	rlk_on_lost on_lost;

	/* Private to rlk_config*.c: what the caller has said so far, and what holds where nothing was said. */
	bool ttl_given, renew_given;
	const char *seeds_key; /* the option that listed `seeds`; "" when a list without a name did; NULL: none */
	bool cluster_said, replication_said;
	char *sentinel_user, *sentinel_password;
	const char *ttl_key, *interval_key, *user_key; /* in which spelling they were given; constants, NULL = not given */
	bool server_is_default;                        /* `server` has the address of the host's default server */
	bool no_default_server;                        /* the host's setting names none, so the caller has to */
	uint64_t server_said;     /* a bit for each option of the server that the caller gave, not the host */
	int64_t interval_said_ms; /* 0 = not given */
	int64_t ttl_default_ms;   /* 0 = the built-in default of the lock's kind */
	int connect_timeout_default_ms, io_timeout_default_ms;
} rlk_config;

/* Starts a configuration. false: the defaults themselves are wrong (*err names the INI setting) or memory is out. */
bool rlk_config_init(rlk_config *config, const rlk_config_defaults *defaults, rlk_error *err);

/* Frees everything, wiping secrets. Safe to call twice. */
void rlk_config_destroy(rlk_config *config);

/* Merges one map of options over the configuration. NULL values count as absent. On false the
 * configuration may be half changed and is only fit for rlk_config_destroy(). *err is RLK_ERR_VALUE
 * or RLK_ERR_TYPE and names the key. */
bool rlk_config_apply_map(rlk_config *config, const rlk_value *map, rlk_error *err);

/* Merges a URI (framework-contracts, "URIs") over the configuration, query options included. */
bool rlk_config_apply_uri(rlk_config *config, rlk_str uri, rlk_error *err);

/* Merges the per-call options of lock($name, $policy, $config): lock options only, a connection option is an
 * error. `wait_given` afterwards tells whether this map (or the configuration) gave a wait. */
bool rlk_config_apply_call(rlk_config *config, const rlk_value *map, rlk_error *err);

/* Demands a process-bound lock (SequenceTask, synchronized()): an explicit renew => false is a value error. */
bool rlk_config_require_renew(rlk_config *config, rlk_error *err);

/* Demands a name, where the configured one is meant. */
bool rlk_config_require_name(const rlk_config *config, rlk_error *err);

/* Checks the whole and fills in the defaults. May be called again after another apply. */
bool rlk_config_finish(rlk_config *config, rlk_error *err);

/* Checks the ttl of a process-bound lock against what that may be at most. `what` names it in the message. */
bool rlk_config_check_bound_ttl(int64_t ttl_ms, const char *what, rlk_error *err);

/* Gives a finished configuration another ttl, of 1 ms at least, 2 ms with renew; for callers whose ttl is in ms. false:
 * it is not above the interval. */
bool rlk_config_set_ttl(rlk_config *config, int64_t ttl_ms, rlk_error *err);

/* Replaces the token by one that rlk_config_check_token() has let pass. false: memory is out. */
bool rlk_config_set_token(rlk_config *config, rlk_str token);

/* Deep copy into uninitialised memory. false: memory is out, *to is empty and destroyed. */
bool rlk_config_copy(rlk_config *to, const rlk_config *from);

#endif
