/*
 * rlk_address_posix: getaddrinfo() with a time limit.
 *
 * A thread of its own makes the call. The caller and the thread share the query, and the last of the two frees it. A
 * thread that is late is abandoned, and may hand its answer to a listener. It may end after the module is unloaded, so
 * the module then stays in memory. A forked copy does not have the thread.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr() */
#endif

#include "net/rlk_address.h"

#include "base/rlk_list.h"
#include "base/rlk_mutex.h"
#include "base/rlk_os.h"

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Name services are plug-ins, and some have large buffers on the stack. Untouched pages cost nothing. */
#define STACK_BYTES (1u << 20)

/* Questions to a silent name service must not use up the threads of the process. Only that name is not asked any more:
 * other names get their answers. */
#define ABANDONED_MAX_PER_NAME 4
#define ABANDONED_MAX 128

struct rlk_query {
	rlk_query *next, **link; /* in suspended, later in abandoned */
	long pid;
	pthread_t thread;
	atomic_int owners;
	atomic_bool
		settled; /* the first to set it decides: the thread that the answer is in time, or the caller that it is late */
	bool is_abandoned;     /* written by the caller before it releases the query */
	rlk_address_late late; /* NULL: nobody wants a late answer */
	void *late_arg;
	int done[2]; /* a pair: the thread writes a byte when it is done */
	int code;
	rlk_addresses addresses;
	char port[8];
	char host[];
};

static rlk_mutex mutex = RLK_MUTEX_INIT; /* of what follows */
static rlk_query *abandoned;
static atomic_long abandoned_by; /* the process that they belong to; a forked copy has none */

/* Questions that this thread waits for; in the loop of the host several at once, some of which may never be resumed. */
static _Thread_local rlk_query *suspended;

/* A forked copy has neither the questions of its parent nor the thread that may have held the mutex. */
static void lock_abandoned(void)
{
	long pid = rlk_os_process_id();

	if (atomic_exchange(&abandoned_by, pid) != pid) {
		rlk_mutex_after_fork(&mutex);
		abandoned = NULL;
	}
	rlk_mutex_lock(&mutex);
}

static void count_as_abandoned(rlk_query *q)
{
	lock_abandoned();
	q->is_abandoned = true;
	RLK_LIST_ADD(&abandoned, q);
	rlk_mutex_unlock(&mutex);
}

static void count_no_more(rlk_query *q)
{
	lock_abandoned();
	RLK_LIST_REMOVE(q);
	rlk_mutex_unlock(&mutex);
}

static bool too_many_abandoned(const char *host, const char *port)
{
	int all = 0, of_name = 0;

	lock_abandoned();
	for (const rlk_query *q = abandoned; q != NULL; q = q->next, all++)
		of_name += strcmp(q->host, host) == 0 && strcmp(q->port, port) == 0;
	rlk_mutex_unlock(&mutex);
	return all >= ABANDONED_MAX || of_name >= ABANDONED_MAX_PER_NAME;
}

static void release(rlk_query *q)
{
	if (atomic_fetch_sub(&q->owners, 1) > 1)
		return;
	if (q->is_abandoned)
		count_no_more(q);
	rlk_os_pair_close(q->done);
	free(q);
}

static void *run(void *arg)
{
	rlk_query *q = arg;

	q->code = rlk_address_resolve_now(q->host, q->port, 0, &q->addresses);
	if (!atomic_exchange(&q->settled, true))
		(void)!write(q->done[1], "", 1);
	else if (q->late != NULL)
		q->late(q->late_arg, q->code == 0 && q->addresses.count > 0 ? &q->addresses : NULL);
	release(q);
	return NULL;
}

static rlk_query *new_query(const char *host, const char *port)
{
	rlk_query *q = calloc(1, sizeof(*q) + strlen(host) + 1);

	if (q == NULL || !rlk_os_pair_open(q->done)) {
		free(q);
		return NULL;
	}
	q->pid = rlk_os_process_id();
	strcpy(q->host, host);
	snprintf(q->port, sizeof(q->port), "%s", port);
	atomic_init(&q->owners, 2);
	return q;
}

