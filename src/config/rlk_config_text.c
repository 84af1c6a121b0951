/*
 * rlk_config_text: see the header.
 */
#include "config/rlk_config_text.h"

#include "config/rlk_config.h"
#include "config/rlk_config_message.h"
#include "lock/rlk_keys.h"

#include <inttypes.h>
#include <stdio.h>

#define WHAT_MAX 48
#define HOST_MAX 255

const char rlk_config_auth_allowed[] =
	"a password, a list of user and password, or an array with \"user\" and \"pass\"";

bool rlk_config_equal_nocase(rlk_str a, rlk_str b)
{
	for (size_t i = 0; a.len == b.len && i < a.len; i++) {
		if (rlk_config_lower(a.data[i]) != rlk_config_lower(b.data[i]))
			return false;
	}
	return a.len == b.len;
}

static bool wrong(const char *what, const char *text, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_VALUE, 0, "%s %s", what, text);
	return false;
}

bool rlk_config_check_name(rlk_str name, const char *what, rlk_error *err)
{
	static const char *const suffixes[] = { RLK_KEYS_SIGNAL, RLK_KEYS_WAITERS, RLK_KEYS_FENCE };

	if (name.len == 0)
		return wrong(what, "must not be empty", err);
	if (name.len > RLK_NAME_MAX) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "%s must be at most %d bytes long", what, RLK_NAME_MAX);
		return false;
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (rlk_str_ends_with(name, rlk_str_from_cstr(suffixes[i]))) {
			rlk_error_set(err, RLK_ERR_VALUE, 0, "%s must not end in \"%s\", which is reserved for helper keys", what,
				suffixes[i]);
			return false;
		}
	}
	return true;
}

bool rlk_config_check_token(rlk_str token, const char *what, rlk_error *err)
{
	if (token.len == 0)
		return wrong(what, "must not be empty", err);
	if (token.len > RLK_TOKEN_GIVEN_MAX) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "%s must be at most %d bytes long", what, RLK_TOKEN_GIVEN_MAX);
		return false;
	}
	return true;
}

static bool has_control(rlk_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if ((unsigned char)s.data[i] < 0x20 || s.data[i] == 0x7f)
			return true;
	}
	return false;
}

bool rlk_config_check_label(rlk_str label, const char *what, rlk_error *err)
{
	if (label.len > RLK_LABEL_MAX) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "%s must be at most %d bytes long", what, RLK_LABEL_MAX);
		return false;
	}
	return has_control(label) ? wrong(what, "must not contain control characters", err) : true;
}

/* What CLIENT SETNAME takes. */
static bool check_client_name(rlk_str name, const char *what, rlk_error *err)
{
	for (size_t i = 0; i < name.len; i++) {
		if (name.data[i] < '!' || name.data[i] > '~')
			return wrong(what, "must be printable ASCII without blanks", err);
	}
	return true;
}

bool rlk_config_scheme(rlk_str scheme, const char *what, int64_t *transport, rlk_error *err)
{
	static const struct {
		const char *name;
		rlk_transport transport;
	} known[] = {
		{ "tcp", RLK_TRANSPORT_TCP },
		{ "redis", RLK_TRANSPORT_TCP },
		{ "valkey", RLK_TRANSPORT_TCP },
		{ "unix", RLK_TRANSPORT_UNIX },
		{ "tls", RLK_TRANSPORT_TLS },
		{ "rediss", RLK_TRANSPORT_TLS },
		{ "valkeys", RLK_TRANSPORT_TLS },
		{ "ssl", RLK_TRANSPORT_TLS },
	};

	*transport = RLK_TRANSPORT_TCP;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!rlk_config_equal_nocase(scheme, rlk_str_from_cstr(known[i].name)))
			continue;
		*transport = known[i].transport;
		return true;
	}
	return wrong(what, "must be one of tcp, redis, valkey, unix, tls, rediss, valkeys", err);
}

static bool is_host_char(char c, bool is_ipv6)
{
	if ((rlk_config_lower(c) >= 'a' && rlk_config_lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
		c == '_')
		return true;
	/* "%" is followed by the zone of a link-local address: fe80::1%eth0. */
	return is_ipv6 && (c == ':' || c == '%');
}

/* Takes the brackets off and looks at the characters: whether the rest names a host is the resolver's business, but
 * nothing that may hold a port or a password gets as far as its messages. */
static bool read_name(rlk_str s, rlk_str *out)
{
	bool bracketed = s.len >= 2 && s.data[0] == '[' && s.data[s.len - 1] == ']';
	size_t colons = 0;

	if (bracketed)
		s = rlk_str_make(s.data + 1, s.len - 2);
	for (size_t i = 0; i < s.len; i++)
		colons += s.data[i] == ':';
	if (s.len == 0 || s.len > HOST_MAX || colons == 1 || (bracketed && colons == 0))
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (!is_host_char(s.data[i], colons > 0))
			return false;
	}
	*out = s;
	return true;
}

static bool check_path(rlk_str path, const char *what, rlk_error *err)
{
	if (path.len == 0 || path.data[0] != '/')
		return wrong(what, "must be the absolute path of a socket", err);
	return memchr(path.data, '\0', path.len) == NULL || wrong(what, "must not contain NUL bytes", err);
}

