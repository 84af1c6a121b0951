/*
 * rlk_spawn_posix: see the header.
 *
 * The child is copied by a raw clone with SIGURG as its exit signal. A child
 * whose exit signal is not SIGCHLD is invisible to wait(), pcntl_wait() and
 * SIGCHLD handlers of the application, and its death reaches us by the same
 * handler as its reports. SIGURG is ignored by default and unused by PHP.
 * Systems without clone get a plain fork, which the application can see.
 */
#include "renew/rlk_spawn.h"

#include "base/rlk_os.h"
#include "renew/rlk_child.h"
#include "renew/rlk_child_os.h"
#include "renew/rlk_heap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
# include <sys/syscall.h>
#endif
#ifndef __WALL
# define __WALL 0
#endif
#ifndef MSG_NOSIGNAL
# define MSG_NOSIGNAL 0
#endif

/* Children left to finish their releases alone are reaped in passing; more than these are not left but killed. */
#define LEFT_MAX 8

/* How long a child that was asked to end may take before it is killed. */
#define STOP_WITHIN_MS 200

/* Signal handlers are per process, hence so is this. */
static struct {
	void (*_Atomic notify)(void);
	struct sigaction previous;
	bool installed;
} urgent;
static long left_alone[LEFT_MAX];

static void on_sigurg(int sig, siginfo_t *info, void *context)
{
	int saved_errno = errno;
	void (*notify)(void) = atomic_load(&urgent.notify);

	if (notify != NULL)
		notify();
	/* Somebody else's SIGURG (urgent data on a socket) looks the same from here: pass everything on. */
	if ((urgent.previous.sa_flags & SA_SIGINFO) != 0)
		urgent.previous.sa_sigaction(sig, info, context);
	else if (urgent.previous.sa_handler != SIG_DFL && urgent.previous.sa_handler != SIG_IGN)
		urgent.previous.sa_handler(sig);
	errno = saved_errno;
}

static bool install_handler(void (*notify)(void))
{
	struct sigaction action, current;

	atomic_store(&urgent.notify, notify);
	if (urgent.installed)
		return true;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_sigurg;
	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGURG, NULL, &current) != 0)
		return false;
	urgent.previous = current; /* before the handler can run */
	urgent.installed = sigaction(SIGURG, &action, NULL) == 0;
	return urgent.installed;
}

void rlk_spawn_restore_signal(void)
{
	struct sigaction current;

	/* Only if it is still ours: the application may have set a handler since. */
	if (urgent.installed && sigaction(SIGURG, NULL, &current) == 0 && (current.sa_flags & SA_SIGINFO) != 0 &&
		current.sa_sigaction == on_sigurg)
		sigaction(SIGURG, &urgent.previous, NULL);
	urgent.installed = false;
	atomic_store(&urgent.notify, NULL);
}

static int open_pidfd(long pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by definition */
#else
	(void)pid;
	return -1;
#endif
}

static long copy_process(void)
{
#if defined(__linux__) && defined(SYS_clone)
# if defined(__s390x__) || defined(__CRIS__)
	return syscall(SYS_clone, 0, SIGURG, NULL, NULL, 0);
# else
	return syscall(SYS_clone, SIGURG, 0, NULL, NULL, 0);
# endif
#else
	return (long)fork();
#endif
}

/* Copies the process with its big mappings left out. All signals are blocked, so no handler of the application
 * runs in between. */
static long copy_lightly(void)
{
	static rlk_heap_ranges ranges; /* too large for the stack of a fiber */
	bool leave_out = rlk_heap_collect(&ranges);
	long pid;

	if (leave_out)
		rlk_heap_mark(&ranges, true);
	pid = copy_process();
	if (leave_out && pid != 0)
		rlk_heap_mark(&ranges, false);
	return pid;
}

static bool failed(rlk_spawned *child, int fds[2], int parent_pidfd, const char *what, rlk_error *err)
{
	int sys_errno = errno;
	char text[96];

	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	if (parent_pidfd >= 0)
		close(parent_pidfd);
	*child = (rlk_spawned)RLK_SPAWNED_INIT;
	rlk_error_set(err, RLK_ERR_RENEWAL, sys_errno, "the renewal child could not be started: %s: %s", what,
		rlk_error_strerror(sys_errno, text, sizeof(text)));
	return false;
}

