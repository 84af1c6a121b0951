/*
 * coverage_child: included before everything else in builds for scripts/long/coverage.sh, so that what the renewal child runs is
 * counted, too. It ends by _exit(), which writes no counters; and writing them takes the heap, of which it is given
 * none. The few tests of that fail in such a build.
 */
#ifndef COVERAGE_CHILD_H
#define COVERAGE_CHILD_H

#include <sys/mman.h>
#include <unistd.h>

extern void __gcov_dump(void);

static inline void coverage_exit(int status)
{
	__gcov_dump();
	_exit(status);
}

static inline int coverage_madvise(void *start, size_t size, int advice)
{
	return advice == MADV_DONTFORK ? 0 : madvise(start, size, advice);
}

#define _exit coverage_exit
#define madvise coverage_madvise

#endif
