/*
 * rlk_copies: are there forked copies of this process that still run its code?
 *
 * A pipe tells: every copy inherits its writing end, and loses it when it ends
 * or becomes another program. So a child of proc_open() or exec() is none.
 */
#ifndef RLK_COPIES_H
#define RLK_COPIES_H

#include <stdbool.h>

typedef struct {
	int fds[2]; /* reading, writing; -1: not watching */
} rlk_copies;

/* clang-format off */
#define RLK_COPIES_INIT { { -1, -1 } }
/* clang-format on */

/* Begins to watch: copies made from now on are seen. Failing is of no consequence, nothing is seen then. */
void rlk_copies_watch(rlk_copies *copies);

/* Is there a copy? Ends the watching. */
bool rlk_copies_end(rlk_copies *copies);

/* In a copy: stays visible to its parent, watches nothing itself. */
void rlk_copies_after_fork(rlk_copies *copies);

#endif
