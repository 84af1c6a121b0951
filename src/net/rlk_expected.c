/*
 * rlk_expected: see the header.
 */
#include "net/rlk_expected.h"

bool rlk_expected_add(rlk_expected_queue *queue, rlk_expected added)
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

bool rlk_expected_has_listener(const rlk_expected_queue *queue, const void *but)
{
	for (unsigned n = 0; n < queue->entries; n++) {
		const rlk_conn_listener *listener = &rlk_expected_at(queue, n)->listener;

		if (listener->answered != NULL && listener->arg != but)
			return true;
	}
	return false;
}

void rlk_expected_leave(rlk_expected_queue *queue, rlk_conn_listener listener, bool may_block)
{
	rlk_expected left = { RLK_EXPECTED_UNREAD, may_block, 0, listener };

	while (queue->entries > 0) {
		const rlk_expected *last = rlk_expected_at(queue, queue->entries - 1);

		if (last->kind != RLK_EXPECTED_AWAITED && last->kind != RLK_EXPECTED_ASKING)
			break;
		left.count += last->count;
		queue->entries--;
	}
	if (left.count == 0)
		return;
	/* The entries taken off have made room for this one. */
	rlk_expected_add(queue, left);
}

void rlk_expected_fail(rlk_expected_queue *queue)
{
	while (queue->entries > 0) {
		rlk_expected next = *rlk_expected_next(queue);

		rlk_expected_drop(queue);
		if (next.listener.answered != NULL)
			next.listener.answered(next.listener.arg, NULL);
	}
}

void rlk_expected_forget(rlk_expected_queue *queue, const void *arg)
{
	for (unsigned n = 0; n < RLK_EXPECTED_MAX; n++) {
		if (queue->entry[n].listener.arg == arg)
			queue->entry[n].listener = (rlk_conn_listener){ NULL, NULL };
	}
}
