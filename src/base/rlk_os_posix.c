/*
 * rlk_os on POSIX systems. Async-signal-safe but for the host name.
 */
#include "base/rlk_os.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

static void *map(size_t size, int sharing)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory != MAP_FAILED ? memory : NULL;
}

#ifdef MADV_WIPEONFORK
/* A page the kernel zeroes in every copy of the process, however the copy is made; fork handlers of the C library
 * would miss those made by a raw clone. NULL: not mapped yet, or refused. */
static atomic_long *_Atomic remembered_id;

static void remember_id(long id)
{
	atomic_long *page = map(sizeof(*page), MAP_PRIVATE), *none = NULL;

	if (page == NULL)
		return;
	atomic_store(page, id);
	if (madvise(page, sizeof(*page), MADV_WIPEONFORK) != 0 ||
		!atomic_compare_exchange_strong(&remembered_id, &none, page))
		munmap(page, sizeof(*page));
}

long rlk_os_process_id(void)
{
	static atomic_bool tried;
	atomic_long *page = atomic_load_explicit(&remembered_id, memory_order_acquire);
	long id = page != NULL ? atomic_load_explicit(page, memory_order_relaxed) : 0;

	if (id != 0)
		return id;
	id = (long)getpid();
	if (page != NULL)
		atomic_store(page, id);
	else if (!atomic_exchange(&tried, true))
		remember_id(id);
	return id;
}
#else
long rlk_os_process_id(void)
{
	return (long)getpid();
}
#endif

void rlk_os_host_name(char *name, size_t size)
{
	if (gethostname(name, size) != 0)
		name[0] = '\0';
	name[size - 1] = '\0';
}

void *rlk_os_map_shared(size_t size)
{
	return map(size, MAP_SHARED);
}

void *rlk_os_map_private(size_t size)
{
	return map(size, MAP_PRIVATE);
}

void rlk_os_unmap(void *memory, size_t size)
{
	munmap(memory, size);
}
