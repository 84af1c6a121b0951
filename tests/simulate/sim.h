/*
 * sim: a world in one thread: client processes with their renewal children, servers, a network, and virtual time. All
 * chance comes from one seed, so the same seed is the same history.
 *
 * The client is the code that ships. Only the layer below it is replaced: sockets, clocks, random source, process ids,
 * and the copying of processes. A call that blocks lets the world go on; a process is a coroutine.
 */
#ifndef SIM_H
#define SIM_H

#include "base/rlk_str.h"
#include "lock/rlk_kind.h"
#include "renew/rlk_area.h"

#include <setjmp.h>
#include <stdint.h>
#include <ucontext.h>

#define SIM_NEVER INT64_MAX
#define SIM_SERVERS_MAX 5
#define SIM_NAMES 2
#define SIM_CLIENTS_MAX 5
#define SIM_REPLICAS_MAX 3
#define SIM_MS 1000 /* the world counts microseconds */

typedef struct sim_process sim_process;
typedef struct sim_server sim_server;
typedef struct sim_conn sim_conn;

struct sim_process {
	char name[8];
	long pid;
	void (*body)(sim_process *process);
	void *arg;
	bool running, waiting;
	bool notified; /* a signal of its child, or its death, is pending */
	bool vanished; /* the machine dies, too: nobody hears of it */
	uint64_t waits;
	int64_t frozen_until_us, ended_at_us;
	uint64_t steps, dies_at_step; /* 0: it does not */
	int64_t clock_offset_ms;
	int clock_ppm;
	sim_process *parent, *child; /* of a renewal child, and the last one of a process */
	uint64_t spread;             /* what rlk_random_spread() goes on from */
	struct sim_block *memory;    /* what it has from malloc() */
	ucontext_t context;          /* the function where it begins; after that it goes on where it stopped */
	bool begun;
	jmp_buf stopped;
	char *stack;
};

/* What may happen in this world. All false: it is calm, and bounds hold. */
typedef struct {
	bool slow; /* some packets take long */
	int slow_in_thousand, slow_ms;
	bool breaks;   /* connections break, servers restart */
	bool freezes;  /* processes stop for a while */
	bool stalls;   /* servers do */
	bool deaths;   /* processes are killed */
	bool force;    /* locks are released by force */
	bool foreign;  /* a foreign client locks, too, and wakes nobody */
	bool closes;   /* an operator closes connections of waiters */
	bool deletes;  /* an operator deletes keys */
	bool bailouts; /* processes end while fibers of theirs still wait */
} sim_troubles;

typedef struct {
	uint64_t seed;
	int64_t now_us;
	sim_troubles troubles;
	sim_process *current; /* NULL: the world itself */
	sim_process *processes[64];
	int process_count;
	sim_server *servers[SIM_SERVERS_MAX];
	int server_count;
	enum { SIM_ALONE, SIM_SENTINEL, SIM_CLUSTER } topology; /* ALONE: one, or the several of a quorum */
	sim_server *owner[SIM_NAMES];                           /* who has the lock of this name */
	int64_t latency_us;
	bool races;                /* a process and its child may stop between two accesses to what they share */
	bool crowd;                /* all wait for one lock, which often rests after its release */
	bool brisk;                /* a crowd that holds it for a moment, again and again; some may not use BLPOP */
	bool checks;               /* all servers let waiters check */
	bool to_the_end;           /* locks that are not renewed are released about when their ttl is over */
	int64_t behind_us;         /* requests behind a wait are served later by at most this */
	rlk_kind kind;             /* of the locks of the first name; plain: of all locks */
	int fibers;                /* fibers of each process, which use the same objects; 0: none */
	int destroyed_in_thousand; /* at each look of the loop */
	int holds;                 /* lock objects of each process */
	int given_in_thousand;     /* leases with a caller's token */
	int changes_in_thousand;   /* readers that become writers, and writers that become readers */
	int fails_in_thousand;     /* whenever a topology may change */
	int keeps_in_thousand;     /* locks that are not released at once */
	int confirms_in_thousand;
	bool closes_again;      /* an operator closes a process's connections again and again */
	int breaks_in_thousand; /* connections that break at about the time when a SET is answered */
	bool shares;            /* all callers' tokens for a lock are one token, as of a job that runs twice */
	bool replicated;        /* some locks have min_replicas; each master has this many: */
	int replica_count;
	bool lags;           /* requests to replicas may take long */
	bool ending;         /* no more trouble */
	const char *failure; /* the failure that was found; else NULL */
} sim_world;

