/*
 * rlk_spawn_win32: there is no child process that shares its parent's memory. Process-bound locks are refused until the
 * thread backend exists; leases need nothing of this.
 */
#include "renew/rlk_spawn.h"

bool rlk_spawn_start(rlk_spawned *child, rlk_area *area, void (*notify)(void), rlk_error *err)
{
	(void)area;
	(void)notify;
	*child = (rlk_spawned)RLK_SPAWNED_INIT;
	rlk_error_set(err, RLK_ERR_RENEWAL, 0, "this system has no fork, and renewal by a thread is not available yet");
	return false;
}

void rlk_spawn_wake(const rlk_spawned *child)
{
	(void)child;
}

bool rlk_spawn_is_alive(rlk_spawned *child)
{
	(void)child;
	return false;
}

void rlk_spawn_stop(rlk_spawned *child, bool leave_it)
{
	(void)leave_it;
	*child = (rlk_spawned)RLK_SPAWNED_INIT;
}

void rlk_spawn_forget(rlk_spawned *child)
{
	*child = (rlk_spawned)RLK_SPAWNED_INIT;
}

void rlk_spawn_restore_signal(void)
{
}
