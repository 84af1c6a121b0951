/*
 * rlk_copy without clone, see the header. wait() would report a plain child to an application that waits for its own
 * children, and the application would wait for as long as a lock is held.
 */
#include "renew/rlk_copy.h"

#ifndef RLK_HAS_CLONE

#include "base/rlk_os.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* For this thread: others may fork meanwhile, and their copies need our handlers. */
static _Thread_local bool is_being_made;

bool rlk_copy_is_being_made(void)
{
	return is_being_made;
}

long rlk_copy_make(void)
{
	_Atomic long *id = rlk_os_map(sizeof(*id), true);
	long made = -1;
	pid_t between;

	if (id == NULL)
		return -1;
	is_being_made = true;
	between = fork();
	if (between == 0) {
		pid_t copy = fork();

		if (copy == 0)
			return 0;
		if (copy > 0)
			setpgid(copy, 0);
		atomic_store(id, copy > 0 ? (long)copy : -(long)errno);
		_exit(0);
	}
	is_being_made = false;
	if (between > 0) {
		while (waitpid(between, NULL, 0) < 0 && errno == EINTR)
			; /* also if the application ignores SIGCHLD */
		made = atomic_load(id);
	}
	rlk_os_unmap((void *)id, sizeof(*id));
	if (between > 0 && made <= 0) {
		errno = made < 0 ? (int)-made : ECHILD; /* ECHILD: somebody has killed it */
		made = -1;
	}
	return made;
}

/* Only these two processes have an end of the pair: forked copies close theirs. */
static bool has_other_end(int control)
{
	char message;

	return recv(control, &message, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
}

bool rlk_copy_has_ended(long pid, int control, bool wait)
{
	struct pollfd p = { .fd = control, .events = POLLIN };

	(void)pid;
	if (wait && control >= 0) {
		while (poll(&p, 1, -1) < 0 && errno == EINTR)
			;
	}
	return control < 0 || !has_other_end(control);
}

bool rlk_copy_knows_parent(long parent_pid, int control)
{
	return !rlk_copy_is_orphaned(parent_pid, control);
}

bool rlk_copy_is_orphaned(long parent_pid, int control)
{
	(void)parent_pid;
	return !has_other_end(control);
}

#endif
