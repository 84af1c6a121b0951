/*
 * rlk_clock: reckoning with points in time. What the time is, the platform's file says.
 */
#include "base/rlk_clock.h"

#include <limits.h>

int rlk_clock_poll_timeout(int64_t at_ms)
{
	int64_t now_ms;

	if (at_ms == RLK_NEVER)
		return -1;
	/* Both are rounded down, so the wait ends at the point or up to 1 ms behind it, never before. */
	now_ms = rlk_clock_now_ms();
	if (at_ms <= now_ms)
		return 0;
	return at_ms - now_ms > INT_MAX ? INT_MAX : (int)(at_ms - now_ms);
}
