/*
 * rlk_child_os_posix: the system calls of the child.
 *
 * System calls newer than the oldest C library that we support are called by number. Each has a fallback, since a
 * container's seccomp filter may refuse it.
 */
#include "renew/rlk_child.h"
#include "renew/rlk_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#ifdef RLK_HAS_CLONE
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#endif

#define CONTROL_FD 3
#define PIDFD_FD 4
#define FIRST_FOREIGN_FD 5

/* The shortest slice that Linux grants. */
#define SLICE_NS 100000

static void ignore_signals(void)
{
	struct sigaction action = { 0 };
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++) {
		bool crash = sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE || sig == SIGABRT;

		action.sa_handler = crash ? SIG_DFL : SIG_IGN;
		sigaction(sig, &action, NULL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

#ifdef RLK_HAS_CLONE
struct dirent64_header {
	uint64_t inode;
	int64_t offset;
	unsigned short size;
	unsigned char type;
	char name[];
};

static int parse_fd(const char *name)
{
	int fd = 0;

	if (*name < '0' || *name > '9')
		return -1;
	for (; *name >= '0' && *name <= '9'; name++)
		fd = fd * 10 + (*name - '0');
	return fd;
}

/* Reads the directory by system call, since opendir() allocates. Closing while reading may skip entries, so it is read
 * until no descriptor is left to close. */
static bool close_listed(int from)
{
	_Alignas(8) char entries[4096];
	bool found = true;

	while (found) {
		int dir = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		long n;

		if (dir < 0)
			return false;
		found = false;
		while ((n = syscall(SYS_getdents64, dir, entries, sizeof(entries))) > 0) {
			for (long at = 0; at < n; at += ((struct dirent64_header *)(void *)(entries + at))->size) {
				int fd = parse_fd(((struct dirent64_header *)(void *)(entries + at))->name);

				/* Valgrind lists its own descriptors, too, and does not close them. */
				if (fd >= from && fd != dir && close(fd) == 0)
					found = true;
			}
		}
		close(dir);
	}
	return true;
}
#endif

static void close_from(int from)
{
	long max;

#ifdef SYS_close_range
	if (syscall(SYS_close_range, from, ~0u, 0) == 0)
		return;
#endif
#ifdef RLK_HAS_CLONE
	if (close_listed(from))
		return;
#endif
	max = sysconf(_SC_OPEN_MAX);
	if (max < 0 || max > 65536)
		max = 65536;
	for (int fd = from; fd < max; fd++)
		close(fd);
}

/* Without /dev, as in a chroot, the root folder serves: nothing is read from it or written to it either. */
static void replace_standard_descriptors(void)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0)
		null = open("/", O_RDONLY);
	for (int fd = 0; fd <= 2; fd++) {
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	}
	if (null > 2)
		close(null);
}

/* A descriptor of the parent would keep its listening socket, its log or its flock() alive in the child. */
static void keep_two_descriptors(rlk_child_env *env)
{
	/* By way of the standard ones, where neither is: their new numbers may be in use, also by each other, and the parent may have
	 * left none free. */
	dup2(env->control, STDIN_FILENO);
	env->parent_pidfd = dup2(env->parent_pidfd, STDOUT_FILENO);
	env->control = dup2(STDIN_FILENO, CONTROL_FD);
	if (env->parent_pidfd >= 0)
		env->parent_pidfd = dup2(STDOUT_FILENO, PIDFD_FD);
	else
		close(PIDFD_FD);
	close_from(FIRST_FOREIGN_FD);
	replace_standard_descriptors(); /* there is room for one more now */
}

#ifdef RLK_HAS_CLONE
/* Fields 48 and 49 of /proc/self/stat: where the argument strings begin and end. Counted from the last ")", since the second
 * field may hold anything. */
