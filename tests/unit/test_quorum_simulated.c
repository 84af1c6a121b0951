/*
 * rlk_quorum in a world made of chance: servers that stop, forget and come back, messages that are late or lost,
 * clients that freeze, clocks of different speed. Whatever happens, no two clients believe at the same time that they
 * have the lock; and where no message was lost, no key is left behind.
 *
 *     test_quorum_simulated [SCHEDULES [SEED]]
 *
 * Each schedule has a seed of its own, printed when it fails: SCHEDULES 1 and that SEED play it again. With a third
 * argument a rule is broken, which has to be found: half (n/2 servers are enough), clock (validity counts from the
 * answer), drift (nothing is taken off), token (one for all attempts), forget (a server comes back without its keys at
 * once), leave (nothing is released behind what was not answered), early (not even while the lock is held is such a
 * release kept back).
 *
 * The clients here ask as rlk_nodes.c does: what is given up is followed by its release on the same connection, and the
 * next connection is another one, whose messages may overtake.
 */
#include "core/rlk_quorum.h"

#include "base/rlk_clock.h"
#include "unit.h"

#include <stdlib.h>
#include <time.h>

#define CLIENTS 3
#define NODES_MAX 5
#define EVENTS_MAX 2048
#define TIMEOUT_MS 10
#define TTL_MAX_MS 120
#define ACTIVE_MS 400 /* no acquisition begins after this */
#define OWED_MAX 16

static const char *broken = "";

static bool breaks(const char *what)
{
	return strcmp(broken, what) == 0;
}

/* --- chance ------------------------------------------------------------------------------------- */

static uint64_t state;

static uint32_t number(uint32_t bound)
{
	state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = state;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ (z >> 31)) % bound);
}

static bool chance(uint32_t percent)
{
	return number(100) < percent;
}

/* --- the world ---------------------------------------------------------------------------------- */

typedef enum { AT_NODE, AT_CLIENT, WAKE, CRASH, RESTART } event_type;
typedef enum { SET, EXTEND, RELEASE } request_kind;

typedef struct {
	int64_t at_ms;
	uint32_t order; /* of two at the same time */
	event_type type;
	int client, node;
	uint32_t life;       /* of the node: its connections end with it */
	uint32_t connection; /* of the client: answers on one given up are not read */
	request_kind kind;
	uint32_t token, round;
	int64_t ttl_ms, sent_at_ms;
	bool done; /* the answer */
} event;

typedef struct {
	bool up, frozen;
	int64_t frozen_until_ms;
	uint32_t life, token;
	int64_t expires_at_ms;
	int rate; /* of its clock, in a thousandth */
} node;

typedef enum { IDLE, TAKING, HOLDING, EXTENDING, PAUSING } client_state;

/* A client's connection to one node. */
typedef struct {
	uint32_t number;                        /* counts the connections */
	int64_t last_arrival_ms, last_reply_ms; /* nothing overtakes on it */
} wire;

typedef struct {
	wire wire, aside;
	int late; /* answers to come that nobody waits for */
	uint32_t owed[OWED_MAX];
	int owed_count;
	uint32_t held, held_aside; /* tokens of a lock that is held, to be released with it; 0: none */
	int64_t back_at_ms;        /* given up: not asked before */
	int64_t until_ms;          /* renewals one by one: it has the lock until then */
} link;

typedef struct {
	client_state state;
	rlk_quorum quorum;
	uint32_t round, token;
	int attempts_left;
	int64_t ttl_ms, valid_until_ms, frozen_until_ms, act_at_ms;
	uint32_t maybe_on;
	bool one_by_one; /* renews each server on its own, as the renewal child does */
	link links[NODES_MAX];
} client;

static event events[EVENTS_MAX];
static int event_count;
static uint32_t next_order, next_token;
static int64_t now_ms;
static node nodes[NODES_MAX];
static client clients[CLIENTS];
static int node_count;
static bool lossy;
static const char *failure;
static unsigned long acquired, extended, lates;

static bool earlier(const event *a, const event *b)
{
	return a->at_ms < b->at_ms || (a->at_ms == b->at_ms && a->order < b->order);
}

