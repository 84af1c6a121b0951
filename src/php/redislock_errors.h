/*
 * redislock_errors: the one place where a C error becomes a PHP exception.
 */
#ifndef REDISLOCK_ERRORS_H
#define REDISLOCK_ERRORS_H

#include "php/redislock_module.h"

#include "lock/rlk_quorum.h"
#include "renew/rlk_area.h"

extern zend_class_entry *redislock_ce_Exception;
extern zend_class_entry *redislock_ce_ConnectionException;
extern zend_class_entry *redislock_ce_NotAcquiredException;
extern zend_class_entry *redislock_ce_LockLostException;
extern zend_class_entry *redislock_ce_RenewalException;

/* Throws what *err says. `name` is the lock concerned, NULL: none. Wrong arguments become ValueError or TypeError,
 * RLK_ERR_INTERRUPTED nothing, since the exception is under way already. */
void redislock_throw(const rlk_error *err, zend_string *name);

/* The same with what each server of a quorum said, where there is one. */
void redislock_throw_on(const rlk_error *err, zend_string *name, const rlk_quorum *quorum);

/* As above for an error in an argument of the running function, counted from 1. */
void redislock_throw_argument(const rlk_error *err, uint32_t argument);

/* An exception of that class, not thrown: lock "name"<what follows>. */
zend_object *redislock_make_about(zend_class_entry *ce, zend_string *name, const char *format, ...)
	ZEND_ATTRIBUTE_FORMAT(printf, 3, 4);

/* `result`: what the callable returned, NULL while it is running. Takes its own reference. */
void redislock_throw_lost(zend_string *name, rlk_lost_reason reason, zval *result);

/* The exception under way goes on, with this one at the end of its chain of causes: unless the chain tells of the same loss
 * already, or has no end. exit() is no exception to hang anything on. */
void redislock_chain_trouble(const rlk_error *err, zend_string *name);
void redislock_chain_lost(zend_string *name, rlk_lost_reason reason);

/* Throws a LogicException: lock "name" <complaint>. */
void redislock_throw_misuse(zend_string *name, const char *complaint);

/* A subclass did not call the constructor. */
void redislock_throw_unconstructed(zend_object *object);

/* Memory for the native side of an object is out. */
void redislock_throw_out_of_memory(void);

/* A lock's name as messages have it: control characters, NUL among them, as \xNN. The caller releases it. */
zend_string *redislock_name_shown(zend_string *name);

/* "the server did not answer in time (tcp://…)", for warnings. The caller releases it. */
zend_string *redislock_error_text(const rlk_error *err);

#endif
