/*
 * redislock_errors: exceptions and their methods. Messages have names of locks, never tokens or credentials.
 */
#include "php/redislock_errors.h"

#include <ext/spl/spl_exceptions.h>
#include <zend_smart_str.h>

zend_class_entry *redislock_ce_Exception;
zend_class_entry *redislock_ce_ConnectionException;
zend_class_entry *redislock_ce_NotAcquiredException;
zend_class_entry *redislock_ce_LockLostException;
zend_class_entry *redislock_ce_RenewalException;

static zend_class_entry *class_for(rlk_error_code code)
{
	switch (code) {
		case RLK_ERR_VALUE:
			return zend_ce_value_error;
		case RLK_ERR_TYPE:
			return zend_ce_type_error;
		case RLK_ERR_RENEWAL:
			return redislock_ce_RenewalException;
		case RLK_ERR_NONE:
		case RLK_ERR_NO_LOCK:
		case RLK_ERR_MEMORY:
		case RLK_ERR_RANDOM:
		case RLK_ERR_INTERRUPTED:
			return redislock_ce_Exception;
		default:
			return redislock_ce_ConnectionException;
	}
}

zend_string *redislock_error_text(const rlk_error *err)
{
	if (err->node[0] == '\0')
		return zend_string_init(err->text, strlen(err->text), 0);
	return strpprintf(0, "%s (%s)", err->text, err->node);
}

static zend_object *make(zend_class_entry *ce, zend_string *message)
{
	zval exception, text;
	/* Some releases of PHP run signal handlers while they hide a secret argument in the trace. The handlers wait for
	 * redislock_interrupt_precede(). */
	bool interrupted = zend_atomic_bool_exchange(&EG(vm_interrupt), false);

	object_init_ex(&exception, ce);
	if (interrupted)
		zend_atomic_bool_store(&EG(vm_interrupt), true);
	ZVAL_STR(&text, message);
	zend_update_property_ex(instanceof_function(ce, zend_ce_error) ? zend_ce_error : zend_ce_exception,
		Z_OBJ(exception), ZSTR_KNOWN(ZEND_STR_MESSAGE), &text);
	return Z_OBJ(exception);
}

zend_string *redislock_name_shown(const zend_string *name)
{
	smart_str shown = { NULL, 0 };

	for (size_t i = 0; i < ZSTR_LEN(name); i++) {
		unsigned char c = (unsigned char)ZSTR_VAL(name)[i];

		if (c < 0x20 || c == 0x7f)
			smart_str_append_printf(&shown, "\\x%02X", c);
		else
			smart_str_appendc(&shown, (char)c);
	}
	return smart_str_extract(&shown);
}

zend_object *redislock_make_about(zend_class_entry *ce, zend_string *name, const char *format, ...)
{
	zend_string *shown = redislock_name_shown(name), *rest, *message;
	zend_object *exception;
	va_list args;

	va_start(args, format);
	rest = vstrpprintf(0, format, args);
	va_end(args);
	message = strpprintf(0, "lock \"%s\"%s", ZSTR_VAL(shown), ZSTR_VAL(rest));
	exception = make(ce, message);
	zend_string_release(shown);
	zend_string_release(rest);
	zend_string_release(message);
	return exception;
}

/* Not for wrong arguments. */
static zend_object *make_exception(const rlk_error *err, zend_string *name)
{
	zend_class_entry *ce = class_for(err->code);
	zend_string *text = redislock_error_text(err);
	zend_object *exception = name != NULL ? redislock_make_about(ce, name, ": %s", ZSTR_VAL(text)) : make(ce, text);

	if (instanceof_function(ce, redislock_ce_Exception)) {
		if (err->node[0] != '\0')
			zend_update_property_string(redislock_ce_Exception, exception, ZEND_STRL("node"), err->node);
		zend_update_property_bool(redislock_ce_Exception, exception, ZEND_STRL("retryable"), err->retryable);
	}
	zend_string_release(text);
	return exception;
}

/* The answer of each server in the last round, by its URI. */
static void add_node_outcomes(zend_object *exception, const rlk_quorum *quorum)
{
	zval array;

	array_init_size(&array, (uint32_t)quorum->count);
	for (int i = 0; i < quorum->count; i++)
		add_assoc_string(&array, quorum->member[i].conn.server->uri, rlk_quorum_outcome(quorum, i, "no"));
	zend_update_property(redislock_ce_ConnectionException, exception, ZEND_STRL("nodes"), &array);
	zval_ptr_dtor(&array);
}

void redislock_throw(const rlk_error *err, zend_string *name, const rlk_quorum *quorum)
{
	zend_object *exception;

	/* Nothing to throw: the exception or longjmp that interrupted the wait goes on. A forked copy of the process may
	 * have neither. */
	if ((EG(exception) != NULL || RLG(bailed_out)) && (err->code == RLK_ERR_INTERRUPTED || err->code == RLK_ERR_NONE))
		return;
	if (EG(exception) != NULL && redislock_ends_script(EG(exception)))
		return;
	if (err->code == RLK_ERR_VALUE || err->code == RLK_ERR_TYPE) {
		zend_throw_error(class_for(err->code), "%s", err->text);
		return;
	}
	exception = make_exception(err, name);
	if (quorum != NULL && instanceof_function(exception->ce, redislock_ce_ConnectionException))
		add_node_outcomes(exception, quorum);
	zend_throw_exception_internal(exception);
}

