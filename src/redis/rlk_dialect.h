/*
 * rlk_dialect: how a server compares and deletes, or extends: by our scripts, or by a command of its own.
 *
 * Redis 8.4 has DELEX and SET with IFEQ, Valkey 9.0 DELIFEQ and SET with IFEQ, which take a fraction of a script's work.
 * Which of them a server has is probed once per connection, in the same write as the second acquisition over it: that
 * costs no round trip, and nothing for a connection used once.
 *
 * Some managed services and strict ACLs refuse scripts. There the commands do everything, and waiters are not woken. A
 * server without such a command is not used: nobody could release a lock there. Where scripts may be refused, that is
 * probed in the same write as the first acquisition. Servers that take them are remembered by the thread.
 */
#ifndef RLK_DIALECT_H
#define RLK_DIALECT_H

#include "net/rlk_conn.h"

/* Is this server known to take scripts from this user? And: from now on it is. */
bool rlk_dialect_takes_scripts(const rlk_server *server);
void rlk_dialect_note_scripts(const rlk_server *server);

/* Is there a compare-and-delete command, as far as is known? */
static inline bool rlk_dialect_has_commands(const rlk_conn *conn)
{
	return conn->dialect == RLK_DIALECT_DELEX || conn->dialect == RLK_DIALECT_DELIFEQ;
}

/* How to release and extend: RLK_DIALECT_NEW by script, RLK_DIALECT_NONE not at all. */
static inline rlk_dialect rlk_dialect_of(const rlk_conn *conn)
{
	return conn->refuses_scripts ? conn->dialect : RLK_DIALECT_NEW;
}

/* Does the reply refuse a request in the present dialect or an earlier one? Then the connection has the next dialect: scripts,
 * DELEX, DELIFEQ, none. Nothing is allocated. */
bool rlk_dialect_learn(rlk_conn *conn, const rlk_reply *reply);

/* Queues the command that does what a script would do with these arguments: a token, to release; a ttl as well, to extend;
 * between them another value, to replace the token. A ttl of 0: no expiry. false: memory is out, or there is no such command.
 * The renewal child calls this: with room in conn->out nothing is allocated. */
bool rlk_dialect_append(rlk_conn *conn, rlk_str key, const rlk_str *args, size_t arg_count, rlk_error *err);

/* Does this error of such a command say that the key holds no string, hence not our token? DELEX has no error code for it. */
bool rlk_dialect_finds_no_string(rlk_str error);

#endif
