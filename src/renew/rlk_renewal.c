/*
 * rlk_renewal: the slots of this process's locks. The worker is in rlk_renewal_worker.c, its servers in
 * rlk_renewal_servers.c.
 */
#include "renew/rlk_renewal_own.h"

#include "lock/rlk_token.h"

#include <stdio.h>
#include <stdlib.h>

static rlk_slot *slot_at(const rlk_renewal *renewal, int slot)
{
	return &renewal->slots.area->slots[slot];
}

/* Does the worker not suffice for this server? The contexts of TLS are those of its start. And what a later request brings may
 * stand for a server whose password, or address, has changed: the worker would stay connected to that. */
static bool is_new_to_worker(const rlk_renewal *renewal, const rlk_renewal_server *known)
{
	return rlk_servers_is_entered(renewal, known) && known->number > renewal->worker.entered &&
		(renewal->slots.books[known->index].request > renewal->worker.request || rlk_renewal_has_tls(renewal));
}

static bool ensure_worker(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err)
{
	if (renewal->worker.backend == NULL)
		return rlk_renewal_start_worker(renewal, rlk_renewal_usable(lock->backend), err);
	/* The process may have missed the signal of the worker's death. */
	rlk_sigurg_keep();
	if (!rlk_renewal_revive_worker(renewal, true, err))
		return false;
	for (int i = 0; i < lock->server_count; i++) {
		if (is_new_to_worker(renewal, &lock->known[i]))
			return rlk_renewal_replace_worker(renewal, err);
	}
	return true;
}

/* A slot for each server that is known. */
static int take_slots(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_slot_strings *strings,
	rlk_error *err)
{
	int leader = RLK_SLOT_NONE;

	for (int i = 0; i < lock->server_count; i++) {
		int index;

		if (!rlk_servers_is_entered(renewal, &lock->known[i]))
			continue;
		index = rlk_slots_take(&renewal->slots, strings, (uint32_t)lock->known[i].index, leader, err);
		if (index == RLK_SLOT_NONE && leader != RLK_SLOT_NONE)
			rlk_slots_give_back(&renewal->slots, leader);
		if (index == RLK_SLOT_NONE)
			return RLK_SLOT_NONE;
		if (leader == RLK_SLOT_NONE)
			leader = index;
	}
	slot_at(renewal, leader)->server_count = (uint32_t)lock->server_count;
	return leader;
}

void rlk_renewal_moved(rlk_renewal *renewal, int index, rlk_address at, const char *name)
{
	slot_at(renewal, index)->at = at;
	if (name != NULL)
		snprintf(renewal->slots.area->at_names[index], RLK_HOST_MAX, "%s", name);
}

static int arm_lock(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_lookup *lookups, rlk_error *err)
{
	/* On several servers nobody waits to be woken. */
	rlk_slot_strings strings = { lock->key, lock->token, RLK_STR(""),
		lock->server_count > 1 ? RLK_STR("") : lock->waiters };
	char resting[RLK_TOKEN_MAX];
	rlk_slot *slot;
	int index;

	if (rlk_renewal_is_idle(renewal))
		rlk_renewal_resume_worker(renewal, lock);
	rlk_servers_refresh_certificates(renewal, lock);
	if (!rlk_servers_are_known(renewal, lock) && !rlk_servers_enter(renewal, lock, lookups, err))
		return RLK_SLOT_NONE;
	if (!ensure_worker(renewal, lock, err))
		return RLK_SLOT_NONE;
	if (lock->linger_ms > 0 || lock->hold_at_least_ms > 0) {
		strings.resting = rlk_str_make(resting, rlk_token_make(resting, lock->label, true, err));
		if (strings.resting.len == 0)
			return RLK_SLOT_NONE;
	}
	index = take_slots(renewal, lock, &strings, err);
	if (index == RLK_SLOT_NONE)
		return RLK_SLOT_NONE;

	rlk_renewal_moved(renewal, index, lock->at, lock->at_name);
	slot = slot_at(renewal, index);
	slot->interval_ms = lock->interval_ms;
	slot->linger_ms = lock->linger_ms;
	slot->hold_at_least_ms = lock->hold_at_least_ms;
	slot->max_hold_ms = lock->max_hold_ms;
	slot->from_caller = lock->from_caller;
	slot->permits = lock->kind.permits;
	atomic_store(&slot->kind, lock->kind.id);
	slot->replicas = lock->replicas;
	atomic_store(&slot->lost_reason, RLK_LOST_NOT);
	atomic_store(&slot->signals_off, 0);
	atomic_store(&slot->ttl_ms, lock->ttl_ms);
	rlk_slot_set_valid_until(slot, 0);
	atomic_store(&slot->acquired_at_ms, 0);
	atomic_store(&slot->extend_at_ms, 0);
	atomic_store(&slot->state, RLK_SLOT_ARMED);
	if (lock->topology == NULL && atomic_load(&renewal->slots.area->disconnected) != 0)
		rlk_worker_wake(&renewal->worker);
	return index;
}

