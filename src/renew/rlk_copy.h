/*
 * rlk_copy: copies this process for the renewal child. The wait() of the application does not see the copy.
 *
 * On Linux it is a raw clone with SIGURG as its exit signal, so its end reaches the handler of its reports. Elsewhere it is the
 * child of a child that ends at once, which the application notices as one SIGCHLD. The system's init reaps the copy, and only
 * the socket pair tells each of the two that the other one has ended.
 */
#ifndef RLK_COPY_H
#define RLK_COPY_H

#include <stdbool.h>

/* RLK_WITHOUT_CLONE: a build that does on Linux what others do, for the tests (configure --disable-redislock-clone). */
#if defined(__linux__) && !defined(RLK_WITHOUT_CLONE)
#define RLK_HAS_CLONE 1
#endif

/* Returns 0 in the copy, its id in this process, -1 and errno if there is none. All signals have to be blocked. By the time it
 * returns here the copy is in a process group of its own, so that a kill of ours spares it. */
long rlk_copy_make(void);

/* In a handler of pthread_atfork(): is this fork part of rlk_copy_make()? Then the handlers leave everything as it is. */
bool rlk_copy_is_being_made(void);

/* Has the copy ended? Then nothing is left of it, also if the application has reaped it. `control` is our end of the pair, -1
 * where we have let go of it already. `wait`: returns when it has. */
bool rlk_copy_has_ended(long pid, int control, bool wait);

/* In the copy: is parent_pid the id of the process that made the copy? If not, the copy must not use this id: the copy is an
 * orphan, or was born in another namespace of processes. Without clone only `control`, the copy's end of the pair, tells. */
bool rlk_copy_knows_parent(long parent_pid, int control);

/* In the copy, whose end of the pair is `control`: has the process that made the copy ended? */
bool rlk_copy_is_orphaned(long parent_pid, int control);

#endif