static bool find_arguments(char **start, char **end)
{
	char text[2048];
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC), field = 2;
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	uintptr_t values[2] = { 0, 0 };
	const char *p = NULL;

	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i < n; i++) {
		if (text[i] == ')')
			p = text + i + 1;
	}
	if (p == NULL)
		return false;
	text[n] = '\0';
	for (; *p != '\0'; p++) {
		if (*p == ' ')
			field++;
		else if ((field == 48 || field == 49) && *p >= '0' && *p <= '9')
			values[field - 48] = values[field - 48] * 10 + (uintptr_t)(*p - '0');
	}
	*start = (char *)values[0];
	*end = (char *)values[1];
	return values[0] != 0 && values[1] > values[0];
}

/* Sets the name that ps shows, in the child's own copy of the argument strings. */
static void set_title(void)
{
	static const char title[] = "redislock: renew";
	char *start, *end;

	prctl(PR_SET_NAME, "redislock:renew", 0, 0, 0);
	if (!find_arguments(&start, &end))
		return;
	for (size_t i = 0; start + i < end; i++)
		start[i] = i < sizeof(title) - 1 ? title[i] : '\0';
}
#else
static void set_title(void)
{
}
#endif

void rlk_child_isolate(rlk_child_env *env)
{
	ignore_signals();
	keep_two_descriptors(env);
	/* Leaves the directory, so that no file system is busy. A failure does no harm. */
	if (chdir("/") != 0)
		errno = 0;
	set_title();
}

void rlk_child_signal_parent(const rlk_child_env *env)
{
	if (env->parent_pid == 0) {
		env->notify();
		return;
	}
#ifdef SYS_pidfd_send_signal
	if (env->parent_pidfd >= 0 && syscall(SYS_pidfd_send_signal, env->parent_pidfd, SIGURG, NULL, 0) == 0)
		return;
#endif
	if (rlk_copy_knows_parent(env->parent_pid, env->control))
		kill((pid_t)env->parent_pid, SIGURG);
	else
		rlk_pair_tell(env->control, RLK_WORKER_TELL);
}

bool rlk_child_signal_program(const rlk_child_env *env, int signal)
{
#ifdef SYS_pidfd_send_signal
	return env->parent_pidfd >= 0 && syscall(SYS_pidfd_send_signal, env->parent_pidfd, signal, NULL, 0) == 0;
#else
	(void)env;
	(void)signal;
	return false;
#endif
}

bool rlk_child_parent_is_gone(const rlk_child_env *env)
{
	return env->parent_pid != 0 && rlk_copy_is_orphaned(env->parent_pid, env->control);
}

int rlk_child_open_timer(void)
{
#if defined(RLK_HAS_CLONE) && defined(CLOCK_BOOTTIME)
	return rlk_os_above_standard(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK));
#else
	return -1;
#endif
}

void rlk_child_set_timer(int timer, int64_t at_ms)
{
#if defined(RLK_HAS_CLONE) && defined(CLOCK_BOOTTIME)
	struct itimerspec when = { 0 };

	if (timer < 0)
		return;
	if (at_ms != RLK_NEVER) {
		/* Zero would disarm the timer; a time in the past fires at once. */
		when.it_value.tv_sec = (time_t)(at_ms / 1000);
		when.it_value.tv_nsec = (long)(at_ms % 1000) * 1000000L + 1;
	}
	timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
#else
	(void)timer;
	(void)at_ms;
#endif
}

void rlk_child_set_urgent(bool urgent)
{
#if defined(RLK_HAS_CLONE) && defined(SYS_sched_setattr)
	/* Of sched_setattr(2), for which older C libraries have no name. */
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attributes = { 0 };

	/* A filter may end a process that calls it. */
	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0 ||
		syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) != 0 || attributes.policy != SCHED_OTHER)
		return;
	attributes.runtime = urgent ? SLICE_NS : 0;
	syscall(SYS_sched_setattr, 0, &attributes, 0);
#else
	(void)urgent;
#endif
}
