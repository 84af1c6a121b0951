/*
 * rlk_resolve_win32: see the header. The system's own time limits have to do.
 */
#include "net/rlk_resolve.h"

int rlk_resolve_name(const char *host, const char *port, int64_t deadline_at_ms, rlk_addresses *out)
{
	(void)deadline_at_ms;
	return rlk_resolve_now(host, port, 0, out);
}
