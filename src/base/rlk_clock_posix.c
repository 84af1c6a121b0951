/*
 * rlk_clock on POSIX systems.
 */
#include "base/rlk_clock.h"

#include <time.h>

int64_t rlk_clock_now_ms(void)
{
	struct timespec now;

#ifdef CLOCK_BOOTTIME
	/* Refused by some sandboxes and emulated kernels. They refuse it every time, so the clock never changes
	 * under a process. */
	if (clock_gettime(CLOCK_BOOTTIME, &now) != 0)
#endif
		clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
