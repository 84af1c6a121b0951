/*
 * redislock_hold: the state of one lock, and what happens to it while it is held. malloc, as for clients.
 */
#include "php/redislock_hold.h"

#include "php/redislock_errors.h"
#include "php/redislock_renewal.h"

redislock_hold *redislock_hold_new(redislock_client *client, const char *name, size_t name_len)
{
	redislock_hold *hold = calloc(1, sizeof(*hold));
	const rlk_config *config = &client->config;

	if (hold != NULL && rlk_lock_init(&hold->lock, rlk_buf_str(&config->prefix), rlk_str_make(name, name_len), NULL)) {
		hold->refcount = 1;
		hold->slot = RLK_SLOT_NONE;
		hold->client = client;
		hold->name = zend_string_init(name, name_len, true);
		client->refcount++;
		return hold;
	}
	free(hold);
	redislock_throw_out_of_memory("a lock");
	return NULL;
}

void redislock_hold_destroy(redislock_hold *hold)
{
	rlk_lock_destroy(&hold->lock);
	zend_string_release(hold->name);
	free(hold);
}

static int64_t valid_until_ms(redislock_hold *hold)
{
	if (hold->state != REDISLOCK_HELD || !hold->lock.held || redislock_hold_is_foreign(hold))
		return 0;
	if (hold->slot != RLK_SLOT_NONE)
		return rlk_renewal_valid_until(&redislock_renewal, hold->slot);
	rlk_lock_collect(&hold->lock);
	return hold->lock.valid_until_ms;
}

int64_t redislock_hold_remaining_ms(redislock_hold *hold)
{
	int64_t until_ms = valid_until_ms(hold), now_ms;

	if (until_ms == 0 || until_ms == RLK_NEVER)
		return until_ms;
	now_ms = rlk_clock_now_ms() + 1; /* the clock rounds down; too early is the safe side */
	return until_ms > now_ms ? until_ms - now_ms : 0;
}

bool redislock_hold_is_held(redislock_hold *hold)
{
	return redislock_hold_remaining_ms(hold) > 0;
}

/* Marks a process-bound lock as lost. The renewal child releases at once what may be left on the servers, after the
 * requests that only this process's connections can undo. A token given by the caller is released by its holder. */
static ZEND_COLD void lose(redislock_hold *hold, rlk_lost_reason reason)
{
	redislock_stats_note_lost(hold);
	hold->state = REDISLOCK_LOST;
	hold->reason = rlk_renewal_lose(&redislock_renewal, hold->slot, reason);
	if (!hold->lock.token.from_caller)
		rlk_lock_leave_lost(&hold->lock, &hold->client->servers);
}

rlk_lost_reason redislock_hold_check_lost(redislock_hold *hold)
{
	if (hold->state == REDISLOCK_LOST)
		return hold->reason;
	if (hold->state != REDISLOCK_HELD || hold->slot == RLK_SLOT_NONE || hold->user != NULL ||
		redislock_hold_is_foreign(hold))
		return RLK_LOST_NOT;
	hold->reason = rlk_renewal_lost(&redislock_renewal, hold->slot);
	/* The child does not know yet that the key was deleted here. */
	if (hold->reason == RLK_LOST_NOT && !hold->lock.held)
		hold->reason = RLK_LOST_NOT_OURS;
	if (hold->reason != RLK_LOST_NOT)
		lose(hold, hold->reason);
	return hold->reason;
}

void redislock_hold_list(redislock_hold *hold)
{
	if (hold->listed)
		return;
	hold->listed = true;
	hold->of_request = RLG(in_request);
	hold->next = RLG(holds);
	RLG(holds) = hold;
}

void redislock_hold_unlist(redislock_hold *hold)
{
	redislock_hold **link = &RLG(holds);

	if (!hold->listed)
		return;
	while (*link != hold)
		link = &(*link)->next;
	*link = hold->next;
	hold->listed = false;
}

void redislock_hold_reset(redislock_hold *hold)
{
	if (hold->listed)
		redislock_hold_unlist(hold);
	if (hold->slot != RLK_SLOT_NONE && !redislock_hold_is_foreign(hold)) {
		if (UNEXPECTED(rlk_renewal_has_counted(&redislock_renewal, hold->slot)))
			redislock_stats_fetch_renewals(hold);
		rlk_renewal_disarm(&redislock_renewal, hold->slot);
	}
	hold->slot = RLK_SLOT_NONE;
	hold->owner_pid = 0;
	hold->entries = 0;
	hold->owner.fiber = NULL;
	hold->state = REDISLOCK_IDLE;
	rlk_lock_forget(&hold->lock);
}

void redislock_hold_forget(redislock_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE)
		redislock_hold_reset(hold);
	else
		rlk_lock_forget(&hold->lock);
}

void redislock_hold_throw(const redislock_hold *hold, const rlk_error *err)
{
	redislock_throw(err, hold->name, hold->client->servers.quorum);
}

void redislock_hold_throw_if_no_lock(redislock_hold *hold)
{
	rlk_lock_holder holder;
	rlk_use use;
	rlk_error err;

	/* On several servers no single key decides. */
	if (hold->client->servers.quorum != NULL)
		return;
	rlk_error_clear(&err);
	rlk_lock_ask_holder(&hold->lock, redislock_use_begin(&use, hold, false),
		rlk_clock_now_ms() + REDISLOCK_SECOND_LOOK_MS, &holder, NULL, &err);
	if (err.code == RLK_ERR_NO_LOCK)
		redislock_hold_throw(hold, &err);
	redislock_use_end(&use);
}

/* --- extend, confirm, detach --- */

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
		lose(hold, RLK_LOST_NOT_OURS);
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
	int64_t ttl_ms, const rlk_error *err)
{
	bool adopts = outcome == RLK_YES && hold->state == REDISLOCK_RESTORED;

	if (outcome == RLK_NO && !redislock_hold_is_foreign(hold))
		not_ours(hold);
	if (adopts)
		outcome = redislock_adopt(hold, servers, ttl_ms);
	redislock_use_end(use);
	if (adopts)
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
	if (hold->slot != RLK_SLOT_NONE) {
		hold->lock.valid_until_ms = rlk_renewal_valid_until(&redislock_renewal, hold->slot);
		rlk_renewal_before_extend(&redislock_renewal, hold->slot, rlk_lock_least_ttl_ms(&hold->lock, ttl_ms));
	}
	outcome = rlk_lock_extend(&hold->lock, servers, ttl_ms, &hold->replicas, &err);
	if (outcome != RLK_NO && hold->slot != RLK_SLOT_NONE && !redislock_hold_is_foreign(hold))
		rlk_renewal_after_extend(&redislock_renewal, hold->slot, hold->lock.valid_until_ms);
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
