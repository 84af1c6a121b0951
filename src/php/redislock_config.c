/*
 * redislock_config: see the header. Builds a borrowed tree of rlk_value over the PHP values; the parser in
 * src/config copies what it keeps, so the tree is gone before the call returns.
 */
#include "php/redislock_config.h"

#include "php/redislock_errors.h"

#include <SAPI.h>

/* Deeper than any configuration we know; ends self-referencing arrays. */
#define DEPTH_MAX 8

static void build_value(zval *zv, rlk_value *value, int depth);

/* The bytes of a key. Integer keys of a map become text, in memory that free_value() gives back. */
static rlk_str key_text(zend_string *key, zend_ulong index)
{
	char *text;
	size_t len;

	if (key != NULL)
		return rlk_str_make(ZSTR_VAL(key), ZSTR_LEN(key));
	len = spprintf(&text, 0, ZEND_LONG_FMT, (zend_long)index);
	return rlk_str_make(text, len);
}

static void build_map(HashTable *table, rlk_value *value, int depth)
{
	rlk_entry *entries = safe_emalloc(zend_hash_num_elements(table) + 1, sizeof(rlk_entry), 0);
	zend_string *key;
	zend_ulong index;
	size_t count = 0;
	zval *item;

	value->type = RLK_VALUE_MAP;
	value->as.map.is_list = zend_array_is_list(table);
	ZEND_HASH_FOREACH_KEY_VAL (table, index, key, item) {
		entries[count].key = value->as.map.is_list ? rlk_str_make(NULL, 0) : key_text(key, index);
		build_value(item, &entries[count].value, depth + 1);
		count++;
	}
	ZEND_HASH_FOREACH_END();
	value->as.map.entries = entries;
	value->as.map.count = count;
}

static void build_value(zval *zv, rlk_value *value, int depth)
{
	ZVAL_DEREF(zv);
	memset(value, 0, sizeof(*value));
	switch (Z_TYPE_P(zv)) {
		case IS_NULL:
			value->type = RLK_VALUE_NULL;
			return;
		case IS_FALSE:
		case IS_TRUE:
			value->type = RLK_VALUE_BOOL;
			value->as.b = Z_TYPE_P(zv) == IS_TRUE;
			return;
		case IS_LONG:
			value->type = RLK_VALUE_INT;
			value->as.i = Z_LVAL_P(zv);
			return;
		case IS_DOUBLE:
			value->type = RLK_VALUE_FLOAT;
			value->as.d = Z_DVAL_P(zv);
			return;
		case IS_STRING:
			value->type = RLK_VALUE_STRING;
			value->as.s = rlk_str_make(Z_STRVAL_P(zv), Z_STRLEN_P(zv));
			return;
		case IS_ARRAY:
			if (depth < DEPTH_MAX) {
				build_map(Z_ARRVAL_P(zv), value, depth);
				return;
			}
			break;
	}
	value->type = RLK_VALUE_OTHER;
	value->as.s = rlk_str_from_cstr(zend_zval_type_name(zv));
	if (Z_TYPE_P(zv) == IS_OBJECT)
		value->as.s = rlk_str_make(ZSTR_VAL(Z_OBJCE_P(zv)->name), ZSTR_LEN(Z_OBJCE_P(zv)->name));
}

static void free_value(HashTable *table, rlk_value *value)
{
	zend_string *key;
	zend_ulong index;
	size_t i = 0;
	zval *item;

	ZEND_HASH_FOREACH_KEY_VAL (table, index, key, item) {
		rlk_entry *entry = (rlk_entry *)&value->as.map.entries[i++];

		(void)index;
		ZVAL_DEREF(item);
		if (entry->value.type == RLK_VALUE_MAP)
			free_value(Z_ARRVAL_P(item), &entry->value);
		if (key == NULL && !value->as.map.is_list)
			efree((char *)entry->key.data);
	}
	ZEND_HASH_FOREACH_END();
	efree((rlk_entry *)value->as.map.entries);
}

static bool apply_table(rlk_config *config, HashTable *table,
	bool (*apply)(rlk_config *, const rlk_value *, rlk_error *), rlk_error *err)
{
	rlk_value value;
	bool ok;

	if (table == NULL || zend_hash_num_elements(table) == 0)
		return true;
	memset(&value, 0, sizeof(value));
	build_map(table, &value, 0);
	ok = apply(config, &value, err);
	free_value(table, &value);
	return ok;
}

