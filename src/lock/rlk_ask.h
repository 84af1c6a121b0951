/*
 * rlk_ask: an operation is put to where the lock lives.
 *
 * That is one server, or several of which most have to agree. The rules of
 * acquire, extend and release are the same; only here is it told apart how many
 * are asked. For the answer of one we wait in the reading itself, and ask once more
 * where the connection breaks; several are asked in a round, see rlk_quorum.h.
 */
#ifndef RLK_ASK_H
#define RLK_ASK_H

#include "lock/rlk_quorum.h"

/* Where a lock lives. */
typedef struct {
	rlk_conn *conn;     /* the one server's; unused with several */
	rlk_quorum *quorum; /* several; NULL: one */
} rlk_servers;

/* RLK_YES, RLK_NO: the one said so, or most did. RLK_UNKNOWN: no answer, or too few; RLK_FAIL: not done. */
rlk_outcome rlk_ask(const rlk_servers *servers, rlk_operation *op, rlk_error *err);

/* An attempt at the one server, counted from 0, had this outcome. Once more? When the connection broke, which a kept
 * connection does whenever the server restarts. Not after a timeout: the caller's time is used up. */
bool rlk_is_to_repeat(rlk_operation *op, const rlk_conn *conn, int attempts, rlk_outcome *outcome, rlk_error *err);

/* When the last operation was sent, on rlk_clock: from there validity counts. */
int64_t rlk_servers_asked_at_ms(const rlk_servers *servers);

/* Does one of them refuse scripts, as far as is known? */
bool rlk_servers_refuse_scripts(const rlk_servers *servers);

/* For rlk_operation.read, of scripts that answer 1 for done and 0 for "not ours", and of commands that answer so or as SET
 * does. */
rlk_vote rlk_read_done(void *arg, int server, const rlk_reply *reply);

#endif
