/*
 * redislock_object: the native side of a RedisLock object.
 */
#ifndef REDISLOCK_OBJECT_H
#define REDISLOCK_OBJECT_H

#include "php/redislock_hold.h"

/* What one object knows of one name. The first record is the configured name's. */
struct redislock_record {
	redislock_record *next; /* of the object, or in RLG(cached) */
	zend_string *name;    /* persistent, without this object's prefix; that of a shared hold may be split differently */
	redislock_hold *hold; /* never NULL; shared with other objects only while this one is in their reentrant lock */
	uint32_t entries;     /* how often this object is in it */
};

typedef struct {
	redislock_client *client;  /* NULL until constructed */
	redislock_record *records; /* NULL until constructed */
	zend_object std;
} redislock_object;

static inline redislock_object *redislock_object_from(zend_object *object)
{
	return (redislock_object *)((char *)object - offsetof(redislock_object, std));
}

/* Makes a fresh object usable. Takes over *config. false: exception thrown. */
bool redislock_object_configure(redislock_object *object, rlk_config *config);

/* Frees what is the record's own: its hold is not. */
void redislock_record_free(redislock_record *record);

void redislock_object_throw_unnamed(const redislock_object *object);

/* Is there a configured name, to which the first record belongs? false: ValueError thrown. */
static inline bool redislock_object_is_named(const redislock_object *object)
{
	if (EXPECTED(object->client->config.name.len > 0))
		return true;
	redislock_object_throw_unnamed(object);
	return false;
}

/* The record for a name; with `create` a new one if there is none. NULL: none, or an exception is thrown. */
redislock_record *redislock_object_record(redislock_object *object, zend_string *name, bool create);

/* acquire() and lock() with all their rules: refuses a name held by this object, enters a reentrant one again unless
 * that promises less than *config asks for. */
rlk_outcome redislock_record_acquire(redislock_object *object, redislock_record *record, const rlk_config *config,
	int64_t wait_ms);

/* release() and unlock(): leaves once, and frees with the last; RLK_NO: it was no longer ours. Throws for RLK_UNKNOWN and
 * RLK_FAIL. */
rlk_outcome redislock_record_release(redislock_object *object, redislock_record *record);

/* Leaves once a lock that was entered more often than that. */
void redislock_record_leave(redislock_object *object, redislock_record *record);

/* forceRelease(): deletes the key, whoever holds it. The lock of this object is over then, and that of every other of
 * this process that it could be entered by. Throws likewise. */
rlk_outcome redislock_record_force_release(redislock_record *record);

/* Is this object in the lock? A token given by restore() counts. */
static inline bool redislock_record_is_entered(const redislock_record *record)
{
	return record->entries > 0;
}

/* Throws what is to be said of earlier releases with release_async, see redislock_release_report_late(). Forgets what is over
 * on its way. */
bool redislock_object_report_all_late(redislock_object *object);

static inline bool redislock_object_report_late(redislock_object *object)
{
	/* Most have one record, with nothing of that kind. */
	return (object->records->next != NULL || redislock_hold_is_late(object->records->hold)) &&
		redislock_object_report_all_late(object);
}

/* Forgets a record of lock() that is over, so that a long life with many names needs no more memory. */
void redislock_object_prune(redislock_object *object, redislock_record *record);

/* For an object that goes. Where others are in the same lock, it leaves as often as it had entered. */
void redislock_object_free_records(redislock_object *object);

/* --- what methods begin with: redislock_methods.c --- */

#define FETCH_THIS(object) \
	redislock_object *object = redislock_object_from(Z_OBJ_P(ZEND_THIS)); \
	if (object->client == NULL) { \
		redislock_throw_unconstructed(&object->std); \
		RETURN_THROWS(); \
	}

/* For the methods of RedisLock\Lock: those that speak of the configured name. */
#define FETCH_NAMED(object) \
	FETCH_THIS(object); \
	if (!redislock_object_is_named(object)) \
	RETURN_THROWS()

/* --- the insides of the last objects: redislock_cache.c --- */

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

/* --- PHP code under a lock: redislock_run.c --- */

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

/* --- what is told of a lock: redislock_describe.c --- */

/* RedisLock::holder()'s array. */
void redislock_holder_to_array(const rlk_lock_holder *holder, zval *array);

/* It was refused to somebody who could wait until until_ms. Looks who has it now, and throws NotAcquiredException; or what
 * is wrong with the key. */
void redislock_holder_throw_not_acquired(redislock_hold *hold, int64_t until_ms);

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
