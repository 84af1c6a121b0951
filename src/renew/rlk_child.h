/*
 * rlk_child: what the renewal child does, whoever runs it.
 *
 * Runs in a copy of a process whose other threads may have held any lock at
 * the moment of the copy. Hence: no malloc, no stdio, no resolver, no hiredis,
 * no Zend; static memory, system calls, and the allocation-free half of wire.
 * The exception is TLS: for its sake a process that has one thread only is
 * copied whole.
 */
#ifndef RLK_CHILD_H
#define RLK_CHILD_H

#include "renew/rlk_area.h"

#include <stdbool.h>

/* Bytes on the control socket. */
#define RLK_CHILD_WAKE 'w'
#define RLK_CHILD_QUIT 'q' /* end when no release is left to do */
#define RLK_CHILD_END 'e'  /* end now */

typedef struct {
	rlk_area *area;
	int control; /* readable: a message, or the end of the parent */

	/* In a child process. */
	long parent_pid;  /* 0: this is a thread */
	int parent_pidfd; /* readable: the parent has died; -1: the system has none */

	/* In a thread. */
	void (*notify)(void);
} rlk_child_env;

/* Renews until told to quit (returns when no release is left to do) or until the parent is gone (returns when its
 * locks are released or over). */
void rlk_child_run(const rlk_child_env *env);

#endif
