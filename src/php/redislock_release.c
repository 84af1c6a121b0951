/*
 * redislock_release: how a lock ends. One function, and a table of the ways.
 *
 * Order matters: the renewal slot is closed before the release is written.
 * Otherwise a renewal right behind the release would report a loss.
 */
#include "php/redislock_hold.h"

#include "php/redislock_renewal.h"
#include "php/redislock_stats.h"

#include <zend_exceptions.h>

/* clang-format off */
static const struct ending {
	enum { ASK_NOTHING, ASK_RELEASE, ASK_FORCE } ask; /* The server. A lock found lost is not asked for, unless by force. */
	bool leave;  /* To the child: a release without an answer, and what a loss has left on servers. */
	enum { PATIENCE_OWN, PATIENCE_AT_END, PATIENCE_SHARED } patience; /* Within REDISLOCK_PATIENCE_MS? */
	bool throws; /* If the server did not answer, or has something that is no lock. */
	bool alone;  /* By force: the other holders stay. */
} endings[] = {
	[REDISLOCK_END_RELEASED] = { ASK_RELEASE, true,  PATIENCE_OWN,    true,  false },
	[REDISLOCK_END_RUN]      = { ASK_RELEASE, true,  PATIENCE_AT_END, false, false },
	[REDISLOCK_END_OBJECT]   = { ASK_RELEASE, true,  PATIENCE_SHARED, false, false },
	[REDISLOCK_END_REQUEST]  = { ASK_RELEASE, true,  PATIENCE_SHARED, false, false },
	[REDISLOCK_END_REPLACED] = { ASK_NOTHING, true,  PATIENCE_OWN,    false, false },
	[REDISLOCK_END_DETACHED] = { ASK_NOTHING, false, PATIENCE_OWN,    false, false },
	[REDISLOCK_END_FORCED]   = { ASK_FORCE,   true,  PATIENCE_OWN,    true,  false },
	[REDISLOCK_END_OWN]      = { ASK_FORCE,   true,  PATIENCE_OWN,    true,  true },
};
/* clang-format on */

static bool is_unanswered(rlk_outcome outcome)
{
	return outcome == RLK_UNKNOWN || outcome == RLK_FAIL;
}

/* Not only once its shutdown functions run: exit() and fatal errors unwind calls before. */
static bool request_ends(void)
{
	return (EG(flags) & EG_FLAGS_IN_SHUTDOWN) != 0 || RLG(bailed_out) ||
		(EG(exception) != NULL && zend_is_unwind_exit(EG(exception)));
}

static void leave_to_child(redislock_hold *hold)
{
	redislock_stats_fetch_renewals(hold);
	rlk_renewal_leave_release(&redislock_renewal, hold->slot);
	hold->slot = RLK_SLOT_NONE;
	redislock_hold_reset(hold);
}

void redislock_leave(redislock_hold *hold)
{
	if (hold->lock.token.from_caller)
		redislock_hold_reset(hold);
	else
		leave_to_child(hold);
}

static rlk_outcome ask_server(redislock_hold *hold, const struct ending *how, rlk_error *err)
{
	int64_t rest_until_ms = 0, valid_until_ms = hold->lock.valid_until_ms;
	const rlk_servers *servers;
	rlk_outcome outcome;
	rlk_use use;

	servers = redislock_use_begin(&use, hold, true);
	if (how->ask == ASK_FORCE) {
		outcome = rlk_lock_force_release(&hold->lock, servers,
			how->alone ? rlk_buf_str(&hold->lock.token.text) : RLK_STR(""), err);
	} else {
		if (hold->hold_at_least_ms > 0 && hold->lock.acquired_at_ms > 0)
			rest_until_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->hold_at_least_ms);
		outcome = rlk_lock_release(&hold->lock, servers, rest_until_ms, err);
		redislock_stats_note_end(hold, outcome, valid_until_ms);
	}
	redislock_use_end(&use);
	return outcome;
}

/* Lets go of a lock that is LOST. Waits for no server: one that is away may be the reason. A caller's token is left to its ttl:
 * another process may hold the lock with the same one by now. */
static ZEND_COLD void let_go(redislock_hold *hold)
{
	if (hold->reason == RLK_LOST_CHILD && !hold->lock.token.from_caller) {
		rlk_renewal_close(&redislock_renewal, hold->slot);
		/* There is no child to do it. */
		rlk_lock_release(&hold->lock, redislock_client_servers(hold->client, &hold->lock), 0, NULL);
	} else if (rlk_lost_leaves_keys(hold->reason, hold->client->servers.quorum != NULL)) {
		rlk_lock_leave_lost(&hold->lock, &hold->client->servers);
		redislock_leave(hold);
		return;
	}
	redislock_hold_reset(hold);
}

/* false: the lock was lost. */
static bool close_slot(redislock_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE)
		return true;
	if (redislock_hold_check_lost(hold) != RLK_LOST_NOT)
		return false;
	hold->lock.valid_until_ms = rlk_renewal_valid_until(&redislock_renewal, hold->slot);
	return rlk_renewal_close(&redislock_renewal, hold->slot) || redislock_hold_check_lost(hold) == RLK_LOST_NOT;
}

