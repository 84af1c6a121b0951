/*
 * redislock_config: PHP values as a tree of rlk_value, and configurations made of it.
 *
 * The tree borrows from the PHP values. src/config copies what it stores, so the tree is freed as soon as it is parsed.
 */
#include "php/redislock_config.h"

#include "php/redislock_errors.h"

#include <SAPI.h>
#include <zend_arena.h>

/* No configuration is nested deeper. Ends self-referencing arrays. */
#define DEPTH_MAX 8
/* Enough for most configurations. */
#define TREE_BYTES 1024

/* Memory of the tree until it is parsed. */
typedef zend_arena *tree;

/* clang-format off */
#define NONE { RLK_VALUE_NULL, { .b = false } }
/* clang-format on */

static void build_value(tree *tree, zval *zv, rlk_value *value, int depth);

/* The bytes of a key. Integer keys of a map become text. */
static rlk_str key_text(tree *tree, zend_string *key, zend_ulong index)
{
	char *text;

	if (key != NULL)
		return redislock_str(key);
	text = zend_arena_alloc(tree, MAX_LENGTH_OF_LONG);
	return rlk_str_make(text, (size_t)snprintf(text, MAX_LENGTH_OF_LONG, ZEND_LONG_FMT, (zend_long)index));
}

static void build_map(tree *tree, HashTable *table, rlk_value *value, int depth)
{
	rlk_entry *entry = zend_arena_calloc(tree, zend_hash_num_elements(table) + 1, sizeof(rlk_entry));
	zend_string *key;
	zend_ulong index;
	zval *item;

	value->type = RLK_VALUE_MAP;
	value->as.map.is_list = zend_array_is_list(table);
	value->as.map.entries = entry;
	value->as.map.count = zend_hash_num_elements(table);
	ZEND_HASH_FOREACH_KEY_VAL (table, index, key, item) {
		if (!value->as.map.is_list)
			entry->key = key_text(tree, key, index);
		build_value(tree, item, &entry->value, depth + 1);
		entry++;
	}
	ZEND_HASH_FOREACH_END();
}

static void build_value(tree *tree, zval *zv, rlk_value *value, int depth)
{
	ZVAL_DEREF(zv);
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
			value->as.s = redislock_str(Z_STR_P(zv));
			return;
		case IS_ARRAY:
			if (depth < DEPTH_MAX) {
				build_map(tree, Z_ARRVAL_P(zv), value, depth);
				return;
			}
			break;
	}
	value->type = RLK_VALUE_OTHER;
	value->as.s = rlk_str_from_cstr(zend_zval_type_name(zv));
	if (Z_TYPE_P(zv) == IS_OBJECT)
		value->as.s = redislock_str(Z_OBJCE_P(zv)->name);
}

/* --- php.ini --- */

/* A day. */
#define IDLE_MAX_S 86400

bool redislock_config_ini_idle(double seconds, int64_t *ms, rlk_error *err)
{
	/* A NAN fails this, too. */
	if (!(seconds >= 0 && seconds <= IDLE_MAX_S))
		return RLK_WRONG_VALUE(err, "ini setting \"redislock.renewal_idle\" must be a number of seconds from 0 to %d",
			IDLE_MAX_S);
	*ms = (int64_t)(seconds * 1000.0 + 0.5);
	return true;
}

bool redislock_config_ini_seconds(double seconds, const char *setting, rlk_error *err)
{
	rlk_config_defaults defaults = { .server = NULL };
	int64_t ms;

	if (strcmp(setting, "redislock.renewal_idle") == 0)
		return redislock_config_ini_idle(seconds, &ms, err);
	if (strcmp(setting, "redislock.ttl") == 0)
		defaults.ttl = seconds;
	else if (strcmp(setting, "redislock.connect_timeout") == 0)
		defaults.connect_timeout = seconds;
	else
		defaults.io_timeout = seconds;
	return rlk_config_check_defaults(&defaults, err);
}

bool redislock_config_ini_server(const char *server, rlk_error *err)
{
	return rlk_config_check_defaults(&(rlk_config_defaults){ .server = server }, err);
}

/* --- configurations --- */

/* A script on the command line runs once, and its objects keep their connections. */
static bool is_persistent_by_default(void)
{
	return strcmp(sapi_module.name, "cli") != 0 && strcmp(sapi_module.name, "phpdbg") != 0;
}

/* Throws *err, about this argument or, with 0, about none. Returns false. */
static bool refuse(const rlk_error *err, uint32_t argument)
{
	if (argument > 0)
		redislock_throw_argument(err, argument);
	else
		redislock_throw(err, NULL, NULL);
	return false;
}

/* Makes a configuration of two layers over php.ini. `arguments`: the number of the argument of each layer, and 0 for
 * php.ini. */
static bool make_config(rlk_config *config, const rlk_value layers[2], const uint32_t arguments[3], bool bound)
{
	/* rlk_config_make() has the same default, so it need not be parsed for each lock. */
	bool own_server = RLG(server) == NULL || strcmp(RLG(server), REDISLOCK_SERVER_DEFAULT) == 0;
	const rlk_config_defaults defaults = { own_server ? NULL : RLG(server), RLG(prefix), RLG(ttl), RLG(connect_timeout),
		RLG(io_timeout), is_persistent_by_default() };
	int64_t idle_ms;
	rlk_error err;
	size_t at;

	rlk_error_clear(&err);
	if (!redislock_config_ini_idle(RLG(renewal_idle), &idle_ms, &err))
		return refuse(&err, 0);
	return rlk_config_make(config, &defaults, layers, 2, bound, &at, &err) || refuse(&err, arguments[at]);
}

