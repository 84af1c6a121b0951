/*
 * redislock_config: from PHP values and php.ini to an rlk_config.
 */
#ifndef REDISLOCK_CONFIG_H
#define REDISLOCK_CONFIG_H

#include "php/redislock_module.h"

#include "config/rlk_config.h"

/* The default of redislock.server, which is also that of rlk_config_make(). */
#define REDISLOCK_SERVER_DEFAULT "tcp://127.0.0.1:6379"

/* Builds a configuration from $params (array or string) and $options (array, may be NULL). `bound` demands a name
 * and a process-bound lock. On false an exception is thrown, naming $params as argument 1 or $options as argument
 * `options_argument`, and *config is destroyed. */
bool redislock_config_build(rlk_config *config, zval *params, HashTable *options, uint32_t options_argument,
	bool bound);

/* The same for class RedLock: servers are argument 1 of its constructor, options argument 4. */
bool redislock_config_redlock(rlk_config *config, zval *servers, HashTable *options);

/* `base` for one call: of RedisLock::lock() with its options, argument 3, merged over it; of synchronized() without any and
 * `bound`, as a process-bound lock. Freed by rlk_config_end_call(). false: exception thrown, nothing to free. */
bool redislock_config_for_call(rlk_config *config, const rlk_config *base, HashTable *options, bool bound);

/* Checks a string given as an argument by one of rlk_config_check_...(). false: exception thrown. */
bool redislock_config_check(zend_string *s, bool (*check)(rlk_str, const char *, rlk_error *), uint32_t argument);

/* Check php.ini settings when they are set: one in seconds, and redislock.server. */
bool redislock_config_ini_seconds(double seconds, const char *setting, rlk_error *err);
bool redislock_config_ini_server(const char *server, rlk_error *err);

/* Of redislock.renewal_idle, which may be 0. */
bool redislock_config_ini_idle(double seconds, int64_t *ms, rlk_error *err);

#endif
