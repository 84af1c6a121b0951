/*
 * rlk_resolve: asks the system for the addresses of a host name, within a time limit.
 */
#ifndef RLK_RESOLVE_H
#define RLK_RESOLVE_H

#include "wire/rlk_address.h"

#include <stdint.h>

/* No code of the resolver's: it has not answered in time. */
#define RLK_RESOLVE_LATE INT32_MIN

/* getaddrinfo() with *out as far as it has room. 0, a code for gai_strerror(), or RLK_RESOLVE_LATE. A numeric address is
 * read at once. The system's own limits are many seconds, and there is no way to have it stop: it is left alone with
 * the question then, in a thread of its own, which a forked copy of the process does not have. */
int rlk_resolve(const char *host, const char *port, int64_t deadline_at_ms, rlk_addresses *out);

/* What both of its implementations do: one call of getaddrinfo(), with these flags. */
int rlk_resolve_now(const char *host, const char *port, int flags, rlk_addresses *out);

#endif
