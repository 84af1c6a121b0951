/*
 * rlk_hold_ask: extends, confirms, up- and downgrades, and detaches a lock that is held or restored.
 */
#include "hold/rlk_hold.h"

/* Is there a token to ask the server about? */
static bool may_ask(rlk_hold *hold)
{
	return (hold->state == RLK_HOLD_HELD || hold->state == RLK_HOLD_RESTORED) && !rlk_hold_is_foreign(hold) &&
		rlk_hold_note_loss(hold) == RLK_LOST_NOT;
}

/* May a release that was not answered still run? Then *err says so: only another release ends that state. */
static bool release_may_run(const rlk_hold *hold, rlk_error *err)
{
	if (!hold->lock.ledger.release)
		return false;
	rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "an earlier release of this lock may still be under way");
	return true;
}

/* Ends each of the operations below. `ttl_ms`: of a restored lock, which is held from now on. */
static rlk_outcome conclude(rlk_hold *hold, rlk_use *use, const rlk_servers *servers, rlk_deadline deadline,
	rlk_outcome outcome, int64_t ttl_ms, rlk_error *err)
{
	bool adopts = outcome == RLK_YES && hold->state == RLK_HOLD_RESTORED;

	rlk_hold_take_answer(hold, RLK_ASKED_TO_KEEP, outcome);
	if (adopts)
		outcome = rlk_hold_adopt(hold, servers, deadline, ttl_ms, err);
	rlk_hold_finish(use);
	if (adopts && outcome == RLK_YES)
		return outcome;
	if (rlk_hold_is_foreign(hold)) /* forked while it waited */
		return RLK_NO;
	/* A yes comes too late if the lock was lost meanwhile, and is being released; or has ended with its run. */
	if (outcome == RLK_YES && (rlk_hold_note_loss(hold) != RLK_LOST_NOT || hold->state != RLK_HOLD_HELD))
		return RLK_NO;
	return outcome;
}

rlk_outcome rlk_hold_extend(rlk_hold *hold, rlk_deadline deadline, int64_t ttl_ms, rlk_error *err)
{
	rlk_renewal *renewal = hold->host->renewal;
	const rlk_servers *servers;
	int64_t before_ms = 0;
	rlk_outcome outcome;
	rlk_use use;

	if (!may_ask(hold))
		return RLK_NO;
	if (release_may_run(hold, err))
		return RLK_FAIL;
	servers = rlk_hold_begin(hold, &use, true, deadline);
	/* The child may renew at the same time, so the validity is written only if it is still the one that was read. */
	if (hold->slot != RLK_SLOT_NONE)
		hold->lock.valid_until_ms = before_ms =
			rlk_renewal_before_extend(renewal, hold->slot, rlk_ledger_least_ttl_ms(&hold->lock.ledger, ttl_ms));
	outcome = rlk_lock_extend(&hold->lock, servers, deadline, ttl_ms, &hold->replicas, err);
	if (outcome != RLK_NO && hold->slot != RLK_SLOT_NONE && !rlk_hold_is_foreign(hold))
		rlk_renewal_after_extend(renewal, hold->slot, before_ms, hold->lock.valid_until_ms);
	return conclude(hold, &use, servers, deadline, outcome, ttl_ms, err);
}

rlk_outcome rlk_hold_confirm(rlk_hold *hold, int64_t ttl_ms, rlk_error *err)
{
	const rlk_servers *servers;
	rlk_outcome outcome;
	rlk_use use;

	if (!may_ask(hold))
		return RLK_NO;
	servers = rlk_hold_begin(hold, &use, true, RLK_DEADLINE_NONE);
	outcome = rlk_lock_confirm(&hold->lock, servers, RLK_DEADLINE_NONE, &hold->replicas, err);
	if (outcome == RLK_YES && release_may_run(hold, err)) {
		hold->lock.valid_until_ms = 0;
		outcome = RLK_FAIL;
	}
	return conclude(hold, &use, servers, RLK_DEADLINE_NONE, outcome, ttl_ms, err);
}

rlk_outcome rlk_hold_upgrade(rlk_hold *hold, rlk_error *err)
{
	rlk_outcome outcome;
	rlk_use use;

	outcome =
		rlk_lock_upgrade(&hold->lock, rlk_hold_begin(hold, &use, true, RLK_DEADLINE_NONE), RLK_DEADLINE_NONE, err);
	rlk_hold_finish(&use);
	/* Forked while it waited; or it has ended with its run. */
	return rlk_hold_is_foreign(hold) || hold->state != RLK_HOLD_HELD ? RLK_NO : outcome;
}

rlk_outcome rlk_hold_downgrade(rlk_hold *hold, rlk_error *err)
{
	const rlk_servers *servers;
	rlk_outcome outcome;
	rlk_use use;

	if (!may_ask(hold))
		return RLK_NO;
	/* Called before the request is sent: from now on the child accepts the lock as it was and as it becomes. */
	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_set_kind(hold->host->renewal, hold->slot, RLK_SHARED);
	servers = rlk_hold_begin(hold, &use, true, RLK_DEADLINE_NONE);
	outcome = rlk_lock_downgrade(&hold->lock, servers, RLK_DEADLINE_NONE, err);
	if (outcome == RLK_FAIL && hold->slot != RLK_SLOT_NONE && !rlk_hold_is_foreign(hold))
		rlk_renewal_set_kind(hold->host->renewal, hold->slot, hold->lock.kind.id);
	return conclude(hold, &use, servers, RLK_DEADLINE_NONE, outcome, 0, err);
}

/* Does the key still have the short ttl of a woken waiter (rlk_wait.h)? max_hold may end the slot before that ttl. */
static bool is_provisional(const rlk_hold *hold)
{
	return hold->lock.extension.due_at_ms > 0 &&
		(hold->slot == RLK_SLOT_NONE ||
			rlk_renewal_valid_until(hold->host->renewal, hold->slot) <= hold->lock.valid_until_ms);
}

rlk_outcome rlk_hold_detach(rlk_hold *hold, rlk_error *err)
{
	/* Done before the slot is closed: if it fails, nothing has changed. */
	rlk_outcome outcome =
		is_provisional(hold) ? rlk_hold_extend(hold, RLK_DEADLINE_NONE, hold->lock.ttl_ms, err) : RLK_YES;

	return outcome == RLK_YES ? rlk_hold_end(hold, RLK_END_DETACHED, err) : outcome;
}
