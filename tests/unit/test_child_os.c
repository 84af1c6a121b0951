/* unit: link -Wl,--wrap=syscall,--wrap=open */
/* unit: POSIX only: the renewal child is a fork */
/*
 * rlk_child_os_posix where a container's filter refuses the system calls it would rather use, or there is no /proc.
 */
#include "renew/rlk_child.h"

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool refuses_calls, refuses_proc, refuses_devices, has_none_left;
static int refused;
static volatile sig_atomic_t signals;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

long __wrap_syscall(long number, ...)
{
	long args[4] = { 0 };
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < (number == SYS_pidfd_send_signal ? 4 : 3); i++)
		args[i] = va_arg(ap, long);
	va_end(ap);
	if (refuses_calls && (number == SYS_close_range || number == SYS_pidfd_send_signal)) {
		refused++;
		errno = EPERM;
		return -1;
	}
	return __real_syscall(number, args[0], args[1], args[2], args[3]);
}

int __wrap_open(const char *path, int flags, ...)
{
	if ((refuses_proc && strncmp(path, "/proc/", 6) == 0) || (refuses_devices && strncmp(path, "/dev/", 5) == 0)) {
		refused++;
		errno = ENOENT;
		return -1;
	}
	return __real_open(path, flags, 0);
}

/* What a process says of itself once it has settled. */
typedef struct {
	int control, pidfd, others, standard, refused, at_root;
} report;

static void settle_and_report(int control, int pidfd)
{
	rlk_child_env env = { .control = control, .parent_pidfd = pidfd };
	char folder[16] = "";
	struct stat parents, standard;
	struct rlimit limit = { 901, 901 };
	report said;

	/* In and out of order, more than one read of the folder returns. */
	for (int i = 0; i < 400; i++)
		open("/dev/null", O_RDONLY);
	dup2(0, 900);
	for (int fd = 0; has_none_left && fd >= 0 && setrlimit(RLIMIT_NOFILE, &limit) == 0;)
		fd = dup(0);
	/* A listening socket, say, in a worker of FPM. */
	for (int fd = 0; fd <= 2; fd++)
		dup2(control, fd);
	fstat(control, &parents);
	rlk_child_isolate(&env);
	said = (report){ .control = env.control, .pidfd = env.parent_pidfd, .refused = refused };
	said.at_root = getcwd(folder, sizeof(folder)) != NULL && strcmp(folder, "/") == 0;
	for (int fd = 0; fd <= 2; fd++)
		said.standard += fstat(fd, &standard) == 0 && standard.st_ino == parents.st_ino;
	for (int fd = 0; fd < 1024; fd++)
		said.others += fd > 2 && fd != env.control && fd != env.parent_pidfd && fcntl(fd, F_GETFD) >= 0;
	_exit(write(env.control, &said, sizeof(said)) != sizeof(said));
}

static bool settle(bool with_pidfd, report *said)
{
	int fds[2], status;
	ssize_t n;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) != 0 || (pid = fork()) < 0)
		return false;
	if (pid == 0) {
		alarm(60);
		settle_and_report(fds[1], with_pidfd ? fds[0] : -1);
	}
	close(fds[1]);
	n = read(fds[0], said, sizeof(*said));
	close(fds[0]);
	return waitpid(pid, &status, 0) == pid && n == sizeof(*said) && status == 0;
}

static void nothing_of_the_parent_stays_open(void)
{
	static const struct {
		bool calls, proc, devices, full;
	} cases[] = { { .full = false }, { .calls = true }, { .calls = true, .proc = true }, { .devices = true },
		{ .full = true } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int with_pidfd = 0; with_pidfd <= 1; with_pidfd++) {
			report said;

			refuses_calls = cases[i].calls;
			refuses_proc = cases[i].proc;
			refuses_devices = cases[i].devices;
			has_none_left = cases[i].full;
			CHECK(settle(with_pidfd, &said));
			CHECK_INT(said.others, 0);
			CHECK_INT(said.standard, 0);
			CHECK_INT(said.control, 3);
			CHECK_INT(said.pidfd, with_pidfd ? 4 : -1);
			CHECK(said.at_root);
			CHECK(said.refused >= cases[i].calls + cases[i].proc + cases[i].devices);
		}
	}
	refuses_calls = refuses_proc = refuses_devices = has_none_left = false;
}

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

/* With and without the newer system call; not to whoever has adopted us. */
static void signals_the_parent(void)
{
	signal(SIGURG, on_signal);
	for (int refusing = 0; refusing <= 1; refusing++) {
		int status;
		pid_t pid;

		signals = 0;
		refuses_calls = refusing;
		fflush(stdout);
		pid = fork();
		CHECK(pid >= 0);
		if (pid == 0) {
			rlk_child_env env = { .parent_pid = getppid(), .parent_pidfd = -1 };

			env.parent_pidfd = (int)__real_syscall(SYS_pidfd_open, getppid(), 0);
			rlk_child_signal_parent(&env);
			env.parent_pid = 1 << 30;
			env.parent_pidfd = -1;
			rlk_child_signal_parent(&env);
			_exit(!rlk_child_parent_is_gone(&env));
		}
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		CHECK_INT(status, 0);
		CHECK_INT(signals, 1);
	}
	refuses_calls = false;
	signal(SIGURG, SIG_DFL);
}

static void a_timer_that_is_not_there_is_no_trouble(void)
{
	rlk_child_set_timer(-1, 5);
}

int main(void)
{
	RUN(nothing_of_the_parent_stays_open);
	RUN(signals_the_parent);
	RUN(a_timer_that_is_not_there_is_no_trouble);
	return unit_done();
}
