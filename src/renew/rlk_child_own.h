/*
 * rlk_child_own: what the renewal child knows, for its own files. The rules of rlk_child.h hold here, too.
 */
#ifndef RLK_CHILD_OWN_H
#define RLK_CHILD_OWN_H

#include "redis/rlk_exchange.h"
#include "renew/rlk_child.h"

/* Servers found at a time, besides those of the area. One more replaces another that is not connected. */
#define RLK_FOUND_MAX 32
/* Channels to the servers of the area come first, then those to the servers found. */
#define RLK_CHANNELS_MAX (RLK_AREA_SERVERS_MAX + RLK_FOUND_MAX)
#define RLK_CHANNEL_OUT_BYTES (256u << 10)
#define RLK_CHANNEL_OPS_MAX 2048u

/* Pauses before the next attempt to connect, or to repeat a refused renewal. */
#define RLK_BACKOFF_FIRST_MS 10
#define RLK_BACKOFF_LAST_MS 1000

/* A server executes nothing else of a connection while it waits for replicas there: they are asked for so long at a time, in
 * between the locks that stand behind have their renewals and releases. */
#define RLK_REPLICAS_SLICE_MS 100

/* So long, and longer if the server did not answer, the child looks for a key that its dead parent was about to set. */
#define RLK_LATE_SET_MS 5000

/* Without a lock for so long the child gives up its connections. */
#define RLK_DISCONNECT_AFTER_MS 3000

/* Pauses before the parent is asked again to resolve a name: the signal cuts short its sleep. */
#define RLK_ASK_FIRST_MS 1000
#define RLK_ASK_LAST_MS 30000

typedef enum {
	RLK_OP_RENEW,
	RLK_OP_RELEASE,
	RLK_OP_REPLICATE, /* WAIT, behind a renewal that replicas must have */
	RLK_OP_WAKE,      /* the release of a lost lock, which wakes a waiter; nobody reads the reply */
	RLK_OP_ASKING,    /* in front of another request, in a Cluster */
	RLK_OP_CONFIRM,   /* is the lock ours? Has the server track the key, as a renewal does */
	RLK_OP_TRACK,     /* HELLO or CLIENT TRACKING, in front of the first of those over a connection; no slot's */
	RLK_OP_LOCATE     /* asks a sentinel; `slot` is the number of the service, `epoch` the turn of the search */
} rlk_op_kind;

/* A request under way, and what its reply is measured against. */
typedef struct {
	uint32_t slot;
	uint32_t generation;
	uint32_t epoch;
	rlk_op_kind kind;
	bool of_set;    /* several may hold the lock */
	int64_t ttl_ms; /* that it gives to the key; 0 of most releases */
	int64_t sent_at_ms;
	int64_t blocked_ms;    /* the server may take this much longer than usual */
	int64_t renewed_at_ms; /* REPLICATE: when the renewal was sent, */
	int64_t waits_on_ms;   /* and for how long the replicas may be asked again */
} rlk_op;

/* A connection to one server that is opened again when it breaks, and the requests under way on it. */
typedef struct {
	rlk_area_server *server; /* NULL: never used */
	rlk_conn conn;           /* over the memory below */
	rlk_addresses addresses;
	int64_t retry_at_ms;      /* closed: not opened before */
	int64_t closed_at_ms;     /* closed: since then; 0: it was never open */
	int64_t avoided_until_ms; /* open, to a node of a Cluster that could not say where a key is */
	int backoff_ms;           /* the last pause before connecting; 0: the last attempt succeeded */
	bool proved;              /* the server has answered a request on this connection, other than TRACK */
	bool shuns_tracking;      /* the last connection broke behind that question: the next does not ask */
	uint8_t tracking;         /* rlk_tracking, of this connection */
	uint64_t connection;      /* number of this connection among all of the child */
	bool knows[2]
			  [3]; /* on this connection the server has been sent the script that renews, confirms, releases: as text */
	uint32_t ops_first, ops_count; /* ring of requests under way */
	rlk_op ops[RLK_CHANNEL_OPS_MAX];
	rlk_reader reader;
	char out[RLK_CHANNEL_OUT_BYTES];
} rlk_channel;

/* A server that a sentinel, MOVED or ASK has named. */
typedef struct {
	uint32_t of; /* number of the service or Cluster in the area */
	rlk_address address;
	rlk_area_server server; /* that one's entry, with this address */
} rlk_found_server;

/* The search for the master of a service. */
typedef struct {
	bool wanted;
	bool asked; /* the sentinel whose turn it is has been asked */
	rlk_search turns;
	rlk_address found; /* family 0: none yet */
	char found_name[RLK_HOST_MAX];
	int64_t found_at_ms;
	uint32_t findings; /* so far */
} rlk_child_search;

/* Which channel a slot's requests take. Numbers are those of channels plus 1; all zero: where the slot says. */
typedef struct {
	uint32_t channel;
	uint32_t asking;  /* Cluster: this channel instead for the next request, behind ASKING */
	uint32_t finding; /* Sentinel: the last finding whose server could be connected to */
	int redirections; /* of the present request, so far */
} rlk_slot_target;

