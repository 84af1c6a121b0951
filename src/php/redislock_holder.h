/*
 * redislock_holder: who holds a lock, as an array and as the exception of those who did not get it.
 */
#ifndef REDISLOCK_HOLDER_H
#define REDISLOCK_HOLDER_H

#include "php/redislock_hold.h"

/* RedisLock::holder()'s array. */
void redislock_holder_to_array(const rlk_lock_holder *holder, zval *array);

/* It was refused to somebody who could wait until until_ms. Looks who has it now, and throws NotAcquiredException; or what
 * is wrong with the key. */
void redislock_holder_throw_not_acquired(redislock_hold *hold, int64_t until_ms);

#endif
