/*
 * rlk_child: what the renewal child does, whoever runs it.
 *
 * Runs in a copy of a process whose other threads may have held any lock at
 * the moment of the copy. Hence: no malloc, no stdio, no resolver, no hiredis,
 * no Zend; static memory, system calls, and the allocation-free half of net.
 * The exception is TLS: for its sake a process that has one thread only is
 * copied whole.
 */
#ifndef RLK_CHILD_H
#define RLK_CHILD_H

#include "renew/rlk_area.h"

/* Bytes on the control socket. */
#define RLK_CHILD_WAKE 'w'
#define RLK_CHILD_QUIT 'q' /* end when no release is left to do */
#define RLK_CHILD_END 'e'  /* end now */

typedef struct {
	rlk_area *area;
	void *memory; /* zero, rlk_child_size() bytes, none of them touched before they are needed */
	int control;  /* readable: a message, or the end of the parent */

	/* In a child process. */
	long parent_pid;  /* 0: this is a thread */
	int parent_pidfd; /* readable: the parent has died; -1: the system has none */

	/* In a thread. */
	void (*notify)(void);
} rlk_child_env;

/* How much memory it works in. Whoever starts it maps that, and so learns of it if the system refuses. */
size_t rlk_child_size(void);

/* Renews until told to quit (returns when no release is left to do) or until the parent is gone (returns when its
 * locks are released or over). */
void rlk_child_run(const rlk_child_env *env);

/* --- what it needs of the operating system: rlk_child_os_posix.c ------------------------------ */

/* In the copy: ignores signals, leaves directory and every descriptor of the parent but the two in *env (whose numbers
 * change), and takes a name of its own. */
void rlk_child_isolate(rlk_child_env *env);

/* Tells the parent that there is something to look at: by SIGURG to it, and to nobody else. */
void rlk_child_signal_parent(const rlk_child_env *env);

bool rlk_child_parent_is_gone(const rlk_child_env *env);

/* One message: 1, and 0 at the end of the stream, -1 when there is none. */
long rlk_child_read_message(int control, char *message);

/* A timer on the clock of rlk_clock, so that a resumed machine renews at once. -1: the system has none. */
int rlk_child_open_timer(void);

void rlk_child_close_timer(int timer);

/* RLK_NEVER disarms it. A timer of -1 is ignored. */
void rlk_child_set_timer(int timer, int64_t at_ms);

#endif
