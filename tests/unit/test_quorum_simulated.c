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
 */
/* unit: add tests/unit/simulated_events.c */
/* unit: add tests/unit/simulated_client.c */
/* unit: add tests/unit/simulated_node.c */
#include "simulated.h"
#include "unit.h"

#include <stdlib.h>
#include <time.h>

const char *broken = "";

static void handle(sim_event e)
{
	if (e.type == CRASH) {
		sim_node_crash(e.node);
	} else if (e.type == RESTART) {
		world.nodes[e.node].up = true;
	} else if (e.type == AT_NODE) {
		if (world.now_ms < world.nodes[e.node].frozen_until_ms) {
			e.at_ms = world.nodes[e.node].frozen_until_ms;
			sim_put_back(e);
			return;
		}
		if (sim_chance(1))
			world.nodes[e.node].frozen_until_ms = world.now_ms + sim_number(100);
		sim_node_serve(&e);
	} else {
		sim_client *me = &world.clients[e.client];

		if (world.now_ms < me->frozen_until_ms) {
			e.at_ms = me->frozen_until_ms;
			sim_put_back(e);
			return;
		}
		if (sim_chance(1))
			me->frozen_until_ms = world.now_ms + 1 + sim_number(150);
		else if (e.type == WAKE)
			sim_client_act(e.client);
		else
			sim_client_take_reply(&e);
		if (world.now_ms < me->frozen_until_ms) {
			e.at_ms = me->frozen_until_ms;
			sim_put_back(e);
		}
	}
}

/* Keys nobody holds once all messages have arrived. Late ones may outlive the ttl, so any key counts. */
static void check_nothing_left(void)
{
	for (int n = 0; n < world.node_count && world.failure == NULL; n++) {
		if (world.nodes[n].token != 0)
			world.failure = "a key was left behind";
	}
}

static void play(uint64_t seed)
{
	static const int counts[] = { 1, 2, 3, 3, 4, 5, 5, 5 };
	sim_event e;

	sim_begin(seed);
	world.node_count = counts[sim_number(8)];
	world.lossy = sim_chance(60);
	for (int n = 0; n < world.node_count; n++) {
		world.nodes[n].up = true;
		world.nodes[n].rate = 991 + (int)sim_number(19);
		if (world.lossy && sim_chance(40))
			sim_push((sim_event){ .at_ms = sim_number(ACTIVE_MS), .type = CRASH, .node = n });
	}
	for (int c = 0; c < CLIENTS; c++)
		sim_wake(c, sim_number(30));
	while (world.failure == NULL && sim_pop(&e)) {
		world.now_ms = e.at_ms;
		handle(e);
	}
	if (!world.lossy)
		check_nothing_left();
}

static uint64_t schedules = 20000, first_seed;

static void nobody_shares_the_lock_and_nothing_stays(void)
{
	for (uint64_t i = 0; i < schedules; i++) {
		play(first_seed + i);
		if (world.failure != NULL)
			printf("# seed %" PRIu64 ", %d servers, at %" PRId64 " ms: %s\n", first_seed + i, world.node_count,
				world.now_ms, world.failure);
		CHECK(world.failure == NULL);
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
