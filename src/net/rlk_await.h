/*
 * rlk_await: waits for descriptors or for a point in time, and calls the host during long waits.
 *
 * rlk_socket_poll() is async-signal-safe on POSIX, since the renewal child uses it.
 */
#ifndef RLK_AWAIT_H
#define RLK_AWAIT_H

#include "base/rlk_error.h"
#include "base/rlk_os.h"

#include <stdbool.h>
#include <stdint.h>

#define RLK_SOCKET_NONE (-1)

typedef enum { RLK_SOCKET_READABLE = 1, RLK_SOCKET_WRITABLE = 2 } rlk_socket_event;

typedef struct {
	int fd;     /* RLK_SOCKET_NONE: ignored */
	int events; /* a mask of rlk_socket_event to wait for */
	bool ready; /* one of them has come, or the connection has ended */
} rlk_socket_watched;

#define RLK_SOCKET_WATCHED_MAX 128

#define RLK_SOCKET_SIGNAL (-3)
#define RLK_SOCKET_REFUSED (-4) /* of rlk_hooks.suspend only */

/* What a long wait calls in its host. Without signalled() signals do not end the wait. */
typedef struct {
	/* Is there work for a signal handler of the host? Called with all signals blocked, so it may only read a flag. */
	bool (*signalled)(void *arg);
	/* Runs the signal handlers of the host, which may use the very connection that waits. Never leaves by longjmp.
	 * true: stop waiting (RLK_ERR_INTERRUPTED). */
	bool (*interrupted)(void *arg);
	/* May be NULL. Called before a wait that may end with the lock held for a provisional ttl only. The host prepares
	 * the extension at that point in time, since after the wait every microsecond counts. */
	void (*provisional)(void *arg, int64_t extend_at_ms);
	/* May be NULL. Makes a fresh token for the next attempt: on one server the first, and the one that follows a
	 * connection that was closed while idle; on several servers each. false: there is none, *err says why. */
	bool (*attempt)(void *arg, rlk_error *err);
	/* May be NULL. Waits as rlk_socket_poll() does, but in the loop of the host: other code of this thread runs
	 * meanwhile. May return 0 early. RLK_SOCKET_SIGNAL: stop waiting, as when interrupted() is true, or because the
	 * process is a copy by now. RLK_SOCKET_REFUSED: the host cannot suspend here. */
	int (*suspend)(void *arg, rlk_socket_watched *watched, int count, int64_t deadline_at_ms);
	void *arg;
} rlk_hooks;

/* Waits for up to RLK_SOCKET_WATCHED_MAX descriptors until the deadline, which may be RLK_NEVER. Returns how many
 * are ready; 0: the deadline has passed; -1: error in errno. With hooks signals end the wait with RLK_SOCKET_SIGNAL,
 * at once if hooks->signalled() is already true. No signal is missed in between. Without hooks signals do not end the
 * wait. */
int rlk_socket_poll(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, const rlk_hooks *hooks);

/* The same for one descriptor and without hooks: 1, 0 or -1. */
static inline int rlk_socket_wait(int fd, int events, int64_t deadline_at_ms)
{
	rlk_socket_watched one = { fd, events, false };

	return rlk_socket_poll(&one, 1, deadline_at_ms, NULL);
}

/* How long a wait for a reply blocks the thread before the loop of the host may run. Most replies come within this
 * time. */
#define RLK_SOCKET_BLOCKS_MS 1

/* Waits, perhaps for long: blocks for `first_ms`, then waits in the loop of the host, if the hooks have one. Without a
 * loop, or if the host refuses, as rlk_socket_poll(), with the same results. Afterwards a connection that was open may
 * be closed: in a copy of the process, or by a change of a topology. */
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
	return rlk_socket_poll(watched, count, deadline_at_ms, hooks->signalled != NULL ? hooks : NULL);
}

/* Sleeps until the point in time, whatever signals come. */
static inline void rlk_socket_pause(int64_t until_at_ms)
{
	rlk_socket_poll(NULL, 0, until_at_ms, NULL);
}

#endif
