/*
 * rlk_quorum: the servers of a quorum, and one poll() loop that asks them all at the same time.
 *
 * A round ends as soon as rlk_votes has its result; later rounds read the replies that come after that. A server that is
 * dead, hung or slow is given up by time and left alone for a while. Then it is connected to again, beside rounds that do
 * not wait for it, and has to answer a PING before it counts. It is asked at once only if the others are too few.
 *
 * A request that was not answered may still run. If the lock was acquired all the same, by the votes of others, that only
 * adds a server to it, which later rounds ask. Else its release is kept as a pending release (rlk_doubts.h). It is sent when
 * the server is given up: behind the request on the same connection, which is then drained; or, if that broke, first on
 * the next one.
 */
#ifndef RLK_QUORUM_H
#define RLK_QUORUM_H

#include "lock/rlk_kind.h"
#include "lock/rlk_member.h"

/* Default time limit for connecting, and for one answer. */
#define RLK_MEMBER_TIMEOUT_MS 50

/* One request about a lock, to its server or, at the same time, to its servers, and what the replies mean. */
typedef struct {
	rlk_request request; /* keys[0] is that of the lock; the others are dropped where this user may not use them */
	rlk_round round;
	/* What a reply means that is no error: RLK_VOTE_YES or _NO; anything else: it does not fit. */
	rlk_vote (*read)(void *arg, int server, const rlk_reply *reply);
	void *arg;
	bool may_repeat; /* it may be executed twice */
	/* When the connection broke and the request was repeated, a no is a yes: it was executed the first time. Of one server only if
	 * the lock was valid then. */
	bool repeated_no_is_yes;
	bool unanswered; /* on return: it was sent once, to one server at least, and not answered: it may run at any time */

	/* Of several servers only. */
	uint32_t servers; /* the ones to ask, a bit each; 0: all */
	int64_t ttl_ms;   /* what a yes is about; 0: no time */
	/* Becomes a pending release of each server that does not answer, or has acquired for nothing. NULL: none; never so in
	 * RLK_ROUND_ACQUIRE. */
	const rlk_release *release;
} rlk_operation;

typedef struct {
	rlk_member *member;
	int count;
	long owner_pid;         /* process that opened the connections */
	rlk_votes votes;        /* of the last round */
	int64_t asked_at_ms;    /* when it began */
	const rlk_hooks *hooks; /* borrowed; whose loop rounds wait in, as rlk_conn.hooks. Set by the owner */
	bool in_use;            /* an operation has it for itself, and may be suspended. Set by the owner */
} rlk_quorum;

/* NULL: memory is out. The servers are borrowed, at most RLK_QUORUM_MAX. Connects to nothing. */
rlk_quorum *rlk_quorum_new(const rlk_server *servers, size_t count, rlk_drain_list *drain, rlk_pool *pool);

/* Another one of the same servers. NULL: memory is out. */
rlk_quorum *rlk_quorum_like(const rlk_quorum *quorum);

/* Closes all connections, or hands them to the pool; what was sent still arrives. NULL is allowed. */
void rlk_quorum_free(rlk_quorum *quorum);

/* In a forked copy: forgets the parent's connections without a word. NULL is allowed. */
void rlk_quorum_after_fork(rlk_quorum *quorum);

/* Starts to connect, without waiting. */
void rlk_quorum_open(rlk_quorum *quorum);

/* Asks the servers in one round, and returns its result, never RLK_VERDICT_OPEN. RLK_VERDICT_STOPPED: the host stops the wait. What
 * has acquired for nothing, or may do so, gets op->release; but not from a copy of the process, to which nothing of the round belongs. */
rlk_verdict rlk_quorum_run(rlk_quorum *quorum, rlk_operation *op, rlk_deadline deadline);

/* Sends the release of a token of ours to these servers, a bit each, and waits for no answer. `asking`: a round is under way,
 * which sends it at its end. */
void rlk_quorum_send_release(rlk_quorum *quorum, uint32_t servers, const rlk_release *release, bool asking);

/* Too few servers answered in the last round: has *err say so, and why the first of the others did not. It is retryable
 * unless too many refuse for good. */
void rlk_quorum_explain(const rlk_quorum *quorum, rlk_error *err);

/* What a server answered in the last round, for a person: a constant, or the text of member->error. `no`: what a no means. */
const char *rlk_quorum_outcome(const rlk_quorum *quorum, int server, const char *no);

#endif
