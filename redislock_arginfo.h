/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 21e1055f79e69f7c2be452c51af32c95a45cfc3c */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_RedisLock_stats, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_RedisLock_observe, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, observer, IS_CALLABLE, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_RedisLock___construct, 0, 0, 0)
	ZEND_ARG_TYPE_MASK(0, params, MAY_BE_ARRAY|MAY_BE_STRING, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_acquire, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, wait, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_keepAlive, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_release, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_synchronized, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, code, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_RedisLock_isHeld arginfo_class_RedisLock_release

#define arginfo_class_RedisLock_isAcquired arginfo_class_RedisLock_release

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_remaining, 0, 0, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_forceRelease, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, token, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_holder, 0, 0, IS_ARRAY, 1)
ZEND_END_ARG_INFO()

#define arginfo_class_RedisLock_holders arginfo_RedisLock_stats

#define arginfo_class_RedisLock_upgrade arginfo_class_RedisLock_release

#define arginfo_class_RedisLock_downgrade arginfo_class_RedisLock_release

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_detach, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_exec, 0, 1, IS_NEVER, 0)
	ZEND_ARG_TYPE_INFO(0, program, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, args, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, env, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, grace, IS_DOUBLE, 0, "10.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_restore, 0, 3, IS_STATIC, 0)
	ZEND_ARG_TYPE_MASK(0, params, MAY_BE_ARRAY|MAY_BE_STRING, NULL)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, token, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_setPoller, 0, 1, IS_CALLABLE, 1)
	ZEND_ARG_TYPE_INFO(0, poller, IS_CALLABLE, 1)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, main, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_newToken, 0, 0, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, label, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_RedisLock_getName arginfo_class_RedisLock_detach

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_getToken, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_getFence, 0, 0, IS_LONG, 1)
ZEND_END_ARG_INFO()

#define arginfo_class_RedisLock___toString arginfo_class_RedisLock_detach

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_lock, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, policy, IS_LONG, 0, "RedisLock::NONBLOCKED")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, config, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_unlock, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_SequenceTask___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_SequenceTask_execute, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, config, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, callable, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_SequenceTask_current, 0, 0, RedisLock, 1)
ZEND_END_ARG_INFO()

#define arginfo_class_RedisLock_Lock_acquire arginfo_class_RedisLock_acquire

#define arginfo_class_RedisLock_Lock_keepAlive arginfo_class_RedisLock_keepAlive

#define arginfo_class_RedisLock_Lock_release arginfo_class_RedisLock_release

#define arginfo_class_RedisLock_Lock_synchronized arginfo_class_RedisLock_synchronized

#define arginfo_class_RedisLock_Lock_isHeld arginfo_class_RedisLock_release

#define arginfo_class_RedisLock_Lock_isAcquired arginfo_class_RedisLock_release

#define arginfo_class_RedisLock_Lock_remaining arginfo_class_RedisLock_remaining

#define arginfo_class_RedisLock_Lock_getName arginfo_class_RedisLock_detach

#define arginfo_class_RedisLock_Lock_getFence arginfo_class_RedisLock_getFence

#define arginfo_class_RedisLock_ManagedLock_forceRelease arginfo_class_RedisLock_forceRelease

#define arginfo_class_RedisLock_ManagedLock_holder arginfo_class_RedisLock_holder

#define arginfo_class_RedisLock_ManagedLock_holders arginfo_RedisLock_stats

#define arginfo_class_RedisLock_ManagedLock_upgrade arginfo_class_RedisLock_release

#define arginfo_class_RedisLock_ManagedLock_downgrade arginfo_class_RedisLock_release

#define arginfo_class_RedisLock_ManagedLock_detach arginfo_class_RedisLock_detach

#define arginfo_class_RedisLock_ManagedLock_getToken arginfo_class_RedisLock_getToken

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_RedisLock_RedLock___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, servers, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, retryDelay, IS_LONG, 0, "200")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, retryCount, IS_LONG, 0, "3")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_RedisLock_RedLock_lock, 0, 2, MAY_BE_ARRAY|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, resource, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, ttl, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_RedisLock_RedLock_extend, 0, 1, MAY_BE_ARRAY|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, lock, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_RedLock_unlock, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_MASK(0, lock, MAY_BE_ARRAY|MAY_BE_FALSE, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_RedisLock_Worker___construct arginfo_class_SequenceTask___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_Worker_beginRequest, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_RedisLock_Worker_endRequest arginfo_RedisLock_stats

#define arginfo_class_RedisLock_Exception_getNode arginfo_class_RedisLock_getToken

#define arginfo_class_RedisLock_Exception_isRetryable arginfo_class_RedisLock_release

#define arginfo_class_RedisLock_ConnectionException_getNodes arginfo_RedisLock_stats

#define arginfo_class_RedisLock_NotAcquiredException_getHolder arginfo_class_RedisLock_holder

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_NotAcquiredException_getRemaining, 0, 0, IS_DOUBLE, 1)
ZEND_END_ARG_INFO()

