/*
 * rlk_area: the memory that a process shares with its renewal child, and the parent's book-keeping of it.
 *
 * It is mapped once, before the child starts, and large enough for good, since the
 * child does not see memory mapped later. Untouched pages cost nothing. The
 * parent allocates and fills; the child reads, renews, and reports.
 *
 * A slot is one lock of the parent. Who may change its state:
 *
 *     FREE -> ARMED       parent, before the acquiring command is written
 *     ARMED -> ACTIVE     parent, acquired; from here on the child renews
 *     ACTIVE -> LOST      parent or child, whichever learns of the loss first (compare-and-swap: a release under way is no loss)
 *     any -> CLOSING      parent, before it releases; the child renews no more
 *     CLOSING -> RELEASE  parent, its own release was not confirmed: the child goes on trying
 *     LOST -> RELEASE     parent, nobody runs under the lock any more: its keys may still be there
 *     RELEASE -> RELEASED child, done or given up; the parent may use the slot again
 *     any other -> FREE   parent
 *
 * A process may become another program (exec) and keep its locks: from then on only the child changes slots. The child renews
 * ACTIVE slots until the program ends, and ends the program if one is lost; it releases all other slots.
 *
 * The child releases at once what a LOST slot may have left, unless the token is the caller's. When the parent dies, it
 * also releases ARMED, ACTIVE and CLOSING slots, and all LOST ones that may have keys.
 *
 * A lock on several servers is a group of slots, one for each server. The first
 * is the leader: its state, times and validity are those of the lock. The others
 * are MEMBERs, with a server and strings of their own.
 */
#ifndef RLK_AREA_H
#define RLK_AREA_H

#include "base/rlk_error.h"
#include "base/rlk_os.h"
#include "base/rlk_str.h"
#include "net/rlk_address.h"
#include "net/rlk_tls.h"
#include "redis/rlk_exchange.h"
#include "redis/rlk_topology_rules.h"
#include "renew/rlk_idleness.h"

#include <stdatomic.h>
#include <stdbool.h>

#define RLK_SLOTS_MAX 4096
#define RLK_AREA_SERVERS_MAX 64
#define RLK_ARENA_BYTES (32u << 20)
#define RLK_AREA_TEXTS_MAX 4096
#define RLK_AREA_SEEDS_MAX 16
/* Of a waiters key: the child builds the signal key from it, in a buffer of this size. */
#define RLK_SLOT_WAITERS_MAX 32768
#define RLK_SLOT_NONE (-1)

typedef enum {
	RLK_SLOT_FREE,
	RLK_SLOT_ARMED,
	RLK_SLOT_ACTIVE,
	RLK_SLOT_CLOSING,
	RLK_SLOT_RELEASE,
	RLK_SLOT_RELEASED,
	RLK_SLOT_LOST,
	RLK_SLOT_MEMBER
} rlk_slot_state;

typedef enum {
	RLK_LOST_NOT = 0,
	RLK_LOST_NOT_OURS, /* the key is gone or has another owner */
	RLK_LOST_EXPIRED,  /* not renewed in time */
	RLK_LOST_MAX_HOLD, /* max_hold is over */
	RLK_LOST_CHILD,    /* the renewal child died and could not be started again */
	RLK_LOST_FORKED    /* asked in a forked copy of the holder; never stored in a slot */
} rlk_lost_reason;

/* May a lost lock have left keys? Yes, if no server answered its renewals, or if only a majority of a quorum has lost it. A lock
 * that max_hold has ended leaves its key to the ttl, as promised. */
static inline bool rlk_lost_has_leftovers(rlk_lost_reason reason, bool quorum)
{
	return reason == RLK_LOST_EXPIRED || reason == RLK_LOST_CHILD || (reason == RLK_LOST_NOT_OURS && quorum);
}

/* A piece of the arena. */
typedef struct {
	uint32_t at;
	uint32_t len;
} rlk_piece;

