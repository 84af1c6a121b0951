/*
 * rlk_renewal_worker: starts, replaces and stops the worker, lets it be idle between requests, and forgets it in a
 * forked copy.
 */
#include "renew/rlk_renewal_own.h"

#include "net/rlk_socket.h"
#include "renew/rlk_heap.h"

/* After a request that used more than this the worker does not stay. */
#define IDLE_SLOTS_MAX 256
#define IDLE_ARENA_MAX (256u << 10)

/* A new child reports within a few ms how it watches this process, on a busy machine within seconds. */
#define WATCH_WITHIN_MS 10000

/* Where the system ends each child at once, each end would have us start the next. */
#define STILLBORN_MAX 3

#define STATE(state) (1u << (state))

void rlk_renewal_init(rlk_renewal *renewal, void (*notify)(void))
{
	memset(renewal, 0, sizeof(*renewal));
	renewal->mutex = (rlk_mutex)RLK_MUTEX_INIT;
	renewal->worker = RLK_WORKER_NONE;
	renewal->notify = notify;
}

/* Asked before a worker is started, not for every lock: it is a system call. */
const rlk_backend *rlk_renewal_usable(const rlk_backend *wanted)
{
	return wanted == rlk_backend_process && rlk_sigurg_is_taken() ? rlk_backend_thread : wanted;
}

bool rlk_renewal_has_tls(const rlk_renewal *renewal)
{
	for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++) {
		if (atomic_load(&renewal->slots.books[i].tls) != NULL)
			return true;
	}
	return false;
}

/* The system takes a moment to forget a thread that has just been joined, such as that of a name service. */
static bool has_one_thread(void)
{
	for (int tries = 5; tries > 0; tries--) {
		if (rlk_heap_has_one_thread())
			return true;
		rlk_socket_pause(rlk_clock_now_ms() + 1);
	}
	return false;
}

/* A child that speaks TLS needs a copy of malloc's heap. Only a process with one thread can give it: another thread might
 * have been changing it. */
bool rlk_renewal_start_worker(rlk_renewal *renewal, const rlk_backend *backend, rlk_error *err)
{
	const rlk_backend *wanted = backend;
	bool tls = rlk_renewal_has_tls(renewal);

	if (tls && backend == rlk_backend_process && !has_one_thread())
		backend = rlk_backend_thread;
	atomic_store(&renewal->slots.area->watch, RLK_WATCH_UNKNOWN);
	if (!backend->start(&renewal->worker, &renewal->slots, tls, renewal->notify, err))
		return false;
	renewal->wanted = wanted;
	renewal->worker.entered = renewal->slots.servers_entered;
	renewal->worker.request = renewal->request;
	return true;
}

bool rlk_renewal_replace_worker(rlk_renewal *renewal, rlk_error *err)
{
	rlk_worker old = renewal->worker;

	renewal->worker = RLK_WORKER_NONE;
	if (!rlk_renewal_start_worker(renewal, old.backend, err)) {
		renewal->worker = old;
		return false;
	}
	old.backend->stop(&old, false);
	rlk_worker_wake(&renewal->worker); /* wakes_at_ms may be what the old one wrote last */
	return true;
}

/* Is a slot in one of these states, a mask of STATE()? */
static bool any_slot(const rlk_area *area, unsigned states)
{
	uint32_t used = atomic_load(&area->slots_used);

	for (uint32_t i = 0; i < used; i++) {
		if ((states & STATE(atomic_load(&area->slots[i].state))) != 0)
			return true;
	}
	return false;
}

static void stop_worker(rlk_renewal *renewal)
{
	if (renewal->worker.backend != NULL)
		renewal->worker.backend->stop(&renewal->worker, any_slot(renewal->slots.area, STATE(RLK_SLOT_RELEASE)));
}

/* Ends the idleness. The worker may have ended meanwhile, or be about to. */
static void end_idleness(rlk_renewal *renewal)
{
	const rlk_backend *backend = renewal->worker.backend;
	bool goes_on;

	if (!rlk_renewal_is_idle(renewal))
		return;
	goes_on = rlk_idleness_resume(&renewal->slots.area->idleness);
	if ((backend->resume == NULL || backend->resume(&renewal->worker)) && !goes_on)
		backend->stop(&renewal->worker, false);
}

