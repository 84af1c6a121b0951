/*
 * rlk_uri: splits the address of a server into its parts. rlk_layer knows what the parts mean.
 *
 *     redis://[user:password@]host[:port][/database][?option=value&...]     host:port
 *     unix:/path[?option=value&...]     unix://[user:password@]/path[?...]
 *
 * Also for what may replace a host alone. Messages show no part of the address: by mistake any part may be a password.
 */
#ifndef RLK_URI_H
#define RLK_URI_H

#include "base/rlk_str.h"
#include "config/rlk_value.h"

/* Missing parts have NULL data. Parts are decoded, and valid as long as the scratch memory and the given string. */
typedef struct {
	const char *what;       /* borrowed; its name in messages: "the URI" */
	bool has_scheme;        /* false: an entry of a list, which leaves the scheme open */
	int64_t transport;      /* rlk_transport, from the scheme */
	rlk_str user, password; /* both or none; possibly empty */
	rlk_str host;
	rlk_str port;       /* digits */
	rlk_str path;       /* of a socket */
	rlk_str database;   /* digits */
	rlk_str query;      /* for rlk_uri_next(); not decoded */
	bool may_tell_keys; /* false: because of a mistyped separator a key may be part of a password */
	rlk_buf decoded;    /* in the scratch memory */
} rlk_uri;

/* Takes a URI apart. With `is_entry` it may lack the scheme, like "host" in a list of servers. false: it is malformed, or
 * memory is out. */
bool rlk_uri_parse(rlk_uri *uri, rlk_str given, const char *what, bool is_entry, rlk_scratch *scratch, rlk_error *err);

/* Reads the next option of the query; *key has NULL data after the last. false: it is malformed. */
bool rlk_uri_next(rlk_uri *uri, rlk_str *key, rlk_str *value, rlk_error *err);

/* Reads a scheme as an rlk_transport. false: unknown. `what` names it in the message, here and below. */
bool rlk_scheme_read(rlk_str scheme, const char *what, int64_t *transport, rlk_error *err);

/* Checks the path of a socket: absolute, no NUL. */
bool rlk_socket_path_check(rlk_str path, const char *what, rlk_error *err);

/* Takes a host apart: "name", "10.0.0.1", "::1", "[::1]", "tcp://name", "/run/redis.sock", "unix:///run/redis.sock".
 * *transport is an rlk_transport, -1 if left open; *address a path for a unix socket, else a name or address without
 * brackets. */
bool rlk_host_read(rlk_str given, const char *what, int64_t *transport, rlk_str *address, rlk_error *err);

#endif
