/*
 * fake_clock: see the header.
 */
#include "fake_clock.h"

#include <limits.h>

static int64_t current_ms = FAKE_CLOCK_START_MS;
static int64_t tick_ms;

void fake_clock_set(int64_t now_ms)
{
	current_ms = now_ms;
}

void fake_clock_advance(int64_t by_ms)
{
	current_ms += by_ms;
}

void fake_clock_tick(int64_t by_ms)
{
	tick_ms = by_ms;
}

int64_t rlk_clock_now_ms(void)
{
	int64_t now_ms = current_ms;

	current_ms += tick_ms;
	return now_ms;
}

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
	now_ms = rlk_clock_now_ms();
	if (at_ms <= now_ms)
		return 0;
	return at_ms - now_ms > INT_MAX ? INT_MAX : (int)(at_ms - now_ms);
}
