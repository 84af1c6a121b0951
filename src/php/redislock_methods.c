/*
 * redislock_methods: the methods of class RedisLock that acquire, keep, inspect and release.
 */
#include "php/redislock_object.h"

#include "php/redislock_config.h"
#include "php/redislock_errors.h"
#include "php/redislock_thread.h"

bool redislock_outlives_call(zend_execute_data *execute_data, const redislock_hold *hold)
{
	if ((ZEND_CALL_INFO(execute_data) & ZEND_CALL_RELEASE_THIS) == 0 || GC_REFCOUNT(Z_OBJ_P(ZEND_THIS)) > 1)
		return true;
	redislock_throw_misuse(hold->name,
		"would be free again at once: it ends with its object; keep the object in a variable");
	return false;
}

static zend_always_inline void return_acquired(redislock_object *object, redislock_record *record,
	const rlk_config *config, int64_t wait_ms, zval *return_value)
{
	rlk_outcome outcome = redislock_record_acquire(object, record, config, wait_ms);
	redislock_hold *hold = record->hold;
	rlk_error err;

	/* join.lua, set_try.lua and set_join.lua have checked that. */
	if (outcome == RLK_NO && wait_ms == 0 && rlk_kind_is_string(&hold->life.lock.kind)) {
		rlk_error_clear(&err);
		rlk_hold_borrow(&hold->life); /* another fiber may replace it, or forget the record */
		outcome = redislock_hold_check(hold, rlk_hold_explain_no(&hold->life, false, &err), &err);
		rlk_hold_give_back(&hold->life);
	}
	redislock_return_outcome(outcome, return_value);
}

/* Parses the only argument of the method: seconds, or null, which leaves *ms as it is. A bool would become 1 s or 0 s.
 * `meaning`: the hint for the message. false: exception thrown. */
static bool parse_seconds(zend_execute_data *execute_data, bool allow_infinite, const char *meaning, int64_t *ms)
{
	const zval *given = ZEND_CALL_ARG(execute_data, 1);
	bool is_null = true;
	double seconds = 0;
	rlk_error err;

	if (Z_TYPE_P(given) == IS_TRUE || Z_TYPE_P(given) == IS_FALSE) {
		zend_argument_type_error(1, "must be of type ?float, bool given; %s", meaning);
		return false;
	}
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(seconds, is_null)
	ZEND_PARSE_PARAMETERS_END_EX(return false);

	rlk_error_clear(&err);
	if (is_null || rlk_config_seconds(seconds, true, allow_infinite, "it", ms, &err))
		return true;
	redislock_throw_argument(&err, 1);
	return false;
}

static bool parse_wait(zend_execute_data *execute_data, int64_t *wait_ms)
{
	return ZEND_NUM_ARGS() == 0 || parse_seconds(execute_data, true, "INF waits without limit, 0 is one try", wait_ms);
}

PHP_METHOD(RedisLock, acquire)
{
	int64_t wait_ms;

	FETCH_NAMED(object);
	wait_ms = object->client->config.wait_ms;
	if (!parse_wait(execute_data, &wait_ms))
		RETURN_THROWS();
	if (object->client->config.renew && !redislock_outlives_call(execute_data, object->records->hold))
		RETURN_THROWS();
	return_acquired(object, object->records, &object->client->config, wait_ms, return_value);
	redislock_interrupt_go_on();
}

/* A held lock has the options of its acquisition; those of lock() and synchronized() may differ. */
static bool may_drop_expiry(const redislock_object *object)
{
	const redislock_hold *hold = object->records->hold;
	const rlk_config *config = &object->client->config;

	if (object->client->at.servers.quorum != NULL)
		return false;
	if (hold->life.state == RLK_HOLD_HELD || hold->life.state == RLK_HOLD_RESTORED)
		return !hold->life.renew && hold->life.hold_at_least_ms == 0 && !hold->fence &&
			rlk_kind_is_string(&hold->life.lock.kind);
	return !config->renew && config->hold_at_least_ms == 0 && !config->fence && rlk_kind_is_string(&config->kind);
}

