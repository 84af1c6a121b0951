/*
 * rlk_backend: who does the renewing: a child process, or a thread of this one.
 *
 * A child outlives its parent and frees the parent's locks. A thread dies with
 * the process, so that locks of a killed process stay until their TTL; it
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
	int pidfd;                  /* of the child; -1 where there is none */
	int control;                /* our end of the pair of sockets; -1: none */
	void *thread;               /* of the thread backend */
	uint32_t tls_servers;       /* of the servers before this one it can use the TLS contexts */
} rlk_worker;

/* clang-format off */
#define RLK_WORKER_INIT { NULL, 0, -1, -1, NULL, 0 }
/* clang-format on */

struct rlk_backend {
	const char *name;

	/* Starts a worker for the area. `notify` is called, in a signal handler or another thread, when the worker has
	 * something to tell or has died. `whole`: it has to have the heap, for TLS. false: *err is RLK_ERR_RENEWAL. */
	bool (*start)(rlk_worker *worker, rlk_area *area, bool whole, void (*notify)(void), rlk_error *err);

	/* Is it still running? A dead child is reaped, and the worker empty. */
	bool (*is_alive)(rlk_worker *worker);

	/* Asks the worker to end, waits up to 200 ms, then ends it. `leave_it`: it has releases to finish, which a child may
	 * do alone. */
	void (*stop)(rlk_worker *worker, bool leave_it);

	/* Nobody asks after it for a while, and it may end meanwhile: nothing is to be left of it then. */
	void (*rest)(rlk_worker *worker);

	/* The end of that. false: it has ended, or this process has another user or root by now than when it was started; then
	 * the worker is empty. */
	bool (*rouse)(rlk_worker *worker);

	/* In a forked copy: lets go of the parent's worker without disturbing it. */
	void (*forget)(rlk_worker *worker);
};

/* NULL where the system has none. */
extern const rlk_backend *const rlk_backend_process;
extern const rlk_backend *const rlk_backend_thread;

/* Makes the worker look at the area again. */
void rlk_worker_wake(const rlk_worker *worker);

/* --- SIGURG, by which a child reports and its death is noticed --------------------------------- */

/* Installs it, if it is not. `notify` is called from it: async-signal-safe. */
bool rlk_sigurg_install(void (*notify)(void));

/* Does somebody else handle SIGURG, who is not to be disturbed? (Go's runtime needs it for itself.) */
bool rlk_sigurg_is_taken(void);

/* Puts back what was there, before the code is unloaded. */
void rlk_sigurg_restore(void);

/* --- forked copies of this process ------------------------------------------------------------- */

typedef struct {
	int fds[2]; /* reading, writing; -1: not watching */
} rlk_copies;

/* clang-format off */
#define RLK_COPIES_INIT { { -1, -1 } }
/* clang-format on */

/* Begins to watch: copies made from now on are seen. Failing is of no consequence, nothing is seen then. */
void rlk_copies_watch(rlk_copies *copies);

/* Is there a copy? Ends the watching. */
bool rlk_copies_end(rlk_copies *copies);

/* In a copy: stays visible to its parent, watches nothing itself. */
void rlk_copies_after_fork(rlk_copies *copies);

/* --- inside: the pair of sockets between a process and its worker. One byte is one message. ---- */

/* fds[0] is ours, fds[1] the worker's. Close-on-exec. On failure both are -1, errno says why. */
bool rlk_pair_open(int fds[2]);

void rlk_pair_close(int fds[2]);

/* Never waits: a full socket means that the worker has messages to read already. -1 is ignored. */
void rlk_pair_tell(int fd, char message);

#endif
