/*
 * rlk_quorum_lock: what rlk_lock.h does on one server, done on several: whoever has most of them has the lock.
 *
 * The state is the same rlk_lock. Outcomes mean the same, too: RLK_NO, most of
 * those asked said so; RLK_FAIL and RLK_UNKNOWN, too few answered, see *err.
 * What each server said is in nodes->quorum until the next round.
 */
#ifndef RLK_QUORUM_LOCK_H
#define RLK_QUORUM_LOCK_H

#include "lock/rlk_lock.h"
#include "lock/rlk_nodes.h"

/* Tries as often as request->attempts says or, when that is 0, until the deadline, with a random pause after each failure
 * but the last. Every attempt has a token of its own: the host is asked for one before each (rlk_hooks.attempt). What a
 * failed attempt has taken is released at once, everywhere. */
rlk_outcome rlk_quorum_acquire(rlk_lock *lock, rlk_nodes *nodes, const rlk_lock_request *request, rlk_error *err);

/* As rlk_lock_extend(). ttl_ms > 0. */
rlk_outcome rlk_quorum_extend(rlk_lock *lock, rlk_nodes *nodes, int64_t ttl_ms, rlk_error *err);

/* Before the lock is extended or confirmed: what has shortened it may arrive at any time at a server that had not answered
 * before it was given up. */
void rlk_quorum_note_unanswered(rlk_lock *lock, const rlk_nodes *nodes);

/* As rlk_lock_release(). The release goes to every server that may have the key, also when the answer is here before. */
rlk_outcome rlk_quorum_release(rlk_lock *lock, rlk_nodes *nodes, int64_t rest_until_ms, rlk_error *err);

/* Somebody else releases a lock that was lost. What servers may still do of its acquisition is undone behind that. */
void rlk_quorum_leave(rlk_lock *lock, rlk_nodes *nodes);

/* As rlk_lock_confirm(). */
rlk_outcome rlk_quorum_confirm(rlk_lock *lock, rlk_nodes *nodes, rlk_error *err);

/* Who has most of the servers? RLK_NO: nobody has. Whoever has not answered at until_ms is not waited for. With `each`, of
 * nodes->count elements, what was found on those that voted yes. */
rlk_outcome rlk_quorum_ask_holder(rlk_lock *lock, rlk_nodes *nodes, int64_t until_ms, rlk_lock_holder *holder,
	rlk_lock_holder *each, rlk_error *err);

/* Deletes the key on all servers that answer, whoever holds it. RLK_NO: nobody did. */
rlk_outcome rlk_quorum_force_release(rlk_lock *lock, rlk_nodes *nodes, rlk_error *err);

#endif
