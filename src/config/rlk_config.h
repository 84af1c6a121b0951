/*
 * rlk_config: makes a complete, checked configuration of options and URIs.
 *
 * In three steps: rlk_config_init() with the host's defaults, any number of
 * rlk_config_apply_map() and rlk_config_apply_uri(), of which later ones win,
 * and rlk_config_finish(), which checks options against each other (interval
 * and ttl, say) and fills in what was left open.
 */
#ifndef RLK_CONFIG_H
#define RLK_CONFIG_H

#include "base/rlk_os.h"
#include "config/rlk_option.h"

#define RLK_TTL_DEFAULT_LEASE_MS 60000
#define RLK_TTL_DEFAULT_BOUND_MS 30000
#define RLK_RETRY_DEFAULT_MS 200
/* The wait of lock(..., BLOCKED) without waitTime or wait. */
#define RLK_WAIT_DEFAULT_BLOCKED_MS 10000
#define RLK_TIMEOUT_DEFAULT_MS 2000
/* A replica in the same data centre has the write within a few ms. */
#define RLK_REPLICA_TIMEOUT_DEFAULT_MS 100

/* The host's settings (php.ini), for what the options leave open. Strings are borrowed, NULL = none. Times in seconds. */
typedef struct {
	const char *server; /* a URI, used unless the options name an address. "": none, so they have to */
	const char *prefix;
	double ttl;                         /* 0: the built-in default of the lock's kind */
	double connect_timeout, io_timeout; /* 0 and -1: RLK_TIMEOUT_DEFAULT_MS */
} rlk_config_defaults;

/* Starts a configuration. false: a default is wrong (*err names the ini setting) or memory is out; *config is destroyed. */
bool rlk_config_init(rlk_config *config, const rlk_config_defaults *defaults, rlk_error *err);

/* Frees everything, wiping secrets. Safe to call twice. */
void rlk_config_destroy(rlk_config *config);

/* Merges a map of options over the configuration. NULL values count as absent. On false the configuration may be half
 * changed and only fit for rlk_config_destroy(); *err is RLK_ERR_VALUE or RLK_ERR_TYPE and names the key. */
bool rlk_config_apply_map(rlk_config *config, const rlk_value *map, rlk_error *err);

/* Merges a URI (framework-contracts, "URIs") over the configuration, query options included. */
bool rlk_config_apply_uri(rlk_config *config, rlk_str uri, rlk_error *err);

/* Merges the options of one call, lock($name, $policy, $config), in which connection options are errors. */
bool rlk_config_apply_call(rlk_config *config, const rlk_value *map, rlk_error *err);

/* Demands a process-bound lock (SequenceTask, synchronized()): an explicit renew => false is a value error. */
bool rlk_config_require_renew(rlk_config *config, rlk_error *err);

/* Demands a configured name. */
bool rlk_config_require_name(const rlk_config *config, rlk_error *err);

/* Checks the whole and fills in the defaults. May be called again after another apply. */
bool rlk_config_finish(rlk_config *config, rlk_error *err);

/* Gives a finished configuration another ttl, at least 1 ms, 2 ms with renew. false: it is not above the interval; the
 * message has the ttl in ms. */
bool rlk_config_set_ttl(rlk_config *config, int64_t ttl_ms, rlk_error *err);

/* Replaces the token by one that rlk_config_check_token() has let pass. false: memory is out. */
bool rlk_config_set_token(rlk_config *config, rlk_str token);

/* Deep copy into uninitialised memory. false: memory is out, *to is empty and destroyed. */
bool rlk_config_copy(rlk_config *to, const rlk_config *from);

/* --- between rlk_config.c and rlk_config_finish.c --- */

/* Copies these options, a bit each, from one rlk_config to another, or from one rlk_server to another, as `kept` says.
 * false: memory is out. */
bool rlk_config_inherit(void *to, const void *from, rlk_option_kept kept, uint64_t options, rlk_error *err);

/* Checks a server as a whole, drops what its transport does not use, and labels it. */
bool rlk_config_finish_server(const rlk_config *config, rlk_server *server, rlk_error *err);

/* Empties a list and makes room for so many. false: memory is out. */
bool rlk_config_list_begin(rlk_config_list *list, size_t count);

#endif