/* Keeps its place among those of the same time. */
static void put_back(event e)
{
	int i = event_count;

	if (event_count == EVENTS_MAX) {
		failure = "too many events";
		return;
	}
	event_count++;
	for (; i > 0 && earlier(&e, &events[(i - 1) / 2]); i = (i - 1) / 2)
		events[i] = events[(i - 1) / 2];
	events[i] = e;
}

static void push(event e)
{
	/* Who wakes up reads what has come before he looks at the time. */
	e.order = next_order++ | (e.type == WAKE ? UINT32_C(1) << 31 : 0);
	put_back(e);
}

static event pop(void)
{
	event first = events[0], last = events[--event_count];
	int i = 0;

	for (int child; (child = 2 * i + 1) < event_count; i = child) {
		if (child + 1 < event_count && earlier(&events[child + 1], &events[child]))
			child++;
		if (earlier(&last, &events[child]))
			break;
		events[i] = events[child];
	}
	events[i] = last;
	return first;
}

static int64_t transit_ms(void)
{
	if (chance(4))
		return number(150);
	return chance(20) ? number(15) : number(3);
}

static void wake(int c, int64_t at_ms)
{
	push((event){ .at_ms = at_ms > now_ms ? at_ms : now_ms, .type = WAKE, .client = c });
}

/* --- a client ----------------------------------------------------------------------------------- */

static void send_on(wire *w, int c, int n, request_kind kind, uint32_t token, uint32_t round)
{
	event e = { .type = AT_NODE,
		.client = c,
		.node = n,
		.life = nodes[n].life,
		.connection = w->number,
		.kind = kind,
		.token = token,
		.round = round,
		.ttl_ms = clients[c].ttl_ms,
		.sent_at_ms = now_ms };

	e.at_ms = now_ms + transit_ms();
	if (e.at_ms < w->last_arrival_ms)
		e.at_ms = w->last_arrival_ms;
	w->last_arrival_ms = e.at_ms;
	if (lossy && chance(1))
		return; /* with the connection, as it were: its answer never comes */
	push(e);
}

static void send_to(int c, int n, request_kind kind, uint32_t token, uint32_t round)
{
	send_on(&clients[c].links[n].wire, c, n, kind, token, round);
}

static bool believes(const client *c)
{
	return (c->state == HOLDING || c->state == EXTENDING) && now_ms < c->valid_until_ms;
}

static void check_alone(int c)
{
	for (int i = 0; i < CLIENTS; i++) {
		if (i != c && believes(&clients[i]) && believes(&clients[c]))
			failure = "two clients believe that they have the lock";
	}
}

static void owe(link *l, uint32_t token)
{
	if (l->owed_count < OWED_MAX)
		l->owed[l->owed_count++] = token;
}

/* What was not answered on this connection is followed by its release; the next message goes by another one. */
static void give_up(int c, int n)
{
	link *l = &clients[c].links[n];

	for (int i = 0; i < l->owed_count && !breaks("leave"); i++)
		send_to(c, n, RELEASE, l->owed[i], 0);
	if (l->held != 0) {
		l->aside = l->wire;
		l->held_aside = l->held;
	}
	l->owed_count = 0;
	l->held = 0;
	l->late = 0;
	l->wire = (wire){ l->wire.number + 1, 0, 0 };
	l->back_at_ms = now_ms + 20 + number(60);
}

static void let_go(int c, uint32_t among)
{
	for (int n = 0; n < node_count; n++) {
		if ((among & (UINT32_C(1) << n)) == 0)
			continue;
		if (breaks("leave") && clients[c].quorum.votes[n] != RLK_VOTE_YES)
			continue;
		send_to(c, n, RELEASE, clients[c].token, 0);
	}
}

