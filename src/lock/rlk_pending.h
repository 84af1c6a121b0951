/*
 * rlk_pending: releases that one server has yet to be told, of what it may have done without an answer.
 *
 * Each is said on the connection the server was asked on, where TCP's order makes
 * it run behind the request, or first thing on the next one when that has
 * broken. The server has got over it once it has answered everything that was
 * asked of it by then.
 */
#ifndef RLK_PENDING_H
#define RLK_PENDING_H

#include "base/rlk_str.h"

#include <stdbool.h>
#include <stdint.h>

/* The release of a token, said where its acquisition may have been executed. */
typedef struct {
	rlk_str key, token;
	int64_t until_ms; /* the key has expired by then */
	bool given;       /* the token is the caller's, who may use it again: never said later than it was asked for */
} rlk_release;

/* With more of them a server is not asked for further locks. */
#define RLK_PENDING_MAX 256

#define RLK_PENDING_UNSAID UINT64_MAX

typedef struct rlk_pending rlk_pending;
struct rlk_pending {
	rlk_pending *next;
	int64_t until_ms; /* the key has expired by then */
	uint64_t
		settled_with; /* this answer on the connection, counted from 1; RLK_PENDING_UNSAID: it was not said there yet */
	bool held;        /* the lock was taken without this server: said with its end */
	bool aside;       /* concerns the connection laid aside */
	size_t key_len, token_len;
	char bytes[]; /* key and token */
};

typedef struct {
	rlk_pending *first; /* newest first */
	unsigned count;
} rlk_pending_list;

static inline rlk_str rlk_pending_key(const rlk_pending *pending)
{
	return rlk_str_make(pending->bytes, pending->key_len);
}

static inline rlk_str rlk_pending_token(const rlk_pending *pending)
{
	return rlk_str_make(pending->bytes + pending->key_len, pending->token_len);
}

/* Keeps the release in mind, or changes what is known of it. Without room or memory for it the key stays to its ttl. */
void rlk_pending_add(rlk_pending_list *list, const rlk_release *release, bool held, uint64_t settled_with);

/* So many answers have come on the connection. */
void rlk_pending_answered(rlk_pending_list *list, uint64_t answers);

/* What was said on the connection has to be said again. */
void rlk_pending_unsay(rlk_pending_list *list);

/* The connection broke. What a held lock asked on it was done before, or never will be: its release finds it. The others
 * are unsaid. */
void rlk_pending_broke(rlk_pending_list *list);

/* Is there any that need not wait, and was not yet said? */
bool rlk_pending_is_unsaid(const rlk_pending_list *list);

/* What concerns the connection, or the one laid aside, is dropped; where keys have expired, always. */
void rlk_pending_forget(rlk_pending_list *list, bool aside);
void rlk_pending_expire(rlk_pending_list *list, int64_t now_ms);

/* The connection is laid aside, with all that concerns it. */
void rlk_pending_lay_aside(rlk_pending_list *list);

/* Until when the last key expires that a connection still concerns, but no sooner than least_ms. *held: a lock that is
 * held is among them. */
int64_t rlk_pending_until(const rlk_pending_list *list, bool aside, bool *held, int64_t now_ms, int64_t least_ms);

#endif
