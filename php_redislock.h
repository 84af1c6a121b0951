/*
 * php_redislock: what the engine and a static build need to know of the module.
 */
#ifndef PHP_REDISLOCK_H
#define PHP_REDISLOCK_H

#define PHP_REDISLOCK_VERSION "0.1.0"

#include <php.h>

extern zend_module_entry redislock_module_entry;
#define phpext_redislock_ptr &redislock_module_entry

#endif