void rlk_renewal_resume_worker(rlk_renewal *renewal, const rlk_renewal_lock *lock)
{
	end_idleness(renewal);
	/* Stopped now, even if releases were left to it: the next worker visits the same slots. */
	if (renewal->worker.backend != NULL && renewal->wanted != rlk_renewal_usable(lock->backend))
		renewal->worker.backend->stop(&renewal->worker, false);
}

static void mark_all_lost(rlk_area *area)
{
	uint32_t used = atomic_load(&area->slots_used);

	for (uint32_t i = 0; i < used; i++) {
		if (atomic_load(&area->slots[i].state) == RLK_SLOT_ACTIVE)
			rlk_slot_lose(&area->slots[i], RLK_LOST_CHILD);
	}
}

bool rlk_renewal_revive_worker(rlk_renewal *renewal, bool needed, rlk_error *err)
{
	const rlk_backend *backend = renewal->worker.backend;

	if (backend->is_alive == NULL || backend->is_alive(&renewal->worker) || !needed)
		return true;
	if (atomic_fetch_add(&renewal->slots.area->stillborn, 1) >= STILLBORN_MAX)
		rlk_error_set(err, RLK_ERR_RENEWAL, 0, "the renewal child could not be started: it ends at once");
	else if (rlk_renewal_start_worker(renewal, backend, err))
		return true;
	mark_all_lost(renewal->slots.area);
	return false;
}

void rlk_renewal_check_child(rlk_renewal *renewal)
{
	char told[64];

	rlk_mutex_lock(&renewal->mutex);
	/* Messages only signal, but must not fill the socket. */
	while (renewal->worker.control != RLK_SOCKET_NONE &&
		rlk_socket_receive(renewal->worker.control, told, sizeof(told)) > 0)
		;
	if (renewal->worker.backend != NULL && !rlk_renewal_is_idle(renewal))
		rlk_renewal_revive_worker(renewal, renewal->slots.in_use > 0, NULL);
	rlk_mutex_unlock(&renewal->mutex);
}

/* Does no thread use a lock? Slots that are left to the child do not count. */
static bool is_unused(const rlk_area *area)
{
	return !any_slot(area,
		STATE(RLK_SLOT_ARMED) | STATE(RLK_SLOT_ACTIVE) | STATE(RLK_SLOT_CLOSING) | STATE(RLK_SLOT_LOST));
}

static void stop_renewal(rlk_renewal *renewal)
{
	end_idleness(renewal);
	stop_worker(renewal);
	rlk_servers_release(renewal);
	rlk_slots_destroy(&renewal->slots);
}

void rlk_renewal_stop(rlk_renewal *renewal)
{
	rlk_mutex_lock(&renewal->mutex);
	if (renewal->slots.area != NULL)
		stop_renewal(renewal);
	rlk_mutex_unlock(&renewal->mutex);
}

/* --- between requests ------------------------------------------------------------------------- */

static void begin_idleness(rlk_renewal *renewal, int64_t idle_ms)
{
	renewal->idle_until_ms = rlk_clock_now_ms() + idle_ms;
	rlk_idleness_begin(&renewal->slots.area->idleness);
	if (renewal->worker.backend->idle != NULL)
		renewal->worker.backend->idle(&renewal->worker);
}

