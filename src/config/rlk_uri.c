/*
 * rlk_uri: URIs and hosts.
 *
 * Everything ambiguous is refused. A password in the place of a host would be sent to the resolver. A password that is
 * cut short would fail, and nobody would think of a missing "%40".
 */
#include "config/rlk_uri.h"

#include "net/rlk_server.h"

#include <stdio.h>

#define SCHEME_OF_MAX 64
#define HOST_MAX 255

static bool wrong(const char *what, const char *text, rlk_error *err)
{
	return RLK_WRONG_VALUE(err, "%s %s", what, text);
}

/* --- schemes, hosts, sockets --- */

bool rlk_scheme_read(rlk_str scheme, const char *what, int64_t *transport, rlk_error *err)
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
		if (!rlk_equal_nocase(scheme, rlk_str_from_cstr(known[i].name)))
			continue;
		*transport = known[i].transport;
		return true;
	}
	return wrong(what, "must be one of tcp, redis, valkey, unix, tls, rediss, valkeys", err);
}

static bool is_host_char(char c, bool is_ipv6)
{
	if ((rlk_lower(c) >= 'a' && rlk_lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_')
		return true;
	/* "%" is followed by the zone of a link-local address: fe80::1%eth0. */
	return is_ipv6 && (c == ':' || c == '%');
}

/* Takes off the brackets and checks the characters. The resolver decides whether it names a host, but nothing with a
 * port or a password may get that far. */
static bool read_name(rlk_str *name)
{
	rlk_str s = *name;
	bool bracketed = s.len >= 2 && s.data[0] == '[' && s.data[s.len - 1] == ']';
	size_t colons = 0;

	if (bracketed)
		*name = s = rlk_str_make(s.data + 1, s.len - 2);
	for (size_t i = 0; i < s.len; i++)
		colons += s.data[i] == ':';
	if (s.len == 0 || s.len > HOST_MAX || colons == 1 || (bracketed && colons == 0))
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (!is_host_char(s.data[i], colons > 0))
			return false;
	}
	return true;
}

bool rlk_socket_path_check(rlk_str path, const char *what, rlk_error *err)
{
	if (rlk_is_blank(path))
		return wrong(what, RLK_NO_SERVER, err);
	if (path.data[0] != '/')
		return wrong(what, "must be the absolute path of a socket", err);
	return memchr(path.data, '\0', path.len) == NULL || wrong(what, "must not contain NUL bytes", err);
}

/* Where "://" begins, or NULL. */
static const char *find_scheme_end(rlk_str s)
{
	for (size_t i = 0; i + 3 <= s.len; i++) {
		if (memcmp(s.data + i, "://", 3) == 0)
			return s.data + i;
	}
	return NULL;
}

bool rlk_host_read(rlk_str given, const char *what, int64_t *transport, rlk_str *address, rlk_error *err)
{
	const char *scheme_end = find_scheme_end(given);
	rlk_str scheme;

	*transport = given.len > 0 && given.data[0] == '/' ? RLK_TRANSPORT_UNIX : -1;
	*address = given;
	if (rlk_is_blank(given))
		return wrong(what, RLK_NO_SERVER, err);
	if (scheme_end != NULL) {
		scheme = rlk_str_make(given.data, (size_t)(scheme_end - given.data));
		*address = rlk_str_make(scheme_end + 3, given.len - scheme.len - 3);
		if (!rlk_scheme_read(scheme, what, transport, err))
			return false;
	}
	if (*transport == RLK_TRANSPORT_UNIX)
		return rlk_socket_path_check(*address, what, err);
	return read_name(address) ||
		wrong(what,
			"must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, without port, "
			"user or password",
			err);
}

/* --- URIs --- */

static const char *find_char(rlk_str s, char c)
{
	return s.len > 0 ? memchr(s.data, c, s.len) : NULL;
}

/* Cuts the part before the first c, and that c, off s. Returns that part; all of s if there is no c. */
static rlk_str cut_off(rlk_str *s, char c)
{
	const char *at = find_char(*s, c);
	rlk_str head = rlk_str_make(s->data, at != NULL ? (size_t)(at - s->data) : s->len);

	*s = at != NULL ? rlk_str_make(at + 1, s->len - head.len - 1) : RLK_STR("");
	return head;
}

static bool is_digits(rlk_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.data[i] < '0' || s.data[i] > '9')
			return false;
	}
	return s.len > 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = rlk_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes into uri->decoded, in which rlk_uri_parse() has reserved room for the whole URI. In a query "+" is a blank, as in
 * parse_str(), which all PHP clients use. */
