/*
 * process: makes the process of a C benchmark as large as a PHP process is, and tells the time.
 *
 * A program that cannot do its work says so and ends: the speed of something that failed is of no interest.
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096u

static inline void fail(const char *what)
{
	fprintf(stderr, "bench: %s%s%s\n", what, errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
	exit(1);
}

static inline int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline void write_pages(char *memory, size_t bytes, char with)
{
	for (size_t at = 0; at < bytes; at += PAGE)
		memory[at] = with;
}

static inline char *make_heap(size_t bytes)
{
	char *heap = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (heap == MAP_FAILED)
		fail("no memory for the heap");
	write_pages(heap, bytes, 1);
	return heap;
}

static inline long count_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	long lines = 0;
	int c;

	if (maps == NULL)
		fail("/proc/self/maps");
	while ((c = fgetc(maps)) != EOF)
		lines += c == '\n';
	fclose(maps);
	return lines;
}

/* Adds mappings until the process has that many, as the libraries of PHP do: pages of our own file, one in four of them
 * writable and written to. The kernel joins only neighbours whose places in the file follow one another. */
static inline void make_mappings(long wanted)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	for (long i = count_mappings(); i < wanted; i++) {
		bool data = i % 4 == 3;
		volatile char *page = mmap(NULL, PAGE, data ? PROT_READ | PROT_WRITE : PROT_READ, MAP_PRIVATE, fd, 0);

		if (page == MAP_FAILED)
			fail("no memory for the mappings");
		if (data)
			page[0] = 1;
		else
			(void)page[0];
	}
	close(fd);
}

#endif