void rlk_renewal_request_ends(rlk_renewal *renewal, int64_t idle_ms, bool if_unused)
{
	bool unused, stays;

	rlk_mutex_lock(&renewal->mutex);
	renewal->requests -= renewal->requests > 0;
	unused = renewal->slots.area != NULL && is_unused(renewal->slots.area);
	/* Many slots would have to be visited each time, and many bytes would stay in memory. */
	stays = unused && idle_ms > 0 && renewal->worker.backend != NULL && renewal->slots.arena_used <= IDLE_ARENA_MAX &&
		atomic_load(&renewal->slots.area->slots_used) <= IDLE_SLOTS_MAX;
	if (stays && !rlk_renewal_is_idle(renewal))
		begin_idleness(renewal, idle_ms);
	else if (stays)
		stays = rlk_clock_now_ms() < renewal->idle_until_ms;
	if (stays && renewal->requests == 0) {
		if (rlk_idleness_allow_end(&renewal->slots.area->idleness, renewal->idle_until_ms) &&
			renewal->idle_until_ms < atomic_load(&renewal->slots.area->wakes_at_ms))
			rlk_worker_wake(&renewal->worker);
	} else if (!stays && renewal->slots.area != NULL && (!if_unused || unused)) {
		stop_renewal(renewal);
	}
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_request_begins(rlk_renewal *renewal)
{
	rlk_mutex_lock(&renewal->mutex);
	renewal->requests++;
	renewal->request++;
	renewal->request_at_ms = rlk_clock_now_ms();
	if (rlk_renewal_is_idle(renewal) && !rlk_idleness_reserve(&renewal->slots.area->idleness))
		end_idleness(renewal);
	rlk_mutex_unlock(&renewal->mutex);
}

/* --- becoming another program ----------------------------------------------------------------- */

/* A young child has not reported yet how it watches this process, and may die before. false: there is no child any more. */
static bool await_watch(rlk_renewal *renewal, rlk_error *err)
{
	int64_t until_ms = rlk_clock_now_ms() + WATCH_WITHIN_MS;

	while (rlk_renewal_revive_worker(renewal, true, err)) {
		if (atomic_load(&renewal->slots.area->watch) != RLK_WATCH_UNKNOWN || rlk_clock_now_ms() >= until_ms)
			return true;
		rlk_socket_pause(rlk_clock_now_ms() + 1);
	}
	return false;
}

bool rlk_renewal_hand_over(rlk_renewal *renewal, int64_t grace_ms, rlk_error *err)
{
	bool done = false;

	rlk_mutex_lock(&renewal->mutex);
	if (renewal->worker.backend == NULL || renewal->worker.backend != rlk_backend_process) {
		rlk_error_set(err, RLK_ERR_RENEWAL, 0,
			"a thread renews it, which ends when this process becomes another program");
	} else if (await_watch(renewal, err)) {
		done = atomic_load(&renewal->slots.area->watch) == RLK_WATCH_EXACT;
		if (!done)
			rlk_error_set(err, RLK_ERR_RENEWAL, 0,
				"the renewal child cannot watch another program: this system has no pidfd_send_signal(), or refuses it");
	}
	if (done) {
		atomic_store(&renewal->slots.area->grace_ms, grace_ms);
		atomic_store(&renewal->slots.area->handed_over, 1);
	}
	rlk_mutex_unlock(&renewal->mutex);
	return done;
}

void rlk_renewal_take_back(rlk_renewal *renewal)
{
	atomic_store(&renewal->slots.area->handed_over, 0);
}

/* --- the end of the process, and forks -------------------------------------------------------- */

void rlk_renewal_abandon(rlk_renewal *renewal)
{
	/* Apache calls this from a signal handler. If the handler has interrupted the owner of the mutex, the mutex is
	 * never unlocked; a moment later the end of the process tells the child. */
	if (!rlk_mutex_try_lock(&renewal->mutex))
		return;
	if (renewal->worker.backend != NULL && renewal->worker.backend == rlk_backend_process &&
		!is_unused(renewal->slots.area)) {
		renewal->worker.backend->forget(&renewal->worker);
		rlk_slots_destroy(&renewal->slots);
	}
	rlk_mutex_unlock(&renewal->mutex);
	rlk_renewal_stop(renewal);
}

void rlk_renewal_after_fork(rlk_renewal *renewal)
{
	rlk_mutex_after_fork(&renewal->mutex);
	if (renewal->worker.backend != NULL)
		renewal->worker.backend->forget(&renewal->worker);
	rlk_slots_destroy(&renewal->slots);
}
