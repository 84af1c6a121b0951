/*
 * redislock_host: the calls of a hold to its host, PHP.
 */
#include "php/redislock_hold.h"

#include "php/redislock_config.h"
#include "php/redislock_stats.h"
#include "php/redislock_thread.h"

#include <zend_exceptions.h>

#ifndef _WIN32
#include <sys/wait.h>
#endif

static void note_copy(const redislock_hold *hold)
{
#ifndef _WIN32
	siginfo_t ended = { 0 };

	/* Not a copy that has been waited for or could be. */
	if ((EG(flags) & EG_FLAGS_IN_SHUTDOWN) && hold->life.state == RLK_HOLD_HELD && hold->copy_pid > 0 &&
		!rlk_hold_is_foreign(&hold->life) && RLG(abandoned) == NULL &&
		waitid(P_PID, (id_t)hold->copy_pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0)
		RLG(abandoned) = zend_string_copy(hold->name);
#endif
}

void redislock_hold_end_unasked(redislock_hold *hold, rlk_ending ending)
{
	note_copy(hold);
	redislock_stats_end(hold, ending, NULL);
}

static const rlk_backend *choose_backend(rlk_error *err)
{
	const rlk_backend *backend = redislock_config_backend(err);

	if (backend == NULL)
		return NULL;
	redislock_thread_begin_interrupts();
	if (UNEXPECTED(redislock_owner_is_coroutine()))
		redislock_owner_watch_coroutine();
	return backend;
}

static void note_lost(rlk_hold *hold, rlk_lost_reason reason)
{
	redislock_stats_note_lost(redislock_hold_of(hold));
}

static void run_out(void)
{
	zend_error_noreturn(E_ERROR, "Out of memory for the connections of a lock");
}

/* Not only once its shutdown functions run: exit() and fatal errors unwind calls before. */
static bool request_ends(void)
{
	return (EG(flags) & EG_FLAGS_IN_SHUTDOWN) != 0 || RLG(bailed_out) ||
		(EG(exception) != NULL && zend_is_unwind_exit(EG(exception)));
}

/* A process-bound lock is released, without exceptions; a lease stays on the server. */
static void end_of_references(rlk_hold *life)
{
	redislock_hold *hold = redislock_hold_of(life);
	redislock_client *client = hold->client;

	if (life->slot != RLK_SLOT_NONE) {
		rlk_hold_borrow(life); /* that of its use is not the last one then */
		redislock_hold_end_unasked(hold, RLK_END_OBJECT);
		life->borrowed--;
		life->refcount--;
	}
	rlk_hold_unlist(life);
	redislock_hold_destroy(hold);
	redislock_client_release(client);
}

static const rlk_host_calls calls = {
	.hooks = { .signalled = redislock_interrupt_is_set,
		.interrupted = redislock_interrupt_dispatch,
		.suspend = redislock_poller_suspend },
	.loop = { .suspend = redislock_poller_suspend },
	.choose_backend = choose_backend,
	.lost = note_lost,
	.fetch_renewals = redislock_stats_fetch_renewals,
	.tell_losses = redislock_thread_interrupt,
	.destroy = end_of_references,
	.request_ends = request_ends,
	.run_out = run_out,
};

void redislock_host_init(rlk_host *host)
{
	host->calls = &calls;
	host->renewal = &redislock_renewal;
}
