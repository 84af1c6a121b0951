/*
 * rlk_lock: one named lock, on one server or on several: do we hold it, and until when?
 *
 * Validity is counted on our own clock from before a command was written, less
 * a margin for clock drift, and never from its reply: what the reply says may
 * be long past when we read it. `held` with validity over means "lost".
 */
#ifndef RLK_LOCK_H
#define RLK_LOCK_H

#include "base/rlk_str.h"
#include "base/rlk_os.h"
#include "net/rlk_socket.h"
#include "lock/rlk_quorum.h"
#include "redis/rlk_call.h"
#include "lock/rlk_scripts.h"
#include "lock/rlk_token.h"

/* --- keys ---------------------------------------------------------------------------------------- */

/* Lock key: prefix + name. Helper keys live beside it: they start with the same prefix (one ACL pattern serves both) and
 * hash to the same Cluster slot (one script may touch both):
 *
 *     name or prefix has a hash tag     prefix name suffix             app:{u1}:job:rlk:fence
 *     otherwise                         prefix { prefix name } suffix  app:{app:job}:rlk:fence
 *
 * The whole lock key stands in the braces, since that is what the server hashes. A name for which neither form has the
 * same slot (it contains "}", say) has no helper keys. */
#define RLK_KEYS_SIGNAL ":rlk:signal"
#define RLK_KEYS_WAITERS ":rlk:waiters"
#define RLK_KEYS_FENCE ":rlk:fence"

/* Appends the lock key. false: memory is out. */
bool rlk_keys_lock(rlk_buf *out, rlk_str prefix, rlk_str name);

/* Appends a helper key to an empty buffer; leaves it empty when this name has none. false: memory is out. */
bool rlk_keys_helper(rlk_buf *out, rlk_str prefix, rlk_str name, const char *suffix);

/* The key of the signal list from that of the waiters key, in a place as long as the waiters key's. Allocates nothing. */
rlk_str rlk_keys_signal(rlk_str waiters, char *out);

/* --- a lock --------------------------------------------------------------------------------------- */

/* Where a lock lives. */
typedef struct {
	rlk_conn *conn;     /* the one server's; unused with several */
	rlk_quorum *quorum; /* several; NULL: one */
} rlk_servers;

/* When the last operation was sent, on rlk_clock: from there validity counts. */
int64_t rlk_servers_asked_at_ms(const rlk_servers *servers);

/* What became of a release nobody waited for. */
typedef enum {
	RLK_LATE_NONE,       /* nothing to report: there was none, it is under way, or all was well */
	RLK_LATE_NOT_OURS,   /* the lock had been lost before */
	RLK_LATE_UNCONFIRMED /* refused, or its answer will never come: see rlk_lock_release_again() */
} rlk_late;

typedef struct {
	rlk_buf key;             /* never empty after rlk_lock_init() */
	rlk_buf waiters;         /* the waiters key; empty: this name has no helper keys */
	rlk_buf signal;          /* the list that wakes them; likewise */
	bool wakes_nobody;       /* the server refuses us those two keys */
	int64_t waited_until_ms; /* somebody may wait until then: a release had better wake in the same step */
	int look_failures;       /* in a row, at the end of the last wait: see rlk_wait_check.h */
	rlk_buf fence_key;       /* empty: this name has no helper keys */
	rlk_buf token;          /* ours, for the acquisition under way or the last one; may be empty, or be in `released` */
	bool given;             /* by the caller, who may use it again: nothing is released behind what was not answered */
	bool leaving;           /* a release was sent and not answered, and may come to pass at any time */
	int64_t least_ttl_ms;   /* the ttl was made shorter without an answer, to this, likewise; 0: it was not */
	rlk_replicas replicas;  /* that must have each write; set by the owner */
	bool held;              /* the server confirmed the token and we have not released since */
	bool unsure;            /* a SET of the token was not answered, and has yet to be released or, if given, adopted */
	int64_t ttl_ms;         /* as last asked of the server; 0 = no expiry */
	bool ttl_known;         /* the server has said yes to that; not of a restored lock, which may have more */
	int64_t valid_until_ms; /* on rlk_clock; RLK_NEVER without expiry; 0 when not held */
	int64_t acquired_at_ms; /* 0 for a restored lock */
	int64_t fence;          /* of this acquisition, 0 when none was asked for */
	int64_t extend_at_ms;   /* the key has less than ttl_ms until it is extended, which is due then; 0: it has ttl_ms */
	rlk_conn *extending_on; /* an extension is under way there whose reply nobody waits for; or NULL */
	int64_t extended_at_ms; /* when that was sent; on several servers: the first extension that may shorten, 0: none */
	int64_t shortened_to_ms; /* with that: the shortest ttl of such an extension */
	uint32_t maybe_on;       /* on several servers: those that may have the key, a bit each; 0: not known */
	rlk_conn beside; /* what a long wait has left open, to be closed when nobody is in a hurry; see rlk_wait_check.h */
	rlk_conn *releasing_on; /* a release is under way there, likewise; or NULL */
	rlk_late late;          /* what became of such a release, until somebody takes note */
	rlk_buf released;       /* the token of such a release */
	bool maybe_released;    /* it may have been done without an answer, of a lock that was valid */
} rlk_lock;

