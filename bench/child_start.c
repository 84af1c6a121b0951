/*
 * child_start: what starting and ending a renewal child costs a process, and what its existence does.
 *
 *     child_start MEGABYTES MAPPINGS THREADS ROUNDS SOCKET
 *
 * The process has a touched heap of that many megabytes, at least so many mappings, and so many sleeping threads
 * besides. It starts and ends a child ROUNDS times. Prints
 *
 *     {"rounds": [[start, stop], ...], "faults": [without, beside], "private": kB}
 *
 * in nanoseconds. In even rounds the child is ended at once, in odd ones after it has settled. The page faults are those
 * of writing to every page of the heap, without a child and beside one that has settled; after that the child's
 * private memory is read.
 */
#include "child.h"

#include <pthread.h>
#include <sys/resource.h>

/* Longer than the child holds back for its parent and takes to settle, also on a busy machine. */
#define SETTLED_US 20000

static void *sleep_for_good(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void make_threads(long count)
{
	pthread_t thread;

	for (long i = 0; i < count; i++) {
		if (pthread_create(&thread, NULL, sleep_for_good, NULL) != 0)
			fail("no thread");
	}
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static long private_kilobytes(long pid)
{
	char path[64], line[256];
	long sum = 0, kilobytes;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/smaps_rollup", pid);
	file = fopen(path, "r");
	if (file == NULL)
		fail("the child is gone");
	while (fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "Private_%*[^:]: %ld kB", &kilobytes) == 1)
			sum += kilobytes;
	}
	fclose(file);
	return sum;
}

static void end(bench_child *b, int slot)
{
	rlk_renewal_close(&b->renewal, slot);
	rlk_renewal_disarm(&b->renewal, slot);
	rlk_renewal_stop(&b->renewal);
}

static void one_round(bench_child *b, long number)
{
	int64_t started = now_ns(), stopped;
	int slot = bench_child_hold(b, RLK_STR("bench:child_start"), 30000, 10000);

	started = now_ns() - started;
	if (number % 2 == 1)
		usleep(SETTLED_US);
	stopped = now_ns();
	end(b, slot);
	printf("%s[%lld, %lld]", number > 0 ? ", " : "", (long long)started, (long long)(now_ns() - stopped));
	/* At the end of any process valgrind writes what is in its buffers, and the next child would have a copy. */
	fflush(stdout);
}

static void look_at_memory(bench_child *b, char *heap, size_t bytes)
{
	long without = faults(), beside, kilobytes;
	int slot;

	write_pages(heap, bytes, 2);
	without = faults() - without;
	slot = bench_child_hold(b, RLK_STR("bench:child_start"), 30000, 10000);
	usleep(SETTLED_US);
	beside = faults();
	write_pages(heap, bytes, 3);
	beside = faults() - beside;
	kilobytes = private_kilobytes(b->renewal.worker.pid);
	end(b, slot);
	printf("], \"faults\": [%ld, %ld], \"private\": %ld}\n", without, beside, kilobytes);
}

int main(int argc, char **argv)
{
	static bench_child b;
	size_t bytes;
	char *heap;

	if (argc != 6)
		fail("usage: child_start MEGABYTES MAPPINGS THREADS ROUNDS SOCKET");
	bytes = strtoul(argv[1], NULL, 10) << 20;
	heap = make_heap(bytes);
	make_mappings(strtol(argv[2], NULL, 10));
	make_threads(strtol(argv[3], NULL, 10));
	bench_child_init(&b, argv[5]);
	printf("{\"rounds\": [");
	fflush(stdout);
	for (long i = 0; i < strtol(argv[4], NULL, 10); i++)
		one_round(&b, i);
	/* The last copy may have left the pages to be written to for the first time. */
	write_pages(heap, bytes, 1);
	look_at_memory(&b, heap, bytes);
	rlk_server_destroy(&b.server);
	return 0;
}
