/*
 * rlk_os on POSIX systems. Async-signal-safe but for the host name and rlk_os_become().
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* execvpe() */
#endif

#include "base/rlk_os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) || defined(__APPLE__)
#include <sys/random.h>
#endif

#ifdef __APPLE__
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#elif !defined(__linux__)
extern char **environ;
#endif

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif

int64_t rlk_clock_now_ms(void)
{
	struct timespec now;

#ifdef CLOCK_BOOTTIME
	/* Some sandboxes and emulated kernels refuse it. They refuse it every time, so a process never changes clocks. */
	if (clock_gettime(CLOCK_BOOTTIME, &now) != 0)
#endif
		clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The most that getentropy() gives at once. */
#define ENTROPY_MAX 256

bool rlk_random_bytes(void *buf, size_t len)
{
	unsigned char *to = buf;

	for (size_t left = len, part; left > 0; left -= part, to += part) {
		part = left < ENTROPY_MAX ? left : ENTROPY_MAX;
		if (getentropy(to, part) == 0)
			continue;
		memset(buf, 0, len);
		return false;
	}
	return true;
}

uint32_t rlk_random_spread(uint32_t bound)
{
	uint32_t number;

	rlk_random_bytes(&number, sizeof(number));
	/* Scales to the bound: even enough, without a division. */
	return (uint32_t)(((uint64_t)number * bound) >> 32);
}

/* Where PHP loads its modules with RTLD_DEEPBIND, `environ` may be another variable than the one the C library reads. */
static void become_with(const char *program, char *const argv[], char **env)
{
#ifdef __linux__
	execvpe(program, argv, env);
#else
	char **present = environ;

	environ = env;
	execvp(program, argv);
	environ = present;
#endif
}

int rlk_os_become(const char *program, char *const argv[], char **env)
{
	struct sigaction before, usual = { .sa_handler = SIG_DFL };
	bool ignores = sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
	int error;

	if (ignores)
		sigaction(SIGPIPE, &usual, NULL);
	if (env != NULL)
		become_with(program, argv, env);
	else
		execvp(program, argv);
	error = errno;
	if (ignores)
		sigaction(SIGPIPE, &before, NULL);
	return error;
}

int rlk_os_above_standard(int fd)
{
	int moved, error;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	error = errno;
	close(fd);
	errno = error;
	return moved;
}

bool rlk_os_pair_open(int fds[2])
{
	int type = SOCK_STREAM;

#ifdef SOCK_CLOEXEC
	type |= SOCK_CLOEXEC;
#endif
	if (socketpair(AF_UNIX, type, 0, fds) != 0) {
		fds[0] = fds[1] = -1;
		return false;
	}
	for (int i = 0; i < 2; i++) {
		fds[i] = rlk_os_above_standard(fds[i]);
#ifndef SOCK_CLOEXEC
		fcntl(fds[i], F_SETFD, FD_CLOEXEC);
#endif
#ifdef SO_NOSIGPIPE
		setsockopt(fds[i], SOL_SOCKET, SO_NOSIGPIPE, &(int){ 1 }, sizeof(int));
#endif
	}
	if (fds[0] >= 0 && fds[1] >= 0)
		return true;
	rlk_os_pair_close(fds); /* which leaves errno alone */
	return false;
}

void rlk_os_pair_close(int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

void *rlk_os_map(size_t size, bool shared)
{
	int flags = (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE;
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);

	return memory != MAP_FAILED ? memory : NULL;
}

#ifdef MADV_WIPEONFORK
/* A page that the kernel zeroes in every copy of the process; pthread_atfork() would miss a raw clone. NULL: not mapped
 * yet, or refused. */
static atomic_long *_Atomic cached_id;

static void cache_id(long id)
{
	atomic_long *page = rlk_os_map(sizeof(*page), false), *none = NULL;

	if (page == NULL)
		return;
	atomic_store(page, id);
	if (madvise(page, sizeof(*page), MADV_WIPEONFORK) != 0 || !atomic_compare_exchange_strong(&cached_id, &none, page))
		munmap(page, sizeof(*page));
}

static __attribute__((noinline)) long ask_process_id(atomic_long *page)
{
	static atomic_bool tried;
	long id = (long)getpid();

	if (page != NULL)
		atomic_store(page, id);
	else if (!atomic_exchange(&tried, true))
		cache_id(id);
	return id;
}

long rlk_os_process_id(void)
{
	atomic_long *page = atomic_load_explicit(&cached_id, memory_order_acquire);
	long id = page != NULL ? atomic_load_explicit(page, memory_order_relaxed) : 0;

	return id != 0 ? id : ask_process_id(page);
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

void rlk_os_unmap(void *memory, size_t size)
{
	munmap(memory, size);
}
