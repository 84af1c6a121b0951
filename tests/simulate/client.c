/*
 * client: what the host of src/hold does: it calls, is asked, and looks at what comes of it. What happens to a lock is decided
 * there. What is done with it is in lives.c.
 */
#include "history.h"

#include "base/rlk_os.h"

#include <stdlib.h>
#include <string.h>

static const char *const outcomes[] = { "yes", "no", "unknown", "failed" };

static sim_client *running(void)
{
	return world.current->arg;
}

/* --- what is believed ----------------------------------------------------------------------------- */

int64_t sim_hold_valid_until_ms(const sim_hold *hold)
{
	const rlk_hold *life = &hold->life;

	if (life->state != RLK_HOLD_HELD || !life->lock.held || hold->shortens || hold->releases)
		return 0;
	return life->slot != RLK_SLOT_NONE ? rlk_renewal_valid_until(&hold->client->renewal, life->slot) :
										 life->lock.valid_until_ms;
}

bool sim_hold_is_valid(const sim_hold *hold)
{
	return sim_hold_valid_until_ms(hold) > sim_clock_ms(hold->client->process) + 1;
}

static rlk_str token_of(const sim_hold *hold)
{
	return rlk_buf_str(&hold->life.lock.token.text);
}

/* --- what is asked of the host -------------------------------------------------------------------- */

static bool pending(void *arg)
{
	sim_hold *hold = sim_hold_of(arg);

	/* A handler is to run, and will throw. */
	hold->interrupted = hold->interrupted || sim_chance(hold->interrupts_in_thousand);
	return hold->client->process->notified || hold->interrupted;
}

void sim_dispatch(sim_client *client)
{
	client->process->notified = false;
	rlk_renewal_check_child(&client->renewal);
	rlk_renewal_resolve(&client->renewal);
	for (int i = 0; i < world.holds; i++)
		rlk_hold_note_loss(&client->holds[i].life);
}

static bool interrupted(void *arg)
{
	sim_hold *hold = sim_hold_of(arg);

	sim_dispatch(hold->client);
	hold->interrupted = hold->interrupted || sim_fiber_is_destroyed(hold->client);
	return hold->interrupted;
}

static const rlk_backend *choose_backend(rlk_error *err)
{
	(void)err;
	return rlk_backend_process;
}

static void note_lost(rlk_hold *life, rlk_lost_reason reason)
{
	const sim_hold *hold = sim_hold_of(life);

	sim_say(hold->client->process->name, "has lost name%d (%d)", hold->name, (int)reason);
	sim_note_lost(hold, reason);
	sim_history_lost(hold);
}

static void fetch_renewals(const rlk_hold *life)
{
	uint32_t failures;

	rlk_renewal_count(life->host->renewal, life->slot, &failures);
}

static void tell_losses(void)
{
	running()->process->notified = true;
}

static bool request_ends(void)
{
	return running()->ends;
}

static void destroy(rlk_hold *life)
{
	sim_fail("nothing refers to name%d any more", sim_hold_of(life)->name);
}

const rlk_host_calls sim_host_calls = {
	.hooks = { .signalled = pending, .interrupted = interrupted, .suspend = sim_fiber_suspend },
	.loop = { .suspend = sim_fiber_suspend },
	.choose_backend = choose_backend,
	.lost = note_lost,
	.fetch_renewals = fetch_renewals,
	.tell_losses = tell_losses,
	.destroy = destroy,
	.request_ends = request_ends,
	.run_out = abort,
};

void sim_pass_time(sim_client *client, int64_t ms)
{
	int64_t until_us = world.now_us + ms * SIM_MS;

	if (sim_fiber_sleep(client, until_us))
		return;
	while (world.now_us < until_us) {
		if (client->process->notified)
			sim_dispatch(client);
		if (world.now_us < until_us)
			sim_wait(until_us);
	}
}

/* --- what src/hold asks of src/lock, seen in between ------------------------------------------------ */

