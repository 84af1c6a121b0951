/*
 * process: what a process has of its system: clock, chance, an id, memory, and a renewal child.
 *
 * Stands for src/base/rlk_os_posix.c and src/net/rlk_address_posix.c, and of src/renew for rlk_process_posix.c, rlk_thread_posix.c, rlk_child_os_posix.c and most of rlk_backend_posix.c. The child runs
 * what it always runs, over memory shared with its parent. malloc() and its like are wrapped, since a killed process leaves
 * all of it behind, and one that ends should have nothing left.
 */
#include "sim.h"

#include "base/rlk_list.h"
#include "base/rlk_os.h"
#include "net/rlk_address.h"
#include "net/rlk_socket.h"
#include "renew/rlk_backend.h"
#include "renew/rlk_child.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAPPINGS_MAX 64
#define CHILD_STOPS_WITHIN_MS 200

/* --- clock, chance, id ---------------------------------------------------------------------------- */

int64_t rlk_clock_now_ms(void)
{
	sim_step();
	return sim_clock_ms(world.current);
}

bool rlk_random_bytes(void *buf, size_t len)
{
	unsigned char *to = buf;

	for (size_t i = 0; i < len; i++)
		to[i] = (unsigned char)sim_random();
	return true;
}

uint32_t rlk_random_spread(uint32_t bound)
{
	return (uint32_t)sim_number(bound);
}

long rlk_os_process_id(void)
{
	return world.current->pid;
}

void rlk_os_host_name(char *name, size_t size)
{
	snprintf(name, size, "sim");
}

int rlk_address_resolve_name(const char *host, const char *port, const rlk_hooks *hooks, int64_t deadline_at_ms,
	rlk_address_late late, void *arg, rlk_addresses *out)
{
	(void)host;
	(void)port;
	(void)hooks;
	(void)deadline_at_ms;
	(void)late;
	(void)arg;
	out->count = 0;
	return EAI_NONAME;
}

int rlk_query_begin(const char *host, const char *port, rlk_query **query, rlk_addresses *out)
{
	*query = NULL;
	return rlk_address_resolve_name(host, port, NULL, 0, NULL, NULL, out);
}

/* There is none. */
int rlk_query_fd(const rlk_query *query)
{
	(void)query;
	return RLK_SOCKET_NONE;
}

int rlk_query_end(rlk_query *query, rlk_addresses *out)
{
	(void)query;
	(void)out;
	return RLK_ADDRESS_LATE;
}

void rlk_address_forget_suspended(void)
{
}

/* --- memory --------------------------------------------------------------------------------------- */

typedef struct sim_block {
	struct sim_block *next, **link;
	sim_process *process;
	size_t size;
} block;

void *__real_malloc(size_t size);
void *__real_realloc(void *data, size_t size);
void __real_free(void *data);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *data);

static void list(block *b, sim_process *process)
{
	b->process = process;
	if (process != NULL)
		RLK_LIST_ADD(&process->memory, b);
}

static void unlist(block *b)
{
	if (b->process != NULL)
		RLK_LIST_REMOVE(b);
}

void *__wrap_malloc(size_t size)
{
	block *b = __real_malloc(sizeof(*b) + size);

	list(b, world.current);
	b->size = size;
	return b + 1;
}

void *__wrap_calloc(size_t count, size_t size)
{
	return memset(__wrap_malloc(count * size), 0, count * size);
}

void *__wrap_realloc(void *data, size_t size)
{
	block *b = data != NULL ? (block *)data - 1 : NULL;
	sim_process *process;

	if (b == NULL)
		return __wrap_malloc(size);
	process = b->process;
	unlist(b);
	b = __real_realloc(b, sizeof(*b) + size);
	list(b, process);
	b->size = size;
	return b + 1;
}

char *__wrap_strdup(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(__wrap_malloc(size), text, size);
}

/* Freed memory is overwritten, so that its use fails in the history that shows it. */
void __wrap_free(void *data)
{
	block *b = (block *)data - 1;

	if (data == NULL)
		return;
	unlist(b);
	memset(data, 0xdb, b->size);
	__real_free(b);
}

/* Kept from one world to the next, since making page tables takes most of the time. */
static struct {
	char *memory;
	size_t size;
	int users; /* 0: free */
	sim_process *by[2];
} mappings[MAPPINGS_MAX];

static void *map(size_t size)
{
	for (int i = 0; i < MAPPINGS_MAX; i++) {
		if (mappings[i].memory == NULL) {
			mappings[i].memory =
				mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
			mappings[i].size = size;
		}
		if (mappings[i].size != size || mappings[i].users > 0)
			continue;
		mappings[i].users = 1;
		mappings[i].by[0] = world.current;
		mappings[i].by[1] = NULL;
		return mappings[i].memory;
	}
	abort();
}

static void share(const void *memory, sim_process *with)
{
	for (int i = 0; i < MAPPINGS_MAX; i++) {
		if (mappings[i].memory == memory) {
			mappings[i].users++;
			/* The child before it may still be at its last releases. */
			mappings[i].by[mappings[i].by[1] != NULL && mappings[i].by[1]->running ? 0 : 1] = with;
		}
	}
}

static void leave(int i)
{
	if (--mappings[i].users == 0)
		madvise(mappings[i].memory, mappings[i].size, MADV_DONTNEED);
}

