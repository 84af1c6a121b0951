/*
 * rlk_doubts: see the header.
 */
#include "lock/rlk_doubts.h"

#include "lock/rlk_scripts.h"

#include <stdlib.h>

#define NOT_SENT UINT64_MAX

struct rlk_pending {
	rlk_pending *next;
	int64_t until_ms; /* the key has expired by then */
	uint64_t
		answered_by; /* the reply with this number, see rlk_conn.replies; NOT_SENT: it is due on the next connection */
	size_t key_len, token_len;
	char bytes[]; /* key and token */
};

static rlk_str token_of(const rlk_pending *pending)
{
	return rlk_str_make(pending->bytes + pending->key_len, pending->token_len);
}

/* By text, since nobody could repeat it for a server that does not know the script. */
static bool append_pending(const rlk_pending *pending, rlk_conn *conn)
{
	const rlk_str key = rlk_str_make(pending->bytes, pending->key_len), token = token_of(pending);
	const rlk_request request = { &rlk_script_release, &key, &token, 1, 1 };

	return rlk_request_append(&request, conn, true, NULL);
}

static void remove_pending(rlk_doubts *doubts, rlk_pending **link)
{
	rlk_pending *pending = *link;

	*link = pending->next;
	free(pending);
	doubts->count--;
}

void rlk_doubts_end(rlk_doubts *doubts)
{
	while (doubts->first != NULL)
		remove_pending(doubts, &doubts->first);
}

/* The pending release of the token; NULL: there is none. */
static rlk_pending *find_pending(const rlk_doubts *doubts, rlk_str token)
{
	rlk_pending *pending = doubts->first;

	while (pending != NULL && !rlk_str_equal(token_of(pending), token))
		pending = pending->next;
	return pending;
}

static rlk_pending *add_pending(rlk_doubts *doubts, const rlk_release *release)
{
	rlk_pending *pending =
		doubts->count <= 2 * RLK_DOUBTS_MANY ? malloc(sizeof(*pending) + release->key.len + release->token.len) : NULL;

	if (pending == NULL)
		return NULL;
	*pending = (rlk_pending){ .next = doubts->first, .key_len = release->key.len, .token_len = release->token.len };
	memcpy(pending->bytes, release->key.data, release->key.len);
	memcpy(pending->bytes + release->key.len, release->token.data, release->token.len);
	doubts->first = pending;
	doubts->count++;
	return pending;
}

/* --- events --------------------------------------------------------------------------------------- */

void rlk_doubts_unanswered(rlk_doubts *doubts, const rlk_release *release, const rlk_conn *sent_on)
{
	rlk_pending *pending = find_pending(doubts, release->token);

	if (pending == NULL)
		pending = add_pending(doubts, release);
	if (pending == NULL)
		return;
	pending->until_ms = release->ttl_ms > 0 ? rlk_clock_add(rlk_clock_now_ms(), 2 * release->ttl_ms) : RLK_NEVER;
	pending->answered_by = sent_on != NULL && sent_on->fd != RLK_SOCKET_NONE ? rlk_conn_last_reply(sent_on) : NOT_SENT;
}

bool rlk_doubts_are_due(const rlk_doubts *doubts)
{
	const rlk_pending *pending = doubts->first;

	while (pending != NULL && pending->answered_by != NOT_SENT)
		pending = pending->next;
	return pending != NULL;
}

bool rlk_doubts_ready(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms)
{
	rlk_pending **link = &doubts->first, *pending;
	bool queued = false;

	while ((pending = *link) != NULL) {
		if (now_ms >= pending->until_ms) {
			remove_pending(doubts, link);
			continue;
		}
		if (pending->answered_by == NOT_SENT && append_pending(pending, conn)) {
			pending->answered_by = rlk_conn_last_reply(conn);
			queued = true;
		}
		link = &pending->next;
	}
	return queued;
}

void rlk_doubts_answered(rlk_doubts *doubts, const rlk_conn *conn, const rlk_reply *reply)
{
	/* The server executes nothing for the time being. */
	bool refused = rlk_reply_is_error(reply, "LOADING") || rlk_reply_is_error(reply, "BUSY") ||
		(reply->type == RLK_REPLY_STATUS && !rlk_reply_is_ok(reply));
	rlk_pending **link = &doubts->first, *pending;

	while ((pending = *link) != NULL) {
		if (refused && pending->answered_by == conn->replies)
			pending->answered_by = NOT_SENT;
		if (pending->answered_by <= conn->replies)
			remove_pending(doubts, link);
		else
			link = &pending->next;
	}
}

void rlk_doubts_broke(rlk_doubts *doubts)
{
	for (rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next)
		pending->answered_by = NOT_SENT;
}

void rlk_doubts_given_up(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms)
{
	int64_t until_ms = now_ms + RLK_DOUBTS_BACKGROUND_MS;

	rlk_doubts_broke(doubts); /* only the request of the acquisition was sent, not yet its release */
	if (rlk_doubts_ready(doubts, conn, now_ms))
		rlk_conn_flush(conn, RLK_DEADLINE_NOW, NULL);
	if (conn->fd == RLK_SOCKET_NONE)
		return;
	/* Until the last key has expired. */
	for (const rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next)
		until_ms = pending->until_ms > until_ms ? pending->until_ms : until_ms;
	rlk_conn_abandon(conn, until_ms);
	rlk_doubts_end(doubts);
}
