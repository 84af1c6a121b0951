/*
 * child_case: rlk_child_run() in a process of its own, against a server that the test plays by hand. For the tests of
 * the renewal child.
 */
#ifndef CHILD_CASE_H
#define CHILD_CASE_H

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"
#include "lock/rlk_scripts.h"
#include "renew/rlk_child.h"
#include "renew/rlk_area.h"
#include "unit.h"
#include "net/rlk_address.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long anything may take before a test has failed. */
#define LIMIT_MS 10000

static char path[64];
static int listener = -1, client = -1, control = -1;
static pid_t child;
static rlk_slots slots;
static rlk_area_server entry;
static char in[1 << 20];
static size_t in_len;
static volatile sig_atomic_t signals, terms;
static bool has_pidfd; /* of us, the child */

static void on_signal(int sig)
{
	if (sig == SIGTERM)
		terms++;
	else
		signals++;
}

static inline bool ready(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n;

	do {
		n = poll(&p, 1, LIMIT_MS); /* the child's signals end it early */
	} while (n < 0);
	return n > 0;
}

static inline bool accept_child(void)
{
	if (client >= 0)
		close(client);
	in_len = 0;
	client = ready(listener) ? accept(listener, NULL, NULL) : -1;
	return client >= 0;
}

static inline bool reply(const char *text)
{
	return send(client, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

/* The name of a script, for its text or its digest; else the word itself. */
static inline rlk_str word_for(rlk_str word)
{
	for (size_t i = 0; i < RLK_SCRIPTS_COUNT; i++) {
		if (rlk_str_equal(word, rlk_scripts_all[i]->text) || rlk_str_equal(word, rlk_scripts_all[i]->sha1))
			return rlk_str_from_cstr(rlk_scripts_all[i]->name);
	}
	return word;
}

/* One request from the start of `in` as words with blanks between; its length, 0 when it is not complete. */
static inline size_t scan_request(char *words, size_t size)
{
	char *p = in, *end = in + in_len;
	long argc;

	*end = '\0';
	words[0] = '\0';
	if (in_len < 4 || *p != '*' || strstr(p, "\r\n") == NULL)
		return 0;
	argc = strtol(p + 1, &p, 10);
	for (p += 2; argc > 0; argc--) {
		size_t used = strlen(words);
		rlk_str word;
		long len;

		if (p >= end || *p != '$' || strstr(p, "\r\n") == NULL)
			return 0;
		len = strtol(p + 1, &p, 10);
		if (end - p < len + 4)
			return 0;
		word = word_for(rlk_str_make(p + 2, (size_t)len));
		snprintf(words + used, size - used, "%s%.*s", used > 0 ? " " : "", (int)word.len, word.data);
		p += len + 4;
	}
	return (size_t)(p - in);
}

/* The next request, "" when none comes or the child hangs up. */
static inline const char *request(void)
{
	static char words[1024];
	size_t used;

	while ((used = scan_request(words, sizeof(words))) == 0) {
		ssize_t n = ready(client) ? recv(client, in + in_len, sizeof(in) - 1 - in_len, 0) : 0;

		if (n <= 0)
			return "";
		in_len += (size_t)n;
	}
	in_len -= used;
	memmove(in, in + used, in_len);
	return words;
}

static inline bool hung_up(void)
{
	return ready(client) && recv(client, in, sizeof(in), 0) == 0;
}

/* A server that listens, an area with nothing in it, no child yet. */
static inline bool begin(void)
{
	rlk_server server = { .transport = RLK_TRANSPORT_UNIX, .path = path };

	signals = terms = 0;
	memset(&entry, 0, sizeof(entry));
	if (!rlk_slots_init(&slots, NULL) ||
		!rlk_address_resolve(&server, NULL, RLK_DEADLINE_NONE, &entry.addresses[0], NULL))
		return false;
	rlk_server_init(&entry.server, LIMIT_MS, LIMIT_MS);
	atomic_store(&entry.tracking, RLK_TRACKING_REFUSED); /* test_child_tracks.c asks */
	unlink(path);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return listener >= 0 &&
		bind(listener, (struct sockaddr *)&entry.addresses[0].item[0].addr, entry.addresses[0].item[0].len) == 0 &&
		listen(listener, 8) == 0;
}

/* A lock with the name of its slot's number. Its state is the caller's to set, last. */
static inline rlk_slot *lock(const char *resting, int64_t ttl_ms, int64_t interval_ms)
{
	char key[16], waiters[32];
	rlk_slot_strings strings;
	rlk_slot *slot;
	int index;

	snprintf(key, sizeof(key), "key%u", atomic_load(&slots.area->slots_used));
	snprintf(waiters, sizeof(waiters), "{%s}:rlk:waiters", key);
	strings = (rlk_slot_strings){ rlk_str_from_cstr(key), RLK_STR("token"), rlk_str_from_cstr(resting),
		rlk_str_from_cstr(waiters) };
	index =
		rlk_slots_take(&slots, &strings, (uint32_t)rlk_slots_enter_server(&slots, &entry, NULL), RLK_SLOT_NONE, NULL);
	slot = &slots.area->slots[index];
	slot->interval_ms = interval_ms;
	slot->linger_ms = slot->hold_at_least_ms = 0;
	slot->max_hold_ms = RLK_NEVER;
	atomic_store(&slot->ttl_ms, ttl_ms);
	atomic_store(&slot->acquired_at_ms, rlk_clock_now_ms());
	rlk_slot_set_valid_until(slot, rlk_clock_now_ms() + rlk_validity_ms(ttl_ms));
	return slot;
}

static inline rlk_slot *active_lock(int64_t ttl_ms, int64_t interval_ms)
{
	rlk_slot *slot = lock("", ttl_ms, interval_ms);

	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	return slot;
}

static inline bool start(void)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) != 0)
		return false;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		rlk_child_env env = { .slots = &slots,
			.memory = rlk_os_map(rlk_child_size(), false),
			.control = fds[1],
			.parent_pid = (long)getppid(),
			.parent_pidfd = -1 };

