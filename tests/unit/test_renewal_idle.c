/* unit: POSIX only: there is no renewal yet */
/*
 * A renewal child that stays between requests, and when it does not.
 */
#include "renew/rlk_renewal.h"

#include "base/rlk_os.h"
#include "renewal_case.h"
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONG_MS 60000

static rlk_renewal renewal;
static rlk_server server;
static rlk_renewal_server known;

static void notify(void)
{
}

/* Nobody listens there: it is about who tries. */
static void begin(void)
{
	rlk_renewal_init(&renewal, notify);
	rlk_server_init(&server, 1000, 1000);
	server.transport = RLK_TRANSPORT_UNIX;
	rlk_str_store(&server.path, RLK_STR("/nowhere"));
	known = (rlk_renewal_server){ 0 };
}

static void end(void)
{
	rlk_renewal_stop(&renewal);
	rlk_server_destroy(&server);
}

static int arm_by(const rlk_backend *backend)
{
	return arm_lock(&renewal, backend, &server, &known, 9000, NULL);
}

/* A request with one lock. Returns its child; 0: a thread; -1: none. */
static long request_by(const rlk_backend *backend, int64_t idle_ms)
{
	int slot;
	long pid;

	rlk_renewal_request_begins(&renewal);
	slot = arm_by(backend);
	pid = renewal.worker.pid;
	rlk_renewal_disarm(&renewal, slot);
	rlk_renewal_request_ends(&renewal, idle_ms, false);
	return slot != RLK_SLOT_NONE ? pid : -1;
}

static long request(int64_t idle_ms)
{
	return request_by(rlk_backend_process, idle_ms);
}

/* Ended, and reaped. */
static bool is_gone(long pid)
{
	return kill((pid_t)pid, 0) != 0;
}

static bool goes(long pid)
{
	for (int i = 0; i < 5000 && !is_gone(pid); i++)
		usleep(1000);
	return is_gone(pid);
}

/* Before anything is locked: a kill of the group spares it, however busy the machine is. */
static void it_has_a_process_group_of_its_own(void)
{
	begin();
	arm_by(rlk_backend_process);
	CHECK_INT(getpgid((pid_t)renewal.worker.pid), renewal.worker.pid);
	end();
}

/* A busy machine: it gets no processor, so it cannot say how it watches us. */
static void another_program_waits_for_a_young_one(void)
{
	rlk_error err;
	pid_t waker;
	long pid;

	begin();
	rlk_error_clear(&err);
	arm_by(rlk_backend_process);
	pid = renewal.worker.pid;
	CHECK_INT(kill((pid_t)pid, SIGSTOP), 0);
	waker = fork();
	if (waker == 0) {
		usleep(1500000);
		kill((pid_t)pid, SIGCONT);
		_exit(0);
	}
	CHECK(rlk_renewal_hand_over(&renewal, 0, &err));
	waitpid(waker, NULL, 0);
	end();
}

static void it_serves_one_request_after_the_other(void)
{
	long pid;

	begin();
	pid = request(LONG_MS);
	CHECK_INT(request(LONG_MS), pid);
	rlk_renewal_request_ends(&renewal, LONG_MS, false); /* a request without a lock */
	CHECK_INT(request(LONG_MS), pid);
	CHECK(!is_gone(pid));
	end();
	CHECK(is_gone(pid));
}

static void it_ends_when_it_was_idle_for_long_enough(void)
{
	int64_t began_ms;
	long pid, next;

	begin();
	pid = request(LONG_MS);
	began_ms = rlk_clock_now_ms();
	CHECK_INT(request(100), pid);
	/* Reaped by the handler of its signal: nothing of ours is called. */
	CHECK(goes(pid));
	CHECK(rlk_clock_now_ms() - began_ms >= 100);
	next = request(1500);
	CHECK(next != pid);
	/* One that is needed again stays, however often. */
	for (int i = 0; i < 4; i++) {
		usleep(500000);
		CHECK_INT(request(1500), next);
	}
	end();
}

/* Is the child asleep until then, or for so long at most? */
static bool sleeps_until(int64_t from_ms, int64_t most_ms)
{
	for (int i = 0; i < 5000; i++, usleep(1000)) {
		int64_t at_ms = atomic_load(&renewal.slots.area->wakes_at_ms);

		if (at_ms >= from_ms && at_ms != RLK_NEVER && at_ms - rlk_clock_now_ms() <= most_ms)
			return true;
	}
	return false;
}

