/*
 * redislock_task: class SequenceTask.
 */
#include "php/redislock_interrupt.h"
#include "php/redislock_parked.h"
#include "php/redislock_run.h"

PHP_METHOD(SequenceTask, __construct)
{
	/* Private: there is nothing to construct. */
	ZEND_PARSE_PARAMETERS_NONE();
}

PHP_METHOD(SequenceTask, execute)
{
	zval *config, lock;
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
	redislock_object *object;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_ARRAY(config)
		Z_PARAM_FUNC(fci, fcc)
	ZEND_PARSE_PARAMETERS_END();

	if (!redislock_run_check_callable(&fcc, 2))
		RETURN_THROWS();
	object_init_ex(&lock, redislock_ce_RedisLock);
	object = redislock_object_from(Z_OBJ(lock));
	if (redislock_parked_construct(object, config, NULL, true, 1))
		redislock_run_locked(Z_OBJ(lock), object->records, &object->client->config, &fci, &fcc, return_value);
	redislock_interrupt_go_on();
	zval_ptr_dtor(&lock);
}

PHP_METHOD(SequenceTask, current)
{
	zend_object *lock;

	ZEND_PARSE_PARAMETERS_NONE();
	lock = redislock_run_current();
	if (lock == NULL)
		RETURN_NULL();
	RETURN_OBJ_COPY(lock);
}
