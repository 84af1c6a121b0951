/*
 * rlk_drain: the drain list: connections that nobody waits for any more, kept until the server has read all bytes.
 *
 * A SET without an answer may still run. Its release is written behind it on the same connection, so TCP keeps their
 * order; the connection must live until the server has read both: a server that cannot write the answer to the first, since
 * the other end is closed, reads no further. One list per thread, tended whenever a connection is opened or used.
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
	long owner_pid; /* in a copy of that process they are only closed */
} rlk_drain_list;

/* Beyond this number the oldest connection is closed. A caller with short timeouts and a silent server must not use up
 * the descriptors of the process. */
#define RLK_DRAIN_MAX 64

/* Takes over fd, tls (NULL: in clear) and the bytes still to be sent, which are empty afterwards. The connection is
 * closed when the server ends the stream or the deadline passes; at once, and the bytes are lost, if out of memory. A
 * deadline of 0: the next rlk_drain_tend() does everything, and this call nothing. */
void rlk_drain_add(rlk_drain_list *drain, int fd, rlk_tls *tls, rlk_buf *unsent, int64_t deadline_at_ms);

/* Sends and receives without waiting, and closes connections that are done. Costs nothing when the list is empty. */
void rlk_drain_tend(rlk_drain_list *drain);

/* Waits until the servers have read all bytes, or until that time, and closes all connections. For the end of the process. */
void rlk_drain_finish(rlk_drain_list *drain, int64_t until_ms);

/* Closes all connections, whether or not their bytes have arrived. Also right in a forked copy: a plain close disturbs
 * nobody. */
void rlk_drain_clear(rlk_drain_list *drain);

#endif
