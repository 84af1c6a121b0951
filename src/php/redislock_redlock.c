/*
 * redislock_redlock: class RedLock, locks of any name on several servers.
 *
 * The array that lock() gives is all that is needed to extend and unlock, in
 * another process, too. What this object made it also remembers, for the ttl
 * and, where the lock is bound to the process, for its renewal.
 */
#include "php/redislock_config.h"
#include "php/redislock_errors.h"
#include "php/redislock_object.h"
#include "php/redislock_renewal.h"

#include <zend_exceptions.h>

static zend_object_handlers redislock_handlers_RedLock;

/* malloc: after a fatal "out of memory" these are what the shutdown works with. */
typedef struct made_lock made_lock;
struct made_lock {
	made_lock *next;
	redislock_hold *hold;
};

typedef struct {
	redislock_client *client; /* NULL until constructed */
	made_lock *locks;         /* taken and not yet unlocked, newest first */
	zend_object std;
} redlock_object;

static redlock_object *redlock_from(zend_object *object)
{
	return (redlock_object *)((char *)object - offsetof(redlock_object, std));
}

static void forget(made_lock **link)
{
	made_lock *lock = *link;

	*link = lock->next;
	redislock_release_reference(lock->hold);
	free(lock);
}

/* A lease that was never unlocked is over some day, and nobody will ask for it again. One that is just being acquired,
 * by a call that a signal handler has interrupted, is not over; nor is that of the parent of this process, which would
 * seem to be one made elsewhere if it were not remembered. */
static void forget_expired(redlock_object *object)
{
	made_lock **link = &object->locks;

	while (*link != NULL) {
		redislock_hold *hold = (*link)->hold;

		if (hold->slot == RLK_SLOT_NONE && hold->state != REDISLOCK_WAITING && !redislock_hold_is_foreign(hold) &&
			!redislock_hold_is_held(hold))
			forget(link);
		else
			link = &(*link)->next;
	}
}

static zend_object *create_object(zend_class_entry *ce)
{
	redlock_object *object = zend_object_alloc(sizeof(*object), ce);

	zend_object_std_init(&object->std, ce);
	object_properties_init(&object->std, ce);
	object->std.handlers = &redislock_handlers_RedLock;
	return &object->std;
}

/* As for RedisLock: process-bound locks end with the object, leases stay. */
static void destroy_object(zend_object *std)
{
	redlock_object *object = redlock_from(std);

	zend_objects_destroy_object(std);
	for (made_lock *lock = object->locks; lock != NULL; lock = lock->next) {
		if (lock->hold->slot != RLK_SLOT_NONE)
			redislock_release_quietly(lock->hold);
	}
}

static void free_object(zend_object *std)
{
	redlock_object *object = redlock_from(std);

	while (object->locks != NULL)
		forget(&object->locks);
	if (object->client != NULL)
		redislock_client_release(object->client);
	zend_object_std_dtor(std);
}

static HashTable *show_object(zend_object *std, int *is_temp)
{
	redlock_object *object = redlock_from(std);
	HashTable *shown, *table = redislock_shown_begin(std, &shown, is_temp);
	zval locks;

	if (table == NULL || object->client == NULL)
		return shown;
	redislock_shown_add_server(table, object->client);
	array_init(&locks);
	for (const made_lock *made = object->locks; made != NULL; made = made->next) {
		zval lock;

		array_init(&lock);
		add_assoc_str(&lock, "resource", zend_string_init(ZSTR_VAL(made->hold->name), ZSTR_LEN(made->hold->name), 0));
		redislock_shown_add_hold(Z_ARRVAL(lock), made->hold, true);
		add_next_index_zval(&locks, &lock);
	}
	redislock_shown_add_locks(table, &locks);
	return shown;
}

void redislock_redlock_startup(void)
{
	redislock_ce_RedLock->create_object = create_object;
	memcpy(&redislock_handlers_RedLock, zend_get_std_object_handlers(), sizeof(zend_object_handlers));
	redislock_handlers_RedLock.offset = offsetof(redlock_object, std);
	redislock_handlers_RedLock.dtor_obj = destroy_object;
	redislock_handlers_RedLock.free_obj = free_object;
	redislock_handlers_RedLock.clone_obj = NULL;
	redislock_handlers_RedLock.get_debug_info = show_object;
	redislock_handlers_RedLock.compare = zend_objects_not_comparable;
}

