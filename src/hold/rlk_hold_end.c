/*
 * rlk_hold_end: ends a lock. One function, and a table of the endings.
 */
#include "hold/rlk_hold.h"

/* clang-format off */
static const struct ending {
	enum { ASK_NOTHING, ASK_RELEASE, ASK_FORCE } ask; /* The request to the server; none for a lost lock, unless by force. */
	bool to_child;   /* Does the child take over a release without an answer, and what a loss has left on servers? */
	enum { PATIENCE_OWN, PATIENCE_AT_END, PATIENCE_SHARED } patience; /* Is the wait within RLK_HOLD_PATIENCE_MS? */
	bool explain; /* After a no: does the key hold something that is no lock? */
	bool alone;   /* By force: do the other holders stay? */
} endings[] = {
	[RLK_END_RELEASED] = { ASK_RELEASE, true,  PATIENCE_OWN,    true,  false },
	[RLK_END_RUN]      = { ASK_RELEASE, true,  PATIENCE_AT_END, false, false },
	[RLK_END_OBJECT]   = { ASK_RELEASE, true,  PATIENCE_SHARED, false, false },
	[RLK_END_REQUEST]  = { ASK_RELEASE, true,  PATIENCE_SHARED, false, false },
	[RLK_END_REPLACED] = { ASK_NOTHING, true,  PATIENCE_OWN,    false, false },
	[RLK_END_DETACHED] = { ASK_NOTHING, false, PATIENCE_OWN,    false, false },
	[RLK_END_FORCED]   = { ASK_FORCE,   true,  PATIENCE_OWN,    false, false },
	[RLK_END_OWN]      = { ASK_FORCE,   true,  PATIENCE_OWN,    false, true  },
};
/* clang-format on */

static bool is_unanswered(rlk_outcome outcome)
{
	return outcome == RLK_UNKNOWN || outcome == RLK_FAIL;
}

static rlk_outcome ask_server(rlk_hold *hold, const struct ending *how, rlk_use *use, rlk_deadline deadline,
	rlk_error *err)
{
	int64_t rest_until_ms = 0;
	const rlk_servers *servers;
	rlk_outcome outcome;

	servers = rlk_hold_begin(hold, use, true, deadline);
	use->releases = true;
	if (how->ask == ASK_FORCE) {
		outcome = rlk_lock_force_release(&hold->lock, servers, deadline,
			how->alone ? rlk_buf_str(&hold->lock.token.text) : RLK_STR(""), err);
	} else {
		if (hold->hold_at_least_ms > 0 && hold->lock.acquired_at_ms > 0)
			rest_until_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->hold_at_least_ms);
		outcome = rlk_lock_release(&hold->lock, servers, deadline, rest_until_ms, err);
		if (outcome == RLK_NO && hold->state == RLK_HOLD_HELD)
			hold->host->calls->lost(hold, RLK_LOST_NOT_OURS);
	}
	rlk_hold_finish(use);
	return outcome;
}

/* Gives up a lock that is LOST, without waiting for a server: the reason may be that a server is away. A token of the
 * caller is left until the ttl ends: another process may hold the lock with the same token by now. */
static void let_go(rlk_hold *hold, rlk_deadline deadline)
{
	rlk_use use;

	if (hold->reason == RLK_LOST_CHILD && !hold->lock.token.from_caller) {
		rlk_renewal_close(hold->host->renewal, hold->slot);
		/* The child is dead, so this process releases. */
		rlk_lock_release(&hold->lock, rlk_hold_begin(hold, &use, true, deadline), deadline, 0, NULL);
		rlk_hold_finish(&use);
	} else if (rlk_lost_has_leftovers(hold->reason, hold->at->servers.quorum != NULL)) {
		rlk_hold_leave_to_child(hold, false);
		return;
	}
	rlk_hold_reset(hold);
}

/* false: the lock was lost. */
static bool close_slot(rlk_hold *hold)
{
	rlk_renewal *renewal = hold->host->renewal;

	if (hold->slot == RLK_SLOT_NONE)
		return true;
	if (rlk_hold_note_loss(hold) != RLK_LOST_NOT)
		return false;
	hold->lock.valid_until_ms = rlk_renewal_valid_until(renewal, hold->slot);
	return rlk_renewal_close(renewal, hold->slot) || rlk_hold_note_loss(hold) == RLK_LOST_NOT;
}

/* Closes the slot. true: the lock is not held, or no longer. */
static bool has_ended(rlk_hold *hold, const struct ending *how, rlk_deadline deadline)
{
	if (rlk_hold_is_foreign(hold)) {
		rlk_hold_reset(hold);
		return true;
	}
	if (hold->state == RLK_HOLD_IDLE || hold->state == RLK_HOLD_WAITING)
		return true;
	if (close_slot(hold) || how->ask == ASK_FORCE)
		return false;
	if (how->to_child)
		let_go(hold, deadline);
	return true;
}

