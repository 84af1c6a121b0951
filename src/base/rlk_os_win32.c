/*
 * rlk_os on Windows. There is no fork, so "shared" needs nothing special.
 */
#include "base/rlk_os.h"

#include <windows.h>

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

void *rlk_os_map_shared(size_t size)
{
	return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void *rlk_os_map_private(size_t size)
{
	return rlk_os_map_shared(size);
}

void rlk_os_unmap(void *memory, size_t size)
{
	(void)size;
	VirtualFree(memory, 0, MEM_RELEASE);
}
