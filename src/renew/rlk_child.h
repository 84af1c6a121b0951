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

#include "renew/rlk_child_os.h"

/* How much memory it works in. Whoever starts it maps that, and so learns of it if the system refuses. */
size_t rlk_child_size(void);

/* Renews until told to quit (returns when no release is left to do) or until the parent is gone (returns when its
 * locks are released or over). */
void rlk_child_run(const rlk_child_env *env);

#endif
