/*
 * rlk_lock: one named lock, on one server or on several: whether we hold it, and until when.
 *
 * Validity is counted on our own clock from the moment before a command was written, less a margin for clock drift, and
 * never from the reply, which may be read long after it was sent. `held` with validity over means "lost".
 */
#ifndef RLK_LOCK_H
#define RLK_LOCK_H

#include "base/rlk_str.h"
#include "base/rlk_os.h"
#include "net/rlk_socket.h"
#include "lock/rlk_kind.h"
#include "lock/rlk_ledger.h"
#include "lock/rlk_quorum.h"
#include "lock/rlk_scripts.h"
#include "lock/rlk_token.h"
#include "redis/rlk_exchange.h"
#include "redis/rlk_topology.h"

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
#define RLK_KEYS_TURN ":rlk:turn" /* the turnstile, a lock of its own */

/* Appends the lock key. false: memory is out. */
bool rlk_keys_lock(rlk_buf *out, rlk_str prefix, rlk_str name);

/* Appends a helper key to an empty buffer; leaves it empty when this name has none. false: memory is out. */
bool rlk_keys_helper(rlk_buf *out, rlk_str prefix, rlk_str name, const char *suffix);

/* The name of the signal list, made of the name of the waiters key. `out` has room for the latter. Allocates
 * nothing. */
rlk_str rlk_keys_signal(rlk_str waiters, char *out);

/* --- a lock --------------------------------------------------------------------------------------- */

/* The server or servers of a lock. */
typedef struct {
	rlk_conn *conn;     /* to the one server; unused with several */
	rlk_quorum *quorum; /* the several servers; NULL: one server */
} rlk_servers;

/* The time at which the last operation was sent: validity counts from there. */
static inline int64_t rlk_lock_asked_at_ms(const rlk_servers *servers)
{
	return servers->quorum == NULL ? servers->conn->sent_at_ms : servers->quorum->asked_at_ms;
}

/* The keys of a lock. All except the first are empty if its name has no helper keys. */
typedef struct {
	rlk_buf lock; /* never empty after rlk_lock_init() */
	rlk_buf waiters;
	rlk_buf signal; /* the list that wakes the waiters */
	rlk_buf fence;
} rlk_lock_keys;

/* The token of the present acquisition or the last one. */
typedef struct {
	rlk_buf text;     /* may be empty */
	bool from_caller; /* no release follows an unanswered SET, since others may use it. Never on several servers */
} rlk_lock_token;

/* Extensions without an answer. */
typedef struct {
	int64_t due_at_ms;  /* the key has less than ttl_ms until an extension, which is due then; 0: it has ttl_ms */
	rlk_conn *conn;     /* the connection of an outstanding extension that nobody waits for; or NULL */
	int64_t sent_at_ms; /* when that extension was sent */
} rlk_lock_extension;

typedef struct rlk_lock rlk_lock;
struct rlk_lock {
	rlk_kind kind; /* set by the owner; a shared lock keeps it while it is its own writer */
	rlk_lock_keys keys;
	rlk_lock_token token;
	rlk_lock_extension extension;
	rlk_ledger ledger;
	bool held;               /* the server confirmed the token and we have not released since */
	int64_t ttl_ms;          /* of the last request; 0 = no expiry */
	bool ttl_known;          /* the server has confirmed that ttl; false for a restored lock, which may have more */
	int64_t waits_since_ms;  /* an acquisition waits since then, after its first try; 0: it does not wait */
	int64_t acquired_at_ms;  /* 0 for a restored lock */
	int64_t valid_until_ms;  /* on rlk_clock; RLK_NEVER without expiry; 0 when not held */
	int64_t fence;           /* of this acquisition, 0 when none was asked for */
	int64_t waited_until_ms; /* others may wait or hold the lock until then: one step should do the whole release */
	bool wakes_nobody;       /* the server refuses this user the keys that wake waiters */
	bool is_turnstile;       /* of another lock: its attempts make their tokens themselves */
	rlk_lock *turnstile; /* the keys of the turnstile, and the token that this waiter has there; NULL: not needed yet */
};

