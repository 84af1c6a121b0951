/*
 * simulated: a world made of chance, for test_quorum_simulated.c: time is what happens in it, and all chance comes from
 * one seed, so that the same seed is the same world.
 */
#ifndef SIMULATED_H
#define SIMULATED_H

#include "lock/rlk_quorum.h"

#include <string.h>

#define CLIENTS 3
#define NODES_MAX 5
#define TIMEOUT_MS 10
#define TTL_MAX_MS 120
#define ACTIVE_MS 400 /* no acquisition begins after this */
#define OWED_MAX 16

typedef enum { AT_NODE, AT_CLIENT, WAKE, CRASH, RESTART } sim_event_type;
typedef enum { SET, EXTEND, RELEASE } sim_request_kind;

typedef struct {
	int64_t at_ms;
	uint32_t order; /* of two at the same time */
	sim_event_type type;
	int client, node;
	uint32_t life;       /* of the node: its connections end with it */
	uint32_t connection; /* of the client: answers on one given up are not read */
	sim_request_kind kind;
	uint32_t token, round;
	int64_t ttl_ms, sent_at_ms;
	bool done; /* the answer */
} sim_event;

typedef struct {
	bool up;
	int64_t frozen_until_ms;
	uint32_t life, token;
	int64_t expires_at_ms;
	int rate; /* of its clock, in a thousandth */
} sim_node;

typedef enum { IDLE, TAKING, HOLDING, EXTENDING, PAUSING } sim_client_state;

/* A client's connection to one node. */
typedef struct {
	uint32_t number;                        /* counts the connections */
	int64_t last_arrival_ms, last_reply_ms; /* nothing overtakes on it */
} sim_wire;

typedef struct {
	sim_wire wire, aside;
	int late; /* answers to come that nobody waits for */
	uint32_t owed[OWED_MAX];
	int owed_count;
	uint32_t held, held_aside; /* tokens of a lock that is held, to be released with it; 0: none */
	int64_t back_at_ms;        /* given up: not asked before */
	int64_t until_ms;          /* renewals one by one: it has the lock until then */
} sim_link;

typedef struct {
	sim_client_state state;
	rlk_quorum quorum;
	uint32_t round, token;
	int attempts_left;
	int64_t ttl_ms, valid_until_ms, frozen_until_ms, act_at_ms;
	uint32_t maybe_on;
	bool one_by_one; /* renews each server on its own, as the renewal child does */
	sim_link links[NODES_MAX];
} sim_client;

typedef struct {
	int64_t now_ms;
	sim_node nodes[NODES_MAX];
	sim_client clients[CLIENTS];
	int node_count;
	uint32_t tokens;     /* given out so far */
	bool lossy;          /* messages get lost, and servers stop */
	const char *failure; /* what must not happen has happened; else NULL */
} sim_world;

extern sim_world world;

/* Over all worlds played. */
extern unsigned long acquired, extended, lates;

/* The rule that is broken, "" for none. */
extern const char *broken;

static inline bool sim_breaks(const char *what)
{
	return strcmp(broken, what) == 0;
}

/* --- simulated_events.c --------------------------------------------------------------------------- */

/* An empty world at 0 ms. */
void sim_begin(uint64_t seed);

/* Chance: from 0 to below `bound`; yes in so many of a hundred cases; how long a message is under way. */
uint32_t sim_number(uint32_t bound);
bool sim_chance(uint32_t percent);
int64_t sim_transit_ms(void);

/* Something will happen. sim_put_back(): what was to happen already, later, before whatever was pushed since. */
void sim_push(sim_event e);
void sim_put_back(sim_event e);

/* The client gets to act then, or now if that is over. */
void sim_wake(int c, int64_t at_ms);

/* Takes what happens next. false: nothing will. */
bool sim_pop(sim_event *e);

/* --- simulated_client.c --------------------------------------------------------------------------- */

/* Time has come for something. */
void sim_client_act(int c);

void sim_client_take_reply(const sim_event *e);

/* --- simulated_node.c ----------------------------------------------------------------------------- */

void sim_node_serve(sim_event *e);

/* It forgets everything, and comes back by itself. */
void sim_node_crash(int n);

#endif
