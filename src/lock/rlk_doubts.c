/*
 * rlk_doubts: see the header.
 */
#include "lock/rlk_doubts.h"

#include "lock/rlk_scripts.h"

#include <stdlib.h>

#define NOT_SENT UINT64_MAX

struct rlk_pending {
	rlk_pending *next;
	int64_t until_ms;      /* the key has expired by then */
	uint64_t confirmed_by; /* a number of rlk_conn.replies; NOT_SENT: nothing is outstanding on the connection */
	bool deferred;         /* until its lock ends */
	bool aside;            /* belongs to the connection laid aside */
	bool over;             /* to be removed */
	size_t key_len, token_len;
	char bytes[]; /* key and token */
};

static rlk_release release_of_pending(const rlk_pending *pending)
{
	return (rlk_release){ rlk_str_make(pending->bytes, pending->key_len),
		rlk_str_make(pending->bytes + pending->key_len, pending->token_len), pending->until_ms };
}

static bool is_of(const rlk_pending *pending, rlk_str token)
{
	return rlk_str_equal(release_of_pending(pending).token, token);
}

static void remove_over(rlk_doubts *doubts)
{
	rlk_pending **link = &doubts->first;

	while (*link != NULL) {
		rlk_pending *pending = *link;

		if (pending->over) {
			*link = pending->next;
			free(pending);
			doubts->count--;
		} else {
			link = &pending->next;
		}
	}
}

/* Forgets those of the connection, or of the one laid aside. */
static void forget_all(rlk_doubts *doubts, bool aside)
{
	for (rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next)
		pending->over = pending->aside == aside;
	remove_over(doubts);
}

/* When the last key of the connection, or of the one laid aside, expires, but not within RLK_DOUBTS_BACKGROUND_MS.
 * *deferred: a lock is held that they are about. */
static int64_t last_until(const rlk_doubts *doubts, bool aside, bool *deferred, int64_t now_ms)
{
	int64_t until_ms = now_ms + RLK_DOUBTS_BACKGROUND_MS;

	*deferred = false;
	for (const rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next) {
		if (pending->aside != aside)
			continue;
		*deferred = *deferred || (pending->deferred && pending->until_ms > now_ms);
		if (pending->until_ms > until_ms)
			until_ms = pending->until_ms;
	}
	return until_ms;
}

/* What was sent on the connection laid aside still arrives. */
static void drain_aside(rlk_doubts *doubts, int64_t until_ms)
{
	rlk_conn_abandon(&doubts->aside, until_ms);
	forget_all(doubts, true);
}

void rlk_doubts_end(rlk_doubts *doubts, bool forked, int64_t now_ms)
{
	if (forked)
		rlk_conn_close(&doubts->aside);
	drain_aside(doubts, now_ms + RLK_DOUBTS_BACKGROUND_MS);
	forget_all(doubts, false);
}

bool rlk_release_append(const rlk_release *release, rlk_conn *conn)
{
	const rlk_request request = { &rlk_script_release, &release->key, &release->token, 1, 1 };

	return rlk_request_append(&request, conn, true, NULL);
}

/* The one of the token on the connection; NULL: there is none. */
static rlk_pending *find_pending(const rlk_doubts *doubts, rlk_str token)
{
	rlk_pending *pending = doubts->first;

	while (pending != NULL && (pending->aside || !is_of(pending, token)))
		pending = pending->next;
	return pending;
}

static rlk_pending *add_pending(rlk_doubts *doubts, const rlk_release *release)
{
	rlk_pending *pending =
		doubts->count <= 2 * RLK_DOUBTS_MANY ? malloc(sizeof(*pending) + release->key.len + release->token.len) : NULL;

	if (pending == NULL)
		return NULL;
	*pending = (rlk_pending){ .next = doubts->first,
		.until_ms = release->until_ms,
		.key_len = release->key.len,
		.token_len = release->token.len };
	memcpy(pending->bytes, release->key.data, release->key.len);
	memcpy(pending->bytes + release->key.len, release->token.data, release->token.len);
	doubts->first = pending;
	doubts->count++;
	return pending;
}

/* Pending releases have to be sent again. */
static void make_due(rlk_doubts *doubts)
{
	for (rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next) {
		if (!pending->aside && !pending->deferred)
			pending->confirmed_by = NOT_SENT;
	}
}

/* --- events --------------------------------------------------------------------------------------- */