#define arginfo_class_RedisLock_NotAcquiredException_getNodes arginfo_RedisLock_stats

#define arginfo_class_RedisLock_LockLostException_hasResult arginfo_class_RedisLock_release

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_RedisLock_LockLostException_getResult, 0, 0, IS_MIXED, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(RedisLock_stats);
ZEND_FUNCTION(RedisLock_observe);
ZEND_METHOD(RedisLock, __construct);
ZEND_METHOD(RedisLock, acquire);
ZEND_METHOD(RedisLock, keepAlive);
ZEND_METHOD(RedisLock, release);
ZEND_METHOD(RedisLock, synchronized);
ZEND_METHOD(RedisLock, isHeld);
ZEND_METHOD(RedisLock, isAcquired);
ZEND_METHOD(RedisLock, remaining);
ZEND_METHOD(RedisLock, forceRelease);
ZEND_METHOD(RedisLock, holder);
ZEND_METHOD(RedisLock, holders);
ZEND_METHOD(RedisLock, upgrade);
ZEND_METHOD(RedisLock, downgrade);
ZEND_METHOD(RedisLock, detach);
ZEND_METHOD(RedisLock, exec);
ZEND_METHOD(RedisLock, restore);
ZEND_METHOD(RedisLock, setPoller);
ZEND_METHOD(RedisLock, newToken);
ZEND_METHOD(RedisLock, getName);
ZEND_METHOD(RedisLock, getToken);
ZEND_METHOD(RedisLock, getFence);
ZEND_METHOD(RedisLock, __toString);
ZEND_METHOD(RedisLock, lock);
ZEND_METHOD(RedisLock, unlock);
ZEND_METHOD(SequenceTask, __construct);
ZEND_METHOD(SequenceTask, execute);
ZEND_METHOD(SequenceTask, current);
ZEND_METHOD(RedisLock_RedLock, __construct);
ZEND_METHOD(RedisLock_RedLock, lock);
ZEND_METHOD(RedisLock_RedLock, extend);
ZEND_METHOD(RedisLock_RedLock, unlock);
ZEND_METHOD(RedisLock_Worker, __construct);
ZEND_METHOD(RedisLock_Worker, beginRequest);
ZEND_METHOD(RedisLock_Worker, endRequest);
ZEND_METHOD(RedisLock_Exception, getNode);
ZEND_METHOD(RedisLock_Exception, isRetryable);
ZEND_METHOD(RedisLock_ConnectionException, getNodes);
ZEND_METHOD(RedisLock_NotAcquiredException, getHolder);
ZEND_METHOD(RedisLock_NotAcquiredException, getRemaining);
ZEND_METHOD(RedisLock_NotAcquiredException, getNodes);
ZEND_METHOD(RedisLock_LockLostException, hasResult);
ZEND_METHOD(RedisLock_LockLostException, getResult);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("RedisLock", stats, RedisLock_stats, arginfo_RedisLock_stats)
	ZEND_NS_FALIAS("RedisLock", observe, RedisLock_observe, arginfo_RedisLock_observe)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_methods[] = {
	ZEND_ME(RedisLock, __construct, arginfo_class_RedisLock___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, acquire, arginfo_class_RedisLock_acquire, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, keepAlive, arginfo_class_RedisLock_keepAlive, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, release, arginfo_class_RedisLock_release, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, synchronized, arginfo_class_RedisLock_synchronized, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, isHeld, arginfo_class_RedisLock_isHeld, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, isAcquired, arginfo_class_RedisLock_isAcquired, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, remaining, arginfo_class_RedisLock_remaining, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, forceRelease, arginfo_class_RedisLock_forceRelease, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, holder, arginfo_class_RedisLock_holder, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, holders, arginfo_class_RedisLock_holders, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, upgrade, arginfo_class_RedisLock_upgrade, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, downgrade, arginfo_class_RedisLock_downgrade, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, detach, arginfo_class_RedisLock_detach, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, exec, arginfo_class_RedisLock_exec, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, restore, arginfo_class_RedisLock_restore, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(RedisLock, setPoller, arginfo_class_RedisLock_setPoller, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(RedisLock, newToken, arginfo_class_RedisLock_newToken, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(RedisLock, getName, arginfo_class_RedisLock_getName, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, getToken, arginfo_class_RedisLock_getToken, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, getFence, arginfo_class_RedisLock_getFence, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, __toString, arginfo_class_RedisLock___toString, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, lock, arginfo_class_RedisLock_lock, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock, unlock, arginfo_class_RedisLock_unlock, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_SequenceTask_methods[] = {
	ZEND_ME(SequenceTask, __construct, arginfo_class_SequenceTask___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(SequenceTask, execute, arginfo_class_SequenceTask_execute, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(SequenceTask, current, arginfo_class_SequenceTask_current, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_Lock_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, acquire, arginfo_class_RedisLock_Lock_acquire, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, keepAlive, arginfo_class_RedisLock_Lock_keepAlive, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, release, arginfo_class_RedisLock_Lock_release, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, synchronized, arginfo_class_RedisLock_Lock_synchronized, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, isHeld, arginfo_class_RedisLock_Lock_isHeld, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, isAcquired, arginfo_class_RedisLock_Lock_isAcquired, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, remaining, arginfo_class_RedisLock_Lock_remaining, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, getName, arginfo_class_RedisLock_Lock_getName, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_Lock, getFence, arginfo_class_RedisLock_Lock_getFence, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_ManagedLock_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_ManagedLock, forceRelease, arginfo_class_RedisLock_ManagedLock_forceRelease, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_ManagedLock, holder, arginfo_class_RedisLock_ManagedLock_holder, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_ManagedLock, holders, arginfo_class_RedisLock_ManagedLock_holders, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_ManagedLock, upgrade, arginfo_class_RedisLock_ManagedLock_upgrade, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_ManagedLock, downgrade, arginfo_class_RedisLock_ManagedLock_downgrade, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_ManagedLock, detach, arginfo_class_RedisLock_ManagedLock_detach, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(RedisLock_ManagedLock, getToken, arginfo_class_RedisLock_ManagedLock_getToken, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_RedLock_methods[] = {
	ZEND_ME(RedisLock_RedLock, __construct, arginfo_class_RedisLock_RedLock___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock_RedLock, lock, arginfo_class_RedisLock_RedLock_lock, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock_RedLock, extend, arginfo_class_RedisLock_RedLock_extend, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock_RedLock, unlock, arginfo_class_RedisLock_RedLock_unlock, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_Worker_methods[] = {
	ZEND_ME(RedisLock_Worker, __construct, arginfo_class_RedisLock_Worker___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(RedisLock_Worker, beginRequest, arginfo_class_RedisLock_Worker_beginRequest, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(RedisLock_Worker, endRequest, arginfo_class_RedisLock_Worker_endRequest, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_Exception_methods[] = {
	ZEND_ME(RedisLock_Exception, getNode, arginfo_class_RedisLock_Exception_getNode, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock_Exception, isRetryable, arginfo_class_RedisLock_Exception_isRetryable, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_ConnectionException_methods[] = {
	ZEND_ME(RedisLock_ConnectionException, getNodes, arginfo_class_RedisLock_ConnectionException_getNodes, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_NotAcquiredException_methods[] = {
	ZEND_ME(RedisLock_NotAcquiredException, getHolder, arginfo_class_RedisLock_NotAcquiredException_getHolder, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock_NotAcquiredException, getRemaining, arginfo_class_RedisLock_NotAcquiredException_getRemaining, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock_NotAcquiredException, getNodes, arginfo_class_RedisLock_NotAcquiredException_getNodes, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_LockLostException_methods[] = {
	ZEND_ME(RedisLock_LockLostException, hasResult, arginfo_class_RedisLock_LockLostException_hasResult, ZEND_ACC_PUBLIC)
	ZEND_ME(RedisLock_LockLostException, getResult, arginfo_class_RedisLock_LockLostException_getResult, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_RedisLock_RenewalException_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_RedisLock(zend_class_entry *class_entry_RedisLock_ManagedLock, zend_class_entry *class_entry_Stringable)
{
	zend_class_entry ce, *class_entry;

	INIT_CLASS_ENTRY(ce, "RedisLock", class_RedisLock_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 2, class_entry_RedisLock_ManagedLock, class_entry_Stringable);

	zval const_NONBLOCKED_value;
	ZVAL_LONG(&const_NONBLOCKED_value, REDISLOCK_NONBLOCKED);
	zend_string *const_NONBLOCKED_name = zend_string_init_interned("NONBLOCKED", sizeof("NONBLOCKED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NONBLOCKED_name, &const_NONBLOCKED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NONBLOCKED_name);

	zval const_BLOCKED_value;
	ZVAL_LONG(&const_BLOCKED_value, REDISLOCK_BLOCKED);
	zend_string *const_BLOCKED_name = zend_string_init_interned("BLOCKED", sizeof("BLOCKED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_BLOCKED_name, &const_BLOCKED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_BLOCKED_name);


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 1, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "forcerelease", sizeof("forcerelease") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "exec", sizeof("exec") - 1), 2, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "restore", sizeof("restore") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "restore", sizeof("restore") - 1), 2, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "restore", sizeof("restore") - 1), 3, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "lock", sizeof("lock") - 1), 2, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_SequenceTask(void)
{
	zend_class_entry ce, *class_entry;

	INIT_CLASS_ENTRY(ce, "SequenceTask", class_SequenceTask_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "execute", sizeof("execute") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_Lock(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "Lock", class_RedisLock_Lock_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_ManagedLock(zend_class_entry *class_entry_RedisLock_Lock)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "ManagedLock", class_RedisLock_ManagedLock_methods);
	class_entry = zend_register_internal_interface(&ce);
	zend_class_implements(class_entry, 1, class_entry_RedisLock_Lock);


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "forcerelease", sizeof("forcerelease") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_RedLock(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "RedLock", class_RedisLock_RedLock_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 3, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "extend", sizeof("extend") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "unlock", sizeof("unlock") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_Worker(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "Worker", class_RedisLock_Worker_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_Exception(zend_class_entry *class_entry_RuntimeException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "Exception", class_RedisLock_Exception_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);

	zval property_node_default_value;
	ZVAL_NULL(&property_node_default_value);
	zend_string *property_node_name = zend_string_init("node", sizeof("node") - 1, 1);
	zend_declare_typed_property(class_entry, property_node_name, &property_node_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_node_name);

	zval property_retryable_default_value;
	ZVAL_FALSE(&property_retryable_default_value);
	zend_string *property_retryable_name = zend_string_init("retryable", sizeof("retryable") - 1, 1);
	zend_declare_typed_property(class_entry, property_retryable_name, &property_retryable_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_retryable_name);

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_ConnectionException(zend_class_entry *class_entry_RedisLock_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "ConnectionException", class_RedisLock_ConnectionException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RedisLock_Exception);

	zval property_nodes_default_value;
	ZVAL_EMPTY_ARRAY(&property_nodes_default_value);
	zend_string *property_nodes_name = zend_string_init("nodes", sizeof("nodes") - 1, 1);
	zend_declare_typed_property(class_entry, property_nodes_name, &property_nodes_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_nodes_name);

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_NotAcquiredException(zend_class_entry *class_entry_RedisLock_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "NotAcquiredException", class_RedisLock_NotAcquiredException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RedisLock_Exception);

	zval property_holder_default_value;
	ZVAL_NULL(&property_holder_default_value);
	zend_string *property_holder_name = zend_string_init("holder", sizeof("holder") - 1, 1);
	zend_declare_typed_property(class_entry, property_holder_name, &property_holder_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY|MAY_BE_NULL));
	zend_string_release(property_holder_name);

	zval property_nodes_default_value;
	ZVAL_EMPTY_ARRAY(&property_nodes_default_value);
	zend_string *property_nodes_name = zend_string_init("nodes", sizeof("nodes") - 1, 1);
	zend_declare_typed_property(class_entry, property_nodes_name, &property_nodes_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_nodes_name);

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_LockLostException(zend_class_entry *class_entry_RedisLock_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "LockLostException", class_RedisLock_LockLostException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RedisLock_Exception);

	zval property_finished_default_value;
	ZVAL_FALSE(&property_finished_default_value);
	zend_string *property_finished_name = zend_string_init("finished", sizeof("finished") - 1, 1);
	zend_declare_typed_property(class_entry, property_finished_name, &property_finished_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_finished_name);

	zval property_result_default_value;
	ZVAL_NULL(&property_result_default_value);
	zend_string *property_result_name = zend_string_init("result", sizeof("result") - 1, 1);
	zend_declare_typed_property(class_entry, property_result_name, &property_result_default_value, ZEND_ACC_PRIVATE, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ANY));
	zend_string_release(property_result_name);

	return class_entry;
}

static zend_class_entry *register_class_RedisLock_RenewalException(zend_class_entry *class_entry_RedisLock_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "RedisLock", "RenewalException", class_RedisLock_RenewalException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RedisLock_Exception);

	return class_entry;
}
