/*
 * rlk_heap_win32: there is no fork, so nothing has to be kept out of a copy.
 */
#include "renew/rlk_heap.h"

/* Windows starts threads of its own in every process. */
bool rlk_heap_has_one_thread(void)
{
	return false;
}
