/*
 * world: chance, time, events, and the coroutines that are processes. See sim.h.
 */
#include "trace.h"

#include "races.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STACK_BYTES (160u << 10)
#define ARENA_BYTES (64u << 20)
/* More steps than any history that ends. */
#define EVENTS_MAX 300000
/* If the network is quick, requests are answered within this time. */
#define RACE_US 3000
#define STEPS_MAX 300000

typedef struct {
	int64_t at_us;
	uint64_t order; /* of two at the same time */
	sim_happens *what;
	void *arg;
	uint64_t number;
} event;

sim_world world;
bool sim_verbose;

static uint64_t state;
static event *heap;
static size_t heap_count, heap_room;
static uint64_t orders;
static char *arena;
static size_t arena_used;
static char *stacks[64];
static jmp_buf outside;

/* --- chance --------------------------------------------------------------------------------------- */

uint64_t sim_random(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

int64_t sim_number(int64_t bound)
{
	return bound > 0 ? (int64_t)(sim_random() % (uint64_t)bound) : 0;
}

bool sim_chance(int in_thousand)
{
	return sim_number(1000) < in_thousand;
}

/* --- memory --------------------------------------------------------------------------------------- */

void *sim_alloc(size_t size)
{
	char *memory = arena + arena_used;

	size = (size + 15) & ~(size_t)15;
	if (arena_used + size > ARENA_BYTES) {
		fprintf(stderr, "seed %llu: out of memory\n", (unsigned long long)world.seed);
		abort();
	}
	arena_used += size;
	return memset(memory, 0, size);
}

rlk_str sim_keep(rlk_str s)
{
	char *copy = sim_alloc(s.len + 1);

	if (s.len > 0)
		memcpy(copy, s.data, s.len);
	return rlk_str_make(copy, s.len);
}

/* --- what happens --------------------------------------------------------------------------------- */

static bool is_before(const event *a, const event *b)
{
	return a->at_us != b->at_us ? a->at_us < b->at_us : a->order < b->order;
}

void sim_at(int64_t at_us, sim_happens *what, void *arg, uint64_t number)
{
	event e = { at_us > world.now_us ? at_us : world.now_us, ++orders, what, arg, number };
	size_t at = heap_count++;

	if (heap_count > heap_room) {
		heap_room = heap_room * 2 + 256;
		heap = realloc(heap, heap_room * sizeof(*heap));
	}
	for (; at > 0 && is_before(&e, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = e;
}

static event take(void)
{
	event first = heap[0], last = heap[--heap_count];
	size_t at = 0, next;

	for (; (next = at * 2 + 1) < heap_count; at = next) {
		if (next + 1 < heap_count && is_before(&heap[next + 1], &heap[next]))
			next++;
		if (!is_before(&heap[next], &last))
			break;
		heap[at] = heap[next];
	}
	heap[at] = last;
	return first;
}

void sim_run(int64_t until_us)
{
	while (heap_count > 0 && heap[0].at_us <= until_us && world.failure == NULL) {
		event e = take();

		world.now_us = e.at_us;
		e.what(e.arg, e.number);
		sim_check();
		sim_trace_step();
		if (orders > EVENTS_MAX)
			sim_fail("no end is in sight");
	}
	if (world.failure == NULL && world.now_us < until_us && until_us != SIM_NEVER)
		world.now_us = until_us;
}

void sim_begin(uint64_t seed)
{
	if (arena == NULL)
		arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	memset(&world, 0, sizeof(world));
	world.seed = seed;
	state = seed;
	heap_count = 0;
	orders = 0;
	arena_used = 0;
}

/* --- processes ------------------------------------------------------------------------------------ */

/* swapcontext() would call the system each time, for the signals that are blocked. */
static void resume(sim_process *process)
{
	process->waiting = false;
	world.current = process;
	if (_setjmp(outside) == 0) {
		if (process->begun)
			_longjmp(process->stopped, 1);
		process->begun = true;
		setcontext(&process->context);
	}
	world.current = NULL;
}

/* Lets the world go on. Returns when the process is resumed. */
static void stop(sim_process *process)
{
	if (_setjmp(process->stopped) == 0)
		_longjmp(outside, 1);
}

static void wake(void *arg, uint64_t waits)
{
	sim_process *process = arg;

	if (!process->running || !process->waiting || process->waits != waits)
		return;
	if (process->frozen_until_us > world.now_us)
		sim_at(process->frozen_until_us, wake, process, waits);
	else
		resume(process);
}

static void end_process(sim_process *process)
{
	process->running = false;
	process->ended_at_us = world.now_us;
	sim_process_clean(process);
	if (process->parent != NULL && process->parent->running) {
		process->parent->notified = true;
		sim_wake(process->parent);
	}
}

static void begin_process(void)
{
	sim_process *process = world.current;

	process->body(process);
	end_process(process);
	stop(process);
}

sim_process *sim_process_new(const char *name, void (*body)(sim_process *process), void *arg, int64_t starts_at_us)
{
	sim_process *process = sim_alloc(sizeof(*process));
	int number = world.process_count++;

	if (number >= 64)
		abort();
	if (stacks[number] == NULL)
		stacks[number] = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	world.processes[number] = process;
	snprintf(process->name, sizeof(process->name), "%s", name);
	process->pid = 1000 + number;
	process->body = body;
	process->arg = arg;
	process->running = process->waiting = true;
	process->spread = sim_random() | 1;
	process->stack = stacks[number];
	getcontext(&process->context);
	process->context.uc_stack.ss_sp = process->stack;
	process->context.uc_stack.ss_size = STACK_BYTES;
	makecontext(&process->context, begin_process, 0);
	sim_at(starts_at_us, wake, process, 0);
	return process;
}

void sim_kill(sim_process *process, const char *how)
{
	if (!process->running)
		return;
	sim_say(process->name, "%s", how);
	sim_note_killed(process);
	end_process(process);
	if (process == world.current)
		stop(process);
}

void sim_wait(int64_t until_us)
{
	sim_process *process = world.current;

	process->waiting = true;
	process->waits++;
	if (until_us != SIM_NEVER)
		sim_at(until_us, wake, process, process->waits);
	stop(process);
}

void sim_wake(sim_process *process)
{
	if (process->running && process->waiting)
		sim_at(world.now_us + sim_number(30), wake, process, process->waits);
}

/* No event ends this wait. */
static void pause_for(int64_t us)
{
	int64_t until_us = world.now_us + us;

	while (world.now_us < until_us)
		sim_wait(until_us);
}

void sim_step(void)
{
	sim_process *process = world.current;
	uint64_t chance = sim_random();

	if (++process->steps > STEPS_MAX) {
		sim_fail("%s goes round for ever", process->name);
		sim_kill(process, "is stopped");
	}
	if (process->dies_at_step > 0 && process->steps >= process->dies_at_step && !world.ending)
		sim_kill(process, "is killed");
	if (chance % 16 == 0)
		pause_for(sim_number(200));
	if (world.troubles.freezes && chance / 16 % 1024 == 0 && !world.ending) {
		int64_t ms = sim_chance(500) ? sim_number(200) : sim_number(9000);

		sim_say(process->name, "freezes for %d ms", (int)ms);
		process->frozen_until_us = world.now_us + ms * SIM_MS;
		pause_for(ms * SIM_MS);
	}
}

void sim_race(void)
{
	if (world.races && world.current != NULL && sim_chance(20))
		pause_for(sim_number(RACE_US));
}

int64_t sim_clock_ms(const sim_process *process)
{
	return process->clock_offset_ms + (world.now_us + world.now_us / 1000 * process->clock_ppm / 1000) / 1000;
}

/* The first moment at which the clock of the process has this time. */
int64_t sim_us_of(const sim_process *process, int64_t at_ms)
{
	int64_t ms = at_ms - process->clock_offset_ms, us;

	if (at_ms == RLK_NEVER)
		return SIM_NEVER;
	if (ms > 1000000000)
		return SIM_NEVER;
	us = ms * 1000 * 1000000 / (1000000 + process->clock_ppm);
	for (us -= 10; (us + us / 1000 * process->clock_ppm / 1000) / 1000 < ms; us++) {}
	return us;
}

/* --- what is said --------------------------------------------------------------------------------- */

void sim_say(const char *who, const char *format, ...)
{
	va_list args;

	if (!sim_verbose)
		return;
	printf("%10.3f  %-8s ", (double)world.now_us / 1000, who);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

void sim_fail(const char *format, ...)
{
	static char text[400];
	va_list args;

	if (world.failure != NULL)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	world.failure = text;
	sim_say("FAILURE", "%s", text);
}
