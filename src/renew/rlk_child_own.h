/*
 * rlk_child_own: the inside of the renewal child. Same rules as rlk_child.h.
 */
#ifndef RLK_CHILD_OWN_H
#define RLK_CHILD_OWN_H

#include "redis/rlk_call.h"
#include "renew/rlk_child.h"

/* --- its connections: rlk_child_channel.c ------------------------------------------------------ */

#define RLK_CHANNEL_OUT_BYTES (256u << 10)
#define RLK_CHANNEL_OPS_MAX 2048u
/* Pauses between attempts to connect or to repeat a refused renewal: doubled from the first to the last. */
#define RLK_CHANNEL_BACKOFF_FIRST_MS 10
#define RLK_CHANNEL_BACKOFF_LAST_MS 1000

typedef enum {
	RLK_OP_RENEW,
	RLK_OP_RELEASE,
	RLK_OP_REST,
	RLK_OP_REPLICATE, /* a renewal, which replicas must have */
	RLK_OP_WAKE,      /* a release of what we have lost, for the sake of those who wait */
	RLK_OP_ASKING,    /* stands in front of another one, in a Cluster */
	RLK_OP_LOCATE /* a question to a sentinel; the slot is the number of the server, the epoch that of the sentinel */
} rlk_op_kind;

/* One request under way, and what its reply has to be measured against. */
typedef struct {
	uint32_t slot;
	uint32_t generation;
	uint32_t epoch;
	rlk_op_kind kind;
	rlk_dialect dialect; /* in which it was said */
	int64_t ttl_ms;
	int64_t sent_at_ms;
	int64_t blocked_ms;    /* it may take this much longer than others */
	int64_t renewed_at_ms; /* REPLICATE: when the renewal was sent */
} rlk_op;

typedef struct {
	rlk_area_server *server; /* NULL: this channel was never used */
	rlk_conn conn;           /* over the memory below */
	rlk_addresses addresses;
	int64_t retry_at_ms;           /* closed: not before */
	int64_t closed_at_ms;          /* closed: since then; 0: it was never open */
	int64_t avoided_until_ms;      /* open, to a node of a Cluster that cannot say: others are asked until then */
	int backoff_ms;                /* not 0: the last attempts came to nothing */
	bool proved;                   /* the server has answered something on this connection */
	rlk_dialect dialect;           /* rlk_dialect_of() the server, on the next connection, too */
	bool knows[2];                 /* the server has cached renew.lua, release.lua since we connected */
	uint32_t ops_first, ops_count; /* ring of requests under way */
	rlk_op ops[RLK_CHANNEL_OPS_MAX];
	rlk_reader reader;
	char out[RLK_CHANNEL_OUT_BYTES];
} rlk_channel;

static inline bool rlk_channel_is_closed(const rlk_channel *channel)
{
	return channel->conn.state == RLK_CONN_STATE_CLOSED;
}

/* May requests be queued? */
static inline bool rlk_channel_is_ready(const rlk_channel *channel)
{
	return channel->conn.state == RLK_CONN_STATE_OPEN && channel->conn.handshake == 0;
}

typedef struct {
	/* A reply, or NULL when the channel broke before it came. */
	void (*answered)(void *arg, const rlk_op *op, const rlk_reply *reply);
	void *arg;
} rlk_channel_listener;

/* The next of pauses that are doubled from the first to the last; *pause_ms is 0 before the first. */
static inline int rlk_channel_longer(int *pause_ms, int first_ms, int last_ms)
{
	*pause_ms = *pause_ms == 0 ? first_ms : *pause_ms * 2;
	if (*pause_ms > last_ms)
		*pause_ms = last_ms;
	return *pause_ms;
}

/* Starts connecting, for so long at most, if the channel is closed and its pause is over. */
void rlk_channel_open(rlk_channel *channel, rlk_area_server *server, int64_t connect_ms, int64_t now_ms);

/* Queues a request. false: no room until replies have come in. */
bool rlk_channel_queue(rlk_channel *channel, const rlk_op *op, const rlk_request *request);

/* Sends what is queued; returns the number of send() calls that carried something. */
int rlk_channel_flush(rlk_channel *channel, const rlk_channel_listener *listener, int64_t now_ms);

/* Call when poll() says the descriptor is `ready`: connects on, reads replies. */
void rlk_channel_advance(rlk_channel *channel, bool ready, const rlk_channel_listener *listener, int64_t now_ms);

/* Closes a channel that has been silent too long, and has the next address tried of one that connects. */
void rlk_channel_check_time(rlk_channel *channel, const rlk_channel_listener *listener, int64_t now_ms);

/* When rlk_channel_check_time() or rlk_channel_open() has something to do next. RLK_NEVER: not by itself. */
int64_t rlk_channel_next_at(const rlk_channel *channel);

/* --- which of them serves a slot: rlk_child_topology.c ----------------------------------------- */

/* Servers found at a time. One more takes the place of another that no channel is open to. */
#define RLK_FOUND_MAX 32
#define RLK_CHANNELS_MAX (RLK_AREA_SERVERS_MAX + RLK_FOUND_MAX)

/* Where the requests of one slot go; all zero: where the slot says. Numbers are those of channels, plus one. */
typedef struct {
	uint32_t to;
	uint32_t once;    /* Cluster: for the next request alone, with ASKING */
	uint32_t finding; /* Sentinel: the last one that led to a server to connect to */
	int redirections; /* of the present request, so far */
} rlk_way;

