/*
 * rlk_spawn: starts and ends the renewal child as a process.
 */
#ifndef RLK_SPAWN_H
#define RLK_SPAWN_H

#include "base/rlk_error.h"
#include "renew/rlk_area.h"

typedef struct {
	long pid;    /* 0: none */
	int pidfd;   /* of the child; -1 where the system has none */
	int control; /* our end of the socket pair; -1: none */
} rlk_spawned;

#define RLK_SPAWNED_INIT { 0, -1, -1 }

/* Starts a child for the area. `notify` is called in our signal handler when the child signals or dies. */
bool rlk_spawn_start(rlk_spawned *child, rlk_area *area, void (*notify)(void), rlk_error *err);

/* Makes the child look at the area again. */
void rlk_spawn_wake(const rlk_spawned *child);

/* Is it still running? A dead child is reaped and *child reset. */
bool rlk_spawn_is_alive(rlk_spawned *child);

/* Asks the child to end, waits up to 200 ms, then kills it. With `leave_it` it may finish its releases alone. */
void rlk_spawn_stop(rlk_spawned *child, bool leave_it);

/* In a forked copy: closes our descriptors of the parent's child. */
void rlk_spawn_forget(rlk_spawned *child);

/* Undoes the signal handler, before the code is unloaded. */
void rlk_spawn_restore_signal(void);

#endif
