/*
 * rlk_clock: reckoning with points in time. What the time is, the platform's file says.
 */
#include "base/rlk_clock.h"

#include <limits.h>

int64_t rlk_clock_add(int64_t from_ms, int64_t duration_ms)
{
	if (from_ms == RLK_NEVER || duration_ms == RLK_NEVER)
		return RLK_NEVER;
	if (duration_ms > 0 && from_ms > RLK_NEVER - duration_ms)
		return RLK_NEVER;
	if (duration_ms < 0 && from_ms < INT64_MIN - duration_ms)
		return INT64_MIN;
	return from_ms + duration_ms;
}

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
