/*
 * rlk_address_posix: getaddrinfo() with a time limit.
 *
 * A thread of its own makes the call. The query belongs to the caller and to
 * that thread; the last of the two frees it. A thread that is late is
 * abandoned, and may hand on what it finds. It may end after the module is unloaded, so the module then stays
 * in memory. A forked copy does not have the thread.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr() */
#endif

#include "net/rlk_address.h"

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

/* Asking a silent name service again and again must not use up the process's threads. */
#define ABANDONED_MAX 16

static atomic_int abandoned;
static atomic_long abandoned_by; /* the process that they belong to; a forked copy has none */

typedef struct query query;

struct query {
	query *next; /* in suspended */
	long pid;
	pthread_t thread;
	atomic_int owners;
	atomic_bool
		settled;       /* the first to set it decides: the thread, that it is in time, or the caller, that it is late */
	bool is_abandoned; /* written by the caller before it releases the query */
	rlk_address_late late; /* NULL: nobody wants a late answer */
	void *late_arg;
	int done[2]; /* a pair: the thread writes a byte when it is done */
	int code;
	rlk_addresses addresses;
	char port[8];
	char host[];
};

/* Those that this thread waits for: in the loop of the host several at once, of which some may never go on. */
static _Thread_local query *suspended;

static void release(query *q)
{
	if (atomic_fetch_sub(&q->owners, 1) > 1)
		return;
	if (q->is_abandoned)
		atomic_fetch_sub(&abandoned, 1);
	rlk_os_pair_close(q->done);
	free(q);
}

static void *run(void *arg)
{
	query *q = arg;

	q->code = rlk_address_resolve_now(q->host, q->port, 0, &q->addresses);
	if (!atomic_exchange(&q->settled, true))
		(void)!write(q->done[1], "", 1);
	else if (q->late != NULL)
		q->late(q->late_arg, q->code == 0 && q->addresses.count > 0 ? &q->addresses : NULL);
	release(q);
	return NULL;
}

static bool too_many_abandoned(void)
{
	long pid = rlk_os_process_id();

	if (atomic_exchange(&abandoned_by, pid) != pid)
		atomic_store(&abandoned, 0);
	return atomic_load(&abandoned) >= ABANDONED_MAX;
}

static query *new_query(const char *host, const char *port)
{
	query *q = calloc(1, sizeof(*q) + strlen(host) + 1);

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

/* The thread handles no signals: those are the host's. */
static bool start(query *q)
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

/* The end of a wait: its result, or that nobody waits for it any more. Returns as rlk_address_resolve_name(). */
static int finish(query *q, int ready, rlk_addresses *out)
{
	int code = ready == RLK_SOCKET_SIGNAL ? RLK_ADDRESS_STOPPED : RLK_ADDRESS_LATE;

	if (rlk_os_process_id() != q->pid) {
		/* A copy of the process, which has no such thread. */
		code = RLK_ADDRESS_STOPPED;
		atomic_store(&q->owners, 1);
	} else if (ready > 0 || atomic_exchange(&q->settled, true)) {
		pthread_join(q->thread, NULL);
		code = q->code;
		*out = q->addresses;
	} else {
		stay_loaded();
		pthread_detach(q->thread);
		atomic_fetch_add(&abandoned, 1);
		q->is_abandoned = true;
	}
	release(q);
	return code;
}

void rlk_address_forget_suspended(void)
{
	rlk_addresses unread;
	query *q;

	while ((q = suspended) != NULL) {
		suspended = q->next;
		finish(q, RLK_SOCKET_SIGNAL, &unread);
	}
}

static int await(query *q, int64_t deadline_at_ms, const rlk_hooks *hooks)
{
	rlk_socket_watched done = { q->done[0], RLK_SOCKET_READABLE, false };
	query **link = &suspended;
	int ready;

	q->next = suspended;
	suspended = q;
	ready = rlk_socket_await(&done, 1, deadline_at_ms, RLK_SOCKET_BLOCKS_MS, hooks);
	while (*link != q)
		link = &(*link)->next;
	*link = q->next;
	return ready;
}

int rlk_address_resolve_name(const char *host, const char *port, const rlk_hooks *hooks, int64_t deadline_at_ms,
	rlk_address_late late, void *arg, rlk_addresses *out)
{
	/* "localhost" is in every hosts file, and a thread costs more than looking there. */
	int code = rlk_address_resolve_now(host, port, strcasecmp(host, "localhost") == 0 ? 0 : AI_NUMERICHOST, out);
	query *q;

	if (code != EAI_NONAME)
		return code;
	if (too_many_abandoned())
		return late == NULL ? RLK_ADDRESS_LATE : EAI_AGAIN;
	q = new_query(host, port);
	if (q == NULL)
		return EAI_MEMORY;
	q->late = late;
	q->late_arg = arg;
	if (!start(q)) {
		atomic_store(&q->owners, 1);
		release(q);
		return rlk_address_resolve_now(host, port, 0, out);
	}
	return finish(q, await(q, deadline_at_ms, hooks), out);
}
