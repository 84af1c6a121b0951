/*
 * rlk_backend_posix: what both kinds of worker have.
 */
#include "renew/rlk_backend.h"

#include "renew/rlk_child.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

bool rlk_pair_open(int fds[2])
{
	int type = SOCK_SEQPACKET;

#ifdef __APPLE__
	type = SOCK_DGRAM; /* has no SEQPACKET for unix sockets */
#endif
#ifdef SOCK_CLOEXEC
	type |= SOCK_CLOEXEC;
#endif
	if (socketpair(AF_UNIX, type, 0, fds) != 0) {
		fds[0] = fds[1] = -1;
		return false;
	}
#ifndef SOCK_CLOEXEC
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
#endif
	return true;
}

void rlk_pair_close(int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

void rlk_pair_tell(int fd, char message)
{
	if (fd >= 0)
		(void)!send(fd, &message, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void rlk_worker_wake(const rlk_worker *worker)
{
	rlk_pair_tell(worker->control, RLK_CHILD_WAKE);
}