/* Where "://" begins, NULL when it is not there. */
static const char *find_scheme_end(rlk_str s)
{
	for (size_t i = 0; i + 3 <= s.len; i++) {
		if (memcmp(s.data + i, "://", 3) == 0)
			return s.data + i;
	}
	return NULL;
}

bool rlk_config_host(rlk_str given, const char *what, rlk_host *out, rlk_error *err)
{
	const char *scheme_end = find_scheme_end(given);
	rlk_str rest = given, scheme;

	memset(out, 0, sizeof(*out));
	out->transport = RLK_TRANSPORT_TCP;
	if (scheme_end != NULL) {
		scheme = rlk_str_make(given.data, (size_t)(scheme_end - given.data));
		rest = rlk_str_make(scheme_end + 3, given.len - scheme.len - 3);
		if (!rlk_config_scheme(scheme, what, &out->transport, err))
			return false;
		out->has_transport = true;
	} else if (rest.len > 0 && rest.data[0] == '/') {
		out->transport = RLK_TRANSPORT_UNIX;
		out->has_transport = true;
	}
	if (out->transport == RLK_TRANSPORT_UNIX) {
		out->path = rest;
		return check_path(rest, what, err);
	}
	if (read_name(rest, &out->host))
		return true;
	return wrong(what,
		"must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, without port, "
		"user or password",
		err);
}

static bool check_string(const rlk_option_row *row, rlk_str s, const char *what, rlk_error *err)
{
	if (s.len == 0 && (row->flags & RLK_OPTION_EMPTY) == 0)
		return wrong(what, "must not be empty", err);
	if (row->max > 0 && s.len > (uint64_t)row->max) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "%s must be at most %" PRId64 " bytes long", what, row->max);
		return false;
	}
	if ((row->flags & RLK_OPTION_BINARY) == 0 && s.len > 0 && memchr(s.data, '\0', s.len) != NULL)
		return wrong(what, "must not contain NUL bytes", err);
	return true;
}

static bool check_on_lost(rlk_str s, const char *what, int64_t *out, rlk_error *err)
{
	*out = RLK_ON_LOST_THROW;
	if (rlk_str_equal(s, RLK_STR("throw")))
		return true;
	*out = RLK_ON_LOST_FLAG;
	return rlk_str_equal(s, RLK_STR("flag")) || wrong(what, "must be \"throw\" or \"flag\"", err);
}

/* Points out->text at the string. Whole numbers will do where YAML and URL parsers make them of digits. */
static bool take_string(const rlk_option_row *row, const rlk_value *value, rlk_checked *out, rlk_error *err)
{
	int len;

	if (value->type == RLK_VALUE_STRING) {
		out->text = rlk_str_make(value->as.s.data != NULL ? value->as.s.data : "", value->as.s.len);
		return true;
	}
	if (value->type == RLK_VALUE_INT && (row->kind == RLK_KIND_STRING || row->kind == RLK_KIND_AUTH)) {
		len = snprintf(out->digits, sizeof(out->digits), "%" PRId64, value->as.i);
		out->text = rlk_str_make(out->digits, (size_t)len);
		return true;
	}
	return rlk_config_wrong_type(row, value, row->kind == RLK_KIND_AUTH ? rlk_config_auth_allowed : "a string", err);
}

/* How messages call the option. By hand: every text of every lock comes by here, and nearly none is told of. */
static void name_option(const char *key, char what[WHAT_MAX])
{
	static const char before[] = "option \"";
	size_t len = strlen(key);

	if (len > WHAT_MAX - sizeof(before) - 1)
		len = WHAT_MAX - sizeof(before) - 1;
	memcpy(what, before, sizeof(before) - 1);
	memcpy(what + sizeof(before) - 1, key, len);
	memcpy(what + sizeof(before) - 1 + len, "\"", 2);
}

bool rlk_config_check_text(const rlk_option_row *row, const rlk_value *value, rlk_checked *out, rlk_error *err)
{
	char what[WHAT_MAX];
	rlk_str word;

	if (!take_string(row, value, out, err))
		return false;
	name_option(row->key, what);
	if (row->kind == RLK_KIND_ON_LOST || row->kind == RLK_KIND_SCHEME) {
		/* "tcp" and "redis" are one value. */
		word = out->text;
		out->text = rlk_str_make(NULL, 0);
		if (row->kind == RLK_KIND_SCHEME)
			return rlk_config_scheme(word, what, &out->number, err);
		return check_on_lost(word, what, &out->number, err);
	}
	if (row->kind == RLK_KIND_PATH)
		return check_path(out->text, what, err);
	if (!check_string(row, out->text, what, err))
		return false;
	switch (row->option) {
		case RLK_OPTION_NAME:
			return rlk_config_check_name(out->text, what, err);
		case RLK_OPTION_LABEL:
			return rlk_config_check_label(out->text, what, err);
		case RLK_OPTION_CLIENT_NAME:
			return check_client_name(out->text, what, err);
		default:
			return true;
	}
}
