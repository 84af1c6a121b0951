/*
 * simulated_client: takes the lock, extends it and lets it go, by the rules of rlk_quorum.
 *
 * It asks as rlk_nodes.c does: what is given up is followed by its release on the same connection, and the next
 * connection is another one, whose messages may overtake.
 */
#include "simulated.h"

unsigned long acquired, extended, lates;

static void send_on(sim_wire *w, int c, int n, sim_request_kind kind, uint32_t token, uint32_t round)
{
	sim_event e = { .type = AT_NODE,
		.client = c,
		.node = n,
		.life = world.nodes[n].life,
		.connection = w->number,
		.kind = kind,
		.token = token,
		.round = round,
		.ttl_ms = world.clients[c].ttl_ms,
		.sent_at_ms = world.now_ms };

	e.at_ms = world.now_ms + sim_transit_ms();
	if (e.at_ms < w->last_arrival_ms)
		e.at_ms = w->last_arrival_ms;
	w->last_arrival_ms = e.at_ms;
	if (world.lossy && sim_chance(1))
		return; /* with the connection, as it were: its answer never comes */
	sim_push(e);
}

static void send_to(int c, int n, sim_request_kind kind, uint32_t token, uint32_t round)
{
	send_on(&world.clients[c].links[n].wire, c, n, kind, token, round);
}

static bool believes(const sim_client *c)
{
	return (c->state == HOLDING || c->state == EXTENDING) && world.now_ms < c->valid_until_ms;
}

static void check_alone(int c)
{
	for (int i = 0; i < CLIENTS; i++) {
		if (i != c && believes(&world.clients[i]) && believes(&world.clients[c]))
			world.failure = "two clients believe that they have the lock";
	}
}

static void owe(sim_link *l, uint32_t token)
{
	if (l->owed_count < OWED_MAX)
		l->owed[l->owed_count++] = token;
}

/* What was not answered on this connection is followed by its release; the next message goes by another one. */
static void give_up(int c, int n)
{
	sim_link *l = &world.clients[c].links[n];

	for (int i = 0; i < l->owed_count && !sim_breaks("leave"); i++)
		send_to(c, n, RELEASE, l->owed[i], 0);
	if (l->held != 0) {
		l->aside = l->wire;
		l->held_aside = l->held;
	}
	l->owed_count = 0;
	l->held = 0;
	l->late = 0;
	l->wire = (sim_wire){ l->wire.number + 1, 0, 0 };
	l->back_at_ms = world.now_ms + 20 + sim_number(60);
}

static void let_go(int c, uint32_t among)
{
	for (int n = 0; n < world.node_count; n++) {
		if ((among & (UINT32_C(1) << n)) == 0)
			continue;
		if (sim_breaks("leave") && world.clients[c].quorum.votes[n] != RLK_VOTE_YES)
			continue;
		send_to(c, n, RELEASE, world.clients[c].token, 0);
	}
}

static void begin_round(int c, rlk_round round, sim_request_kind kind, uint32_t among)
{
	sim_client *me = &world.clients[c];
	int fit = 0;

	me->round++;
	rlk_quorum_begin(&me->quorum, world.node_count, round, rlk_quorum_valid_until(world.now_ms, me->ttl_ms));
	for (int n = 0; n < world.node_count; n++)
		fit += me->links[n].back_at_ms <= world.now_ms;
	for (int n = 0; n < world.node_count; n++) {
		if ((among & (UINT32_C(1) << n)) == 0) {
			rlk_quorum_ask(&me->quorum, n, 0);
			rlk_quorum_answer(&me->quorum, n, RLK_VOTE_NO);
		} else if (me->links[n].back_at_ms <= world.now_ms || fit < rlk_quorum_needed(world.node_count)) {
			rlk_quorum_ask(&me->quorum, n, world.now_ms + TIMEOUT_MS);
			rlk_quorum_sent(&me->quorum, n);
			send_to(c, n, kind, me->token, me->round);
		}
	}
	sim_wake(c, rlk_quorum_next_at(&me->quorum));
}

static void begin_attempt(int c)
{
	if (!sim_breaks("token") || world.clients[c].token == 0 || world.clients[c].state == IDLE)
		world.clients[c].token = ++world.tokens;
	world.clients[c].state = TAKING;
	begin_round(c, RLK_ROUND_TAKE, SET, UINT32_MAX);
}

