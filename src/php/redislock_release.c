/*
 * redislock_release: how a lock ends: released, lost, or with its object or request.
 *
 * Order matters: the renewal slot is closed before the release is written.
 * Otherwise a renewal right behind the release would report a loss.
 */
#include "php/redislock_hold.h"

#include "php/redislock_renewal.h"

#include <zend_exceptions.h>

static void leave_to_child(redislock_hold *hold)
{
	rlk_renewal_leave_release(&redislock_renewal, hold->slot);
	hold->slot = RLK_SLOT_NONE;
	redislock_hold_reset(hold);
}

void redislock_release_unanswered(redislock_hold *hold)
{
	if (hold->lock.given)
		redislock_hold_reset(hold);
	else
		leave_to_child(hold);
}

static inline rlk_outcome send_release(redislock_hold *hold, int64_t rest_until_ms, rlk_error *err)
{
	return rlk_lock_release(&hold->lock, redislock_client_servers(hold->client, &hold->lock), rest_until_ms, err);
}

void redislock_release_lost(redislock_hold *hold)
{
	if (hold->reason == RLK_LOST_CHILD) {
		rlk_renewal_close(&redislock_renewal, hold->slot);
		send_release(hold, 0, NULL); /* no child to do it */
	} else if (rlk_lost_leaves_keys(hold->reason, hold->client->quorum != NULL)) {
		rlk_lock_leave_lost(&hold->lock, &hold->client->servers);
		redislock_release_unanswered(hold);
		return;
	}
	redislock_hold_reset(hold);
}

/* After the slot was closed and the release had this outcome. */
static void end(redislock_hold *hold, rlk_outcome outcome)
{
	if (outcome == RLK_YES || outcome == RLK_NO)
		redislock_hold_reset(hold);
	else if (hold->slot != RLK_SLOT_NONE)
		redislock_release_unanswered(hold);
}

/* Closes the slot. false: the lock was lost. */
static bool stop_renewal(redislock_hold *hold)
{
	if (redislock_hold_check_lost(hold) == RLK_LOST_NOT) {
		hold->lock.valid_until_ms = rlk_renewal_valid_until(&redislock_renewal, hold->slot);
		if (rlk_renewal_close(&redislock_renewal, hold->slot))
			return true;
		redislock_hold_check_lost(hold);
	}
	redislock_release_lost(hold);
	return false;
}

rlk_outcome redislock_release_unthrown(redislock_hold *hold, bool *asked, rlk_error *err)
{
	int64_t rest_until_ms = 0;
	rlk_outcome outcome;

	*asked = false;
	if (redislock_hold_is_foreign(hold)) {
		redislock_hold_reset(hold);
		return RLK_NO;
	}
	if (hold->state == REDISLOCK_IDLE || hold->state == REDISLOCK_WAITING)
		return RLK_NO;
	if (hold->slot != RLK_SLOT_NONE && !stop_renewal(hold))
		return RLK_NO;
	*asked = true;
	if (hold->hold_at_least_ms > 0 && hold->lock.acquired_at_ms > 0)
		rest_until_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->hold_at_least_ms);
	outcome = send_release(hold, rest_until_ms, err);
	if (outcome == RLK_NO && hold->slot != RLK_SLOT_NONE)
		hold->reason = RLK_LOST_NOT_OURS;
	end(hold, outcome);
	return outcome;
}

rlk_outcome redislock_release(redislock_hold *hold)
{
	rlk_outcome outcome;
	rlk_error err;
	bool asked;

	rlk_error_clear(&err);
	outcome = redislock_release_unthrown(hold, &asked, &err);
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		redislock_hold_throw(hold, &err);
	else if (outcome == RLK_NO && asked)
		redislock_hold_throw_if_no_lock(hold);
	return outcome;
}

rlk_outcome redislock_release_by_force(redislock_hold *hold, bool own)
{
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	if (own && hold->slot != RLK_SLOT_NONE)
		rlk_renewal_close(&redislock_renewal, hold->slot);
	outcome = rlk_lock_force_release(&hold->lock, redislock_client_servers(hold->client, &hold->lock), &err);
	if (own)
		end(hold, outcome);
	if (own && outcome == RLK_UNKNOWN)
		hold->lock.valid_until_ms = 0; /* somebody else may have it */
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		redislock_hold_throw(hold, &err);
	return outcome;
}

bool redislock_request_ends(void)
{
	return (EG(flags) & EG_FLAGS_IN_SHUTDOWN) != 0 || RLG(bailed_out) ||
		(EG(exception) != NULL && zend_is_unwind_exit(EG(exception)));
}

/* No request of this client takes longer; 0: than its own time limits. */
static void limit_time(redislock_client *client, int64_t limit_ms)
{
	int64_t limit_at_ms = limit_ms > 0 ? rlk_clock_now_ms() + limit_ms : 0;

	client->conn.limit_at_ms = limit_at_ms;
	if (client->quorum != NULL)
		client->quorum->limit_at_ms = limit_at_ms;
	if (client->topology != NULL)
		rlk_topology_limit_time(client->topology, (int)limit_ms);
}

/* Leaves the lock to the renewal child without asking. false: it is lost, or the child is. */
static bool leave_unasked(redislock_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE || redislock_hold_is_foreign(hold) ||
		redislock_hold_check_lost(hold) != RLK_LOST_NOT)
		return false;
	if (redislock_request_ends())
		leave_to_child(hold);
	else
		redislock_release_unanswered(hold);
	return true;
}

rlk_outcome redislock_release_in_time(redislock_hold *hold, bool ends, bool *asked, rlk_error *err)
{
	/* Not all of what is left: the server of the next lock may be another one. */
	int64_t limit_ms = (REDISLOCK_PATIENCE_MS - RLG(release_waits_ms)) * 3 / 4, began_at_ms;
	rlk_outcome outcome;

	*asked = false;
	if (limit_ms <= 0 && leave_unasked(hold)) {
		rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the releases before it took too long");
		return RLK_UNKNOWN;
	}
	began_at_ms = rlk_clock_now_ms();
	limit_time(hold->client, limit_ms > 0 ? limit_ms : 1);
	outcome = redislock_release_unthrown(hold, asked, err);
	limit_time(hold->client, 0);
	if (ends || redislock_request_ends() || outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		RLG(release_waits_ms) += rlk_clock_now_ms() - began_at_ms;
	return outcome;
}

void redislock_release_quietly(redislock_hold *hold, bool ends)
{
	bool asked;

	redislock_request_note_copy(hold);
	redislock_release_in_time(hold, ends, &asked, NULL);
	redislock_hold_reset(hold);
}

void redislock_release_last_reference(redislock_hold *hold)
{
	redislock_client *client;

	if (hold->slot != RLK_SLOT_NONE)
		redislock_release_quietly(hold, false);
	redislock_hold_unlist(hold);
	client = hold->client;
	redislock_hold_destroy(hold);
	redislock_client_release(client);
}
