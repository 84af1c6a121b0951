/*
 * rlk_backend_win32: no fork, and no thread of ours yet. Process-bound locks are refused; leases need nothing of this.
 */
#include "renew/rlk_backend.h"
#include "renew/rlk_urgent.h"

const rlk_backend *const rlk_backend_process = NULL;
const rlk_backend *const rlk_backend_thread = NULL;

void rlk_worker_wake(const rlk_worker *worker)
{
	(void)worker;
}

bool rlk_urgent_is_taken(void)
{
	return false;
}

void rlk_urgent_restore(void)
{
}
