/*
 * rlk_process_posix: the renewal child as a process. rlk_copy makes it, and notices its end.
 */
#include "renew/rlk_backend.h"

#include "net/rlk_tls.h"
#include "renew/rlk_child.h"
#include "renew/rlk_copy.h"
#include "renew/rlk_heap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef RLK_HAS_CLONE
#include <sys/syscall.h>
#endif
#ifndef __WALL
#define __WALL 0
#endif

/* The idle child has the first place, and those that finish their releases alone have the others. */
#define UNATTENDED_MAX 9

/* How long a child that was asked to end may take before it is killed. */
#define STOP_CHILD_WITHIN_MS 200

/* How long a new child leaves the processors to its parent, which has its first reply well before that. */
#define PARENT_FIRST_MS 2

/* The ids of children that end by themselves. Our signal handler reaps them: the parent may wait for the next request for hours.
 * Whoever takes an id from here reaps the child. */
static _Atomic long unattended[UNATTENDED_MAX];
static void (*_Atomic host_notify)(void);

/* The identity that decides which files a child sees, and which processes it may signal. */
typedef struct {
	uint64_t uid, euid, egid, root_device, root; /* no padding, for memcmp() */
} identity;

static identity started_as;

static identity who_we_are(void)
{
	struct stat root;

	if (stat("/", &root) != 0)
		root.st_dev = root.st_ino = 0;
	return (identity){ getuid(), geteuid(), getegid(), (uint64_t)root.st_dev, root.st_ino };
}

static int open_pidfd(long pid)
{
#ifdef SYS_pidfd_open
	return rlk_os_above_standard((int)syscall(SYS_pidfd_open, pid, 0)); /* close-on-exec by definition */
#else
	(void)pid;
	return -1;
#endif
}

/* Copies the process without its large mappings; with the heap, without the memory of the host alone. All signals are
 * blocked, so no handler of the application runs meanwhile. The memory of the child is mapped too late to be left out. */
static long copy(rlk_child_env *env, bool with_heap)
{
	static rlk_heap_ranges ranges; /* too large for the stack of a fiber */
	bool leave_out = rlk_heap_collect(&ranges, with_heap);
	long pid;

	env->memory = rlk_os_map(rlk_child_size(), false);
	if (env->memory == NULL)
		return -1;
	if (leave_out)
		rlk_heap_mark(&ranges, true);
	pid = rlk_copy_make();
	if (leave_out && pid != 0)
		rlk_heap_mark(&ranges, false);
	return pid;
}

/* In the child: the id of the parent. If the parent has died, another process may have this id by now. */
static int open_parent(const rlk_child_env *env)
{
	int pidfd = open_pidfd(env->parent_pid);

	if (pidfd < 0 || rlk_copy_knows_parent(env->parent_pid, env->control))
		return pidfd;
	close(pidfd);
	return -1;
}

/* In the child. After pcntl_unshare(CLONE_NEWPID) it is in another namespace of processes, where its parent has no id
 * to be signalled by. A byte at the parent's end of the pair signals the parent then. */
static void have_parent_signalled(const rlk_child_env *env, int parents_end)
{
#ifdef F_SETSIG
	if (!rlk_copy_knows_parent(env->parent_pid, env->control) && fcntl(parents_end, F_SETSIG, SIGURG) == 0)
		fcntl(parents_end, F_SETFL, O_ASYNC);
#else
	(void)env;
	(void)parents_end;
#endif
}

/* In the child. Isolating it takes a hundred system calls. Right after the clone the parent and the server need the
 * processors for the command that acquires the lock, and no renewal is due for long. A message or the end of the parent
 * ends the pause. The price: what the parent closes meanwhile stays open in the child for that long.
 *
 * The child stays in the session: Linux (sched_autogroup) shares the processors between sessions, and a sleeper in a session
 * of its own was seen waiting for seconds while another session kept all of them busy.
 *
 * false: the parent, a short job, already waits for the end of the child. */
static bool let_parent_go_first(const rlk_child_env *env, int parents_end)
{
	struct pollfd fds[2] = { { .fd = env->control, .events = POLLIN }, { .fd = env->parent_pidfd, .events = POLLIN } };
	char message;

	close(parents_end); /* as long as this process has it, the parent's end does not show */
	return poll(fds, 2, PARENT_FIRST_MS) <= 0 || recv(env->control, &message, 1, MSG_PEEK | MSG_DONTWAIT) != 1 ||
		message != RLK_WORKER_END;
}

static bool child_not_started(rlk_worker *child, int fds[2], const rlk_child_env *env, const char *what, rlk_error *err)
{
	int sys_errno = errno;
	char text[96];

	rlk_os_pair_close(fds);
	if (env->memory != NULL)
		rlk_os_unmap(env->memory, rlk_child_size());
	*child = RLK_WORKER_NONE;
	rlk_error_set(err, RLK_ERR_RENEWAL, sys_errno, "the renewal child could not be started: %s: %s", what,
		rlk_error_strerror(sys_errno, text, sizeof(text)));
	return false;
}

