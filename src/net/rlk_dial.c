/*
 * rlk_dial: see the header. A host name often has a dead address, IPv6 without a route for one; whoever waits for that
 * alone has no time left for the others.
 */
#include "net/rlk_dial.h"

#include "base/rlk_clock.h"
#include "net/rlk_socket.h"

#include <errno.h>

typedef struct {
	const rlk_addresses *addresses;
	int next;                   /* index of the first address not tried yet */
	int fds[RLK_ADDRESSES_MAX]; /* attempts under way */
	int count;
	int sys_errno; /* of the attempt that failed last */
} dialler;

static void drop(dialler *d, int i)
{
	rlk_socket_close(d->fds[i]);
	d->fds[i] = d->fds[--d->count];
}

/* Tries the next address. Returns the descriptor if that is connected at once. A server with one address, as most have,
 * is waited for in the connecting itself, which saves two system calls. */
static int try_next(dialler *d, int64_t deadline_at_ms)
{
	bool pending, alone = d->addresses->count == 1 && d->addresses->item[0].addr.ss_family != AF_UNIX;
	int sys_errno, fd;

	if (alone)
		fd = rlk_socket_connect_waiting(d->addresses, d->next++, deadline_at_ms, &pending, &sys_errno);
	else
		fd = rlk_socket_connect(d->addresses, d->next++, &pending, &sys_errno);

	if (fd == RLK_SOCKET_NONE)
		d->sys_errno = sys_errno;
	else if (pending)
		d->fds[d->count++] = fd;
	return pending ? RLK_SOCKET_NONE : fd;
}

/* Waits for one of the attempts. Returns the descriptor if it is connected; else it has failed, or time is up. */
static int await_one(dialler *d, int64_t until_ms)
{
	int i = rlk_socket_wait_any(d->fds, d->count, until_ms), fd;

	if (i < 0)
		return RLK_SOCKET_NONE;
	fd = d->fds[i];
	d->sys_errno = rlk_socket_connected(fd);
	if (d->sys_errno != 0) {
		drop(d, i);
		return RLK_SOCKET_NONE;
	}
	d->fds[i] = d->fds[--d->count];
	rlk_socket_set_blocking(fd);
	return fd;
}

/* When to try the next address if nothing has happened by then. */
static int64_t stagger_until(const dialler *d, int64_t now_ms, int64_t deadline_at_ms)
{
	int64_t share_ms = (deadline_at_ms - now_ms) / (d->addresses->count - d->next + 1);

	return now_ms + (share_ms < RLK_DIAL_STAGGER_MS ? share_ms : RLK_DIAL_STAGGER_MS);
}

int rlk_dial(const rlk_addresses *addresses, int64_t deadline_at_ms, rlk_error *err)
{
	dialler d = { .addresses = addresses };
	int64_t now_ms = rlk_clock_now_ms(), next_at_ms = now_ms;
	int fd = RLK_SOCKET_NONE;
	char text[96];

	while (fd == RLK_SOCKET_NONE && (now_ms < deadline_at_ms || d.next == 0)) {
		bool more = d.next < addresses->count;

		if (more && (now_ms >= next_at_ms || d.count == 0)) {
			fd = try_next(&d, deadline_at_ms);
			next_at_ms = stagger_until(&d, now_ms, deadline_at_ms);
		} else if (d.count > 0) {
			fd = await_one(&d, more ? next_at_ms : deadline_at_ms);
		} else {
			break;
		}
		now_ms = rlk_clock_now_ms();
	}
	if (fd == RLK_SOCKET_NONE) {
		if (d.count > 0 || d.sys_errno == 0)
			d.sys_errno = ETIMEDOUT;
		rlk_error_set(err, RLK_ERR_CONNECT, d.sys_errno, "cannot connect: %s",
			rlk_error_strerror(d.sys_errno, text, sizeof(text)));
	}
	while (d.count > 0)
		drop(&d, 0);
	return fd;
}
