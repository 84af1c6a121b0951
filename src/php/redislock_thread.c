/*
 * redislock_thread: the threads that run PHP. See the header.
 */
#include "php/redislock_thread.h"

#include "php/redislock_config.h"

#include <SAPI.h>
#include <zend_signal.h>

#ifndef _WIN32
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#endif
#include <stdatomic.h>

/* A thread that runs PHP, for other threads and signal handlers, which cannot use EG(). */
typedef struct {
	atomic_bool taken;
	zend_atomic_bool *_Atomic
		interrupt; /* the VM's flag, from a request's first process-bound lock on; NULL: it cannot be interrupted */
	atomic_int interrupters; /* threads that may use it now */
	atomic_bool interrupted; /* for redislock_interrupt.c */
#ifndef _WIN32
	pthread_t id;
	bool unblocked; /* the thread blocked SIGURG before */
#endif
} php_thread;

#ifdef ZTS
#define PHP_THREADS_MAX 256
#else
#define PHP_THREADS_MAX 1
#endif

rlk_renewal redislock_renewal;
static php_thread php_threads[PHP_THREADS_MAX];

static void interrupt_thread(php_thread *thread)
{
	zend_atomic_bool *interrupt = atomic_load(&thread->interrupt);

	if (interrupt == NULL)
		return;
	atomic_store(&thread->interrupted, true);
	zend_atomic_bool_store(interrupt, true);
	/* Signals the thread even if it was interrupted before: it may have been about to sleep. */
#ifndef _WIN32
	if (!pthread_equal(thread->id, pthread_self()))
		pthread_kill(thread->id, SIGURG);
#endif
}

/* Async-signal-safe. Each thread checks its own locks. The signal only wakes a thread that sleeps. */
static void interrupt_threads(void)
{
	for (int i = 0; i < PHP_THREADS_MAX; i++) {
		php_thread *thread = &php_threads[i];

		if (atomic_load(&thread->interrupt) == NULL)
			continue;
		atomic_fetch_add(&thread->interrupters, 1);
		interrupt_thread(thread);
		atomic_fetch_sub(&thread->interrupters, 1);
	}
}

/* From here on the thread may end: no other thread uses it any more. */
static void withdraw_thread(php_thread *thread)
{
	atomic_store(&thread->interrupt, NULL);
#ifdef ZTS
	while (atomic_load(&thread->interrupters) > 0)
		sched_yield();
#endif
}

void redislock_thread_interrupt(void)
{
	php_thread *thread = RLG(thread);

	if (thread != NULL) {
		atomic_store(&thread->interrupted, true);
		zend_atomic_bool_store(&EG(vm_interrupt), true);
	}
}

bool redislock_thread_take_interrupt(void)
{
	php_thread *thread = RLG(thread);

	return thread != NULL && atomic_load_explicit(&thread->interrupted, memory_order_relaxed) &&
		atomic_exchange(&thread->interrupted, false);
}

void redislock_thread_request_starts(void)
{
	php_thread *thread = RLG(thread);

	rlk_renewal_request_begins(&redislock_renewal);
	for (int i = 0; i < PHP_THREADS_MAX && thread == NULL; i++) {
		if (!atomic_exchange(&php_threads[i].taken, true))
			RLG(thread) = thread = &php_threads[i];
	}
	if (thread == NULL)
		return;
#ifndef _WIN32
	thread->id = pthread_self();
#endif
	/* The engine clears its flag between requests, so that of an earlier one would never be seen. */
	atomic_store(&thread->interrupted, false);
}

/* For SIG_DFL PHP sets a handler of its own, which sets SIG_DFL when the first signal comes. Our handler may replace
 * that one. */
static void take_default(void)
{
#ifdef ZEND_SIGNALS
	const zend_signal_entry_t *entry = &SIGG(handlers)[SIGURG - 1];

	if (UNEXPECTED(entry->flags != 0 && entry->handler == (void *)SIG_DFL) && rlk_sigurg_is_taken())
		signal(SIGURG, SIG_DFL);
#endif
}