/* In the signal handler, too. WNOWAIT first: the child may still live, and whoever takes the id has to reap it. */
static void reap_unattended(void)
{
	for (int i = 0; i < UNATTENDED_MAX; i++) {
		long pid = atomic_load(&unattended[i]);
		siginfo_t info = { 0 };

		if (pid == 0)
			continue;
		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0) {
			if (info.si_pid == pid && atomic_compare_exchange_strong(&unattended[i], &pid, 0))
				waitpid((pid_t)pid, NULL, WNOHANG | __WALL);
		} else if (i > 0) {
			atomic_store(&unattended[i], 0); /* not ours to reap */
		}
	}
}

/* Leaves the child to the handler, in one of these places. false: there is no room. */
static bool leave_unattended(const rlk_worker *child, int from, int to)
{
	long none = 0;

	while (from < to && !atomic_compare_exchange_strong(&unattended[from], &none, child->pid)) {
		none = 0;
		from++;
	}
	reap_unattended(); /* its signal may have come before */
	return from < to;
}

static void on_signal(void)
{
	void (*notify)(void) = atomic_load(&host_notify);

	reap_unattended();
	if (notify != NULL)
		notify();
}

static bool start_child(rlk_worker *child, const rlk_slots *slots, bool with_heap, void (*notify)(void), rlk_error *err)
{
	rlk_child_env env = { .slots = slots, .parent_pid = rlk_os_process_id(), .control = -1, .parent_pidfd = -1 };
	int fds[2] = { -1, -1 };
	sigset_t all, before;
	long pid;

	if (!rlk_os_pair_open(fds))
		return child_not_started(child, fds, &env, "socketpair", err);
	atomic_store(&host_notify, notify);
	if (!rlk_sigurg_install(on_signal))
		return child_not_started(child, fds, &env, "sigaction", err);
	env.control = fds[1];
	fcntl(fds[0], F_SETOWN, getpid());

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = copy(&env, with_heap);
	if (pid == 0) {
		env.parent_pidfd = open_parent(&env);
		have_parent_signalled(&env, fds[0]);
		if (let_parent_go_first(&env, fds[0])) {
			rlk_child_isolate(&env);
			if (!with_heap || rlk_tls_after_clone())
				rlk_child_run(&env);
		}
		_exit(0);
	}
	if (pid > 0) {
		child->backend = rlk_backend_process;
		child->pid = pid;
		child->pidfd = open_pidfd(pid);
		child->control = fds[0];
		started_as = who_we_are();
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return child_not_started(child, fds, &env, env.memory == NULL ? "mmap" : "clone", err);
	/* The child has both descriptors by now. */
	close(fds[1]);
	rlk_os_unmap(env.memory, rlk_child_size());
	return true;
}

static void forget_child(rlk_worker *child)
{
	long pid = child->pid;

	atomic_compare_exchange_strong(&unattended[0], &pid, 0);
	if (child->control >= 0)
		close(child->control);
	if (child->pidfd >= 0)
		close(child->pidfd);
	*child = RLK_WORKER_NONE;
}

static bool child_is_alive(rlk_worker *child)
{
	if (child->pid == 0)
		return false;
	if (!rlk_copy_has_ended(child->pid, child->control, false))
		return true;
	forget_child(child);
	return false;
}

/* Waits for the end of the child: by its pidfd, or by asking each millisecond. */
static bool ended_within(const rlk_worker *child, int limit_ms)
{
	struct pollfd p = { .fd = child->pidfd, .events = POLLIN };

	for (int waited_ms = 0; waited_ms < limit_ms; waited_ms++) {
		int n = poll(&p, 1, child->pidfd >= 0 ? limit_ms : 1);

		if (n > 0)
			return rlk_copy_has_ended(child->pid, child->control, true);
		if (rlk_copy_has_ended(child->pid, child->control, false))
			return true;
		if (n == 0 && child->pidfd >= 0)
			return false;
	}
	return false;
}

static void stop_child(rlk_worker *child, bool has_releases)
{
	sigset_t urg, before;

	sigemptyset(&urg);
	sigaddset(&urg, SIGURG);
	pthread_sigmask(SIG_BLOCK, &urg, &before);
	reap_unattended(); /* the application may have reset the signal */
	rlk_pair_tell(child->control, has_releases ? RLK_WORKER_QUIT : RLK_WORKER_END);
	if ((!has_releases || !leave_unattended(child, 1, UNATTENDED_MAX)) && !ended_within(child, STOP_CHILD_WITHIN_MS)) {
		kill((pid_t)child->pid, SIGKILL);
		rlk_copy_has_ended(child->pid, child->control, true);
	}
	forget_child(child);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void child_is_idle(rlk_worker *child)
{
	leave_unattended(child, 0, 1);
}

static bool resume_child(rlk_worker *child)
{
	identity now = who_we_are();

	if (atomic_exchange(&unattended[0], 0) == 0) {
		forget_child(child);
		return false;
	}
	if (!child_is_alive(child))
		return false;
	if (memcmp(&now, &started_as, sizeof(now)) == 0)
		return true;
	stop_child(child, false);
	return false;
}

static const rlk_backend process_backend = { "process", start_child, child_is_alive, stop_child, child_is_idle,
	resume_child, forget_child };

const rlk_backend *const rlk_backend_process = &process_backend;
