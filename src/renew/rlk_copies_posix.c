/*
 * rlk_copies_posix: see the header.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2() */
#endif

#include "renew/rlk_copies.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* From fork() to execve(), on a busy machine too. Spent only when there is a child. */
#define BECOMING_MS 20

static bool open_pipe(int fds[2])
{
#ifdef __linux__
	return pipe2(fds, O_CLOEXEC) == 0;
#else
	return pipe(fds) == 0 && fcntl(fds[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(fds[1], F_SETFD, FD_CLOEXEC) == 0;
#endif
}

void rlk_copies_watch(rlk_copies *copies)
{
	if (copies->fds[0] < 0 && !open_pipe(copies->fds))
		*copies = (rlk_copies)RLK_COPIES_INIT;
}

bool rlk_copies_end(rlk_copies *copies)
{
	struct pollfd p = { .fd = copies->fds[0], .events = POLLIN };
	bool alone;

	if (copies->fds[0] < 0)
		return false;
	close(copies->fds[1]);
	/* Nothing is ever written: what can be read is the end of the stream, once nobody has a writing end any more. A child
	 * just started gets a moment to become another program. */
	alone = poll(&p, 1, BECOMING_MS) != 0;
	close(copies->fds[0]);
	*copies = (rlk_copies)RLK_COPIES_INIT;
	return !alone;
}

void rlk_copies_after_fork(rlk_copies *copies)
{
	if (copies->fds[0] >= 0)
		close(copies->fds[0]);
	/* The writing end stays open, unknown to anybody, until this process ends or becomes another program. */
	*copies = (rlk_copies)RLK_COPIES_INIT;
}
