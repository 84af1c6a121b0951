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

#include "lock/rlk_lock.h"

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

#define RLK_NATIVE_WORDS_MAX 7

/* Puts together the command for what a script would do with these arguments: lock key and token to release; a ttl as well
 * to extend; another value and its ttl to put that in its place. An empty ttl: without expiry. Returns how many words.
 * Nothing is allocated, for the sake of the renewal child. */
size_t rlk_native_words(rlk_native how, const rlk_str *args, size_t arg_count, rlk_str words[RLK_NATIVE_WORDS_MAX]);

/* Queues it. */
bool rlk_native_append(rlk_conn *conn, rlk_native how, const rlk_str *args, size_t arg_count, rlk_error *err);

/* Does an error of these commands say that the key is there but no string, hence not our token? Redis' DELEX has no code of
 * its own for that. */
bool rlk_native_finds_no_string(rlk_str error);

/* For a server whose scripts are not for us: finds out by trying, with a value nobody has. *err is set when that could
 * not be done; conn->native is settled otherwise. */
bool rlk_native_find(rlk_lock *lock, rlk_conn *conn, rlk_error *err);

#endif
