/* unit: add tests/unit/fake_server.c */
/* unit: POSIX only: there is no renewal thread yet */
/*
 * rlk_renewal with the thread that renews, and many that lock. What matters here is seen by the thread sanitizer
 * (scripts/unit.sh --tsan): who reads what another one writes.
 */
#include "renew/rlk_renewal.h"

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"
#include "net/rlk_socket.h"
#include "fake_server.h"
#include "renewal_case.h"
#include "unit.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS 300
#define TTL_MS 30000
/* A server that tells of no changes. */
#define SERVE "SERVE\nHELLO 3 => -ERR unknown command\nCLIENT TRACKING ON NOLOOP => -ERR unknown command\n"
#define LIMIT_MS 20000

static fake_server fake;
static rlk_server server;
static rlk_renewal renewal;
static atomic_int notified;

static void notify(void)
{
	atomic_fetch_add(&notified, 1);
}

static bool begin(const char *script)
{
	atomic_store(&notified, 0);
	rlk_renewal_init(&renewal, notify);
	rlk_server_init(&server, 5000, 5000);
	if (!fake_server_start(&fake, script) || !fake_server_address(&fake, &server))
		return false;
	return true;
}

static const char *end(void)
{
	rlk_renewal_stop(&renewal);
	rlk_server_destroy(&server);
	return fake_server_end(&fake);
}

static int arm(rlk_renewal_server *known, const char *key, int64_t interval_ms)
{
	const rlk_renewal_lock lock = { .backend = rlk_backend_thread,
		.deadline = RLK_DEADLINE_NONE,
		.servers = &server,
		.known = known,
		.server_count = 1,
		.key = rlk_str_from_cstr(key),
		.token = RLK_STR("mine"),
		.waiters = RLK_STR(""),
		.ttl_ms = TTL_MS,
		.interval_ms = interval_ms,
		.max_hold_ms = RLK_NEVER };

	return rlk_renewal_arm(&renewal, &lock, NULL);
}

static void activate(int slot)
{
	int64_t now_ms = rlk_clock_now_ms();

	rlk_renewal_activate(&renewal, slot, now_ms, now_ms + rlk_validity_ms(TTL_MS), 0);
}

static void nap(void)
{
	nanosleep(&(struct timespec){ 0, 200000 }, NULL);
}

/* Until the lock is valid for longer than it was. */
static bool is_renewed(int slot)
{
	int64_t before_ms = rlk_renewal_valid_until(&renewal, slot), limit_ms = rlk_clock_now_ms() + LIMIT_MS;

	while (rlk_renewal_valid_until(&renewal, slot) <= before_ms && rlk_clock_now_ms() < limit_ms)
		nap();
	return rlk_renewal_valid_until(&renewal, slot) > before_ms;
}

static void keeps(void)
{
	rlk_renewal_server known = { 0 };
	int slot;

	CHECK(begin(SERVE "EVALSHA * 1 k mine 30000 => -NOSCRIPT No\nEVAL * 1 k mine 30000 => :1"));
	CHECK(running_backend(&renewal) == NULL);
	slot = arm(&known, "k", 10);
	CHECK(slot != RLK_SLOT_NONE);
	CHECK_STR(running_backend(&renewal), "thread");
	activate(slot);
	CHECK(is_renewed(slot) && is_renewed(slot));
	CHECK(rlk_renewal_why_lost(&renewal, slot) == RLK_LOST_NOT);
	CHECK(rlk_renewal_close(&renewal, slot));
	rlk_renewal_disarm(&renewal, slot);
	CHECK_INT(atomic_load(&notified), 0);
	CHECK_STR(end(), "");
	CHECK(running_backend(&renewal) == NULL);
}

static void tells_of_a_loss(void)
{
	rlk_renewal_server known = { 0 };
	int64_t limit_ms = rlk_clock_now_ms() + LIMIT_MS;
	int slot;

	CHECK(begin(SERVE "EVALSHA ... => :0\nEVAL ... => :0"));
	slot = arm(&known, "k", 10);
	CHECK(slot != RLK_SLOT_NONE);
	activate(slot);
	while (atomic_load(&notified) == 0 && rlk_clock_now_ms() < limit_ms)
		nap();
	CHECK(rlk_renewal_why_lost(&renewal, slot) == RLK_LOST_NOT_OURS);
	CHECK_INT(rlk_renewal_valid_until(&renewal, slot), 0);
	rlk_renewal_note_loss(&renewal, slot, RLK_LOST_NOT_OURS);
	CHECK(!rlk_renewal_close(&renewal, slot));
	rlk_renewal_disarm(&renewal, slot);
	CHECK_STR(end(), "");
}