void rlk_doubts_unanswered(rlk_doubts *doubts, const rlk_release *release, bool deferred, const rlk_conn *sent_on)
{
	rlk_pending *pending = find_pending(doubts, release->token);

	if (pending == NULL)
		pending = add_pending(doubts, release);
	if (pending == NULL)
		return;
	pending->deferred = deferred;
	pending->confirmed_by = sent_on != NULL && sent_on->fd != RLK_SOCKET_NONE ? rlk_conn_last_reply(sent_on) : NOT_SENT;
}

static bool is_due(const rlk_pending *pending)
{
	return !pending->aside && !pending->deferred && pending->confirmed_by == NOT_SENT;
}

bool rlk_doubts_are_due(const rlk_doubts *doubts)
{
	const rlk_pending *pending = doubts->first;

	while (pending != NULL && !is_due(pending))
		pending = pending->next;
	return pending != NULL;
}

bool rlk_doubts_ready(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms)
{
	bool queued = false;

	for (rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next) {
		rlk_release release = release_of_pending(pending);

		pending->over = !pending->aside && now_ms >= pending->until_ms;
		if (pending->over || !is_due(pending) || !rlk_release_append(&release, conn))
			continue;
		pending->confirmed_by = rlk_conn_last_reply(conn);
		queued = true;
	}
	remove_over(doubts);
	return queued;
}

void rlk_doubts_answered(rlk_doubts *doubts, const rlk_conn *conn, const rlk_reply *reply)
{
	/* Nothing was executed, for the time being. */
	bool refused = rlk_reply_is_error(reply, "LOADING") || rlk_reply_is_error(reply, "BUSY") ||
		(reply->type == RLK_REPLY_STATUS && !rlk_reply_is_ok(reply));

	for (rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next) {
		if (refused && !pending->aside && !pending->deferred && pending->confirmed_by == conn->replies)
			pending->confirmed_by = NOT_SENT;
		pending->over = !pending->aside && pending->confirmed_by <= conn->replies;
	}
	remove_over(doubts);
}

void rlk_doubts_broke(rlk_doubts *doubts)
{
	for (rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next)
		pending->over = !pending->aside && pending->deferred;
	remove_over(doubts);
	make_due(doubts);
}

/* One connection laid aside is enough for anything but bad luck: a second one takes its place. */
void rlk_doubts_given_up(rlk_doubts *doubts, rlk_conn *conn, int64_t now_ms)
{
	bool deferred;
	int64_t until_ms = last_until(doubts, false, &deferred, now_ms);

	make_due(doubts); /* of an acquisition only the request was sent, not yet its release */
	if (rlk_doubts_ready(doubts, conn, now_ms))
		rlk_conn_flush(conn, RLK_DEADLINE_NOW, NULL);
	if (conn->fd == RLK_SOCKET_NONE)
		return;
	if (!deferred) {
		rlk_conn_abandon(conn, until_ms);
		forget_all(doubts, false);
		return;
	}
	drain_aside(doubts, until_ms);
	doubts->aside = rlk_conn_set_aside(conn);
	for (rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next)
		pending->aside = true;
}

bool rlk_doubts_defer_any(const rlk_doubts *doubts)
{
	bool deferred, aside;

	last_until(doubts, false, &deferred, rlk_clock_now_ms());
	last_until(doubts, true, &aside, rlk_clock_now_ms());
	return deferred || aside;
}

bool rlk_doubts_lock_ended(rlk_doubts *doubts, const rlk_release *release, bool follows)
{
	bool aside = false, here = false;

	for (rlk_pending *pending = doubts->first; pending != NULL; pending = pending->next) {
		bool ends = pending->deferred && is_of(pending, release->token);

		aside = aside || (ends && pending->aside);
		here = here || (ends && !pending->aside && !follows);
		pending->over = ends && !pending->aside && follows;
		if (ends)
			pending->deferred = false;
		if (ends && !pending->aside)
			pending->confirmed_by = NOT_SENT;
	}
	remove_over(doubts);
	if (!aside || doubts->aside.fd == RLK_SOCKET_NONE || !rlk_release_append(release, &doubts->aside))
		return here;
	rlk_conn_flush(&doubts->aside, RLK_DEADLINE_NOW, NULL);
	return true;
}

void rlk_doubts_pass_time(rlk_doubts *doubts, int64_t now_ms)
{
	bool deferred = true;
	int64_t until_ms = doubts->aside.fd != RLK_SOCKET_NONE ? last_until(doubts, true, &deferred, now_ms) : 0;

	if (!deferred)
		drain_aside(doubts, until_ms);
}