PHP_METHOD(RedisLock_RedLock, __construct)
{
	HashTable *servers, *options = NULL;
	zend_long retry_delay = RLK_RETRY_DEFAULT_MS, retry_count = 3;
	redlock_object *object = redlock_from(Z_OBJ_P(ZEND_THIS));
	rlk_config config;

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_ARRAY_HT(servers)
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

#define FETCH_REDLOCK(object) \
	redlock_object *object = redlock_from(Z_OBJ_P(ZEND_THIS)); \
	if (object->client == NULL) { \
		redislock_throw_unconstructed(&object->std); \
		RETURN_THROWS(); \
	}

/* Argument 2. */
static bool check_ttl(const rlk_config *config, zend_long ttl)
{
	int64_t least = config->renew ? 2 : 1, most = config->renew ? RLK_TTL_MAX_BOUND_MS : RLK_TTL_MAX_MS;

	if (ttl >= least && ttl <= most)
		return true;
	zend_argument_value_error(2, "must be from " ZEND_LONG_FMT " to " ZEND_LONG_FMT " ms, " ZEND_LONG_FMT " given",
		(zend_long)least, (zend_long)most, ttl);
	return false;
}

/* A hold that is remembered. NULL: exception thrown. */
static made_lock *make_lock(redlock_object *object, zend_string *resource)
{
	made_lock *lock = malloc(sizeof(*lock));

	if (lock == NULL) {
		zend_throw_exception(redislock_ce_Exception, "out of memory for a lock", 0);
		return NULL;
	}
	lock->hold = redislock_hold_new(object->client, ZSTR_VAL(resource), ZSTR_LEN(resource));
	if (lock->hold == NULL) {
		free(lock);
		return NULL;
	}
	lock->next = object->locks;
	object->locks = lock;
	return lock;
}

static void forget_lock(redlock_object *object, const made_lock *lock)
{
	for (made_lock **link = &object->locks; *link != NULL; link = &(*link)->next) {
		if (*link == lock) {
			forget(link);
			return;
		}
	}
}

static void return_lock(redislock_hold *hold, zval *return_value)
{
	array_init_size(return_value, 3);
	add_assoc_double(return_value, "validity", (double)redislock_hold_remaining_ms(hold));
	add_assoc_str(return_value, "resource", zend_string_init(ZSTR_VAL(hold->name), ZSTR_LEN(hold->name), 0));
	add_assoc_stringl(return_value, "token", hold->lock.token.data, hold->lock.token.len);
}

PHP_METHOD(RedisLock_RedLock, lock)
{
	zend_string *resource;
	zend_long ttl;
	rlk_config config;
	rlk_outcome outcome;
	made_lock *lock;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(resource)
		Z_PARAM_LONG(ttl)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_REDLOCK(object);
	if (!redislock_config_check(resource, rlk_config_check_name, 1) || !check_ttl(&object->client->config, ttl) ||
		!redislock_config_with_ttl(&config, &object->client->config, ttl))
		RETURN_THROWS();
	forget_expired(object);
	lock = make_lock(object, resource);
	if (lock == NULL)
		RETURN_THROWS();
	lock->hold->refcount++; /* a signal handler may do with the object what it likes */
	outcome = redislock_acquire(lock->hold, &config, 0);
	if (outcome == RLK_YES)
		return_lock(lock->hold, return_value);
	else if (outcome == RLK_NO)
		RETVAL_FALSE;
	redislock_release_reference(lock->hold);
	if (outcome != RLK_YES)
		forget_lock(object, lock);
	redislock_interrupt_go_on();
}

/* The parts of what lock() gave. false: it is something else, exception thrown. */
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
	if (rlk_config_check_name(rlk_str_make(Z_STRVAL_P(r), Z_STRLEN_P(r)), "its \"resource\"", &err) &&
		rlk_config_check_token(rlk_str_make(Z_STRVAL_P(t), Z_STRLEN_P(t)), "its \"token\"", &err))
		return true;
	redislock_throw_argument(&err, 1);
	return false;
}