static void begin_round(int c, rlk_round round, request_kind kind, uint32_t among)
{
	client *me = &clients[c];
	int fit = 0;

	me->round++;
	rlk_quorum_begin(&me->quorum, node_count, round, rlk_quorum_valid_until(now_ms, me->ttl_ms));
	for (int n = 0; n < node_count; n++)
		fit += me->links[n].back_at_ms <= now_ms;
	for (int n = 0; n < node_count; n++) {
		if ((among & (UINT32_C(1) << n)) == 0) {
			rlk_quorum_ask(&me->quorum, n, 0);
			rlk_quorum_answer(&me->quorum, n, RLK_VOTE_NO);
		} else if (me->links[n].back_at_ms <= now_ms || fit < rlk_quorum_needed(node_count)) {
			rlk_quorum_ask(&me->quorum, n, now_ms + TIMEOUT_MS);
			rlk_quorum_sent(&me->quorum, n);
			send_to(c, n, kind, me->token, me->round);
		}
	}
	wake(c, rlk_quorum_next_at(&me->quorum));
}

static void begin_attempt(int c)
{
	if (!breaks("token") || clients[c].token == 0 || clients[c].state == IDLE)
		clients[c].token = ++next_token;
	clients[c].state = TAKING;
	begin_round(c, RLK_ROUND_TAKE, SET, UINT32_MAX);
}

static void leave_rest(int c, bool taken)
{
	client *me = &clients[c];

	for (int n = 0; n < node_count; n++) {
		rlk_vote vote = me->quorum.votes[n];

		if ((me->quorum.sent & (UINT32_C(1) << n)) == 0 || (vote != RLK_VOTE_PENDING && vote != RLK_VOTE_SILENT))
			continue;
		if (taken && !breaks("early"))
			me->links[n].held = me->token;
		else if (me->quorum.round == RLK_ROUND_TAKE)
			owe(&me->links[n], me->token);
		me->links[n].late++;
		if (vote == RLK_VOTE_SILENT)
			give_up(c, n);
	}
}

static void release(int c)
{
	client *me = &clients[c];

	/* Before anything is sent it believes no more. */
	me->state = IDLE;
	for (int n = 0; n < node_count; n++) {
		link *l = &me->links[n];

		if ((me->maybe_on & (UINT32_C(1) << n)) != 0)
			send_to(c, n, RELEASE, me->token, 0);
		if (l->held_aside == me->token && !breaks("leave"))
			send_on(&l->aside, c, n, RELEASE, me->token, 0);
		l->held = l->held_aside = 0;
	}
	me->round++;
	me->act_at_ms = now_ms + number(60);
	wake(c, me->act_at_ms);
}

static void taken(int c)
{
	client *me = &clients[c];

	me->state = HOLDING;
	me->valid_until_ms = me->quorum.valid_until_ms;
	if (breaks("clock"))
		me->valid_until_ms = rlk_quorum_valid_until(now_ms, me->ttl_ms);
	if (breaks("drift"))
		me->valid_until_ms += (me->ttl_ms + 99) / 100 + 2;
	me->maybe_on = 0;
	me->one_by_one = chance(50);
	for (int n = 0; n < node_count; n++) {
		me->maybe_on |= rlk_quorum_may_have(&me->quorum, n) ? UINT32_C(1) << n : 0;
		me->links[n].until_ms = 0;
	}
	me->act_at_ms = now_ms + number(100);
	wake(c, me->act_at_ms);
	acquired++;
	check_alone(c);
}

static void failed(int c)
{
	client *me = &clients[c];
	uint32_t among = 0;

	for (int n = 0; n < node_count; n++)
		among |= rlk_quorum_may_have(&me->quorum, n) ? UINT32_C(1) << n : 0;
	let_go(c, among);
	if (--me->attempts_left > 0) {
		me->state = PAUSING;
		me->act_at_ms = now_ms + rlk_quorum_pause_ms(20, number(1000));
	} else {
		me->state = IDLE;
		me->act_at_ms = now_ms + number(60);
	}
	wake(c, me->act_at_ms);
}

