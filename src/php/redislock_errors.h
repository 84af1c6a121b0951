/*
 * redislock_errors: the one place where a C error becomes a PHP exception.
 */
#ifndef REDISLOCK_ERRORS_H
#define REDISLOCK_ERRORS_H

#include "php/redislock_module.h"

#include "lock/rlk_quorum.h"
#include "renew/rlk_area.h"

#include <zend_exceptions.h>

extern zend_class_entry *redislock_ce_Exception;
extern zend_class_entry *redislock_ce_ConnectionException;
extern zend_class_entry *redislock_ce_NotAcquiredException;
extern zend_class_entry *redislock_ce_LockLostException;
extern zend_class_entry *redislock_ce_RenewalException;

/* Throws *err. `name`: the lock concerned, or NULL. `quorum`: its servers' answers go into a ConnectionException; or NULL.
 * Wrong arguments become ValueError or TypeError. After RLK_ERR_INTERRUPTED an exception is under way already. */
void redislock_throw(const rlk_error *err, zend_string *name, const rlk_quorum *quorum);

/* The same for an error in an argument of the running function, counted from 1. */
void redislock_throw_argument(const rlk_error *err, uint32_t argument);

/* Makes an exception without throwing it: lock "name"<what follows>. */
zend_object *redislock_make_about(zend_class_entry *ce, zend_string *name, const char *format, ...)
	ZEND_ATTRIBUTE_FORMAT(printf, 3, 4);

/* `result`: what the callable returned, NULL while it is running. Takes its own reference. */
void redislock_throw_lost(zend_string *name, rlk_lost_reason reason, zval *result);

/* exit() and the end of a fiber, which the engine treats as exceptions. */
static inline bool redislock_ends_script(const zend_object *exception)
{
	return zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception);
}

/* Puts `cause`, which it takes over, at the end of the chain of the exception under way, unless the chain tells of the same loss
 * already or has no end. Drops it if the script ends. */
void redislock_chain(zend_object *cause);

/* The same with *err and the loss, if there are any. */
void redislock_chain_trouble(zend_string *name, const rlk_error *err, rlk_lost_reason lost);

/* Throws a LogicException: lock "name" <complaint>. */
void redislock_throw_misuse(zend_string *name, const char *complaint);

/* Throws "out of memory for <purpose>". */
void redislock_throw_out_of_memory(const char *purpose);

/* A lock's name for messages: control characters, NUL among them, as \xNN. The caller releases it. */
zend_string *redislock_name_shown(const zend_string *name);

/* "the server did not answer in time (tcp://…)", for warnings. The caller releases it. */
zend_string *redislock_error_text(const rlk_error *err);

#endif
