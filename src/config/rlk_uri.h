/*
 * rlk_uri: the address of a server taken apart. What the parts of a URI mean is said elsewhere.
 *
 *     tcp://host:port?database=1              redis://[user]:password@host:port/database?option=value
 *     unix:/path?option=value                 unix://[user]:password@/path
 *     redis:///path/of.sock/database          redis:[user:password@]?host[name:port]   (both as in Symfony)
 *
 * And what may stand in the place of a host alone. Messages contain nothing of
 * either, which may hold a password anywhere, also by mistake.
 */
#ifndef RLK_URI_H
#define RLK_URI_H

#include "base/rlk_str.h"
#include "config/rlk_value.h"

/* Parts that are not there have NULL data. They are decoded, and live as long as this struct and the string given. */
typedef struct {
	const char *what;       /* borrowed; what messages call it: "the URI" */
	bool has_scheme;        /* false: it is an entry of a list, and leaves the scheme open */
	int64_t transport;      /* rlk_transport, from the scheme, or unix when a path stood in place of a host */
	rlk_str user, password; /* both or none; possibly empty */
	rlk_str host;
	rlk_str port;       /* digits */
	rlk_str path;       /* of a socket */
	rlk_str database;   /* digits */
	rlk_str query;      /* what rlk_uri_next() has not read yet, not decoded */
	int option_number;  /* of the last one read, from 1 */
	bool may_tell_keys; /* false: a mistyped separator may have made a piece of a password into a key */
	rlk_buf decoded;
} rlk_uri;

/* Takes a URI apart, or with `is_entry` one that may lack its scheme, as "host" in a list of servers does. false: it is
 * malformed, or memory is out. Destroy it in any case. */
bool rlk_uri_parse(rlk_uri *uri, rlk_str given, const char *what, bool is_entry, rlk_error *err);

/* Reads the next option of the query; *key has NULL data when there is none left. false: it is malformed. */
bool rlk_uri_next(rlk_uri *uri, rlk_str *key, rlk_str *value, rlk_error *err);

/* Takes "name:port" apart, as it stands in an authority or in host[...], without decoding. Brackets stay. */
bool rlk_uri_host(rlk_uri *uri, rlk_str given, rlk_error *err);

/* Frees the decoded parts, wiping them. Safe to call twice. */
void rlk_uri_destroy(rlk_uri *uri);

/* Reads a scheme as an rlk_transport. false: unknown. `what` names it in the message, here and below. */
bool rlk_scheme_read(rlk_str scheme, const char *what, int64_t *transport, rlk_error *err);

/* Checks the path of a socket: absolute, no NUL. */
bool rlk_socket_path_check(rlk_str path, const char *what, rlk_error *err);

/* What stood in the place of a host. Parts that are not there have NULL data. */
typedef struct {
	bool has_transport; /* it was a path, or had a scheme in front */
	int64_t transport;
	rlk_str host; /* a name or address, brackets taken off */
	rlk_str path; /* of a socket; then there is no host */
} rlk_host;

/* Takes a host apart: "name", "10.0.0.1", "::1", "[::1]", "tcp://name", "/run/redis.sock", "unix:///run/redis.sock". */
bool rlk_host_read(rlk_str given, const char *what, rlk_host *out, rlk_error *err);
#endif
