/*
 * exit: included before everything else in builds for scripts/coverage.sh. What a process that ends by _exit(), as
 * the renewal child does, has run is counted, too.
 */
#ifndef COVERAGE_EXIT_H
#define COVERAGE_EXIT_H

#include <unistd.h>

extern void __gcov_dump(void);

static inline void coverage_exit(int status)
{
	__gcov_dump();
	_exit(status);
}

#define _exit coverage_exit

#endif
