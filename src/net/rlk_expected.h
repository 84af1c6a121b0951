/*
 * rlk_expected: the replies that a connection has yet to receive, in their order, and what becomes of each.
 *
 * Replies in a row of which the same becomes are one entry with a count. There is no heap in it, for the renewal child.
 */
#ifndef RLK_EXPECTED_H
#define RLK_EXPECTED_H

#include "net/rlk_reply.h"

#include <stdint.h>

/* Gets the reply to a request whose sender did not wait for it; NULL: it will never come. */
typedef struct {
	void (*answered)(void *arg, const rlk_reply *reply);
	void *arg;
} rlk_conn_listener;

typedef enum {
	RLK_EXPECTED_AWAITED,   /* somebody waits for it: rlk_conn_read() returns it */
	RLK_EXPECTED_UNREAD,    /* nobody does: it goes to the listener, if any */
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

/* Expects this behind all the others. false: there is no room. */
static inline bool rlk_expected_add(rlk_expected_queue *queue, rlk_expected added)
{
	rlk_expected *last = &queue->entry[(queue->first + queue->entries - 1) % RLK_EXPECTED_MAX];

	if (queue->entries > 0 && last->kind == added.kind && last->listener.arg == added.listener.arg) {
		last->count += added.count;
		last->may_block = last->may_block || added.may_block;
		return true;
	}
	if (queue->entries == RLK_EXPECTED_MAX)
		return false;
	queue->entry[(queue->first + queue->entries++) % RLK_EXPECTED_MAX] = added;
	return true;
}

/* The next reply has come: takes it from the queue, which is not empty, and returns what becomes of it. */
static inline rlk_expected rlk_expected_take(rlk_expected_queue *queue)
{
	rlk_expected *first = &queue->entry[queue->first], taken = *first;

	if (--first->count == 0) {
		queue->first = (queue->first + 1) % RLK_EXPECTED_MAX;
		queue->entries--;
	}
	return taken;
}

bool rlk_expected_has_listener(const rlk_expected_queue *queue);

/* Nobody waits any more for the awaited replies, which are the last of the queue: they go to the listener, if any. */
void rlk_expected_leave(rlk_expected_queue *queue, rlk_conn_listener listener, bool may_block);

/* Empties the queue: the replies will not come, which the listeners are told. */
void rlk_expected_fail(rlk_expected_queue *queue);

/* The listener with this argument is not to be told. */
void rlk_expected_forget(rlk_expected_queue *queue, const void *arg);

#endif
