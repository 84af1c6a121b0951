/*
 * rlk_address_posix: getaddrinfo() with a time limit.
 *
 * The question belongs to two, who asks and the thread that answers; the last
 * of them frees it. A thread that comes too late ends by itself, later than
 * the module perhaps, which for that reason stays in memory.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr() */
#endif

#include "net/rlk_address.h"

#include "base/rlk_os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Name services are plug-ins, and some have large buffers on the stack. Untouched pages cost nothing. */
#define STACK_BYTES (1u << 20)

/* Threads left alone with a question, at most: whoever asks a silent name service again and again must not use up the
 * process's share of threads. */
#define LEFT_ALONE_MAX 16

static atomic_int left_alone;
static atomic_long left_by; /* the process whose threads are counted; a copy of it has none of them */

typedef struct {
	atomic_int owners;
	bool alone;  /* written by who asked, before the last of the two leaves */
	int done[2]; /* a pipe: a byte in it says that there is an answer */
	int code;
	rlk_addresses addresses;
	char *host, *port;
} question;

static void leave(question *q)
{
	if (atomic_fetch_sub(&q->owners, 1) > 1)
		return;
	if (q->alone)
		atomic_fetch_sub(&left_alone, 1);
	close(q->done[0]);
	close(q->done[1]);
	free(q->host);
	free(q->port);
	free(q);
}

static void *answer(void *arg)
{
	question *q = arg;

	q->code = rlk_address_resolve_now(q->host, q->port, 0, &q->addresses);
	(void)!write(q->done[1], "", 1);
	leave(q);
	return NULL;
}

static bool too_many_left_alone(void)
{
	long pid = rlk_os_process_id();

	if (atomic_exchange(&left_by, pid) != pid)
		atomic_store(&left_alone, 0);
	return atomic_load(&left_alone) >= LEFT_ALONE_MAX;
}

static question *make_question(const char *host, const char *port)
{
	question *q = calloc(1, sizeof(*q));

	if (q == NULL)
		return NULL;
	q->host = strdup(host);
	q->port = strdup(port);
	if (q->host != NULL && q->port != NULL && pipe(q->done) == 0) {
		fcntl(q->done[0], F_SETFD, FD_CLOEXEC);
		fcntl(q->done[1], F_SETFD, FD_CLOEXEC);
		atomic_init(&q->owners, 2);
		return q;
	}
	free(q->host);
	free(q->port);
	free(q);
	return NULL;
}

/* A thread that handles no signals: those are the host's. */
static bool start(question *q, pthread_t *thread)
{
	pthread_attr_t attr;
	sigset_t all, before;
	bool ok;

	if (pthread_attr_init(&attr) != 0)
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = pthread_attr_setstacksize(&attr, STACK_BYTES) == 0 && pthread_create(thread, &attr, answer, q) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return ok;
}

/* Our code must not be unmapped under the thread that is still in it. */
static void stay_loaded(void)
{
#if defined(RTLD_NODELETE) && defined(RTLD_NOLOAD)
	Dl_info us;

	if (dladdr((void *)(intptr_t)stay_loaded, &us) != 0 && us.dli_fname != NULL)
		dlopen(us.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
#endif
}

static bool await_answer(const question *q, int64_t deadline_at_ms)
{
	struct pollfd p = { .fd = q->done[0], .events = POLLIN };

	for (;;) {
		int timeout = rlk_clock_poll_timeout(deadline_at_ms);
		int n = poll(&p, 1, timeout);

		if (n > 0 || (n < 0 && errno != EINTR))
			return n > 0;
		if (n == 0 && timeout == 0)
			return false;
	}
}

int rlk_address_resolve_name(const char *host, const char *port, int64_t deadline_at_ms, rlk_addresses *out)
{
	/* The commonest name is in every hosts file, and a thread costs more than looking there. */
	int code = rlk_address_resolve_now(host, port, strcasecmp(host, "localhost") == 0 ? 0 : AI_NUMERICHOST, out);
	pthread_t thread;
	question *q;

	if (code != EAI_NONAME)
		return code;
	if (too_many_left_alone())
		return RLK_ADDRESS_LATE;
	q = make_question(host, port);
	if (q == NULL)
		return EAI_MEMORY;
	if (!start(q, &thread)) {
		atomic_store(&q->owners, 1);
		leave(q);
		return rlk_address_resolve_now(host, port, 0, out);
	}
	if (await_answer(q, deadline_at_ms)) {
		pthread_join(thread, NULL);
		code = q->code;
		*out = q->addresses;
	} else {
		stay_loaded();
		pthread_detach(thread);
		atomic_fetch_add(&left_alone, 1);
		q->alone = true;
		code = RLK_ADDRESS_LATE;
	}
	leave(q);
	return code;
}