/* After the slot was closed and the server has answered. */
static void settle(redislock_hold *hold, const struct ending *how, rlk_outcome outcome)
{
	if (!is_unanswered(outcome)) {
		if (outcome == RLK_NO && hold->slot != RLK_SLOT_NONE && how->ask == ASK_RELEASE)
			hold->reason = RLK_LOST_NOT_OURS;
		redislock_hold_reset(hold);
	} else if (hold->slot != RLK_SLOT_NONE) {
		redislock_leave(hold);
	} else if (how->ask == ASK_FORCE && outcome == RLK_UNKNOWN) {
		redislock_hold_expire(hold); /* somebody else may have it */
	}
}

/* Closes the slot. true: it is not held, or no longer. */
static bool has_ended(redislock_hold *hold, const struct ending *how)
{
	if (redislock_hold_is_foreign(hold)) {
		redislock_hold_reset(hold);
		return true;
	}
	if (hold->state == REDISLOCK_IDLE || hold->state == REDISLOCK_WAITING)
		return true;
	if (close_slot(hold) || how->ask == ASK_FORCE)
		return false;
	if (how->leave)
		let_go(hold);
	return true;
}

void redislock_throw_if_no_lock(redislock_hold *hold, bool exclusive)
{
	rlk_lock_holder holder;
	rlk_use use;
	rlk_error err;

	/* On several servers no single key decides. */
	if (hold->client->servers.quorum != NULL)
		return;
	rlk_error_clear(&err);
	redislock_hold_borrow(hold);
	rlk_lock_ask_holder(&hold->lock, redislock_use_begin(&use, hold, exclusive),
		rlk_clock_now_ms() + REDISLOCK_SECOND_LOOK_MS, &holder, NULL, &err);
	redislock_use_end(&use);
	if (err.code == RLK_ERR_NO_LOCK)
		redislock_hold_throw(hold, &err);
	redislock_hold_give_back(hold);
}

static ZEND_COLD void complain(redislock_hold *hold, const struct ending *how, rlk_outcome outcome,
	const rlk_error *err)
{
	if (is_unanswered(outcome))
		redislock_hold_throw(hold, err);
	else if (how->ask == ASK_RELEASE)
		redislock_throw_if_no_lock(hold, true); /* its caller uses the record behind that */
}

/* Leaves the lock to the renewal child without asking. false: it is lost, or the child is. */
static bool leave_unasked(redislock_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE || redislock_hold_is_foreign(hold) ||
		redislock_hold_check_lost(hold) != RLK_LOST_NOT)
		return false;
	if (request_ends())
		leave_to_child(hold); /* nobody can use a caller's token again */
	else
		redislock_leave(hold);
	return true;
}

static rlk_outcome end_now(redislock_hold *hold, const struct ending *how, rlk_error *err)
{
	rlk_outcome outcome;

	if (has_ended(hold, how))
		return RLK_NO;
	outcome = how->ask != ASK_NOTHING ? ask_server(hold, how, err) : RLK_YES;
	if (UNEXPECTED(is_unanswered(outcome) && redislock_hold_is_foreign(hold))) { /* forked while it waited */
		redislock_hold_reset(hold);
		return RLK_NO;
	}
	settle(hold, how, outcome);
	if (outcome != RLK_YES && how->throws)
		complain(hold, how, outcome, err);
	return outcome;
}

/* false: the time for releases is used up, and the lock was left to the child. */
static zend_never_inline bool begin_patience(redislock_hold *hold, const struct ending *how, rlk_error *err)
{
	/* Not all of what is left: the server of the next lock may be another one. */
	int64_t limit_ms = (REDISLOCK_PATIENCE_MS - RLG(release_waits_ms)) * 3 / 4;

	if (how->patience == PATIENCE_SHARED)
		redislock_hold_note_copy(hold);
	if (limit_ms <= 0 && leave_unasked(hold)) {
		rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the releases before it took too long");
		return false;
	}
	redislock_client_limit_time(hold->client, rlk_clock_now_ms() + (limit_ms > 0 ? limit_ms : 1));
	return true;
}

static zend_never_inline void end_patience(redislock_hold *hold, const struct ending *how, rlk_outcome outcome,
	int64_t began_at_ms)
{
	redislock_client_limit_time(hold->client, 0);
	if (how == &endings[REDISLOCK_END_REQUEST] || request_ends() || is_unanswered(outcome))
		RLG(release_waits_ms) += rlk_clock_now_ms() - began_at_ms;
	if (how->patience == PATIENCE_SHARED)
		redislock_hold_reset(hold); /* nobody is there to try again */
}

rlk_outcome redislock_end(redislock_hold *hold, redislock_end_mode mode, rlk_error *err)
{
	const struct ending *how = &endings[mode];
	bool patient = how->patience == PATIENCE_SHARED || (how->patience == PATIENCE_AT_END && request_ends());
	int64_t began_at_ms = patient ? rlk_clock_now_ms() : 0;
	rlk_outcome outcome;
	rlk_error unread;

	if (err == NULL) {
		rlk_error_clear(&unread);
		err = &unread;
	}
	if (patient && !begin_patience(hold, how, err))
		return RLK_UNKNOWN;
	outcome = end_now(hold, how, err);
	if (patient)
		end_patience(hold, how, outcome, began_at_ms);
	return outcome;
}

void redislock_release_last_reference(redislock_hold *hold)
{
	redislock_client *client;

	if (hold->slot != RLK_SLOT_NONE) {
		redislock_hold_borrow(hold); /* that of its use is not the last one then */
		redislock_end(hold, REDISLOCK_END_OBJECT, NULL);
		hold->borrowed--;
		hold->refcount--;
	}
	redislock_hold_unlist(hold);
	client = hold->client;
	redislock_hold_destroy(hold);
	redislock_client_release(client);
}
