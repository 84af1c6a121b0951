/*
 * redislock_redlock: class RedLock, locks of any name on several servers.
 *
 * The array of lock() is enough to extend and unlock, also in another process. The object remembers its locks for their
 * ttl, and process-bound ones for their renewal.
 */
#include "php/redislock_object.h"

#include "php/redislock_config.h"
#include "php/redislock_errors.h"
#include "php/redislock_thread.h"
#include "php/redislock_stats.h"

PHP_METHOD(RedisLock_RedLock, __construct)
{
	zval *servers;
	HashTable *options = NULL;
	zend_long retry_delay = RLK_RETRY_DEFAULT_MS, retry_count = 3;
	redislock_object *object = redislock_object_from(Z_OBJ_P(ZEND_THIS));
	rlk_config config;

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_ARRAY(servers)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(retry_delay)
		Z_PARAM_LONG(retry_count)
		Z_PARAM_ARRAY_HT(options)
	ZEND_PARSE_PARAMETERS_END();

	if (object->client != NULL) {
		zend_throw_error(NULL, "%s::__construct() may be called only once", ZSTR_VAL(Z_OBJCE_P(ZEND_THIS)->name));
		RETURN_THROWS();
	}
	if (retry_delay < 0 || retry_delay > RLK_TIMEOUT_MAX_MS) {
		zend_argument_value_error(2, "must be from 0 to %d ms", RLK_TIMEOUT_MAX_MS);
		RETURN_THROWS();
	}
	if (retry_count < 0 || retry_count > INT_MAX) {
		zend_argument_value_error(3, "must be from 0 to %d", INT_MAX);
		RETURN_THROWS();
	}
	if (!redislock_config_redlock(&config, servers, options))
		RETURN_THROWS();
	config.retry_ms = retry_delay;
	config.attempts = retry_count > 0 ? (int)retry_count : 1;
	object->client = redislock_client_new(&config);
}

/* Argument 2. */
static bool check_ttl(const rlk_config *config, zend_long ttl)
{
	int64_t most = config->renew ? RLK_TTL_MAX_BOUND_MS : RLK_TTL_MAX_MS;

	if (ttl >= RLK_TTL_MIN_QUORUM_MS && ttl <= most)
		return true;
	zend_argument_value_error(2, "must be from " ZEND_LONG_FMT " to " ZEND_LONG_FMT " ms, " ZEND_LONG_FMT " given",
		(zend_long)RLK_TTL_MIN_QUORUM_MS, (zend_long)most, ttl);
	return false;
}

/* Makes and remembers a record. NULL: exception thrown. */
static redislock_record *add_lock(redislock_object *object, zend_string *resource)
{
	redislock_record *record = redislock_record_new(object->client, ZSTR_VAL(resource), ZSTR_LEN(resource));

	if (record != NULL) {
		record->next = object->records;
		object->records = record;
	}
	return record;
}

static void return_lock(redislock_hold *hold, zval *return_value)
{
	array_init_size(return_value, 3);
	add_assoc_double(return_value, "validity", (double)rlk_hold_remaining_ms(&hold->life));
	add_assoc_stringl(return_value, "resource", ZSTR_VAL(hold->name), ZSTR_LEN(hold->name));
	add_assoc_stringl(return_value, "token", hold->life.lock.token.text.data, hold->life.lock.token.text.len);
}

PHP_METHOD(RedisLock_RedLock, lock)
{
	zend_string *resource;
	zend_long ttl;
	rlk_config config;
	rlk_outcome outcome;
	redislock_record *record;
	rlk_error err;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(resource)
		Z_PARAM_LONG(ttl)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_THIS(object);
	if (!redislock_config_check(resource, rlk_config_check_name, 1) || !check_ttl(&object->client->config, ttl))
		RETURN_THROWS();
	rlk_error_clear(&err);
	config = object->client->config; /* owns nothing of it */
	if (!rlk_config_set_ttl(&config, ttl, &err)) {
		redislock_throw_argument(&err, 2);
		RETURN_THROWS();
	}
	redislock_records_prune(&object->records);
	record = add_lock(object, resource);
	if (record == NULL)
		RETURN_THROWS();
	outcome = config.renew && !redislock_outlives_call(execute_data, record->hold) ?
		RLK_FAIL :
		redislock_record_acquire(object, record, &config, 0);
	if (outcome == RLK_YES)
		return_lock(record->hold, return_value);
	else if (outcome == RLK_NO)
		RETVAL_FALSE;
	if (outcome != RLK_YES)
		redislock_object_forget(object, record);
	redislock_interrupt_go_on();
}

