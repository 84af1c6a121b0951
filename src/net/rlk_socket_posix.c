/*
 * rlk_socket_posix: see the header.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll() */
#endif

#include "net/rlk_socket.h"

#include "base/rlk_os.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <linux/sockios.h>
#endif
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#ifndef MSG_MORE
#define MSG_MORE 0
#endif

/* Our own deadlines are shorter; this is for connections that block in the background. */
#define GONE_AFTER_S 30

static int open_socket(int family, bool blocking)
{
#if defined(SOCK_CLOEXEC) && defined(SOCK_NONBLOCK)
	return rlk_os_above_standard(socket(family, SOCK_STREAM | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0));
#else
	int fd = rlk_os_above_standard(socket(family, SOCK_STREAM, 0));

	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	if (fd >= 0 && !blocking)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return fd;
#endif
}

/* Errors are ignored: the connection works without these options. */
static void set_options(int fd, int family)
{
	int on = 1;

#ifdef SO_NOSIGPIPE
	setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
#endif
	if (family != AF_UNIX)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

void rlk_socket_enable_keepalive(int fd)
{
	int on = 1;

	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
#if defined(TCP_KEEPIDLE) && defined(TCP_KEEPINTVL) && defined(TCP_KEEPCNT)
	int idle_s = GONE_AFTER_S / 2, pause_s = GONE_AFTER_S / 6, probes = 3;

	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &pause_s, sizeof(pause_s));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
#endif
#ifdef TCP_USER_TIMEOUT
	int gone_after_ms = GONE_AFTER_S * 1000;

	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &gone_after_ms, sizeof(gone_after_ms));
#endif
}

static struct timeval in_timeval(int ms)
{
	return (struct timeval){ ms / 1000, (ms % 1000) * 1000 };
}

/* How long connect() is to block; 0: not at all. Only on Linux does SO_SNDTIMEO limit it. */
static int connect_wait_ms(int64_t until_ms)
{
#ifdef __linux__
	int wait_ms = until_ms > 0 ? rlk_clock_poll_timeout(until_ms) : 0;

	return wait_ms > 0 ? wait_ms : 0;
#else
	(void)until_ms;
	return 0;
#endif
}

int rlk_socket_connect(const rlk_addresses *addresses, int index, int64_t wait_until_ms, bool *opens, int *sys_errno)
{
	const struct sockaddr *addr = (const struct sockaddr *)&addresses->item[index].addr;
	int wait_ms = connect_wait_ms(wait_until_ms), fd = open_socket(addr->sa_family, wait_ms > 0);
	struct timeval limit = in_timeval(wait_ms);

	*opens = false;
	*sys_errno = 0;
	if (fd < 0) {
		*sys_errno = errno;
		return RLK_SOCKET_NONE;
	}
	set_options(fd, addr->sa_family);
	if (wait_ms > 0 && setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) != 0)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	if (connect(fd, addr, addresses->item[index].len) == 0)
		return fd;
	/* After EINTR the attempt goes on in the background, as after EINPROGRESS, which Linux also returns when the limit is
	 * over. A unix socket with a full backlog returns EAGAIN and does not go on. */
	if (errno == EINPROGRESS || errno == EINTR) {
		*opens = true;
		return fd;
	}
	*sys_errno = errno;
	close(fd);
	return RLK_SOCKET_NONE;
}

int rlk_socket_connected(int fd)
{
	int sys_errno = 0;
	socklen_t len = sizeof(sys_errno);

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &sys_errno, &len) != 0)
		return errno;
	return sys_errno;
}

static short poll_events(int events)
{
	return (short)((events & RLK_SOCKET_READABLE ? POLLIN : 0) | (events & RLK_SOCKET_WRITABLE ? POLLOUT : 0));
}

#ifdef __linux__
static int poll_with_mask(struct pollfd *fds, int count, int timeout_ms, const sigset_t *mask)
{
	struct timespec limit = { timeout_ms / 1000, (timeout_ms % 1000) * 1000000L };

	return ppoll(fds, (nfds_t)count, timeout_ms < 0 ? NULL : &limit, mask);
}
#else
/* Without ppoll() a signal may come in between and not end the wait. Checking again each 50 ms bounds what that costs. */
static int poll_with_mask(struct pollfd *fds, int count, int timeout_ms, const sigset_t *mask)
{
	if (mask == NULL)
		return poll(fds, (nfds_t)count, timeout_ms);
	pthread_sigmask(SIG_SETMASK, mask, NULL);
	return poll(fds, (nfds_t)count, timeout_ms < 0 || timeout_ms > 50 ? 50 : timeout_ms);
}
#endif

