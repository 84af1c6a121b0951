/*
 * rlk_address: see the header.
 */
#include "net/rlk_address.h"

#include <stddef.h>
#include <stdio.h>

#ifdef _WIN32
#include <afunix.h>
#else
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>
#endif

bool rlk_address_equal(const rlk_address *a, const rlk_address *b)
{
	return a->family == b->family && a->port == b->port && a->scope == b->scope &&
		memcmp(a->ip, b->ip, sizeof(a->ip)) == 0;
}

bool rlk_address_parse(rlk_str host, uint16_t port, rlk_address *address)
{
	char text[64];

	memset(address, 0, sizeof(*address));
	if (host.len == 0 || host.len >= sizeof(text))
		return false;
	memcpy(text, host.data, host.len);
	text[host.len] = '\0';
	address->port = port;
	if (inet_pton(AF_INET, text, address->ip) == 1)
		address->family = 4;
	else if (inet_pton(AF_INET6, text, address->ip) == 1)
		address->family = 6;
	return address->family != 0;
}

rlk_address rlk_address_from_list(const rlk_addresses *addresses, int index)
{
	const struct sockaddr_storage *addr = &addresses->item[index].addr;
	rlk_address address = { 0 };

	if (addr->ss_family == AF_INET) {
		struct sockaddr_in in;

		memcpy(&in, addr, sizeof(in));
		address.family = 4;
		address.port = ntohs(in.sin_port);
		memcpy(address.ip, &in.sin_addr, 4);
	} else if (addr->ss_family == AF_INET6) {
		struct sockaddr_in6 in6;

		memcpy(&in6, addr, sizeof(in6));
		address.family = 6;
		address.port = ntohs(in6.sin6_port);
		address.scope = in6.sin6_scope_id;
		memcpy(address.ip, &in6.sin6_addr, 16);
	}
	return address;
}

void rlk_address_to_list(const rlk_address *address, rlk_addresses *addresses)
{
	addresses->count = 1;
	if (address->family == 6) {
		struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
			.sin6_port = htons(address->port),
			.sin6_scope_id = address->scope };

		memcpy(&in6.sin6_addr, address->ip, 16);
		memcpy(&addresses->item[0].addr, &in6, sizeof(in6));
		addresses->item[0].len = sizeof(in6);
	} else {
		struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(address->port) };

		memcpy(&in.sin_addr, address->ip, 4);
		memcpy(&addresses->item[0].addr, &in, sizeof(in));
		addresses->item[0].len = sizeof(in);
	}
}

uint16_t rlk_address_parse_port(rlk_str text)
{
	unsigned n = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] < '0' || text.data[i] > '9' || n > UINT16_MAX)
			return 0;
		n = n * 10 + (unsigned)(text.data[i] - '0');
	}
	return n <= UINT16_MAX ? (uint16_t)n : 0;
}

bool rlk_address_list_peer(int fd, rlk_addresses *peer)
{
	peer->count = 1;
	peer->item[0].addr.ss_family = AF_UNSPEC;
	peer->item[0].len = sizeof(peer->item[0].addr);
	return getpeername(fd, (struct sockaddr *)&peer->item[0].addr, &peer->item[0].len) == 0;
}

rlk_address rlk_address_of_peer(int fd)
{
	rlk_addresses peer;

	rlk_address_list_peer(fd, &peer);
	return rlk_address_from_list(&peer, 0);
}

static bool unix_address(const rlk_server *server, rlk_addresses *out, rlk_error *err)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	size_t len = strlen(server->path);

	if (len >= sizeof(sun.sun_path)) {
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "the socket path has %zu bytes, the system allows %zu", len,
			sizeof(sun.sun_path) - 1);
		return false;
	}
	memcpy(sun.sun_path, server->path, len + 1);
	memcpy(&out->item[0].addr, &sun, sizeof(sun));
	out->item[0].len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + 1);
	out->count = 1;
	return true;
}

int rlk_address_resolve_now(const char *host, const char *port, int flags, rlk_addresses *out)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICSERV | flags };
	struct addrinfo *list = NULL;
	int code = getaddrinfo(host, port, &hints, &list);

	memset(out, 0, sizeof(*out));
	if (code != 0)
		return code;
	for (const struct addrinfo *a = list; a != NULL && out->count < RLK_ADDRESSES_MAX; a = a->ai_next) {
		if (a->ai_addrlen > sizeof(out->item[0].addr))
			continue;
		memcpy(&out->item[out->count].addr, a->ai_addr, a->ai_addrlen);
		out->item[out->count].len = (socklen_t)a->ai_addrlen;
		out->count++;
	}
	freeaddrinfo(list);
	return 0;
}

static bool report_lookup(int code, const rlk_addresses *found, rlk_error *err)
{
	if (code == 0 && found->count > 0)
		return true;
	if (code == RLK_ADDRESS_STOPPED)
		rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the wait for the name service was interrupted");
	else if (code == 0)
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "the host name has no usable address");
	else
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot resolve the host name: %s",
			code == RLK_ADDRESS_LATE ? "no answer in time" : gai_strerror(code));
	return false;
}

/* Unix paths and numeric addresses need no resolver; it also reads the rarer spellings of addresses. false: the
 * resolver must be asked, with this port. */
static bool is_an_address(const rlk_server *server, char port[8], rlk_addresses *out, bool *found, rlk_error *err)
{
	rlk_address address;

	out->count = 0;
	*found = true;
	if (server->transport == RLK_TRANSPORT_UNIX) {
		*found = unix_address(server, out, err);
		return true;
	}
	if (rlk_address_parse(rlk_str_from_cstr(server->host), server->port, &address)) {
		rlk_address_to_list(&address, out);
		return true;
	}
	snprintf(port, 8, "%u", (unsigned)server->port);
	return false;
}

bool rlk_address_resolve(const rlk_server *server, const rlk_hooks *hooks, rlk_deadline deadline, rlk_addresses *out,
	rlk_error *err)
{
	char port[8];
	bool found;

	if (is_an_address(server, port, out, &found, err))
		return found;
	return report_lookup(rlk_address_resolve_name(server->host, port, hooks, deadline.at_ms, NULL, NULL, out), out,
		err);
}

bool rlk_address_begin_query(const rlk_server *server, rlk_query **query, rlk_addresses *out, rlk_error *err)
{
	char port[8];
	bool found;
	int code;

	*query = NULL;
	if (is_an_address(server, port, out, &found, err))
		return found;
	code = rlk_query_begin(server->host, port, query, out);
	return *query == NULL && report_lookup(code, out, err);
}

bool rlk_address_end_query(rlk_query *query, rlk_addresses *out, rlk_error *err)
{
	return report_lookup(rlk_query_end(query, out), out, err);
}

bool rlk_address_has_name(const rlk_server *server)
{
	rlk_addresses numeric;

	return server->transport != RLK_TRANSPORT_UNIX &&
		rlk_address_resolve_now(server->host, "0", AI_NUMERICHOST, &numeric) != 0;
}

bool rlk_address_is_same(const rlk_server *a, const rlk_server *b)
{
	rlk_str x = rlk_str_from_cstr(rlk_server_address(a)), y = rlk_str_from_cstr(rlk_server_address(b));
	rlk_address one, other;

	if (a->transport != b->transport)
		return false;
	if (a->transport == RLK_TRANSPORT_UNIX)
		return rlk_str_equal(x, y);
	if (a->port != b->port)
		return false;
	if (rlk_address_parse(x, 0, &one) && rlk_address_parse(y, 0, &other))
		return rlk_address_equal(&one, &other);
	return rlk_equal_nocase(x, y);
}
