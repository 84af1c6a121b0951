/*
 * rlk_config: from options and URIs to what a lock is configured with, checked and complete.
 *
 * Built in three steps: rlk_config_init() with the host's defaults, any number
 * of rlk_config_apply_map() / rlk_config_apply_uri() (later ones win over earlier ones), then
 * rlk_config_finish(), which checks what only the whole can show (interval
 * against ttl, TLS in a build without it) and derives what was left open.
 */
#ifndef RLK_CONFIG_H
#define RLK_CONFIG_H

#include "base/rlk_os.h"
#include "config/rlk_option.h"

#define RLK_TTL_DEFAULT_LEASE_MS 60000
#define RLK_TTL_DEFAULT_BOUND_MS 30000
#define RLK_RETRY_DEFAULT_MS 200
/* The wait of lock(..., BLOCKED) when neither waitTime nor wait says otherwise. */
#define RLK_WAIT_DEFAULT_BLOCKED_MS 10000
#define RLK_TIMEOUT_DEFAULT_MS 2000
/* A replica in the same data centre has the write within a few ms. */
#define RLK_REPLICA_TIMEOUT_DEFAULT_MS 100

/* What the host (php.ini) says where the options say nothing. Strings are borrowed, NULL = none. Times are in seconds. */
typedef struct {
	const char *server; /* a URI; counts only while the options name no address of their own. "": there is none */
	const char *prefix;
	double ttl;                         /* 0: the built-in default of the lock's kind */
	double connect_timeout, io_timeout; /* 0 and -1: RLK_TIMEOUT_DEFAULT_MS */
} rlk_config_defaults;

/* Starts a configuration. false: the defaults themselves are wrong (*err names the INI setting) or memory is out;
 * *config is destroyed. */
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

/* Gives a finished configuration another ttl, of 1 ms at least, 2 ms with renew; for callers whose ttl is in ms. false:
 * it is not above the interval. */
bool rlk_config_set_ttl(rlk_config *config, int64_t ttl_ms, rlk_error *err);

/* Replaces the token by one that rlk_config_check_token() has let pass. false: memory is out. */
bool rlk_config_set_token(rlk_config *config, rlk_str token);

/* Deep copy into uninitialised memory. false: memory is out, *to is empty and destroyed. */
bool rlk_config_copy(rlk_config *to, const rlk_config *from);

/* --- between rlk_config.c and rlk_config_finish.c --- */

#define RLK_SAID(option) RLK_OPTION_BIT(RLK_OPTION_##option)

/* Copies these options, a bit each, from one rlk_config to another, or from one rlk_server to another: `kept` says which.
 * false: memory is out. The label stays. */
bool rlk_config_inherit(void *to, const void *from, rlk_option_kept kept, uint64_t options, rlk_error *err);

/* Checks the server as a whole and drops what its transport does not use. */
bool rlk_config_finish_server(const rlk_config *config, rlk_server *server, rlk_error *err);

/* Makes an empty list with room for so many. false: memory is out, the list can be destroyed. */
bool rlk_config_list_begin(rlk_config_list *list, size_t count);

void rlk_config_list_destroy(rlk_config_list *list);

#endif
