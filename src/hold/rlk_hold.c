/*
 * rlk_hold: the state of one lock. The events are in rlk_hold_acquire.c, rlk_hold_ask.c and rlk_hold_end.c.
 */
#include "hold/rlk_hold.h"

#include "base/rlk_list.h"
#include "net/rlk_address.h"

#include <stddef.h>

/* --- validity and loss ---------------------------------------------------------------------------- */

int64_t rlk_hold_valid_until(rlk_hold *hold)
{
	if (hold->state != RLK_HOLD_HELD || !hold->lock.held || rlk_hold_is_foreign(hold))
		return 0;
	if (hold->slot != RLK_SLOT_NONE)
		return rlk_renewal_valid_until(hold->host->renewal, hold->slot);
	rlk_lock_collect(&hold->lock);
	return hold->lock.valid_until_ms;
}

int64_t rlk_hold_remaining_ms(rlk_hold *hold)
{
	int64_t until_ms = rlk_hold_valid_until(hold), now_ms;

	if (until_ms == 0 || until_ms == RLK_NEVER)
		return until_ms;
	now_ms = rlk_clock_now_ms() + 1; /* the clock rounds down; too early is safe */
	return until_ms > now_ms ? until_ms - now_ms : 0;
}

/* From here on the child sends no signal, and releases at once what may be left on the servers, after the requests that only this
 * process's connections can undo; a token given by the caller is released by its holder. */
static void lose(rlk_hold *hold, rlk_lost_reason reason)
{
	hold->reason = rlk_renewal_note_loss(hold->host->renewal, hold->slot, reason); /* the child's reason goes first */
	hold->host->calls->lost(hold, hold->reason);
	hold->state = RLK_HOLD_LOST;
	if (rlk_lost_has_leftovers(hold->reason, hold->at->servers.quorum != NULL))
		rlk_lock_release_leftovers(&hold->lock, &hold->at->servers);
}

rlk_lost_reason rlk_hold_note_loss(rlk_hold *hold)
{
	if (hold->state == RLK_HOLD_LOST)
		return hold->reason;
	if (hold->state != RLK_HOLD_HELD || hold->slot == RLK_SLOT_NONE || hold->user != NULL || rlk_hold_is_foreign(hold))
		return RLK_LOST_NOT;
	hold->reason = rlk_renewal_why_lost(hold->host->renewal, hold->slot);
	/* The key was deleted here, which the child does not know yet. */
	if (hold->reason == RLK_LOST_NOT && !hold->lock.held)
		hold->reason = RLK_LOST_NOT_OURS;
	if (hold->reason != RLK_LOST_NOT)
		lose(hold, hold->reason);
	return hold->reason;
}

bool rlk_hold_has_loss_to_tell(const rlk_hold *hold)
{
	return hold->state == RLK_HOLD_HELD && hold->slot != RLK_SLOT_NONE && hold->user == NULL &&
		!rlk_hold_is_foreign(hold) && rlk_renewal_why_lost(hold->host->renewal, hold->slot) != RLK_LOST_NOT;
}

/* --- what an answer makes of it ------------------------------------------------------------------- */

#define STAYS RLK_HOLD_STAYS
#define RESET RLK_HOLD_IS_RESET
#define CHILD RLK_HOLD_TO_CHILD
#define LOST RLK_HOLD_IS_OVER
#define EXPIRED RLK_HOLD_EXPIRES

/* clang-format off */
const struct rlk_hold_answers rlk_hold_answers[] = {
	/*                         process-bound:                     a lease:
	 *                           yes    no     unknown fails      yes    no     unknown  fails */
	[RLK_ASKED_TO_ACQUIRE] = { { STAYS, RESET, CHILD,  RESET }, { STAYS, RESET, RESET,   RESET } },
	[RLK_ASKED_TO_KEEP]    = { { STAYS, LOST,  STAYS,  STAYS }, { STAYS, LOST,  STAYS,   STAYS } },
	[RLK_ASKED_TO_RELEASE] = { { RESET, RESET, CHILD,  CHILD }, { RESET, RESET, STAYS,   STAYS } },
	[RLK_ASKED_TO_FREE]    = { { RESET, RESET, CHILD,  CHILD }, { RESET, RESET, EXPIRED, STAYS } },
};
/* clang-format on */

