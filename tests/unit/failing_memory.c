/*
 * failing_memory: see the header.
 */
#include "failing_memory.h"

#include <stddef.h>

/* Of the one thread that asked: servers that tests run beside it are to go on. */
static _Thread_local int left;
static _Thread_local bool failed;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);

void failing_memory_at(int k)
{
	left = k;
	failed = false;
}

bool failing_memory_failed(void)
{
	return failed;
}

static bool fails(void)
{
	if (left == 0 || --left > 0)
		return false;
	failed = true;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *data, size_t size)
{
	return fails() ? NULL : __real_realloc(data, size);
}
