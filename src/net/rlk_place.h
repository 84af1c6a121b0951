/*
 * rlk_place: the numeric address of one server over TCP, small enough to be told and compared.
 *
 * Nothing here allocates or asks anybody: the renewal child uses it too.
 */
#ifndef RLK_PLACE_H
#define RLK_PLACE_H

#include "base/rlk_str.h"
#include "net/rlk_address.h"

#include <stdint.h>

/* Longest host in a reply of a server: a name has 253 bytes at most. */
#define RLK_HOST_MAX 256

typedef struct {
	uint8_t family; /* 4, 6, or 0: none */
	uint8_t ip[16];
	uint16_t port;
	uint32_t scope; /* of a link-local IPv6 address */
} rlk_place;

bool rlk_place_equal(const rlk_place *a, const rlk_place *b);

/* From an address in text. false: it is a name, or nothing. */
bool rlk_place_parse(rlk_str host, uint16_t port, rlk_place *place);

/* From and to what the system works with. A unix socket is no place. */
rlk_place rlk_place_from(const rlk_addresses *addresses, int index);
void rlk_place_to(const rlk_place *place, rlk_addresses *addresses);

/* Where the other end of a socket is. */
rlk_place rlk_place_of_peer(int fd);

/* A decimal port, 1 to 65535; 0: it is none. */
uint16_t rlk_place_port(rlk_str text);

#endif
