/*
 * rlk_thread_posix: renewal by a thread of the process.
 *
 * The thread runs the code of a child, over the same area, and calls `notify` where a child sends a signal. The host
 * wakes the threads concerned, which needs our handler of SIGURG.
 */
#include "renew/rlk_backend.h"

#include "net/rlk_socket.h"
#include "renew/rlk_child.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As for a child: releases under way may take this long at the end. */
#define STOP_THREAD_WITHIN_MS 200

typedef struct {
	pthread_t id;
	rlk_child_env env;
} renewal_thread;

static void *run_thread(void *arg)
{
	renewal_thread *thread = arg;

	rlk_child_run(&thread->env);
	rlk_socket_drop(&thread->env.control); /* stop_thread() waits for it */
	return NULL;
}

static void thread_free(renewal_thread *thread)
{
	if (thread != NULL && thread->env.memory != NULL)
		rlk_os_unmap(thread->env.memory, rlk_child_size());
	free(thread);
}

static bool thread_not_started(renewal_thread *thread, int fds[2], int code, rlk_error *err)
{
	char text[96];

	rlk_os_pair_close(fds);
	thread_free(thread);
	rlk_error_set(err, RLK_ERR_RENEWAL, code, "the renewal thread could not be started: %s",
		rlk_error_strerror(code, text, sizeof(text)));
	return false;
}

static bool start_thread(rlk_worker *worker, const rlk_slots *slots, bool with_heap, void (*notify)(void),
	rlk_error *err)
{
	renewal_thread *thread = calloc(1, sizeof(*thread));
	int fds[2] = { -1, -1 }, code;
	sigset_t all, before;

	(void)with_heap; /* a thread always has it */
	if (thread == NULL || !rlk_os_pair_open(fds))
		return thread_not_started(thread, fds, thread == NULL ? ENOMEM : errno, err);
	/* If another handler of SIGURG is there, that is enough to end a sleep. */
	if (!rlk_sigurg_is_taken() && !rlk_sigurg_install(notify))
		return thread_not_started(thread, fds, errno, err);
	thread->env = (rlk_child_env){ .slots = slots, .control = fds[1], .parent_pidfd = -1, .notify = notify };
	thread->env.memory = rlk_os_map(rlk_child_size(), false);
	if (thread->env.memory == NULL)
		return thread_not_started(thread, fds, errno, err);
	/* The application's signals are for its own threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(&thread->id, NULL, run_thread, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code != 0)
		return thread_not_started(thread, fds, code, err);
	*worker = (rlk_worker){ .backend = rlk_backend_thread, .pidfd = -1, .control = fds[0], .thread = thread };
	return true;
}

static void stop_thread(rlk_worker *worker, bool has_releases)
{
	renewal_thread *thread = worker->thread;

	(void)has_releases;
	rlk_pair_tell(worker->control, RLK_WORKER_QUIT);
	/* The thread waits in its poll() only, so the second message ends it at once. */
	if (rlk_socket_wait(worker->control, RLK_SOCKET_READABLE, rlk_clock_now_ms() + STOP_THREAD_WITHIN_MS) != 1)
		rlk_pair_tell(worker->control, RLK_WORKER_END);
	pthread_join(thread->id, NULL);
	close(worker->control);
	thread_free(thread);
	*worker = RLK_WORKER_NONE;
}

static void forget_thread(rlk_worker *worker)
{
	renewal_thread *thread = worker->thread;

	close(worker->control);
	rlk_child_forget(&thread->env);
	thread_free(thread);
	*worker = RLK_WORKER_NONE;
}

/* The thread ends when it is told to, or with the process; if it ends by itself, stop_thread() joins it. */
static const rlk_backend thread_backend = { "thread", start_thread, NULL, stop_thread, NULL, NULL, forget_thread };

const rlk_backend *const rlk_backend_thread = &thread_backend;
