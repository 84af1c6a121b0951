/*
 * redislock_class: the life of RedisLock objects, and the methods without a request to a server.
 */
#include "php/redislock_object.h"

#include "php/redislock_thread.h"

#include "php/redislock_config.h"
#include "php/redislock_errors.h"

#include <zend_attributes.h>

/* Of RedLock, too. */
static zend_object_handlers handlers;

static zend_object *create_object(zend_class_entry *ce)
{
	redislock_object *object = zend_object_alloc(sizeof(*object), ce);

	zend_object_std_init(&object->std, ce);
	object_properties_init(&object->std, ce);
	object->std.handlers = &handlers;
	return &object->std;
}

/* Called at the end of the request while something still refers to the object, perhaps a session handler. If the
 * handler is not registered as a shutdown function, PHP calls its write() only after all destructors. A lock acquired
 * in its read() has to last until then, so the session is written now. */
static void write_session(void)
{
	static const char name[] = "session_write_close";
	zend_function *write = zend_hash_str_find_ptr(CG(function_table), ZEND_STRL(name));
	const char *handler = zend_ini_string("session.save_handler", sizeof("session.save_handler") - 1, 0);

	if (write != NULL && handler != NULL && strcmp(handler, "user") == 0 && EG(exception) == NULL)
		zend_call_known_function(write, NULL, NULL, NULL, 0, NULL, NULL);
}

/* Ends process-bound locks while PHP still lives, unless other objects are in them; leases stay, by contract. After a
 * fatal error the end of the request does that instead. */
static void destroy_object(zend_object *std)
{
	redislock_object *object = redislock_object_from(std);

	zend_objects_destroy_object(std);
	if (UNEXPECTED((EG(flags) & EG_FLAGS_IN_SHUTDOWN) != 0) && GC_REFCOUNT(std) > 1 && object->records != NULL &&
		object->records->hold->life.slot != RLK_SLOT_NONE)
		write_session();
	for (redislock_record *record = object->records; record != NULL; record = record->next) {
		if (record->hold->life.slot == RLK_SLOT_NONE || record->hold->life.refcount != 1)
			continue;
		zend_fiber_switch_block(); /* since 8.4 PHP does not */
		redislock_hold_end_unasked(record->hold, RLK_END_OBJECT);
		zend_fiber_switch_unblock();
	}
	if (RLG(events) != NULL)
		redislock_thread_interrupt(); /* destructors are no place for other code */
}

static void free_object(zend_object *std)
{
	redislock_object *object = redislock_object_from(std);

	if (!redislock_cache_put(object)) {
		while (object->records != NULL)
			redislock_record_forget(&object->records);
		if (object->client != NULL)
			redislock_client_release(object->client);
	}
	zend_object_std_dtor(std);
}

#if PHP_VERSION_ID >= 80500
/* #[\NoDiscard]: the stub says so, but its generator, that of PHP 8.2, leaves the attributes of methods out. */
static void warn_if_discarded(const char *method)
{
	zend_function *function = zend_hash_str_find_ptr(&redislock_ce_RedisLock->function_table, method, strlen(method));
	zend_string *attribute = zend_string_init_interned(ZEND_STRL("NoDiscard"), true);

	zend_add_function_attribute(function, attribute, 0);
	zend_string_release(attribute);
	function->common.fn_flags |= ZEND_ACC_NODISCARD;
}
#endif

void redislock_class_startup(void)
{
#if PHP_VERSION_ID >= 80500
	warn_if_discarded("acquire");
	warn_if_discarded("keepalive");
#endif
	redislock_ce_RedisLock->create_object = redislock_ce_RedLock->create_object = create_object;
	memcpy(&handlers, zend_get_std_object_handlers(), sizeof(zend_object_handlers));
	handlers.offset = offsetof(redislock_object, std);
	handlers.dtor_obj = destroy_object;
	handlers.free_obj = free_object;
	handlers.clone_obj = NULL;
	handlers.get_debug_info = redislock_describe_object;
	handlers.compare = zend_objects_not_comparable;
}

/* Not Z_PARAM_ARRAY_HT_OR_STR, which would make a string of a number. false: exception thrown. */
static bool check_params(const zval *params)
{
	if (Z_TYPE_P(params) == IS_ARRAY || Z_TYPE_P(params) == IS_STRING)
		return true;
	zend_argument_type_error(1, "must be of type array|string, %s given", zend_zval_type_name(params));
	return false;
}

