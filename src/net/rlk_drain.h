/*
 * rlk_drain: the drain list: connections nobody waits for any more, kept until their last bytes have arrived.
 *
 * A SET whose reply did not come may still run. Its release is written behind
 * it on the same connection, so TCP's order makes it run afterwards; then the
 * connection must live until the server has read both. One list per thread,
 * tended whenever a connection is opened or used.
 */
#ifndef RLK_DRAIN_H
#define RLK_DRAIN_H

#include "base/rlk_str.h"
#include "net/rlk_tls.h"

#include <stdint.h>

typedef struct rlk_drained rlk_drained;

/* Empty when all zero. */
typedef struct {
	rlk_drained *first; /* newest first */
	int open;
} rlk_drain_list;

/* Beyond this the oldest connection is closed: a caller that hammers a silent server with short timeouts must not use up
 * the process's descriptors. */
#define RLK_DRAIN_MAX 64

/* Takes over fd, tls (NULL: in clear) and the bytes still to be sent, which are empty afterwards. Closed when the server
 * ends the stream or the deadline passes; at once, the bytes lost, when out of memory. A deadline of 0: by the next
 * rlk_drain_tend(), and nothing is done now. */
void rlk_drain_add(rlk_drain_list *drain, int fd, rlk_tls *tls, rlk_buf *unsent, int64_t deadline_at_ms);

/* Moves what can be moved without waiting, and closes what is done. Costs nothing when the list is empty. */
void rlk_drain_tend(rlk_drain_list *drain);

/* Closes everything, arrived or not. Also right in a forked copy: a plain close disturbs nobody. */
void rlk_drain_clear(rlk_drain_list *drain);

#endif
