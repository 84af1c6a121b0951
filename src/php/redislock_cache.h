/*
 * redislock_cache: the insides of the last objects, kept for the next ones with the same arguments.
 *
 * Web requests make the same few objects again and again, and checking their
 * options takes longer than many a lock is held. Kept is the checked
 * configuration with the keys of the lock, and nothing that is locked. A
 * persistent connection stays with it until the end of the request, or until
 * an object of another kind is made: then it goes to the pool, for whoever
 * needs one like it. Per thread, across requests.
 */
#ifndef REDISLOCK_CACHE_H
#define REDISLOCK_CACHE_H

#include "php/redislock_object.h"

/* Makes a fresh object usable from the arguments of its constructor. `bound`: for a process-bound run. false: exception
 * thrown, see redislock_config_build(). */
bool redislock_cache_construct(redislock_object *object, zval *params, HashTable *options, bool bound);

/* Takes the insides of an object that goes, if they are worth it. false: they are still the object's. */
bool redislock_cache_put(redislock_object *object);

/* Gives what connections there are to the pool. At the end of a request, among others. */
void redislock_cache_disconnect(void);

/* In a forked copy. */
void redislock_cache_after_fork(void);

/* At the end of the thread, whose RLG() is there by its members only. */
void redislock_cache_clear(redislock_record **first, rlk_buf *key);

#endif
