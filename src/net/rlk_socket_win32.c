/*
 * rlk_socket_win32: see the header. PHP has called WSAStartup() before any extension runs. Socket handles fit an int:
 * Windows keeps them small, and PHP relies on it too.
 */
#include "net/rlk_socket.h"

#include "base/rlk_os.h"

#include <errno.h>
#include <winsock2.h>

#define LOOK_EVERY_MS 50

static int last_error(void)
{
	switch (WSAGetLastError()) {
		case WSAEWOULDBLOCK:
			return EWOULDBLOCK;
		case WSAECONNREFUSED:
			return ECONNREFUSED;
		case WSAECONNRESET:
			return ECONNRESET;
		case WSAETIMEDOUT:
			return ETIMEDOUT;
		case WSAENETUNREACH:
		case WSAEHOSTUNREACH:
			return EHOSTUNREACH;
		default:
			return EIO;
	}
}

int rlk_socket_connect(const rlk_addresses *addresses, int index, int64_t wait_until_ms, bool *opens, int *sys_errno)
{
	const struct sockaddr *addr = (const struct sockaddr *)&addresses->item[index].addr;
	SOCKET s = WSASocketW(addr->sa_family, SOCK_STREAM, 0, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
	u_long on = 1;
	BOOL yes = TRUE;

	(void)wait_until_ms; /* connect() has no time limit here */
	*opens = false;
	*sys_errno = 0;
	if (s == INVALID_SOCKET) {
		*sys_errno = last_error();
		return RLK_SOCKET_NONE;
	}
	ioctlsocket(s, FIONBIO, &on);
	if (addr->sa_family != AF_UNIX) {
		setsockopt(s, IPPROTO_TCP, TCP_NODELAY, (const char *)&yes, sizeof(yes));
		setsockopt(s, SOL_SOCKET, SO_KEEPALIVE, (const char *)&yes, sizeof(yes));
	}
	if (connect(s, addr, addresses->item[index].len) == 0)
		return (int)s;
	if (WSAGetLastError() == WSAEWOULDBLOCK) {
		*opens = true;
		return (int)s;
	}
	*sys_errno = last_error();
	closesocket(s);
	return RLK_SOCKET_NONE;
}

int rlk_socket_connected(int fd)
{
	int sys_errno = 0, len = sizeof(sys_errno);

	if (getsockopt((SOCKET)fd, SOL_SOCKET, SO_ERROR, (char *)&sys_errno, &len) != 0)
		return last_error();
	if (sys_errno != 0) {
		WSASetLastError(sys_errno);
		return last_error();
	}
	return 0;
}

/* poll() until the deadline. Entries without a socket are ignored; without any socket it sleeps, where WSAPoll() would
 * return at once. */
static int poll_sockets(WSAPOLLFD *all, int count, int64_t deadline_at_ms)
{
	WSAPOLLFD sockets[RLK_SOCKET_WATCHED_MAX];
	int index[RLK_SOCKET_WATCHED_MAX], used = 0, timeout, n = 0;

	for (int i = 0; i < count; i++) {
		all[i].revents = 0;
		if (all[i].fd != INVALID_SOCKET) {
			index[used] = i;
			sockets[used++] = all[i];
		}
	}
	do {
		timeout = rlk_clock_poll_timeout(deadline_at_ms);
		if (used == 0)
			Sleep((DWORD)timeout); /* -1 is INFINITE */
		else
			n = WSAPoll(sockets, (ULONG)used, timeout);
	} while (n == 0 && timeout != 0);
	if (n < 0)
		errno = last_error();
	for (int i = 0; n > 0 && i < used; i++)
		all[index[i]].revents = sockets[i].revents;
	return n;
}

/* RLK_SOCKET_NONE becomes INVALID_SOCKET. */
static WSAPOLLFD polled(int fd, int events)
{
	return (WSAPOLLFD){ .fd = (SOCKET)fd,
		.events = (SHORT)((events & RLK_SOCKET_READABLE ? POLLIN : 0) | (events & RLK_SOCKET_WRITABLE ? POLLOUT : 0)) };
}

/* There are no signals; whatever else makes hooks->signalled() true is noticed every LOOK_EVERY_MS. */
int rlk_socket_poll(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, const rlk_hooks *hooks)
{
	WSAPOLLFD all[RLK_SOCKET_WATCHED_MAX];
	int n;

	for (int i = 0; i < count; i++)
		all[i] = polled(watched[i].fd, watched[i].events);
	do {
		int64_t look_at_ms = hooks != NULL ? rlk_clock_now_ms() + LOOK_EVERY_MS : RLK_NEVER;

		if (hooks != NULL && hooks->signalled(hooks->arg))
			return RLK_SOCKET_SIGNAL;
		n = poll_sockets(all, count, rlk_clock_earlier(look_at_ms, deadline_at_ms));
	} while (n == 0 && rlk_clock_poll_timeout(deadline_at_ms) != 0);
	for (int i = 0; i < count; i++)
		watched[i].ready = n > 0 && all[i].revents != 0;
	return n;
}

void rlk_socket_enable_keepalive(int fd)
{
	(void)fd; /* the system's own intervals have to do */
}

static long moved(int n)
{
	if (n >= 0)
		return n;
	if (WSAGetLastError() == WSAEWOULDBLOCK)
		return RLK_SOCKET_AGAIN;
	errno = last_error();
	return RLK_SOCKET_ERROR;
}

long rlk_socket_send(int fd, const char *data, size_t len)
{
	return moved(send((SOCKET)fd, data, len > INT_MAX ? INT_MAX : (int)len, 0));
}

long rlk_socket_send_corked(int fd, const char *data, size_t len)
{
	return rlk_socket_send(fd, data, len);
}

void rlk_socket_uncork(int fd)
{
	(void)fd;
}

long rlk_socket_receive(int fd, char *data, size_t len)
{
	return moved(recv((SOCKET)fd, data, len > INT_MAX ? INT_MAX : (int)len, 0));
}

/* There is no MSG_DONTWAIT to keep the other calls from blocking. */
bool rlk_socket_set_wait(int fd, bool nonblocking, int timeout_ms)
{
	(void)fd;
	(void)nonblocking;
	(void)timeout_ms;
	return false;
}

long rlk_socket_receive_waiting(int fd, char *data, size_t len)
{
	return rlk_socket_receive(fd, data, len);
}

bool rlk_socket_is_idle(int fd)
{
	char byte;

	return recv((SOCKET)fd, &byte, 1, MSG_PEEK) < 0 && WSAGetLastError() == WSAEWOULDBLOCK;
}

size_t rlk_socket_unconfirmed(int fd)
{
	(void)fd;
	return 0;
}

void rlk_socket_finish_sending(int fd)
{
	shutdown((SOCKET)fd, SD_SEND);
}

void rlk_socket_discard_unsent(int fd)
{
	const struct linger none = { 1, 0 };

	setsockopt((SOCKET)fd, SOL_SOCKET, SO_LINGER, (const char *)&none, sizeof(none));
}

void rlk_socket_close(int fd)
{
	closesocket((SOCKET)fd);
}

/* The system's own time limits have to do. */
int rlk_address_resolve_name(const char *host, const char *port, const rlk_hooks *hooks, int64_t deadline_at_ms,
	rlk_address_late late, void *arg, rlk_addresses *out)
{
	(void)hooks;
	(void)deadline_at_ms;
	(void)late;
	(void)arg;
	return rlk_address_resolve_now(host, port, 0, out);
}

int rlk_query_begin(const char *host, const char *port, rlk_query **query, rlk_addresses *out)
{
	*query = NULL;
	return rlk_address_resolve_now(host, port, 0, out);
}

/* clang-format off */
int rlk_query_fd(const rlk_query *query) { (void)query; return RLK_SOCKET_NONE; }
int rlk_query_end(rlk_query *query, rlk_addresses *out) { (void)query, (void)out; return RLK_ADDRESS_LATE; }
/* clang-format on */

void rlk_address_forget_suspended(void)
{
}
