/*
 * redislock_renewal: see the header.
 */
#include "php/redislock_renewal.h"

#include "php/redislock_acquire.h"
#include "php/redislock_hold.h"
#include "php/redislock_parked.h"
#include "renew/rlk_urgent.h"
#include "net/rlk_tls.h"

#ifndef _WIN32
#include <pthread.h>
#include <signal.h>
#endif
#include <stdatomic.h>

/* A thread that runs PHP, as others need to know it: EG() may not be looked up in a signal handler. */
typedef struct {
	atomic_bool taken;
	zend_atomic_bool *_Atomic interrupt; /* its VM's flag, during a request; else NULL: there is nobody to tell */
	atomic_bool noticed;
#ifndef _WIN32
	pthread_t id;
#endif
} php_thread;

#ifdef ZTS
#define PHP_THREADS_MAX 256
#else
#define PHP_THREADS_MAX 1
#endif

static rlk_renewal renewal;
static php_thread php_threads[PHP_THREADS_MAX];

rlk_renewal *redislock_renewal(void)
{
	return &renewal;
}

/* Each thread looks at its own locks. One that is asleep is woken; the signal it gets for that goes no further. */
void redislock_renewal_notify(void)
{
	for (int i = 0; i < PHP_THREADS_MAX; i++) {
		php_thread *thread = &php_threads[i];
		zend_atomic_bool *interrupt = atomic_load(&thread->interrupt);

		if (interrupt == NULL)
			continue;
		atomic_store(&thread->noticed, true);
		zend_atomic_bool_store(interrupt, true);
		/* Also if it has been told before: it may just have been on its way into a sleep. */
#ifndef _WIN32
		if (!pthread_equal(thread->id, pthread_self()))
			pthread_kill(thread->id, SIGURG);
#endif
	}
}

void redislock_renewal_notify_this_thread(void)
{
	php_thread *thread = RLG(thread);

	if (thread != NULL) {
		atomic_store(&thread->noticed, true);
		zend_atomic_bool_store(&EG(vm_interrupt), true);
	}
}

bool redislock_renewal_take_notice(void)
{
	php_thread *thread = RLG(thread);

	return thread != NULL && atomic_load_explicit(&thread->noticed, memory_order_relaxed) &&
		atomic_exchange(&thread->noticed, false);
}

void redislock_renewal_request_starts(void)
{
	php_thread *thread = RLG(thread);

	for (int i = 0; i < PHP_THREADS_MAX && thread == NULL; i++) {
		if (!atomic_exchange(&php_threads[i].taken, true))
			RLG(thread) = thread = &php_threads[i];
	}
	if (thread == NULL)
		return;
#ifndef _WIN32
	thread->id = pthread_self();
#endif
	/* The engine clears its flag between requests. A notice that stayed would be one that nobody looks at. */
	atomic_store(&thread->noticed, false);
	atomic_store(&thread->interrupt, &EG(vm_interrupt));
}

void redislock_renewal_thread_ends(void *place)
{
	php_thread *thread = place;

	if (thread == NULL)
		return;
	atomic_store(&thread->interrupt, NULL);
	atomic_store(&thread->taken, false);
}

#ifndef _WIN32
/* A copy has one thread only; signalling another one would be to touch memory that may be gone. */
static void forget_other_threads(void)
{
	for (int i = 0; i < PHP_THREADS_MAX; i++) {
		if (atomic_load(&php_threads[i].taken) && !pthread_equal(php_threads[i].id, pthread_self()))
			redislock_renewal_thread_ends(&php_threads[i]);
	}
}

/* In the forked copy, before any of its code runs: the parent's child and connections are not ours. Plain closes: a
 * QUIT would travel on the conversation the parent is still having. */
static void after_fork(void)
{
	rlk_renewal_after_fork(&renewal);
	rlk_tls_after_fork();
	forget_other_threads();
#ifdef ZTS
	/* A thread of the host that never ran PHP has no globals. */
	if (tsrm_get_ls_cache() == NULL)
		return;
#endif
	for (redislock_client *client = RLG(clients); client != NULL; client = client->next) {
		rlk_conn_close(&client->conn);
		rlk_nodes_after_fork(client->nodes);
	}
	redislock_parked_after_fork();
	rlk_park_clear(&RLG(park));
	rlk_pool_clear(&RLG(pool));
	/* Nothing the parent holds is entered again here. */
	while (RLG(reentrant) != NULL)
		redislock_hold_unlist(RLG(reentrant));
}

#endif

void redislock_renewal_startup(void)
{
	rlk_renewal_init(&renewal, redislock_renewal_notify);
#ifndef _WIN32
	pthread_atfork(NULL, NULL, after_fork);
#endif
}

void redislock_renewal_request_end(void)
{
	int64_t deadline_at_ms = rlk_clock_now_ms() + REDISLOCK_SHUTDOWN_MS;
	php_thread *thread = RLG(thread);

	if (thread != NULL)
		atomic_store(&thread->interrupt, NULL);
	while (RLG(bound) != NULL) {
		redislock_hold *hold = RLG(bound);

		redislock_hold_unlist(hold);
		redislock_release_at_end(hold, deadline_at_ms);
	}
	while (RLG(reentrant) != NULL)
		redislock_hold_unlist(RLG(reentrant));
	RLG(runs) = NULL;
#ifdef ZTS
	rlk_renewal_stop(&renewal, true);
#else
	rlk_renewal_stop(&renewal, false);
#endif
	redislock_parked_disconnect();
	rlk_park_tend(&RLG(park));
	rlk_pool_tend(&RLG(pool));
	redislock_warn_of_copies();
}

void redislock_renewal_shutdown(void)
{
	/* Apache's processes end on SIGTERM in the middle of a request, from the handler of the signal. */
	rlk_renewal_abandon(&renewal);
	rlk_urgent_restore();
}
