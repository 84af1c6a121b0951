/*
 * redislock_methods: what the methods of class RedisLock begin with.
 */
#ifndef REDISLOCK_METHODS_H
#define REDISLOCK_METHODS_H

#include "php/redislock_object.h"

/* NULL: a subclass did not call the constructor; exception thrown. */
redislock_object *redislock_methods_this(zval *zv);

#define FETCH_THIS(object) \
	redislock_object *object = redislock_methods_this(ZEND_THIS); \
	if (object == NULL) \
	RETURN_THROWS()

/* For the methods of RedisLock\Lock: those that speak of the configured name. */
#define FETCH_NAMED(object) \
	FETCH_THIS(object); \
	if (!redislock_object_is_named(object)) \
	RETURN_THROWS()

#endif
