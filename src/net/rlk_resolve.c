/*
 * rlk_resolve: what both systems share.
 */
#include "net/rlk_resolve.h"

#include "net/rlk_place.h"

#include <stddef.h>
#include <stdio.h>

#ifdef _WIN32
#include <afunix.h>
#else
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>
#endif

static bool unix_address(const rlk_server *server, rlk_addresses *out, rlk_error *err)
{
	struct sockaddr_un sun;
	size_t len = strlen(server->path);

	memset(&sun, 0, sizeof(sun));
	sun.sun_family = AF_UNIX;
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

int rlk_resolve_now(const char *host, const char *port, int flags, rlk_addresses *out)
{
	struct addrinfo hints, *list = NULL;
	int code;

	memset(out, 0, sizeof(*out));
	memset(&hints, 0, sizeof(hints));
	hints.ai_family = AF_UNSPEC;
	hints.ai_socktype = SOCK_STREAM;
	hints.ai_flags = AI_NUMERICSERV | flags;
	code = getaddrinfo(host, port, &hints, &list);
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

bool rlk_resolve(const rlk_server *server, int64_t deadline_at_ms, rlk_addresses *out, rlk_error *err)
{
	rlk_place place;
	char port[8];
	int code;

	out->count = 0;
	if (server->transport == RLK_TRANSPORT_UNIX)
		return unix_address(server, out, err);
	/* What needs no resolver; the rarer ways to write an address are left to it. */
	if (rlk_place_parse(rlk_str_from_cstr(server->host), server->port, &place)) {
		rlk_place_to(&place, out);
		return true;
	}

	snprintf(port, sizeof(port), "%u", (unsigned)server->port);
	code = rlk_resolve_name(server->host, port, deadline_at_ms, out);
	if (code == 0 && out->count > 0)
		return true;
	if (code == 0)
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "the host name has no usable address");
	else
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot resolve the host name: %s",
			code == RLK_RESOLVE_LATE ? "no answer in time" : gai_strerror(code));
	return false;
}

bool rlk_resolve_is_needed(const rlk_server *server)
{
	struct addrinfo hints, *list = NULL;

	if (server->transport == RLK_TRANSPORT_UNIX)
		return false;
	memset(&hints, 0, sizeof(hints));
	hints.ai_flags = AI_NUMERICHOST;
	if (getaddrinfo(server->host, NULL, &hints, &list) != 0)
		return true;
	freeaddrinfo(list);
	return false;
}
