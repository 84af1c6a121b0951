/*
 * rlk_owed: see the header.
 */
#include "lock/rlk_owed.h"

#include <stdlib.h>

static void drop(rlk_owed_list *list, rlk_owed **link)
{
	rlk_owed *owed = *link;

	*link = owed->next;
	free(owed);
	list->count--;
}

void rlk_owed_add(rlk_owed_list *list, const rlk_release *release, bool held, uint64_t settled_with)
{
	rlk_owed *owed;

	if (list->count > 2 * RLK_OWED_MAX)
		return; /* the ttl has to do */
	for (owed = list->first; owed != NULL; owed = owed->next) {
		if (!owed->aside && rlk_str_equal(rlk_owed_token(owed), release->token)) {
			owed->held = held;
			owed->settled_with = settled_with;
			return;
		}
	}
	owed = malloc(sizeof(*owed) + release->key.len + release->token.len);
	if (owed == NULL)
		return;
	*owed = (rlk_owed){ .next = list->first,
		.until_ms = release->until_ms,
		.settled_with = settled_with,
		.held = held,
		.key_len = release->key.len,
		.token_len = release->token.len };
	memcpy(owed->bytes, release->key.data, release->key.len);
	memcpy(owed->bytes + release->key.len, release->token.data, release->token.len);
	list->first = owed;
	list->count++;
}

void rlk_owed_answered(rlk_owed_list *list, uint64_t answers)
{
	rlk_owed **link = &list->first;

	while (*link != NULL) {
		if (!(*link)->aside && (*link)->settled_with <= answers)
			drop(list, link);
		else
			link = &(*link)->next;
	}
}

void rlk_owed_unsay(rlk_owed_list *list)
{
	for (rlk_owed *owed = list->first; owed != NULL; owed = owed->next) {
		if (!owed->aside && !owed->held)
			owed->settled_with = RLK_OWED_UNSAID;
	}
}

void rlk_owed_broke(rlk_owed_list *list)
{
	rlk_owed **link = &list->first;

	while (*link != NULL) {
		if (!(*link)->aside && (*link)->held)
			drop(list, link);
		else
			link = &(*link)->next;
	}
	rlk_owed_unsay(list);
}

bool rlk_owed_is_unsaid(const rlk_owed_list *list)
{
	for (const rlk_owed *owed = list->first; owed != NULL; owed = owed->next) {
		if (!owed->aside && !owed->held && owed->settled_with == RLK_OWED_UNSAID)
			return true;
	}
	return false;
}

void rlk_owed_forget(rlk_owed_list *list, bool aside)
{
	rlk_owed **link = &list->first;

	while (*link != NULL) {
		if ((*link)->aside == aside)
			drop(list, link);
		else
			link = &(*link)->next;
	}
}

void rlk_owed_expire(rlk_owed_list *list, int64_t now_ms)
{
	rlk_owed **link = &list->first;

	while (*link != NULL) {
		if (!(*link)->aside && now_ms >= (*link)->until_ms)
			drop(list, link);
		else
			link = &(*link)->next;
	}
}

void rlk_owed_lay_aside(rlk_owed_list *list)
{
	for (rlk_owed *owed = list->first; owed != NULL; owed = owed->next)
		owed->aside = true;
}

int64_t rlk_owed_until(const rlk_owed_list *list, bool aside, bool *held, int64_t now_ms, int64_t least_ms)
{
	int64_t until_ms = least_ms;

	*held = false;
	for (const rlk_owed *owed = list->first; owed != NULL; owed = owed->next) {
		if (owed->aside != aside)
			continue;
		*held = *held || (owed->held && owed->until_ms > now_ms);
		if (owed->until_ms > until_ms)
			until_ms = owed->until_ms;
	}
	return until_ms;
}