static made_lock *find_lock(const redlock_object *object, zend_string *resource, zend_string *token)
{
	for (made_lock *lock = object->locks; lock != NULL; lock = lock->next) {
		if (lock->hold->state != REDISLOCK_WAITING && zend_string_equals(lock->hold->name, resource) &&
			rlk_str_equal(rlk_buf_str(&lock->hold->lock.token), rlk_str_make(ZSTR_VAL(token), ZSTR_LEN(token))))
			return lock;
	}
	return NULL;
}

/* One that another object made. NULL: exception thrown. */
static made_lock *adopt_lock(redlock_object *object, zend_string *resource, zend_string *token)
{
	made_lock *lock = make_lock(object, resource);

	if (lock == NULL)
		return NULL;
	redislock_restore(lock->hold, &object->client->config, token);
	lock->hold->lock.given = false; /* lock() acquires with no token twice */
	if (EG(exception) == NULL)
		return lock;
	forget_lock(object, lock);
	return NULL;
}

/* Without a ttl, for a lock that is not remembered: it may have been ours and be over, which the servers know. */
static void extend_unknown(redlock_object *object, zend_string *resource, zend_string *token, zval *return_value)
{
	made_lock *lock = adopt_lock(object, resource, token);
	rlk_outcome outcome;

	if (lock == NULL)
		return;
	lock->hold->renew = false; /* asking does not make it process-bound */
	outcome = redislock_confirm(lock->hold);
	if (outcome == RLK_YES)
		zend_argument_value_error(2,
			"must be given for a lock that this object did not make, or has forgotten since "
			"its validity was over");
	else if (outcome == RLK_NO)
		RETVAL_FALSE;
	forget_lock(object, lock);
}

PHP_METHOD(RedisLock_RedLock, extend)
{
	HashTable *array;
	zend_long ttl = 0;
	bool ttl_is_null = true;
	zend_string *resource, *token;
	rlk_outcome outcome;
	made_lock *lock;
	bool adopted;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ARRAY_HT(array)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG_OR_NULL(ttl, ttl_is_null)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_REDLOCK(object);
	if (!read_lock(array, &resource, &token) || (!ttl_is_null && !check_ttl(&object->client->config, ttl)))
		RETURN_THROWS();
	lock = find_lock(object, resource, token);
	if (lock != NULL && redislock_hold_is_foreign(lock->hold))
		RETURN_FALSE;
	adopted = lock == NULL;
	if (adopted && ttl_is_null) {
		extend_unknown(object, resource, token, return_value);
		return;
	}
	if (adopted)
		lock = adopt_lock(object, resource, token);
	if (lock == NULL)
		RETURN_THROWS();
	outcome = redislock_extend(lock->hold, ttl_is_null ? lock->hold->lock.ttl_ms : ttl);
	if (outcome == RLK_YES && EG(exception) == NULL)
		return_lock(lock->hold, return_value);
	else if (outcome == RLK_NO)
		RETVAL_FALSE;
	/* One that was not adopted after all has no ttl. */
	if (outcome == RLK_NO || (adopted && outcome != RLK_YES))
		forget_lock(object, lock);
}

PHP_METHOD(RedisLock_RedLock, unlock)
{
	zend_string *resource, *token;
	rlk_outcome outcome;
	made_lock *lock;
	zval *given;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ZVAL(given)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_REDLOCK(object);
	if (Z_TYPE_P(given) == IS_FALSE)
		RETURN_FALSE;
	if (Z_TYPE_P(given) != IS_ARRAY) {
		zend_argument_type_error(1, "must be of type array|false, %s given", zend_zval_type_name(given));
		RETURN_THROWS();
	}
	if (!read_lock(Z_ARRVAL_P(given), &resource, &token))
		RETURN_THROWS();
	lock = find_lock(object, resource, token);
	if (lock != NULL && redislock_hold_is_foreign(lock->hold))
		RETURN_FALSE;
	if (lock == NULL)
		lock = adopt_lock(object, resource, token);
	if (lock == NULL)
		RETURN_THROWS();
	outcome = redislock_release(lock->hold);
	if (outcome == RLK_YES || outcome == RLK_NO)
		RETVAL_BOOL(outcome == RLK_YES);
	if (lock->hold->state == REDISLOCK_IDLE || lock->hold->state == REDISLOCK_RESTORED)
		forget_lock(object, lock);
}
