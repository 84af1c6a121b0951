/*
 * rlk_pending: the pending releases of one server: of tokens that its keys may hold although it never confirmed them.
 *
 * A pending release is sent on the connection that carried the acquisition, where TCP's order has it run behind that, or
 * first on the next connection if that one broke. It is confirmed once the server has answered everything that was asked
 * up to then.
 */
#ifndef RLK_PENDING_H
#define RLK_PENDING_H

#include "base/rlk_str.h"

#include <stdbool.h>
#include <stdint.h>

/* The release of a token, for a server that may hold it. */
typedef struct {
	rlk_str key, token;
	int64_t until_ms; /* the key has expired by then */
	bool given;       /* the token is the caller's, who may use it again: this is sent at once or never */
} rlk_release;

/* A server with more of them gets no further acquisitions. */
#define RLK_PENDING_MAX 256

#define RLK_PENDING_UNSENT UINT64_MAX

typedef struct rlk_pending rlk_pending;
struct rlk_pending {
	rlk_pending *next;
	int64_t until_ms;      /* the key has expired by then */
	uint64_t confirmed_by; /* this reply on the connection, counted from 1; RLK_PENDING_UNSENT: not sent on it yet */
	bool deferred;         /* the lock was acquired without this server: sent when that lock ends */
	bool aside;            /* belongs to the connection laid aside */
	bool done;             /* to be removed */
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

/* Adds a release, or updates the one of this token. Without room or memory for it the key is left to its ttl. */
void rlk_pending_add(rlk_pending_list *list, const rlk_release *release, bool deferred, uint64_t confirmed_by);

/* Removes what is confirmed now that so many replies have come on the connection. */
void rlk_pending_confirm(rlk_pending_list *list, uint64_t replies);

/* The reply of this number says that nothing was executed, for the time being: its release has to be sent again. */
void rlk_pending_refuse(rlk_pending_list *list, uint64_t reply);

/* Those that are not deferred have to be sent again. */
void rlk_pending_mark_unsent(rlk_pending_list *list);

/* The lock with this token ends, and its deferred releases are due. `follows`: the caller sends one on the connection, which
 * needs no second one ahead of it, whose answer nobody would count. true: one is to be sent on the connection laid aside. */
bool rlk_pending_lock_ended(rlk_pending_list *list, rlk_str token, bool follows);

/* The connection broke. Deferred ones are removed: what that connection carried has run by now, or never will, so the
 * release of the lock finds it. The others become unsent. */
void rlk_pending_connection_broke(rlk_pending_list *list);

/* The first from here on that is to be sent on the connection; NULL: none. */
rlk_pending *rlk_pending_unsent(rlk_pending *pending);

/* Removes those of the connection, or of the one laid aside; or those whose keys have expired. */
void rlk_pending_discard(rlk_pending_list *list, bool aside);
void rlk_pending_discard_expired(rlk_pending_list *list, int64_t now_ms);

/* The connection is laid aside: all releases belong to that one. */
void rlk_pending_lay_aside(rlk_pending_list *list);

/* When the last key of the connection, or of the one laid aside, expires, but not before least_ms. *deferred: some of them
 * wait for the end of their lock. */
int64_t rlk_pending_until(const rlk_pending_list *list, bool aside, bool *deferred, int64_t now_ms, int64_t least_ms);

#endif