/* Once it is awake the lock may be released. If it forgot when that was due, every such lock would wake it. */
static void short_locks_wake_it_once_in_an_interval(void)
{
	int64_t now_ms = rlk_clock_now_ms();
	int slot;

	begin();
	request(LONG_MS);
	CHECK(sleeps_until(now_ms + LONG_MS, RLK_NEVER)); /* there is nothing to do */
	slot = arm_by(rlk_backend_process);
	now_ms = rlk_clock_now_ms();
	rlk_renewal_activate(&renewal, slot, now_ms, now_ms + 10000, 0);
	rlk_renewal_disarm(&renewal, slot);
	rlk_renewal_request_ends(&renewal, LONG_MS, false);
	CHECK(sleeps_until(now_ms, 3000));
	end();
}

static void it_ends_with_its_request_if_it_is_to(void)
{
	long pid;
	int slots[300];

	begin();
	pid = request(0);
	CHECK(is_gone(pid));
	pid = request(LONG_MS);
	CHECK_INT(request(0), pid);
	CHECK(is_gone(pid));
	/* A request that used very much. */
	for (int i = 0; i < 300; i++)
		slots[i] = arm_by(rlk_backend_process);
	for (int i = 0; i < 300; i++)
		rlk_renewal_disarm(&renewal, slots[i]);
	pid = renewal.worker.pid;
	rlk_renewal_request_ends(&renewal, LONG_MS, false);
	CHECK(is_gone(pid));
	end();
}

static void another_thread_may_still_use_it(void)
{
	int slot;
	long pid;

	begin();
	slot = arm_by(rlk_backend_process);
	pid = renewal.worker.pid;
	rlk_renewal_request_ends(&renewal, 1, true);
	usleep(50000);
	CHECK(!is_gone(pid));
	rlk_renewal_request_ends(&renewal, 0, true);
	CHECK(!is_gone(pid));
	rlk_renewal_disarm(&renewal, slot);
	rlk_renewal_request_ends(&renewal, 0, true);
	CHECK(is_gone(pid));
	end();
}

/* Its end would be a signal to code that knows nothing of locks. */
static void it_does_not_end_during_a_request(void)
{
	long pid;

	begin();
	pid = request(1000);
	rlk_renewal_request_begins(&renewal);
	rlk_renewal_request_begins(&renewal); /* in another thread */
	usleep(1100000);
	CHECK(!is_gone(pid));
	/* Over time, but not over: the end of such a request ends it. */
	rlk_renewal_request_ends(&renewal, 60, true);
	CHECK(is_gone(pid));
	pid = request(60);
	rlk_renewal_request_ends(&renewal, 60, true);
	CHECK(goes(pid));
	rlk_renewal_request_begins(&renewal);
	CHECK(running_backend(&renewal) == NULL);
	CHECK(request(60) != pid);
	rlk_renewal_request_ends(&renewal, 60, true);
	/* A request without a lock changes nothing. */
	pid = request(1000);
	for (int i = 0; i < 3; i++) {
		rlk_renewal_request_begins(&renewal);
		rlk_renewal_request_ends(&renewal, 1000, false);
	}
	CHECK(!is_gone(pid));
	CHECK(goes(pid));
	end();
}

static void one_that_died_meanwhile_is_reaped_and_replaced(void)
{
	long pid, next;

	begin();
	pid = request(LONG_MS);
	kill((pid_t)pid, SIGKILL);
	CHECK(goes(pid));
	rlk_renewal_check_child(&renewal); /* as its signal has asked for */
	next = request(LONG_MS);
	CHECK(next != pid);
	CHECK_INT(request(LONG_MS), next);
	end();
}

