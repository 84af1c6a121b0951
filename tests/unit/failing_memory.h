/*
 * failing_memory: lets an allocation fail. A test that uses it says
 *
 *     unit: add tests/unit/failing_memory.c
 *     unit: link -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -l:libhiredis.a
 *
 * in comments of one line each. Our sources and hiredis then allocate here; the C library itself does not.
 */
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <stdbool.h>

/* The k-th allocation of this thread from now on fails, once. 0: none does. */
void failing_memory_at(int k);

/* Has it come to that? */
bool failing_memory_failed(void);

#endif
