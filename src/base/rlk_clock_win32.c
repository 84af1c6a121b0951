/*
 * rlk_clock on Windows.
 *
 * The interrupt time goes on while the machine sleeps, as the server's TTLs
 * do; its unbiased sister and QueryPerformanceCounter() need not. The precise
 * variant came with Windows 10. GetTickCount64() counts the same time in steps
 * of up to 16 ms and stands in for it before that.
 */
#include "base/rlk_clock.h"

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