typedef struct {
	_Atomic uint32_t state;       /* rlk_slot_state */
	_Atomic uint32_t lost_reason; /* rlk_lost_reason, the first one; written before state becomes LOST */
	_Atomic uint32_t signals_off; /* the parent wants no signals: it has noted the loss, or cannot tell its code now */
	_Atomic uint32_t renewed, unrenewed; /* counted by the child for the host: confirmed by a server, and not */
	_Atomic uint32_t generation;         /* counts the locks that have used the slot; changes while FREE only */
	_Atomic int64_t ttl_ms;
	_Atomic uint64_t validity; /* up to when it is valid, and its epoch: see rlk_slot_valid_until() */
	_Atomic int64_t acquired_at_ms;
	_Atomic uint8_t kind;         /* rlk_kind_id; a plain lock may become a shared one */
	_Atomic int64_t extend_at_ms; /* the first renewal is due then, since the key has less than the TTL; 0: it has the
	                                 TTL. While ARMED: the same, should the lock become ours; 0: nobody waits for it */
	rlk_address at; /* of a service or Cluster: where the key was when the slot became ARMED, and again ACTIVE */

	/* Constant while the slot is not FREE. */
	uint32_t server;            /* number of the server, service or Cluster */
	uint32_t server_count;      /* of a leader: 1, or the servers of the quorum, also those without a member */
	int next;                   /* the next slot of the group; RLK_SLOT_NONE: none */
	int leader;                 /* the first of the group, itself if it is alone; stays while the slot is FREE */
	uint32_t leader_generation; /* of a MEMBER: if the leader has another one, the group is gone */
	rlk_piece key, token;
	rlk_piece resting; /* the token to leave behind; len 0: none, there is no linger and no hold_at_least */
	rlk_piece waiters; /* the waiters key; len 0: the release wakes nobody */
	int16_t permits;   /* of its rlk_kind */
	bool from_caller;  /* the token is the caller's, who may use it again: once lost, the child leaves the key to its
	                      ttl while the parent lives */
	int64_t interval_ms;
	int64_t linger_ms;
	int64_t hold_at_least_ms;
	int64_t max_hold_ms;   /* RLK_NEVER: none */
	rlk_replicas replicas; /* that must have a renewal before it counts */
} rlk_slot;

/* Once a lock is held for so long, the child asks the server to report its loss (rlk_tracking). Shorter locks do without, and the
 * parent need not wake the child for them. */
#define RLK_TRACK_AFTER_MS 100

/* Does a server tell when a key that we have read is changed (CLIENT TRACKING)? */
typedef enum {
	RLK_TRACKING_NEW,   /* not asked yet */
	RLK_TRACKING_ASKED, /* its answer is to come */
	RLK_TRACKING_ON,
	RLK_TRACKING_REFUSED /* the server cannot, a proxy is in between, or this user may not */
} rlk_tracking;

/* Does the child ask the parent for something? When no address of a server answers, the child asks the parent to resolve the
 * server's name again and to load new certificates. When a service or Cluster names a server by a host name, the child asks for
 * its address; and for new certificates, if a server found that way does not answer.
 *
 *     FINE -> ASKED        child, in whatever state
 *     ASKED -> FINE        parent: a server has its new addresses; or there is no name to resolve
 *     ASKED -> ANSWERED    parent: `answer` is that of a service or Cluster
 *     ANSWERED -> FINE     child, has read it
 */
typedef enum { RLK_ENTRY_FINE, RLK_ENTRY_ASKED, RLK_ENTRY_ANSWERED } rlk_entry_state;

/* A server as the child needs it: with addresses instead of a name. Or a service or a Cluster: then it has no addresses,
 * `server` is what each of its servers is like, and the seeds know more. */
typedef struct rlk_area_server {
	rlk_topology_kind kind; /* of a service the seeds are sentinels, of a Cluster nodes */
	uint32_t seed_count;
	uint32_t seeds[RLK_AREA_SEEDS_MAX]; /* numbers of servers */
	char service[RLK_HOST_MAX];

	_Atomic uint32_t tracking; /* rlk_tracking, of the last connection that asked; REFUSED: none asks any more */
	_Atomic uint32_t state;    /* rlk_entry_state */
	char host
		[RLK_HOST_MAX]; /* the name: the configured one of a server, "": it has none; of a service or Cluster the one that
	                            the child was told last */
	uint16_t port;
	rlk_address answer; /* family 0: there is none */

	rlk_addresses addresses[2]; /* the parent writes the one that is not current */
	_Atomic uint32_t current;   /* which of them counts */
	struct rlk_area_server
		*tls_of;       /* a server in the area whose context and tracking count instead of this one's; NULL: none */
	rlk_server server; /* its texts are in `texts`, but files of TLS: the parent has read them */
	unsigned char tls_options[RLK_TLS_FINGERPRINT_BYTES]; /* zero without TLS */
	uint32_t texts_len;
	char texts[RLK_AREA_TEXTS_MAX]; /* each behind a "+"; a "-" stands for one that is NULL */
} rlk_area_server;

