/*
 * redislock_run: PHP code that runs under a process-bound lock. SequenceTask::execute() and
 * RedisLock::synchronized() are both this.
 */
#ifndef REDISLOCK_RUN_H
#define REDISLOCK_RUN_H

#include "php/redislock_object.h"

struct redislock_run {
	redislock_run *outer;
	zend_object *lock;
	redislock_owner owner;
};

/* May it run under a lock? Not if it requires more than one parameter, and not a generator function, which returns before
 * its body has run: exception thrown, naming the argument. */
bool redislock_run_check_callable(const zend_fcall_info_cache *fcc, uint32_t argument);

/* Is code under way that runs under it, in this fiber or in another one? */
bool redislock_run_is_under(const redislock_hold *hold);

/* Acquires `record` of `lock` with *config, calls, releases. return_value is set, or an exception is under way. After a
 * fatal error in the callable the method has to go on with it, see redislock_interrupt_go_on(). */
void redislock_run_locked(zend_object *lock, redislock_record *record, const rlk_config *config, zend_fcall_info *fci,
	zend_fcall_info_cache *fcc, zval *return_value);

#endif