/* A server that was found. */
typedef struct {
	uint32_t of; /* number of the server */
	rlk_address address;
	rlk_area_server server; /* that server with this address */
} rlk_found_server;

/* Who is the master of a service? */
typedef struct {
	bool wanted;
	bool asked; /* the sentinel whose turn it is has been asked */
	rlk_search turns;
	rlk_address found; /* family 0: not yet */
	char found_name[RLK_HOST_MAX];
	int64_t found_at_ms;
	uint32_t findings; /* so far */
} rlk_child_search;

typedef struct {
	rlk_area *area;
	rlk_channel *channels;
	uint32_t found_count;
	rlk_found_server found[RLK_FOUND_MAX];
	rlk_child_search searches[RLK_AREA_SERVERS_MAX];
} rlk_child_topology;

/* `channels`: RLK_CHANNELS_MAX, all zero. */
void rlk_child_topology_init(rlk_child_topology *topology, rlk_area *area, rlk_channel *channels);

/* Links up to this number may be in use. */
uint32_t rlk_child_topology_channels(const rlk_child_topology *topology);

/* The number of the channel for the next request of a slot. */
uint32_t rlk_child_topology_number(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way);

/* Opens that channel unless it is open, finding out about another way if need be. Returns when to try again; RLK_NEVER: it
 * is open, or about to be. */
int64_t rlk_child_topology_open(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, int64_t now_ms);

/* May a request be queued on that channel? What has to stand in front of it then is. */
bool rlk_child_topology_ready(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, const rlk_op *op);

/* A reply may say that the request is to be repeated: here, elsewhere, or, with RLK_REDIRECT_SPLIT, of the lock's key alone;
 * not before *again_at_ms. RLK_REDIRECT_NONE: it says nothing of that kind. */
rlk_redirect rlk_child_topology_redirect(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way,
	const rlk_reply *reply, int64_t now_ms, int64_t *again_at_ms);

/* Goes on with what is being searched for; returns when to look again. */
int64_t rlk_child_topology_search(rlk_child_topology *topology, int64_t now_ms);

/* What a sentinel said, NULL: nothing. */
void rlk_child_topology_located(rlk_child_topology *topology, const rlk_op *op, const rlk_reply *reply, int64_t now_ms);

typedef struct {
	uint32_t generation;
	bool under_way;    /* a request for this slot awaits its reply */
	bool done;         /* its release is done or given up */
	bool wakes_nobody; /* the server refuses us the keys that wake waiters */
	rlk_way way;       /* to the server that has the key */
	int backoff_ms;
	int64_t due_at_ms;     /* next renewal or release; 0: not yet determined */
	int64_t give_up_at_ms; /* of the release; 0: not yet determined */
	int64_t signal_at_ms;
	int signal_pause_ms;

	/* In a group: what its server said last. */
	int64_t until_ms; /* it has the lock until then, if */
	uint32_t epoch;   /* that is still the slot's; */
	bool refused;     /* or the lock is not ours there */
} rlk_slot_view;

typedef struct {
	const rlk_child_env *env;
	rlk_area *area;
	bool orphaned; /* the parent is gone */
	bool quitting;
	bool ended;
	bool again;                                /* something was answered: look at the slots once more before sleeping */
	bool renews[RLK_CHANNELS_MAX];             /* a renewal on this channel leaves now: others go along */
	int64_t asked_at_ms[RLK_AREA_SERVERS_MAX]; /* when the parent was last asked to resolve a name again */
	int timer;                                 /* -1: none, poll()'s own timeout serves */
	rlk_slot_view views[RLK_SLOTS_MAX];
	char signal[RLK_SLOT_WAITERS_MAX]; /* where that key is put together for one request */
	rlk_child_topology topology;
	rlk_channel channels[RLK_CHANNELS_MAX];
} rlk_child;

/* --- renewing, releasing, telling of losses: rlk_child_slots_posix.c -------------------------- */

/* Looks at every slot and queues what is due. Returns when to look again at the latest. *busy: a release is still to be
 * done. */
int64_t rlk_child_slots_look(rlk_child *c, int64_t now_ms, bool *busy);

/* An rlk_channel_listener's function; `arg` is the rlk_child. */
void rlk_child_slots_answered(void *arg, const rlk_op *op, const rlk_reply *reply);

/* --- a slot's requests, and what is asked in which words of which server: rlk_child_requests.c - */

/* Queues a request on the channel of that slot. `number_ms`: the TTL to give, where the kind has one. false: not now. */
bool rlk_child_request(rlk_child *c, uint32_t index, const rlk_slot *leader, rlk_op_kind kind, int64_t now_ms,
	int64_t number_ms);

/* The master has renewed: do enough replicas know? false: could not be asked. */
bool rlk_child_request_replicas(rlk_child *c, const rlk_op *renewal, int64_t now_ms);

/* Is the request to be made again, not before *again_at_ms, since the channel broke, or in other words or elsewhere? These are
 * settled. */
bool rlk_child_request_again(rlk_child *c, const rlk_op *op, const rlk_reply *reply, int64_t now_ms,
	int64_t *again_at_ms);

/* *done, or not ours: scripts and deletes say so by a number, SET by OK and nil. false: the reply says neither. */
bool rlk_child_request_result(const rlk_op *op, const rlk_reply *reply, bool *done);

#endif
