/*
 * rlk_idleness: may the worker end by itself, and when? One word in the shared area, and all transitions of it.
 *
 *              begin               allow_end              end
 *     NEEDED ---------> RESERVED ============> a point ---------> OVER
 *       ^                  |     <============ in time              |
 *       |                  |       reserve        |                 |
 *       +------------------+----------------------+-----------------+
 *                                  resume
 *
 *     NEEDED            locks may need the worker at any moment
 *     RESERVED          no lock does, but a request is under way, whose sleep the worker's end would cut short
 *     a point in time   between requests: the worker ends then
 *     OVER              it has ended, or is about to
 *
 * The worker calls `end`, the parent all others. The side that changes the word first decides: the worker ends only after it has
 * changed the word to OVER, and the parent uses the worker for a lock only after it has changed the word to NEEDED. Neither side
 * needs a system call for that.
 */
#ifndef RLK_IDLENESS_H
#define RLK_IDLENESS_H

#include "base/rlk_os.h"

#include <stdatomic.h>

#define RLK_IDLENESS_NEEDED 0
#define RLK_IDLENESS_OVER (-1)
#define RLK_IDLENESS_RESERVED RLK_NEVER

typedef _Atomic int64_t rlk_idleness;

/* The last lock has ended. */
static inline void rlk_idleness_begin(rlk_idleness *idleness)
{
	atomic_store(idleness, RLK_IDLENESS_RESERVED);
}

/* The request has ended: the worker may end at this point in time. false: the worker is not RESERVED. */
static inline bool rlk_idleness_allow_end(rlk_idleness *idleness, int64_t at_ms)
{
	int64_t reserved = RLK_IDLENESS_RESERVED;

	return atomic_compare_exchange_strong(idleness, &reserved, at_ms);
}

/* A request begins. false: the worker is over. */
static inline bool rlk_idleness_reserve(rlk_idleness *idleness)
{
	int64_t at_ms = atomic_load(idleness);

	while (at_ms > 0 && !atomic_compare_exchange_strong(idleness, &at_ms, RLK_IDLENESS_RESERVED))
		;
	return at_ms != RLK_IDLENESS_OVER;
}

/* The worker's time is over. false: not yet, or it is needed. */
static inline bool rlk_idleness_end(rlk_idleness *idleness, int64_t now_ms)
{
	int64_t at_ms = atomic_load(idleness);

	return at_ms > 0 && now_ms >= at_ms && atomic_compare_exchange_strong(idleness, &at_ms, RLK_IDLENESS_OVER);
}

/* A lock needs the worker. false: the worker is over. */
static inline bool rlk_idleness_resume(rlk_idleness *idleness)
{
	return atomic_exchange(idleness, RLK_IDLENESS_NEEDED) != RLK_IDLENESS_OVER;
}

#endif