static void judge(int c)
{
	client *me = &clients[c];
	rlk_verdict verdict = rlk_quorum_judge(&me->quorum, breaks("clock") ? now_ms - me->ttl_ms : now_ms);

	if (breaks("half") && verdict == RLK_VERDICT_OPEN && rlk_quorum_votes(&me->quorum, RLK_VOTE_YES) >= node_count / 2)
		verdict = RLK_VERDICT_YES;
	if (verdict == RLK_VERDICT_OPEN) {
		int64_t next_ms = rlk_quorum_next_at(&me->quorum);

		wake(c, next_ms > now_ms ? next_ms : now_ms + 1);
		return;
	}
	leave_rest(c, me->state == TAKING && verdict == RLK_VERDICT_YES);
	lates += verdict == RLK_VERDICT_LATE;
	if (me->state == TAKING) {
		if (verdict == RLK_VERDICT_YES)
			taken(c);
		else
			failed(c);
		return;
	}
	if (verdict == RLK_VERDICT_YES) {
		/* Exactly the new ttl from then on, be it less than there was. */
		me->state = HOLDING;
		me->valid_until_ms = me->quorum.valid_until_ms;
		me->act_at_ms = now_ms + number(100);
		wake(c, me->act_at_ms);
		extended++;
		check_alone(c);
	} else {
		release(c);
	}
}

/* Time has come for something. */
static void act(int c)
{
	client *me = &clients[c];

	if (me->state == TAKING || me->state == EXTENDING) {
		judge(c);
		return;
	}
	if (now_ms < me->act_at_ms)
		return;
	if (me->state == PAUSING) {
		begin_attempt(c);
	} else if (me->state == IDLE && now_ms < ACTIVE_MS) {
		me->ttl_ms = 20 + number(TTL_MAX_MS - 20);
		me->attempts_left = 1 + (int)number(3);
		begin_attempt(c);
	} else if (me->state == HOLDING) {
		if (now_ms >= ACTIVE_MS || chance(50) || now_ms >= me->valid_until_ms) {
			release(c);
		} else if (me->one_by_one) {
			for (int n = 0; n < node_count; n++)
				send_to(c, n, EXTEND, me->token, 0);
			me->act_at_ms = now_ms + 5 + number(50);
			wake(c, me->act_at_ms);
		} else {
			me->state = EXTENDING;
			begin_round(c, RLK_ROUND_KEEP, EXTEND, me->maybe_on);
		}
	}
}

static void take_reply(const event *e)
{
	client *me = &clients[e->client];
	link *l = &me->links[e->node];

	if (e->connection != l->wire.number)
		return;
	if (e->round == 0 && e->kind == EXTEND && me->one_by_one && me->state == HOLDING && e->token == me->token) {
		int64_t until_ms[NODES_MAX], majority_ms;

		l->until_ms = e->done ? rlk_quorum_valid_until(e->sent_at_ms, e->ttl_ms) : 0;
		for (int n = 0; n < node_count; n++)
			until_ms[n] = me->links[n].until_ms;
		majority_ms = rlk_quorum_majority_until(until_ms, node_count, node_count);
		if (now_ms < me->valid_until_ms && majority_ms > me->valid_until_ms) {
			me->valid_until_ms = majority_ms;
			extended++;
			check_alone(e->client);
		}
		return;
	}
	if (e->round == 0)
		return;
	if (e->round != me->round || (me->state != TAKING && me->state != EXTENDING)) {
		if (l->late > 0 && --l->late == 0) {
			l->owed_count = 0;
			l->held = 0;
		}
		return;
	}
	if (me->quorum.votes[e->node] == RLK_VOTE_PENDING) {
		rlk_quorum_answer(&me->quorum, e->node, e->done ? RLK_VOTE_YES : RLK_VOTE_NO);
		judge(e->client);
	}
}

/* --- a server ----------------------------------------------------------------------------------- */

static void serve(event *e)
{
	node *n = &nodes[e->node];
	wire *w = &clients[e->client].links[e->node].wire;

	if (!n->up || e->life != n->life)
		return;
	if (n->token != 0 && now_ms >= n->expires_at_ms)
		n->token = 0;
	if (e->kind == SET) {
		e->done = n->token == 0;
		if (e->done)
			n->token = e->token;
	} else {
		e->done = n->token == e->token;
	}
	/* Its clock is up to 0.9 % off, and rounds as it likes. */
	if (e->done && e->kind != RELEASE)
		n->expires_at_ms = now_ms + e->ttl_ms * n->rate / 1000 - number(2);
	else if (e->done)
		n->token = 0;
	e->type = AT_CLIENT;
	e->at_ms = now_ms + transit_ms();
	if (e->connection == w->number) {
		if (e->at_ms < w->last_reply_ms)
			e->at_ms = w->last_reply_ms;
		w->last_reply_ms = e->at_ms;
	}
	if (!lossy || !chance(1))
		push(*e);
}