/* Can the worker tell the process it serves from a later one with the same id? */
typedef enum { RLK_WATCH_UNKNOWN, RLK_WATCH_LOOSE, RLK_WATCH_EXACT } rlk_watch;

typedef struct {
	/* --- what the worker writes --- */
	/* When it wakes up by itself; RLK_NEVER, as while it is awake: it must be woken. 0 of the first one that starts: it begins by
	 * visiting all slots. */
	_Atomic int64_t wakes_at_ms;
	_Atomic uint32_t watch;        /* rlk_watch; UNKNOWN: by the parent, when it starts another worker */
	_Atomic uint32_t disconnected; /* it has closed its connections: who arms a slot wakes it */
	/* The slot that it reads, plus 1; 0: none. Written before it reads the state. A FREE slot is the parent's only if the worker
	 * visits none of its group: else a delayed worker would renew the next lock with the TTL of the last. */
	_Atomic uint32_t visited;
	_Atomic uint64_t renewals; /* confirmed, for tests and benchmarks */
	_Atomic uint64_t writes;   /* its send() calls, likewise */

	/* --- what the parent writes --- */
	/* What it last woke the worker for is due then. The worker wakes up by then even if that lock has been released, so that
	 * the next one need not wake it. */
	_Atomic int64_t wanted_at_ms;
	/* The process is about to become another program, for which its locks go on. It has once the control socket has ended. */
	_Atomic uint32_t handed_over;
	_Atomic int64_t grace_ms; /* then: from SIGTERM to SIGKILL for it when a lock is lost; RLK_NEVER: no SIGKILL */
	_Atomic uint32_t slots_used, servers_used; /* those from here on have never been used */

	/* --- what both write --- */
	rlk_idleness idleness;      /* may the worker end by itself? */
	_Atomic uint32_t stillborn; /* workers that replaced a dead one since one has done its work once */

	rlk_slot slots[RLK_SLOTS_MAX];
	rlk_area_server servers[RLK_AREA_SERVERS_MAX];
	char arena[RLK_ARENA_BYTES];
	rlk_piece blocks[RLK_SLOTS_MAX];            /* the parent's own: bytes of the arena that each slot keeps */
	char at_names[RLK_SLOTS_MAX][RLK_HOST_MAX]; /* with TLS: the host by which each slot's `at` was found */
} rlk_area;

static inline const rlk_addresses *rlk_area_server_addresses(const rlk_area_server *server)
{
	return &server->addresses[atomic_load(&server->current)];
}

/* Copies of the server what a connection needs into an entry with nothing in it. false: there is no room for its texts. */
bool rlk_area_server_describe(rlk_area_server *entry, const rlk_server *server);

/* May resolving its name again help? */
static inline bool rlk_area_server_has_name(const rlk_area_server *server)
{
	return server->kind == RLK_TOPOLOGY_SINGLE && server->host[0] != '\0';
}

/* The server whose TLS context counts, and which the parent is told about. */
static inline rlk_area_server *rlk_area_server_of_tls(rlk_area_server *server)
{
	return server->tls_of != NULL ? server->tls_of : server;
}

/* The validity of a lock and its epoch are one word. The epoch counts how often the parent itself has set the TTL: a renewal sent
 * before says nothing about the validity any more. So the child swaps a new validity in only if the epoch is still the one that it
 * asked with; were they two words, the same validity could come back between its look and its swap. 40 bits are 34 years. */
#define RLK_SLOT_EPOCH (UINT64_C(1) << 40)

static inline int64_t rlk_validity_until(uint64_t validity)
{
	return (int64_t)(validity % RLK_SLOT_EPOCH);
}

static inline uint32_t rlk_validity_epoch(uint64_t validity)
{
	return (uint32_t)(validity / RLK_SLOT_EPOCH);
}

/* The same epoch with another end, >= 0. */
static inline uint64_t rlk_validity_with(uint64_t validity, int64_t until_ms)
{
	return validity - validity % RLK_SLOT_EPOCH + (uint64_t)rlk_clock_earlier(until_ms, RLK_SLOT_EPOCH - 1);
}

static inline int64_t rlk_slot_valid_until(const rlk_slot *slot)
{
	return rlk_validity_until(atomic_load(&slot->validity));
}

static inline uint32_t rlk_slot_epoch(const rlk_slot *slot)
{
	return rlk_validity_epoch(atomic_load(&slot->validity));
}

/* For the parent: while the child does not renew the lock, or over all that it has renewed. */
static inline void rlk_slot_set_valid_until(rlk_slot *slot, int64_t until_ms)
{
	atomic_store(&slot->validity, rlk_validity_with(atomic_load(&slot->validity), until_ms));
}

