/*
 * rlk_child_topology: which of its links the child uses for a slot.
 *
 * A slot of a plain server has the link of that peer. Where the peer is a
 * service or a Cluster, the child finds the server by itself, since the parent
 * may be deep in a long call. What is asked of whom, and what an answer means,
 * are the rules that calls follow, too (redis/rlk_topology_rules.h). What is
 * the child's own is where it keeps what it learns: each lock has its way, for it
 * has few locks and no heap; servers are addresses, for it cannot resolve
 * names; and those that it finds have links behind those of the peers. Same
 * conditions as rlk_child.h.
 */
#ifndef RLK_CHILD_TOPOLOGY_H
#define RLK_CHILD_TOPOLOGY_H

#include "renew/rlk_child_link.h"

/* Servers found at a time. One more takes the place of another that no link is open to. */
#define RLK_CHILD_SERVERS_MAX 32
#define RLK_LINKS_MAX (RLK_PEERS_MAX + RLK_CHILD_SERVERS_MAX)

/* Where the requests of one slot go; all zero: where the slot says. Numbers are those of links, plus one. */
typedef struct {
	uint32_t to;
	uint32_t once;    /* Cluster: for the next request alone, with ASKING */
	uint32_t finding; /* Sentinel: the last one that led to a server to connect to */
	int redirections; /* of the present request, so far */
} rlk_way;

/* A server that was found. */
typedef struct {
	uint32_t of; /* number of the peer */
	rlk_place place;
	rlk_peer peer; /* that peer with this address */
} rlk_child_server;

/* Who is the master of a service? */
typedef struct {
	bool wanted;
	bool asked; /* the sentinel whose turn it is has been asked */
	rlk_search turns;
	rlk_place found; /* family 0: not yet */
	char found_name[RLK_HOST_MAX];
	int64_t found_at_ms;
	uint32_t findings; /* so far */
} rlk_child_search;

typedef struct {
	rlk_area *area;
	rlk_link *links;
	uint32_t servers_used;
	rlk_child_server servers[RLK_CHILD_SERVERS_MAX];
	rlk_child_search searches[RLK_PEERS_MAX];
} rlk_child_topology;

/* `links`: RLK_LINKS_MAX, all zero. */
void rlk_child_topology_init(rlk_child_topology *topology, rlk_area *area, rlk_link *links);

/* Links up to this number may be in use. */
uint32_t rlk_child_topology_links(const rlk_child_topology *topology);

/* The number of the link for the next request of a slot. */
uint32_t rlk_child_topology_number(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way);

/* Opens that link unless it is open, finding out about another way if need be. Returns when to try again; RLK_NEVER: it
 * is open, or about to be. */
int64_t rlk_child_topology_open(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, int64_t now_ms);

/* May a request be queued on that link? What has to stand in front of it then is. */
bool rlk_child_topology_ready(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way, const rlk_op *op);

/* A reply may say that the request is to be repeated: here, elsewhere, or, with RLK_REDIRECT_SPLIT, of the lock's key alone;
 * not before *again_at_ms. RLK_REDIRECT_NONE: it says nothing of that kind. */
rlk_redirect rlk_child_topology_redirect(rlk_child_topology *topology, const rlk_slot *slot, rlk_way *way,
	const rlk_reply *reply, int64_t now_ms, int64_t *again_at_ms);

/* Goes on with what is being searched for; returns when to look again. */
int64_t rlk_child_topology_search(rlk_child_topology *topology, int64_t now_ms);

/* What a sentinel said, NULL: nothing. */
void rlk_child_topology_located(rlk_child_topology *topology, const rlk_op *op, const rlk_reply *reply, int64_t now_ms);

#endif
