/*
 * redislock_object: the native side of RedisLock and RedLock objects, and what their methods share.
 */
#ifndef REDISLOCK_OBJECT_H
#define REDISLOCK_OBJECT_H

#include "php/redislock_hold.h"

/* What one object knows of one name. The first record of a RedisLock has the configured name. Each record of a RedLock is a lock that
 * was acquired and not yet unlocked, newest first. */
struct redislock_record {
	redislock_record *next; /* of the object, or in RLG(cached) */
	zend_string *name;    /* persistent, without this object's prefix; that of a shared hold may be split differently */
	redislock_hold *hold; /* never NULL; shared with other objects only while this one is in their reentrant lock */
	uint32_t entries;     /* how often this object has entered the lock; a RedLock does not count */
};

typedef struct {
	redislock_client *client;  /* NULL until constructed */
	redislock_record *records; /* of a RedisLock NULL until constructed */
	zend_object std;
} redislock_object;

static inline redislock_object *redislock_object_from(zend_object *object)
{
	return (redislock_object *)((char *)object - offsetof(redislock_object, std));
}

/* What methods begin with. A subclass may not have called the constructor. */
#define FETCH_THIS(object) \
	redislock_object *object = redislock_object_from(Z_OBJ_P(ZEND_THIS)); \
	if (UNEXPECTED(object->client == NULL)) { \
		redislock_object_throw_unusable(object); \
		RETURN_THROWS(); \
	}

/* The same for the methods of RedisLock\Lock, which need the configured name. */
#define FETCH_NAMED(object) \
	FETCH_THIS(object); \
	if (UNEXPECTED(object->client->config.name.len == 0)) { \
		redislock_object_throw_unusable(object); \
		RETURN_THROWS(); \
	}

/* A process-bound lock ends with its object. If only the call itself refers to the object, as in "(new
 * RedisLock(...))-> acquire()", the method would return true and the lock would be free again. The engine marks calls
 * that release their object. false: exception thrown. */
bool redislock_outlives_call(zend_execute_data *execute_data, const redislock_hold *hold);

/* Makes a fresh RedisLock usable. Takes over *config. false: exception thrown. */
bool redislock_object_configure(redislock_object *object, rlk_config *config);

/* Throws that the constructor was not called, or that there is no configured name. */
void redislock_object_throw_unusable(const redislock_object *object);

/* The record for a name; with `create` a new one if there is none. NULL: none, or an exception is thrown. */
redislock_record *redislock_object_record(redislock_object *object, zend_string *name, bool create);

/* A record with a hold of its own, in no list. NULL: exception thrown. */
redislock_record *redislock_record_new(redislock_client *client, const char *name, size_t name_len);

/* Takes the record that *link points to out of its list and frees it. The record leaves its hold as often as it had entered, and
 * drops its reference. */
void redislock_record_forget(redislock_record **link);

/* Is an operation under way on the record's lock: in another fiber, or in the call that a signal handler interrupts? Throws then. */
static inline bool redislock_record_is_in_use(const redislock_record *record)
{
	return UNEXPECTED(rlk_hold_is_in_use(&record->hold->life)) && redislock_hold_refuse_in_use(record->hold);
}

/* acquire() and lock() with all their rules: refuses a name that this object holds, or enters a reentrant lock again, unless that lock
 * promises less than *config asks for. Throws for RLK_UNKNOWN and RLK_FAIL. */
rlk_outcome redislock_record_acquire(redislock_object *object, redislock_record *record, const rlk_config *config,
	int64_t wait_ms);

/* Leaves once; the last entry ends the lock, as rlk_hold_end() does. */
rlk_outcome redislock_record_end(redislock_object *object, redislock_record *record, rlk_ending ending, rlk_error *err);

/* forceRelease(): deletes the key, whoever holds it. Ends the lock of this object, and every reentrant lock of this process that the
 * object could enter. With a token: all of that for this token alone. Throws for RLK_UNKNOWN and RLK_FAIL. */
rlk_outcome redislock_record_force_release(redislock_record *record, rlk_str token);

/* Does this object hold the lock, by our own clock? */
static inline bool redislock_record_is_held(const redislock_record *record)
{
	return record->entries > 0 && rlk_hold_is_held(&record->hold->life);
}

/* What methods end with: returns true or false to PHP, or nothing if an exception is under way. */
static inline void redislock_return_outcome(rlk_outcome outcome, zval *return_value)
{
	if (outcome == RLK_YES || outcome == RLK_NO)
		RETVAL_BOOL(outcome == RLK_YES);
}

/* Forgets this record, if the object still has it. */
void redislock_object_forget(redislock_object *object, const redislock_record *record);

/* Forgets the records from *link on that are over, so that a long life with many names needs no more memory. */
void redislock_records_prune(redislock_record **link);

/* --- redislock_cache.c --- */

/*
 * Web requests construct the same few objects again and again, and checking their
 * options takes longer than many a lock is held. So the client and the record of
 * a freed object, with nothing locked, are kept for the next one with the same
 * arguments. A persistent connection stays with them until the end of the
 * request, or until an object of another kind is made: then it goes to the
 * pool. Per thread, across requests.
 */

/* Constructs a RedisLock. `bound`: for a process-bound run. false: exception thrown, see redislock_config_build(). */
bool redislock_cache_construct(redislock_object *object, zval *params, HashTable *options, bool bound);

/* Takes client and record of an object that is freed, if they can be used again. false: they are still the object's. */
bool redislock_cache_put(redislock_object *object);

/* Gives the connections of the cache to the pool. */
void redislock_cache_disconnect(void);

/* At the end of the thread, when RLG() does not work any more. */
void redislock_cache_clear(redislock_record **first, rlk_buf *key);

/* --- redislock_run.c: PHP code under a process-bound lock, SequenceTask::execute() and RedisLock::synchronized() --- */

struct redislock_run {
	redislock_run *outer;
	zend_object *lock;
	redislock_hold *hold; /* with a reference */
	redislock_owner owner;
};

/* May this callable run under a lock? Not if it requires more than one parameter, nor if it is a generator function, which returns
 * before its body has run. false: exception thrown, naming the argument. */
bool redislock_run_check_callable(const zend_fcall_info_cache *fcc, uint32_t argument);

/* Forgets the runs that are left at the end of the request: they belong to fibers that never go on. */
void redislock_runs_forget(void);

/* Does code run under this hold, in whatever fiber? */
bool redislock_run_is_under(const redislock_hold *hold);

/* Acquires the lock of the configured name with *config, calls, releases. Sets return_value, or throws. The method calls
 * redislock_interrupt_go_on() afterwards, for a fatal error in the callable. */
void redislock_run_locked(redislock_object *object, const rlk_config *config, zend_fcall_info *fci,
	zend_fcall_info_cache *fcc, zval *return_value);

/* --- redislock_describe.c: a lock as people see it; never credentials, and a token only in holder() --- */

/* RedisLock::holder()'s array. */
void redislock_describe_holder(const rlk_lock_holder *holder, zval *array);

/* After a refusal: looks up the holder, and throws NotAcquiredException, or what is wrong with the key. */
void redislock_throw_not_acquired(redislock_hold *hold);

/* What var_dump() and debuggers show of a RedisLock or RedLock, without a request. */
HashTable *redislock_describe_object(zend_object *std, int *is_temp);

#endif