/* 0 and -1 are the default, as in the options. */
static bool ini_timeout(double seconds, const char *setting, int *ms, rlk_error *err)
{
	*ms = seconds >= 0.001 && seconds <= RLK_TIMEOUT_MAX_MS / 1000 ? (int)(seconds * 1000.0 + 0.5) : 0;
	if (*ms > 0 || seconds == 0 || seconds == -1)
		return true;
	rlk_error_set(err, RLK_ERR_VALUE, 0,
		"ini setting \"%s\" must be a number of seconds of at least 0.001 and at most %d, or 0 for the default",
		setting, RLK_TIMEOUT_MAX_MS / 1000);
	return false;
}

static bool ini_ttl(double seconds, int64_t *ms, rlk_error *err)
{
	return rlk_config_seconds(seconds, true, false, "ini setting \"redislock.ttl\"", ms, err);
}

/* A day. */
#define IDLE_MAX_S 86400

bool redislock_config_ini_idle(double seconds, int64_t *ms, rlk_error *err)
{
	/* What is no number is not between these two either. */
	if (seconds >= 0 && seconds <= IDLE_MAX_S) {
		*ms = (int64_t)(seconds * 1000.0 + 0.5);
		return true;
	}
	rlk_error_set(err, RLK_ERR_VALUE, 0,
		"ini setting \"redislock.renewal_idle\" must be a number of seconds from 0 to %d", IDLE_MAX_S);
	return false;
}

bool redislock_config_ini_seconds(double seconds, const char *setting, rlk_error *err)
{
	int64_t ms;
	int timeout_ms;

	if (strcmp(setting, "redislock.ttl") == 0)
		return ini_ttl(seconds, &ms, err);
	if (strcmp(setting, "redislock.renewal_idle") == 0)
		return redislock_config_ini_idle(seconds, &ms, err);
	return ini_timeout(seconds, setting, &timeout_ms, err);
}

bool redislock_config_ini_server(const char *server, rlk_error *err)
{
	rlk_config_defaults defaults = { .server = server };
	rlk_config config;
	bool ok = rlk_config_init(&config, &defaults, err);

	rlk_config_destroy(&config);
	return ok;
}

static bool ini_defaults(rlk_config_defaults *defaults, rlk_error *err)
{
	int64_t idle_ms;

	memset(defaults, 0, sizeof(*defaults));
	/* Our own default is the core's as well, and need not be read for each lock. */
	defaults->server = RLG(server) != NULL && strcmp(RLG(server), REDISLOCK_SERVER_DEFAULT) == 0 ? NULL : RLG(server);
	defaults->prefix = RLG(prefix);
	if (!ini_timeout(RLG(connect_timeout), "redislock.connect_timeout", &defaults->connect_timeout_ms, err) ||
		!ini_timeout(RLG(io_timeout), "redislock.io_timeout", &defaults->io_timeout_ms, err))
		return false;
	return redislock_config_ini_idle(RLG(renewal_idle), &idle_ms, err) && ini_ttl(RLG(ttl), &defaults->ttl_ms, err);
}

/* A script that runs once has its objects to keep connections. */
static bool is_persistent_by_default(void)
{
	return strcmp(sapi_module.name, "cli") != 0 && strcmp(sapi_module.name, "phpdbg") != 0;
}

/* Starts a configuration. false: exception thrown, *config is destroyed. */
static bool init_config(rlk_config *config)
{
	rlk_config_defaults defaults;
	rlk_error err;

	rlk_error_clear(&err);
	memset(config, 0, sizeof(*config));
	if (ini_defaults(&defaults, &err) && rlk_config_init(config, &defaults, &err)) {
		config->persistent = is_persistent_by_default();
		return true;
	}
	rlk_config_destroy(config);
	redislock_throw(&err, NULL);
	return false;
}