typedef struct {
	int64_t ttl_ms;         /* 0 = no expiry */
	int64_t deadline_at_ms; /* stop trying; 0: one try; another point in the past: one that has a moment only */
	int64_t retry_ms;       /* mean pause between two tries where nothing wakes us */
	bool fence;
	bool renewed;           /* a renewal child extends the provisional ttl of a waiter to the ttl */
	int attempts;           /* on several servers: tries in place of a deadline; 0: the deadline */
	const rlk_hooks *hooks; /* NULL: signals are ignored */
} rlk_lock_request;

typedef struct {
	char token[RLK_SCRIPT_HOLDER_VALUE_MAX + 1]; /* the value at the key, cut; "" when the key is no string */
	size_t token_len;
	int64_t ttl_ms; /* -1: the key has no expiry */
	bool ours;      /* of our token format; then: */
	rlk_token_info info;
	bool waited; /* somebody waits to be woken */
} rlk_lock_holder;

/* The TTL, or what may shorten it: see least_ttl_ms. 0 = no expiry. */
static inline int64_t rlk_lock_least_ttl_ms(const rlk_lock *lock, int64_t ttl_ms)
{
	bool shorter = ttl_ms > 0 && ttl_ms < lock->least_ttl_ms;

	return lock->least_ttl_ms == 0 || shorter ? ttl_ms : lock->least_ttl_ms;
}

/* Builds the keys. false: memory is out. */
bool rlk_lock_init(rlk_lock *lock, rlk_str prefix, rlk_str name, rlk_error *err);
void rlk_lock_destroy(rlk_lock *lock);

/* Held, and validity not over? No I/O. */
static inline bool rlk_lock_is_valid(const rlk_lock *lock)
{
	return lock->held && rlk_clock_now_ms() < lock->valid_until_ms;
}

/* No longer ours; the token is kept for those who ask who we were. */
void rlk_lock_forget(rlk_lock *lock);

/* Takes note, without waiting, of what has come of an extension or a release under way. */
void rlk_lock_collect(rlk_lock *lock);

/* Sets the token: the given one as it is, or, when that is empty, a fresh one with the label. What is not known of the
 * last one is forgotten, unless it is the same. */
bool rlk_lock_set_token(rlk_lock *lock, rlk_str given, rlk_str label, rlk_error *err);

/* Tries until acquired or the deadline. Each attempt has a token: rlk_lock_set_token() is to be called before, or by
 * request->hooks->attempt. On one server it waits to be woken; several are asked anew after a random pause, as often as
 * request->attempts says or, when that is 0, until the deadline, and what a failed attempt has taken there is released at
 * once. RLK_NO: another owner has the key, or others have too many of them.
 * RLK_UNKNOWN, RLK_FAIL: trouble, see *err; after RLK_UNKNOWN a release is already on its way behind the request,
 * if there is a way. A given token is not released: the key has it until its ttl is over, or until the next acquisition
 * with it, which takes it for ours.
 * After a wait the key may have a provisional ttl only, see rlk_wait.h. */
rlk_outcome rlk_lock_acquire(rlk_lock *lock, const rlk_servers *servers, const rlk_lock_request *request,
	rlk_error *err);