bool redislock_config_build(rlk_config *config, zval *params, HashTable *options, uint32_t options_argument, bool bound)
{
	const uint32_t arguments[] = { 1, options_argument, 0 };
	rlk_value layers[] = { NONE, NONE };
	tree tree = zend_arena_create(TREE_BYTES);
	bool ok;

	if (params != NULL)
		build_value(&tree, params, &layers[0], 0);
	if (options != NULL)
		build_map(&tree, options, &layers[1], 0);
	ok = make_config(config, layers, arguments, bound);
	zend_arena_destroy(tree);
	return ok;
}

/* Refuses options for which RedLock has arguments, or which it cannot have. */
static bool check_for_redlock(const rlk_config *config, const rlk_value *options, rlk_error *err)
{
	bool servers = rlk_value_is_map(options) && rlk_value_find(options, "servers") != NULL;
	const char *key = servers                    ? "servers" :
		config->name.len > 0                     ? "name" :
		config->ttl_key != NULL                  ? "ttl" :
		config->waits                            ? "wait" :
		config->retry_ms != RLK_RETRY_DEFAULT_MS ? "retry_ms" :
												   NULL;

	if (key != NULL)
		return RLK_WRONG_VALUE(err, "option \"%s\" cannot be used with RedLock, which has an argument for it", key);
	return !config->reentrant ||
		RLK_WRONG_VALUE(err, "option \"reentrant\" cannot be used with RedLock: each lock() takes a lock of its own");
}

bool redislock_config_redlock(rlk_config *config, zval *servers, HashTable *options)
{
	static const uint32_t arguments[] = { 4, 1, 0 };
	rlk_entry entry = { RLK_STR("servers"), NONE };
	rlk_value layers[] = { NONE, { RLK_VALUE_MAP, { .map = { &entry, 1, false } } } };
	tree tree = zend_arena_create(TREE_BYTES);
	rlk_error err;
	bool ok;

	rlk_error_clear(&err);
	if (options != NULL)
		build_map(&tree, options, &layers[0], 0);
	build_value(&tree, servers, &entry.value, 0);
	ok = make_config(config, layers, arguments, false);
	if (ok && !check_for_redlock(config, &layers[0], &err)) {
		rlk_config_destroy(config);
		ok = refuse(&err, 4);
	}
	zend_arena_destroy(tree);
	return ok;
}

bool redislock_config_for_call(rlk_config *config, const rlk_config *base, HashTable *options, bool bound)
{
	tree tree = zend_arena_create(TREE_BYTES);
	rlk_value map = NONE;
	rlk_error err;
	bool ok;

	rlk_error_clear(&err);
	if (options != NULL)
		build_map(&tree, options, &map, 0);
	ok = rlk_config_for_call(config, base, &map, bound, &err) || refuse(&err, bound ? 0 : 3);
	zend_arena_destroy(tree);
	return ok;
}

bool redislock_config_check(zend_string *s, bool (*check)(rlk_str, const char *, rlk_error *), uint32_t argument)
{
	rlk_error err;

	rlk_error_clear(&err);
	if (check(redislock_str(s), "it", &err))
		return true;
	redislock_throw_argument(&err, argument);
	return false;
}

/* --- redislock.renewal -------------------------------------------------------------------------- */

redislock_renewal_mode redislock_config_renewal_mode(const char *text)
{
	/* An ini file turns an unquoted off, none or no into an empty string. */
	static const char *const off[] = { "", "off", "none", "no", "0" };

	if (strcasecmp(text, "process") == 0)
		return REDISLOCK_RENEWAL_PROCESS;
	if (strcasecmp(text, "thread") == 0)
		return REDISLOCK_RENEWAL_THREAD;
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		if (strcasecmp(text, off[i]) == 0)
			return REDISLOCK_RENEWAL_OFF;
	}
	return REDISLOCK_RENEWAL_WRONG;
}

void redislock_config_refuse_renewal(rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_VALUE, 0, "ini setting \"redislock.renewal\" must be process, thread or off");
}

const rlk_backend *redislock_config_backend_for(redislock_renewal_mode mode)
{
	if (mode == REDISLOCK_RENEWAL_OFF || mode == REDISLOCK_RENEWAL_WRONG)
		return NULL;
	if (mode == REDISLOCK_RENEWAL_PROCESS && rlk_backend_process != NULL)
		return rlk_backend_process;
	return rlk_backend_thread;
}

const rlk_backend *redislock_config_backend(rlk_error *err)
{
	redislock_renewal_mode mode = (redislock_renewal_mode)RLG(renewal);
	const rlk_backend *backend = NULL;

	if (mode == REDISLOCK_RENEWAL_WRONG) {
		redislock_config_refuse_renewal(err);
	} else if (mode == REDISLOCK_RENEWAL_OFF) {
		rlk_error_set(err, RLK_ERR_RENEWAL, 0,
			"process-bound locks need renewal, which ini setting \"redislock.renewal\" turns off");
	} else if (RLG(thread) == NULL) {
		rlk_error_set(err, RLK_ERR_RENEWAL, 0, "too many threads run PHP for this one to be told of a lost lock");
	} else {
		backend = redislock_config_backend_for(mode);
		if (backend == NULL)
			rlk_error_set(err, RLK_ERR_RENEWAL, 0,
				"this system cannot renew locks in the way that \"redislock.renewal\" names");
	}
	return backend;
}