bool redislock_config_build(rlk_config *config, zval *params, HashTable *options, bool bound)
{
	uint32_t argument = 1;
	rlk_error err;
	bool ok;

	rlk_error_clear(&err);
	if (!init_config(config))
		return false;
	if (params != NULL && Z_TYPE_P(params) == IS_STRING)
		ok = rlk_config_apply_uri(config, rlk_str_make(Z_STRVAL_P(params), Z_STRLEN_P(params)), &err);
	else
		ok = apply_table(config, params != NULL ? Z_ARRVAL_P(params) : NULL, rlk_config_apply_map, &err);
	if (ok && !apply_table(config, options, rlk_config_apply_map, &err)) {
		ok = false;
		argument = 2;
	}
	ok = ok && (!bound || rlk_config_require_renew(config, &err)) && rlk_config_finish(config, &err) &&
		(!bound || rlk_config_require_name(config, &err));
	if (!ok) {
		rlk_config_destroy(config);
		redislock_throw_argument(&err, argument);
	}
	return ok;
}

/* Options that the class has other ways to say, or no use for. */
static bool refuse_for_redlock(const rlk_config *config, rlk_error *err)
{
	const char *key = config->quorum.count > 0   ? "servers" :
		config->name != NULL                     ? "name" :
		config->ttl_given                        ? "ttl" :
		config->wait_given                       ? "wait" :
		config->retry_ms != RLK_RETRY_DEFAULT_MS ? "retry" :
												   NULL;

	if (key != NULL)
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" cannot be used with RedLock, which has an argument for it",
			key);
	else if (config->reentrant)
		rlk_error_set(err, RLK_ERR_VALUE, 0,
			"option \"reentrant\" cannot be used with RedLock: each lock() takes a lock of its own");
	return key == NULL && !config->reentrant;
}

bool redislock_config_redlock(rlk_config *config, HashTable *servers, HashTable *options)
{
	rlk_entry entry = { RLK_STR("servers"), { RLK_VALUE_NULL, { .b = false } } };
	const rlk_value map = { RLK_VALUE_MAP, { .map = { &entry, 1, false } } };
	uint32_t argument = 4;
	rlk_error err;
	bool ok;

	rlk_error_clear(&err);
	if (!init_config(config))
		return false;
	ok = apply_table(config, options, rlk_config_apply_map, &err) && refuse_for_redlock(config, &err);
	if (ok) {
		argument = 1;
		build_map(servers, &entry.value, 1);
		ok = rlk_config_apply_map(config, &map, &err) && rlk_config_finish(config, &err);
		free_value(servers, &entry.value);
	}
	if (!ok) {
		rlk_config_destroy(config);
		redislock_throw_argument(&err, argument);
	}
	return ok;
}

bool redislock_config_with_ttl(rlk_config *config, const rlk_config *base, zend_long ttl_ms)
{
	rlk_error err;

	rlk_error_clear(&err);
	*config = *base;
	if (rlk_config_set_ttl(config, ttl_ms, &err))
		return true;
	redislock_throw_argument(&err, 2);
	return false;
}

bool redislock_config_for_call(rlk_config *config, const rlk_config *base, HashTable *options)
{
	rlk_error err;

	rlk_error_clear(&err);
	if (!rlk_config_copy(config, base)) {
		rlk_error_set(&err, RLK_ERR_MEMORY, 0, "out of memory for the options");
		redislock_throw(&err, NULL);
		return false;
	}
	if (apply_table(config, options, rlk_config_apply_call, &err) && rlk_config_finish(config, &err))
		return true;
	rlk_config_destroy(config);
	redislock_throw_argument(&err, 3);
	return false;
}

bool redislock_config_bound(rlk_config *config, const rlk_config *base)
{
	rlk_error err;

	rlk_error_clear(&err);
	if (!rlk_config_copy(config, base))
		rlk_error_set(&err, RLK_ERR_MEMORY, 0, "out of memory for the options");
	else if (rlk_config_require_renew(config, &err) && rlk_config_finish(config, &err))
		return true;
	rlk_config_destroy(config);
	redislock_throw(&err, NULL);
	return false;
}

bool redislock_config_check(zend_string *s, bool (*check)(rlk_str, const char *, rlk_error *), uint32_t argument)
{
	rlk_error err;

	rlk_error_clear(&err);
	if (check(rlk_str_make(ZSTR_VAL(s), ZSTR_LEN(s)), "it", &err))
		return true;
	redislock_throw_argument(&err, argument);
	return false;
}
