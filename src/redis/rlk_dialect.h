/*
 * rlk_dialect: the command with which a server compares and deletes by itself.
 *
 * Redis 8.4 has DELEX, Valkey 9.0 DELIFEQ. A release by one takes the server 0.16 of the time of a script, and a whole
 * pair 0.87 of its processor (bench/RESULTS.md). Such a command releases when nobody is to be woken; scripts do
 * everything else. A connection is probed once, in the same write as its second acquisition: that costs no round trip,
 * and nothing for a connection that is used once.
 */
#ifndef RLK_DIALECT_H
#define RLK_DIALECT_H

#include "net/rlk_conn.h"

/* Is the server known to have such a command? */
static inline bool rlk_dialect_has_command(const rlk_conn *conn)
{
	return conn->known.dialect == RLK_DIALECT_DELEX || conn->known.dialect == RLK_DIALECT_DELIFEQ;
}

/* Queues a probe on an open connection. */
void rlk_dialect_probe(rlk_conn *conn);

/* Queues the command, which the connection has. false: memory is out. */
bool rlk_dialect_append_delete(rlk_conn *conn, rlk_str key, rlk_str token, rlk_error *err);

/* Does this error of the command say that the key holds no string, hence not our token? DELEX has no error code for it. */
bool rlk_dialect_finds_no_string(rlk_str error);

#endif
