/*
 * redislock_hold: the state of one lock. Waits for no server, and calls none of the files that do. malloc, as for clients.
 */
#include "php/redislock_hold.h"

#include "base/rlk_list.h"
#include "php/redislock_errors.h"
#include "php/redislock_renewal.h"

#ifndef _WIN32
#include <sys/wait.h>
#endif

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

ZEND_COLD void redislock_hold_lose(redislock_hold *hold, rlk_lost_reason reason)
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
		redislock_hold_lose(hold, hold->reason);
	return hold->reason;
}

bool redislock_hold_is_untold(const redislock_hold *hold)
{
	return hold->state == REDISLOCK_HELD && hold->slot != RLK_SLOT_NONE && hold->user == NULL &&
		!redislock_hold_is_foreign(hold) && rlk_renewal_lost(&redislock_renewal, hold->slot) != RLK_LOST_NOT;
}

void redislock_hold_note_copy(const redislock_hold *hold)
{
#ifndef _WIN32
	siginfo_t ended = { 0 };

	/* Not a copy that has been waited for or could be. */
	if ((EG(flags) & EG_FLAGS_IN_SHUTDOWN) && hold->state == REDISLOCK_HELD && hold->copy_pid > 0 &&
		!redislock_hold_is_foreign(hold) && RLG(abandoned) == NULL &&
		waitid(P_PID, (id_t)hold->copy_pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0)
		RLG(abandoned) = zend_string_copy(hold->name);
#endif
}

void redislock_hold_list(redislock_hold *hold)
{
	redislock_hold **list = hold->state == REDISLOCK_WAITING ? &RLG(arriving) : &RLG(holds);

	redislock_hold_unlist(hold);
	hold->of_request = RLG(in_request);
	hold->aside = RLG(aside);
	RLK_LIST_ADD(list, hold);
}

void redislock_hold_unlist(redislock_hold *hold)
{
	if (hold->link == NULL)
		return;
	RLK_LIST_REMOVE(hold);
	hold->link = NULL;
}

void redislock_hold_reset(redislock_hold *hold)
{
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

void redislock_hold_expire(redislock_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE)
		hold->lock.valid_until_ms = 0;
	else
		rlk_renewal_expire(&redislock_renewal, hold->slot);
}

bool redislock_hold_refuse_in_use(const redislock_hold *hold)
{
	redislock_throw_misuse(hold->name,
		"is in use by another fiber, or by the call that this signal handler interrupts");
	return true;
}

void redislock_hold_throw(const redislock_hold *hold, const rlk_error *err)
{
	redislock_throw(err, hold->name, hold->client->servers.quorum);
}