PHP_METHOD(RedisLock, __construct)
{
	zval *params = NULL;
	HashTable *options = NULL;
	redislock_object *object = redislock_object_from(Z_OBJ_P(ZEND_THIS));

	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(params)
		Z_PARAM_ARRAY_HT(options)
	ZEND_PARSE_PARAMETERS_END();

	if (params != NULL && !check_params(params))
		RETURN_THROWS();
	if (object->client != NULL) {
		zend_throw_error(NULL, "%s::__construct() may be called only once", ZSTR_VAL(Z_OBJCE_P(ZEND_THIS)->name));
		RETURN_THROWS();
	}
	redislock_cache_construct(object, params, options, false);
}

PHP_METHOD(RedisLock, restore)
{
	HashTable *given = NULL, *options;
	zend_string *name, *token;
	zval *params, named;
	redislock_object *object;
	rlk_config config;
	bool built;

	ZEND_PARSE_PARAMETERS_START(3, 4)
		Z_PARAM_ZVAL(params)
		Z_PARAM_STR(name)
		Z_PARAM_STR(token)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT(given)
	ZEND_PARSE_PARAMETERS_END();

	if (!check_params(params) || !redislock_config_check(name, rlk_config_check_name, 2) ||
		!redislock_config_check(token, rlk_config_check_token, 3))
		RETURN_THROWS();
	options = given != NULL ? zend_array_dup(given) : zend_new_array(1);
	ZVAL_STR_COPY(&named, name);
	zend_hash_str_update(options, ZEND_STRL("name"), &named);
	built = redislock_config_build(&config, params, options, 4, false);
	zend_array_destroy(options);
	if (!built)
		RETURN_THROWS();
	if (object_init_ex(return_value, zend_get_called_scope(execute_data)) != SUCCESS) {
		rlk_config_destroy(&config);
		RETURN_THROWS();
	}
	object = redislock_object_from(Z_OBJ_P(return_value));
	if (redislock_object_configure(object, &config)) {
		redislock_hold_restore(object->records->hold, &object->client->config, token);
		object->records->entries = 1;
	}
}

PHP_METHOD(RedisLock, newToken)
{
	zend_string *label = NULL;
	char token[RLK_TOKEN_MAX];
	rlk_error err;
	size_t len;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(label)
	ZEND_PARSE_PARAMETERS_END();

	if (label != NULL && !redislock_config_check(label, rlk_config_check_label, 1))
		RETURN_THROWS();
	rlk_error_clear(&err);
	len = rlk_token_make(token, label != NULL ? redislock_str(label) : RLK_STR(""), false, &err);
	if (len == 0) {
		redislock_throw(&err, NULL, NULL);
		RETURN_THROWS();
	}
	RETURN_STRINGL(token, len);
}

PHP_METHOD(RedisLock, getName)
{
	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	RETURN_STRINGL(object->client->config.name.data, object->client->config.name.len);
}

PHP_METHOD(RedisLock, getToken)
{
	redislock_hold *hold;

	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	hold = object->records->hold;
	if (hold->life.state == RLK_HOLD_RESTORED || redislock_record_is_held(object->records))
		RETURN_STRINGL(hold->life.lock.token.text.data, hold->life.lock.token.text.len);
}

PHP_METHOD(RedisLock, getFence)
{
	redislock_hold *hold;

	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	hold = object->records->hold;
	if (redislock_record_is_held(object->records) && hold->life.lock.fence > 0)
		RETURN_LONG((zend_long)hold->life.lock.fence);
}

PHP_METHOD(RedisLock, __toString)
{
	const rlk_config *config;
	redislock_hold *hold;
	char number[RLK_NUMBER_SHOWN_MAX];
	zend_string *ttl;
	int64_t ttl_ms;

	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_THIS(object);
	config = &object->client->config;
	hold = object->records->hold;
	ttl_ms = hold->life.state == RLK_HOLD_HELD ? hold->life.lock.ttl_ms : config->ttl_ms;
	/* The name may hold any byte, so it is not printed but put in front. */
	ttl = strpprintf(0, "[%s]", rlk_number_show((double)ttl_ms / 1000.0, number, sizeof(number)));
	RETVAL_STR(zend_string_concat2(config->name.data, config->name.len, ZSTR_VAL(ttl), ZSTR_LEN(ttl)));
	zend_string_release(ttl);
}