rlk_outcome rlk_hold_explain_no(rlk_hold *hold, bool exclusive, rlk_error *err)
{
	rlk_deadline deadline = rlk_deadline_in(RLK_HOLD_SECOND_LOOK_MS);
	rlk_lock_holder holder;
	rlk_error found;
	rlk_use use;

	/* On several servers no single key decides. */
	if (hold->at->servers.quorum != NULL)
		return RLK_NO;
	rlk_error_clear(&found);
	rlk_lock_ask_holder(&hold->lock, rlk_hold_begin(hold, &use, exclusive, deadline), deadline, &holder, NULL, &found);
	rlk_hold_finish(&use);
	if (found.code != RLK_ERR_NO_LOCK)
		return RLK_NO;
	rlk_error_adopt(err, &found);
	return RLK_FAIL;
}

static rlk_outcome end_now(rlk_hold *hold, const struct ending *how, rlk_use *use, rlk_deadline deadline,
	rlk_error *err)
{
	bool bound = hold->slot != RLK_SLOT_NONE;
	rlk_outcome outcome;

	if (has_ended(hold, how, deadline))
		return RLK_NO;
	outcome = how->ask != ASK_NOTHING ? ask_server(hold, how, use, deadline, err) : RLK_YES;
	if (is_unanswered(outcome) && rlk_hold_is_foreign(hold)) { /* forked while it waited */
		rlk_hold_reset(hold);
		return RLK_NO;
	}
	if (outcome == RLK_NO && bound && how->ask == ASK_RELEASE)
		hold->reason = RLK_LOST_NOT_OURS;
	rlk_hold_take_answer(hold, how->ask == ASK_FORCE ? RLK_ASKED_TO_FREE : RLK_ASKED_TO_RELEASE, outcome);
	return outcome == RLK_NO && how->explain ? rlk_hold_explain_no(hold, true, err) : outcome;
}

/* Leaves the lock to the renewal child, and waits for nothing. The child's release may overtake what a slow server of several has yet
 * to read of the acquisition, so one follows that, on the same connection. false: the lock or the child is lost. */
static bool leave_to_child_unasked(rlk_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE || rlk_hold_is_foreign(hold) || rlk_hold_note_loss(hold) != RLK_LOST_NOT)
		return false;
	if (!hold->lock.token.from_caller)
		rlk_lock_release_leftovers(&hold->lock, &hold->at->servers);
	rlk_hold_leave_to_child(hold, hold->host->calls->request_ends());
	return true;
}

/* false: the time for releases is used up, and the lock was left to the child. */
static bool begin_patience(rlk_hold *hold, rlk_deadline *deadline, rlk_error *err)
{
	/* Three quarters of the time left: the server of the next lock may be another one, and answer. */
	int64_t limit_ms = (RLK_HOLD_PATIENCE_MS - hold->host->release_waits_ms) * 3 / 4;

	if (limit_ms <= 0 && leave_to_child_unasked(hold)) {
		rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the releases before it took too long");
		return false;
	}
	*deadline = rlk_deadline_in(limit_ms > 0 ? limit_ms : 1);
	return true;
}

static void end_patience(rlk_hold *hold, const struct ending *how, rlk_outcome outcome, int64_t began_at_ms)
{
	if (how == &endings[RLK_END_REQUEST] || is_unanswered(outcome) || hold->host->calls->request_ends())
		hold->host->release_waits_ms += rlk_clock_now_ms() - began_at_ms;
	if (how->patience == PATIENCE_SHARED)
		rlk_hold_reset(hold); /* nobody is there to try again */
}

rlk_outcome rlk_hold_end(rlk_hold *hold, rlk_ending ending, rlk_error *err)
{
	const struct ending *how = &endings[ending];
	bool patient =
		how->patience == PATIENCE_SHARED || (how->patience == PATIENCE_AT_END && hold->host->calls->request_ends());
	int64_t began_at_ms = patient ? rlk_clock_now_ms() : 0;
	rlk_deadline deadline = RLK_DEADLINE_NONE;
	rlk_outcome outcome;
	rlk_use use;

	if (patient && !begin_patience(hold, &deadline, err))
		return RLK_UNKNOWN;
	outcome = end_now(hold, how, &use, deadline, err);
	if (patient)
		end_patience(hold, how, outcome, began_at_ms);
	return outcome;
}

void rlk_hold_forced(rlk_hold *hold, rlk_outcome outcome)
{
	bool bound = hold->slot != RLK_SLOT_NONE;

	if (outcome == RLK_UNKNOWN && bound)
		rlk_renewal_expire(hold->host->renewal, hold->slot);
	else if (outcome == RLK_UNKNOWN)
		hold->lock.valid_until_ms = 0;
	else if (bound)
		rlk_lock_forget(&hold->lock);
	else
		rlk_hold_reset(hold);
}