/* Reads the array that lock() returned. false: it is something else, exception thrown. */
static bool read_lock(HashTable *array, zend_string **resource, zend_string **token)
{
	zval *r = zend_hash_str_find_deref(array, ZEND_STRL("resource"));
	zval *t = zend_hash_str_find_deref(array, ZEND_STRL("token"));
	rlk_error err;

	rlk_error_clear(&err);
	if (r == NULL || t == NULL || Z_TYPE_P(r) != IS_STRING || Z_TYPE_P(t) != IS_STRING) {
		zend_argument_value_error(1, "must be what RedLock::lock() returned, with \"resource\" and \"token\"");
		return false;
	}
	*resource = Z_STR_P(r);
	*token = Z_STR_P(t);
	if (rlk_config_check_name(redislock_str(*resource), "its \"resource\"", &err) &&
		rlk_config_check_token(redislock_str(*token), "its \"token\"", &err))
		return true;
	redislock_throw_argument(&err, 1);
	return false;
}

static redislock_record *find_lock(const redislock_object *object, zend_string *resource, zend_string *token)
{
	for (redislock_record *record = object->records; record != NULL; record = record->next) {
		if (record->hold->life.state != RLK_HOLD_WAITING && zend_string_equals(record->name, resource) &&
			rlk_str_equal(rlk_buf_str(&record->hold->life.lock.token.text), redislock_str(token)))
			return record;
	}
	return NULL;
}

/* Remembers a lock that another object made. NULL: exception thrown. */
static redislock_record *adopt_lock(redislock_object *object, zend_string *resource, zend_string *token)
{
	redislock_record *record = add_lock(object, resource);

	if (record == NULL)
		return NULL;
	record->entries = 1;
	if (redislock_hold_restore(record->hold, &object->client->config, token))
		return record;
	redislock_object_forget(object, record);
	return NULL;
}

/* Finds the lock that the array describes, or adopts it. NULL: an exception is thrown, or the lock is that of the process from
 * which this one was forked. */
static redislock_record *open_lock(redislock_object *object, HashTable *array, bool *adopted)
{
	zend_string *resource, *token;
	redislock_record *record;

	if (!read_lock(array, &resource, &token))
		return NULL;
	record = find_lock(object, resource, token);
	*adopted = record == NULL;
	if (record == NULL)
		return adopt_lock(object, resource, token);
	return rlk_hold_is_foreign(&record->hold->life) || redislock_record_is_in_use(record) ? NULL : record;
}

PHP_METHOD(RedisLock_RedLock, extend)
{
	HashTable *array;
	zend_long ttl = 0;
	bool ttl_is_null = true;
	rlk_outcome outcome;
	redislock_record *record;
	bool adopted;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ARRAY_HT(array)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG_OR_NULL(ttl, ttl_is_null)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_THIS(object);
	if (!ttl_is_null && !check_ttl(&object->client->config, ttl))
		RETURN_THROWS();
	record = open_lock(object, array, &adopted);
	if (record == NULL)
		RETURN_FALSE;
	if (adopted && ttl_is_null) {
		/* There is no ttl to use. If the servers say that the lock is over, the answer is false all the same. */
		record->hold->life.renew = false; /* asking does not make it process-bound */
		outcome = redislock_hold_confirm(record->hold);
		if (outcome == RLK_YES)
			zend_argument_value_error(2,
				"must be given for a lock that this object did not make, or has forgotten since "
				"its validity was over");
	} else if (record->hold->life.renew && !redislock_outlives_call(execute_data, record->hold)) {
		outcome = RLK_FAIL;
	} else {
		outcome =
			redislock_hold_extend(record->hold, RLK_DEADLINE_NONE, ttl_is_null ? record->hold->life.lock.ttl_ms : ttl);
		if (outcome == RLK_YES && EG(exception) == NULL)
			return_lock(record->hold, return_value);
	}
	if (outcome == RLK_NO)
		RETVAL_FALSE;
	/* After a failed adoption there is no ttl for the next call to use. */
	if (outcome == RLK_NO || (adopted && (ttl_is_null || outcome != RLK_YES)))
		redislock_object_forget(object, record);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock_RedLock, unlock)
{
	redislock_record *record;
	rlk_outcome outcome;
	rlk_error err;
	bool adopted;
	zval *given;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ZVAL(given)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_THIS(object);
	if (Z_TYPE_P(given) != IS_ARRAY && Z_TYPE_P(given) != IS_FALSE)
		zend_argument_type_error(1, "must be of type array|false, %s given", zend_zval_type_name(given));
	record = Z_TYPE_P(given) == IS_ARRAY ? open_lock(object, Z_ARRVAL_P(given), &adopted) : NULL;
	if (record == NULL)
		RETURN_FALSE;
	rlk_error_clear(&err);
	outcome = redislock_stats_end(record->hold, RLK_END_RELEASED, &err);
	redislock_return_outcome(redislock_hold_check(record->hold, outcome, &err), return_value);
	if (record->hold->life.state == RLK_HOLD_IDLE || record->hold->life.state == RLK_HOLD_RESTORED)
		redislock_object_forget(object, record);
	redislock_interrupt_go_on();
}
