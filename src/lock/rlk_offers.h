/*
 * rlk_offers: what the one server offers to release a lock with: our scripts, or a command that compares.
 *
 * Redis 8.4 and Valkey 9.0 have such a command, a fraction of a script's work.
 * Some managed services and strict ACLs refuse scripts: there the command does
 * everything, waiters are not woken, and a server without one gets no lock, since
 * one that nobody can release is none.
 */
#ifndef RLK_OFFERS_H
#define RLK_OFFERS_H

#include "lock/rlk_lock.h"

/* Queues the questions in front of an acquisition, in the same write, unless the answers are known: whether scripts are
 * refused in front of the first over a connection, where it may be so; which commands there are in front of the second, so
 * that a connection used once does not pay for it. false: there is no connection. */
bool rlk_offers_ask_now(const rlk_lock *lock, rlk_conn *conn, rlk_error *err);

static inline bool rlk_offers_ask(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	bool known = conn->dialect != RLK_DIALECT_NEW && conn->dialect != RLK_DIALECT_USED;

	return known || rlk_offers_ask_now(lock, conn, err);
}

/* Where scripts are refused: would the server release a lock? A value that nobody has tells, once for a connection. */
bool rlk_offers_try_release(const rlk_lock *lock, rlk_conn *conn, rlk_error *err);

static inline bool rlk_offers_release(const rlk_lock *lock, rlk_conn *conn, rlk_error *err)
{
	return !conn->refuses_scripts || conn->releases || rlk_offers_try_release(lock, conn, err);
}

#endif
