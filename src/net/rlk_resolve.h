/*
 * rlk_resolve: the addresses of a server; those of a host name are asked of the system, within a time limit.
 */
#ifndef RLK_RESOLVE_H
#define RLK_RESOLVE_H

#include "base/rlk_error.h"
#include "net/rlk_address.h"
#include "net/rlk_server.h"

#include <stdint.h>

/* Fills *out in the resolver's order of preference. false: *err is RLK_ERR_CONNECT. Numeric addresses and
 * unix paths do no I/O; a name asks the system's resolver, until the deadline. */
bool rlk_resolve(const rlk_server *server, int64_t deadline_at_ms, rlk_addresses *out, rlk_error *err);

/* Is the server named by a host name, whose addresses may change? */
bool rlk_resolve_is_needed(const rlk_server *server);

/* --- inside ----------------------------------------------------------------------------------- */

/* No code of the resolver's: it has not answered in time. */
#define RLK_RESOLVE_LATE INT32_MIN

/* getaddrinfo() with *out as far as it has room. 0, a code for gai_strerror(), or RLK_RESOLVE_LATE. A numeric address is
 * read at once. The system's own limits are many seconds, and there is no way to have it stop: it is left alone with
 * the question then, in a thread of its own, which a forked copy of the process does not have. */
int rlk_resolve_name(const char *host, const char *port, int64_t deadline_at_ms, rlk_addresses *out);

/* What both of its implementations do: one call of getaddrinfo(), with these flags. */
int rlk_resolve_now(const char *host, const char *port, int flags, rlk_addresses *out);

#endif