static bool open_pair(int fds[2])
{
	int type = SOCK_SEQPACKET;

#ifdef SOCK_CLOEXEC
	type |= SOCK_CLOEXEC;
#endif
#ifdef __APPLE__
	type = SOCK_DGRAM; /* has no SEQPACKET for unix sockets */
#endif
	if (socketpair(AF_UNIX, type, 0, fds) != 0)
		return false;
#ifndef SOCK_CLOEXEC
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
#endif
	return true;
}

bool rlk_spawn_start(rlk_spawned *child, rlk_area *area, void (*notify)(void), rlk_error *err)
{
	rlk_child_env env = { area, rlk_os_process_id(), -1, -1 };
	int fds[2] = { -1, -1 };
	sigset_t all, before;
	long pid;

	if (!open_pair(fds))
		return failed(child, fds, -1, "socketpair", err);
	if (!install_handler(notify))
		return failed(child, fds, -1, "sigaction", err);
	env.control = fds[1];
	env.parent_pidfd = open_pidfd(env.parent_pid);

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = copy_lightly();
	if (pid == 0) {
		rlk_child_settle(&env);
		rlk_child_run(&env);
		_exit(0);
	}
	if (pid > 0) {
		child->pid = pid;
		child->pidfd = open_pidfd(pid);
		child->control = fds[0];
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return failed(child, fds, env.parent_pidfd, "clone", err);
	close(fds[1]);
	if (env.parent_pidfd >= 0)
		close(env.parent_pidfd);
	return true;
}

static void tell(const rlk_spawned *child, char message)
{
	/* A full socket means that the child has a wake-up to read already. */
	if (child->control >= 0)
		(void)!send(child->control, &message, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void rlk_spawn_wake(const rlk_spawned *child)
{
	tell(child, RLK_CHILD_WAKE);
}

void rlk_spawn_forget(rlk_spawned *child)
{
	if (child->control >= 0)
		close(child->control);
	if (child->pidfd >= 0)
		close(child->pidfd);
	*child = (rlk_spawned)RLK_SPAWNED_INIT;
}

/* WNOHANG or 0. An application that reaped it by waitpid(pid, ..., __WALL) leaves ECHILD: it is gone as well. */
static bool reap(long pid, int flags)
{
	int status;
	pid_t got;

	do {
		got = waitpid((pid_t)pid, &status, __WALL | flags);
	} while (got < 0 && errno == EINTR);
	return got != 0;
}

/* Reaps those that have ended. Returns a place for another one, NULL: there is none. */
static long *reap_left_alone(void)
{
	long *place = NULL;

	for (int i = 0; i < LEFT_MAX; i++) {
		if (left_alone[i] != 0 && reap(left_alone[i], WNOHANG))
			left_alone[i] = 0;
		if (left_alone[i] == 0)
			place = &left_alone[i];
	}
	return place;
}

bool rlk_spawn_is_alive(rlk_spawned *child)
{
	if (child->pid == 0)
		return false;
	if (!reap(child->pid, WNOHANG))
		return true;
	rlk_spawn_forget(child);
	return false;
}

/* Waits for its end by its pidfd, or, where there is none, by looking each millisecond. */
static bool ended_within(const rlk_spawned *child, int limit_ms)
{
	struct pollfd p = { .fd = child->pidfd, .events = POLLIN };

	for (int waited_ms = 0; waited_ms < limit_ms; waited_ms++) {
		int n = poll(&p, 1, child->pidfd >= 0 ? limit_ms : 1);

		if (n > 0)
			return reap(child->pid, 0);
		if (reap(child->pid, WNOHANG))
			return true;
		if (n == 0 && child->pidfd >= 0)
			return false;
	}
	return false;
}

void rlk_spawn_stop(rlk_spawned *child, bool leave_it)
{
	long *place = reap_left_alone();
	sigset_t urg, before;

	sigemptyset(&urg);
	sigaddset(&urg, SIGURG);
	pthread_sigmask(SIG_BLOCK, &urg, &before);
	tell(child, RLK_CHILD_QUIT);
	if (leave_it && place != NULL) {
		*place = child->pid;
	} else if (!ended_within(child, STOP_WITHIN_MS)) {
		kill((pid_t)child->pid, SIGKILL);
		reap(child->pid, 0);
	}
	rlk_spawn_forget(child);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
