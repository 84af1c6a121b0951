/*
 * rlk_os on POSIX systems. Async-signal-safe but for the host name and rlk_os_become().
 *
 * Random bytes come from getrandom() where there is one, else from the device,
 * opened each time: daemons close descriptors they do not know, and another
 * file could then sit at our number.
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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) || defined(__FreeBSD__)
#include <sys/random.h>
#else
#define getrandom(to, len, flags) (errno = ENOSYS, (ssize_t)-1)
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

/* Reads from the device, or with a descriptor of -1 by getrandom(). Returns how many bytes are missing. */
static size_t fill_random(int device, unsigned char *to, size_t len)
{
	while (len > 0) {
		ssize_t got = device >= 0 ? read(device, to, len) : getrandom(to, len, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		to += got;
		len -= (size_t)got;
	}
	return len;
}

static bool read_device(unsigned char *to, size_t len)
{
	struct stat st;
	bool ok;
	int fd;

	do {
		fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return false;
	/* In a careless chroot it may be a plain file. */
	ok = fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && fill_random(fd, to, len) == 0;
	close(fd);
	return ok;
}

bool rlk_random_bytes(void *buf, size_t len)
{
	size_t missing = fill_random(-1, buf, len);

	if (missing == 0 || read_device((unsigned char *)buf + len - missing, missing))
		return true;
	memset(buf, 0, len);
	return false;
}

uint32_t rlk_random_spread(uint32_t bound)
{
	static _Thread_local uint64_t state;
	static _Thread_local pid_t seeded_in;
	pid_t pid = getpid();

	/* A forked copy with its parent's sequence would retry in step with it. */
	if (state == 0 || seeded_in != pid) {
		if (!rlk_random_bytes(&state, sizeof(state)) || state == 0)
			state = (((uint64_t)rlk_clock_now_ms() << 22) ^ (uint64_t)(uintptr_t)&state ^ ((uint64_t)pid << 1)) | 1;
		seeded_in = pid;
	}
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	/* Scales the upper half to the bound: even enough, without a division. */
	return (uint32_t)(((state >> 32) * bound) >> 32);
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