/* NULL: a turnstile's, or that of being alone. */
static sim_hold *hold_of(const rlk_lock *lock)
{
	for (int i = 0; i < world.holds; i++) {
		if (&running()->holds[i].life.lock == lock)
			return &running()->holds[i];
	}
	return NULL;
}

/* Both are of the type that the header says, or this does not compile. */
#define SEEN(type, name, ...) \
	__typeof__(name) __real_##name, __wrap_##name; \
	type __wrap_##name(__VA_ARGS__)

/* Each try of an acquisition begins with a token. */
SEEN(bool, rlk_lock_set_token, rlk_lock *lock, rlk_str from_caller, rlk_str label, rlk_error *err)
{
	sim_hold *hold = hold_of(lock);
	bool set;

	if (hold != NULL && hold->tried)
		sim_note_tried(hold);
	set = __real_rlk_lock_set_token(lock, from_caller, label, err);
	if (hold != NULL) {
		hold->tried = true;
		hold->spent_until_ms = lock->ledger.spent_until_ms;
		hold->spent = hold->spent_until_ms > sim_clock_ms(hold->client->process);
	}
	return set;
}

/* In the last millisecond the lock may be lost already: the clock rounds down. */
static bool still_valid(int64_t until_ms)
{
	return until_ms > sim_clock_ms(world.current) + 1;
}

static rlk_outcome see_answer(sim_hold *hold, rlk_outcome outcome, int64_t until_ms)
{
	bool valid = still_valid(until_ms);

	if (hold == NULL || hold->life.state == RLK_HOLD_WAITING)
		return outcome; /* a wait extends what it has, too */
	if (outcome == RLK_YES)
		sim_note_asked_with(hold, token_of(hold), valid);
	else if (outcome == RLK_NO)
		sim_note_released(hold, token_of(hold), outcome, valid);
	return outcome;
}

SEEN(rlk_outcome, rlk_lock_extend, rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, int64_t ttl_ms,
	const rlk_replicas *replicas, rlk_error *err)
{
	/* It may be shortened twice. */
	int64_t until_ms = rlk_clock_earlier(lock->valid_until_ms, sim_clock_ms(world.current) + ttl_ms);

	return see_answer(hold_of(lock), __real_rlk_lock_extend(lock, servers, deadline, ttl_ms, replicas, err), until_ms);
}

SEEN(rlk_outcome, rlk_lock_confirm, rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	const rlk_replicas *replicas, rlk_error *err)
{
	sim_hold *hold = hold_of(lock);
	int64_t until_ms = sim_hold_valid_until_ms(hold);
	rlk_outcome outcome = __real_rlk_lock_confirm(lock, servers, deadline, replicas, err);

	return outcome == RLK_YES ? see_answer(hold, outcome, until_ms) : outcome;
}

SEEN(rlk_outcome, rlk_lock_downgrade, rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, rlk_error *err)
{
	sim_hold *hold = hold_of(lock);
	int64_t until_ms = sim_hold_valid_until_ms(hold);
	rlk_outcome outcome = __real_rlk_lock_downgrade(lock, servers, deadline, err);

	return outcome == RLK_NO ? see_answer(hold, outcome, until_ms) : outcome;
}

SEEN(rlk_outcome, rlk_lock_release, rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	int64_t rest_until_ms, rlk_error *err)
{
	sim_hold *hold = hold_of(lock);
	int64_t until_ms = lock->valid_until_ms;
	rlk_outcome outcome = __real_rlk_lock_release(lock, servers, deadline, rest_until_ms, err);

	if (hold != NULL && hold->life.state == RLK_HOLD_HELD)
		sim_note_released(hold, token_of(hold), outcome, !hold->shortens && still_valid(until_ms));
	return outcome;
}

/* --- what the methods do ---------------------------------------------------------------------------- */

