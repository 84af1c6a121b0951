/*
 * rlk_address: the socket addresses behind an endpoint.
 *
 * A fixed-size value without pointers, since it also travels to the renewal
 * child, which must not resolve names itself.
 */
#ifndef RLK_ADDRESS_H
#define RLK_ADDRESS_H

#include "base/rlk_error.h"
#include "wire/rlk_endpoint.h"

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <sys/socket.h>
#endif

/* A host name with more addresses than this loses the rest. */
#define RLK_ADDRESSES_MAX 8

typedef struct {
	int count;
	struct {
		socklen_t len;
		struct sockaddr_storage addr;
	} item[RLK_ADDRESSES_MAX];
} rlk_addresses;

/* Fills *out in the resolver's order of preference. false: *err is RLK_ERR_CONNECT. Numeric addresses and
 * unix paths do no I/O; a name asks the system's resolver, until the deadline. */
bool rlk_address_resolve(const rlk_endpoint *endpoint, int64_t deadline_at_ms, rlk_addresses *out, rlk_error *err);

/* Is the endpoint named by a host name, whose addresses may change? */
bool rlk_address_is_name(const rlk_endpoint *endpoint);

#endif