/* Would this TTL shorten what the key is known to have? Of a restored lock that is not known. Where it does not, the server
 * makes sure that it never does, whenever the extension arrives; not without scripts, though. */
static inline bool rlk_lock_may_shorten(const rlk_lock *lock, int64_t ttl_ms)
{
	return ttl_ms > 0 && (!lock->ttl_known || lock->ttl_ms == 0 || ttl_ms < lock->ttl_ms);
}

/* Sets the key's TTL to ttl_ms from now (0: drops the expiry, on one server) if the token is still there. RLK_NO: lost. After
 * RLK_UNKNOWN the validity stands, unless this was to shorten it, which may come to pass at any time: then no extension is
 * relied upon for longer. */
rlk_outcome rlk_lock_extend(rlk_lock *lock, const rlk_servers *servers, int64_t ttl_ms, rlk_error *err);

/* Before the lock is extended or confirmed: what has shortened it may arrive at any time at one of several servers that had
 * not answered before it was given up. */
void rlk_lock_note_unanswered(rlk_lock *lock, const rlk_servers *servers);

/* Are the token and the lock still there? Takes over the TTL found as our validity, see rlk_lock_found(). */
rlk_outcome rlk_lock_confirm(rlk_lock *lock, const rlk_servers *servers, rlk_error *err);

/* The server has the token. least_until_ms counts the TTL found from when it was asked, most_until_ms from when it had
 * answered. The longer the answer took, the less it tells: a validity that lies between the two stands. */
void rlk_lock_found(rlk_lock *lock, int64_t least_until_ms, int64_t most_until_ms);

/* Frees the key, or puts it at rest until rest_until_ms when that is ahead. RLK_NO: it was no longer ours.
 * RLK_UNKNOWN, RLK_FAIL: not confirmed, and it may be released again. After RLK_FAIL the lock stays as it is; after
 * RLK_UNKNOWN somebody else may have it, so its validity is over. Of several servers every one that may have the key is told,
 * also when the result is certain before. */
rlk_outcome rlk_lock_release(rlk_lock *lock, const rlk_servers *servers, int64_t rest_until_ms, rlk_error *err);

/* Sends the release to the one server and does not wait for the answer, which the next command over the connection brings:
 * see lock->late. RLK_YES: sent. Waits after all where another answer is still to come. */
rlk_outcome rlk_lock_release_unread(rlk_lock *lock, rlk_conn *conn, rlk_error *err);

/* Says such a release again, and waits for the answer, if it was not confirmed. true: answered;
 * lock->late says what is to be reported now. */
bool rlk_lock_release_again(rlk_lock *lock, rlk_conn *conn);

/* Says the release of a token that we may never have had, or have no longer, and does not wait for the answer: wakes
 * the next waiter unless the lock has a holder who will. A given token is not released, that is all. *conn must be open.
 * `blocking`: what is under way may take long. */
void rlk_lock_leave(rlk_lock *lock, rlk_conn *conn, bool blocking);

/* Somebody else releases a lock that was lost: what several servers may still do of its acquisition is undone behind that. */
void rlk_lock_leave_lost(rlk_lock *lock, const rlk_servers *servers);

/* Deletes the key, whoever holds it. RLK_NO: nobody did. RLK_FAIL with RLK_ERR_NO_LOCK: it holds no string, and stays. */
rlk_outcome rlk_lock_force_release(rlk_lock *lock, const rlk_servers *servers, rlk_error *err);

/* The key holds no string. Says in *err what it holds, if we may ask. */
void rlk_lock_explain_no_lock(const rlk_lock *lock, rlk_conn *conn, rlk_error *err);

/* Who holds it now? RLK_NO: nobody, or nobody on most servers; *holder is zeroed. RLK_FAIL with RLK_ERR_NO_LOCK: the key of
 * the one server holds something else than a lock. A sorted set counts as somebody's: Symfony's own store keeps locks in
 * those. Nobody is waited for beyond until_ms. `each`: NULL, or of several servers an element each, what was found there. */
rlk_outcome rlk_lock_ask_holder(rlk_lock *lock, const rlk_servers *servers, int64_t until_ms, rlk_lock_holder *holder,
	rlk_lock_holder *each, rlk_error *err);

#endif