/* The second connection of a wait, on its stack: a host that never returns there closes it, and removes the user. */
typedef struct rlk_lock_beside {
	struct rlk_lock_beside *outer; /* of the wait that waits at its turnstile */
	rlk_conn *conn;
	rlk_topology_user user;
} rlk_lock_beside;

typedef struct {
	int64_t ttl_ms;        /* 0 = no expiry */
	rlk_deadline deadline; /* for the whole acquisition. Over already: there is a moment for one try */
	int64_t retry_ms;      /* mean pause between two tries while polling */
	bool fence;
	bool in_line;                 /* even the first try joins the queue */
	bool renewed;                 /* the renewal child extends a waiter's provisional ttl to the ttl */
	int attempts;                 /* number of tries; on one server at most 1. 0: tries until the deadline */
	const rlk_replicas *replicas; /* replicas of the one server that must have the lock, too; NULL: none */
	const rlk_hooks *hooks;       /* NULL: signals are ignored */
	rlk_lock_beside **beside;     /* list of the second connections of waits; NULL: the host needs none */
} rlk_lock_terms;

typedef struct {
	char token[RLK_SCRIPT_HOLDER_VALUE_MAX + 1]; /* the value at the key, cut; "" when the key is no string */
	size_t token_len;
	int64_t ttl_ms; /* -1: the key has no expiry */
	int weight;     /* of one of several holders: how many permits it has; else 1 */
	bool ours;      /* of our token format; then: */
	rlk_token_info info;
	bool waited; /* somebody waits to be woken */
} rlk_lock_holder;

/* Builds the keys. false: memory is out. */
bool rlk_lock_init(rlk_lock *lock, rlk_str prefix, rlk_str name, rlk_error *err);
void rlk_lock_destroy(rlk_lock *lock);

/* Is the lock held, and its validity not over? No I/O. */
static inline bool rlk_lock_is_valid(const rlk_lock *lock)
{
	return lock->held && rlk_clock_now_ms() < lock->valid_until_ms;
}

/* Notes that the lock is no longer ours; the token is kept for messages. */
void rlk_lock_forget(rlk_lock *lock);

/* Reads the reply to an outstanding extension, without waiting. */
void rlk_lock_collect(rlk_lock *lock);

/* Sets the token: that of the caller as it is, or, if that is empty, a fresh one with the label. What is uncertain
 * about the last token is forgotten, unless the token is the same. */
bool rlk_lock_set_token(rlk_lock *lock, rlk_str from_caller, rlk_str label, rlk_error *err);

/* Tries until acquired or the deadline. Each attempt has a token, set before or by terms->hooks->attempt with
 * rlk_lock_set_token(). On one server it waits to be woken. Several are asked again after a random pause, terms->attempts
 * times or until the deadline; what a failed attempt has acquired there is released at once. After a wait the key may have
 * a provisional ttl only, see rlk_wait.h.
 * RLK_NO: another owner has the key, or others have too many of them.
 * RLK_UNKNOWN, RLK_FAIL: trouble, see *err. After RLK_UNKNOWN a release was sent behind the request, where possible. A caller's
 * token is not released, and is spent until its ttl is over: until then an acquisition with it is RLK_FAIL. */
rlk_outcome rlk_lock_acquire(rlk_lock *lock, const rlk_servers *servers, const rlk_lock_terms *terms, rlk_error *err);

/* Sets the ttl of the key to ttl_ms from now (0: drops the expiry, on one server) if the token is still there. RLK_NO:
 * lost. After RLK_UNKNOWN the validity stays. A request that was to shorten the ttl may be executed at any time, so
 * neither this validity nor that of a later extension counts as longer. `replicas`: those that must have a longer ttl
 * before it counts; NULL: none. */
