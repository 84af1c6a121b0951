/*
 * rlk_scriptless: a lock on a server that refuses us its scripts, as some managed services and strict ACLs do.
 *
 * The native compare commands do what the scripts do where there are any; else
 * WATCH and MULTI, at the price of two round trips. Waiters are not woken. What
 * a server refuses is found out before the first lock over it is handed out,
 * since a lock that nobody can release is none; that it does not is remembered
 * for the rest of the process.
 */
#ifndef RLK_SCRIPTLESS_H
#define RLK_SCRIPTLESS_H

#include "lock/rlk_lock.h"

/* Has the question whether scripts are for us go out in front of what is acquired next, unless that is known. conn is
 * ready, and nothing is appended yet. */
void rlk_scriptless_ask(const rlk_lock *lock, rlk_conn *conn);

/* Is this server known to take scripts from this user? From now on it is. */
bool rlk_scriptless_is_known(const rlk_endpoint *endpoint);
void rlk_scriptless_know(const rlk_endpoint *endpoint);

/* An acquisition was just answered, and conn->refuses_scripts. Is there another way to release the lock? `renewed`: and to
 * renew it, for which a child does not watch. false: *err says what is missing; the lock, if held, is freed again where
 * that can be done without touching another's. */
bool rlk_scriptless_settle(rlk_lock *lock, rlk_conn *conn, bool renewed, rlk_error *err);

/* Compares and gives the key this value and TTL (0: no expiry), or deletes it when `value` is empty. Results of
 * rlk_lock_release(), but the lock is left as it is, and it is tried again when the connection broke: *retried. */
rlk_outcome rlk_scriptless_change(rlk_lock *lock, rlk_conn *conn, rlk_str value, int64_t ttl_ms, bool *retried,
	rlk_error *err);

/* Value and time left of the key at one moment. RLK_NO: it is missing. *value is valid until the next reply; empty when
 * the key is no string. */
rlk_outcome rlk_scriptless_look(rlk_lock *lock, rlk_conn *conn, rlk_str *value, int64_t *pttl_ms, rlk_error *err);

/* Deletes the key. RLK_NO: there was none. */
rlk_outcome rlk_scriptless_force_release(rlk_lock *lock, rlk_conn *conn, rlk_error *err);

#endif
