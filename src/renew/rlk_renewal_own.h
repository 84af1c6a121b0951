/*
 * rlk_renewal_own: the servers that a renewal child is told of: where they are, what to say to them, their certificates.
 *
 * All of it under the mutex of rlk_renewal, except where the resolver is asked: that may take seconds, and other threads
 * have locks to release meanwhile.
 */
#ifndef RLK_RENEWAL_OWN_H
#define RLK_RENEWAL_OWN_H

#include "renew/rlk_renewal.h"

/* Has the area of now a description of this server? */
static inline bool rlk_servers_is_known(const rlk_renewal *renewal, const rlk_renewal_server *known)
{
	return known->number != 0 && !known->doubted && known->number == renewal->slots.server_number[known->index];
}

/* And of all servers of the lock? */
static inline bool rlk_servers_are_known(const rlk_renewal *renewal, const rlk_renewal_lock *lock)
{
	for (int i = 0; i < lock->server_count; i++) {
		if (!rlk_servers_is_known(renewal, &lock->known[i]))
			return false;
	}
	return true;
}

/* After a rest: doubts those of its servers whose names were resolved a while ago. The child has not looked at them since. */
void rlk_servers_doubt_names(const rlk_renewal *renewal, const rlk_renewal_lock *lock);

/* What the resolver says of a server or a seed. */
typedef struct {
	bool wanted, done, found;
	rlk_addresses addresses;
	rlk_error err; /* where they were not found */
} rlk_lookup;

/* Does the lock have servers that are not known, nor looked up? Then *lookups says so, made if it is NULL; without memory
 * for that it stays NULL. */
bool rlk_servers_want_addresses(const rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_lookup **lookups);

/* Not under the mutex: asks the resolver for them. */
void rlk_servers_resolve(const rlk_renewal_lock *lock, rlk_lookup *lookups);

/* Is there no room for all that the lock may need, although some places are needed by nobody? They are noted in `idle`. */
bool rlk_servers_are_full(rlk_renewal *renewal, const rlk_renewal_lock *lock, bool idle[RLK_AREA_SERVERS_MAX]);

/* Forgets those, which no worker must look at any more. */
void rlk_servers_drop(rlk_renewal *renewal, const bool idle[RLK_AREA_SERVERS_MAX]);

/* Enters the servers of a lock that are not known yet. Of several it takes those whose name means something: a quorum can
 * do without the others. false: there is none, see *err. */
bool rlk_servers_find(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_lookup *lookups, rlk_error *err);

/* What the child asks about a server. Zero: none so far. */
typedef struct {
	uint32_t next; /* the server after this one */
	uint64_t number;
	char host[RLK_HOST_MAX];
	uint16_t port;
	int64_t until_ms;
} rlk_question;

/* The next question that the resolver has to be asked. false: there is none. */
bool rlk_servers_question(rlk_renewal *renewal, rlk_question *question);

/* NULL: the resolver knows of no addresses. */
void rlk_servers_answer(rlk_renewal *renewal, const rlk_question *question, const rlk_addresses *found);

/* An unreachable server may refuse us since our certificate has expired, and the new one be there already: loads it, and
 * those of seeds that have the same. true: the worker that runs has not got them. */
bool rlk_servers_reload_certificates(rlk_renewal *renewal, const rlk_renewal_server *known, const rlk_server *server);

/* The same after a rest, for the servers of a lock that is about to be acquired, whatever the child says of them: it may
 * have been idle when their certificates changed. Not more often than once a second. */
void rlk_servers_refresh_certificates(rlk_renewal *renewal, const rlk_renewal_lock *lock);

/* Gives back what the descriptions refer to, at the end of an area. */
void rlk_servers_release(rlk_renewal *renewal);

#endif