PHP_METHOD(RedisLock, keepAlive)
{
	int64_t ttl_ms = -1; /* not given */
	redislock_hold *hold;
	rlk_error err;

	FETCH_NAMED(object);
	if (ZEND_NUM_ARGS() > 0 && !parse_seconds(execute_data, false, "the ttl is in seconds", &ttl_ms))
		RETURN_THROWS();
	hold = object->records->hold;
	if (ttl_ms == 0 && !may_drop_expiry(object)) {
		zend_argument_value_error(1, "may be 0 only for a lease on one server, without hold_at_least and fence");
		RETURN_THROWS();
	}
	if (ttl_ms >= 0 && object->client->at.servers.quorum != NULL && ttl_ms < RLK_TTL_MIN_QUORUM_MS) {
		zend_argument_value_error(1, "must be at least 0.01 seconds on several servers");
		RETURN_THROWS();
	}
	rlk_error_clear(&err);
	if (ttl_ms >= 0 &&
		(hold->life.slot != RLK_SLOT_NONE || (hold->life.state == RLK_HOLD_RESTORED && hold->life.renew)) &&
		!rlk_config_check_bound_ttl(ttl_ms, "it", &err)) {
		redislock_throw_argument(&err, 1);
		RETURN_THROWS();
	}
	if (hold->life.state == RLK_HOLD_RESTORED && hold->life.renew && !redislock_outlives_call(execute_data, hold))
		RETURN_THROWS();
	if (redislock_record_is_in_use(object->records))
		RETURN_THROWS();
	if (object->records->entries == 0)
		RETURN_FALSE;
	if (ttl_ms < 0)
		ttl_ms = hold->life.state == RLK_HOLD_HELD ? hold->life.lock.ttl_ms : object->client->config.ttl_ms;
	redislock_return_outcome(redislock_hold_extend(hold, RLK_DEADLINE_NONE, ttl_ms), return_value);
	redislock_interrupt_go_on();
}

static zend_always_inline void return_released(redislock_object *object, redislock_record *record, zval *return_value)
{
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	outcome = redislock_record_end(object, record, RLK_END_RELEASED, &err);
	redislock_return_outcome(redislock_hold_check(record->hold, outcome, &err), return_value);
}

PHP_METHOD(RedisLock, release)
{
	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	if (redislock_record_is_in_use(object->records))
		RETURN_THROWS();
	return_released(object, object->records, return_value);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, synchronized)
{
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
	rlk_config config;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC(fci, fcc)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_NAMED(object);
	if (!redislock_run_check_callable(&fcc, 1) ||
		!redislock_config_for_call(&config, &object->client->config, NULL, true))
		RETURN_THROWS();
	redislock_run_locked(object, &config, &fci, &fcc, return_value);
	rlk_config_end_call(&config);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, isHeld)
{
	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	if (redislock_record_is_held(object->records))
		RETURN_TRUE;
	/* An owner that has ended cannot be told of the loss. The caller of this method is told. */
	if (object->records->hold->owner.fiber == NULL)
		rlk_hold_note_loss(&object->records->hold->life);
	RETVAL_FALSE;
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, isAcquired)
{
	redislock_hold *hold;

	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	if (redislock_record_is_in_use(object->records))
		RETURN_THROWS();
	if (object->records->entries == 0)
		RETURN_FALSE;
	hold = object->records->hold;
	if (hold->life.state == RLK_HOLD_RESTORED && hold->life.renew && !redislock_outlives_call(execute_data, hold))
		RETURN_THROWS();
	redislock_return_outcome(redislock_hold_confirm(hold), return_value);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, remaining)
{
	int64_t ms;

	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	ms = object->records->entries > 0 ? rlk_hold_remaining_ms(&object->records->hold->life) : 0;
	RETURN_DOUBLE(ms == RLK_NEVER ? ZEND_INFINITY : (double)ms / 1000.0);
}

PHP_METHOD(RedisLock, forceRelease)
{
	zend_string *token = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(token)
	ZEND_PARSE_PARAMETERS_END();

	if (token != NULL && !redislock_config_check(token, rlk_config_check_token, 1))
		RETURN_THROWS();
	FETCH_NAMED(object);
	/* While the hold waits, somebody else has the lock, which may be forced. */
	if (object->records->hold->life.state != RLK_HOLD_WAITING && redislock_record_is_in_use(object->records))
		RETURN_THROWS();
	redislock_return_outcome(redislock_record_force_release(object->records,
								 token != NULL ? rlk_str_make(ZSTR_VAL(token), ZSTR_LEN(token)) : RLK_STR("")),
		return_value);
	redislock_interrupt_go_on();
}

/* Within the request: if memory is out, that ends first. */
static bool add_holder(void *array, const rlk_lock_holder *holder)
{
	zval element;

	if (RLG(bailed_out))
		return false;
	zend_try {
		redislock_describe_holder(holder, &element);
		add_next_index_zval(array, &element);
	}
	zend_catch {
		RLG(bailed_out) = true;
	}
	zend_end_try();
	return !RLG(bailed_out);
}

/* Returns all holders, or the one to name. */
static void look_up(redislock_object *object, bool all, zval *return_value)
{
	redislock_hold *hold = object->records->hold;
	const rlk_servers *servers;
	rlk_lock_holder holder;
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	servers = rlk_hold_begin(&hold->life, &use, false, RLK_DEADLINE_NONE);
	if (all)
		outcome = rlk_lock_ask_holders(&hold->life.lock, servers, RLK_DEADLINE_NONE, add_holder, return_value, &err);
	else
		outcome = rlk_lock_ask_holder(&hold->life.lock, servers, RLK_DEADLINE_NONE, &holder, NULL, &err);
	rlk_hold_finish(&use);
	if (outcome == RLK_YES && !all)
		redislock_describe_holder(&holder, return_value);
	redislock_hold_check(hold, outcome, &err);
	rlk_hold_give_back(&hold->life);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, holder)
{
	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	look_up(object, false, return_value);
}

