/*
 * themes: what can happen in a world. Most faults show in a few worlds only, which chance seldom makes: so every second
 * history has a theme, which makes them more often.
 */
#include "client.h"

/* The seeds of a theme begin at its number times this. Smaller seeds have no theme. */
#define SEEDS_OF_THEME 1000000000u

/* Less than the time between two checks that find a lock free, of which the second wakes a waiter. */
#define BUSY_US 9000

static void choose_any(void)
{
	sim_troubles *t = &world.troubles;

	world.server_count = sim_chance(650) ? 1 : 2 + (int)sim_number(4);
	world.topology = sim_chance(700) ? SIM_ALONE : sim_chance(500) ? SIM_SENTINEL : SIM_CLUSTER;
	if (world.topology != SIM_ALONE)
		world.server_count = 4;
	world.behind_us = 200;
	world.latency_us = sim_chance(500) ? 100 : sim_chance(800) ? 1000 : 8000;
	world.crowd = sim_chance(120);
	world.brisk = world.crowd && world.topology == SIM_ALONE && world.server_count == 1 && sim_chance(300);
	world.shares = sim_chance(60);
	world.given_in_thousand = 150;
	world.changes_in_thousand = 300;
	world.fails_in_thousand = 60;
	world.keeps_in_thousand = 150;
	world.confirms_in_thousand = 100;
	world.replicated = (world.topology != SIM_ALONE || world.server_count == 1) && sim_chance(300);
	world.replica_count = !world.replicated ? 0 :
		world.topology == SIM_ALONE         ? 1 + (int)sim_number(SIM_REPLICAS_MAX) :
											  1;
	world.lags = world.replicated && sim_chance(400);
	if (!sim_is_quorum() && sim_chance(150)) {
		static const int permits[] = { 2, 3, 16 };

		world.kind = sim_chance(600) ? rlk_kind_of(permits[sim_number(3)], 1, false) : rlk_kind_of(0, 1, true);
		world.shares = false;
	}
	world.fibers = sim_chance(250) ? 2 + (int)sim_number(SIM_FIBERS_MAX - 1) : 0;
	world.holds = world.fibers > 0 ? 2 + (int)sim_number(SIM_HOLDS_MAX - 1) : 2;
	world.destroyed_in_thousand = world.fibers > 0 && sim_chance(600) ? 10 : 0;
	t->bailouts = world.fibers > 0 && sim_chance(200);
	t->deaths = sim_chance(400);
	t->force = sim_chance(60);
	t->foreign = sim_chance(100);
	if (world.topology == SIM_ALONE && world.server_count == 1) {
		t->closes = sim_chance(150);
		t->deletes = sim_chance(100);
	}
	/* If requests may come late, a request of a lock that has expired may act on the next lock with the same token. */
	if (world.shares || sim_chance(400))
		return;
	t->slow = sim_chance(300);
	t->slow_in_thousand = sim_chance(600) ? 30 : 150;
	t->slow_ms = sim_chance(500) ? 400 : 4000;
	t->breaks = sim_chance(500);
	t->freezes = sim_chance(400);
	t->stalls = sim_chance(300);
}

/* --- themes --------------------------------------------------------------------------------------- */

static void be_alone(void)
{
	world.topology = SIM_ALONE;
	world.server_count = 1;
	world.kind = (rlk_kind){ 0 };
}

static void be_calm(void)
{
	sim_troubles *t = &world.troubles;

	t->slow = t->breaks = t->freezes = t->stalls = false;
}

static void have_no_fibers(void)
{
	world.fibers = 0;
	world.holds = 2;
	world.destroyed_in_thousand = 0;
	world.troubles.bailouts = false;
}

/* Clients that may not block, beside a queue that never becomes empty. */
static void choose_polling(void)
{
	be_alone();
	be_calm();
	have_no_fibers();
	world.crowd = world.brisk = true;
	world.replicated = world.shares = false;
	world.troubles.deaths = world.troubles.force = world.troubles.foreign = world.troubles.deletes = false;
}

/* Tokens of callers, over a slow network. */
static void choose_tokens(void)
{
	if (world.topology != SIM_ALONE)
		be_alone();
	world.kind = (rlk_kind){ 0 };
	world.shares = sim_chance(300);
	world.given_in_thousand = 900;
	world.brisk = false;
	if (world.shares) {
		be_calm();
		return;
	}
	world.troubles.slow = true;
	world.troubles.slow_in_thousand = 150;
	world.troubles.slow_ms = 4000;
	world.troubles.breaks = sim_chance(500);
}

