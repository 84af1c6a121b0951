/*
 * rlk_renewal_own: what the files of rlk_renewal share.
 *
 * Callers hold the mutex of rlk_renewal, but not for rlk_servers_resolve(): that
 * may take seconds, and other threads have locks to release meanwhile.
 */
#ifndef RLK_RENEWAL_OWN_H
#define RLK_RENEWAL_OWN_H

#include "renew/rlk_renewal.h"

/* --- the worker: rlk_renewal_worker.c --------------------------------------------------------- */

/* Starts a worker of this kind; a thread, if a child would have to speak TLS and cannot. */
bool rlk_renewal_start_worker(rlk_renewal *renewal, const rlk_backend *backend, rlk_error *err);

/* Is there a server with TLS? */
bool rlk_renewal_has_tls(const rlk_renewal *renewal);

/* Starts the new worker before the old one ends: at every moment one of them knows what to release. */
bool rlk_renewal_replace_worker(rlk_renewal *renewal, rlk_error *err);

/* Replaces a worker that has died, if one is needed. If that fails, all locks are lost. */
bool rlk_renewal_revive_worker(rlk_renewal *renewal, bool needed, rlk_error *err);

/* Has no lock needed the worker since rlk_renewal_request_ends()? */
static inline bool rlk_renewal_is_idle(const rlk_renewal *renewal)
{
	return renewal->slots.area != NULL && atomic_load(&renewal->slots.area->idleness) != RLK_IDLENESS_NEEDED;
}

/* Ends the idleness of a worker for a lock, which may want another kind of worker than the last request. */
void rlk_renewal_resume_worker(rlk_renewal *renewal, const rlk_renewal_lock *lock);

/* --- the servers that the worker knows: rlk_renewal_servers.c --------------------------------- */

/* A request does not rely on names that were resolved so long before it. */
#define RLK_RESOLVED_FOR_MS 10000

/* Does the area hold this server? */
static inline bool rlk_servers_is_entered(const rlk_renewal *renewal, const rlk_renewal_server *known)
{
	return known->number != 0 && known->number == renewal->slots.books[known->index].number;
}

/* Does it also know well enough where the server is? */
static inline bool rlk_servers_is_known(const rlk_renewal *renewal, const rlk_renewal_server *known)
{
	return rlk_servers_is_entered(renewal, known) &&
		renewal->slots.books[known->index].resolved_at_ms > renewal->request_at_ms - RLK_RESOLVED_FOR_MS;
}

/* The same of all servers of the lock. */
static inline bool rlk_servers_are_known(const rlk_renewal *renewal, const rlk_renewal_lock *lock)
{
	for (int i = 0; i < lock->server_count; i++) {
		if (!rlk_servers_is_known(renewal, &lock->known[i]))
			return false;
	}
	return true;
}

/* What the resolver says of a server or a seed. */
typedef struct {
	bool wanted, done, found;
	bool late; /* there may be an answer later */
	rlk_query *query;
	rlk_addresses addresses;
	rlk_error err; /* if they were not found */
} rlk_lookup;

/* Has the lock servers that are neither known nor resolved yet? Then *lookups says which; it is allocated if it is NULL, and
 * stays NULL without memory. */
bool rlk_servers_want_addresses(const rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_lookup **lookups);

/* Resolves the names in *lookups, several at the same time; the caller does not hold the mutex. true: some answers are late. Once
 * their servers are entered, the caller calls rlk_servers_resolve_later(), which has them passed to the child. */
bool rlk_servers_resolve(const rlk_renewal_lock *lock, rlk_lookup *lookups);
void rlk_servers_resolve_later(rlk_renewal *renewal);

/* Enters the servers of a lock that are not known yet. Of a quorum it takes those whose names can be resolved. false: there
 * is none, see *err. */
bool rlk_servers_enter(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_lookup *lookups, rlk_error *err);

/* Loads the certificates for a lock that is about to be acquired, if they were last loaded a second before this request. */
void rlk_servers_refresh_certificates(rlk_renewal *renewal, const rlk_renewal_lock *lock);

/* At the end of an area: releases what the servers refer to. */
void rlk_servers_release(rlk_renewal *renewal);

#endif
