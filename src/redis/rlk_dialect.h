/*
 * rlk_dialect: how this server compares and acts: by our scripts, or by a command of its own.
 *
 * Redis 8.4 has DELEX and SET with IFEQ, Valkey 9.0 DELIFEQ and SET with IFEQ:
 * a fraction of a script's work. Which of them a server has is asked once per
 * connection, in front of the second acquisition over it, in the same write, so that
 * neither a round trip nor a connection used once pays for it.
 *
 * Some managed services and strict ACLs refuse scripts. There the commands do
 * everything, waiters are not woken, and a server without such a command gets
 * no lock: one that nobody can release is none. Whether scripts are refused is
 * asked in front of the first acquisition where it may be so; that they are not
 * is remembered for the rest of the process.
 */
#ifndef RLK_DIALECT_H
#define RLK_DIALECT_H

#include "net/rlk_conn.h"

/* Is this server known to take scripts from this user? From now on it is. */
bool rlk_dialect_takes_scripts(const rlk_server *server);
void rlk_dialect_note_scripts(const rlk_server *server);

/* Is there a compare-and-delete command, as far as is known? */
static inline bool rlk_dialect_has_commands(const rlk_conn *conn)
{
	return conn->dialect == RLK_DIALECT_DELEX || conn->dialect == RLK_DIALECT_DELIFEQ;
}

/* How a release or an extension is said: RLK_DIALECT_NEW by script, RLK_DIALECT_NONE not at all. */
static inline rlk_dialect rlk_dialect_of(const rlk_conn *conn)
{
	return conn->refuses_scripts ? conn->dialect : RLK_DIALECT_NEW;
}

/* Does the reply refuse what was said in this dialect or an earlier one? Then the connection has the next: scripts, DELEX,
 * DELIFEQ, none. Nothing is allocated. */
bool rlk_dialect_learn(rlk_conn *conn, const rlk_reply *reply);

/* What a server is told of that has neither. */
#define RLK_DIALECT_MISSING \
	"the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be " \
	"released"

#define RLK_DIALECT_ARGC_MAX 7

/* Puts together the command for what a script would do with these arguments behind the key: token to release; a ttl as
 * well to extend; another value and its ttl to put that in its place. A ttl of 0: without expiry. Returns how many words.
 * Nothing is allocated, for the sake of the renewal child. */
size_t rlk_dialect_argv(rlk_dialect dialect, rlk_str key, const rlk_str *args, size_t arg_count,
	rlk_str words[RLK_DIALECT_ARGC_MAX]);

/* Queues it, where scripts are refused. false: memory is out, or there is no such command. */
bool rlk_dialect_append(rlk_conn *conn, rlk_str key, const rlk_str *args, size_t arg_count, rlk_error *err);

/* Does an error of these commands say that the key is there but no string, hence not our token? Redis' DELEX has no code of
 * its own for that. */
bool rlk_dialect_finds_no_string(rlk_str error);

#endif
