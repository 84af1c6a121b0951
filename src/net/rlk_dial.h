/*
 * rlk_dial: from the addresses of a server to a connected socket.
 */
#ifndef RLK_DIAL_H
#define RLK_DIAL_H

#include "base/rlk_error.h"
#include "net/rlk_address.h"

#include <stdint.h>

/* How long an address has to answer before the next one is tried beside it, as in RFC 8305; less where the time is
 * short for that. Whichever answers first is taken. */
#define RLK_DIAL_STAGGER_MS 100

/* Connects to one of the addresses. Returns the descriptor, or RLK_SOCKET_NONE with RLK_ERR_CONNECT in *err: all have
 * refused, or the deadline has passed. Over TCP it is ready for rlk_socket_set_wait(). */
int rlk_dial(const rlk_addresses *addresses, int64_t deadline_at_ms, rlk_error *err);

#endif
