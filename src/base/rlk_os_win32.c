/*
 * rlk_os on Windows. There is no fork, so shared memory needs nothing special.
 */
#include "base/rlk_os.h"

#include <errno.h>
#include <string.h>
#include <windows.h>
/* After windows.h, whose types it uses. */
#include <bcrypt.h>

typedef VOID(WINAPI *interrupt_time_fn)(PULONGLONG);

/* The interrupt time goes on while the machine sleeps, as the server's TTLs do; its unbiased sister and
 * QueryPerformanceCounter() need not. The precise variant came with Windows 10. Before that GetTickCount64() counts the
 * same time in steps of up to 16 ms. */
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

bool rlk_random_bytes(void *buf, size_t len)
{
	unsigned char *to = buf;
	size_t left = len;

	while (left > 0) {
		ULONG part = left > 0x10000 ? 0x10000 : (ULONG)left;

		if (BCryptGenRandom(NULL, to, part, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) {
			memset(buf, 0, len);
			return false;
		}
		to += part;
		left -= part;
	}
	return true;
}

uint32_t rlk_random_spread(uint32_t bound)
{
	uint32_t number;

	rlk_random_bytes(&number, sizeof(number));
	return (uint32_t)(((uint64_t)number * bound) >> 32);
}

long rlk_os_process_id(void)
{
	return (long)GetCurrentProcessId();
}

void rlk_os_host_name(char *name, size_t size)
{
	DWORD length = (DWORD)size;

	if (!GetComputerNameExA(ComputerNameDnsHostname, name, &length))
		name[0] = '\0';
}

int rlk_os_become(const char *program, char *const argv[], char **env)
{
	(void)program;
	(void)argv;
	(void)env;
	return ENOSYS;
}

void *rlk_os_map(size_t size, bool shared)
{
	(void)shared;
	return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void rlk_os_unmap(void *memory, size_t size)
{
	(void)size;
	VirtualFree(memory, 0, MEM_RELEASE);
}
