/*
 * rlk_address: the socket addresses of one server.
 *
 * A fixed-size value without pointers, since it also travels to the renewal
 * child, which must not resolve names itself.
 */
#ifndef RLK_ADDRESS_H
#define RLK_ADDRESS_H

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

#endif
