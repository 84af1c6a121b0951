/*
 * rlk_renewal: see the header.
 */
#include "renew/rlk_renewal.h"

#include "base/rlk_os.h"
#include "lock/rlk_token.h"
#include "net/rlk_address.h"
#include "renew/rlk_heap.h"
#include "renew/rlk_renewal_own.h"

#include <stdio.h>
#include <stdlib.h>

/* After a request that used more than this the worker does not stay. */
#define REST_SLOTS_MAX 256
#define REST_ARENA_MAX (256u << 10)

static rlk_slot *slot_at(const rlk_renewal *renewal, int slot)
{
	return &renewal->slots.area->slots[slot];
}

void rlk_renewal_init(rlk_renewal *renewal, void (*notify)(void))
{
	memset(renewal, 0, sizeof(*renewal));
	renewal->mutex = (rlk_mutex)RLK_MUTEX_INIT;
	renewal->worker = (rlk_worker)RLK_WORKER_INIT;
	renewal->copies = (rlk_copies)RLK_COPIES_INIT;
	renewal->notify = notify;
}

static bool map_area(rlk_renewal *renewal, rlk_error *err)
{
	if (renewal->slots.area != NULL)
		return true;
	return rlk_slots_init(&renewal->slots, err);
}

static bool has_tls(const rlk_area *area)
{
	uint32_t servers = atomic_load(&area->servers_used);

	for (uint32_t i = 0; i < servers; i++) {
		if (atomic_load(&area->servers[i].tls) != NULL)
			return true;
	}
	return false;
}

/* A thread that has just been joined, as that of a name service is, takes the system a moment to forget. */
static bool has_one_thread(void)
{
	for (int tries = 5; tries > 0; tries--) {
		if (rlk_heap_has_one_thread())
			return true;
		rlk_socket_pause(rlk_clock_now_ms() + 1);
	}
	return false;
}

/* A child that speaks TLS needs malloc and all the rest of its parent, which only a process with one thread can give it:
 * another thread might have been busy with any of it. */
static bool start_worker(rlk_renewal *renewal, const rlk_backend *backend, rlk_error *err)
{
	const rlk_backend *wanted = backend;
	rlk_area *area = renewal->slots.area;
	bool whole = has_tls(area);

	if (whole && backend == rlk_backend_process && !has_one_thread())
		backend = rlk_backend_thread;
	/* The worker looks at everything when it begins: nothing armed before that needs a wake-up. */
	atomic_store(&area->wakes_at_ms, RLK_WAKES_ANYWAY);
	if (!backend->start(&renewal->worker, area, whole, renewal->notify, err))
		return false;
	renewal->wanted = wanted;
	renewal->outdated = false;
	if (backend == rlk_backend_thread)
		renewal->worker.tls_servers = UINT32_MAX;
	else if (whole)
		renewal->worker.tls_servers = atomic_load(&area->servers_used);
	return true;
}

/* The new one is there before the old one goes: whatever happens, somebody knows what to release. */
static bool replace_worker(rlk_renewal *renewal, rlk_error *err)
{
	rlk_worker old = renewal->worker;

	renewal->worker = (rlk_worker)RLK_WORKER_INIT;
	if (!start_worker(renewal, old.backend, err)) {
		renewal->worker = old;
		return false;
	}
	old.backend->stop(&old, false);
	rlk_worker_wake(&renewal->worker); /* the old one's idea of when to wake it counts no more */
	return true;
}

/* Servers change their addresses for as long as a process lives. A worker that has just been started has never looked at
 * those of long ago. */
static bool make_room(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err)
{
	bool idle[RLK_AREA_SERVERS_MAX];

	if (!rlk_servers_are_full(renewal, lock, idle))
		return true;
	if (renewal->worker.backend != NULL && !replace_worker(renewal, err))
		return false;
	rlk_servers_drop(renewal, idle);
	return true;
}

/* Asked before a worker is started, and not for every lock: it is a system call. */
const rlk_backend *rlk_renewal_usable(const rlk_backend *wanted)
{
	return wanted == rlk_backend_process && rlk_sigurg_is_taken() ? rlk_backend_thread : wanted;
}

