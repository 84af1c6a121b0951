/*
 * redislock_extend: see the header.
 */
#include "php/redislock_extend.h"

#include "php/redislock_acquire.h"
#include "php/redislock_errors.h"
#include "php/redislock_renewal.h"

/* Has it a token that the server may be asked about? */
static bool may_ask(redislock_hold *hold)
{
	return (hold->state == REDISLOCK_HELD || hold->state == REDISLOCK_RESTORED) && !redislock_hold_is_foreign(hold) &&
		redislock_hold_check_lost(hold) == RLK_LOST_NOT;
}

/* The server says it is not ours. A process-bound lock stays listed as lost, so that whoever runs under it is told. */
static void not_ours(redislock_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE)
		redislock_hold_reset(hold);
	else
		redislock_hold_lose(hold, RLK_LOST_NOT_OURS);
}

/* A release may still arrive: then it is over when another one says so. */
static bool is_leaving(const redislock_hold *hold, rlk_error *err)
{
	if (!hold->lock.leaving)
		return false;
	rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "an earlier release of this lock may still be under way");
	return true;
}

/* A yes is late when the lock was lost meanwhile: by now it is being released. */
static rlk_outcome unless_lost(redislock_hold *hold, rlk_outcome outcome)
{
	return outcome == RLK_YES && redislock_hold_check_lost(hold) != RLK_LOST_NOT ? RLK_NO : outcome;
}

rlk_outcome redislock_extend(redislock_hold *hold, int64_t ttl_ms)
{
	bool restored = hold->state == REDISLOCK_RESTORED;
	const rlk_servers *servers;
	rlk_outcome outcome;
	rlk_error err;

	if (!may_ask(hold))
		return RLK_NO;
	rlk_error_clear(&err);
	if (is_leaving(hold, &err)) {
		redislock_hold_throw(hold, &err);
		return RLK_FAIL;
	}
	servers = redislock_client_servers(hold->client, &hold->lock);
	rlk_lock_note_unanswered(&hold->lock, servers);
	if (hold->slot != RLK_SLOT_NONE) {
		hold->lock.valid_until_ms = rlk_renewal_valid_until(&redislock_renewal, hold->slot);
		rlk_renewal_before_extend(&redislock_renewal, hold->slot, rlk_lock_least_ttl_ms(&hold->lock, ttl_ms));
	}
	outcome = rlk_lock_extend(&hold->lock, servers, ttl_ms, &err);
	if (outcome == RLK_NO)
		not_ours(hold);
	else if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_after_extend(&redislock_renewal, hold->slot, hold->lock.valid_until_ms);
	if (outcome == RLK_YES && restored)
		return redislock_adopt(hold, ttl_ms);
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		redislock_hold_throw(hold, &err);
	return unless_lost(hold, outcome);
}

rlk_outcome redislock_confirm(redislock_hold *hold)
{
	bool restored = hold->state == REDISLOCK_RESTORED;
	const rlk_servers *servers;
	rlk_outcome outcome;
	rlk_error err;

	if (!may_ask(hold))
		return RLK_NO;
	rlk_error_clear(&err);
	servers = redislock_client_servers(hold->client, &hold->lock);
	rlk_lock_note_unanswered(&hold->lock, servers);
	outcome = rlk_lock_confirm(&hold->lock, servers, &err);
	if (outcome == RLK_YES && is_leaving(hold, &err)) {
		hold->lock.valid_until_ms = 0;
		outcome = RLK_FAIL;
	}
	if (outcome == RLK_NO)
		not_ours(hold);
	else if (outcome == RLK_YES && restored)
		return redislock_adopt(hold, hold->client->config.ttl_ms);
	else if (outcome != RLK_YES)
		redislock_hold_throw(hold, &err);
	return unless_lost(hold, outcome);
}

/* After a wait, as long as neither renewal nor extension is known to have taken place (rlk_wait.h). max_hold may end the
 * slot before the provisional ttl does. */
static bool is_provisional(const redislock_hold *hold)
{
	return hold->lock.extend_at_ms > 0 &&
		(hold->slot == RLK_SLOT_NONE ||
			rlk_renewal_valid_until(&redislock_renewal, hold->slot) <= hold->lock.valid_until_ms);
}

bool redislock_detach(redislock_hold *hold)
{
	rlk_outcome outcome = RLK_YES;

	/* Before the slot is closed: if that cannot be had, the lock stays what it is. */
	if (is_provisional(hold))
		outcome = redislock_extend(hold, hold->lock.ttl_ms);
	if (outcome == RLK_YES && hold->slot != RLK_SLOT_NONE && !rlk_renewal_close(&redislock_renewal, hold->slot)) {
		redislock_hold_check_lost(hold);
		outcome = RLK_NO;
	}
	if (outcome == RLK_NO)
		redislock_throw_lost(hold->name, hold->state == REDISLOCK_LOST ? hold->reason : RLK_LOST_NOT_OURS, NULL);
	if (outcome == RLK_YES)
		redislock_hold_reset(hold);
	return outcome == RLK_YES;
}
