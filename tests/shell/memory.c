/*
 * memory.c: preloaded into PHP, lets one allocation of the extension fail, and tells what it has not freed at the end.
 *
 * Only calls from redislock.so count: those of PHP and of the libraries are theirs. FAIL_AT says which one fails, 0: none.
 * A forked copy, as the renewal child is, allocates as usual.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own names for them: dlsym() allocates. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *memory);

#define KEPT_MAX 8192

static struct {
	void *memory, *caller;
	size_t size;
} kept[KEPT_MAX];

static uintptr_t code_start, code_end;
static int count, fail_at;
static pid_t pid;

static int find_code(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (strstr(info->dlpi_name, "redislock.so") == NULL)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD || (info->dlpi_phdr[i].p_flags & PF_X) == 0)
			continue;
		code_start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		code_end = code_start + info->dlpi_phdr[i].p_memsz;
	}
	return 1;
}

/* PHP has modules prefer the C library's functions to those preloaded. */
void *dlopen(const char *file, int mode)
{
	void *(*real)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	void *module = real(file, mode & ~RTLD_DEEPBIND);

	if (code_start == 0 && dl_iterate_phdr(find_code, NULL) == 1) {
		fail_at = getenv("FAIL_AT") != NULL ? atoi(getenv("FAIL_AT")) : 0;
		pid = getpid();
	}
	return module;
}

static int is_ours(const void *caller)
{
	return code_start != 0 && (uintptr_t)caller >= code_start && (uintptr_t)caller < code_end && getpid() == pid;
}

static int fails(const void *caller)
{
	if (!is_ours(caller) || ++count != fail_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

static void *keep(void *memory, size_t size, void *caller)
{
	for (int i = 0; memory != NULL && is_ours(caller) && i < KEPT_MAX; i++) {
		if (kept[i].memory == NULL) {
			kept[i].memory = memory;
			kept[i].caller = caller;
			kept[i].size = size;
			break;
		}
	}
	return memory;
}

static void drop(const void *memory)
{
	for (int i = 0; code_start != 0 && memory != NULL && i < KEPT_MAX; i++) {
		if (kept[i].memory == memory)
			kept[i].memory = NULL;
	}
}

void *malloc(size_t size)
{
	void *caller = __builtin_return_address(0);

	return fails(caller) ? NULL : keep(__libc_malloc(size), size, caller);
}

void *calloc(size_t n, size_t size)
{
	void *caller = __builtin_return_address(0);

	return fails(caller) ? NULL : keep(__libc_calloc(n, size), n * size, caller);
}

void *realloc(void *old, size_t size)
{
	void *caller = __builtin_return_address(0), *memory;

	if (fails(caller))
		return NULL;
	memory = __libc_realloc(old, size);
	if (memory != NULL)
		drop(old);
	return keep(memory, size, caller);
}

void free(void *memory)
{
	drop(memory);
	__libc_free(memory);
}

__attribute__((destructor)) static void report(void)
{
	if (getpid() != pid)
		return;
	fprintf(stderr, "%d allocations\n", count);
	for (int i = 0; i < KEPT_MAX; i++) {
		if (kept[i].memory != NULL)
			fprintf(stderr, "not freed: %zu bytes by redislock.so+%#lx\n", kept[i].size,
				(unsigned long)((uintptr_t)kept[i].caller - code_start));
	}
}
