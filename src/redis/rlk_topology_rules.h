/*
 * rlk_topology_rules: how the server of a key is found, by sentinels or in a Cluster.
 *
 * What a reply means, which sentinel is asked next and for how long, which node to connect to, and how long to pause.
 * Replies and times go in, decisions come out: no I/O, no clock, no allocation. Two drivers follow these rules: a call,
 * which waits (rlk_topology_open.c), and the renewal child, which does not (renew/rlk_child_topology_posix.c).
 */
#ifndef RLK_TOPOLOGY_RULES_H
#define RLK_TOPOLOGY_RULES_H

#include "base/rlk_str.h"
#include "net/rlk_reply.h"

/* --- the hash slot of a key: the Cluster specification, "Key distribution model" and "Hash tags" --- */

#define RLK_CLUSTER_SLOTS 16384

/* The part of a key that is hashed: between the first "{" and the next "}" unless that is empty, else the whole key. */
rlk_str rlk_hash_tag(rlk_str key);

int rlk_hash_slot(rlk_str key);

typedef enum {
	RLK_TOPOLOGY_SINGLE,
	RLK_TOPOLOGY_SENTINEL, /* the master of a service, which sentinels know */
	RLK_TOPOLOGY_CLUSTER   /* the node that has the slot of the key, which any node knows */
} rlk_topology_kind;

/* --- redirections ------------------------------------------------------------------------------- */

typedef enum {
	RLK_REDIRECT_NONE,    /* nothing */
	RLK_REDIRECT_MOVED,   /* the server at host and port has the hash slot from now on */
	RLK_REDIRECT_ASK,     /* that server serves this one request, with ASKING in front */
	RLK_REDIRECT_SPLIT,   /* the keys of the request are on two servers for now; one key alone can be used */
	RLK_REDIRECT_ANOTHER, /* this node cannot answer now: any other one may; this one is avoided */
	RLK_REDIRECT_WAIT,    /* the same server, a moment later */
	RLK_REDIRECT_DEMOTED  /* this server is no longer the master: the sentinels know the new one */
} rlk_redirect;

typedef struct {
	rlk_redirect kind;
	int hash_slot; /* MOVED, ASK */
	rlk_str host;  /* MOVED, ASK: in the reply, without brackets; empty: the server that answered */
	uint16_t port;
} rlk_redirection;

rlk_redirection rlk_redirection_read(rlk_topology_kind kind, const rlk_reply *reply);

/* How long to pause before repeating a request that was redirected so many times before. */
int rlk_redirection_pause_ms(const rlk_redirection *redirection, int redirections);

/* --- the search for the master of a service ------------------------------------------------------ */

/* All zero before the first search. The next one begins with the `turn` of the last, so the sentinel that helped last is asked
 * first. */
typedef struct {
	unsigned sentinels;
	unsigned turn; /* number of the sentinel to ask: 0 to sentinels - 1 */
	unsigned left; /* sentinels still to be asked in this lap, the present one included; 0: a pause */
	int lap_ms;
	int64_t began_at_ms, lap_until_ms, until_ms;
	int64_t next_at_ms; /* the end of the turn or of the pause */
} rlk_search;

typedef enum {
	RLK_SEARCH_ASK,   /* ask sentinel `turn`, until next_at_ms */
	RLK_SEARCH_PAUSE, /* until next_at_ms: a failover may be under way */
	RLK_SEARCH_OVER   /* there is no time for another lap */
} rlk_search_step;

/* A lap over all sentinels takes lap_ms at most, a share for connecting to the master included. No lap begins after
 * until_ms; RLK_NEVER: no limit. */
void rlk_search_begin(rlk_search *search, unsigned sentinels, int lap_ms, int64_t until_ms, int64_t now_ms);

/* Decides what to do now. The turn of a sentinel that does not answer ends with its time, and so does a pause. */
rlk_search_step rlk_search_next(rlk_search *search, int64_t now_ms);

/* Called when the present sentinel does not help, or named a server that is no master or cannot be reached: goes on to
 * the next. */
void rlk_search_pass(rlk_search *search, int64_t now_ms);

/* The request to a sentinel. */
#define RLK_SEARCH_ARGC 3
void rlk_search_argv(const char *service, rlk_str argv[RLK_SEARCH_ARGC]);

typedef enum {
	RLK_SENTINEL_NAMES,   /* the master; to be confirmed by its ROLE, since this sentinel may be behind the others */
	RLK_SENTINEL_DENIES,  /* it watches no master of that name */
	RLK_SENTINEL_REFUSES, /* an error reply */
	RLK_SENTINEL_CONFUSED /* the reply does not fit the request */
} rlk_sentinel_answer;

/* *host is in the reply. */
rlk_sentinel_answer rlk_search_read(const rlk_reply *reply, rlk_str *host, uint16_t *port);

/* --- which node of a Cluster? --------------------------------------------------------------------- */

/* A node that failed, or could not answer, is avoided for this long. */
#define RLK_CLUSTER_AVOIDED_MS 1000

/* Is this node better than those offered before? Offer the owner of the hash slot first, if it is known, then all
 * others, any of which can redirect. The best node is the first that is not avoided, or else the one avoided for the
 * shortest time: until *best_until_ms, which is RLK_NEVER at first. */
bool rlk_choice_takes(int64_t *best_until_ms, int64_t avoided_until_ms, int64_t now_ms);

/* The share of the time left that one of so many servers may take to connect. A dead server must not use it all. */
int64_t rlk_topology_share_ms(int64_t left_ms, unsigned servers);

#endif