/* Polls again when poll() was early by a tick of another clock, or a signal came that does not concern us. */
static int poll_until(struct pollfd *fds, int count, int64_t deadline_at_ms, const rlk_hooks *hooks,
	const sigset_t *mask)
{
	int timeout_ms, n;

	do {
		if (hooks != NULL && hooks->signalled(hooks->arg))
			return RLK_SOCKET_SIGNAL;
		timeout_ms = rlk_clock_poll_timeout(deadline_at_ms);
		n = poll_with_mask(fds, count, timeout_ms, mask);
		if (n <= 0 && hooks != NULL && (hooks->signalled(hooks->arg) || (n < 0 && errno == EINTR)))
			return RLK_SOCKET_SIGNAL;
	} while ((n == 0 && timeout_ms != 0) || (n < 0 && errno == EINTR));
	return n;
}

int rlk_socket_poll(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, const rlk_hooks *hooks)
{
	struct pollfd fds[RLK_SOCKET_WATCHED_MAX];
	sigset_t all, before;
	int n;

	for (int i = 0; i < count; i++)
		fds[i] = (struct pollfd){ .fd = watched[i].fd, .events = poll_events(watched[i].events) };
	if (hooks != NULL) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
	}
	n = poll_until(fds, count, deadline_at_ms, hooks, hooks != NULL ? &before : NULL);
	if (hooks != NULL)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	for (int i = 0; i < count; i++)
		watched[i].ready = n > 0 && fds[i].revents != 0;
	return n;
}

static long moved(ssize_t n)
{
	if (n >= 0)
		return (long)n;
	return errno == EAGAIN || errno == EWOULDBLOCK ? RLK_SOCKET_AGAIN : RLK_SOCKET_ERROR;
}

static long send_with(int fd, const char *data, size_t len, int flags)
{
	ssize_t n;

	do {
		n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT | flags);
	} while (n < 0 && errno == EINTR);
	return moved(n);
}

long rlk_socket_send(int fd, const char *data, size_t len)
{
	return send_with(fd, data, len, 0);
}

/* Handing a packet to the network is most of the cost of sending, above all if that wakes a peer on this machine. */
long rlk_socket_send_corked(int fd, const char *data, size_t len)
{
	return send_with(fd, data, len, MSG_MORE);
}

void rlk_socket_uncork(int fd)
{
	int on = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* tcp(7): forces a flush, though it was set before */
}

static inline long receive_with(int fd, char *data, size_t len, int flags)
{
	ssize_t n;

	do {
		n = recv(fd, data, len, MSG_DONTWAIT | flags);
	} while (n < 0 && errno == EINTR);
	return moved(n);
}

long rlk_socket_receive(int fd, char *data, size_t len)
{
	return receive_with(fd, data, len, 0);
}

bool rlk_socket_set_wait(int fd, bool nonblocking, int timeout_ms)
{
	struct timeval limit = in_timeval(timeout_ms);

	if (nonblocking)
		fcntl(fd, F_SETFL, 0); /* all calls but rlk_socket_receive_waiting() pass MSG_DONTWAIT */
	return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) == 0;
}

long rlk_socket_receive_waiting(int fd, char *data, size_t len)
{
	ssize_t n = recv(fd, data, len, 0);

	return n < 0 && errno == EINTR ? RLK_SOCKET_AGAIN : moved(n);
}

bool rlk_socket_is_idle(int fd)
{
	char byte;

	return receive_with(fd, &byte, 1, MSG_PEEK) == RLK_SOCKET_AGAIN;
}

size_t rlk_socket_unconfirmed(int fd)
{
	int bytes = 0;

#ifdef SIOCOUTQ
	if (ioctl(fd, SIOCOUTQ, &bytes) != 0)
		bytes = 0;
#else
	(void)fd;
#endif
	return (size_t)bytes;
}

void rlk_socket_finish_sending(int fd)
{
	shutdown(fd, SHUT_WR);
}

void rlk_socket_discard_unsent(int fd)
{
	const struct linger none = { 1, 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
}

void rlk_socket_close(int fd)
{
	/* Not repeated on EINTR: Linux has freed the number, and another thread may have it already. */
	close(fd);
}