static void crash(int n)
{
	/* Back when all it may have promised is over: that is the condition the algorithm has without persistence. */
	int64_t away_ms = breaks("forget") ? 1 : TTL_MAX_MS * 1.02 + 5;

	nodes[n].up = false;
	nodes[n].token = 0;
	nodes[n].life++;
	push((event){ .at_ms = now_ms + away_ms + number(40), .type = RESTART, .node = n });
}

static void handle(event e)
{
	if (e.type == CRASH) {
		crash(e.node);
	} else if (e.type == RESTART) {
		nodes[e.node].up = true;
	} else if (e.type == AT_NODE) {
		if (now_ms < nodes[e.node].frozen_until_ms) {
			e.at_ms = nodes[e.node].frozen_until_ms;
			put_back(e);
			return;
		}
		if (chance(1))
			nodes[e.node].frozen_until_ms = now_ms + number(100);
		serve(&e);
	} else {
		client *me = &clients[e.client];

		if (now_ms < me->frozen_until_ms) {
			e.at_ms = me->frozen_until_ms;
			put_back(e);
			return;
		}
		if (chance(1))
			me->frozen_until_ms = now_ms + 1 + number(150);
		else if (e.type == WAKE)
			act(e.client);
		else
			take_reply(&e);
		if (now_ms < me->frozen_until_ms) {
			e.at_ms = me->frozen_until_ms;
			put_back(e);
		}
	}
}

/* Keys nobody holds once all messages have arrived. Late ones may outlive the ttl, so any key counts. */
static void check_nothing_left(void)
{
	for (int n = 0; n < node_count && failure == NULL; n++) {
		if (nodes[n].token != 0)
			failure = "a key was left behind";
	}
}

static void play(uint64_t seed)
{
	static const int counts[] = { 1, 2, 3, 3, 4, 5, 5, 5 };

	state = seed;
	memset(nodes, 0, sizeof(nodes));
	memset(clients, 0, sizeof(clients));
	event_count = 0;
	next_order = next_token = 0;
	now_ms = 0;
	failure = NULL;
	node_count = counts[number(8)];
	lossy = chance(60);
	for (int n = 0; n < node_count; n++) {
		nodes[n].up = true;
		nodes[n].rate = 991 + (int)number(19);
		if (lossy && chance(40))
			push((event){ .at_ms = number(ACTIVE_MS), .type = CRASH, .node = n });
	}
	for (int c = 0; c < CLIENTS; c++)
		wake(c, number(30));
	while (event_count > 0 && failure == NULL) {
		event e = pop();

		now_ms = e.at_ms;
		handle(e);
	}
	if (!lossy)
		check_nothing_left();
}

static uint64_t schedules = 20000, first_seed;

static void nobody_shares_the_lock_and_nothing_stays(void)
{
	for (uint64_t i = 0; i < schedules; i++) {
		play(first_seed + i);
		if (failure != NULL)
			printf("# seed %" PRIu64 ", %d servers, at %" PRId64 " ms: %s\n", first_seed + i, node_count, now_ms,
				failure);
		CHECK(failure == NULL);
	}
	/* Or else nothing was shown. */
	CHECK(schedules < 1000 || (acquired > schedules && extended > schedules / 4 && lates > 0));
}

int main(int argc, char **argv)
{
	if (argc > 1)
		schedules = strtoull(argv[1], NULL, 10);
	first_seed = (uint64_t)time(NULL) * 1000003;
	if (argc > 2)
		first_seed = strtoull(argv[2], NULL, 10);
	if (argc > 3)
		broken = argv[3];
	printf("# %" PRIu64 " schedules from seed %" PRIu64 "\n", schedules, first_seed);
	RUN(nobody_shares_the_lock_and_nothing_stays);
	printf("# %lu acquired, %lu extended, %lu too late\n", acquired, extended, lates);
	return unit_done();
}
