/*
 * unit: a test harness of one page. Each tests/unit/test_*.c is a program:
 *
 *     #include "unit.h"
 *     static void adds(void) { CHECK_INT(1 + 1, 2); }
 *     int main(void) { RUN(adds); return unit_done(); }
 *
 * It prints TAP; a failed check names file, line and values, and ends only the
 * test function it is in.
 */
#ifndef UNIT_H
#define UNIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int unit_run, unit_failed;
static bool unit_ok;

#define CHECK(cond) \
	do { \
		if (!(cond)) { \
			printf("# %s:%d: not true: %s\n", __FILE__, __LINE__, #cond); \
			unit_ok = false; \
			return; \
		} \
	} while (0)

#define CHECK_INT(got, want) \
	do { \
		intmax_t unit_got = (intmax_t)(got), unit_want = (intmax_t)(want); \
		if (unit_got != unit_want) { \
			printf("# %s:%d: %s is %" PRIdMAX ", not %" PRIdMAX "\n", __FILE__, __LINE__, #got, unit_got, unit_want); \
			unit_ok = false; \
			return; \
		} \
	} while (0)

#define CHECK_STR(got, want) \
	do { \
		const char *unit_got = (got), *unit_want = (want); \
		if (unit_got == NULL || strcmp(unit_got, unit_want) != 0) { \
			printf("# %s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #got, \
				unit_got != NULL ? unit_got : "(null)", unit_want); \
			unit_ok = false; \
			return; \
		} \
	} while (0)

#define RUN(test) \
	do { \
		unit_ok = true; \
		test(); \
		unit_run++; \
		if (!unit_ok) \
			unit_failed++; \
		printf("%sok %d - %s\n", unit_ok ? "" : "not ", unit_run, #test); \
		fflush(stdout); \
	} while (0)

/* For a test that Windows has no way to run, within #ifndef _WIN32 itself. */
#ifdef _WIN32
#define RUN_POSIX(test, why) printf("ok %d - %s # SKIP %s\n", ++unit_run, #test, why)
#else
#define RUN_POSIX(test, why) RUN(test)
#endif

static inline int unit_done(void)
{
	printf("1..%d\n", unit_run);
	return unit_failed != 0;
}

#endif
