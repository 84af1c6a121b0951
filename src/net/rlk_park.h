/*
 * rlk_park: connections nobody waits for any more, kept until their last bytes have arrived.
 *
 * A SET whose answer did not come may still run. Its release is written behind
 * it on the same connection, where TCP's order makes it run afterwards; then
 * the connection must live until the server has read both. One park per
 * thread; it is tended in passing, by whoever opens or uses a connection.
 */
#ifndef RLK_PARK_H
#define RLK_PARK_H

#include "base/rlk_buf.h"

#include "net/rlk_reply.h"
#include "net/rlk_tls.h"

#include <stdint.h>

/* What tells one token, as the value of this key of this server, from any other. */
typedef uint64_t rlk_token_id; /* the server in the upper half */
rlk_token_id rlk_token_id_of(rlk_str token, rlk_str key, const char *server);

/* One connection has something of one lock under way as a rule. */
#define RLK_TOKENS_MAX 4

/* Those of which it has something under way that would harm a later use of the same token: a release, a shorter TTL. With
 * more than fit in, it may be any of these servers. All zero: none. */
typedef struct {
	rlk_token_id id[RLK_TOKENS_MAX];
	unsigned count;
} rlk_tokens;

void rlk_tokens_add(rlk_tokens *tokens, rlk_token_id id);
bool rlk_tokens_may_have(const rlk_tokens *tokens, rlk_token_id id);

typedef struct rlk_parked rlk_parked;

typedef struct {
	rlk_parked *first; /* newest first */
	int open;          /* those whose stream has not ended */
} rlk_park;

/* clang-format off */
#define RLK_PARK_INIT { NULL, 0 }
/* clang-format on */

/* A caller that hammers a silent server with short timeouts must not use up the process's descriptors:
 * beyond this the oldest connection is closed, one without tokens if there is any. */
#define RLK_PARK_MAX 64

/* When a stream has ended without a word from the server, somebody in between may still have what we sent. What
 * it has on its way arrives within this. */
#define RLK_PARK_REMEMBERED_MS 10000

/* What is left of a connection. */
typedef struct {
	int fd;
	rlk_tls *tls;       /* NULL: in clear */
	rlk_buf unsent;     /* bytes still to be sent */
	rlk_reader *reader; /* of what comes; may be NULL without tokens */
	unsigned replies;   /* still to come */
	rlk_tokens tokens;
} rlk_left;

/* Takes over all of it. Closed when the server ends the stream or the deadline passes. With tokens there is no deadline, but
 * an end when the last reply has come: what has not been answered may run at any time. When memory is out the bytes
 * are lost and fd is closed at once. */
void rlk_park_add(rlk_park *park, const rlk_left *left, int64_t deadline_at_ms);

/* These tokens were on their way over a stream that is no more. */
void rlk_park_remember(rlk_park *park, const rlk_tokens *tokens);

/* Waits until no connection here has anything of this token under way. false: one still may at that time. */
bool rlk_park_settle(rlk_park *park, rlk_token_id token, int64_t until_at_ms);

/* Moves what can be moved without waiting; drops what is done. Costs nothing when the park is empty. */
void rlk_park_tend(rlk_park *park);

/* Closes everything, arrived or not. Also right in a forked copy: a plain close disturbs nobody. */
void rlk_park_clear(rlk_park *park);

#endif
