/*
 * rlk_topology_rules: how the server of a key is found, by way of sentinels or in a Cluster.
 *
 * What a reply means, which sentinel is asked next and for how long, which node
 * is turned to, and for how long to pause. No socket is read here and no clock,
 * and nothing is allocated: replies and times go in, decisions come out. Two
 * drivers move the bytes: a call, which waits (rlk_topology_open.c), and the
 * renewal child, which does not (renew/rlk_child_topology.h).
 */
#ifndef RLK_TOPOLOGY_RULES_H
#define RLK_TOPOLOGY_RULES_H

#include "base/rlk_str.h"
#include "net/rlk_reply.h"

/* --- the hash slot of a key: the Cluster specification, "Key distribution model" and "Hash tags" --- */

#define RLK_CLUSTER_SLOTS 16384

/* What of a key is hashed: what stands between the first "{" and the next "}" unless that is empty, else all of it. */
rlk_str rlk_hash_tag(rlk_str key);

int rlk_hash_slot(rlk_str key);

typedef enum {
	RLK_TOPOLOGY_SINGLE,
	RLK_TOPOLOGY_SENTINEL, /* the master of a service, whom sentinels know */
	RLK_TOPOLOGY_CLUSTER   /* the node that has the slot of the key, which any node knows */
} rlk_topology_kind;

/* --- what a reply says about where to ask ------------------------------------------------------- */

typedef enum {
	RLK_REDIRECT_NONE,    /* nothing */
	RLK_REDIRECT_MOVED,   /* the server at host and port has the slot from now on */
	RLK_REDIRECT_ASK,     /* it is to be asked for once, with ASKING in front; nobody else may be */
	RLK_REDIRECT_SPLIT,   /* the keys of the request are on two servers for now; one key alone can be asked for */
	RLK_REDIRECT_ANOTHER, /* this node cannot say, or not now: any other one may, and this one is avoided */
	RLK_REDIRECT_WAIT,    /* the same server, a moment later */
	RLK_REDIRECT_DEMOTED  /* it was the master once: the sentinels know who is */
} rlk_redirect;

typedef struct {
	rlk_redirect kind;
	int hash_slot; /* MOVED, ASK */
	rlk_str host;  /* MOVED, ASK: in the reply, without brackets; empty: the server that says so */
	uint16_t port;
} rlk_redirection;

rlk_redirection rlk_redirection_read(rlk_topology_kind kind, const rlk_reply *reply);

/* For how long to pause before the request is repeated, which was redirected this often before. */
int rlk_redirection_pause_ms(const rlk_redirection *redirection, int redirections);

/* --- the search for the master of a service ------------------------------------------------------ */

/* Between begin and the finding of the master. All zero before the first search; `turn` goes on from one to the next, so
 * that the sentinel that helped last is asked first. */
typedef struct {
	unsigned sentinels;
	unsigned turn; /* whose: 0 to sentinels - 1 */
	unsigned left; /* that have not had their turn in this round, the present one among them; 0: a pause */
	int round_ms;
	int64_t began_at_ms, round_until_ms, until_ms;
	int64_t next_at_ms; /* the end of the turn or of the pause */
} rlk_search;

typedef enum {
	RLK_SEARCH_ASK,   /* ask sentinel `turn`, until next_at_ms */
	RLK_SEARCH_PAUSE, /* until next_at_ms: a failover may be under way */
	RLK_SEARCH_OVER   /* there is no time for another round */
} rlk_search_step;

/* A round over all sentinels takes round_ms at most, and leaves a share of it for the master. There is none after
 * until_ms; RLK_NEVER: the search goes on. */
void rlk_search_begin(rlk_search *search, unsigned sentinels, int round_ms, int64_t until_ms, int64_t now_ms);

/* What is to be done now: an unanswered sentinel's turn ends with its time, and so does a pause. */
rlk_search_step rlk_search_next(rlk_search *search, int64_t now_ms);

/* The sentinel whose turn it is does not help, or named a server that is no master or cannot be reached: the next one. */
void rlk_search_pass(rlk_search *search, int64_t now_ms);

/* What sentinels are asked. */
#define RLK_SEARCH_ARGC 3
void rlk_search_argv(const char *service, rlk_str argv[RLK_SEARCH_ARGC]);

typedef enum {
	RLK_SENTINEL_NAMES,   /* the master; it may be behind the others, so that server is asked for its ROLE first */
	RLK_SENTINEL_DENIES,  /* it watches no master of that name */
	RLK_SENTINEL_REFUSES, /* an error reply */
	RLK_SENTINEL_CONFUSED /* the reply does not fit the request */
} rlk_sentinel_answer;

/* *host is in the reply. */
rlk_sentinel_answer rlk_search_read(const rlk_reply *reply, rlk_str *host, uint16_t *port);

/* --- which node of a Cluster? --------------------------------------------------------------------- */

/* A node that did not answer, or could not say, is not the first choice for this long. */
#define RLK_CLUSTER_AVOIDED_MS 1000

/* The best so far of those that were offered; zero: none. */
typedef struct {
	bool any;
	int64_t avoided_until_ms;
} rlk_choice;

/* Offers the owner of the slot, as far as it is known, and then all the others, any of which may tell. Is this one better
 * than those before it? The first that is not avoided any more is best, else the one that is avoided for the shortest time. */
bool rlk_choice_takes(rlk_choice *choice, int64_t avoided_until_ms, int64_t now_ms);

/* How much of the time that is left one of so many may take to connect, so that a dead one does not use it all. */
int64_t rlk_topology_share_ms(int64_t left_ms, unsigned servers);

#endif
