/*
 * rlk_config_uri: a URI taken apart. What its parts mean is said elsewhere.
 *
 *     tcp://host:port?database=1              redis://[user]:password@host:port/database?option=value
 *     unix:/path?option=value                 unix://[user]:password@/path
 *     redis:///path/of.sock/database          redis:[user:password@]?host[name:port]   (both as in Symfony)
 *
 * Messages contain nothing of the URI, which may hold a password anywhere, also
 * by mistake. Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_URI_H
#define RLK_CONFIG_URI_H

#include "base/rlk_buf.h"
#include "base/rlk_error.h"

#include <stdint.h>

/* Parts that are not there have NULL data. They are decoded, and live as long as this struct and the string given. */
typedef struct {
	const char *what;       /* borrowed; what messages call it: "the URI" */
	int64_t transport;      /* rlk_transport, from the scheme, or unix when a path stood in place of a host */
	rlk_str user, password; /* both or none; possibly empty */
	rlk_str host;
	rlk_str port;       /* digits */
	rlk_str path;       /* of a socket */
	rlk_str database;   /* digits */
	rlk_str query;      /* what rlk_config_uri_next() has not read yet, not decoded */
	int option_number;  /* of the last one read, from 1 */
	bool may_tell_keys; /* false: a mistyped separator may have made a piece of a password into a key */
	rlk_buf decoded;
} rlk_config_uri;

/* Takes a URI apart. false: it is malformed, or memory is out. Destroy it in any case. */
bool rlk_config_uri_parse(rlk_config_uri *uri, rlk_str given, const char *what, rlk_error *err);

/* Reads the next option of the query; *key has NULL data when there is none left. false: it is malformed. */
bool rlk_config_uri_next(rlk_config_uri *uri, rlk_str *key, rlk_str *value, rlk_error *err);

/* Takes "name:port" apart, as it stands in an authority or in host[...], without decoding. Brackets stay. */
bool rlk_config_uri_host(rlk_config_uri *uri, rlk_str given, rlk_error *err);

/* Frees the decoded parts, wiping them. Safe to call twice. */
void rlk_config_uri_destroy(rlk_config_uri *uri);

#endif
