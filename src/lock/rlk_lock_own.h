/*
 * rlk_lock_own: the steps that acquiring and waiting are made of. For src/lock only.
 */
#ifndef RLK_LOCK_OWN_H
#define RLK_LOCK_OWN_H

#include "base/rlk_clock.h"
#include "lock/rlk_lock.h"

/* One SET NX, or one script with request->fence, for the whole ttl. Results as of rlk_lock_acquire(); *err is empty. */
rlk_outcome rlk_lock_try(rlk_lock *lock, rlk_conn *conn, const rlk_lock_request *request, rlk_error *err);

/* The lock is ours for this ttl, counted from the moment before the command was written. */
static inline void rlk_lock_take(rlk_lock *lock, int64_t ttl_ms, int64_t sent_at_ms)
{
	lock->held = true;
	lock->ttl_ms = ttl_ms;
	lock->ttl_known = true;
	lock->extend_at_ms = 0;
	lock->unsure = false;
	lock->acquired_at_ms = sent_at_ms;
	lock->valid_until_ms = rlk_clock_add(sent_at_ms, rlk_lock_validity_ms(rlk_lock_least_ttl_ms(lock, ttl_ms)));
}

/* Nobody waits for the answers to what was sent, the last of it a release. It has until a key with this TTL has expired; 0:
 * until the server closes the connection. */
void rlk_lock_give_up(rlk_conn *conn, int64_t ttl_ms);

/* What was sent may still run, or has run unseen. Its release follows on the same connection, so it runs afterwards, and
 * the connection is given up. If that is broken already, another one is opened for the release, within the connect
 * timeout; without one the key is left to its ttl. So is one with a given token: nothing follows. */
void rlk_lock_release_behind(rlk_lock *lock, rlk_conn *conn, int64_t ttl_ms);

/* The release of a SET that may have been kept by whichever server has the key now, wherever that is. Results of
 * rlk_lock_release(), but nothing follows what was not answered. Not for given tokens. */
rlk_outcome rlk_lock_withdraw(rlk_lock *lock, rlk_conn *conn, rlk_error *err);

/* The key is ours if it has the token, from the moment before this was written: gives it this ttl. For given tokens.
 * Results of rlk_lock_extend(), but it is not taken. */
rlk_outcome rlk_lock_adopt(rlk_lock *lock, rlk_conn *conn, int64_t ttl_ms, rlk_error *err);

/* Trouble with a server that may be over soon, since another one can take its place: trying goes on. When a SET of ours
 * was lost with the old one, lock->unsure says so. */
bool rlk_lock_may_heal(rlk_lock *lock, const rlk_conn *conn, rlk_outcome outcome, const rlk_error *why);

/* Extends a provisional ttl to the ttl without waiting for the answer, see rlk_lock_collect(). Without hurry the system
 * chooses the moment, or the next request takes it along. */
void rlk_lock_extend_unread(rlk_lock *lock, rlk_conn *conn, bool hurry);

/* An attempt had this outcome. Once more? When the connection broke, which a kept connection does whenever the server
 * restarts. Not after a timeout: the caller's time is used up. *retried: an earlier attempt may have done it, whatever
 * became of this one; NULL: it must not be done twice. `attempts` counts from 0. */
bool rlk_lock_is_to_repeat(const rlk_conn *conn, int attempts, rlk_outcome *outcome, bool *retried, rlk_error *err);

/* The lock key and, where the name has them, those that wake a waiter. Returns how many. */
size_t rlk_lock_keys_to_wake(const rlk_lock *lock, rlk_str keys[3]);

typedef struct {
	const rlk_script *script;
	const rlk_str *keys, *args;
	size_t key_count, arg_count; /* keys behind the first are for the sake of those who wait */
	const rlk_reply *reply;      /* the result */
} rlk_lock_script;

/* Runs a script, and without the keys of the waiters if it was refused with them: a user who may not touch those still
 * gets rid of the lock, and so does one in a Cluster that is moving these keys and has the lock on another node already;
 * the waiters look again by themselves after a while. *retried as of rlk_lock_is_to_repeat(); *err is empty. */
rlk_outcome rlk_lock_run_script(rlk_lock *lock, rlk_conn *conn, rlk_lock_script *call, bool *retried, rlk_error *err);

#endif
