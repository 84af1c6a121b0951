/*
 * shallow: dlopen() without RTLD_DEEPBIND, to be loaded before the address sanitizer's runtime.
 *
 * PHP loads extensions with that flag unless it was built with the sanitizer itself; the runtime refuses it, since
 * such a library would find the C library's malloc() before the runtime's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *file, int mode)
{
	void *(*next)(const char *, int);

	*(void **)&next = dlsym(RTLD_NEXT, "dlopen");
	return next(file, mode & ~RTLD_DEEPBIND);
}
