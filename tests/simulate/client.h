/*
 * client: a process that locks, the host of its holds as src/php is of PHP's. Seen by the checks.
 */
#ifndef SIM_CLIENT_H
#define SIM_CLIENT_H

#include "sim.h"

#include "hold/rlk_hold.h"
#include "net/rlk_pool.h"

#define SIM_HOLDS_MAX 4 /* world.holds are there */
#define SIM_FIBERS_MAX 4

typedef struct sim_client sim_client;
typedef struct sim_hold sim_hold;

typedef struct sim_fiber sim_fiber;
struct sim_fiber {
	sim_client *client;
	void (*body)(sim_fiber *fiber);
	ucontext_t context;
	bool done, destroyed;
	rlk_socket_watched *watched; /* what it waits for in the loop, */
	int count;
	int64_t until_us; /* and until when */
};

struct sim_hold {
	rlk_hold life; /* first, see sim_hold_of() */
	sim_client *client;
	int name;
	rlk_kind kind; /* as asked for; a plain lock may be shared by now */
	bool alone;    /* one who shares it is its writer now */
	bool fence, given;
	bool shortens, releases; /* until that is answered, nobody is there to believe anything */
	bool tried;              /* the acquisition under way has had a token */
	bool spent;              /* a given one that is spent and not to be used yet, or there may be no upgrade */
	int64_t spent_until_ms;  /* as it was then */
	int64_t ttl_ms;
	int64_t began_us;                       /* the last acquisition */
	int64_t lasted_ms;                      /* the ttl before the extension under way; 0: there is none */
	uint32_t epoch;                         /* of the validity, before that began */
	int64_t known_ms;                       /* the validity when that began; 0: it has not */
	int64_t renewed_ms;                     /* the longest since, the child's; before that, the one that there is */
	int64_t waits_since_us, waits_until_us; /* WAITING with a time to wait; 0: not */
	bool blocked;                           /* in this wait it has been in the queue */
	int closed;                 /* how often an operator has closed a connection of its process, in this wait */
	bool closed_late;           /* once when it had the lock, and waited for its replicas */
	int64_t closed_us;          /* the last time */
	char given_token[32];       /* with world.shares the same as of others */
	int interrupts_in_thousand; /* each time it asks whether a handler is to run */
	bool interrupted;
};

struct sim_client {
	sim_process *process;
	int number;
	rlk_server servers[SIM_SERVERS_MAX];
	rlk_conn conn;
	rlk_topologies topologies;
	rlk_topology_user user;
	rlk_whereabouts at;
	rlk_host host;
	rlk_pool pool;
	rlk_drain_list drain;
	rlk_renewal renewal;
	rlk_renewal_server known_servers[SIM_SERVERS_MAX];
	sim_hold holds[SIM_HOLDS_MAX];
	bool persistent, web, ends, done;
	sim_fiber fibers[SIM_FIBERS_MAX], *fiber; /* and the one that runs; NULL: the loop, or there are none */
	ucontext_t loop;
	bool held_up;                         /* a destroyed fiber keeps the others from going on, */
	int64_t held_up_since_us, held_up_us; /* since then, and when it last did so for long */
	int64_t left_us;                      /* when a wait last ended without the lock, */
	int left_name;                        /* and of which */
};

extern sim_client sim_clients[SIM_CLIENTS_MAX];
extern int sim_client_count;

/* --- client.c: what the methods do ------------------------------------------------------------------ */

void sim_dispatch(sim_client *client);
void sim_pass_time(sim_client *client, int64_t ms);

/* Each does nothing if another fiber uses the hold. */
void sim_acquire(sim_hold *hold, int64_t wait_ms);
void sim_extend(sim_hold *hold, int64_t ttl_ms);
void sim_confirm(sim_hold *hold);
void sim_release(sim_hold *hold, rlk_ending ending);
void sim_force(sim_hold *hold);
void sim_upgrade(sim_hold *hold);
void sim_downgrade(sim_hold *hold);
extern const rlk_host_calls sim_host_calls;

static inline sim_hold *sim_hold_of(rlk_hold *life)
{
	return (sim_hold *)life;
}

/* It is bound to its process. */
static inline rlk_slot *sim_slot_of(const sim_hold *hold)
{
	return &hold->client->renewal.slots.area->slots[hold->life.slot];
}

/* --- fibers.c --------------------------------------------------------------------------------------- */

/* rlk_hooks.suspend */
int sim_fiber_suspend(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms);

/* Runs world.fibers of them until they are done, or the process ends before. */
void sim_fibers_run(sim_client *client, void (*body)(sim_fiber *fiber), void (*notified)(sim_client *client));
/* false: there is no fiber to sleep. It may be destroyed meanwhile. */
bool sim_fiber_sleep(sim_client *client, int64_t until_us);
bool sim_fiber_is_destroyed(const sim_client *client);

/* Does it believe to have the lock? By its own clock. */
bool sim_hold_is_valid(const sim_hold *hold);
int64_t sim_hold_valid_until_ms(const sim_hold *hold);

/* --- checks.c: what a client has been told -------------------------------------------------------- */

void sim_note_acquired(const sim_hold *hold);
/* The acquisition goes on with another token. */
void sim_note_tried(const sim_hold *hold);
void sim_note_refused(const sim_hold *hold, rlk_outcome outcome, const rlk_error *why);

/* Its process ends or is killed amid its wait: what it has to pass on goes with its connection, and if it is at the turnstile,
 * that is free at the end of its ttl only. */
void sim_note_vanished(const sim_hold *hold);
/* The child, or an answer, says that it is not ours any more. */
void sim_note_lost(const sim_hold *hold, rlk_lost_reason reason);
void sim_note_extended(const sim_hold *hold);
/* What was asked has been answered. If the lock was over by then, another may have it by the same given token. */
void sim_note_asked_with(const sim_hold *hold, rlk_str token, bool valid);
/* Freed: the server has confirmed that. `valid`: it was believed to be ours when the answer came. */
void sim_note_released(const sim_hold *hold, rlk_str token, rlk_outcome outcome, bool valid);
/* An operation begins. */
void sim_note_used(const sim_client *client);
void sim_note_upgraded(const sim_hold *hold, rlk_outcome outcome);
void sim_note_forced(int name);
void sim_note_slots(const sim_client *client);

/* --- losses.c: what no client can know ------------------------------------------------------------ */

void sim_losses_begin(void);
/* From now on it is not what it was said to be. */
void sim_betray(rlk_str token);
bool sim_is_betrayed(rlk_str token);
/* Until when so many replicas have had it: SIM_NEVER if that is not known. */
int64_t sim_replicated_us(rlk_str token, int min);
/* Another server has the lock of this name, with this token. */
void sim_note_owner(int name, rlk_str token);

#endif
