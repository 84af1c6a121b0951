/*
 * rlk_config: a complete, checked configuration, made of options and URIs.
 *
 * Options are read into one flat map, later layers over earlier ones (rlk_layer.h). Then the servers are found in it
 * (rlk_config_servers.c), and the lock's options are checked against each other.
 */
#ifndef RLK_CONFIG_H
#define RLK_CONFIG_H

#include "base/rlk_os.h"
#include "config/rlk_layer.h"

#define RLK_TTL_DEFAULT_LEASE_MS 60000
#define RLK_TTL_DEFAULT_BOUND_MS 30000
#define RLK_RETRY_DEFAULT_MS 200
/* The wait of lock(..., BLOCKED) without waitTime or wait. */
#define RLK_WAIT_DEFAULT_BLOCKED_MS 10000
#define RLK_TIMEOUT_DEFAULT_MS 2000
/* A replica in the same data centre has the write within a few ms. */
#define RLK_REPLICA_TIMEOUT_DEFAULT_MS 100

/* The settings of the host (php.ini), for options that are not given. Strings are borrowed, NULL: none. Times in
 * seconds. */
typedef struct {
	const char *server; /* a URI, used unless the options name an address. "": none, so they have to name one */
	const char *prefix;
	double ttl;                         /* 0: the built-in default of the lock's kind */
	double connect_timeout, io_timeout; /* 0 and -1: RLK_TIMEOUT_DEFAULT_MS */
	bool persistent;
} rlk_config_defaults;

/* Checks the settings of the host, also those that options will replace. *err names the ini setting. */
bool rlk_config_check_defaults(const rlk_config_defaults *defaults, rlk_error *err);

/* Makes a configuration of the settings of the host (NULL: none) and the layers over them, each an array of options, a
 * URI or null; later layers win. `bound` demands a name and a process-bound lock: an explicit renew => false is a value
 * error. false: *err is RLK_ERR_VALUE or RLK_ERR_TYPE and names the key, or memory is out; *at is the layer with the
 * mistake, `count` for the settings of the host, 0 for several layers together; *config is destroyed. */
bool rlk_config_make(rlk_config *config, const rlk_config_defaults *defaults, const rlk_value *layers, size_t count,
	bool bound, size_t *at, rlk_error *err);

/* Makes a configuration for a single call, lock($name, $policy, $config): `base` with the options of the map, or null, over
 * it. It borrows from `base`, and is freed by rlk_config_end_call(). Options of the connection are errors. `bound` as
 * above. */
bool rlk_config_for_call(rlk_config *config, const rlk_config *base, const rlk_value *map, bool bound, rlk_error *err);
void rlk_config_end_call(rlk_config *config);

/* Frees everything, wiping secrets. Safe to call twice. */
void rlk_config_destroy(rlk_config *config);

/* Fails unless a name is configured. */
bool rlk_config_require_name(const rlk_config *config, rlk_error *err);

/* Gives a configuration another ttl, at least 1 ms, 2 ms with renew. false: the ttl is not above the interval. */
bool rlk_config_set_ttl(rlk_config *config, int64_t ttl_ms, rlk_error *err);

/* --- between rlk_config.c and rlk_config_servers.c --- */

/* Sets routing, service and servers. `options`: all options given, whose server has been checked; the function changes
 * them. The time limits, in ms, are the defaults. After false *config may only be destroyed. */
bool rlk_config_make_servers(rlk_config *config, rlk_layer *options, int connect_timeout_ms, int io_timeout_ms,
	rlk_error *err);

#endif
