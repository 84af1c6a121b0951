/*
 * fibers: several fibers in a process, which use the same objects; and the loop that resumes those that wait.
 *
 * A fiber has a stack of its own within its process. `watched` has what it waits for in the loop. Where it blocks, its
 * whole process blocks. It may be destroyed wherever it waits: then it goes on, but never waits in the loop again.
 */
#include "client.h"

#include "base/rlk_os.h"
#include "net/rlk_socket.h"

#include <sys/mman.h>

#define STACK_BYTES (128u << 10)
#define EARLY_MS 20
/* A fiber that is not destroyed keeps the others waiting for at most this time, in a calm world without a topology. */
#define BLOCKS_BOUND_MS 60

static char *stacks[SIM_CLIENTS_MAX][SIM_FIBERS_MAX];

/* --- the poller ----------------------------------------------------------------------------------- */

/* Runs the loop until a descriptor is ready, the point in time has come, or the fiber is destroyed. */
static void wait_in_loop(sim_fiber *fiber, rlk_socket_watched *watched, int count, int64_t until_us)
{
	fiber->watched = watched;
	fiber->count = count;
	fiber->until_us = until_us;
	fiber->client->fiber = NULL;
	swapcontext(&fiber->context, &fiber->client->loop);
}

int sim_fiber_suspend(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	sim_client *client = world.current->arg;
	sim_fiber *fiber = client->fiber;
	int64_t until_us;

	(void)unused;
	if (fiber == NULL || fiber->destroyed)
		return RLK_SOCKET_REFUSED;
	until_us = sim_us_of(client->process, deadline_at_ms);
	if (sim_chance(50) && until_us > world.now_us + EARLY_MS * SIM_MS)
		until_us = world.now_us + sim_number(EARLY_MS * SIM_MS); /* the host may look again whenever it likes */
	wait_in_loop(fiber, watched, count, until_us);
	if (fiber->destroyed)
		return RLK_SOCKET_SIGNAL;
	return rlk_socket_poll(watched, count, 0, NULL);
}

bool sim_fiber_sleep(sim_client *client, int64_t until_us)
{
	sim_fiber *fiber = client->fiber;

	while (fiber != NULL && !fiber->destroyed && world.now_us < until_us)
		wait_in_loop(fiber, NULL, 0, until_us);
	return fiber != NULL;
}

bool sim_fiber_is_destroyed(const sim_client *client)
{
	return client->fiber != NULL && client->fiber->destroyed;
}

/* --- the loop ------------------------------------------------------------------------------------- */

static void be_fiber(unsigned client, unsigned number)
{
	sim_fiber *fiber = &sim_clients[client].fibers[number];

	fiber->body(fiber);
	fiber->done = true;
	fiber->client->fiber = NULL;
	swapcontext(&fiber->context, &fiber->client->loop);
}

static void make_fiber(sim_client *client, int number, void (*body)(sim_fiber *fiber))
{
	sim_fiber *fiber = &client->fibers[number];
	char **stack = &stacks[client->number][number];

	if (*stack == NULL)
		*stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*fiber = (sim_fiber){ .client = client, .body = body };
	getcontext(&fiber->context);
	fiber->context.uc_stack.ss_sp = *stack;
	fiber->context.uc_stack.ss_size = STACK_BYTES;
	makecontext(&fiber->context, (void (*)(void))be_fiber, 2, (unsigned)client->number, (unsigned)number);
}

static bool may_go_on(const sim_fiber *fiber)
{
	if (fiber->destroyed || world.now_us >= fiber->until_us)
		return true;
	for (int i = 0; i < fiber->count; i++) {
		if (fiber->watched[i].fd != RLK_SOCKET_NONE &&
			sim_socket_is_ready(fiber->watched[i].fd, fiber->watched[i].events))
			return true;
	}
	return false;
}

/* A fiber that may go on. NULL: none, before *next_us. */
static sim_fiber *choose(sim_client *client, int64_t *next_us)
{
	sim_fiber *chosen = NULL;
	int seen = 0;

	*next_us = SIM_NEVER;
	for (int i = 0; i < world.fibers; i++) {
		sim_fiber *fiber = &client->fibers[i];

		if (fiber->done)
			continue;
		if (may_go_on(fiber) && sim_number(++seen) == 0)
			chosen = fiber;
		*next_us = fiber->until_us < *next_us ? fiber->until_us : *next_us;
	}
	return chosen;
}

static bool all_done(const sim_client *client)
{
	bool done = true;

	for (int i = 0; i < world.fibers; i++)
		done = done && client->fibers[i].done;
	return done;
}

static void run(sim_client *client, sim_fiber *fiber)
{
	int64_t since_us = world.now_us;
	bool destroyed = fiber->destroyed;

	client->fiber = fiber;
	swapcontext(&client->loop, &fiber->context);
	if (!destroyed && sim_is_calm() && world.topology == SIM_ALONE &&
		world.now_us > since_us + BLOCKS_BOUND_MS * SIM_MS)
		sim_fail("%s blocks all of its fibers for %d ms", client->process->name,
			(int)((world.now_us - since_us) / SIM_MS));
}

void sim_fibers_run(sim_client *client, void (*body)(sim_fiber *fiber), void (*notified)(sim_client *client))
{
	int64_t ends_us = world.troubles.bailouts ? world.now_us + sim_number(20000) * SIM_MS : SIM_NEVER;

	for (int i = 0; i < world.fibers; i++)
		make_fiber(client, i, body);
	while (!all_done(client) && world.now_us < ends_us) {
		int64_t next_us;
		sim_fiber *fiber;

		if (client->process->notified)
			notified(client);
		if (sim_chance(world.destroyed_in_thousand))
			client->fibers[sim_number(world.fibers)].destroyed = true;
		fiber = choose(client, &next_us);
		if (fiber == NULL) {
			sim_wait(next_us < ends_us ? next_us : ends_us);
			continue;
		}
		run(client, fiber);
	}
	client->fiber = NULL;
}