/* The thread blocks all signals, which are for the host. */
static bool start(rlk_query *q)
{
	pthread_attr_t attr;
	sigset_t all, before;
	bool ok;

	if (pthread_attr_init(&attr) != 0)
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = pthread_attr_setstacksize(&attr, STACK_BYTES) == 0 && pthread_create(&q->thread, &attr, run, q) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return ok;
}

static void stay_loaded(void)
{
#if defined(RTLD_NODELETE) && defined(RTLD_NOLOAD)
	Dl_info us;

	if (dladdr((void *)(intptr_t)stay_loaded, &us) != 0 && us.dli_fname != NULL)
		dlopen(us.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
#endif
}

/* Ends a question. Returns its answer, or `unanswered` if nobody waits for it any more. RLK_ADDRESS_STOPPED: this is a
 * copy of the process, without such a thread. */
static int finish(rlk_query *q, int unanswered, rlk_addresses *out)
{
	int code = unanswered;

	if (rlk_os_process_id() != q->pid) {
		code = RLK_ADDRESS_STOPPED;
		atomic_store(&q->owners, 1);
	} else if (atomic_exchange(&q->settled, true)) {
		pthread_join(q->thread, NULL);
		code = q->code;
		*out = q->addresses;
	} else {
		stay_loaded();
		pthread_detach(q->thread);
		count_as_abandoned(q);
	}
	release(q);
	return code;
}

int rlk_query_end(rlk_query *query, rlk_addresses *out)
{
	return finish(query, RLK_ADDRESS_LATE, out);
}

int rlk_query_fd(const rlk_query *query)
{
	return query->done[0];
}

void rlk_address_forget_suspended(void)
{
	rlk_addresses unread;
	rlk_query *q;

	while ((q = suspended) != NULL) {
		RLK_LIST_REMOVE(q);
		finish(q, RLK_ADDRESS_STOPPED, &unread);
	}
}

int rlk_query_begin(const char *host, const char *port, rlk_query **query, rlk_addresses *out)
{
	/* "localhost" is in every hosts file, and a thread costs more than looking there. */
	int code = rlk_address_resolve_now(host, port, strcasecmp(host, "localhost") == 0 ? 0 : AI_NUMERICHOST, out);
	rlk_query *q;

	*query = NULL;
	if (code != EAI_NONAME)
		return code;
	if (too_many_abandoned(host, port))
		return RLK_ADDRESS_LATE;
	q = new_query(host, port);
	if (q == NULL)
		return EAI_MEMORY;
	if (!start(q)) {
		atomic_store(&q->owners, 1);
		release(q);
		return rlk_address_resolve_now(host, port, 0, out);
	}
	*query = q;
	return RLK_ADDRESS_LATE;
}

static int await(rlk_query *q, int64_t deadline_at_ms, const rlk_hooks *hooks)
{
	rlk_socket_watched done = { q->done[0], RLK_SOCKET_READABLE, false };
	int ready;

	RLK_LIST_ADD(&suspended, q);
	ready = rlk_socket_await(&done, 1, deadline_at_ms, RLK_SOCKET_BLOCKS_MS, hooks);
	RLK_LIST_REMOVE(q);
	return ready == RLK_SOCKET_SIGNAL ? RLK_ADDRESS_STOPPED : RLK_ADDRESS_LATE;
}

int rlk_address_resolve_name(const char *host, const char *port, const rlk_hooks *hooks, int64_t deadline_at_ms,
	rlk_address_late late, void *arg, rlk_addresses *out)
{
	rlk_query *q;
	int code = rlk_query_begin(host, port, &q, out);

	if (q == NULL)
		return code == RLK_ADDRESS_LATE && late != NULL ? EAI_AGAIN : code;
	code = await(q, deadline_at_ms, hooks);
	q->late = late;
	q->late_arg = arg;
	return finish(q, code, out);
}