PHP_METHOD(RedisLock, holders)
{
	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	array_init(return_value);
	look_up(object, true, return_value);
}

/* The hold that is to become shared or alone. NULL: an exception is thrown, or the lock is not held. */
static redislock_hold *hold_to_change(const redislock_object *object)
{
	const redislock_record *record = object->records;
	bool held = redislock_record_is_held(record);

	if (redislock_record_is_in_use(record))
		return NULL;
	/* A held lock has the kind of its acquisition; that of lock() may differ. */
	if ((held ? record->hold->life.lock.kind : object->client->config.kind).id != RLK_PERMITS)
		return held ? record->hold : NULL;
	redislock_throw_misuse(record->hold->name,
		"has permits: it can be neither upgraded nor downgraded, as a lock that is shared can");
	return NULL;
}

PHP_METHOD(RedisLock, upgrade)
{
	redislock_hold *hold;
	rlk_error err;

	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	hold = hold_to_change(object);
	if (hold == NULL)
		RETURN_FALSE;
	if (rlk_kind_is_string(&hold->life.lock.kind))
		RETURN_TRUE;
	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	redislock_return_outcome(redislock_hold_check(hold, rlk_hold_upgrade(&hold->life, &err), &err), return_value);
	rlk_hold_give_back(&hold->life);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, downgrade)
{
	redislock_hold *hold;
	const char *complaint = NULL;
	rlk_error err;

	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	hold = hold_to_change(object);
	if (hold == NULL)
		RETURN_FALSE;
	if (object->client->at.servers.quorum != NULL)
		complaint = "is on several servers, and cannot be shared";
	else if (hold->life.lock.ttl_ms == 0)
		complaint = "has no expiry, and cannot be shared";
	else if (hold->entries > 1)
		complaint = "was entered again, and cannot be shared: the code outside may rely on having it alone";
	if (complaint != NULL) {
		redislock_throw_misuse(hold->name, complaint);
		RETURN_THROWS();
	}
	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	redislock_return_outcome(redislock_hold_check(hold, rlk_hold_downgrade(&hold->life, &err), &err), return_value);
	rlk_hold_give_back(&hold->life);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, detach)
{
	redislock_hold *hold;
	rlk_outcome outcome;
	rlk_error err;

	ZEND_PARSE_PARAMETERS_NONE();

	FETCH_NAMED(object);
	hold = object->records->hold;
	if (redislock_record_is_in_use(object->records))
		RETURN_THROWS();
	if (!redislock_record_is_held(object->records)) {
		redislock_throw_misuse(hold->name, "is not held by this object");
		RETURN_THROWS();
	}
	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	outcome = redislock_hold_check(hold, rlk_hold_detach(&hold->life, &err), &err);
	if (outcome == RLK_NO)
		redislock_throw_lost(hold->name, hold->life.state == RLK_HOLD_LOST ? hold->life.reason : RLK_LOST_NOT_OURS,
			NULL);
	if (outcome == RLK_YES) {
		object->records->entries = 0;
		RETVAL_STRINGL(hold->life.lock.token.text.data, hold->life.lock.token.text.len); /* the reset has kept it */
	}
	rlk_hold_give_back(&hold->life);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, lock)
{
	zend_string *name;
	zend_long policy = REDISLOCK_NONBLOCKED;
	HashTable *options = NULL;
	redislock_record *record;
	rlk_config config;
	int64_t wait_ms = 0;

	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(policy)
		Z_PARAM_ARRAY_HT(options)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_THIS(object);
	if (!redislock_config_check(name, rlk_config_check_name, 1))
		RETURN_THROWS();
	if (policy != REDISLOCK_NONBLOCKED && policy != REDISLOCK_BLOCKED) {
		zend_argument_value_error(2, "must be RedisLock::NONBLOCKED or RedisLock::BLOCKED");
		RETURN_THROWS();
	}
	if (!redislock_config_for_call(&config, &object->client->config, options, false))
		RETURN_THROWS();
	if (policy == REDISLOCK_BLOCKED)
		wait_ms = config.waits ? config.wait_ms : RLK_WAIT_DEFAULT_BLOCKED_MS;
	record = redislock_object_record(object, name, true);
	if (record != NULL) {
		if (!config.renew || redislock_outlives_call(execute_data, record->hold))
			return_acquired(object, record, &config, wait_ms, return_value);
		redislock_records_prune(&object->records->next);
	}
	rlk_config_end_call(&config);
	redislock_interrupt_go_on();
}

PHP_METHOD(RedisLock, unlock)
{
	zend_string *name;
	redislock_record *record;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_THIS(object);
	if (!redislock_config_check(name, rlk_config_check_name, 1))
		RETURN_THROWS();
	record = redislock_object_record(object, name, false);
	if (record == NULL)
		RETURN_FALSE;
	if (redislock_record_is_in_use(record))
		RETURN_THROWS();
	return_released(object, record, return_value);
	redislock_records_prune(&object->records->next);
	redislock_interrupt_go_on();
}