/* Has a worker that can talk to this server: a child knows of TLS what there was when it was copied. */
static bool ensure_worker(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err)
{
	if (renewal->worker.backend == NULL)
		return start_worker(renewal, rlk_renewal_usable(lock->backend), err);
	if (renewal->outdated)
		return replace_worker(renewal, err);
	for (int i = 0; i < lock->server_count; i++) {
		const rlk_renewal_server *known = &lock->known[i];

		if (rlk_servers_is_known(renewal, known) &&
			atomic_load(&renewal->slots.area->servers[known->index].tls) != NULL &&
			(uint32_t)known->index >= renewal->worker.tls_servers)
			return replace_worker(renewal, err);
	}
	return true;
}

static bool has_pending_release(const rlk_renewal *renewal)
{
	uint32_t used = atomic_load(&renewal->slots.area->slots_used);

	for (uint32_t i = 0; i < used; i++) {
		if (atomic_load(&slot_at(renewal, (int)i)->state) == RLK_SLOT_RELEASE)
			return true;
	}
	return false;
}

/* The end of a rest. A worker may have ended meanwhile, or be about to. */
static void rouse(rlk_renewal *renewal)
{
	bool is_over;

	if (!renewal->rests)
		return;
	renewal->rests = false;
	renewal->has_idled = true;
	is_over = atomic_exchange(&renewal->slots.area->idle_until_ms, RLK_IDLE_NOT) == RLK_IDLE_OVER;
	if (renewal->worker.backend->rouse(&renewal->worker) && is_over)
		renewal->worker.backend->stop(&renewal->worker, false);
}

/* The same for a lock that may want another kind of worker than the last request did. */
static void rouse_for(rlk_renewal *renewal, const rlk_renewal_lock *lock)
{
	if (!renewal->rests)
		return;
	rouse(renewal);
	if (renewal->worker.backend != NULL && renewal->wanted != rlk_renewal_usable(lock->backend))
		renewal->worker.backend->stop(&renewal->worker, has_pending_release(renewal));
}

/* A slot for each server that was found. */
static int take_slots(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_slot_strings *strings,
	rlk_error *err)
{
	int leader = RLK_SLOT_NONE;

	for (int i = 0; i < lock->server_count; i++) {
		int index;

		if (!rlk_servers_is_known(renewal, &lock->known[i]))
			continue;
		index = rlk_slots_take(&renewal->slots, strings, leader, err);
		if (index == RLK_SLOT_NONE && leader != RLK_SLOT_NONE)
			rlk_slots_give_back(&renewal->slots, leader);
		if (index == RLK_SLOT_NONE)
			return RLK_SLOT_NONE;
		slot_at(renewal, index)->server = (uint32_t)lock->known[i].index;
		if (leader == RLK_SLOT_NONE)
			leader = index;
		else
			rlk_slots_join(&renewal->slots, leader, index);
	}
	slot_at(renewal, leader)->server_count = (uint32_t)lock->server_count;
	return leader;
}

static void settle_at(rlk_renewal *renewal, int index, rlk_address at, const char *name)
{
	slot_at(renewal, index)->at = at;
	if (name != NULL)
		snprintf(renewal->slots.area->at_names[index], RLK_HOST_MAX, "%s", name);
}

static int arm(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_lookup *lookups, rlk_error *err)
{
	/* Nobody waits to be woken where there are several servers. */
	rlk_slot_strings strings = { lock->key, lock->token, RLK_STR(""),
		lock->server_count > 1 ? RLK_STR("") : lock->waiters };
	char resting[RLK_TOKEN_MAX];
	rlk_slot *slot;
	int index;

	rouse_for(renewal, lock);
	if (renewal->has_idled)
		rlk_servers_refresh_certificates(renewal, lock);
	if (!rlk_servers_are_known(renewal, lock) &&
		(!make_room(renewal, lock, err) || !rlk_servers_find(renewal, lock, lookups, err)))
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

	slot = slot_at(renewal, index);
	settle_at(renewal, index, lock->at, lock->at_name);
	slot->interval_ms = lock->interval_ms;
	slot->linger_ms = lock->linger_ms;
	slot->hold_at_least_ms = lock->hold_at_least_ms;
	slot->max_hold_ms = lock->max_hold_ms;
	slot->given = lock->given;
	slot->replicas = lock->replicas;
	atomic_store(&slot->lost_reason, RLK_LOST_NOT);
	atomic_store(&slot->acknowledged, 0);
	atomic_store(&slot->ttl_ms, lock->ttl_ms);
	atomic_store(&slot->valid_until_ms, 0);
	atomic_store(&slot->acquired_at_ms, 0);
	atomic_store(&slot->extend_at_ms, 0);
	atomic_store(&slot->state, RLK_SLOT_ARMED);
	return index;
}

