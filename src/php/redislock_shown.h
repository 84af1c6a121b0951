/*
 * redislock_shown: what var_dump(), print_r() and debuggers show of our objects: never a token, never credentials, and
 * nobody is asked for it.
 */
#ifndef REDISLOCK_SHOWN_H
#define REDISLOCK_SHOWN_H

#include "php/redislock_hold.h"

/* The object's own properties, to add to; for the handler get_debug_info. NULL: *shown is what the class shows by a
 * __debugInfo() of its own. */
HashTable *redislock_shown_begin(zend_object *object, HashTable **shown, int *is_temp);

/* prefix and server; a list of them for a quorum, sentinels, and seeds of a Cluster. */
void redislock_shown_add_server(HashTable *table, const redislock_client *client);

/* kind, state, remaining and fence. `entered`: the object is in the lock. */
void redislock_shown_add_hold(HashTable *table, redislock_hold *hold, bool entered);

/* `locks`: further locks by their names, in *locks, which is taken over. Nothing if there are none. */
void redislock_shown_add_locks(HashTable *table, zval *locks);

#endif
