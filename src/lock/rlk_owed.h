/*
 * rlk_owed: releases that one server is owed, for what it may have done without an answer.
 *
 * Each is said on the connection the server was asked on, where TCP's order makes
 * it run behind the question, or first thing on the next one when that has
 * broken. The server has got over it once it has answered everything that was
 * asked of it by then.
 */
#ifndef RLK_OWED_H
#define RLK_OWED_H

#include "base/rlk_str.h"

#include <stdbool.h>
#include <stdint.h>

/* The release of a token, said where its acquisition may have been executed. */
typedef struct {
	rlk_str key, token;
	int64_t until_ms; /* the key has expired by then */
	bool given;       /* the token is the caller's, who may use it again: never said later than it was asked for */
} rlk_release;

/* With more owed to it a server is not asked for further locks. */
#define RLK_OWED_MAX 256

#define RLK_OWED_UNSAID UINT64_MAX

typedef struct rlk_owed rlk_owed;
struct rlk_owed {
	rlk_owed *next;
	int64_t until_ms; /* the key has expired by then */
	uint64_t
		settled_with; /* this answer on the connection, counted from 1; RLK_OWED_UNSAID: it was not said there yet */
	bool held;        /* the lock was taken without this server: said with its end */
	bool aside;       /* concerns the connection laid aside */
	size_t key_len, token_len;
	char bytes[]; /* key and token */
};

typedef struct {
	rlk_owed *first; /* newest first */
	unsigned count;
} rlk_owed_list;

static inline rlk_str rlk_owed_key(const rlk_owed *owed)
{
	return rlk_str_make(owed->bytes, owed->key_len);
}

static inline rlk_str rlk_owed_token(const rlk_owed *owed)
{
	return rlk_str_make(owed->bytes + owed->key_len, owed->token_len);
}

/* Keeps the release in mind, or changes what is known of it. Without room or memory for it the key stays to its ttl. */
void rlk_owed_add(rlk_owed_list *list, const rlk_release *release, bool held, uint64_t settled_with);

/* So many answers have come on the connection. */
void rlk_owed_answered(rlk_owed_list *list, uint64_t answers);

/* What was said on the connection has to be said again. */
void rlk_owed_unsay(rlk_owed_list *list);

/* The connection broke. What a held lock asked on it was done before, or never will be: its release finds it. The others
 * are unsaid. */
void rlk_owed_broke(rlk_owed_list *list);

/* Is there any that need not wait, and was not yet said? */
bool rlk_owed_is_unsaid(const rlk_owed_list *list);

/* What concerns the connection, or the one laid aside, is dropped; where keys have expired, always. */
void rlk_owed_forget(rlk_owed_list *list, bool aside);
void rlk_owed_expire(rlk_owed_list *list, int64_t now_ms);

/* The connection is laid aside, with all that concerns it. */
void rlk_owed_lay_aside(rlk_owed_list *list);

/* Until when the last key expires that a connection still concerns, but no sooner than least_ms. *held: a lock that is
 * held is among them. */
int64_t rlk_owed_until(const rlk_owed_list *list, bool aside, bool *held, int64_t now_ms, int64_t least_ms);

#endif