void sim_acquire(sim_hold *hold, int64_t wait_ms)
{
	sim_client *client = hold->client;
	rlk_hold_wish wish = {
		.terms = { .ttl_ms = hold->ttl_ms,
			.deadline = wait_ms > 0 ? rlk_deadline_in(wait_ms) : RLK_DEADLINE_NONE,
			.attempts = wait_ms > 0 ? 0 : 1,
			.retry_ms = 200,
			.fence = hold->fence,
			.renewed = hold->life.renew,
			.replicas = &hold->life.replicas },
		.token = rlk_str_from_cstr(hold->given ? hold->given_token : NULL),
	};
	rlk_outcome outcome;
	rlk_error err;

	if (rlk_hold_is_in_use(&hold->life))
		return;
	sim_note_used(client);
	rlk_hold_end(&hold->life, RLK_END_REPLACED, NULL);
	rlk_error_clear(&err);
	hold->life.lock.kind = hold->kind;
	hold->alone = hold->tried = hold->spent = false;
	hold->began_us = world.now_us;
	hold->waits_since_us = wait_ms > 0 ? world.now_us : 0;
	hold->waits_until_us = world.now_us + wait_ms * SIM_MS;
	hold->blocked = hold->closed_late = false;
	hold->closed = 0;
	hold->interrupts_in_thousand = sim_chance(world.crowd ? 800 : 200) ? 50 : 0;
	hold->interrupted = false;
	sim_say(client->process->name, "wants name%d (%s, %d of %d) for %d ms%s%s, waits %d ms", hold->name,
		rlk_kind_name(&hold->kind), hold->kind.weight, hold->kind.permits, (int)hold->ttl_ms,
		hold->life.renew ? ", renewed" : "", hold->given ? ", given token" : "", (int)wait_ms);
	sim_history_asks(hold, "acquire");
	outcome = rlk_hold_acquire(&hold->life, &wish, &err);
	sim_history_told(hold, "acquire", outcome);
	hold->interrupts_in_thousand = 0;
	hold->interrupted = hold->interrupted || sim_fiber_is_destroyed(client);
	if (outcome == RLK_YES) {
		sim_say(client->process->name, "has name%d, ..%.*s, fence %d", hold->name, 8,
			token_of(hold).data + token_of(hold).len - 8, (int)hold->life.lock.fence);
		sim_note_acquired(hold);
		return;
	}
	sim_say(client->process->name, "has not name%d: %s %s", hold->name, outcomes[outcome], err.text);
	sim_note_refused(hold, outcome, &err);
	if (hold->interrupted)
		sim_pass_time(client, 500);
}

/* Another process may have the lock by the same token. */
static bool may_ask(sim_hold *hold)
{
	return !rlk_hold_is_in_use(&hold->life) && hold->life.state == RLK_HOLD_HELD &&
		!(world.shares && hold->given && !sim_hold_is_valid(hold));
}

void sim_extend(sim_hold *hold, int64_t ttl_ms)
{
	rlk_outcome outcome;
	rlk_error err;

	if (!may_ask(hold))
		return;
	sim_note_used(hold->client);
	rlk_error_clear(&err);
	if (hold->life.slot != RLK_SLOT_NONE) {
		hold->known_ms = 0;
		hold->epoch = rlk_slot_epoch(sim_slot_of(hold));
		hold->renewed_ms = rlk_slot_valid_until(sim_slot_of(hold));
		hold->lasted_ms = sim_slot_of(hold)->ttl_ms;
	}
	/* A confirmation may have told of more than was asked for. */
	hold->shortens = ttl_ms < hold->life.lock.ttl_ms || ttl_ms < hold->lasted_ms ||
		rlk_clock_add(sim_clock_ms(hold->client->process), ttl_ms) < sim_hold_valid_until_ms(hold);
	sim_history_asks(hold, "extend");
	outcome = rlk_hold_extend(&hold->life, RLK_DEADLINE_NONE, ttl_ms, &err);
	sim_say(hold->client->process->name, "extends name%d to %d ms: %s %s", hold->name, (int)ttl_ms, outcomes[outcome],
		err.text);
	if (hold->life.slot != RLK_SLOT_NONE)
		sim_note_extended(hold);
	hold->shortens = false;
	hold->lasted_ms = 0;
	sim_history_told(hold, "extend", outcome);
}