#ifdef SYS_pidfd_open
		if (has_pidfd)
			env.parent_pidfd = (int)syscall(SYS_pidfd_open, env.parent_pid, 0);
#endif
		close(fds[0]);
		close(listener);
		rlk_child_run(&env);
		_exit(0);
	}
	close(fds[1]);
	control = fds[0];
	return child > 0;
}

static inline bool tell(char message)
{
	return send(control, &message, 1, MSG_NOSIGNAL) == 1;
}

/* The lock's time is over, now that the child has asked for it: a short one might be over before, on a machine that is busy. */
static inline bool runs_out(rlk_slot *slot)
{
	rlk_slot_set_valid_until(slot, rlk_clock_now_ms());
	return tell(RLK_WORKER_WAKE);
}

static inline bool reaches(const _Atomic uint32_t *state, uint32_t wanted)
{
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < until_ms; usleep(500)) {
		if (atomic_load(state) == wanted)
			return true;
	}
	return false;
}

static inline void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The child ends by itself, and well. */
static inline bool ends(void)
{
	int status = -1;

	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < until_ms; usleep(500)) {
		if (waitpid(child, &status, WNOHANG) == child) {
			child = 0;
			return WIFEXITED(status) && WEXITSTATUS(status) == 0;
		}
	}
	return false;
}

static inline void clean_up(void)
{
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	child = 0;
	drop(&client);
	drop(&listener);
	drop(&control);
	rlk_slots_destroy(&slots);
	unlink(path);
}

/* Until so many renewals have been counted. */
static inline bool counts(uint64_t renewals)
{
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < until_ms; usleep(500)) {
		if (atomic_load(&slots.area->renewals) == renewals)
			return true;
	}
	return false;
}

/* Before the first test. */
static inline void prepare(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGURG, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	snprintf(path, sizeof(path), "/tmp/rlk_child_%ld", (long)getpid());
}

/* Where a check fails a test ends at once, and cannot clean up itself. */
#define RUN_CLEAN(test) \
	do { \
		RUN(test); \
		clean_up(); \
	} while (0)

#endif