extern sim_world world;
extern bool sim_verbose;

/* Are all servers there, and all answers and processes quick? */
static inline bool sim_is_calm(void)
{
	const sim_troubles *t = &world.troubles;

	return !t->slow && !t->breaks && !t->freezes && !t->stalls;
}

static inline bool sim_is_quorum(void)
{
	return world.topology == SIM_ALONE && world.server_count > 1;
}

/* --- themes.c: what a world is like --------------------------------------------------------------- */

/* The seed of a history of the standing list: without a theme, and with one, by turns. */
uint64_t sim_seed_of(uint64_t number);
void sim_choose_world(void);

/* --- world.c: chance, time, coroutines ------------------------------------------------------------ */

uint64_t sim_random(void);
int64_t sim_number(int64_t bound); /* 0 to below it */
bool sim_chance(int in_thousand);

/* Memory until the end of this world, zeroed. */
void *sim_alloc(size_t size);
rlk_str sim_keep(rlk_str s);

typedef void sim_happens(void *arg, uint64_t number);
void sim_at(int64_t at_us, sim_happens *what, void *arg, uint64_t number);

void sim_begin(uint64_t seed);
/* Runs the world until the point in time, or until nothing happens any more. */
void sim_run(int64_t until_us);

sim_process *sim_process_new(const char *name, void (*body)(sim_process *process), void *arg, int64_t starts_at_us);
/* Ends a process, its memory and descriptors. If it is the current one, this does not return. */
void sim_kill(sim_process *process, const char *how);

/* Waits for an event of this process, or until the point in time. */
void sim_wait(int64_t until_us);
void sim_wake(sim_process *process);
/* Lets a moment of the world pass, in which the process may be stopped or killed. */
void sim_step(void);

int64_t sim_clock_ms(const sim_process *process);
int64_t sim_us_of(const sim_process *process, int64_t at_ms);

