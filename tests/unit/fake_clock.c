/*
 * fake_clock: see the header.
 */
#include "fake_clock.h"

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

int64_t __wrap_rlk_clock_now_ms(void);
int64_t __wrap_rlk_clock_now_ms(void)
{
	int64_t now_ms = current_ms;

	current_ms += tick_ms;
	return now_ms;
}
