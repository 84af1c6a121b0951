/*
 * redislock_renewal: see the header.
 */
#include "php/redislock_renewal.h"

#include "php/redislock_acquire.h"
#include "php/redislock_hold.h"

#ifndef _WIN32
# include <pthread.h>
#endif
#include <stdatomic.h>

static rlk_renewal renewal;
static atomic_bool noticed;
/* The flag of the thread that uses locks: EG() may not be looked up in a signal handler of a thread-safe build. */
static zend_atomic_bool *_Atomic interrupt_flag;

rlk_renewal *redislock_renewal(void)
{
	atomic_store(&interrupt_flag, &EG(vm_interrupt));
	return &renewal;
}

void redislock_renewal_notify(void)
{
	zend_atomic_bool *flag = atomic_load(&interrupt_flag);

	atomic_store(&noticed, true);
	if (flag != NULL)
		zend_atomic_bool_store(flag, true);
}

bool redislock_renewal_take_notice(void)
{
	return atomic_load_explicit(&noticed, memory_order_relaxed) && atomic_exchange(&noticed, false);
}

/* In the forked copy, before any of its code runs: the parent's child and connections are not ours. Plain closes: a
 * QUIT would travel on the conversation the parent is still having. */
static void after_fork(void)
{
	rlk_renewal_after_fork(&renewal);
	for (redislock_client *client = RLG(clients); client != NULL; client = client->next)
		rlk_conn_close(&client->conn);
	rlk_park_clear(&RLG(park));
	/* Nothing the parent holds is entered again here. */
	while (RLG(reentrant) != NULL)
		redislock_hold_unlist(RLG(reentrant));
}

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

	while (RLG(bound) != NULL) {
		redislock_hold *hold = RLG(bound);

		redislock_hold_unlist(hold);
		redislock_release_at_end(hold, deadline_at_ms);
	}
	while (RLG(reentrant) != NULL)
		redislock_hold_unlist(RLG(reentrant));
	RLG(runs) = NULL;
	rlk_renewal_stop(&renewal);
	rlk_park_tend(&RLG(park));
}

void redislock_renewal_shutdown(void)
{
	rlk_renewal_stop(&renewal);
	rlk_spawn_restore_signal();
	atomic_store(&interrupt_flag, NULL);
}
