/*
 * rlk_native: compare and act in one command, on servers that have such commands.
 *
 * Redis 8.4 has DELEX and SET with IFEQ, Valkey 9.0 DELIFEQ and SET with IFEQ:
 * a fraction of a script's work. Which of them a server has is asked once per
 * connection, in front of the second acquisition over it, in the same write, so that
 * neither a round trip nor a connection used once pays for it.
 *
 * A native release cannot wake a waiter. It asks in the same write, behind the
 * delete, whether somebody waits, and has the script wake one only then. No
 * wake-up is lost by that: a waiter sets its mark in the script in which its
 * try failed, hence before the delete. Where somebody waited a moment ago, the
 * script is the better release, since it wakes in the same step.
 */
#ifndef RLK_NATIVE_H
#define RLK_NATIVE_H

#include "core/rlk_lock.h"

/* Has the question go out in front of what is acquired next. conn is ready, and nothing is appended yet. */
void rlk_native_ask(rlk_conn *conn);

/* Is there a compare-and-delete command, as far as is known? */
static inline bool rlk_native_is_known(const rlk_conn *conn)
{
	return conn->native == RLK_NATIVE_DELEX || conn->native == RLK_NATIVE_DELIFEQ;
}

/* Compare and delete; compare and set value, with ttl_ms or, for 0, without expiry: one attempt. Results of
 * rlk_lock_release(), but the lock is left as it is. When the command is no longer known to be there afterwards, it was
 * refused, or the connection is another one by now or none. */
rlk_outcome rlk_native_delete(rlk_lock *lock, rlk_conn *conn, rlk_error *err);
rlk_outcome rlk_native_set(rlk_lock *lock, rlk_conn *conn, rlk_str value, int64_t ttl_ms, rlk_error *err);

/* What these are made of: the requests, queued, ttl_ms a number or empty, and whether an error says that the key is there
 * but no string, hence not our token. Redis' DELEX has no code of its own for that. */
bool rlk_native_append_delete(rlk_conn *conn, rlk_native how, rlk_str key, rlk_str value, rlk_error *err);
bool rlk_native_append_set(rlk_conn *conn, rlk_str key, rlk_str compared, rlk_str value, rlk_str ttl_ms,
	rlk_error *err);
bool rlk_native_finds_no_string(const rlk_reply *reply);

/* For a server whose scripts are not for us: finds out by trying, with a value nobody has. *err is set when that could
 * not be done; conn->native is settled otherwise. */
bool rlk_native_find(rlk_lock *lock, rlk_conn *conn, rlk_error *err);

#endif
