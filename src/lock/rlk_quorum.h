/*
 * rlk_quorum: the servers of a quorum, and one poll() loop that asks them all at the same time.
 *
 * A round ends as soon as rlk_votes has its result; what other servers answer
 * later is read in passing by the rounds after it. A server that is dead, hung
 * or slow is given up by time and then left alone for a while: it is tried again
 * beside later rounds, which do not wait for it, and has to answer a PING before
 * it is asked anything that counts. Only when too few others are left is it asked
 * at once.
 *
 * What a server was sent and has not answered may still run. Its release is kept
 * in mind (`pending`) and said when the server is given up, behind the request on
 * the same connection, which is then drained; or, when that connection has broken,
 * first thing on the next one. But the release of a lock that was taken all the
 * same is said with its end only: from another connection the server may have
 * answered by then that it has the key, and been counted. Until then the
 * connection is laid aside.
 *
 * A server that refuses scripts is asked by compare commands, if it has any. One
 * with a password, hence with users, has to show first that it would release a
 * lock: that request goes in front of the first one, and its vote waits for it.
 */
#ifndef RLK_QUORUM_H
#define RLK_QUORUM_H

#include "lock/rlk_member.h"

/* How long connecting and one answer may take, each, where nobody says otherwise. */
#define RLK_MEMBER_TIMEOUT_MS 50

/* One request about a lock, to its server or, at the same time, to its servers, and what the replies mean. */
typedef struct {
	rlk_request request; /* keys[0] is that of the lock */
	rlk_round round;
	/* What a reply means that is no error: RLK_VOTE_YES or _NO; anything else: it does not fit. */
	rlk_vote (*read)(void *arg, int server, const rlk_reply *reply);
	void *arg;
	bool may_repeat; /* nothing is lost when it is executed twice */
	bool repeated;   /* on return: an earlier attempt may have done it, whatever became of the last one */
	/* Set when the keys behind the first are not for us, and it was done without them: whoever may not touch them still gets
	 * rid of the lock, and those who wait look again by themselves after a while. */
	bool *wakes_nobody;

	/* Of several servers only. */
	uint32_t among;   /* those to ask, a bit each */
	int64_t ttl_ms;   /* what a yes is about; 0: no time */
	int64_t until_ms; /* RLK_ROUND_HEAR: who is to be heard has to speak by then */
	bool resets;      /* may not arrive late: the connection is reset when it is given up without the answer */
	/* What is to follow should a server not answer, unless its token is given; NULL: nothing. Never NULL in RLK_ROUND_TAKE. */
	const rlk_release *pending;
	/* What a server is asked that said no, and may have done it before: now, or, with `unsure`, before this round. NULL:
	 * nothing. */
	const rlk_request *adopt;
	bool unsure;
	/* A no in answer to a request repeated after its connection broke is a yes: it was done the first time. */
	bool repeated_no_is_yes;
	uint32_t released_before; /* those that may be told the same ahead of it: it is a repetition */
} rlk_operation;

#define RLK_SERVERS_ALL UINT32_MAX

typedef struct {
	rlk_member *member;
	int count;
	long owner_pid;      /* process that opened the connections */
	rlk_votes votes;     /* of the last round */
	int64_t asked_at_ms; /* when it began */
} rlk_quorum;

/* NULL: memory is out. The servers are borrowed, at most RLK_QUORUM_MAX. Connects to nothing. */
rlk_quorum *rlk_quorum_new(const rlk_server *servers, size_t count, rlk_drain_list *drain, rlk_pool *pool);

/* Closes all connections, or hands them to the pool; what was sent still arrives. NULL is allowed. */
void rlk_quorum_free(rlk_quorum *quorum);

/* In a forked copy: forgets the parent's connections without a word. */
void rlk_quorum_after_fork(rlk_quorum *quorum);

/* Starts to connect, without waiting. */
void rlk_quorum_open(rlk_quorum *quorum);

/* Asks them in a round, and returns its result, never RLK_VERDICT_OPEN. */
rlk_verdict rlk_quorum_run(rlk_quorum *quorum, const rlk_operation *op);

/* Sends the release to those servers and waits for no answer. */
void rlk_quorum_let_go(rlk_quorum *quorum, uint32_t among, const rlk_release *release);

/* The lock is about to be released: what was kept back for it is said now. Returns rlk_operation.released_before. */
uint32_t rlk_quorum_lock_ends(rlk_quorum *quorum, const rlk_release *release);

/* The same for one that nobody releases over these connections. */
void rlk_quorum_lock_is_lost(rlk_quorum *quorum, const rlk_release *release);

/* Does one of them refuse scripts, as far as is known? */
bool rlk_quorum_refuse_scripts(const rlk_quorum *quorum);

/* Servers that may have done what the last round asked. */
uint32_t rlk_quorum_may_have(const rlk_quorum *quorum);

/* Too few servers answered in the last round: says so, and why the first of the others did not. Retryable as long as those
 * that do not refuse for good would be enough. */
void rlk_quorum_explain(const rlk_quorum *quorum, rlk_error *err);

/* What a server said in the last round, for a person: a constant, or the text of member->error. `no` is what a no means. */
const char *rlk_quorum_outcome(const rlk_quorum *quorum, int server, const char *no);

#endif
