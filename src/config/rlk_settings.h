/*
 * rlk_settings: everything a lock is configured with, as plain data. rlk_config.h says how it comes about.
 */
#ifndef RLK_SETTINGS_H
#define RLK_SETTINGS_H

#include "base/rlk_buf.h"
#include "net/rlk_server.h"

/* What `listed` are. */
typedef enum {
	RLK_ROUTING_NONE,     /* none: `server` is the server */
	RLK_ROUTING_QUORUM,   /* independent servers, most of which have to agree */
	RLK_ROUTING_SENTINEL, /* sentinels, who know the address of the master of `service` */
	RLK_ROUTING_CLUSTER   /* some of the nodes of a Redis Cluster */
} rlk_routing;

typedef enum { RLK_ON_LOST_THROW, RLK_ON_LOST_FLAG } rlk_on_lost;

#define RLK_CONFIG_SEEDS_MAX 64

/* Servers as an option listed them. What an entry does not say it has from the options beside the list. */
typedef struct {
	rlk_server *servers;
	uint64_t *said; /* as in rlk_config, for each of them */
	size_t count;
} rlk_config_list;

typedef struct {
	/* Connection: the one server, or what holds for all of those below. */
	rlk_server server;
	rlk_routing routing;
	rlk_config_list listed; /* at least one, unless routing is NONE */
	char *service;          /* with sentinels */
	int attempts;           /* RedLock's; the host sets it. 0: `wait` decides how long to try */

	/* Names; no data = not given. */
	rlk_buf name;   /* its data never NULL after rlk_config_finish(): "" when none */
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
	int64_t linger_ms;        /* 0 = free at once on the holder's death */

	bool wait_given; /* `wait` or an alias was given a value above 0, or any value in the options of one call */
	bool renew;      /* process-bound lock instead of a lease */
	bool reentrant;
	bool release_async;         /* leases only: the answer to a release is read with the next command */
	int min_replicas;           /* that must have the lock before it counts as acquired or renewed; 0 = none */
	int64_t replica_timeout_ms; /* how long to wait for them */
	bool fence;
	bool persistent; /* the connection outlives its object; the host sets its default after rlk_config_init() */
	int on_lost;     /* an rlk_on_lost */

	/* Private to rlk_config*.c: what the caller has said so far, and what holds where nothing was said. */
	uint64_t said;                                 /* a bit for each rlk_option_id */
	const char *ttl_key, *interval_key, *user_key; /* in which spelling they were given; constants, NULL = not given */
	const char *listed_key; /* the option that listed `listed`; "" when a list without a name did; NULL: none */
	bool cluster, replication;
	char *sentinel_user, *sentinel_password;
	int64_t interval_said_ms; /* 0 = not given */
	bool server_is_default;   /* `server` and `listed` are those of the host's setting */
	bool no_default_server;   /* the host's setting names none, so the caller has to */
	int64_t ttl_default_ms;   /* 0 = the built-in default of the lock's kind */
	int connect_timeout_default_ms, io_timeout_default_ms;
} rlk_config;

#endif
