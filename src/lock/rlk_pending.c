/*
 * rlk_pending: see the header.
 */
#include "lock/rlk_pending.h"

#include <stdlib.h>

static void remove_done(rlk_pending_list *list)
{
	rlk_pending **link = &list->first;

	while (*link != NULL) {
		rlk_pending *pending = *link;

		if (pending->done) {
			*link = pending->next;
			free(pending);
			list->count--;
		} else {
			link = &pending->next;
		}
	}
}

void rlk_pending_add(rlk_pending_list *list, const rlk_release *release, bool deferred, uint64_t confirmed_by)
{
	rlk_pending *pending;

	if (list->count > 2 * RLK_PENDING_MAX)
		return;
	for (pending = list->first; pending != NULL; pending = pending->next) {
		if (!pending->aside && rlk_str_equal(rlk_pending_token(pending), release->token)) {
			pending->deferred = deferred;
			pending->confirmed_by = confirmed_by;
			return;
		}
	}
	pending = malloc(sizeof(*pending) + release->key.len + release->token.len);
	if (pending == NULL)
		return;
	*pending = (rlk_pending){ .next = list->first,
		.until_ms = release->until_ms,
		.confirmed_by = confirmed_by,
		.deferred = deferred,
		.key_len = release->key.len,
		.token_len = release->token.len };
	memcpy(pending->bytes, release->key.data, release->key.len);
	memcpy(pending->bytes + release->key.len, release->token.data, release->token.len);
	list->first = pending;
	list->count++;
}

void rlk_pending_confirm(rlk_pending_list *list, uint64_t replies)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next)
		pending->done = !pending->aside && pending->confirmed_by <= replies;
	remove_done(list);
}

void rlk_pending_refuse(rlk_pending_list *list, uint64_t reply)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next) {
		if (!pending->aside && !pending->deferred && pending->confirmed_by == reply)
			pending->confirmed_by = RLK_PENDING_UNSENT;
	}
}

void rlk_pending_mark_unsent(rlk_pending_list *list)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next) {
		if (!pending->aside && !pending->deferred)
			pending->confirmed_by = RLK_PENDING_UNSENT;
	}
}

bool rlk_pending_lock_ended(rlk_pending_list *list, rlk_str token, bool follows)
{
	bool aside = false;

	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next) {
		bool due = pending->deferred && rlk_str_equal(rlk_pending_token(pending), token);

		aside = aside || (due && pending->aside);
		pending->done = due && !pending->aside && follows;
		if (due)
			pending->deferred = false;
		if (due && !pending->aside)
			pending->confirmed_by = RLK_PENDING_UNSENT;
	}
	remove_done(list);
	return aside;
}

void rlk_pending_connection_broke(rlk_pending_list *list)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next)
		pending->done = !pending->aside && pending->deferred;
	remove_done(list);
	rlk_pending_mark_unsent(list);
}

rlk_pending *rlk_pending_unsent(rlk_pending *pending)
{
	while (pending != NULL && (pending->aside || pending->deferred || pending->confirmed_by != RLK_PENDING_UNSENT))
		pending = pending->next;
	return pending;
}

void rlk_pending_discard(rlk_pending_list *list, bool aside)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next)
		pending->done = pending->aside == aside;
	remove_done(list);
}

void rlk_pending_discard_expired(rlk_pending_list *list, int64_t now_ms)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next)
		pending->done = !pending->aside && now_ms >= pending->until_ms;
	remove_done(list);
}

void rlk_pending_lay_aside(rlk_pending_list *list)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next)
		pending->aside = true;
}

int64_t rlk_pending_until(const rlk_pending_list *list, bool aside, bool *deferred, int64_t now_ms, int64_t least_ms)
{
	int64_t until_ms = least_ms;

	*deferred = false;
	for (const rlk_pending *pending = list->first; pending != NULL; pending = pending->next) {
		if (pending->aside != aside)
			continue;
		*deferred = *deferred || (pending->deferred && pending->until_ms > now_ms);
		if (pending->until_ms > until_ms)
			until_ms = pending->until_ms;
	}
	return until_ms;
}
