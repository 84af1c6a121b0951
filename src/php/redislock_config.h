/*
 * redislock_config: from PHP values and php.ini to an rlk_config.
 */
#ifndef REDISLOCK_CONFIG_H
#define REDISLOCK_CONFIG_H

#include "php/redislock_module.h"

#include "config/rlk_config.h"
#include "renew/rlk_backend.h"

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

/* --- redislock.renewal --- */

typedef enum {
	REDISLOCK_RENEWAL_PROCESS,
	REDISLOCK_RENEWAL_THREAD,
	REDISLOCK_RENEWAL_OFF,
	REDISLOCK_RENEWAL_WRONG /* something else was set */
} redislock_renewal_mode;

/* Reads the text of redislock.renewal. */
redislock_renewal_mode redislock_config_renewal_mode(const char *text);

/* Sets *err for REDISLOCK_RENEWAL_WRONG. */
void redislock_config_refuse_renewal(rlk_error *err);

/* The backend for this mode: a thread where the system has no fork. NULL: there is none. rlk_renewal_usable() may choose
 * another one. */
const rlk_backend *redislock_config_backend_for(redislock_renewal_mode mode);

/* The backend for the setting and this thread. NULL: *err says why there is none. A process-bound lock is never silently
 * made without renewal. */
const rlk_backend *redislock_config_backend(rlk_error *err);

#endif
