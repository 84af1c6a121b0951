/*
 * redislock_run: PHP code under a process-bound lock.
 *
 * However the callable ends, the lock is released before the method returns. The outcome of the callable comes first:
 * its exception wins over trouble on release, and finished, valid work is returned although the release could not be
 * confirmed.
 */
#include "php/redislock_object.h"

#include "php/redislock_errors.h"
#include "php/redislock_thread.h"

#include <ext/spl/spl_exceptions.h>
#include <zend_closures.h>
#include <zend_exceptions.h>

typedef enum { CALL_RETURNED, CALL_THREW, CALL_BAILED_OUT } call_end;

/* The function that is called, also for the __invoke() of a closure. NULL: a function that __call() or __callStatic()
 * will answer has no handler before the call. */
static const zend_function *called_function(const zend_fcall_info_cache *fcc)
{
	if (fcc->function_handler == NULL && fcc->object != NULL && fcc->object->ce == zend_ce_closure)
		return zend_get_closure_method_def(fcc->object);
	return fcc->function_handler;
}

static uint32_t required_parameters(const zend_fcall_info_cache *fcc)
{
	const zend_function *function = called_function(fcc);

	return function != NULL ? function->common.required_num_args : 0;
}

bool redislock_run_check_callable(const zend_fcall_info_cache *fcc, uint32_t argument)
{
	const zend_function *function = called_function(fcc);
	uint32_t required = required_parameters(fcc);

	if (function != NULL && (function->common.fn_flags & ZEND_ACC_GENERATOR) != 0) {
		zend_argument_error(spl_ce_LogicException, argument,
			"must not be a generator function: its body would run after the release; iterate it in a function");
		return false;
	}
	if (required <= 1)
		return true;
	zend_argument_value_error(argument, "must require at most one parameter (the lock), %u are required", required);
	return false;
}

/* Not always the innermost: a run in a fiber may end before one that began later in another. */
static void unlink_run(const redislock_run *run)
{
	for (redislock_run **link = &RLG(runs); *link != NULL; link = &(*link)->outer) {
		if (*link == run) {
			*link = run->outer;
			return;
		}
	}
}

void redislock_runs_forget(void)
{
	for (const redislock_run *run = RLG(runs); run != NULL; run = run->outer)
		rlk_hold_drop(&run->hold->life);
	RLG(runs) = NULL;
}

bool redislock_run_is_under(const redislock_hold *hold)
{
	for (const redislock_run *run = RLG(runs); run != NULL; run = run->outer) {
		if (redislock_object_from(run->lock)->records->hold == hold)
			return true;
	}
	return false;
}

static call_end call_under_lock(zend_object *lock, redislock_hold *hold, zend_fcall_info *fci,
	zend_fcall_info_cache *fcc, zval *result)
{
	redislock_run run = { RLG(runs), lock, hold, redislock_owner_now() };
	volatile call_end end = CALL_RETURNED;
	zval argument;

	RLG(runs) = &run;
	ZVAL_UNDEF(result);
	ZVAL_OBJ(&argument, lock);
	fci->retval = result;
	fci->params = &argument;
	fci->param_count = required_parameters(fcc) == 1 ? 1 : 0;
	zend_try {
		zend_call_function(fci, fcc);
		if (EG(exception) != NULL || Z_ISUNDEF_P(result))
			end = CALL_THREW;
		else if (Z_ISREF_P(result))
			zend_unwrap_reference(result); /* of a "function &"; our methods return values */
	}
	zend_catch {
		end = CALL_BAILED_OUT;
		RLG(bailed_out) = true;
	}
	zend_end_try();
	unlink_run(&run);
	return end;
}