static void unmap_of(sim_process *process, const void *memory)
{
	for (int i = 0; i < MAPPINGS_MAX; i++) {
		for (int j = 0; j < 2; j++) {
			if (mappings[i].users > 0 && mappings[i].by[j] == process &&
				(memory == NULL || mappings[i].memory == memory)) {
				mappings[i].by[j] = NULL;
				leave(i);
			}
		}
	}
}

void *rlk_os_map(size_t size, bool shared)
{
	(void)shared;
	return map(size);
}

void rlk_os_unmap(void *memory, size_t size)
{
	(void)size;
	unmap_of(world.current, memory);
}

void sim_process_clean(sim_process *process)
{
	sim_network_close_all(process);
	unmap_of(process, NULL);
	while (process->memory != NULL)
		__wrap_free(process->memory + 1);
}

void sim_memory_reset(void)
{
	for (int i = 0; i < world.process_count; i++)
		sim_process_clean(world.processes[i]);
	for (int i = 0; i < MAPPINGS_MAX; i++) {
		if (mappings[i].users > 0) {
			mappings[i].users = 1;
			leave(i);
		}
	}
}

void sim_process_check(const sim_process *process)
{
	if (process->memory != NULL)
		sim_fail("%s ends and leaves memory of %zu bytes", process->name, process->memory->size);
	if (sim_network_open(process) > 0)
		sim_fail("%s ends and leaves %d descriptors", process->name, sim_network_open(process));
}

/* --- the renewal child ---------------------------------------------------------------------------- */

static void be_child(sim_process *process)
{
	rlk_child_env *env = process->arg;

	env->memory = map(rlk_child_size());
	rlk_child_run(env);
	rlk_os_unmap(env->memory, rlk_child_size());
	sim_say(process->name, "ends");
}

static bool start(rlk_worker *worker, const rlk_slots *slots, bool with_heap, void (*notify)(void), rlk_error *err)
{
	sim_process *parent = world.current, *child;
	rlk_child_env *env = sim_alloc(sizeof(*env));
	rlk_slots *copy = sim_alloc(sizeof(*copy));
	char name[8];
	int fds[2];

	(void)with_heap;
	(void)notify;
	(void)err;
	snprintf(name, sizeof(name), "%.4s+%d", parent->name, world.process_count);
	child = sim_process_new(name, be_child, env, world.now_us + 500 + sim_number(3000));
	sim_say(parent->name, "starts %s", name);
	child->parent = parent;
	child->clock_offset_ms = parent->clock_offset_ms;
	child->clock_ppm = parent->clock_ppm;
	if (world.troubles.deaths && sim_chance(150))
		child->dies_at_step = 1 + (uint64_t)sim_number(2000);
	parent->child = child;
	sim_pair(fds, parent, child);
	share(slots->area, child);
	memcpy(copy, slots, sizeof(*copy));
	*env = (rlk_child_env){ .slots = copy, .control = fds[1], .parent_pid = parent->pid, .parent_pidfd = -1 };
	*worker = (rlk_worker){ .backend = rlk_backend_process,
		.pid = child->pid,
		.pidfd = -1,
		.control = fds[0],
		.thread = child };
	return true;
}

static void forget(rlk_worker *worker)
{
	if (worker->control >= 0)
		rlk_socket_close(worker->control);
	*worker = RLK_WORKER_NONE;
}

static bool is_alive(rlk_worker *worker)
{
	if (((sim_process *)worker->thread)->running)
		return true;
	forget(worker);
	return false;
}

static void stop(rlk_worker *worker, bool has_releases)
{
	sim_process *child = worker->thread;
	int64_t until_us = world.now_us + CHILD_STOPS_WITHIN_MS * SIM_MS;

	sim_tell(worker->control, has_releases ? RLK_WORKER_QUIT : RLK_WORKER_END);
	while (!has_releases && child->running && world.now_us < until_us)
		sim_wait(until_us);
	if (!has_releases)
		sim_kill(child, "is killed by its parent");
	forget(worker);
}

/* Signals of the child are lost until then. */
static void idle(rlk_worker *worker)
{
	(void)worker;
}

static bool resume(rlk_worker *worker)
{
	return is_alive(worker);
}

static const rlk_backend backend = { "process", start, is_alive, stop, idle, resume, forget };

const rlk_backend *const rlk_backend_process = &backend;
const rlk_backend *const rlk_backend_thread = NULL;

void rlk_child_isolate(rlk_child_env *env)
{
	(void)env;
}

void rlk_child_signal_parent(const rlk_child_env *env)
{
	sim_process *parent = world.current->parent;

	(void)env;
	parent->notified = true;
	sim_wake(parent);
}

/* No process becomes another program here. */
bool rlk_child_signal_program(const rlk_child_env *env, int signal)
{
	(void)env;
	(void)signal;
	return false;
}

bool rlk_child_parent_is_gone(const rlk_child_env *env)
{
	(void)env;
	return !world.current->parent->running;
}

/* All processes run at once. */
void rlk_child_set_urgent(bool urgent)
{
	(void)urgent;
}

int rlk_child_open_timer(void)
{
	return -1;
}

void rlk_child_set_timer(int timer, int64_t at_ms)
{
	(void)timer;
	(void)at_ms;
}

/* No process forks here, and no other handler of SIGURG is there. */
bool rlk_sigurg_is_taken(void)
{
	return false;
}

void rlk_sigurg_keep(void)
{
}
