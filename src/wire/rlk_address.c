/*
 * rlk_address: names to socket addresses.
 */
#include "wire/rlk_address.h"

#include <stddef.h>
#include <stdio.h>

#ifdef _WIN32
#include <afunix.h>
#else
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>
#endif

static bool unix_address(const rlk_endpoint *endpoint, rlk_addresses *out, rlk_error *err)
{
	struct sockaddr_un sun;
	size_t len = strlen(endpoint->path);

	memset(&sun, 0, sizeof(sun));
	sun.sun_family = AF_UNIX;
	if (len >= sizeof(sun.sun_path)) {
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "the socket path has %zu bytes, the system allows %zu", len,
			sizeof(sun.sun_path) - 1);
		return false;
	}
	memcpy(sun.sun_path, endpoint->path, len + 1);
	memcpy(&out->item[0].addr, &sun, sizeof(sun));
	out->item[0].len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + 1);
	out->count = 1;
	return true;
}

bool rlk_address_resolve(const rlk_endpoint *endpoint, rlk_addresses *out, rlk_error *err)
{
	struct addrinfo hints, *list = NULL;
	char port[8];
	int rc;

	memset(out, 0, sizeof(*out));
	if (endpoint->transport == RLK_TRANSPORT_UNIX)
		return unix_address(endpoint, out, err);

	memset(&hints, 0, sizeof(hints));
	hints.ai_family = AF_UNSPEC;
	hints.ai_socktype = SOCK_STREAM;
	hints.ai_flags = AI_NUMERICSERV;
	snprintf(port, sizeof(port), "%u", (unsigned)endpoint->port);
	rc = getaddrinfo(endpoint->host, port, &hints, &list);
	if (rc != 0) {
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot resolve the host name: %s", gai_strerror(rc));
		if (err != NULL)
			err->retryable = rc == EAI_AGAIN;
		return false;
	}
	for (const struct addrinfo *a = list; a != NULL && out->count < RLK_ADDRESSES_MAX; a = a->ai_next) {
		if (a->ai_addrlen > sizeof(out->item[0].addr))
			continue;
		memcpy(&out->item[out->count].addr, a->ai_addr, a->ai_addrlen);
		out->item[out->count].len = (socklen_t)a->ai_addrlen;
		out->count++;
	}
	freeaddrinfo(list);
	if (out->count == 0)
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "the host name has no usable address");
	return out->count > 0;
}

bool rlk_address_is_name(const rlk_endpoint *endpoint)
{
	struct addrinfo hints, *list = NULL;

	if (endpoint->transport == RLK_TRANSPORT_UNIX)
		return false;
	memset(&hints, 0, sizeof(hints));
	hints.ai_flags = AI_NUMERICHOST;
	if (getaddrinfo(endpoint->host, NULL, &hints, &list) != 0)
		return true;
	freeaddrinfo(list);
	return false;
}