static void warn_unconfirmed(const redislock_hold *hold, const rlk_error *err)
{
	zend_string *text = redislock_error_text(err), *name = redislock_name_shown(hold->name);
	bool before = redislock_thread_begin_side_call();

	php_error_docref(NULL, E_WARNING,
		"The task is done, but the release of lock \"%s\" could not be confirmed: %s. "
		"The renewal child goes on trying",
		ZSTR_VAL(name), ZSTR_VAL(text));
	zend_string_release(name);
	zend_string_release(text);
	/* Handlers of frameworks turn warnings into exceptions, which would make a queue repeat finished, valid work. The
	 * handler has seen the warning, so the exception is dropped, unless it ends the script. */
	if (EG(exception) != NULL && !zend_is_unwind_exit(EG(exception)))
		zend_clear_exception();
	redislock_thread_end_side_call(before);
}

/* Everything between the end of the callable and the return. */
static void finish_run(redislock_object *object, redislock_hold *hold, call_end end, zval *result)
{
	rlk_lost_reason lost = rlk_hold_is_foreign(&hold->life) ? RLK_LOST_FORKED : rlk_hold_note_loss(&hold->life);
	bool valid = rlk_hold_is_held(&hold->life);
	rlk_outcome released = RLK_YES;
	rlk_error err;

	rlk_error_clear(&err);
	/* If the callable has released the lock, or a fiber of it is about to, there is nothing to do. A lock that it acquired
	 * after that is another hold, and stays. */
	if (object->records->hold == hold && object->records->entries > 0 && !rlk_hold_is_ending(&hold->life))
		released = redislock_record_end(object, object->records, RLK_END_RUN, &err);
	/* Lost between the check above and the release. */
	if (lost == RLK_LOST_NOT && released == RLK_NO)
		lost = RLK_LOST_NOT_OURS;
	else if (lost == RLK_LOST_NOT && released != RLK_YES && !valid)
		lost = RLK_LOST_EXPIRED;
	/* An exception goes on, also one of the poller or a signal handler during the release, with what happened to the lock at its
	 * end, even if the callable has released a lost one. */
	if (end == CALL_THREW || (end == CALL_RETURNED && EG(exception) != NULL))
		redislock_chain_trouble(hold->name, &err, lost != RLK_LOST_NOT ? lost : hold->life.reason);
	else if (end == CALL_RETURNED && lost == RLK_LOST_NOT && released != RLK_YES)
		warn_unconfirmed(hold, &err);
	else if (end == CALL_RETURNED && lost != RLK_LOST_NOT && hold->on_lost != RLK_ON_LOST_FLAG)
		redislock_throw_lost(hold->name, lost, result); /* the lock did not cover the work */
}

void redislock_run_locked(redislock_object *object, const rlk_config *config, zend_fcall_info *fci,
	zend_fcall_info_cache *fcc, zval *return_value)
{
	rlk_outcome outcome = redislock_record_acquire(object, object->records, config, config->wait_ms);
	redislock_hold *hold = object->records->hold;
	call_end end;
	zval result;

	if (outcome == RLK_NO)
		redislock_throw_not_acquired(hold);
	if (outcome != RLK_YES)
		return;
	hold->life.refcount++; /* the callable may use the object */
	GC_ADDREF(&object->std);
	end = call_under_lock(&object->std, hold, fci, fcc, &result);
	finish_run(object, hold, end, &result);
	rlk_hold_drop(&hold->life);
	if (end == CALL_BAILED_OUT)
		return; /* the engine frees the objects itself */
	if (EG(exception) != NULL)
		zval_ptr_dtor(&result);
	else
		ZVAL_COPY_VALUE(return_value, &result);
	OBJ_RELEASE(&object->std);
}

/* The methods of SequenceTask. */

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
	if (redislock_cache_construct(object, config, NULL, true))
		redislock_run_locked(object, &object->client->config, &fci, &fcc, return_value);
	redislock_interrupt_go_on();
	zval_ptr_dtor(&lock);
}

/* The lock of the innermost run of this fiber or coroutine, or null. */
PHP_METHOD(SequenceTask, current)
{
	ZEND_PARSE_PARAMETERS_NONE();
	for (const redislock_run *run = RLG(runs); run != NULL; run = run->outer) {
		if (redislock_owner_runs(&run->owner))
			RETURN_OBJ_COPY(run->lock);
	}
}
