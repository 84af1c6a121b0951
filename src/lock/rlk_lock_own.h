/*
 * rlk_lock_own: the steps that acquiring and waiting are made of. For src/lock only.
 */
#ifndef RLK_LOCK_OWN_H
#define RLK_LOCK_OWN_H

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"

/* --- an operation is put to where the lock lives ------------------------------------------------- */

/* RLK_YES, RLK_NO: the one said so, or most did. RLK_UNKNOWN: no answer, or too few; RLK_FAIL: not done. */
rlk_outcome rlk_operation_run(const rlk_servers *servers, rlk_operation *op, rlk_error *err);

/* An attempt at the one server, counted from 0, had this outcome. Once more? When the connection broke, which a kept
 * connection does whenever the server restarts. Not after a timeout: the caller's time is used up. */
bool rlk_operation_may_retry(rlk_operation *op, const rlk_conn *conn, int attempts, rlk_outcome *outcome,
	rlk_error *err);

/* Does one of them refuse scripts, as far as is known? */
bool rlk_servers_refuse_scripts(const rlk_servers *servers);

/* For rlk_operation.read, of scripts that answer 1 for done and 0 for "not ours", and of commands that answer so or as SET
 * does. */
rlk_vote rlk_read_done(void *arg, int server, const rlk_reply *reply);

/* --- steps ---------------------------------------------------------------------------------------- */

/* On one server: one SET NX, or one script with request->fence, for the whole ttl. Results as of rlk_lock_acquire(); *err is empty. */
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
	lock->valid_until_ms = rlk_clock_add(sent_at_ms, rlk_validity_ms(rlk_lock_least_ttl_ms(lock, ttl_ms)));
}

/* What was sent may still run, or has run unseen. Its release follows on the same connection, so it runs afterwards, and
 * the connection is given up. If that is broken already, another one is opened for the release, within the connect
 * timeout; without one the key is left to its ttl. So is one with a given token: nothing follows. */
void rlk_lock_release_behind(rlk_lock *lock, rlk_conn *conn, int64_t ttl_ms);

/* Queues a release that nobody will say again, whatever the answer. A user may have no right to the keys that wake, and a
 * Cluster that is moving them may have them apart from the lock, so there they come in a request of their own; if that cannot
 * be said, the waiters look by themselves. */
bool rlk_lock_append_release(const rlk_lock *lock, rlk_conn *conn, const rlk_str *args, size_t arg_count,
	rlk_error *err);

/* The release was sent and not answered. It may have been executed, so the validity is over; or refused by a server
 * that does not know the script, so its text follows, which does no harm when both are executed. With a given token the
 * caller may acquire next, over another connection: nothing said on this one may leave after that. */
void rlk_lock_give_up_release(rlk_lock *lock, rlk_conn *conn, const rlk_str *args, size_t arg_count);

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

/* Those of several servers that may have the key. */
static inline uint32_t rlk_lock_servers(const rlk_lock *lock)
{
	return lock->maybe_on != 0 ? lock->maybe_on : RLK_SERVERS_ALL;
}

/* It is not ours, or not on most servers: the few that may still have it are told. */
void rlk_lock_forget_lost(rlk_lock *lock, const rlk_servers *servers);

/* The lock key and, where the name has them, those that wake a waiter. Returns how many. */
static inline size_t rlk_lock_keys_to_wake(const rlk_lock *lock, rlk_str keys[3])
{
	keys[0] = rlk_buf_str(&lock->key);
	keys[1] = rlk_buf_str(&lock->waiters);
	keys[2] = rlk_buf_str(&lock->signal);
	return keys[1].len > 0 && keys[2].len > 0 && !lock->wakes_nobody ? 3 : 1;
}

/* What the key of the one server holds, where no script may say it: value and time left, which is that of the value if this
 * is unique. RLK_NO: the key is missing. *value is valid until the next reply; its data is NULL when the key is no string. */
rlk_outcome rlk_lock_read_key(const rlk_lock *lock, rlk_conn *conn, rlk_str *value, int64_t *pttl_ms, rlk_error *err);

#endif