int rlk_renewal_arm(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err)
{
	rlk_lookup *lookups = NULL;
	int index = RLK_SLOT_NONE;

	rlk_mutex_lock(&renewal->mutex);
	if (renewal->rests || (renewal->has_idled && renewal->slots.area != NULL))
		rlk_servers_doubt_names(renewal, lock);
	/* Again only if another thread has needed the place of a server meanwhile. */
	while (map_area(renewal, err)) {
		if (rlk_servers_are_known(renewal, lock) || !rlk_servers_want_addresses(renewal, lock, &lookups)) {
			index = arm(renewal, lock, lookups, err);
			break;
		}
		if (lookups == NULL) {
			rlk_error_set(err, RLK_ERR_RENEWAL, 0, "out of memory for the renewal child");
			break;
		}
		rlk_mutex_unlock(&renewal->mutex);
		rlk_servers_resolve(lock, lookups);
		rlk_mutex_lock(&renewal->mutex);
	}
	rlk_mutex_unlock(&renewal->mutex);
	free(lookups);
	return index;
}

/* Wakes the child only if it would look too late by itself: a loop of short locks costs one wake-up per interval. */
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

/* When the child has to do something for this slot at the latest. */
static int64_t first_due(const rlk_slot *slot, int64_t from_ms)
{
	int64_t ttl_ms = atomic_load(&slot->ttl_ms);
	int64_t due_ms = rlk_clock_earlier(slot->interval_ms, ttl_ms / 2);

	return rlk_clock_add(from_ms, rlk_clock_earlier(slot->max_hold_ms, due_ms));
}

void rlk_renewal_expect(rlk_renewal *renewal, int index, int64_t extend_at_ms)
{
	atomic_store(&slot_at(renewal, index)->extend_at_ms, extend_at_ms);
	wake_for(renewal, extend_at_ms);
}

void rlk_renewal_moved(rlk_renewal *renewal, int index, rlk_address at, const char *name)
{
	settle_at(renewal, index, at, name);
}