void rlk_hold_become(rlk_hold *hold, rlk_hold_next next)
{
	if (rlk_hold_is_foreign(hold)) { /* forked while it waited */
		if (hold->state == RLK_HOLD_WAITING)
			rlk_hold_reset(hold);
	} else if (next == RLK_HOLD_TO_CHILD) {
		rlk_hold_leave_to_child(hold, false);
	} else if (next == RLK_HOLD_IS_OVER && hold->slot != RLK_SLOT_NONE) {
		lose(hold, RLK_LOST_NOT_OURS);
	} else if (next == RLK_HOLD_IS_OVER) {
		if (hold->state == RLK_HOLD_HELD)
			hold->host->calls->lost(hold, RLK_LOST_NOT_OURS);
		rlk_hold_reset(hold);
	} else if (next == RLK_HOLD_EXPIRES) {
		hold->lock.valid_until_ms = 0;
	}
}

/* --- lists, and the way back to IDLE -------------------------------------------------------------- */

void rlk_hold_list(rlk_hold *hold)
{
	rlk_hold **list = hold->state == RLK_HOLD_WAITING ? &hold->host->arriving : &hold->host->held;

	rlk_hold_unlist(hold);
	hold->request_owns = hold->host->in_request;
	hold->by_side_call = hold->host->in_side_call;
	hold->listed_as = ++hold->host->listed;
	RLK_LIST_ADD(list, hold);
}

void rlk_hold_unlist(rlk_hold *hold)
{
	if (hold->link == NULL)
		return;
	RLK_LIST_REMOVE(hold);
	hold->link = NULL;
}

void rlk_hold_reset(rlk_hold *hold)
{
	rlk_hold_unlist(hold);
	if (hold->slot != RLK_SLOT_NONE && !rlk_hold_is_foreign(hold)) {
		if (rlk_renewal_has_counted(hold->host->renewal, hold->slot))
			hold->host->calls->fetch_renewals(hold);
		rlk_renewal_disarm(hold->host->renewal, hold->slot);
	}
	hold->slot = RLK_SLOT_NONE;
	hold->owner_pid = 0;
	hold->state = RLK_HOLD_IDLE;
	rlk_lock_forget(&hold->lock);
}

void rlk_hold_leave_to_child(rlk_hold *hold, bool nobody)
{
	if (!hold->lock.token.from_caller || nobody) {
		hold->host->calls->fetch_renewals(hold);
		rlk_renewal_leave_to_child(hold->host->renewal, hold->slot);
		hold->slot = RLK_SLOT_NONE;
	}
	rlk_hold_reset(hold);
}

/* --- operations in the host's loop ---------------------------------------------------------------- */

static rlk_hold *hold_of(const rlk_use *use)
{
	return (rlk_hold *)((char *)use->lock - offsetof(rlk_hold, lock));
}

const rlk_servers *rlk_hold_check_out(rlk_hold *hold, rlk_use *use, bool exclusive, rlk_deadline deadline)
{
	rlk_host *host = hold->host;
	const rlk_servers *servers;

	/* First: asking a Cluster where the key is may wait. */
	hold->refcount++;
	if (exclusive)
		hold->user = use;
	servers =
		rlk_use_check_out(use, &host->uses, &hold->at->servers, &hold->lock, exclusive, deadline, &host->calls->loop);
	if (servers == NULL)
		host->calls->run_out();
	return servers;
}

void rlk_hold_check_in(rlk_use *use)
{
	rlk_hold *hold = hold_of(use);

	rlk_use_give_back(use);
	if (hold->user == use) {
		hold->user = NULL;
		if (rlk_hold_has_loss_to_tell(hold))
			hold->host->calls->tell_losses();
	}
	rlk_hold_drop(hold);
}

/* The release of a SET under way is behind it, on the same connection: a release by the child might overtake the SET.
 * The child alone releases a lock that is held already and waits for its replicas. */
static void forget_use(rlk_use *use)
{
	rlk_hold *hold = hold_of(use);
	bool waits = hold->state == RLK_HOLD_WAITING, by_child = hold->slot != RLK_SLOT_NONE;

	rlk_use_forget(use, waits && !(by_child && hold->lock.held));
	if (waits)
		rlk_hold_take_answer(hold, RLK_ASKED_TO_ACQUIRE, RLK_UNKNOWN);
	hold->user = NULL;
	/* Drops the references of calls that have borrowed the hold, which never go on either. */
	hold->refcount -= hold->borrowed;
	hold->borrowed = 0;
	rlk_hold_drop(hold);
}

void rlk_host_forget_uses(rlk_host *host)
{
	while (host->uses != NULL)
		forget_use(host->uses);
	rlk_address_forget_suspended();
}