/* An operator closes connections, and deletes keys. */
static void choose_operators(void)
{
	be_alone();
	be_calm();
	world.brisk = world.shares = false;
	world.crowd = sim_chance(700);
	world.troubles.closes = sim_chance(700);
	world.troubles.deletes = !world.troubles.closes || sim_chance(300);
	world.closes_again = sim_chance(500);
}

static void choose_replicas(void)
{
	be_alone();
	have_no_fibers();
	world.brisk = world.shares = false;
	world.replicated = true;
	world.replica_count = 1 + (int)sim_number(SIM_REPLICAS_MAX);
	world.lags = sim_chance(500);
	world.troubles.force = sim_chance(500);
	world.keeps_in_thousand = 500;
	world.confirms_in_thousand = 500;
	if (sim_chance(700))
		be_calm();
}

/* Readers who become writers. */
static void choose_upgrades(void)
{
	be_alone();
	world.kind = rlk_kind_of(0, 1, true);
	world.shares = false;
	world.replicated = world.replicated && sim_chance(200);
	world.changes_in_thousand = 900;
	if (sim_chance(700)) {
		be_calm();
		world.troubles.deaths = world.troubles.force = world.troubles.foreign = world.troubles.closes = false;
		world.troubles.deletes = sim_chance(300);
	}
}

static void choose_failovers(void)
{
	world.topology = sim_chance(500) ? SIM_SENTINEL : SIM_CLUSTER;
	world.server_count = 4;
	world.brisk = world.shares = world.troubles.closes = world.troubles.deletes = false;
	world.replica_count = 1;
	world.fails_in_thousand = 300;
	if (sim_chance(500))
		be_calm();
}

/* One server, and connections that break or are slow. */
static void choose_breaks(void)
{
	be_alone();
	world.shares = false;
	world.given_in_thousand = 0;
	world.troubles.breaks = true;
	world.troubles.freezes = world.troubles.stalls = false;
	world.breaks_in_thousand = 400;
}

/* A busy server, which serves others between waking a waiter and the request behind its wait. */
static void choose_business(void)
{
	choose_polling();
	world.behind_us = BUSY_US;
	world.checks = sim_chance(700);
	world.brisk = sim_chance(500);
	world.to_the_end = sim_chance(700);
	world.troubles.closes = false;
}

/* Permits and shared locks, of which there are never enough. */
static void choose_sets(void)
{
	be_alone();
	world.kind = sim_chance(700) ? rlk_kind_of(2 + (int)sim_number(2), 1, false) : rlk_kind_of(0, 1, true);
	world.shares = false;
	world.crowd = sim_chance(700);
	world.checks = sim_chance(500);
	if (sim_chance(800))
		be_calm();
	world.troubles.breaks = sim_chance(600);
	world.breaks_in_thousand = world.troubles.breaks ? 400 : 0;
	world.replicated = sim_chance(700);
	world.replica_count = 1 + (int)sim_number(SIM_REPLICAS_MAX);
	world.lags = world.lags && world.replicated;
}

/* Locks that are renewed and extended at the same time. */
static void choose_races(void)
{
	be_alone();
	be_calm();
	have_no_fibers();
	world.races = true;
	world.crowd = world.brisk = world.shares = world.replicated = false;
	world.latency_us = 100;
	world.troubles.force = world.troubles.foreign = world.troubles.closes = world.troubles.deletes = false;
}

static void (*const themes[])(void) = { choose_polling, choose_tokens, choose_operators, choose_replicas,
	choose_upgrades, choose_failovers, choose_breaks, choose_business, choose_sets, choose_races };
#define THEMES (sizeof(themes) / sizeof(themes[0]))

uint64_t sim_seed_of(uint64_t number)
{
	return number % 2 == 0 || number >= SEEDS_OF_THEME ? number : number + (1 + number / 2 % THEMES) * SEEDS_OF_THEME;
}

void sim_choose_world(void)
{
	uint64_t theme = world.seed / SEEDS_OF_THEME;

	choose_any();
	if (theme >= 1 && theme <= THEMES)
		themes[theme - 1]();
}