void rlk_renewal_activate(rlk_renewal *renewal, int index, int64_t acquired_at_ms, int64_t valid_until_ms,
	int64_t extend_at_ms)
{
	rlk_slot *slot = slot_at(renewal, index);
	int64_t due_at_ms = first_due(slot, acquired_at_ms);
	int64_t half_way_ms = acquired_at_ms + (valid_until_ms - acquired_at_ms) / 2;

	/* A restored lock may end before it would be due by the ttl it is to have. */
	if (extend_at_ms == 0 && half_way_ms < due_at_ms)
		extend_at_ms = half_way_ms;
	atomic_store(&slot->extend_at_ms, extend_at_ms);
	atomic_store(&slot->acquired_at_ms, acquired_at_ms);
	atomic_store(&slot->valid_until_ms, valid_until_ms);
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	wake_for(renewal, extend_at_ms > 0 ? rlk_clock_earlier(extend_at_ms, due_at_ms) : due_at_ms);
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

void rlk_renewal_leave_release(rlk_renewal *renewal, int index)
{
	rlk_mutex_lock(&renewal->mutex);
	rlk_slots_leave(&renewal->slots, index);
	rlk_worker_wake(&renewal->worker);
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_before_extend(rlk_renewal *renewal, int index, int64_t ttl_ms)
{
	rlk_slot *slot = slot_at(renewal, index);

	atomic_store(&slot->ttl_ms, ttl_ms);
	atomic_fetch_add(&slot->epoch, 1);
}

void rlk_renewal_after_extend(rlk_renewal *renewal, int index, int64_t valid_until_ms)
{
	rlk_slot *slot = slot_at(renewal, index);

	atomic_store(&slot->valid_until_ms, valid_until_ms);
	wake_for(renewal, first_due(slot, rlk_clock_now_ms()));
}

/* max_hold is seen to here as well as by the child, which may be stopped or dead when it is over. */
int64_t rlk_renewal_valid_until(const rlk_renewal *renewal, int index)
{
	const rlk_slot *slot = slot_at(renewal, index);
	int64_t valid_until_ms = atomic_load(&slot->valid_until_ms), held_until_ms = rlk_slot_held_until(slot);

	if (atomic_load(&slot->state) == RLK_SLOT_LOST)
		return 0;
	return rlk_clock_earlier(held_until_ms, valid_until_ms);
}

rlk_lost_reason rlk_renewal_lost(const rlk_renewal *renewal, int index)
{
	rlk_slot *slot = slot_at(renewal, index);
	int64_t now_ms = rlk_clock_now_ms();

	if (atomic_load(&slot->state) == RLK_SLOT_LOST)
		return (rlk_lost_reason)atomic_load(&slot->lost_reason);
	if (rlk_slot_is_held_out(slot, now_ms))
		return RLK_LOST_MAX_HOLD;
	/* As soon as nothing remains: the clock rounds down. */
	return now_ms + 1 >= atomic_load(&slot->valid_until_ms) ? RLK_LOST_EXPIRED : RLK_LOST_NOT;
}

rlk_lost_reason rlk_renewal_lose(rlk_renewal *renewal, int index, rlk_lost_reason reason)
{
	rlk_slot *slot = slot_at(renewal, index);
	bool known = atomic_load(&slot->state) == RLK_SLOT_LOST;

	atomic_store(&slot->acknowledged, 1);
	rlk_slot_lose(slot, reason);
	if (!known)
		wake_for(renewal, rlk_clock_now_ms());
	return (rlk_lost_reason)atomic_load(&slot->lost_reason);
}

void rlk_renewal_reload_certificates(rlk_renewal *renewal, const rlk_renewal_server *known, const rlk_server *server)
{
	rlk_mutex_lock(&renewal->mutex);
	if (rlk_servers_is_known(renewal, known) && rlk_servers_reload_certificates(renewal, known, server))
		replace_worker(renewal, NULL);
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_resolve(rlk_renewal *renewal)
{
	rlk_question question = { 0 };

	rlk_mutex_lock(&renewal->mutex);
	while (rlk_servers_question(renewal, &question)) {
		rlk_server server = { .transport = RLK_TRANSPORT_TCP, .host = question.host, .port = question.port };
		rlk_addresses addresses;
		bool found;

		rlk_mutex_unlock(&renewal->mutex);
		found = rlk_address_resolve(&server, question.until_ms, &addresses, NULL);
		rlk_mutex_lock(&renewal->mutex);
		rlk_servers_answer(renewal, &question, found ? &addresses : NULL);
	}
	rlk_mutex_unlock(&renewal->mutex);
}

static void mark_all_lost(rlk_renewal *renewal)
{
	uint32_t used = atomic_load(&renewal->slots.area->slots_used);

	for (uint32_t i = 0; i < used; i++) {
		rlk_slot *slot = slot_at(renewal, (int)i);

		if (atomic_load(&slot->state) == RLK_SLOT_ACTIVE)
			rlk_slot_lose(slot, RLK_LOST_CHILD);
	}
}

void rlk_renewal_check_child(rlk_renewal *renewal)
{
	const rlk_backend *backend;

	rlk_mutex_lock(&renewal->mutex);
	backend = renewal->worker.backend;
	if (backend != NULL && !renewal->rests && !backend->is_alive(&renewal->worker) && renewal->slots.in_use > 0 &&
		!start_worker(renewal, backend, NULL))
		mark_all_lost(renewal);
	rlk_mutex_unlock(&renewal->mutex);
}

/* Does no thread use a lock? Slots left to the child are the child's. */
static bool is_idle(const rlk_renewal *renewal)
{
	uint32_t used = atomic_load(&renewal->slots.area->slots_used);

	for (uint32_t i = 0; i < used; i++) {
		uint32_t state = atomic_load(&slot_at(renewal, (int)i)->state);

		if (state != RLK_SLOT_FREE && state != RLK_SLOT_RELEASE && state != RLK_SLOT_RELEASED &&
			state != RLK_SLOT_MEMBER)
			return false;
	}
	return true;
}

bool rlk_renewal_has_copies(rlk_renewal *renewal)
{
	bool has;

	rlk_mutex_lock(&renewal->mutex);
	has = rlk_copies_end(&renewal->copies);
	rlk_mutex_unlock(&renewal->mutex);
	return has;
}

static void stop(rlk_renewal *renewal)
{
	rouse(renewal);
	if (renewal->worker.backend != NULL)
		renewal->worker.backend->stop(&renewal->worker, has_pending_release(renewal));
	rlk_servers_release(renewal);
	rlk_slots_destroy(&renewal->slots);
	rlk_copies_end(&renewal->copies);
}

void rlk_renewal_stop(rlk_renewal *renewal)
{
	rlk_mutex_lock(&renewal->mutex);
	if (renewal->slots.area != NULL)
		stop(renewal);
	rlk_mutex_unlock(&renewal->mutex);
}

/* Many slots would have to be looked at each time, and many bytes stay in memory. */
static bool is_slim(const rlk_slots *slots)
{
	return atomic_load(&slots->area->slots_used) <= REST_SLOTS_MAX && slots->arena_used <= REST_ARENA_MAX;
}

static void begin_rest(rlk_renewal *renewal, int64_t idle_ms)
{
	rlk_copies_end(&renewal->copies);
	renewal->rests = true;
	renewal->idle_until_ms = rlk_clock_now_ms() + idle_ms;
	atomic_store(&renewal->slots.area->idle_ms, idle_ms);
	atomic_store(&renewal->slots.area->idle_until_ms, RLK_NEVER);
	renewal->worker.backend->rest(&renewal->worker);
}

/* It may end by itself from here on, if it might not before. */
static void allow_end(rlk_renewal *renewal)
{
	rlk_area *area = renewal->slots.area;
	int64_t never = RLK_NEVER;

	if (atomic_compare_exchange_strong(&area->idle_until_ms, &never, renewal->idle_until_ms) &&
		renewal->idle_until_ms < atomic_load(&area->wakes_at_ms))
		rlk_worker_wake(&renewal->worker);
}

void rlk_renewal_request_ends(rlk_renewal *renewal, int64_t idle_ms, bool if_idle)
{
	bool idle, stays;

	rlk_mutex_lock(&renewal->mutex);
	renewal->requests -= renewal->requests > 0;
	idle = renewal->slots.area != NULL && is_idle(renewal);
	stays = idle && idle_ms > 0 && renewal->worker.backend != NULL && is_slim(&renewal->slots);
	if (stays && !renewal->rests)
		begin_rest(renewal, idle_ms);
	else if (stays)
		stays = rlk_clock_now_ms() < renewal->idle_until_ms;
	if (stays && renewal->requests == 0)
		allow_end(renewal);
	else if (!stays && renewal->slots.area != NULL && (!if_idle || idle))
		stop(renewal);
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_request_begins(rlk_renewal *renewal)
{
	rlk_mutex_lock(&renewal->mutex);
	renewal->requests++;
	if (renewal->rests) {
		_Atomic int64_t *until_ms = &renewal->slots.area->idle_until_ms;

		if (atomic_exchange(until_ms, RLK_NEVER) == RLK_IDLE_OVER) {
			atomic_store(until_ms, RLK_IDLE_OVER);
			rouse(renewal);
		}
	}
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_abandon(rlk_renewal *renewal)
{
	/* Apache comes here from a signal handler: whoever was interrupted with the mutex in hand never lets go of it. The
	 * end of the process then tells the child, a moment later. */
	if (!rlk_mutex_try_lock(&renewal->mutex))
		return;
	if (renewal->worker.backend != NULL && renewal->worker.backend == rlk_backend_process && !is_idle(renewal)) {
		renewal->worker.backend->forget(&renewal->worker);
		rlk_slots_destroy(&renewal->slots);
		rlk_copies_end(&renewal->copies);
	}
	rlk_mutex_unlock(&renewal->mutex);
	rlk_renewal_stop(renewal);
}

void rlk_renewal_before_fork(rlk_renewal *renewal)
{
	/* Whoever has it may be this very thread, which starts a child by fork() where there is no other way. */
	if (!rlk_mutex_try_lock(&renewal->mutex))
		return;
	if (renewal->worker.backend != NULL && !renewal->rests)
		rlk_copies_watch(&renewal->copies);
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_after_fork(rlk_renewal *renewal)
{
	rlk_mutex_after_fork(&renewal->mutex);
	rlk_copies_after_fork(&renewal->copies);
	if (renewal->worker.backend != NULL)
		renewal->worker.backend->forget(&renewal->worker);
	renewal->rests = false;
	rlk_slots_destroy(&renewal->slots);
}
