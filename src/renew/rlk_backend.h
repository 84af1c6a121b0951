/*
 * rlk_backend: the worker that renews locks, a child process or a thread of this one, and how it talks to this process.
 *
 * A child outlives its parent and releases the parent's locks. A thread dies with
 * the process, and the locks of a killed process stay until their TTL. It
 * serves where a child cannot: no fork, or a host that owns SIGURG.
 */
#ifndef RLK_BACKEND_H
#define RLK_BACKEND_H

#include "base/rlk_error.h"
#include "renew/rlk_area.h"

typedef struct rlk_backend rlk_backend;

/* One running child or thread. */
typedef struct {
	const rlk_backend *backend; /* NULL: none runs */
	long pid;                   /* of the child; 0 for a thread */
	int pidfd;                  /* of the child; -1: none */
	int control;                /* our end of the socket pair; -1: none */
	void *thread;               /* of the thread backend */
	uint64_t entered; /* how many servers had been entered when it was started, in the request of that number */
	uint64_t request;
} rlk_worker;

#define RLK_WORKER_NONE ((rlk_worker){ .pidfd = -1, .control = -1 })

struct rlk_backend {
	const char *name;

	/* Starts a worker for these slots. `notify` is called, in a signal handler or another thread, when the worker has
	 * something to tell or has died. `with_heap`: a child is to have the heap of malloc, for TLS. false: *err is
	 * RLK_ERR_RENEWAL. */
	bool (*start)(rlk_worker *worker, const rlk_slots *slots, bool with_heap, void (*notify)(void), rlk_error *err);

	/* Is the worker still running? Reaps a dead child and empties *worker. NULL: the worker always runs. */
	bool (*is_alive)(rlk_worker *worker);

	/* Asks the worker to end, waits up to 200 ms, then ends it. `has_releases`: a child may stay to finish them alone. */
	void (*stop)(rlk_worker *worker, bool has_releases);

	/* Lets the worker end by itself: the parent does not ask for a while whether it runs. A worker that has ended leaves nothing to
	 * clean up. NULL, here and for `resume`: there is nothing to do. */
	void (*idle)(rlk_worker *worker);

	/* Takes an idle worker into use again. false: *worker is empty, since the worker has ended, or was started with another user or
	 * root directory. */
	bool (*resume)(rlk_worker *worker);

	/* In a forked copy: lets go of the parent's worker without disturbing it. */
	void (*forget)(rlk_worker *worker);
};

/* NULL where the system has none. */
extern const rlk_backend *const rlk_backend_process;
extern const rlk_backend *const rlk_backend_thread;

/* --- the socket pair between a process and its worker: one byte is one message ----------------- */

#define RLK_WORKER_WAKE 'w' /* visit the slots */
#define RLK_WORKER_QUIT 'q' /* end when no release is left to do */
#define RLK_WORKER_END 'e'  /* end now */
#define RLK_WORKER_ANEW 'a' /* signal again, and soon, what was not acknowledged */
#define RLK_WORKER_TELL 't' /* from a child that cannot signal: its parent's end of the pair becomes SIGURG */

/* Never waits: if the socket is full, the worker has messages to read already. -1 is ignored. */
void rlk_pair_tell(int fd, char message);

static inline void rlk_worker_wake(const rlk_worker *worker)
{
	rlk_pair_tell(worker->control, RLK_WORKER_WAKE);
}

/* --- SIGURG, by which a child reports and its death is noticed ---------------------------------- */

/* Installs our handler, unless it is installed. It calls `notify`, which is async-signal-safe, and then the handler that was there.
 * SIGURG is ignored by default, and neither PHP nor the C library uses it. */
bool rlk_sigurg_install(void (*notify)(void));

/* Installs it again if the application has reset its signals since. */
void rlk_sigurg_keep(void);

/* Does other code handle SIGURG, which must not be disturbed? (Go's runtime needs SIGURG for itself.) */
bool rlk_sigurg_is_taken(void);

/* Puts back the earlier handler, before our code is unloaded. */
void rlk_sigurg_restore(void);

#endif