static void leave_rest(int c, bool taken)
{
	sim_client *me = &world.clients[c];

	for (int n = 0; n < world.node_count; n++) {
		rlk_vote vote = me->quorum.votes[n];

		if ((me->quorum.sent & (UINT32_C(1) << n)) == 0 || (vote != RLK_VOTE_PENDING && vote != RLK_VOTE_SILENT))
			continue;
		if (taken && !sim_breaks("early"))
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
	sim_client *me = &world.clients[c];

	/* Before anything is sent it believes no more. */
	me->state = IDLE;
	for (int n = 0; n < world.node_count; n++) {
		sim_link *l = &me->links[n];

		if ((me->maybe_on & (UINT32_C(1) << n)) != 0)
			send_to(c, n, RELEASE, me->token, 0);
		if (l->held_aside == me->token && !sim_breaks("leave"))
			send_on(&l->aside, c, n, RELEASE, me->token, 0);
		l->held = l->held_aside = 0;
	}
	me->round++;
	me->act_at_ms = world.now_ms + sim_number(60);
	sim_wake(c, me->act_at_ms);
}

static void taken(int c)
{
	sim_client *me = &world.clients[c];

	me->state = HOLDING;
	me->valid_until_ms = me->quorum.valid_until_ms;
	if (sim_breaks("clock"))
		me->valid_until_ms = rlk_quorum_valid_until(world.now_ms, me->ttl_ms);
	if (sim_breaks("drift"))
		me->valid_until_ms += (me->ttl_ms + 99) / 100 + 2;
	me->maybe_on = 0;
	me->one_by_one = sim_chance(50);
	for (int n = 0; n < world.node_count; n++) {
		me->maybe_on |= rlk_quorum_may_have(&me->quorum, n) ? UINT32_C(1) << n : 0;
		me->links[n].until_ms = 0;
	}
	me->act_at_ms = world.now_ms + sim_number(100);
	sim_wake(c, me->act_at_ms);
	acquired++;
	check_alone(c);
}

static void failed(int c)
{
	sim_client *me = &world.clients[c];
	uint32_t among = 0;

	for (int n = 0; n < world.node_count; n++)
		among |= rlk_quorum_may_have(&me->quorum, n) ? UINT32_C(1) << n : 0;
	let_go(c, among);
	if (--me->attempts_left > 0) {
		me->state = PAUSING;
		me->act_at_ms = world.now_ms + rlk_quorum_pause_ms(20, sim_number(1000));
	} else {
		me->state = IDLE;
		me->act_at_ms = world.now_ms + sim_number(60);
	}
	sim_wake(c, me->act_at_ms);
}

static void judge(int c)
{
	sim_client *me = &world.clients[c];
	rlk_verdict verdict = rlk_quorum_judge(&me->quorum, sim_breaks("clock") ? world.now_ms - me->ttl_ms : world.now_ms);

	if (sim_breaks("half") && verdict == RLK_VERDICT_OPEN &&
		rlk_quorum_votes(&me->quorum, RLK_VOTE_YES) >= world.node_count / 2)
		verdict = RLK_VERDICT_YES;
	if (verdict == RLK_VERDICT_OPEN) {
		int64_t next_ms = rlk_quorum_next_at(&me->quorum);

		sim_wake(c, next_ms > world.now_ms ? next_ms : world.now_ms + 1);
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
		me->act_at_ms = world.now_ms + sim_number(100);
		sim_wake(c, me->act_at_ms);
		extended++;
		check_alone(c);
	} else {
		release(c);
	}
}

void sim_client_act(int c)
{
	sim_client *me = &world.clients[c];

	if (me->state == TAKING || me->state == EXTENDING) {
		judge(c);
		return;
	}
	if (world.now_ms < me->act_at_ms)
		return;
	if (me->state == PAUSING) {
		begin_attempt(c);
	} else if (me->state == IDLE && world.now_ms < ACTIVE_MS) {
		me->ttl_ms = 20 + sim_number(TTL_MAX_MS - 20);
		me->attempts_left = 1 + (int)sim_number(3);
		begin_attempt(c);
	} else if (me->state == HOLDING) {
		if (world.now_ms >= ACTIVE_MS || sim_chance(50) || world.now_ms >= me->valid_until_ms) {
			release(c);
		} else if (me->one_by_one) {
			for (int n = 0; n < world.node_count; n++)
				send_to(c, n, EXTEND, me->token, 0);
			me->act_at_ms = world.now_ms + 5 + sim_number(50);
			sim_wake(c, me->act_at_ms);
		} else {
			me->state = EXTENDING;
			begin_round(c, RLK_ROUND_KEEP, EXTEND, me->maybe_on);
		}
	}
}

void sim_client_take_reply(const sim_event *e)
{
	sim_client *me = &world.clients[e->client];
	sim_link *l = &me->links[e->node];

	if (e->connection != l->wire.number)
		return;
	if (e->round == 0 && e->kind == EXTEND && me->one_by_one && me->state == HOLDING && e->token == me->token) {
		int64_t until_ms[NODES_MAX], majority_ms;

		l->until_ms = e->done ? rlk_quorum_valid_until(e->sent_at_ms, e->ttl_ms) : 0;
		for (int n = 0; n < world.node_count; n++)
			until_ms[n] = me->links[n].until_ms;
		majority_ms = rlk_quorum_majority_until(until_ms, world.node_count, world.node_count);
		if (world.now_ms < me->valid_until_ms && majority_ms > me->valid_until_ms) {
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
