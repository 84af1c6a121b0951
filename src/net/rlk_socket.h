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

#include <stdbool.h>
#include <stdint.h>

#define RLK_SOCKET_NONE (-1)

typedef struct {
	int fd;     /* RLK_SOCKET_NONE: ignored */
	int events; /* a mask of rlk_socket_event to wait for */
	bool ready; /* one of them has come, or the connection is over */
} rlk_socket_watched;

#define RLK_SOCKET_WATCHED_MAX 128

#define RLK_SOCKET_SIGNAL (-3)
#define RLK_SOCKET_REFUSED (-4) /* of rlk_hooks.suspend only */

/* What a long wait asks of its host. Without pending() signals do not end it. */
struct rlk_hooks {
	/* Has a signal left something to do? Called with all signals blocked: it may only read a flag. */
	bool (*pending)(void *arg);
	/* Lets the host run its signal handlers, which may use the very connection that waits. Never leaves by longjmp.
	 * true: stop waiting (RLK_ERR_INTERRUPTED). */
	bool (*interrupted)(void *arg);
	/* May be NULL. Called before a wait that may end with the lock held for a provisional ttl only. Whoever renews the
	 * lock has to extend it at that point in time; after the wait every microsecond counts. */
	void (*provisional)(void *arg, int64_t extend_at_ms);
	/* May be NULL. Makes a fresh token for the next attempt: on one server the first, and the one that follows a
	 * connection that was closed while idle; on several servers each. false: there is none, *err says why. */
	bool (*attempt)(void *arg, rlk_error *err);
	/* May be NULL. Waits as rlk_socket_poll() does, in the loop of the host: other code of this thread runs meanwhile. It may
	 * return 0 early. RLK_SOCKET_SIGNAL: stop waiting, which interrupted() would say, too; or the process is a copy by now.
	 * RLK_SOCKET_REFUSED: not at this place. */
	int (*suspend)(void *arg, rlk_socket_watched *watched, int count, int64_t deadline_at_ms);
	void *arg;
};

/* Results of send and receive other than a byte count. */
#define RLK_SOCKET_AGAIN (-1)
#define RLK_SOCKET_ERROR (-2)

typedef enum { RLK_SOCKET_READABLE = 1, RLK_SOCKET_WRITABLE = 2 } rlk_socket_event;

/* Connects to one address. Returns the descriptor; *pending: wait for it to become writable and call
 * rlk_socket_connected(). RLK_SOCKET_NONE: *sys_errno says why. `wait_until_ms`: 0, or for TCP how long connect() itself
 * may wait; if *pending is unset then, the descriptor may be a blocking one. */
int rlk_socket_connect(const rlk_addresses *addresses, int index, int64_t wait_until_ms, bool *pending, int *sys_errno);

/* After becoming writable: 0 when connected, else the errno of the attempt. */
int rlk_socket_connected(int fd);

/* Waits for up to RLK_SOCKET_WATCHED_MAX descriptors until the deadline, which may be RLK_NEVER. Returns how many are
 * ready; 0: the deadline has passed; -1: error in errno. With hooks signals end the wait: RLK_SOCKET_SIGNAL, at once when
 * hooks->pending() is true already. No signal is missed in between. Without hooks signals do not end it. */
int rlk_socket_poll(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, const rlk_hooks *hooks);

/* The same for one descriptor and without hooks: 1, 0 or -1. */
static inline int rlk_socket_wait(int fd, int events, int64_t deadline_at_ms)
{
	rlk_socket_watched one = { fd, events, false };

	return rlk_socket_poll(&one, 1, deadline_at_ms, NULL);
}

/* So long a wait for a reply blocks the thread before it lets the host go on: most replies have come by then. */
#define RLK_SOCKET_BLOCKS_MS 1

/* A wait that may be long: in the host's loop, if the hooks have one, after blocking for `first_ms`; else, and where the host
 * refuses, as rlk_socket_poll(), whose results it has. What was open before may be closed afterwards: in a copy of the process,
 * or by a change of a topology. */
static inline int rlk_socket_await(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, int first_ms,
	const rlk_hooks *hooks)
{
	int ready = 0;

	if (hooks == NULL || hooks->suspend == NULL)
		return rlk_socket_poll(watched, count, deadline_at_ms, hooks);
	if (first_ms > 0)
		ready = rlk_socket_poll(watched, count, rlk_clock_earlier(rlk_clock_now_ms() + first_ms, deadline_at_ms), NULL);
	while (ready == 0 && rlk_clock_now_ms() < deadline_at_ms)
		ready = hooks->suspend(hooks->arg, watched, count, deadline_at_ms);
	if (ready != RLK_SOCKET_REFUSED)
		return ready;
	return rlk_socket_poll(watched, count, deadline_at_ms, hooks->pending != NULL ? hooks : NULL);
}

/* Sleeps until the point in time, whatever signals come. */
static inline void rlk_socket_pause(int64_t until_at_ms)
{
	rlk_socket_poll(NULL, 0, until_at_ms, NULL);
}

/* Bytes moved (0 from receive: end of stream), RLK_SOCKET_AGAIN when it would block, RLK_SOCKET_ERROR with errno. */
long rlk_socket_send(int fd, const char *data, size_t len);
long rlk_socket_receive(int fd, char *data, size_t len);

/* As rlk_socket_send(), but the system may hold the bytes back to send them with the next ones, on Linux for up to
 * 200 ms. */
long rlk_socket_send_corked(int fd, const char *data, size_t len);

/* As rlk_socket_receive(), but waits for the first byte as long as rlk_socket_set_wait() said, or until a signal: one
 * system call instead of two. RLK_SOCKET_AGAIN: nothing has come. */
long rlk_socket_receive_waiting(int fd, char *data, size_t len);
bool rlk_socket_set_wait(int fd, bool nonblocking, int timeout_ms); /* as it is so far; false: this system cannot */

/* Has the system find out within half a minute that the peer of a TCP connection has vanished. */
void rlk_socket_enable_keepalive(int fd);

/* Is there nothing to read, and is the connection not closed? One system call, no waiting. */
bool rlk_socket_is_idle(int fd);

/* Bytes sent that the other end has not acknowledged; 0 where the system does not tell. */
size_t rlk_socket_unconfirmed(int fd);

/* Ends the sending direction; what was sent still arrives, followed by an end of stream. */
void rlk_socket_finish_sending(int fd);

/* Makes a later close drop what has not left by then. */
void rlk_socket_discard_unsent(int fd);

void rlk_socket_close(int fd);

#endif
