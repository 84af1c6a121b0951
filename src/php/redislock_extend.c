/*
 * redislock_extend: what is asked about a lock that is held or restored: extended, confirmed, shared or not, detached.
 */
#include "php/redislock_hold.h"

#include "php/redislock_errors.h"
#include "php/redislock_renewal.h"

/* Is there a token to ask the server about? */
static bool may_ask(redislock_hold *hold)
{
	return (hold->state == REDISLOCK_HELD || hold->state == REDISLOCK_RESTORED) && !redislock_hold_is_foreign(hold) &&
		redislock_hold_check_lost(hold) == RLK_LOST_NOT;
}

/* The server says it is not ours. A process-bound lock stays listed as lost, so that code under it is told. */
static void not_ours(redislock_hold *hold)
{
	if (hold->slot != RLK_SLOT_NONE) {
		redislock_hold_lose(hold, RLK_LOST_NOT_OURS);
		return;
	}
	if (hold->state == REDISLOCK_HELD)
		redislock_stats_note_lost(hold);
	redislock_hold_reset(hold);
}

/* Fails while an unanswered release may still reach the server: another release settles it. */
static bool is_leaving(const redislock_hold *hold, rlk_error *err)
{
	if (!hold->lock.release_unanswered)
		return false;
	rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "an earlier release of this lock may still be under way");
	return true;
}

/* The end of what follows. `ttl_ms`: of a restored lock, which is held from now on. */
static rlk_outcome conclude(redislock_hold *hold, rlk_use *use, const rlk_servers *servers, rlk_outcome outcome,
	int64_t ttl_ms, rlk_error *err)
{
	bool adopts = outcome == RLK_YES && hold->state == REDISLOCK_RESTORED;

	if (outcome == RLK_NO && !redislock_hold_is_foreign(hold))
		not_ours(hold);
	if (adopts)
		outcome = redislock_adopt(hold, servers, ttl_ms, err);
	redislock_use_end(use);
	if (adopts && outcome == RLK_YES)
		return outcome;
	if (redislock_hold_is_foreign(hold)) /* forked while it waited */
		return RLK_NO;
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		redislock_hold_throw(hold, err);
	/* A yes comes too late if the lock was lost meanwhile: it is being released. */
	return outcome == RLK_YES && redislock_hold_check_lost(hold) != RLK_LOST_NOT ? RLK_NO : outcome;
}

rlk_outcome redislock_extend(redislock_hold *hold, int64_t ttl_ms)
{
	const rlk_servers *servers;
	int64_t before_ms = 0;
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	if (!may_ask(hold))
		return RLK_NO;
	rlk_error_clear(&err);
	if (is_leaving(hold, &err)) {
		redislock_hold_throw(hold, &err);
		return RLK_FAIL;
	}
	servers = redislock_use_begin(&use, hold, true);
	rlk_lock_note_unanswered(&hold->lock, servers);
	if (hold->slot != RLK_SLOT_NONE)
		hold->lock.valid_until_ms = before_ms =
			rlk_renewal_before_extend(&redislock_renewal, hold->slot, rlk_lock_least_ttl_ms(&hold->lock, ttl_ms));
	outcome = rlk_lock_extend(&hold->lock, servers, ttl_ms, &hold->replicas, &err);
	if (outcome != RLK_NO && hold->slot != RLK_SLOT_NONE && !redislock_hold_is_foreign(hold))
		rlk_renewal_after_extend(&redislock_renewal, hold->slot, before_ms, hold->lock.valid_until_ms);
	return conclude(hold, &use, servers, outcome, ttl_ms, &err);
}

rlk_outcome redislock_confirm(redislock_hold *hold)
{
	const rlk_servers *servers;
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	if (!may_ask(hold))
		return RLK_NO;
	rlk_error_clear(&err);
	servers = redislock_use_begin(&use, hold, true);
	rlk_lock_note_unanswered(&hold->lock, servers);
	outcome = rlk_lock_confirm(&hold->lock, servers, &hold->replicas, &err);
	if (outcome == RLK_YES && is_leaving(hold, &err)) {
		hold->lock.valid_until_ms = 0;
		outcome = RLK_FAIL;
	}
	return conclude(hold, &use, servers, outcome, hold->client->config.ttl_ms, &err);
}

rlk_outcome redislock_upgrade(redislock_hold *hold)
{
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	rlk_error_clear(&err);
	outcome = rlk_lock_upgrade(&hold->lock, redislock_use_begin(&use, hold, true), &err);
	redislock_use_end(&use);
	if (redislock_hold_is_foreign(hold)) /* forked while it waited */
		return RLK_NO;
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		redislock_hold_throw(hold, &err);
	return outcome;
}

rlk_outcome redislock_downgrade(redislock_hold *hold)
{
	const rlk_servers *servers;
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	if (!may_ask(hold))
		return RLK_NO;
	rlk_error_clear(&err);
	/* Before it is sent: whatever the child says from now on finds the lock as what it was and as what it becomes. */
	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_share(&redislock_renewal, hold->slot);
	servers = redislock_use_begin(&use, hold, true);
	outcome = rlk_lock_downgrade(&hold->lock, servers, &err);
	return conclude(hold, &use, servers, outcome, 0, &err);
}

/* Has the key still the short ttl of a woken waiter (rlk_wait.h)? max_hold may end the slot before that ttl. */
static bool is_provisional(const redislock_hold *hold)
{
	return hold->lock.extension.due_at_ms > 0 &&
		(hold->slot == RLK_SLOT_NONE ||
			rlk_renewal_valid_until(&redislock_renewal, hold->slot) <= hold->lock.valid_until_ms);
}

bool redislock_detach(redislock_hold *hold)
{
	rlk_outcome outcome = RLK_YES;

	/* Before the slot is closed: if this fails, nothing has changed. */
	if (is_provisional(hold))
		outcome = redislock_extend(hold, hold->lock.ttl_ms);
	if (outcome == RLK_YES)
		outcome = redislock_end(hold, REDISLOCK_END_DETACHED, NULL);
	if (outcome == RLK_NO)
		redislock_throw_lost(hold->name, hold->state == REDISLOCK_LOST ? hold->reason : RLK_LOST_NOT_OURS, NULL);
	return outcome == RLK_YES;
}
