/*
 * rlk_heap_win32: there is no fork, so nothing has to be kept out of a copy.
 */
#include "renew/rlk_heap.h"

/* Windows starts threads of its own in every process. */
bool rlk_heap_has_one_thread(void)
{
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