rlk_outcome rlk_lock_extend(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, int64_t ttl_ms,
	const rlk_replicas *replicas, rlk_error *err);

/* Is the key still there, with our token? Then the validity follows its ttl, a longer one only if enough replicas have
 * it. */
rlk_outcome rlk_lock_confirm(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	const rlk_replicas *replicas, rlk_error *err);

/* Deletes the key, or lets it rest until rest_until_ms if that is ahead. RLK_NO: the key was no longer ours.
 * RLK_UNKNOWN, RLK_FAIL: not confirmed; the lock may be released again. After RLK_FAIL the lock stays as it is. After
 * RLK_UNKNOWN another owner may have it, so its validity is over. Of several servers, all that may have the key are
 * asked, even if the result is certain before. */
rlk_outcome rlk_lock_release(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, int64_t rest_until_ms,
	rlk_error *err);

/* Sends the release of a token that the key may or may not have, and does not wait for the reply. The release wakes the
 * next waiter, unless the lock has a holder that will. With a token of the caller it only wakes. *conn must be open.
 * `blocking`: a request that blocks is outstanding on it. */
void rlk_lock_post_release(rlk_lock *lock, rlk_conn *conn, bool blocking);

/* Makes a holder that shares a lock its only holder, which excludes everybody else; the lock stays a RLK_SHARED one.
 * RLK_NO: others share it, or it is not ours. RLK_UNKNOWN: it may be the only one, now or later, which harms only those
 * who wait. RLK_FAIL also for the rest of an acquisition in which a downgrade was not answered. */
rlk_outcome rlk_lock_upgrade(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, rlk_error *err);

/* Makes the only holder of a plain or upgraded lock share it. The lock is RLK_SHARED from when the request is sent.
 * RLK_NO: it was not ours. RLK_FAIL: it is of the kind that it was. */
rlk_outcome rlk_lock_downgrade(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, rlk_error *err);

/* Called when the lock is not ours, or not on most servers: those of a quorum that may still have it get its release. */
void rlk_lock_release_leftovers_and_forget(rlk_lock *lock, const rlk_servers *servers);

/* Called when the lock was lost, and the renewal child releases it. One of a quorum's servers may still run the acquisition:
 * only behind that, on its connection, does a release find the key. */
void rlk_lock_release_leftovers(const rlk_lock *lock, const rlk_servers *servers);

/* Deletes the key, whoever holds it; with a token, ends the hold of that token alone, in a sorted set, too. RLK_NO:
 * nobody held it. RLK_FAIL with RLK_ERR_NO_LOCK: the key holds no string, and stays. */
rlk_outcome rlk_lock_force_release(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline, rlk_str token,
	rlk_error *err);

/* Sets *err for a key that holds no string, with the type of the key if the server tells. */
void rlk_lock_explain_no_lock(const rlk_lock *lock, rlk_conn *conn, rlk_deadline deadline, rlk_error *err);

/* Who holds the lock now? RLK_NO: nobody, or nobody on most servers; *holder is zeroed. RLK_FAIL with RLK_ERR_NO_LOCK:
 * the key of the one server holds something else than a lock. A sorted set counts as a lock, since Symfony's own store
 * keeps locks in sets. `each`: NULL, or an element for each of several servers, to be filled with the holder there. */
rlk_outcome rlk_lock_ask_holder(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	rlk_lock_holder *holder, rlk_lock_holder *each, rlk_error *err);

/* false: it needs no more of them. */
typedef bool (*rlk_tell_holder)(void *arg, const rlk_lock_holder *holder);

/* Tells each holder, the first to end first: for all members of a sorted set, else for the one holder. Results
 * of rlk_lock_ask_holder(); after RLK_FAIL and RLK_UNKNOWN the callback may have had some. Of several servers: the one
 * holder. */
rlk_outcome rlk_lock_ask_holders(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	rlk_tell_holder tell, void *arg, rlk_error *err);

#endif