static void changed_credentials_want_another_one(void)
{
	long pid, next;

	begin();
	/* Two users in one request are nothing that has changed. */
	CHECK(rlk_str_store(&server.password, RLK_STR("first")));
	CHECK(arm_by(rlk_backend_process) != RLK_SLOT_NONE);
	pid = renewal.worker.pid;
	known = (rlk_renewal_server){ 0 };
	CHECK(rlk_str_store(&server.password, RLK_STR("second")));
	CHECK(arm_by(rlk_backend_process) != RLK_SLOT_NONE);
	CHECK_INT(renewal.worker.pid, pid);
	rlk_renewal_disarm(&renewal, 0);
	rlk_renewal_disarm(&renewal, 1);
	rlk_renewal_request_ends(&renewal, LONG_MS, false);
	known = (rlk_renewal_server){ 0 };
	CHECK_INT(request(LONG_MS), pid);
	known = (rlk_renewal_server){ 0 };
	CHECK(rlk_str_store(&server.password, RLK_STR("third")));
	next = request(LONG_MS);
	CHECK(next != pid);
	CHECK(is_gone(pid));
	CHECK_INT(request(LONG_MS), next);
	end();
}

static void so_does_another_user_or_root_of_the_process(void)
{
	long pid, next;

	if (geteuid() != 0)
		return; /* nobody else may become another user */
	begin();
	pid = request(LONG_MS);
	CHECK_INT(seteuid(65534), 0);
	next = request(LONG_MS);
	CHECK(next != pid);
	CHECK(is_gone(pid));
	CHECK_INT(request(LONG_MS), next);
	CHECK_INT(seteuid(0), 0);
	pid = request(LONG_MS);
	CHECK(pid != next);
	CHECK(is_gone(next));
	end();
}

static void so_does_another_setting(void)
{
	long pid;

	begin();
	pid = request(LONG_MS);
	CHECK_INT(request_by(rlk_backend_thread, LONG_MS), 0);
	CHECK_STR(running_backend(&renewal), "thread");
	CHECK(is_gone(pid));
	CHECK_INT(request_by(rlk_backend_thread, 50), 0);
	usleep(200000); /* the thread is over by then, and joined when it is asked for, or in any case at the end */
	CHECK_INT(request_by(rlk_backend_thread, LONG_MS), 0);
	CHECK_INT(request_by(rlk_backend_thread, 1), 0);
	usleep(50000);
	CHECK(request(LONG_MS) > 0);
	CHECK_STR(running_backend(&renewal), "process");
	end();
}

/* Two workers must not write one area: the next one takes over what the first has left to do. */
static void a_release_that_is_left_is_the_next_ones(void)
{
	long pid;
	int slot;

	begin();
	slot = arm_by(rlk_backend_process);
	pid = renewal.worker.pid;
	rlk_renewal_activate(&renewal, slot, rlk_clock_now_ms(), rlk_clock_now_ms() + 9000, 0);
	rlk_renewal_leave_to_child(&renewal, slot);
	rlk_renewal_request_ends(&renewal, LONG_MS, false);
	CHECK(arm_by(rlk_backend_thread) != RLK_SLOT_NONE);
	CHECK(is_gone(pid));
	CHECK_INT(atomic_load(&renewal.slots.area->slots[slot].state), RLK_SLOT_RELEASE);
	end();
}

static void a_forked_copy_leaves_it_alone(void)
{
	long pid;
	pid_t copy;
	int status;

	begin();
	pid = request(LONG_MS);
	copy = fork();
	if (copy == 0) {
		rlk_renewal_after_fork(&renewal);
		_exit(request(LONG_MS) != pid && !is_gone(pid) ? 0 : 1);
	}
	CHECK_INT(waitpid(copy, &status, 0), copy);
	CHECK_INT(status, 0);
	CHECK_INT(request(LONG_MS), pid);
	end();
}

int main(void)
{
	RUN(it_has_a_process_group_of_its_own);
	RUN(another_program_waits_for_a_young_one);
	RUN(it_serves_one_request_after_the_other);
	RUN(it_ends_when_it_was_idle_for_long_enough);
	RUN(short_locks_wake_it_once_in_an_interval);
	RUN(it_ends_with_its_request_if_it_is_to);
	RUN(another_thread_may_still_use_it);
	RUN(it_does_not_end_during_a_request);
	RUN(one_that_died_meanwhile_is_reaped_and_replaced);
	RUN(changed_credentials_want_another_one);
	RUN(so_does_another_user_or_root_of_the_process);
	RUN(so_does_another_setting);
	RUN(a_release_that_is_left_is_the_next_ones);
	RUN(a_forked_copy_leaves_it_alone);
	return unit_done();
}
