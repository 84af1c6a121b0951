/*
 * rlk_member: one server of a quorum: connected to without waiting, given up by time, tried again beside later rounds.
 *
 * It knows nothing of rounds and votes: those are of rlk_quorum.h, which describes what is done here and why.
 */
#ifndef RLK_MEMBER_H
#define RLK_MEMBER_H

#include "lock/rlk_pending.h"
#include "lock/rlk_votes.h"
#include "redis/rlk_call.h"

/* Pauses before a server that failed is tried again: doubled from the first to the last. */
#define RLK_MEMBER_BACKOFF_FIRST_MS 100
#define RLK_MEMBER_BACKOFF_LAST_MS 2000

/* The addresses of a host name are asked for again only after a failure, and this long after the last time at the earliest:
 * asking blocks. */
#define RLK_MEMBER_RESOLVE_MS 10000

/* An attempt that goes on in the background is given up after this, for a new one. */
#define RLK_MEMBER_BACKGROUND_MS 1000

typedef enum { RLK_MEMBER_CLOSED, RLK_MEMBER_OPENING, RLK_MEMBER_READY } rlk_member_state;

typedef struct {
	rlk_conn conn;
	rlk_addresses addresses;
	int64_t resolved_at_ms; /* 0: not yet */
	rlk_member_state state;
	bool proves;                 /* the connection, before it is READY */
	bool suspect;                /* it failed: the next connection has to prove itself, and nobody waits for it */
	int backoff_ms;              /* 0: it has not failed lately */
	int64_t retry_at_ms;         /* CLOSED: not before, unless it is needed */
	int64_t connecting_since_ms; /* OPENING: since when */
	unsigned late;               /* READY: answers of earlier rounds still to come, before any to this one */
	int64_t late_since_ms;       /* READY with late > 0: when the oldest was asked for, or later */
	uint64_t answers;            /* on this connection */
	rlk_wording wording;         /* of the request of this round */
	bool resets;                 /* READY: it was asked something that says so */
	int64_t gave_up_at_ms;       /* when a connection was last given up on which something may still arrive; 0: never */
	bool trying;                 /* the next answer to this round is but whether it does that */
	rlk_vote withheld;           /* what it has said to this round, which counts once it does that; or RLK_VOTE_NONE */
	rlk_pending_list pending;    /* releases of what it may have done without an answer */
	rlk_conn aside;              /* given up, with an unanswered request of a lock that is held; else closed */
	rlk_error error;             /* why it gave no answer the last time; code RLK_ERR_NONE: it did */
} rlk_member;

/* Nothing is opened. The server is borrowed. */
void rlk_member_init(rlk_member *member, const rlk_server *server, rlk_drain_list *drain, rlk_pool *pool);

/* In a forked copy: forgets the parent's connections without a word. */
void rlk_member_after_fork(rlk_member *member);

/* Closes, drains or pools the connections; what was sent still arrives. */
void rlk_member_end(rlk_member *member, int64_t now_ms);

/* Looks after what has become of the server since it was last asked: late answers, time limits, the next attempt. */
void rlk_member_look_after(rlk_member *member, int64_t now_ms);

/* Starts to connect, without waiting, and goes on when the descriptor is ready, or its time over. */
void rlk_member_connect(rlk_member *member, int64_t now_ms);
void rlk_member_go_on(rlk_member *member, bool ready, int64_t now_ms);

/* A connection that had worked is over, which says little about the server: it is opened again at once. */
void rlk_member_start_over(rlk_member *member, int64_t now_ms);

/* Leaves the server alone for a while. */
void rlk_member_back_off(rlk_member *member, int64_t now_ms);

/* Connected, but of no use, or silent for too long. What it has not answered is followed by what is pending. */
void rlk_member_give_up(rlk_member *member, int64_t now_ms);
void rlk_member_give_up_silent(rlk_member *member, int64_t now_ms);

void rlk_member_note_error(rlk_member *member, rlk_error_code code, const char *text);

/* How long it may take before it is given up while it connects. */
int rlk_member_patience_ms(const rlk_member *member);

/* Behind with answers for long, or with too many: no further lock is asked of it while others suffice. */
bool rlk_member_is_lagging(const rlk_member *member, int64_t now_ms);

/* An answer, before what it says is looked at. */
void rlk_member_answered(rlk_member *member);

/* One that came too late for its request. What has to be said because of it is left to rlk_member_say_pending(). */
void rlk_member_take_late(rlk_member *member, const rlk_reply *reply, int64_t now_ms);

/* Whatever is still to come is the answer to an earlier request from now on. */
void rlk_member_leave_unread(rlk_member *member, int64_t now_ms);

/* Keeps in mind the release of what may have been done; `said`: it is among what was asked, and not yet answered. */
void rlk_member_add_pending(rlk_member *member, const rlk_release *release, bool held, bool said);

/* Says what is pending, need not wait, and was not yet said on this connection. Between rounds. */
void rlk_member_say_pending(rlk_member *member, int64_t now_ms);

/* The lock ends: what was kept back for it is said now. `follows`: on an open connection its release is about to be. true:
 * it was said on the connection laid aside, and may run ahead of the release that follows on the other. */
bool rlk_member_lock_ends(rlk_member *member, const rlk_release *release, bool follows);

/* Queues a request, or a release whose answer is read by nobody, by text: nobody may be there to say it again to a server
 * that has forgotten the script. false: it cannot be said, see *err. */
bool rlk_member_append(rlk_member *member, const rlk_request *request, rlk_error *err);
bool rlk_member_append_release(rlk_conn *conn, rlk_str key, rlk_str token);

/* Is it still to be seen whether a lock could be released here? A server that tells users apart asks for a password. */
bool rlk_member_must_try(const rlk_member *member);

/* A release was understood. */
void rlk_member_understood(rlk_member *member);

#endif
