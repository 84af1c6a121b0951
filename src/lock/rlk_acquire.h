/*
 * rlk_acquire: taking a lock: its token, waiting for it, and having replicas know.
 */
#ifndef RLK_ACQUIRE_H
#define RLK_ACQUIRE_H

#include "lock/rlk_lock.h"

/* Sets the token: the given one as it is, or, when that is empty, a fresh one with the label. What is not known of the
 * last one is forgotten, unless it is the same. */
bool rlk_lock_set_token(rlk_lock *lock, rlk_str given, rlk_str label, rlk_error *err);

/* Tries until acquired or the deadline. Each attempt has a token: rlk_lock_set_token() is to be called before, or by
 * request->hooks->attempt. On one server it waits to be woken; several are asked anew after a random pause, as often as
 * request->attempts says or, when that is 0, until the deadline, and what a failed attempt has taken there is released at
 * once. RLK_NO: another owner has the key, or others have too many of them.
 * RLK_UNKNOWN, RLK_FAIL: trouble, see *err; after RLK_UNKNOWN a release is already on its way behind the request,
 * if there is a way. A given token is not released: the key has it until its ttl is over, or until the next acquisition
 * with it, which takes it for ours.
 * After a wait the key may have a provisional ttl only, see rlk_wait.h. */
rlk_outcome rlk_lock_acquire(rlk_lock *lock, const rlk_servers *servers, const rlk_lock_request *request,
	rlk_error *err);

#endif
