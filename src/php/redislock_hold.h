/*
 * redislock_hold: one name that somebody in this process holds, or held, and the connection it is held over.
 *
 * Objects refer to holds through records (redislock_object.h). Several records
 * share one hold when reentrant locks are entered again.
 */
#ifndef REDISLOCK_HOLD_H
#define REDISLOCK_HOLD_H

#include "php/redislock_module.h"

#include "config/rlk_config.h"
#include "lock/rlk_lock.h"
#include "lock/rlk_nodes.h"
#include "renew/rlk_renewal.h"
#include "redis/rlk_route.h"

#include <zend_fibers.h>

struct redislock_client {
	uint32_t refcount;
	rlk_config config;
	rlk_route *route; /* where the server is, if that has to be found out; or NULL */
	rlk_conn conn;    /* to config.servers[0], or by the route: see redislock_hold_conn(); unused with a quorum */
	rlk_nodes *nodes; /* the quorum, config.quorum; NULL: there is one server */
	rlk_renewal_peer *peers;           /* the server or servers, as the renewal child knows them */
	redislock_client *next, *previous; /* in RLG(clients) */
	rlk_buf made_of;                   /* see redislock_parked.h; holds what secrets the arguments held */
	struct redislock_record *parked;   /* while in RLG(parked): the object's only record */
};

typedef enum {
	REDISLOCK_IDLE,     /* nothing held */
	REDISLOCK_WAITING,  /* being acquired; seen by code that a signal handler runs meanwhile, and by other fibers */
	REDISLOCK_HELD,     /* acquired; whether still valid, the clock tells */
	REDISLOCK_RESTORED, /* a token given by restore(), not yet confirmed */
	REDISLOCK_LOST      /* was held; the loss is known here */
} redislock_hold_state;

struct redislock_hold {
	uint32_t refcount; /* records that point here */
	uint32_t entries;  /* how often it was entered; 1 unless reentrant */
	redislock_client *client;
	zend_string *name; /* persistent, without prefix */
	rlk_lock lock;
	redislock_hold_state state;
	rlk_lost_reason reason;    /* of the last loss since it was acquired, also when IDLE again; RLK_LOST_NOT: none */
	int slot;                  /* of the renewal area; RLK_SLOT_NONE for leases */
	long owner_pid;            /* process that acquired it */
	zend_fiber_context *fiber; /* that acquired it; NULL once that fiber is gone */

	/* As configured for this acquisition. */
	bool renew, reentrant, release_async, fence;
	rlk_on_lost on_lost;
	int64_t interval_ms, linger_ms, hold_at_least_ms, max_hold_ms;

	bool is_lock; /* the key was seen to hold one, after a refusal: no need to look again at each */
	bool listed_bound, listed_reentrant;
	redislock_hold *next_bound, *next_reentrant;
};

/* Takes over *config. NULL: memory is out (exception thrown), *config is destroyed. */
redislock_client *redislock_client_new(rlk_config *config);
void redislock_client_release(redislock_client *client);

/* In and out of RLG(clients). */
void redislock_client_list(redislock_client *client);
void redislock_client_unlist(redislock_client *client);

/* Gives the connection back to the pool, or closes it. */
void redislock_client_disconnect(redislock_client *client);

/* Frees what is disconnected and in no list. */
void redislock_client_destroy(redislock_client *client);
void redislock_hold_destroy(redislock_hold *hold);

/* A hold in state IDLE with one reference. NULL: exception thrown. */
redislock_hold *redislock_hold_new(redislock_client *client, const char *name, size_t name_len);

/* Drops a reference. A process-bound lock that loses its last one while held is released, without exceptions; a
 * lease stays on the server. */
void redislock_hold_drop(redislock_hold *hold);

/* The connection for operations on this hold. It serves all names of an object, so ask anew before each. */
rlk_conn *redislock_hold_conn(redislock_hold *hold);

/* Is it idle, with nothing left to report, and not shared with another record? */
bool redislock_hold_is_as_new(const redislock_hold *hold);

/* Was it acquired in another process, of which this one is a forked copy? Then nothing here may touch the server. */
bool redislock_hold_is_foreign(const redislock_hold *hold);

/* Held and valid, by our own clock. */
bool redislock_hold_is_held(redislock_hold *hold);
int64_t redislock_hold_remaining_ms(redislock_hold *hold);

/* A process-bound lock was lost, as is known here. What may be left of it is for the renewal child to release at once,
 * behind that what only the connections of this process can undo; with a token of the caller's, when the holder lets go. */
ZEND_COLD void redislock_hold_lose(redislock_hold *hold, rlk_lost_reason reason);

/* Has a process-bound lock been lost? Remembers it in the hold. RLK_LOST_NOT while all is well or nothing is held. */
rlk_lost_reason redislock_hold_check_lost(redislock_hold *hold);

/* Keeps the lists of RLG() in step with the hold's state. */
void redislock_hold_list(redislock_hold *hold);
void redislock_hold_unlist(redislock_hold *hold);

#endif
