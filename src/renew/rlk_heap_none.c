/*
 * rlk_heap_none: where nothing can be kept out of a copy, or nothing is copied.
 */
#include "renew/rlk_heap.h"

#ifndef __linux__

/* Nobody tells. Windows starts threads of its own in every process. */
bool rlk_heap_has_one_thread(void)
{
	return false;
}

bool rlk_heap_collect(rlk_heap_ranges *ranges)
{
	ranges->count = 0;
	return false;
}

void rlk_heap_set_host(void (*tell)(rlk_heap_ranges *ranges))
{
	(void)tell;
}

void rlk_heap_add(rlk_heap_ranges *ranges, uintptr_t start, uintptr_t end)
{
	(void)ranges;
	(void)start;
	(void)end;
}

bool rlk_heap_collect_of_host(rlk_heap_ranges *ranges)
{
	ranges->count = 0;
	return false;
}

void rlk_heap_mark(const rlk_heap_ranges *ranges, bool leave_out)
{
	(void)ranges;
	(void)leave_out;
}

#endif
