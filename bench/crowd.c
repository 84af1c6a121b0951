/*
 * crowd: many waiters for one lock.
 *
 *     crowd_floor|crowd_core processes|threads COUNT HOLD_US NAME tcp HOST PORT | unix PATH
 *
 * Orders come on stdin, one a line; all but `wait` and `churn` are answered on stdout, where the waiters write as well, each line
 * in one write:
 *
 *     hold          the leader takes the lock; "holding"
 *     wait A B      the waiters A to B - 1 wait for it, hold it once, and report
 *     churn A B MS  they do so again and again until MS ms are over
 *     go            the leader releases the lock, and reports
 *     pid A         the process of a waiter, for who wants to kill it
 *
 * A report is "number began acquired released", in nanoseconds of the monotonic clock, which all processes of a
 * machine share; `released` is taken before the release is sent. A churn ends with "number end". At the end of stdin
 * all end. PHP's crowd, workers/crowd.php, speaks the same.
 */
#include "crowd.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Ten thousand threads of the usual 8 MB are more than some machines let us have. Nothing here is deep. */
#define STACK_BYTES (128 * 1024)

typedef struct {
	crowd_place place;
	long pid;     /* of its process; 0 for a thread */
	sem_t orders; /* no descriptor: ten thousand connections leave no room for as many pipes */
	int churn_ms; /* what the order is; 0: one turn */
} waiter;

static long hold_us;

_Noreturn void crowd_fail(const char *what)
{
	fprintf(stderr, "crowd: %s\n", what);
	_exit(1);
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* In one write, since many share this pipe. */
static void say(const char *line)
{
	size_t len = strlen(line);

	if (write(STDOUT_FILENO, line, len) != (ssize_t)len)
		crowd_fail("nobody listens");
}

static void report(int number, int64_t began, int64_t acquired, int64_t released)
{
	char line[128];

	snprintf(line, sizeof(line), "%d %lld %lld %lld\n", number, (long long)began, (long long)acquired,
		(long long)released);
	say(line);
}

static void take_turn(void *lock, int number)
{
	int64_t began = now_ns(), acquired, released;
	struct timespec hold = { 0, hold_us * 1000 };

	crowd_acquire(lock);
	acquired = now_ns();
	nanosleep(&hold, NULL);
	released = now_ns();
	crowd_release(lock);
	report(number, began, acquired, released);
}

_Noreturn static void *wait_for_orders(void *arg)
{
	waiter *w = arg;
	void *lock = crowd_open(&w->place);
	char line[32];

	for (;;) {
		int64_t until;

		while (sem_wait(&w->orders) != 0)
			;
		until = now_ns() + (int64_t)w->churn_ms * 1000000;
		if (w->churn_ms == 0) {
			take_turn(lock, w->place.number);
			continue;
		}
		while (now_ns() < until)
			take_turn(lock, w->place.number);
		snprintf(line, sizeof(line), "%d end\n", w->place.number);
		say(line);
	}
}

static void start(waiter *w, int threads)
{
	pthread_attr_t attr;
	pthread_t thread;
	pid_t pid;

	sem_init(&w->orders, 1, 0);
	if (!threads) {
		pid = fork();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			wait_for_orders(w);
		}
		if (pid < 0)
			crowd_fail("no more processes");
		w->pid = pid;
		return;
	}
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	if (pthread_create(&thread, &attr, wait_for_orders, w) != 0)
		crowd_fail("no more threads");
	pthread_attr_destroy(&attr);
}

static void order(waiter *waiters, int from, int to, int churn_ms)
{
	for (int i = from; i < to; i++) {
		waiters[i].churn_ms = churn_ms;
		sem_post(&waiters[i].orders);
	}
}

static void lead(waiter *waiters, const crowd_place *place)
{
	void *lock = crowd_open(place);
	int64_t began = 0, acquired = 0, released;
	char line[128];
	int from, to, ms;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (strcmp(line, "hold\n") == 0) {
			began = now_ns();
			crowd_acquire(lock);
			acquired = now_ns();
			say("holding\n");
		} else if (strcmp(line, "go\n") == 0) {
			released = now_ns();
			crowd_release(lock);
			report(place->number, began, acquired, released);
		} else if (sscanf(line, "pid %d", &from) == 1) {
			snprintf(line, sizeof(line), "%ld\n", waiters[from].pid);
			say(line);
		} else if (sscanf(line, "wait %d %d", &from, &to) == 2) {
			order(waiters, from, to, 0);
		} else if (sscanf(line, "churn %d %d %d", &from, &to, &ms) == 3) {
			order(waiters, from, to, ms);
		} else {
			crowd_fail("unknown order");
		}
	}
}

int main(int argc, char **argv)
{
	struct rlimit files;
	crowd_place place;
	waiter *waiters;
	int threads, count;

	if (argc < 7 || (strcmp(argv[5], "tcp") == 0 && argc < 8))
		crowd_fail("usage: crowd processes|threads COUNT HOLD_US NAME tcp HOST PORT | unix PATH");
	threads = strcmp(argv[1], "threads") == 0;
	count = atoi(argv[2]);
	hold_us = atol(argv[3]);
	place = (crowd_place){ argv[6], argc > 7 ? atoi(argv[7]) : 0, argv[4], -1 };
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	/* Shared with the processes, for the semaphores. */
	waiters = mmap(NULL, (size_t)count * sizeof(*waiters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (waiters == MAP_FAILED)
		crowd_fail("out of memory");
	for (int i = 0; i < count; i++) {
		waiters[i].place = place;
		waiters[i].place.number = i;
		start(&waiters[i], threads);
	}
	lead(waiters, &place);
	_exit(0);
}
