/*
 * rlk_clock on Windows.
 *
 * The interrupt time goes on while the machine sleeps, as the server's TTLs
 * do; its unbiased sister and QueryPerformanceCounter() need not. The precise
 * variant came with Windows 10. GetTickCount64() counts the same time in steps
 * of up to 16 ms and stands in for it before that.
 */
#include "base/rlk_clock.h"

#include <limits.h>
#include <windows.h>

typedef VOID(WINAPI *interrupt_time_fn)(PULONGLONG);

int64_t rlk_clock_now_ms(void)
{
	/* Two threads may both look the function up; they find the same one. */
	static interrupt_time_fn volatile precise;
	static volatile LONG looked_up;
	interrupt_time_fn query;
	ULONGLONG ticks;

	if (!looked_up) {
		HMODULE module = GetModuleHandleA("kernelbase.dll");

		if (module != NULL)
			precise = (interrupt_time_fn)(void *)GetProcAddress(module, "QueryInterruptTimePrecise");
		InterlockedExchange(&looked_up, 1);
	}
	query = precise;
	if (query == NULL)
		return (int64_t)GetTickCount64();
	query(&ticks);
	return (int64_t)(ticks / 10000); /* from units of 100 ns */
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
