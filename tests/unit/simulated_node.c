/*
 * simulated_node: a server, with a clock of its own.
 */
#include "simulated.h"

void sim_node_serve(sim_event *e)
{
	sim_node *n = &world.nodes[e->node];
	sim_wire *w = &world.clients[e->client].links[e->node].wire;

	if (!n->up || e->life != n->life)
		return;
	if (n->token != 0 && world.now_ms >= n->expires_at_ms)
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
		n->expires_at_ms = world.now_ms + e->ttl_ms * n->rate / 1000 - sim_number(2);
	else if (e->done)
		n->token = 0;
	e->type = AT_CLIENT;
	e->at_ms = world.now_ms + sim_transit_ms();
	if (e->connection == w->number) {
		if (e->at_ms < w->last_reply_ms)
			e->at_ms = w->last_reply_ms;
		w->last_reply_ms = e->at_ms;
	}
	if (!world.lossy || !sim_chance(1))
		sim_push(*e);
}

void sim_node_crash(int n)
{
	/* Back when all it may have promised is over: that is the condition the algorithm has without persistence. */
	int64_t away_ms = sim_breaks("forget") ? 1 : TTL_MAX_MS * 1.02 + 5;

	world.nodes[n].up = false;
	world.nodes[n].token = 0;
	world.nodes[n].life++;
	sim_push((sim_event){ .at_ms = world.now_ms + away_ms + sim_number(40), .type = RESTART, .node = n });
}
