/*
 * rlk_backend_win32: Windows has no fork, and there is no thread of ours yet. Process-bound locks are refused; leases need
 * none of this.
 */
#include "renew/rlk_backend.h"

const rlk_backend *const rlk_backend_process = NULL;
const rlk_backend *const rlk_backend_thread = NULL;

/* clang-format off */
void rlk_pair_tell(int fd, char message) { (void)fd, (void)message; }
bool rlk_sigurg_is_taken(void) { return false; }
void rlk_sigurg_keep(void) {}
void rlk_sigurg_restore(void) {}
/* clang-format on */
