/*
 * rlk_copy with clone, see the header. The C library's fork handlers do not run.
 */
#include "renew/rlk_copy.h"

#ifdef RLK_HAS_CLONE

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

long rlk_copy_make(void)
{
#if defined(__s390x__) || defined(__CRIS__)
	long pid = syscall(SYS_clone, 0, SIGURG, NULL, NULL, 0);
#else
	long pid = syscall(SYS_clone, SIGURG, 0, NULL, NULL, 0);
#endif

	if (pid > 0)
		setpgid((pid_t)pid, 0);
	return pid;
}

bool rlk_copy_is_being_made(void)
{
	return false;
}

bool rlk_copy_has_ended(long pid, int control, bool wait)
{
	pid_t got;

	(void)control;
	do {
		got = waitpid((pid_t)pid, NULL, __WALL | (wait ? 0 : WNOHANG));
	} while (got < 0 && errno == EINTR);
	return got != 0;
}

bool rlk_copy_knows_parent(long parent_pid, int control)
{
	(void)control;
	return (long)getppid() == parent_pid;
}

bool rlk_copy_is_orphaned(long parent_pid, int control)
{
	long id = (long)getppid();

	(void)control;
	/* 0: the parent is outside our namespace of processes, as after pcntl_unshare(CLONE_NEWPID). The pair shows its
	 * end. */
	return id != parent_pid && id != 0;
}

#endif