static bool decode_part(rlk_uri *uri, rlk_str s, bool in_query, rlk_str *out, rlk_error *err)
{
	char *start = uri->decoded.data + uri->decoded.len, *to = start;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.data[i];

		if (c == '%') {
			int high = i + 2 < s.len ? hex_digit(s.data[i + 1]) : -1;
			int low = i + 2 < s.len ? hex_digit(s.data[i + 2]) : -1;

			if (high < 0 || low < 0)
				return wrong(uri->what, "has a broken percent-encoding; a \"%\" itself is written \"%25\"", err);
			c = (char)(high * 16 + low);
			i += 2;
		} else if (c == '+' && in_query) {
			c = ' ';
		}
		*to++ = c;
	}
	*out = rlk_str_make(start, (size_t)(to - start));
	uri->decoded.len += out->len;
	return true;
}

/* Cuts "user:password@" off the front of s, if it is there. */
static bool take_userinfo(rlk_uri *uri, rlk_str *s, rlk_error *err)
{
	rlk_str info;

	if (find_char(*s, '@') == NULL)
		return true;
	info = cut_off(s, '@');
	if (find_char(*s, '@') != NULL)
		return wrong(uri->what, "has more than one \"@\"; in a user name or password it is written \"%40\"", err);
	/* Symfony reads it as a password, parse_url() as a user. */
	if (find_char(info, ':') == NULL)
		return wrong(uri->what,
			"has no \":\" in front of its \"@\": a user or a password? Write \":password@\" or \"user:password@\"",
			err);
	return decode_part(uri, cut_off(&info, ':'), false, &uri->user, err) &&
		decode_part(uri, info, false, &uri->password, err);
}

/* Takes "name:port" apart, without decoding it. Brackets stay. A URI made of unset variables looks like "redis://:6379": any
 * host we assume would be a guess. */
static bool take_host(rlk_uri *uri, rlk_str given, rlk_error *err)
{
	const char *end = given.data + given.len, *colon = find_char(given, ':');

	if (given.len > 0 && given.data[0] == '[') {
		const char *bracket = find_char(given, ']');

		if (bracket == NULL)
			return wrong(uri->what, "has a \"[\" without \"]\"", err);
		colon = bracket + 1 < end ? bracket + 1 : NULL;
		if (colon != NULL && *colon != ':')
			return wrong(uri->what, "has something between the \"]\" of its address and the port", err);
	}
	if (colon != NULL && colon + 1 < end)
		uri->port = rlk_str_make(colon + 1, (size_t)(end - colon - 1));
	if (uri->port.data != NULL && !is_digits(uri->port))
		return wrong(uri->what,
			"has a port that is no number; an IPv6 address is written in brackets, and \":\", \"/\" and "
			"\"?\" in a password percent-encoded",
			err);
	uri->host = rlk_str_make(given.data, (size_t)((colon != NULL ? colon : end) - given.data));
	return uri->host.len > 0 ||
		wrong(uri->what,
			"must name a host; a socket is \"unix:/run/redis.sock\"; the default server is never used instead", err);
}

/* Reads what follows "//": [user:password@]host[:port][/database], or [user:password@]/path of a socket. */
static bool parse_hierarchy(rlk_uri *uri, rlk_str rest, rlk_error *err)
{
	const char *slash = find_char(rest, '/');
	rlk_str authority = rlk_str_make(rest.data, slash != NULL ? (size_t)(slash - rest.data) : rest.len);

	rest = rlk_str_make(rest.data + authority.len, rest.len - authority.len);
	if (!take_userinfo(uri, &authority, err))
		return false;
	if (uri->transport == RLK_TRANSPORT_UNIX) {
		if (authority.len > 0 || rest.len < 2)
			return wrong(uri->what,
				"must have the absolute path of a socket behind \"unix://\", which makes three slashes", err);
		return decode_part(uri, rest, false, &uri->path, err);
	}
	/* An "@" in the path belongs to a password with a "/" in it. */
	if (find_char(rest, '@') != NULL)
		return wrong(uri->what, "has an \"@\" in its path; a \"/\" in a user name or password is written \"%2F\"", err);
	if (!take_host(uri, authority, err) || !decode_part(uri, uri->host, false, &uri->host, err))
		return false;
	if (rest.len > 1)
		uri->database = rlk_str_make(rest.data + 1, rest.len - 1);
	return (uri->host.data[0] != '/' && (uri->database.data == NULL || is_digits(uri->database))) ||
		wrong(uri->what,
			"must have nothing but the number of a database behind its host; a socket is \"unix:/run/redis.sock\"",
			err);
}

