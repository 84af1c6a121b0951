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

#include "redis/rlk_call.h"

/* Has the questions go out in front of what is acquired next, unless the answers are known. conn is ready, and nothing is
 * appended yet. `release` is asked to release a token that nobody has. */
void rlk_dialect_ask(rlk_conn *conn, const rlk_script *release, rlk_str key, rlk_str token);

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

/* For who does not wait for each answer: does the reply refuse what was said in this dialect or an earlier one? Then the
 * connection has the next: scripts, DELEX, DELIFEQ, none. Nothing is allocated. */
bool rlk_dialect_learn(rlk_conn *conn, const rlk_reply *reply);

/* Where one waits, and the server refuses us scripts: finds out whether there is a command, by trying it with a value that nobody has.
 * false: there is none, or that could not be found out; *err says what is needed. */
bool rlk_dialect_probe(rlk_conn *conn, rlk_str key, rlk_error *err);

/* What a server is told of that has neither. */
#define RLK_DIALECT_MISSING \
	"the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be " \
	"released"

#define RLK_DIALECT_WORDS_MAX 7

/* Puts together the command for what a script would do with these arguments: lock key and token to release; a ttl as well
 * to extend; another value and its ttl to put that in its place. An empty ttl: without expiry. Returns how many words.
 * Nothing is allocated, for the sake of the renewal child. */
size_t rlk_dialect_words(rlk_dialect dialect, const rlk_str *args, size_t arg_count,
	rlk_str words[RLK_DIALECT_WORDS_MAX]);

/* Queues it. */
bool rlk_dialect_append(rlk_conn *conn, rlk_dialect dialect, const rlk_str *args, size_t arg_count, rlk_error *err);

/* Does an error of these commands say that the key is there but no string, hence not our token? Redis' DELEX has no code of
 * its own for that. */
bool rlk_dialect_finds_no_string(rlk_str error);

/* Where scripts are refused: does it, one attempt, with the arguments of rlk_dialect_words(). Whether there is a command is
 * found out if need be. RLK_NO: the token is not there. */
rlk_outcome rlk_dialect_change(rlk_conn *conn, const rlk_str *args, size_t arg_count, rlk_error *err);

typedef enum { RLK_WAITERS_UNKNOWN, RLK_WAITERS_NONE, RLK_WAITERS_SOME, RLK_WAITERS_REFUSED } rlk_waiters;

/* Where they are not, and a command is known: compares and deletes, one attempt, and asks in the same write, behind the
 * delete, whether somebody waits, which the waiters key says. No wake-up is lost by that: a waiter sets its waiters key in
 * the script in which its try failed, hence before the delete. Without a waiters key nobody is asked. When no command is
 * known afterwards, it was refused, or the connection is another one by now or none. */
rlk_outcome rlk_dialect_delete(rlk_conn *conn, rlk_str key, rlk_str token, rlk_str waiters_key, rlk_waiters *waiters,
	rlk_error *err);

/* Value and time left of the key; the time is that of the value if this is unique. RLK_NO: the key is missing. *value is valid
 * until the next reply; its data is NULL when the key is no string. */
rlk_outcome rlk_dialect_read(rlk_conn *conn, rlk_str key, rlk_str *value, int64_t *pttl_ms, rlk_error *err);

#endif