void sim_say(const char *who, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- process.c: what a process has of its system -------------------------------------------------- */

void sim_process_clean(sim_process *process);
/* Ends this world, and fails if anything is left. */
void sim_process_check(const sim_process *process);
void sim_memory_reset(void);

/* --- network.c ------------------------------------------------------------------------------------ */

void sim_network_begin(void);
void sim_network_close_all(sim_process *process);
int sim_network_open(const sim_process *process);
int sim_network_open_at(const sim_server *server);
/* Has one of these events come? Also true if the descriptor is closed by now. */
bool sim_socket_is_ready(int fd, int events);
/* A pair of ends of a pipe for single bytes. */
void sim_pair(int fds[2], sim_process *first, sim_process *second);
void sim_tell(int fd, char message);
long sim_read_message(int fd, char *message);
/* Causes trouble with some connection, or with all connections of a server. */
void sim_network_trouble(void);
void sim_network_drop(sim_server *server);
/* Breaks a connection at about the time when the last answer arrives. */
void sim_network_break_soon(sim_conn *conn);
/* Makes a server close a connection of this process, if it has one. */
void sim_network_close_one(const sim_process *process);
/* For a server: sends, and then closes. */
void sim_reply(sim_conn *conn, const char *data, size_t len);
void sim_hang_up(sim_conn *conn);
int sim_conn_number(const sim_conn *conn);

/* --- server.c ------------------------------------------------------------------------------------- */

typedef struct sim_member {
	rlk_str name;
	int64_t score;
} sim_member;

typedef struct sim_key sim_key;
struct sim_key {
	sim_key *next;
	rlk_str name;
	bool is_list;
	rlk_str value, items[8];
	int count;
	bool is_set;                /* sorted, by score: */
	struct sim_member *members; /* replaced at each change, since replicas share them */
	int member_count;
	int64_t expires_at_ms; /* 0: never */
};

struct sim_server {
	int number;
	int clock_ppm;
	enum { SIM_OLD, SIM_REDIS, SIM_VALKEY } kind; /* its compare commands: none, DELEX, DELIFEQ */
	bool blocks;                                  /* it has BLPOP */
	bool tracks;                                  /* it has RESP3 and client tracking */
	bool allows_checks;                           /* else waiters may not check, and only learn what wakes them */
	int64_t down_until_us, stalled_until_us;
	sim_key *keys;
	struct sim_session *sessions;
	uint64_t queue;  /* numbers those who wait */
	uint32_t cached; /* the scripts that it knows, a bit each */
	bool pushed;     /* a list has become longer */

	/* Of a topology. */
	bool is_sentinel;
	sim_server *master; /* whose replica it is, or whom, a sentinel, it names; NULL: a master */
	uint64_t reign;     /* counts when that changes: what is still to arrive does not */
	int64_t replicated_us;
	sim_server *shadows[SIM_REPLICAS_MAX]; /* replicas that never take over, of a server that stands alone */
	uint64_t offset;                       /* counts what a master has executed */
	uint64_t received, acknowledged;       /* by a replica; the master knows of the latter */
	bool superseded;                       /* another one has taken over, and it does not know yet */
	bool fails;                            /* it believes that the Cluster does */
	sim_server *owner[SIM_NAMES];          /* as it believes */
	sim_server *migrating[SIM_NAMES];
	bool importing[SIM_NAMES];
};

typedef enum { SIM_NIL, SIM_STATUS, SIM_ERROR, SIM_INTEGER, SIM_BULK, SIM_ARRAY } sim_reply_type;

typedef struct sim_answer {
	sim_reply_type type;
	int64_t integer;
	rlk_str text;
	struct sim_answer *items;
	int count;
} sim_answer;

sim_server *sim_server_new(int number);
void sim_server_accept(sim_server *server, sim_conn *conn);
void sim_server_receive(sim_server *server, sim_conn *conn, const char *data, size_t len);
void sim_server_gone(sim_server *server, sim_conn *conn);
void sim_server_restart(sim_server *server);
/* A client that is not ours. */
void sim_server_foreign(sim_server *server, int name);
/* An operator deletes a lock, or what says that somebody waits. */
void sim_server_delete(sim_server *server, int name, bool waiters);

/* A replica has acknowledged something: who waits for that goes on. */
void sim_server_acknowledged(sim_server *master);

/* The request that is executed reads a key; a key is changed, or is no more. */
void sim_server_read(sim_server *server, rlk_str key);
void sim_server_changed(sim_server *server, rlk_str key);

/* Ends the waits for keys of this name (-1: any) with an error. */
void sim_server_unblock(sim_server *server, int name, const char *text);

/* --- commands.c ----------------------------------------------------------------------------------- */

int64_t sim_server_ms(const sim_server *server);
/* When it is so late there. 0: never was. */
int64_t sim_us_at(const sim_server *server, int64_t ms);
sim_key *sim_server_find(sim_server *server, rlk_str name);
/* The lock of this name, expired or not. NULL: none. */
const sim_key *sim_server_peek(const sim_server *server, int name);
/* Who is at its turnstile: their token. Empty: nobody. */
rlk_str sim_server_turn(const sim_server *server, int name);
/* How many members of a set have time left; 1 for a string that has. */
int sim_server_members(const sim_server *server, const sim_key *key);
/* Is the token the value of the key, or a member of the set? */
bool sim_key_has(const sim_key *key, rlk_str token);
/* Until when that is. 0: it is not; SIM_NEVER: without end. */
int64_t sim_key_until_ms(const sim_key *key, rlk_str token);
/* How many tokens it has, and one of them. */
int sim_key_holders(const sim_key *key);
rlk_str sim_key_holder(const sim_key *key, int number);
/* What has come with its time to live from another server is looked after from now on. */
void sim_server_watch_expiry(sim_server *server);
/* Takes the first item off a list. */
rlk_str sim_server_pop(sim_server *server, sim_key *list);
bool sim_is(rlk_str word, const char *command);
extern const char sim_wrong_type[];
sim_answer sim_answer_make(sim_reply_type type, const char *text, int64_t integer);
/* Executes one command that does not block. */
sim_answer sim_execute(sim_server *server, const rlk_str *argv, int argc);

/* --- topology.c ----------------------------------------------------------------------------------- */

void sim_topology_begin(void);
void sim_topology_trouble(void);
/* Is a server changing its role, or has somebody not heard of it yet? */
bool sim_topology_is_moving(void);
/* Has a server taken over from another one, so long ago at most? */
bool sim_topology_has_changed(int64_t within_ms);
sim_server *sim_owner(int name);
/* A master has changed. */
void sim_replicate(sim_server *master);
/* The replicas that this master has now. Returns how many. */
int sim_replicas_of(const sim_server *master, sim_server *replicas[SIM_REPLICAS_MAX]);
/* Replicas that have acknowledged everything up to there. */
int sim_acknowledged(const sim_server *master, uint64_t offset);
/* Is it for another one to answer? */
bool sim_refuses(sim_server *server, bool asking, const rlk_str *argv, int argc, sim_answer *a);
sim_answer sim_ask_sentinel(const sim_server *sentinel);

/* --- scripts.c ------------------------------------------------------------------------------------ */

sim_answer sim_eval(sim_server *server, const rlk_str *argv, int argc);

/* --- lives.c: what processes do ------------------------------------------------------------------- */

void sim_clients_begin(void);
/* Everybody who has something to do is done. */
bool sim_clients_are_done(void);
/* A connection of one of those who wait is closed by its server. */
void sim_clients_close(void);

/* --- checks.c ------------------------------------------------------------------------------------- */

void sim_checks_begin(void);
/* After every step. */
void sim_check(void);
void sim_check_end(void);

/* A process was killed, and its child, if it has one, is to see to its locks. */
void sim_note_killed(const sim_process *process);

/* A server's lock key has this value now; empty: none. `expired`: its ttl was over. */
void sim_note_key(const sim_server *server, rlk_str key, rlk_str token, bool expired);
/* A SET NX of a token: behind a BLPOP, which has popped something if it was woken, at woken_us then; or alone. */
void sim_note_set(rlk_str key, rlk_str token, bool behind, int64_t woken_us, bool done);
/* A release has found no key, and woken somebody all the same. */
void sim_note_woken_in_vain(rlk_str key);
/* A holder of a set has left, or shares it from now on. */
void sim_note_left(rlk_str key);
/* The slot of this name begins to be moved. */
void sim_note_moved(int name);
void sim_note_closed(const sim_process *process);
/* An operator deletes the lock of this name, or its waiters key. */
void sim_note_deleted(int name);
/* Who was woken has gone before it could wake the next one. */
void sim_note_wake_lost(void);
/* A request is about to be executed. What is said to a master whose place another one has taken is lost. */
void sim_note_asked(const sim_server *server, const rlk_str *argv, int argc);
/* A replica has what its master had a moment ago. */
void sim_note_replicated(const sim_server *master, const sim_server *replica);
/* Another server has the lock now, with what has reached it. */
void sim_note_promoted(int name, sim_server *old, sim_server *heir);

#endif
