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

#endif
