/*
 * redislock_config: PHP values as a tree of rlk_value, and the configurations made of it.
 *
 * The tree borrows from the PHP values. src/config copies what it keeps, so the
 * tree is freed as soon as it is parsed.
 */
#include "php/redislock_config.h"

#include "php/redislock_errors.h"

#include <SAPI.h>
#include <zend_arena.h>

/* No configuration is nested deeper. Ends self-referencing arrays. */
#define DEPTH_MAX 8
/* Enough for most configurations. */
#define TREE_BYTES 1024

/* Where the tree lives until it has been parsed. */
typedef zend_arena *tree;

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

static bool apply_table(rlk_config *config, HashTable *table,
	bool (*apply)(rlk_config *, const rlk_value *, rlk_error *), rlk_error *err)
{
	rlk_value value = { RLK_VALUE_NULL, { .b = false } };
	tree tree;
	bool ok;

	if (table == NULL || zend_hash_num_elements(table) == 0)
		return true;
	tree = zend_arena_create(TREE_BYTES);
	build_map(&tree, table, &value, 0);
	ok = apply(config, &value, err);
	zend_arena_destroy(tree);
	return ok;
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

static bool check_defaults(const rlk_config_defaults *defaults, rlk_error *err)
{
	rlk_config config;
	bool ok = rlk_config_init(&config, defaults, err);

	rlk_config_destroy(&config);
	return ok;
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
	return check_defaults(&defaults, err);
}

bool redislock_config_ini_server(const char *server, rlk_error *err)
{
	return check_defaults(&(rlk_config_defaults){ .server = server }, err);
}

/* --- configurations --- */

/* A script on the command line runs once, and its objects keep their connections. */
static bool is_persistent_by_default(void)
{
	return strcmp(sapi_module.name, "cli") != 0 && strcmp(sapi_module.name, "phpdbg") != 0;
}

/* Returns `ok`; if that is false, destroys *config and throws *err, about this argument or, with 0, about none. */
static bool conclude(rlk_config *config, bool ok, uint32_t argument, const rlk_error *err)
{
	if (ok)
		return true;
	rlk_config_destroy(config);
	if (argument > 0)
		redislock_throw_argument(err, argument);
	else
		redislock_throw(err, NULL, NULL);
	return false;
}

/* Starts a configuration. false: exception thrown, *config is destroyed. */
static bool init_config(rlk_config *config)
{
	/* rlk_config_finish() has the same default, so it need not be parsed for each lock. */
	bool own_server = RLG(server) == NULL || strcmp(RLG(server), REDISLOCK_SERVER_DEFAULT) == 0;
	const rlk_config_defaults defaults = { own_server ? NULL : RLG(server), RLG(prefix), RLG(ttl), RLG(connect_timeout),
		RLG(io_timeout) };
	int64_t idle_ms;
	rlk_error err;
	bool ok;

	rlk_error_clear(&err);
	ok = rlk_config_init(config, &defaults, &err) && redislock_config_ini_idle(RLG(renewal_idle), &idle_ms, &err);
	config->persistent = is_persistent_by_default();
	return conclude(config, ok, 0, &err);
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
		ok = rlk_config_apply_uri(config, redislock_str(Z_STR_P(params)), &err);
	else
		ok = apply_table(config, params != NULL ? Z_ARRVAL_P(params) : NULL, rlk_config_apply_map, &err);
	if (ok && !apply_table(config, options, rlk_config_apply_map, &err)) {
		ok = false;
		argument = 2;
	}
	ok = ok && (!bound || rlk_config_require_renew(config, &err)) && rlk_config_finish(config, &err) &&
		(!bound || rlk_config_require_name(config, &err));
	return conclude(config, ok, argument, &err);
}

/* Refuses options that RedLock has arguments for, or cannot have. */
static bool refuse_for_redlock(const rlk_config *config, rlk_error *err)
{
	const char *key = config->listed_key == RLK_LIST_SERVERS ? "servers" :
		config->name.data != NULL                            ? "name" :
		config->ttl_key != NULL                              ? "ttl" :
		config->wait_given                                   ? "wait" :
		config->retry_ms != RLK_RETRY_DEFAULT_MS             ? "retry" :
															   NULL;

	if (key != NULL)
		return RLK_WRONG_VALUE(err, "option \"%s\" cannot be used with RedLock, which has an argument for it", key);
	return !config->reentrant ||
		RLK_WRONG_VALUE(err, "option \"reentrant\" cannot be used with RedLock: each lock() takes a lock of its own");
}

bool redislock_config_redlock(rlk_config *config, zval *servers, HashTable *options)
{
	rlk_error err;
	zval map;
	bool ok;

	rlk_error_clear(&err);
	if (!init_config(config))
		return false;
	if (!apply_table(config, options, rlk_config_apply_map, &err) || !refuse_for_redlock(config, &err))
		return conclude(config, false, 4, &err);
	array_init_size(&map, 1);
	Z_TRY_ADDREF_P(servers);
	add_assoc_zval(&map, "servers", servers);
	ok = apply_table(config, Z_ARRVAL(map), rlk_config_apply_map, &err) && rlk_config_finish(config, &err);
	zval_ptr_dtor(&map);
	return conclude(config, ok, 1, &err);
}

bool redislock_config_for_call(rlk_config *config, const rlk_config *base, HashTable *options, bool bound)
{
	rlk_error err;
	bool ok;

	rlk_error_clear(&err);
	if (!rlk_config_copy(config, base)) {
		redislock_throw_out_of_memory("the options");
		return false;
	}
	ok = apply_table(config, options, rlk_config_apply_call, &err) &&
		(!bound || rlk_config_require_renew(config, &err)) && rlk_config_finish(config, &err);
	return conclude(config, ok, bound ? 0 : 3, &err);
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