void redislock_thread_begin_interrupts(void)
{
	php_thread *thread = RLG(thread);
#ifndef _WIN32
	sigset_t urg, before;
#endif

	take_default();
	if (EXPECTED(atomic_load_explicit(&thread->interrupt, memory_order_relaxed) != NULL))
		return;
#ifndef _WIN32
	sigemptyset(&urg);
	sigaddset(&urg, SIGURG);
	thread->unblocked = pthread_sigmask(SIG_UNBLOCK, &urg, &before) == 0 && sigismember(&before, SIGURG) == 1;
#endif
	atomic_store(&thread->interrupt, &EG(vm_interrupt));
}

void redislock_thread_end_interrupts(void)
{
	php_thread *thread = RLG(thread);

	if (thread == NULL)
		return;
	withdraw_thread(thread);
#ifndef _WIN32
	if (thread->unblocked) {
		sigset_t urg;

		thread->unblocked = false;
		sigemptyset(&urg);
		sigaddset(&urg, SIGURG);
		pthread_sigmask(SIG_BLOCK, &urg, NULL);
	}
#endif
}

bool redislock_thread_serves_requests(void)
{
	static const char *const names[] = { "fpm-fcgi", "apache2handler", "cgi-fcgi", "litespeed", "frankenphp",
		"cli-server" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(sapi_module.name, names[i]) == 0)
			return true;
	}
	return false;
}

void redislock_thread_request_ends(void)
{
	int64_t idle_ms = 0;

	if (redislock_thread_serves_requests())
		redislock_config_ini_idle(RLG(renewal_idle), &idle_ms, NULL); /* a wrong setting lets no lock be made */
	rlk_renewal_request_ends(&redislock_renewal, idle_ms, PHP_THREADS_MAX > 1);
}

void redislock_thread_ends(void *thread)
{
	php_thread *ended = thread;

	if (ended == NULL)
		return;
	withdraw_thread(ended);
	atomic_store(&ended->taken, false);
}

/* --- pcntl_signal() -------------------------------------------------------------------------- */

/* A daemon sets all signals to SIG_DFL, perhaps while it holds a lock. Only another handler is a reason not to set
 * ours. */
static zif_handler pcntl_signal;

static ZEND_NAMED_FUNCTION(signal_and_hear)
{
	const php_thread *thread = RLG(thread);

	pcntl_signal(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (thread != NULL && atomic_load(&thread->interrupt) != NULL) {
		take_default();
		rlk_sigurg_keep();
	}
}

static zend_internal_function *find_function(const char *name)
{
	zend_function *function = zend_hash_str_find_ptr(CG(function_table), name, strlen(name));

	return function != NULL && function->type == ZEND_INTERNAL_FUNCTION ? &function->internal_function : NULL;
}

void redislock_function_wrap(const char *name, zif_handler own, zif_handler *original)
{
	zend_internal_function *function = find_function(name);

	if (function == NULL)
		return;
	*original = function->handler;
	function->handler = own;
}

void redislock_function_unwrap(const char *name, zif_handler own, zif_handler original)
{
	zend_internal_function *function = find_function(name);

	if (function != NULL && function->handler == own)
		function->handler = original;
}

void redislock_thread_startup(void)
{
	redislock_function_wrap("pcntl_signal", signal_and_hear, &pcntl_signal);
	rlk_renewal_init(&redislock_renewal, interrupt_threads);
	redislock_heap_startup();
}

/* A copy has one thread only. To signal another one would touch memory that may be gone. */
void redislock_thread_after_fork(void)
{
	rlk_renewal_after_fork(&redislock_renewal);
#ifndef _WIN32
	for (int i = 0; i < PHP_THREADS_MAX; i++) {
		atomic_store(&php_threads[i].interrupters, 0); /* the other threads stayed behind */
		if (atomic_load(&php_threads[i].taken) && !pthread_equal(php_threads[i].id, pthread_self()))
			redislock_thread_ends(&php_threads[i]);
	}
#endif
}

void redislock_thread_shutdown(void)
{
	redislock_function_unwrap("pcntl_signal", signal_and_hear, pcntl_signal);
	/* Apache's processes end on SIGTERM in the middle of a request, inside the signal handler. */
	rlk_renewal_abandon(&redislock_renewal);
	rlk_sigurg_restore();
}