/* Returns up to when it is valid. */
static inline int64_t rlk_slot_begin_epoch(rlk_slot *slot)
{
	return rlk_validity_until(atomic_fetch_add(&slot->validity, RLK_SLOT_EPOCH));
}

/* The longest pause between two renewals. */
static inline int64_t rlk_slot_pause_ms(const rlk_slot *slot)
{
	return rlk_clock_earlier(slot->interval_ms, atomic_load(&slot->ttl_ms) / 2);
}

/* Up to when max_hold lets the lock be held. */
static inline int64_t rlk_slot_held_until(const rlk_slot *slot)
{
	return rlk_clock_add(atomic_load(&slot->acquired_at_ms), slot->max_hold_ms);
}

/* Has max_hold ended the lock? The clock rounds down, so the last millisecond does not count. */
static inline bool rlk_slot_is_held_out(const rlk_slot *slot, int64_t now_ms)
{
	return now_ms + 1 >= rlk_slot_held_until(slot);
}

/* Marks an ACTIVE slot as lost. Any other slot keeps its state, and nobody reads its reason. */
static inline void rlk_slot_lose(rlk_slot *slot, rlk_lost_reason reason)
{
	uint32_t none = RLK_LOST_NOT, active = RLK_SLOT_ACTIVE;

	atomic_compare_exchange_strong(&slot->lost_reason, &none, reason);
	atomic_compare_exchange_strong(&slot->state, &active, RLK_SLOT_LOST);
}

static inline rlk_str rlk_area_str(const rlk_area *area, rlk_piece piece)
{
	return rlk_str_make(area->arena + piece.at, piece.len);
}

/* --- the parent's book-keeping: rlk_area.c ----------------------------------------------------- */

/* What the parent alone knows of an entry for a server, but for its TLS: a child has that of the moment when it was copied. */
typedef struct {
	_Atomic(rlk_tls_context *) tls; /* NULL: no TLS */
	uint64_t number;                /* its count in servers_entered; 0: the entry is free */
	uint64_t request;               /* number of the request that entered it */
	uint64_t resolving;             /* `number` while a late answer is still to come */
	int64_t resolved_at_ms;         /* when its name last was, or those of its seeds; RLK_NEVER: there is none */
	int64_t certificates_at_ms;     /* when they were last loaded */
} rlk_server_book;

typedef struct {
	rlk_area *area;      /* shared mapping; NULL: none */
	uint32_t arena_used; /* bytes of the arena given out since it last started afresh */
	uint32_t in_use;     /* slots that are not free, those left to the child included */
	uint32_t first_maybe_free;
	uint64_t servers_entered; /* ever, into whichever area */
	rlk_server_book books[RLK_AREA_SERVERS_MAX];
} rlk_slots;

typedef struct {
	rlk_str key, token;
	rlk_str resting; /* the token to leave behind, or empty */
	rlk_str waiters; /* the waiters key, or empty; left out if longer than RLK_SLOT_WAITERS_MAX */
} rlk_slot_strings;

/* Maps the area, for slots that are zero or were destroyed. false: no memory. */
bool rlk_slots_init(rlk_slots *slots, rlk_error *err);

/* Unmaps it. In a forked copy this leaves the parent's mapping alone. */
void rlk_slots_destroy(rlk_slots *slots);

/* Takes a free slot for a lock on this server, with a copy of the strings. It joins the group of `leader`, whose other
 * slots were taken before; with RLK_SLOT_NONE it stays FREE until the caller sets its state. RLK_SLOT_NONE: no room
 * (RLK_ERR_RENEWAL). */
int rlk_slots_take(rlk_slots *slots, const rlk_slot_strings *strings, uint32_t server, int leader, rlk_error *err);

/* Gives a slot back, and with a leader its group; their state becomes FREE. */
void rlk_slots_give_back(rlk_slots *slots, int index);

/* Leaves a slot to the child in state RELEASE; it is taken again once the child says RELEASED. */
void rlk_slots_leave_to_child(rlk_slots *slots, int index);

/* The number of this server, which is entered if it is new. -1: no room (RLK_ERR_RENEWAL). */
int rlk_slots_enter_server(rlk_slots *slots, const rlk_area_server *server, rlk_error *err);

/* Tells which servers the slots in use need, seeds included. Takes back slots that the child has released. */
void rlk_slots_needed_servers(rlk_slots *slots, bool needed[RLK_AREA_SERVERS_MAX]);

#endif
