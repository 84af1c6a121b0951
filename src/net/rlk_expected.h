/*
 * rlk_expected: the replies that a connection has yet to receive, in their order, and who gets each.
 *
 * Replies in a row that are treated alike are one entry with a count. The queue does not allocate, since the renewal
 * child uses it.
 */
#ifndef RLK_EXPECTED_H
#define RLK_EXPECTED_H

#include "net/rlk_reply.h"

#include <stdint.h>

/* Called with the reply to a request whose sender did not wait. NULL: the reply will never come. */
typedef struct {
	void (*answered)(void *arg, const rlk_reply *reply);
	void *arg;
} rlk_conn_listener;

typedef enum {
	RLK_EXPECTED_AWAITED,   /* the caller waits for the reply: rlk_conn_read() returns it */
	RLK_EXPECTED_UNREAD,    /* nobody waits for the reply: it goes to the listener, if any */
	RLK_EXPECTED_ASKING,    /* the reply to an ASKING in front of a request, which says nothing */
	RLK_EXPECTED_AUTH,      /* of the handshake, whose errors make the connection useless */
	RLK_EXPECTED_HANDSHAKE, /* of the handshake, behind AUTH */
	RLK_EXPECTED_PROBE      /* to the PING or ROLE behind the handshake */
} rlk_expected_kind;

typedef struct {
	uint8_t kind;   /* rlk_expected_kind */
	bool may_block; /* UNREAD: a blocking command is among them, so they may take long */
	unsigned count; /* >= 1 */
	rlk_conn_listener listener;
} rlk_expected;

/* More entries than a connection ever has: a handshake of three, left replies with and without a listener, and a request
 * with ASKING in front. */
#define RLK_EXPECTED_MAX 8

/* Empty when all zero. */
typedef struct {
	rlk_expected entry[RLK_EXPECTED_MAX];
	unsigned first, entries;
} rlk_expected_queue;

/* The entry after the first `n`; n < queue->entries. */
static inline const rlk_expected *rlk_expected_at(const rlk_expected_queue *queue, unsigned n)
{
	return &queue->entry[(queue->first + n) % RLK_EXPECTED_MAX];
}

/* How many replies of this kind are to come. */
static inline unsigned rlk_expected_count(const rlk_expected_queue *queue, rlk_expected_kind kind)
{
	unsigned count = 0;

	for (unsigned n = 0; n < queue->entries; n++)
		count += rlk_expected_at(queue, n)->kind == kind ? rlk_expected_at(queue, n)->count : 0;
	return count;
}

/* Expects these replies behind all others. false: there is no room. */
bool rlk_expected_add(rlk_expected_queue *queue, rlk_expected added);

/* The same for one reply that the caller awaits. */
static inline bool rlk_expected_await(rlk_expected_queue *queue)
{
	rlk_expected *next = &queue->entry[(queue->first + queue->entries) % RLK_EXPECTED_MAX];

	if (queue->entries > 0)
		return rlk_expected_add(queue, (rlk_expected){ RLK_EXPECTED_AWAITED, false, 1, { NULL, NULL } });
	next->kind = RLK_EXPECTED_AWAITED;
	next->may_block = false;
	next->count = 1;
	next->listener.answered = NULL;
	next->listener.arg = NULL;
	queue->entries = 1;
	return true;
}

/* The entry of the next reply; the queue is not empty. */
static inline const rlk_expected *rlk_expected_next(const rlk_expected_queue *queue)
{
	return &queue->entry[queue->first];
}

/* Takes off the next reply, which has come. */
static inline void rlk_expected_drop(rlk_expected_queue *queue)
{
	if (--queue->entry[queue->first].count == 0) {
		queue->first = (queue->first + 1) % RLK_EXPECTED_MAX;
		queue->entries--;
	}
}

/* Is there a listener with another argument than `but`? */
bool rlk_expected_has_listener(const rlk_expected_queue *queue, const void *but);

/* Makes the awaited replies, the last of the queue, unread: they go to the listener, if any. */
void rlk_expected_leave(rlk_expected_queue *queue, rlk_conn_listener listener, bool may_block);

/* Empties the queue, and tells the listeners that the replies will not come. */
void rlk_expected_fail(rlk_expected_queue *queue);

/* Removes the listener with this argument, without telling it. */
void rlk_expected_forget(rlk_expected_queue *queue, const void *arg);

#endif
