/*
 * rlk_pending: see the header.
 */
#include "lock/rlk_pending.h"

#include <stdlib.h>

static void drop(rlk_pending_list *list, rlk_pending **link)
{
	rlk_pending *pending = *link;

	*link = pending->next;
	free(pending);
	list->count--;
}

void rlk_pending_add(rlk_pending_list *list, const rlk_release *release, bool held, uint64_t settled_with)
{
	rlk_pending *pending;

	if (list->count > 2 * RLK_PENDING_MAX)
		return; /* the ttl has to do */
	for (pending = list->first; pending != NULL; pending = pending->next) {
		if (!pending->aside && rlk_str_equal(rlk_pending_token(pending), release->token)) {
			pending->held = held;
			pending->settled_with = settled_with;
			return;
		}
	}
	pending = malloc(sizeof(*pending) + release->key.len + release->token.len);
	if (pending == NULL)
		return;
	*pending = (rlk_pending){ .next = list->first,
		.until_ms = release->until_ms,
		.settled_with = settled_with,
		.held = held,
		.key_len = release->key.len,
		.token_len = release->token.len };
	memcpy(pending->bytes, release->key.data, release->key.len);
	memcpy(pending->bytes + release->key.len, release->token.data, release->token.len);
	list->first = pending;
	list->count++;
}

void rlk_pending_answered(rlk_pending_list *list, uint64_t answers)
{
	rlk_pending **link = &list->first;

	while (*link != NULL) {
		if (!(*link)->aside && (*link)->settled_with <= answers)
			drop(list, link);
		else
			link = &(*link)->next;
	}
}

void rlk_pending_unsay(rlk_pending_list *list)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next) {
		if (!pending->aside && !pending->held)
			pending->settled_with = RLK_PENDING_UNSAID;
	}
}

void rlk_pending_broke(rlk_pending_list *list)
{
	rlk_pending **link = &list->first;

	while (*link != NULL) {
		if (!(*link)->aside && (*link)->held)
			drop(list, link);
		else
			link = &(*link)->next;
	}
	rlk_pending_unsay(list);
}

bool rlk_pending_is_unsaid(const rlk_pending_list *list)
{
	for (const rlk_pending *pending = list->first; pending != NULL; pending = pending->next) {
		if (!pending->aside && !pending->held && pending->settled_with == RLK_PENDING_UNSAID)
			return true;
	}
	return false;
}

void rlk_pending_forget(rlk_pending_list *list, bool aside)
{
	rlk_pending **link = &list->first;

	while (*link != NULL) {
		if ((*link)->aside == aside)
			drop(list, link);
		else
			link = &(*link)->next;
	}
}

void rlk_pending_expire(rlk_pending_list *list, int64_t now_ms)
{
	rlk_pending **link = &list->first;

	while (*link != NULL) {
		if (!(*link)->aside && now_ms >= (*link)->until_ms)
			drop(list, link);
		else
			link = &(*link)->next;
	}
}

void rlk_pending_lay_aside(rlk_pending_list *list)
{
	for (rlk_pending *pending = list->first; pending != NULL; pending = pending->next)
		pending->aside = true;
}

int64_t rlk_pending_until(const rlk_pending_list *list, bool aside, bool *held, int64_t now_ms, int64_t least_ms)
{
	int64_t until_ms = least_ms;

	*held = false;
	for (const rlk_pending *pending = list->first; pending != NULL; pending = pending->next) {
		if (pending->aside != aside)
			continue;
		*held = *held || (pending->held && pending->until_ms > now_ms);
		if (pending->until_ms > until_ms)
			until_ms = pending->until_ms;
	}
	return until_ms;
}