/* What the child knows of a slot; void when the slot's generation changes. */
typedef struct {
	uint32_t generation;
	bool under_way;    /* a request for this slot awaits its reply */
	bool done;         /* its release is done or given up */
	bool wakes_nobody; /* the server refuses us the keys that wake waiters */
	rlk_slot_target target;
	int backoff_ms;
	int64_t due_at_ms;     /* next renewal or release; 0: not yet known */
	uint64_t tracked_on;   /* the server tells over this connection if the key is changed; 0: over none */
	int64_t confirm_at_ms; /* not confirmed before */
	int confirm_pause_ms;
	int64_t release_until_ms; /* of the release; 0: there is none yet */
	bool signalled;           /* the parent has been sent a signal of its loss */

	/* In a group: the last answer of its server. */
	int64_t until_ms; /* it has the lock until then, */
	uint32_t epoch;   /* if this is still the slot's; */
	bool refused;     /* or the lock is not ours there */
} rlk_slot_view;

/* For whom the child works:
 *
 *           message QUIT           the pair of sockets ends
 *     SERVES ---------> QUITS ----------------------------> ORPHANED ---> ENDED, when all is released
 *       |  |                                                 ^  ^
 *       |  +------- the pair ends, or the parent has died ---+  |
 *       +---> GUARDS ------------- the program has ended -------+
 *      the pair ends, handed over
 *
 * The message END leads from everywhere to ENDED. */
typedef enum {
	RLK_CHILD_SERVES,   /* its parent */
	RLK_CHILD_GUARDS,   /* the locks of the program that the parent has become, which knows nothing of the child */
	RLK_CHILD_QUITS,    /* renews no more, and ends when no release is left to do */
	RLK_CHILD_ORPHANED, /* the parent is gone: releases all, and ends */
	RLK_CHILD_ENDED     /* ends now */
} rlk_child_life;

typedef struct {
	const rlk_child_env *env;
	rlk_area *area;
	rlk_child_life life;
	int64_t signal_at_ms;                      /* losses are signalled then, if the parent has not noted them, */
	int signal_pause_ms;                       /* so long after the last signal */
	int64_t kill_at_ms;                        /* that program has been sent SIGTERM; 0: not */
	bool in_use;                               /* a lock needs us, or may do so any moment */
	int64_t used_at_ms;                        /* when one last did */
	bool may_be_told;                          /* a lock is there for so long that a server may tell of its loss, */
	bool urgent;                               /* and the scheduler has been asked to have us run soon then */
	bool again;                                /* something was answered: visit the slots once more before sleeping */
	bool renews[RLK_CHANNELS_MAX];             /* a renewal is queued on this channel: others go along */
	int64_t asked_at_ms[RLK_AREA_SERVERS_MAX]; /* when the parent was last asked to resolve a name, */
	int ask_pause_ms[RLK_AREA_SERVERS_MAX];    /* and for how long not to ask again */
	int timer;                                 /* -1: none, poll()'s own timeout serves */
	uint64_t connections;                      /* that were begun so far */
	rlk_slot_view views[RLK_SLOTS_MAX];
	char signal[RLK_SLOT_WAITERS_MAX]; /* where that key is put together for one request */
	rlk_child_search searches[RLK_AREA_SERVERS_MAX];
	uint32_t found_count;
	rlk_found_server found[RLK_FOUND_MAX];
	rlk_channel channels[RLK_CHANNELS_MAX];
} rlk_child;

/* Is no parent left that would finish the acquisitions and releases it began? */
static inline bool rlk_child_is_alone(const rlk_child *c)
{
	return c->life == RLK_CHILD_GUARDS || c->life == RLK_CHILD_ORPHANED;
}

/* The next of pauses that are doubled from the first to the last; *pause_ms is 0 before the first. */
static inline int rlk_child_longer_pause(int *pause_ms, int first_ms, int last_ms)
{
	*pause_ms = *pause_ms == 0 ? first_ms : *pause_ms * 2;
	if (*pause_ms > last_ms)
		*pause_ms = last_ms;
	return *pause_ms;
}

/* --- channels: rlk_child_channel_posix.c ------------------------------------------------------ */

static inline bool rlk_channel_is_closed(const rlk_channel *channel)
{
	return channel->conn.state == RLK_CONN_STATE_CLOSED;
}

/* May requests be queued? */
static inline bool rlk_channel_is_ready(const rlk_channel *channel)
{
	return channel->conn.state == RLK_CONN_STATE_OPEN && !rlk_conn_shakes_hands(&channel->conn);
}

/* May the server tell over this connection when a key is changed that was renewed or confirmed over it? */
static inline bool rlk_channel_may_track(const rlk_channel *channel)
{
	return rlk_channel_is_ready(channel) && channel->tracking != RLK_TRACKING_REFUSED;
}

