/*
 * rlk_config_text: values that are strings, and what a scheme or host says.
 *
 * Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_TEXT_H
#define RLK_CONFIG_TEXT_H

#include "config/rlk_config_value.h"

/* The part of rlk_config_check() for strings. */
bool rlk_config_check_text(const rlk_option_row *row, const rlk_value *value, rlk_checked *out, rlk_error *err);

/* Whether two strings are equal but for the case of ASCII letters. */
bool rlk_config_equal_nocase(rlk_str a, rlk_str b);

/* What the option `auth` may be, for messages. */
extern const char rlk_config_auth_allowed[];

/* Reads a scheme as an rlk_transport. false: unknown. `what` names it in the message. */
bool rlk_config_scheme(rlk_str scheme, const char *what, int64_t *transport, rlk_error *err);

/* What stood in the place of a host. Parts that are not there have NULL data. */
typedef struct {
	bool has_transport; /* it was a path, or had a scheme in front */
	int64_t transport;
	rlk_str host; /* a name or address, brackets taken off */
	rlk_str path; /* of a socket; then there is no host */
} rlk_host;

/* Takes a host apart: "name", "10.0.0.1", "::1", "[::1]", "tcp://name", "/run/redis.sock", "unix:///run/redis.sock". */
bool rlk_config_host(rlk_str given, const char *what, rlk_host *out, rlk_error *err);

#endif