void redislock_throw_argument(const rlk_error *err, uint32_t argument)
{
	if (err->code == RLK_ERR_VALUE || err->code == RLK_ERR_TYPE)
		zend_argument_error(class_for(err->code), argument, "is not valid: %s", err->text);
	else
		redislock_throw(err, NULL, NULL);
}

void redislock_throw_misuse(zend_string *name, const char *complaint)
{
	zend_throw_exception_internal(redislock_make_about(spl_ce_LogicException, name, " %s", complaint));
}

void redislock_throw_out_of_memory(const char *purpose)
{
	rlk_error err;

	rlk_error_clear(&err);
	rlk_error_set(&err, RLK_ERR_MEMORY, 0, "out of memory for %s", purpose);
	redislock_throw(&err, NULL, NULL);
}

static zend_object *make_lost(zend_string *name, rlk_lost_reason reason)
{
	static const char *const reasons[] = { [RLK_LOST_NOT] = "its key was deleted or has another owner",
		[RLK_LOST_NOT_OURS] = "its key was deleted or has another owner",
		[RLK_LOST_EXPIRED] = "it could not be renewed in time",
		[RLK_LOST_MAX_HOLD] = "max_hold is over",
		[RLK_LOST_CHILD] = "the renewal child died and could not be started again",
		[RLK_LOST_FORKED] = "this is a forked copy of the process that holds it" };

	return redislock_make_about(redislock_ce_LockLostException, name, " was lost: %s", reasons[reason]);
}

void redislock_throw_lost(zend_string *name, rlk_lost_reason reason, zval *result)
{
	zend_object *exception = make_lost(name, reason);

	if (result != NULL) {
		zend_update_property_bool(redislock_ce_LockLostException, exception, ZEND_STRL("finished"), true);
		zend_update_property(redislock_ce_LockLostException, exception, ZEND_STRL("result"), result);
	}
	zend_throw_exception_internal(exception);
}

static zval *property(zend_object *exception, zend_known_string_id id, zval *rv)
{
	zend_class_entry *base = instanceof_function(exception->ce, zend_ce_error) ? zend_ce_error : zend_ce_exception;
	zval *value = zend_read_property_ex(base, exception, ZSTR_KNOWN(id), true, rv);

	ZVAL_DEREF(value);
	return value;
}

static zend_object *previous_of(zend_object *exception)
{
	zval rv, *previous = property(exception, ZEND_STR_PREVIOUS, &rv);

	return Z_TYPE_P(previous) == IS_OBJECT ? Z_OBJ_P(previous) : NULL;
}

static bool tells_same_loss(zend_object *one, zend_object *other)
{
	zval rv, other_rv;

	return one->ce == redislock_ce_LockLostException && other->ce == one->ce &&
		zend_is_identical(property(one, ZEND_STR_MESSAGE, &rv), property(other, ZEND_STR_MESSAGE, &other_rv));
}

/* A chain that is longer is a circle, as reflection can make it. */
#define CHAIN_MAX 1000

/* May `cause` become the end of this chain? Not if the chain tells of the same loss, or has no end. */
static bool may_end_in(zend_object *exception, zend_object *cause)
{
	for (int step = 0; exception != NULL && step < CHAIN_MAX; exception = previous_of(exception), step++) {
		if (tells_same_loss(exception, cause))
			return false;
	}
	return exception == NULL;
}

void redislock_chain(zend_object *cause)
{
	if (!redislock_ends_script(EG(exception)) && may_end_in(EG(exception), cause))
		zend_exception_set_previous(EG(exception), cause);
	else
		OBJ_RELEASE(cause);
}

void redislock_chain_trouble(zend_string *name, const rlk_error *err, rlk_lost_reason lost)
{
	if (EG(exception) == NULL || redislock_ends_script(EG(exception)))
		return;
	if (err->code != RLK_ERR_NONE)
		redislock_chain(make_exception(err, name));
	if (lost != RLK_LOST_NOT)
		redislock_chain(make_lost(name, lost));
}

/* The methods of the exception classes. */

static void return_property(INTERNAL_FUNCTION_PARAMETERS, zend_class_entry *ce, const char *name, size_t len)
{
	zval rv, *value;

	ZEND_PARSE_PARAMETERS_NONE();
	value = zend_read_property(ce, Z_OBJ_P(ZEND_THIS), name, len, true, &rv);
	RETURN_COPY_DEREF(value);
}

#define GETTER(type, method, name) \
	PHP_METHOD(RedisLock_##type, method) \
	{ \
		return_property(INTERNAL_FUNCTION_PARAM_PASSTHRU, redislock_ce_##type, ZEND_STRL(name)); \
	}

GETTER(Exception, getNode, "node")
GETTER(Exception, isRetryable, "retryable")
GETTER(ConnectionException, getNodes, "nodes")
GETTER(NotAcquiredException, getNodes, "nodes")
GETTER(NotAcquiredException, getHolder, "holder")
GETTER(LockLostException, hasResult, "finished")
GETTER(LockLostException, getResult, "result")

PHP_METHOD(RedisLock_NotAcquiredException, getRemaining)
{
	zval rv, *holder, *ttl;

	ZEND_PARSE_PARAMETERS_NONE();
	holder = zend_read_property(redislock_ce_NotAcquiredException, Z_OBJ_P(ZEND_THIS), ZEND_STRL("holder"), true, &rv);
	ZVAL_DEREF(holder);
	if (Z_TYPE_P(holder) != IS_ARRAY)
		return;
	ttl = zend_hash_str_find(Z_ARRVAL_P(holder), ZEND_STRL("ttl"));
	if (ttl != NULL)
		RETURN_COPY_DEREF(ttl);
}
