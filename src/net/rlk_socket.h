/*
 * rlk_socket: non-blocking stream sockets, the few operations we need.
 *
 * Allocation-free and async-signal-safe on POSIX: the renewal child uses them
 * too. Descriptors are close-on-exec, and sending never raises SIGPIPE.
 */
#ifndef RLK_SOCKET_H
#define RLK_SOCKET_H

#include "base/rlk_os.h"
#include "net/rlk_address.h"
#include "net/rlk_await.h"

#include <stdbool.h>
#include <stdint.h>

/* Results of send and receive other than a byte count. */
#define RLK_SOCKET_AGAIN (-1)
#define RLK_SOCKET_ERROR (-2)

/* Connects to one address. Returns the descriptor; *opens: wait for it to become writable and call
 * rlk_socket_connected(). RLK_SOCKET_NONE: *sys_errno says why. `wait_until_ms`: 0, or for TCP how long connect() itself
 * may wait; if *opens is unset then, the descriptor may be a blocking one. */
int rlk_socket_connect(const rlk_addresses *addresses, int index, int64_t wait_until_ms, bool *opens, int *sys_errno);

/* After becoming writable: 0 when connected, else the errno of the attempt. */
int rlk_socket_connected(int fd);

/* Bytes moved (0 from receive: end of stream), RLK_SOCKET_AGAIN when it would block, RLK_SOCKET_ERROR with errno. */
long rlk_socket_send(int fd, const char *data, size_t len);
long rlk_socket_receive(int fd, char *data, size_t len);

/* As rlk_socket_send(), but the system may hold the bytes back to send them with the next ones, on Linux for up to
 * 200 ms. With rlk_socket_send() three waiters for one lock take 32 % more of the processor (20 to 45, 60 paired
 * rounds). */
long rlk_socket_send_corked(int fd, const char *data, size_t len);
void rlk_socket_uncork(int fd); /* sends at once the bytes held back */

/* As rlk_socket_receive(), but waits for the first byte, for the time of rlk_socket_set_wait() or until a signal: one
 * system call instead of two. RLK_SOCKET_AGAIN: nothing has come. */
long rlk_socket_receive_waiting(int fd, char *data, size_t len);
bool rlk_socket_set_wait(int fd, bool nonblocking, int timeout_ms); /* nonblocking: as fd is; false: it cannot */

/* Makes the system find out within half a minute that the peer of a TCP connection has vanished. */
void rlk_socket_enable_keepalive(int fd);

/* Is there nothing to read, and is the connection not closed? One system call, no waiting. */
bool rlk_socket_is_idle(int fd);

/* Number of sent bytes that the other end has not acknowledged; 0 where the system does not tell. */
size_t rlk_socket_unconfirmed(int fd);

/* Ends the sending direction. Bytes that were sent still arrive, followed by an end of stream. */
void rlk_socket_finish_sending(int fd);

/* Makes a later close drop bytes that have not left by then. */
void rlk_socket_discard_unsent(int fd);

void rlk_socket_close(int fd);

/* Closes *fd, if there is one (0 never is), and forgets it before: a forked copy that sees the number must not close what another
 * thread has opened under it since. */
static inline void rlk_socket_drop(int *fd)
{
	int number = *fd;

	*fd = RLK_SOCKET_NONE;
	if (number > 0)
		rlk_socket_close(number);
}

#endif
