/*
 * rlk_renewal_own: the servers that a renewal child is told of: where they are, what to say to them, their certificates.
 *
 * All of it under the mutex of rlk_renewal.
 */
#ifndef RLK_RENEWAL_OWN_H
#define RLK_RENEWAL_OWN_H

#include "renew/rlk_renewal.h"

/* Has the area of now a description of this server? */
bool rlk_peers_is_known(const rlk_renewal *renewal, const rlk_renewal_peer *peer);

/* Is there no room for all that the lock may need, although some places are needed by nobody? They are noted in `idle`. */
bool rlk_peers_are_full(rlk_renewal *renewal, const rlk_renewal_lock *lock, bool idle[RLK_PEERS_MAX]);

/* Forgets those, which no worker must look at any more. */
void rlk_peers_drop(rlk_renewal *renewal, const bool idle[RLK_PEERS_MAX]);

/* Enters the servers of a lock that are not known yet. Of several it takes those whose name means something: a quorum can
 * do without the others. false: there is none, see *err. */
bool rlk_peers_find(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err);

/* Asks the resolver for what the child wants to know. */
void rlk_peers_resolve(rlk_renewal *renewal);

/* An unreachable server may refuse us since our certificate has expired, and the new one be there already: loads it, and
 * those of guides that have the same. true: the worker that runs has not got them. */
bool rlk_peers_look_for_certificates(rlk_renewal *renewal, const rlk_renewal_peer *known, const rlk_endpoint *endpoint);

/* Gives back what the descriptions refer to, at the end of an area. */
void rlk_peers_release(rlk_renewal *renewal);

#endif
