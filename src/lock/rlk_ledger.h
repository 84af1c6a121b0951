/*
 * rlk_ledger: what may still run of what was sent with a token, and was not answered.
 *
 * The server executes such a request at any time, or never, and tells nobody. Whoever has sent one enters what it may do; of several
 * entries of a kind the worst is kept. A request to several servers is answered when each of them that it was sent to has answered.
 *
 *     it may     for example                        so
 *     set        SET, and the server is replaced    the token is released before another try
 *     release    release(), then isAcquired()       nobody relies on the lock, which is only released again
 *                ... whose fiber never goes on      the next release, which finds no lock, says yes
 *     shorten    keepAlive(1), then keepAlive(60)   the lock is relied upon for 1 s: rule 3 of the model
 *     downgrade  downgrade(), then upgrade()        there is no upgrade before the next acquisition
 *
 * A fresh token finds the ledger empty: a late request finds no key of it. A caller's token may be given again, and is spent until
 * whatever such a request leaves is over.
 */
#ifndef RLK_LEDGER_H
#define RLK_LEDGER_H

#include "base/rlk_error.h"
#include "base/rlk_os.h"

/* Empty when all zero. */
typedef struct {
	bool set, release, downgrade;
	bool release_unread;    /* one was sent while the lock was valid, and nobody reads the answer */
	uint32_t servers;       /* of several: those that have the key or may set it, a bit each; 0: perhaps all */
	int64_t least_ttl_ms;   /* shorten: to this; 0: nothing may */
	int64_t spent_until_ms; /* no acquisition with the token before then */
} rlk_ledger;

/* The next acquisition begins, or another lock is restored. `same`: with the same token, which only a caller can give. */
static inline void rlk_ledger_begin(rlk_ledger *ledger, bool same)
{
	*ledger = same ? (rlk_ledger){ .least_ttl_ms = ledger->least_ttl_ms, .spent_until_ms = ledger->spent_until_ms } :
					 (rlk_ledger){ 0 };
}

/* May an acquisition with this token begin? false: see *err. */
bool rlk_ledger_may_acquire(const rlk_ledger *ledger, rlk_error *err);

/* What may leave this ttl behind, or end a later acquisition, was not answered. 0: it has none. */
void rlk_ledger_spend(rlk_ledger *ledger, int64_t ttl_ms);

/* How long may the holder rely on a lock with this ttl? 0: without an end. */
static inline int64_t rlk_ledger_least_ttl_ms(const rlk_ledger *ledger, int64_t ttl_ms)
{
	bool shorter = ttl_ms > 0 && ttl_ms < ledger->least_ttl_ms;

	return ledger->least_ttl_ms == 0 || shorter ? ttl_ms : ledger->least_ttl_ms;
}

/* An extension to this ttl, which may be shorter than what the key has, was not answered. */
static inline void rlk_ledger_note_shorter(rlk_ledger *ledger, int64_t ttl_ms)
{
	ledger->least_ttl_ms = rlk_ledger_least_ttl_ms(ledger, ttl_ms);
}

#endif
