/*
 * simulated_events: chance, and what happens when.
 */
#include "simulated.h"

#define EVENTS_MAX 2048

sim_world world;

static uint64_t state;
static sim_event events[EVENTS_MAX]; /* a heap */
static int queued;
static uint32_t next_order;

void sim_begin(uint64_t seed)
{
	memset(&world, 0, sizeof(world));
	state = seed;
	queued = 0;
	next_order = 0;
}

uint32_t sim_number(uint32_t bound)
{
	state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = state;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ (z >> 31)) % bound);
}

bool sim_chance(uint32_t percent)
{
	return sim_number(100) < percent;
}

static bool earlier(const sim_event *a, const sim_event *b)
{
	return a->at_ms < b->at_ms || (a->at_ms == b->at_ms && a->order < b->order);
}

/* Keeps its place among those of the same time. */
void sim_put_back(sim_event e)
{
	int i = queued;

	if (queued == EVENTS_MAX) {
		world.failure = "too many events";
		return;
	}
	queued++;
	for (; i > 0 && earlier(&e, &events[(i - 1) / 2]); i = (i - 1) / 2)
		events[i] = events[(i - 1) / 2];
	events[i] = e;
}

void sim_push(sim_event e)
{
	/* Who wakes up reads what has come before he looks at the time. */
	e.order = next_order++ | (e.type == WAKE ? UINT32_C(1) << 31 : 0);
	sim_put_back(e);
}

bool sim_pop(sim_event *e)
{
	sim_event last;
	int i = 0;

	if (queued == 0)
		return false;
	*e = events[0];
	last = events[--queued];
	for (int child; (child = 2 * i + 1) < queued; i = child) {
		if (child + 1 < queued && earlier(&events[child + 1], &events[child]))
			child++;
		if (earlier(&last, &events[child]))
			break;
		events[i] = events[child];
	}
	events[i] = last;
	return true;
}

int64_t sim_transit_ms(void)
{
	if (sim_chance(4))
		return sim_number(150);
	return sim_chance(20) ? sim_number(15) : sim_number(3);
}

void sim_wake(int c, int64_t at_ms)
{
	sim_push((sim_event){ .at_ms = at_ms > world.now_ms ? at_ms : world.now_ms, .type = WAKE, .client = c });
}