void sim_confirm(sim_hold *hold)
{
	rlk_outcome outcome;

	if (!may_ask(hold))
		return;
	sim_note_used(hold->client);
	sim_history_asks(hold, "extend");
	outcome = rlk_hold_confirm(&hold->life, hold->ttl_ms, NULL);
	sim_history_told(hold, "extend", outcome);
	sim_say(hold->client->process->name, "confirms name%d: %s", hold->name, outcomes[outcome]);
}

void sim_release(sim_hold *hold, rlk_ending ending)
{
	rlk_outcome outcome;
	bool held;
	rlk_error err;

	if (rlk_hold_is_in_use(&hold->life))
		return;
	sim_note_used(hold->client);
	rlk_error_clear(&err);
	/* A fiber that was destroyed while its replicas were asked has not seen the end of a shorter ttl. */
	held = hold->life.state == RLK_HOLD_HELD && !hold->shortens;
	if (held)
		sim_history_asks(hold, "release");
	hold->releases = true;
	outcome = rlk_hold_end(&hold->life, ending, &err);
	if (held)
		sim_history_told(hold, "release", outcome);
	hold->releases = false;
	sim_say(hold->client->process->name, "releases name%d: %s %s", hold->name, outcomes[outcome], err.text);
}

void sim_force(sim_hold *hold)
{
	rlk_use use;

	if (rlk_hold_is_in_use(&hold->life))
		return;
	sim_note_used(hold->client);
	sim_note_forced(hold->name);
	sim_say(hold->client->process->name, "frees name%d by force", hold->name);
	rlk_lock_force_release(&hold->life.lock, rlk_hold_begin(&hold->life, &use, true, RLK_DEADLINE_NONE),
		RLK_DEADLINE_NONE, RLK_STR(""), NULL);
	rlk_hold_finish(&use);
}

static bool may_change_mode(sim_hold *hold)
{
	return !rlk_hold_is_in_use(&hold->life) && rlk_hold_is_held(&hold->life);
}

void sim_upgrade(sim_hold *hold)
{
	sim_client *client = hold->client;
	rlk_outcome outcome;
	rlk_error err;

	if (!may_change_mode(hold))
		return;
	sim_note_used(client);
	rlk_error_clear(&err);
	hold->closed = 0;
	hold->spent = hold->life.lock.ledger.downgrade;
	sim_say(client->process->name, "wants name%d for itself alone", hold->name);
	sim_history_asks(hold, "upgrade");
	outcome = rlk_hold_upgrade(&hold->life, &err);
	hold->interrupted = sim_fiber_is_destroyed(client);
	hold->alone = outcome == RLK_YES;
	sim_history_told(hold, "upgrade", outcome);
	sim_say(client->process->name, "is alone with name%d: %s %s", hold->name, outcomes[outcome], err.text);
	sim_note_upgraded(hold, outcome);
}

void sim_downgrade(sim_hold *hold)
{
	rlk_outcome outcome;
	rlk_error err;

	if (!may_change_mode(hold))
		return;
	sim_note_used(hold->client);
	rlk_error_clear(&err);
	hold->alone = false;
	sim_history_asks(hold, "downgrade");
	outcome = rlk_hold_downgrade(&hold->life, &err);
	sim_history_told(hold, "downgrade", outcome);
	sim_say(hold->client->process->name, "shares name%d: %s %s", hold->name, outcomes[outcome], err.text);
	/* This must not be had while the downgrade may still run. */
	if (outcome == RLK_UNKNOWN)
		sim_upgrade(hold);
}
