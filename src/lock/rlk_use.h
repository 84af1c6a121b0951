/*
 * rlk_use: an operation under way, and the connection or quorum that it has for itself.
 *
 * While it waits in the loop of the host, others go on, of the same client, too. So it checks the connection out of the client,
 * and gives it back at the end; whoever uses the client meanwhile takes another one. Uses are listed, since they live on the
 * stacks of fibers: a fork leaves their connections to the parent, and some fibers never go on.
 */
#ifndef RLK_USE_H
#define RLK_USE_H

#include "lock/rlk_lock.h"

typedef struct rlk_use rlk_use;
struct rlk_use {
	rlk_use *next, **link; /* in the list of its thread, and what points to it there */
	rlk_lock *lock;        /* NULL: nothing is checked out */
	rlk_servers *client;   /* where the client has its own */
	rlk_servers servers;
	rlk_conn conn;
	rlk_topology_user user;
	bool releases;           /* the lock; set by the owner */
	rlk_lock_beside *beside; /* the second connections of a wait, innermost first */
};

/* Where the lock lives, for one operation, in the loop of these hooks. `exclusive`: nobody else uses the lock until then. After it
 * client->quorum is the one that was used last: its votes are those that messages tell of. NULL: memory is out. */
const rlk_servers *rlk_use_check_out(rlk_use *use, rlk_use **list, rlk_servers *client, rlk_lock *lock, bool exclusive,
	rlk_deadline deadline, const rlk_hooks *hooks);
void rlk_use_give_back(rlk_use *use);

/* In a forked copy: all these connections are the parent's. */
void rlk_uses_after_fork(rlk_use *list);

/* Ends the use of a fiber that never goes on. `acquires`: releases the lock that the fiber is about to acquire, or has
 * acquired without the replicas yet. */
void rlk_use_forget(rlk_use *use, bool acquires);

#endif
