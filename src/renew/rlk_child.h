/*
 * rlk_child: what the renewal child does, as a process or as a thread.
 *
 * It runs in a copy of a process whose other threads may have held any lock at
 * the moment of the copy. Hence: no malloc, no stdio, no resolver, no hiredis,
 * no Zend; only memory given to it, system calls, and the part of net that
 * does not allocate. The exception is TLS: for that a process with one thread
 * is copied with its heap.
 */
#ifndef RLK_CHILD_H
#define RLK_CHILD_H

#include "renew/rlk_backend.h"

typedef struct {
	const rlk_slots *slots; /* in a child a copy, but for the area */
	void *memory;           /* zero, rlk_child_size() bytes, none of them touched before they are needed */
	int control;            /* readable: a message, or the end of the parent */

	/* In a child process. */
	long parent_pid;  /* 0: this is a thread */
	int parent_pidfd; /* readable: the parent has died; -1: the system has none */

	/* In a thread. */
	void (*notify)(void);
} rlk_child_env;

/* How much memory the child needs. The parent maps it before it starts the child, so the parent learns if the system refuses. */
size_t rlk_child_size(void);

/* Renews until it is told to end, has been idle for long enough, or the parent is gone and its locks are released. */
void rlk_child_run(const rlk_child_env *env);

/* In a forked copy of a thread's process: closes what the thread had open at that moment. What it was just opening stays open. */
void rlk_child_forget(rlk_child_env *env);

/* --- what the child needs of the operating system: rlk_child_os_posix.c ----------------------- */

/* In the copy: ignores signals, leaves the directory and all descriptors of the parent but the two in *env, whose numbers
 * change, and takes a name of its own. */
void rlk_child_isolate(rlk_child_env *env);

/* Tells the parent that something has happened: by SIGURG to that process alone, or by notify. */
void rlk_child_signal_parent(const rlk_child_env *env);

/* Sends a signal to the program that the parent has become, by its pidfd only: to no later process with its id. 0: none, only
 * tries. false: cannot. */
bool rlk_child_signal_program(const rlk_child_env *env, int signal);

bool rlk_child_parent_is_gone(const rlk_child_env *env);

/* Asks the scheduler to run this thread soon after it wakes up, or no longer. Otherwise, on the CPU of a job that computes without a
 * pause, the thread waits for the end of that job's slice. With the shortest slice of its own it waits for the next tick at most
 * (Linux 6.12; earlier ones ignore this, and behind a seccomp filter nothing changes). */
void rlk_child_set_urgent(bool urgent);

/* A timer on the clock of rlk_clock, so that a machine renews as soon as it wakes up. -1: the system has none. */
int rlk_child_open_timer(void);

/* RLK_NEVER disarms it. A timer of -1 is ignored. */
void rlk_child_set_timer(int timer, int64_t at_ms);

#endif