/* Starts connecting, for so long at most, if the channel is closed and its pause is over. */
void rlk_channel_open(rlk_child *c, rlk_channel *channel, rlk_area_server *server, int64_t connect_ms, int64_t now_ms);

/* Queues a request. false: not ready, or no room until replies have come. */
bool rlk_channel_queue(rlk_channel *channel, const rlk_op *op, const rlk_request *request);

/* Sends what is queued. */
void rlk_channel_flush(rlk_child *c, rlk_channel *channel, int64_t now_ms);

/* Goes on connecting, or sends and reads: its descriptor is `ready`, or rlk_channel_next_at() has come. */
void rlk_channel_advance(rlk_child *c, rlk_channel *channel, bool ready, int64_t now_ms);

/* Closes a channel that nobody needs any more. */
void rlk_channel_give_up(rlk_child *c, rlk_channel *channel);

/* Closes a channel that has been silent too long; one that connects tries the next address. */
void rlk_channel_check_time(rlk_child *c, rlk_channel *channel, int64_t now_ms);

/* When rlk_channel_check_time() or rlk_channel_open() has something to do. RLK_NEVER: not by itself. */
int64_t rlk_channel_next_at(const rlk_channel *channel);

/* --- which channel serves a slot: rlk_child_topology_posix.c ---------------------------------- */

/* Channels from this number on have never been used. */
uint32_t rlk_child_channels_used(const rlk_child *c);

/* The channel for the next request of a slot. */
rlk_channel *rlk_child_channel_of(rlk_child *c, uint32_t slot);

/* Opens that channel, or another one if this server cannot be reached or is the wrong one. Returns when to try again;
 * RLK_NEVER: it is open or connecting, or a search goes on. */
int64_t rlk_child_open_channel(rlk_child *c, uint32_t slot, int64_t now_ms);

/* May a request be queued on that channel? Queues ASKING if it has to stand in front. */
bool rlk_child_prepare_channel(rlk_child *c, uint32_t slot, const rlk_op *op);

/* Does the reply say that the request has to be repeated: here, elsewhere, or (RLK_REDIRECT_SPLIT) with the lock key alone?
 * Not before *again_at_ms. RLK_REDIRECT_NONE: no. */
rlk_redirect rlk_child_follow(rlk_child *c, uint32_t slot, const rlk_reply *reply, int64_t now_ms,
	int64_t *again_at_ms);

/* Goes on with the searches for masters. Returns when to go on at the latest. */
int64_t rlk_child_search_on(rlk_child *c, int64_t now_ms);

/* The reply of a sentinel; NULL: none came. */
void rlk_child_located(rlk_child *c, const rlk_op *op, const rlk_reply *reply, int64_t now_ms);

/* --- a slot ----------------------------------------------------------------------------------- */

/* Before anything of a slot is read: unless it is FREE or RELEASED, it is the same lock until the next visit. */
static inline rlk_slot_state rlk_child_begin_visit(rlk_child *c, uint32_t index)
{
	atomic_store(&c->area->visited, index + 1);
	return (rlk_slot_state)atomic_load(&c->area->slots[index].state);
}

/* The slot whose state and times count: the leader of the group, or the slot itself. NULL: the group is gone. */
static inline rlk_slot *rlk_child_leader_of(rlk_area *area, rlk_slot *slot)
{
	rlk_slot *leader;

	if (atomic_load(&slot->state) != RLK_SLOT_MEMBER)
		return slot;
	leader = &area->slots[slot->leader];
	return atomic_load(&leader->generation) == slot->leader_generation ? leader : NULL;
}

/* Is what we know of a slot about the lock that is in it now? */
static inline bool rlk_child_is_current(const rlk_child *c, int index)
{
	return c->views[index].generation == atomic_load(&c->area->slots[index].generation);
}

/* --- renewing, releasing, telling of losses: rlk_child_slots_posix.c -------------------------- */

/* Visits every slot and queues what is due. Returns when to visit them again at the latest. *busy: a release is still to
 * be done. */
int64_t rlk_child_visit_slots(rlk_child *c, int64_t now_ms, bool *busy);

/* Queues a request for a slot. `resting_ms`: a release leaves the resting token for so long. false: not now. */
bool rlk_child_request(rlk_child *c, uint32_t slot, const rlk_slot *leader, rlk_op_kind kind, int64_t now_ms,
	int64_t resting_ms);

/* The release on one server is done or given up. That of the lock is over with the last of them. */
void rlk_child_finish_release(rlk_child *c, rlk_slot *leader, rlk_slot_view *view);

/* --- what replies say: rlk_child_answers_posix.c ---------------------------------------------- */

/* The reply to a request of this channel; NULL: the connection broke before it came. */
void rlk_child_answered(rlk_child *c, rlk_channel *channel, const rlk_op *op, const rlk_reply *reply);

/* What the server says unasked: a key was changed, or all. */
void rlk_child_key_changed(rlk_child *c, const rlk_channel *channel, const rlk_reply *push);

#endif
