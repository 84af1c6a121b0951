/*
 * rlk_place: see the header.
 */
#include "net/rlk_place.h"

#ifndef _WIN32
#include <arpa/inet.h>
#include <netinet/in.h>
#endif

bool rlk_place_equal(const rlk_place *a, const rlk_place *b)
{
	return a->family == b->family && a->port == b->port && a->scope == b->scope &&
		memcmp(a->ip, b->ip, sizeof(a->ip)) == 0;
}

bool rlk_place_parse(rlk_str host, uint16_t port, rlk_place *place)
{
	char text[64];

	memset(place, 0, sizeof(*place));
	if (host.len == 0 || host.len >= sizeof(text))
		return false;
	memcpy(text, host.data, host.len);
	text[host.len] = '\0';
	place->port = port;
	if (inet_pton(AF_INET, text, place->ip) == 1)
		place->family = 4;
	else if (inet_pton(AF_INET6, text, place->ip) == 1)
		place->family = 6;
	return place->family != 0;
}

static rlk_place from_sockaddr(const struct sockaddr_storage *addr)
{
	rlk_place place;

	memset(&place, 0, sizeof(place));
	if (addr->ss_family == AF_INET) {
		struct sockaddr_in in;

		memcpy(&in, addr, sizeof(in));
		place.family = 4;
		place.port = ntohs(in.sin_port);
		memcpy(place.ip, &in.sin_addr, 4);
	} else if (addr->ss_family == AF_INET6) {
		struct sockaddr_in6 in6;

		memcpy(&in6, addr, sizeof(in6));
		place.family = 6;
		place.port = ntohs(in6.sin6_port);
		place.scope = in6.sin6_scope_id;
		memcpy(place.ip, &in6.sin6_addr, 16);
	}
	return place;
}

rlk_place rlk_place_from(const rlk_addresses *addresses, int index)
{
	return from_sockaddr(&addresses->item[index].addr);
}

rlk_place rlk_place_of_peer(int fd)
{
	struct sockaddr_storage addr;
	socklen_t len = sizeof(addr);

	memset(&addr, 0, sizeof(addr));
	if (getpeername(fd, (struct sockaddr *)&addr, &len) != 0)
		addr.ss_family = AF_UNSPEC;
	return from_sockaddr(&addr);
}

void rlk_place_to(const rlk_place *place, rlk_addresses *addresses)
{
	memset(addresses, 0, sizeof(*addresses));
	addresses->count = 1;
	if (place->family == 6) {
		struct sockaddr_in6 in6;

		memset(&in6, 0, sizeof(in6));
		in6.sin6_family = AF_INET6;
		in6.sin6_port = htons(place->port);
		in6.sin6_scope_id = place->scope;
		memcpy(&in6.sin6_addr, place->ip, 16);
		memcpy(&addresses->item[0].addr, &in6, sizeof(in6));
		addresses->item[0].len = sizeof(in6);
	} else {
		struct sockaddr_in in;

		memset(&in, 0, sizeof(in));
		in.sin_family = AF_INET;
		in.sin_port = htons(place->port);
		memcpy(&in.sin_addr, place->ip, 4);
		memcpy(&addresses->item[0].addr, &in, sizeof(in));
		addresses->item[0].len = sizeof(in);
	}
}

uint16_t rlk_place_port(rlk_str text)
{
	unsigned n = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] < '0' || text.data[i] > '9' || n > UINT16_MAX)
			return 0;
		n = n * 10 + (unsigned)(text.data[i] - '0');
	}
	return n <= UINT16_MAX ? (uint16_t)n : 0;
}