/* Reads what follows the scheme. */
static bool parse_rest(rlk_uri *uri, rlk_str rest, rlk_error *err)
{
	if (rlk_str_starts_with(rest, RLK_STR("//")))
		return parse_hierarchy(uri, rlk_str_make(rest.data + 2, rest.len - 2), err);
	if (uri->transport != RLK_TRANSPORT_UNIX)
		return wrong(uri->what, "must have \"//\" behind its scheme", err);
	if (rest.len < 2 || rest.data[0] != '/')
		return wrong(uri->what, "must have the absolute path of a socket behind \"unix:\"", err);
	return decode_part(uri, rest, false, &uri->path, err);
}

/* "host:port", which is clear without a scheme. */
static bool is_host_and_port(rlk_str s)
{
	size_t digits = 0;
	rlk_str host;

	while (digits < s.len && s.data[s.len - 1 - digits] >= '0' && s.data[s.len - 1 - digits] <= '9')
		digits++;
	if (digits == 0 || digits + 1 >= s.len || s.data[s.len - 1 - digits] != ':')
		return false;
	host = rlk_str_make(s.data, s.len - 1 - digits);
	return find_char(host, '/') == NULL && find_char(host, '@') == NULL && find_char(host, '?') == NULL &&
		(host.data[0] == '[' || find_char(host, ':') == NULL);
}

static bool take_scheme(rlk_uri *uri, rlk_str *rest, rlk_error *err)
{
	const char *colon = find_char(*rest, ':');
	char scheme_of[SCHEME_OF_MAX];
	rlk_str scheme;

	if (colon != NULL && colon > rest->data) {
		scheme = cut_off(rest, ':');
		snprintf(scheme_of, sizeof(scheme_of), "the scheme of %s", uri->what);
		if (rlk_scheme_read(scheme, scheme_of, &uri->transport, NULL))
			return true;
		if (rlk_str_starts_with(*rest, RLK_STR("//")))
			return rlk_scheme_read(scheme, scheme_of, &uri->transport, err);
	}
	return wrong(uri->what,
		"must be a server, as \"tcp://host:port\" and \"host:port\" are; a lock's name goes into \"name\"", err);
}

static bool check_characters(const rlk_uri *uri, rlk_str given, rlk_error *err)
{
	for (size_t i = 0; i < given.len; i++) {
		if ((unsigned char)given.data[i] <= 0x20 || given.data[i] == 0x7f)
			return wrong(uri->what, "must not contain blanks or control characters; they are percent-encoded", err);
	}
	return find_char(given, '#') == NULL || wrong(uri->what, "must not contain \"#\", which is written \"%23\"", err);
}

bool rlk_uri_parse(rlk_uri *uri, rlk_str given, const char *what, bool is_entry, rlk_scratch *scratch, rlk_error *err)
{
	rlk_str rest = given;
	char *memory;

	memset(uri, 0, sizeof(*uri));
	uri->what = what;
	uri->transport = RLK_TRANSPORT_TCP;
	uri->may_tell_keys = find_char(given, '@') == NULL;
	uri->has_scheme = !is_entry || find_scheme_end(given) != NULL || rlk_str_starts_with(given, RLK_STR("unix:"));
	if (rlk_is_blank(given))
		return wrong(what, RLK_NO_SERVER, err);
	if (!check_characters(uri, given, err))
		return false;
	if (uri->has_scheme && is_host_and_port(given))
		return take_host(uri, given, err);
	if (uri->has_scheme && !take_scheme(uri, &rest, err))
		return false;
	memory = rlk_scratch_take(scratch, given.len + 1, err);
	if (memory == NULL)
		return false;
	uri->decoded = rlk_buf_in(memory, given.len + 1);
	uri->query = rest;
	rest = cut_off(&uri->query, '?');
	return uri->has_scheme ? parse_rest(uri, rest, err) : parse_hierarchy(uri, rest, err);
}

bool rlk_uri_next(rlk_uri *uri, rlk_str *key, rlk_str *value, rlk_error *err)
{
	rlk_str pair = RLK_STR(""), name;

	*key = *value = rlk_str_make(NULL, 0);
	while (pair.len == 0 && uri->query.len > 0)
		pair = cut_off(&uri->query, '&');
	if (pair.len == 0)
		return true;
	name = cut_off(&pair, '=');
	return decode_part(uri, name, true, key, err) && decode_part(uri, pair, true, value, err);
}