int rlk_renewal_arm(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err)
{
	rlk_lookup *lookups = NULL;
	int index = RLK_SLOT_NONE;
	bool late = false;

	rlk_mutex_lock(&renewal->mutex);
	/* Again only if another thread has needed the entry of a server meanwhile. */
	while (renewal->slots.area != NULL || rlk_slots_init(&renewal->slots, err)) {
		if (rlk_servers_are_known(renewal, lock) || !rlk_servers_want_addresses(renewal, lock, &lookups)) {
			index = arm_lock(renewal, lock, lookups, err);
			break;
		}
		if (lookups == NULL) {
			rlk_error_set(err, RLK_ERR_RENEWAL, 0, "out of memory for the renewal child");
			break;
		}
		rlk_mutex_unlock(&renewal->mutex);
		late = rlk_servers_resolve(lock, lookups) || late;
		rlk_mutex_lock(&renewal->mutex);
	}
	rlk_mutex_unlock(&renewal->mutex);
	free(lookups);
	if (late)
		rlk_servers_resolve_later(renewal);
	return index;
}

/* Wakes the child only if it would wake up too late by itself: a loop of short locks costs one wake-up per interval. */
static void wake_for(rlk_renewal *renewal, int64_t due_at_ms)
{
	if (due_at_ms >= atomic_load(&renewal->slots.area->wakes_at_ms))
		return;
	/* Another thread may be replacing a dead child, and its descriptor be somebody else's already. */
	rlk_mutex_lock(&renewal->mutex);
	atomic_store(&renewal->slots.area->wanted_at_ms, due_at_ms);
	rlk_worker_wake(&renewal->worker);
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_expect(rlk_renewal *renewal, int index, int64_t extend_at_ms)
{
	atomic_store(&slot_at(renewal, index)->extend_at_ms, extend_at_ms);
	wake_for(renewal, extend_at_ms);
}

void rlk_renewal_activate(rlk_renewal *renewal, int index, int64_t acquired_at_ms, int64_t valid_until_ms,
	int64_t extend_at_ms)
{
	rlk_slot *slot = slot_at(renewal, index);
	const rlk_area_server *server = &renewal->slots.area->servers[slot->server];
	int64_t due_at_ms = rlk_clock_add(acquired_at_ms, rlk_clock_earlier(slot->max_hold_ms, rlk_slot_pause_ms(slot)));
	int64_t half_way_ms = acquired_at_ms + (valid_until_ms - acquired_at_ms) / 2;
	bool was_expected = atomic_load(&slot->extend_at_ms) > 0;

	/* A restored lock may end before a renewal would be due by the ttl that it is to have. */
	if (extend_at_ms == 0 && half_way_ms < due_at_ms)
		extend_at_ms = half_way_ms;
	atomic_store(&slot->extend_at_ms, extend_at_ms);
	atomic_store(&slot->acquired_at_ms, acquired_at_ms);
	rlk_slot_set_valid_until(slot, valid_until_ms);
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	/* During a wait the child may have been given up, which told only locks that were held. */
	rlk_mutex_lock(&renewal->mutex);
	if (renewal->worker.backend == NULL && !rlk_renewal_start_worker(renewal, renewal->wanted, NULL)) {
		rlk_slot_lose(slot, RLK_LOST_CHILD);
		renewal->notify();
	}
	rlk_mutex_unlock(&renewal->mutex);
	due_at_ms = extend_at_ms > 0 ? rlk_clock_earlier(extend_at_ms, due_at_ms) : due_at_ms;
	/* Behind a wait it wakes up within a second. Now it would come before those who wait on its CPU for the next hand-over. */
	if (!was_expected && atomic_load(&server->tracking) != RLK_TRACKING_REFUSED)
		due_at_ms = rlk_clock_earlier(due_at_ms, acquired_at_ms + RLK_TRACK_AFTER_MS);
	wake_for(renewal, atomic_load(&renewal->slots.area->disconnected) != 0 ? acquired_at_ms : due_at_ms);
}

bool rlk_renewal_close(rlk_renewal *renewal, int index)
{
	uint32_t active = RLK_SLOT_ACTIVE;

	if (atomic_compare_exchange_strong(&slot_at(renewal, index)->state, &active, RLK_SLOT_CLOSING))
		return true;
	if (active == RLK_SLOT_LOST)
		return false;
	atomic_store(&slot_at(renewal, index)->state, RLK_SLOT_CLOSING);
	return true;
}

void rlk_renewal_disarm(rlk_renewal *renewal, int index)
{
	if (index == RLK_SLOT_NONE)
		return;
	rlk_mutex_lock(&renewal->mutex);
	rlk_slots_give_back(&renewal->slots, index);
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_leave_to_child(rlk_renewal *renewal, int index)
{
	rlk_mutex_lock(&renewal->mutex);
	rlk_slots_leave_to_child(&renewal->slots, index);
	rlk_worker_wake(&renewal->worker);
	rlk_mutex_unlock(&renewal->mutex);
}

int64_t rlk_renewal_before_extend(rlk_renewal *renewal, int index, int64_t ttl_ms)
{
	rlk_slot *slot = slot_at(renewal, index);
	int64_t ttl_before_ms = atomic_exchange(&slot->ttl_ms, ttl_ms);
	int64_t valid_until_ms = rlk_slot_begin_epoch(slot);

	/* The next renewal is due earlier. The child counts that from when it looks at the slot, so it has to look now, even if it
	 * soon wakes up for another lock. */
	if (ttl_ms < ttl_before_ms)
		wake_for(renewal, rlk_clock_now_ms());
	return valid_until_ms;
}

void rlk_renewal_set_kind(rlk_renewal *renewal, int index, rlk_kind_id kind)
{
	atomic_store(&slot_at(renewal, index)->kind, kind);
	rlk_slot_begin_epoch(slot_at(renewal, index));
}

void rlk_renewal_after_extend(rlk_renewal *renewal, int index, int64_t before_ms, int64_t valid_until_ms)
{
	_Atomic uint64_t *validity = &slot_at(renewal, index)->validity;
	uint64_t known = atomic_load(validity);

	/* What the child has renewed meanwhile stays, if that is longer. */
	while ((rlk_validity_until(known) == before_ms || rlk_validity_until(known) < valid_until_ms) &&
		!atomic_compare_exchange_strong(validity, &known, rlk_validity_with(known, valid_until_ms)))
		;
}

void rlk_renewal_expire(rlk_renewal *renewal, int index)
{
	rlk_slot_set_valid_until(slot_at(renewal, index), 0);
	wake_for(renewal, rlk_clock_now_ms());
}

rlk_lost_reason rlk_renewal_why_lost(const rlk_renewal *renewal, int index)
{
	rlk_slot *slot = slot_at(renewal, index);
	int64_t now_ms = rlk_clock_now_ms();

	if (atomic_load(&slot->state) == RLK_SLOT_LOST)
		return (rlk_lost_reason)atomic_load(&slot->lost_reason);
	if (rlk_slot_is_held_out(slot, now_ms))
		return RLK_LOST_MAX_HOLD;
	return now_ms + 1 >= rlk_slot_valid_until(slot) ? RLK_LOST_EXPIRED : RLK_LOST_NOT;
}

rlk_lost_reason rlk_renewal_note_loss(rlk_renewal *renewal, int index, rlk_lost_reason reason)
{
	rlk_slot *slot = slot_at(renewal, index);

	atomic_store(&slot->signals_off, 1);
	rlk_slot_lose(slot, reason);
	rlk_renewal_signal_anew(renewal);
	return (rlk_lost_reason)atomic_load(&slot->lost_reason);
}

void rlk_renewal_signal_loss(rlk_renewal *renewal, int index, bool wanted)
{
	if (atomic_exchange(&slot_at(renewal, index)->signals_off, !wanted) != 0 && wanted)
		wake_for(renewal, rlk_clock_now_ms());
}

void rlk_renewal_signal_anew(rlk_renewal *renewal)
{
	rlk_mutex_lock(&renewal->mutex);
	rlk_pair_tell(renewal->worker.control, RLK_WORKER_ANEW);
	rlk_mutex_unlock(&renewal->mutex);
}

rlk_tracking rlk_renewal_tracking(rlk_renewal *renewal)
{
	rlk_tracking said = RLK_TRACKING_NEW;
	uint32_t servers;

	rlk_mutex_lock(&renewal->mutex);
	servers = renewal->slots.area != NULL ? atomic_load(&renewal->slots.area->servers_used) : 0;
	for (uint32_t i = 0; i < servers; i++) {
		rlk_tracking one = (rlk_tracking)atomic_load(&renewal->slots.area->servers[i].tracking);

		if (renewal->slots.books[i].number != 0 && one > said)
			said = one;
	}
	rlk_mutex_unlock(&renewal->mutex);
	return said;
}