/* What the server refuses to confirm is left to the thread, which may still be at it when it is to end. */
static void ends_with_a_release_left_to_it(void)
{
	rlk_renewal_server known = { 0 };

	CHECK(begin(SERVE "EVALSHA ... => -NOSCRIPT No\nEVAL ... => :1"));
	for (int i = 0; i < 5; i++) {
		int slot = arm(&known, "k", 1000);

		CHECK(slot != RLK_SLOT_NONE);
		activate(slot);
		CHECK(rlk_renewal_close(&renewal, slot));
		rlk_renewal_leave_to_child(&renewal, slot);
		rlk_renewal_stop(&renewal);
	}
	CHECK_STR(end(), "");
}

static atomic_int troubles;

static void *lock_and_unlock(void *arg)
{
	rlk_renewal_server known = { 0 };
	char key[8];

	snprintf(key, sizeof(key), "k%d", *(int *)arg);
	for (int i = 0; i < ROUNDS; i++) {
		int slot = arm(&known, key, 1 + i % 3);

		if (slot == RLK_SLOT_NONE) {
			atomic_fetch_add(&troubles, 1);
			continue;
		}
		rlk_renewal_expect(&renewal, slot, rlk_clock_now_ms() + 1);
		activate(slot);
		if (i % 50 == 0 && !is_renewed(slot))
			atomic_fetch_add(&troubles, 1);
		rlk_renewal_after_extend(&renewal, slot, rlk_renewal_before_extend(&renewal, slot, TTL_MS),
			rlk_clock_now_ms() + TTL_MS);
		rlk_renewal_check_child(&renewal);
		rlk_renewal_resolve(&renewal);
		if (rlk_renewal_why_lost(&renewal, slot) != RLK_LOST_NOT)
			atomic_fetch_add(&troubles, 1);
		rlk_renewal_close(&renewal, slot);
		if (i % 7 == 0)
			rlk_renewal_leave_to_child(&renewal, slot);
		else
			rlk_renewal_disarm(&renewal, slot);
	}
	return NULL;
}

static void serves_many_threads(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];

	CHECK(begin(SERVE "EVALSHA ... => :1\nEVAL ... => :1"));
	atomic_store(&troubles, 0);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		CHECK_INT(pthread_create(&threads[i], NULL, lock_and_unlock, &numbers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK_INT(atomic_load(&troubles), 0);
	CHECK_STR(end(), "");
}

/* How many of these descriptors has a forked copy? */
static int open_in_copy(const int *numbers, int count)
{
	int status = -1, n = 0;
	pid_t pid = fork();

	if (pid == 0) {
		rlk_renewal_after_fork(&renewal);
		for (int i = 0; i < count; i++)
			n += fcntl(numbers[i], F_GETFD) >= 0;
		_exit(n);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_copy_keeps_nothing_of_the_thread(void)
{
	rlk_renewal_server known = { 0 };
	bool before[256];
	int slot, numbers[256], count = 0;

	CHECK(begin(SERVE "EVALSHA ... => :1\nEVAL ... => :1"));
	for (int fd = 0; fd < 256; fd++)
		before[fd] = fcntl(fd, F_GETFD) >= 0;
	slot = arm(&known, "k", 10);
	CHECK(slot != RLK_SLOT_NONE);
	activate(slot);
	CHECK(is_renewed(slot));
	for (int fd = 0; fd < 256; fd++) {
		if (!before[fd] && fcntl(fd, F_GETFD) >= 0)
			numbers[count++] = fd;
	}
	CHECK(count >= 4); /* of the pair two; both ends of the connection, of which one is the fake server's; a timer */
	CHECK_INT(open_in_copy(numbers, count), 1);
	CHECK(is_renewed(slot));
	CHECK(rlk_renewal_close(&renewal, slot));
	rlk_renewal_disarm(&renewal, slot);
	CHECK_STR(end(), "");
}

/* A thread that was idle for long enough has ended, and its numbers are others' by now. */
static void a_copy_closes_nothing_of_others(void)
{
	rlk_renewal_server known = { 0 };
	int slot, numbers[8];

	CHECK(begin(SERVE "EVALSHA ... => :1\nEVAL ... => :1"));
	rlk_renewal_request_begins(&renewal);
	slot = arm(&known, "k", 10);
	CHECK(slot != RLK_SLOT_NONE);
	activate(slot);
	CHECK(is_renewed(slot));
	CHECK(rlk_renewal_close(&renewal, slot));
	rlk_renewal_disarm(&renewal, slot);
	rlk_renewal_request_ends(&renewal, 100, true);
	CHECK_STR(running_backend(&renewal), "thread");
	CHECK(rlk_socket_wait(renewal.worker.control, RLK_SOCKET_READABLE, rlk_clock_now_ms() + LIMIT_MS) == 1);
	for (int i = 0; i < 8; i++)
		numbers[i] = dup(0);
	CHECK_INT(open_in_copy(numbers, 8), 8);
	for (int i = 0; i < 8; i++)
		close(numbers[i]);
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(keeps);
	RUN(tells_of_a_loss);
	RUN(ends_with_a_release_left_to_it);
	RUN(serves_many_threads);
	RUN(a_copy_keeps_nothing_of_the_thread);
	RUN(a_copy_closes_nothing_of_others);
	return unit_done();
}
