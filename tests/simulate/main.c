/*
 * main: plays histories.
 *
 *     simulate FIRST COUNT     prints the seeds that failed, and at last how many were played
 *     simulate --show SEED     prints the whole history of one
 *     simulate --find FIRST COUNT    ends with the first that fails
 *     simulate --trace FILE FIRST COUNT    writes their steps down, too, see trace.c
 *     simulate --history FILE FIRST COUNT    and what is asked and told, see docs/internals/histories.md
 *
 * Each other history has a theme, see themes.c, and so another seed.
 */
#include "history.h"
#include "trace.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TROUBLE_ENDS_MS 40000
#define ENDS_MS 400000
/* The longest that a key of ours lives. */
#define LAST_KEY_MS 65000

static struct {
	unsigned long played, failed, acquired;
} sums;

static void make_trouble(void *arg, uint64_t number)
{
	sim_server *server = world.servers[sim_number(world.server_count)];

	(void)arg;
	(void)number;
	if (world.now_us > TROUBLE_ENDS_MS * SIM_MS) {
		world.ending = true;
		return;
	}
	if (world.troubles.breaks && sim_chance(700))
		sim_network_trouble();
	if (world.troubles.breaks && sim_chance(30)) {
		sim_say("world", "server %d restarts", server->number);
		server->down_until_us = world.now_us + sim_number(2000) * SIM_MS;
		sim_server_restart(server);
	}
	if (world.troubles.stalls && sim_chance(100) && server->stalled_until_us <= world.now_us) {
		server->stalled_until_us = world.now_us + sim_number(sim_chance(800) ? 300 : 4000) * SIM_MS;
		sim_say("world", "server %d stops for %d ms", server->number,
			(int)((server->stalled_until_us - world.now_us) / SIM_MS));
	}
	sim_topology_trouble();
	if (world.troubles.foreign && world.topology == SIM_ALONE && sim_chance(150))
		sim_server_foreign(server, (int)sim_number(SIM_NAMES));
	if (world.troubles.closes && sim_chance(300))
		sim_clients_close();
	if (world.troubles.deletes && sim_chance(100))
		sim_server_delete(server, (int)sim_number(SIM_NAMES), sim_chance(200));
	if (sim_chance(20))
		server->cached = 0; /* SCRIPT FLUSH */
	sim_at(world.now_us + sim_number(400) * SIM_MS, make_trouble, NULL, 0);
}

/* In a thread of its own: the thread-local state of the code is new then. */
static void *play(void *arg)
{
	sim_begin(*(uint64_t *)arg);
	sim_network_begin();
	sim_checks_begin();
	sim_trace_begin();
	sim_choose_world();
	sim_history_begin();
	for (int i = 0; i < world.server_count; i++)
		world.servers[i] = sim_server_new(i);
	sim_topology_begin();
	sim_clients_begin();
	sim_at(0, make_trouble, NULL, 0);
	sim_run(ENDS_MS * (int64_t)SIM_MS);
	if (world.failure == NULL)
		sim_run(world.now_us + LAST_KEY_MS * (int64_t)SIM_MS);
	if (world.failure == NULL)
		sim_check_end();
	sim_trace_end();
	sim_history_end();
	sim_memory_reset();
	return NULL;
}

/* The code crashed. stdout is left alone: it may be what crashed. */
static void tell_crash(int signal)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "seed %llu: a crash, signal %d\n", (unsigned long long)world.seed, signal);

	_exit(write(STDOUT_FILENO, text, (size_t)len) == len ? 1 : 2);
}

static bool play_seed(uint64_t seed)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, play, &seed) != 0)
		abort();
	pthread_join(thread, NULL);
	sums.played++;
	sums.failed += world.failure != NULL;
	return world.failure == NULL;
}

int main(int argc, char **argv)
{
	uint64_t first, count;
	bool finds, traces = argc == 5 && strcmp(argv[1], "--trace") == 0;
	bool tells = argc == 5 && strcmp(argv[1], "--history") == 0;

	setvbuf(stdout, NULL, _IOLBF, 1 << 16);
	signal(SIGSEGV, tell_crash);
	signal(SIGABRT, tell_crash);
	finds = argc == 4 && strcmp(argv[1], "--find") == 0;
	if (argc !=
			(finds                  ? 4 :
					traces || tells ? 5 :
									  3) ||
		(traces && !sim_trace_open(argv[2])) || (tells && !sim_history_open(argv[2])))
		return 2;
	sim_verbose = strcmp(argv[1], "--show") == 0;
	if (sim_verbose)
		return play_seed(strtoull(argv[2], NULL, 10)) ? 0 : 1;
	first = strtoull(argv[argc - 2], NULL, 10);
	count = strtoull(argv[argc - 1], NULL, 10);
	for (uint64_t number = first; number < first + count; number++) {
		uint64_t seed = sim_seed_of(number);

		if (play_seed(seed))
			continue;
		printf("seed %llu: %s\n", (unsigned long long)seed, world.failure);
		if (finds)
			return 1;
	}
	printf("%lu histories, %lu failed\n", sums.played, sums.failed);
	if (traces)
		printf("%lu lines\n", sim_trace_lines());
	return sums.failed > 0 || (traces && !sim_trace_close()) || (tells && !sim_history_close());
}
