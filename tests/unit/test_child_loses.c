/* unit: POSIX only: the renewal child is a fork */
/*
 * test_child_loses: the renewal child finds out that a lock is lost, and says so.
 */
#include "child_case.h"

static void loses_what_is_not_ours(void)
{
	rlk_slot *lost, *kept;

	CHECK(begin());
	lost = active_lock(60000, 20);
	kept = active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK_STR(request(), "EVALSHA renew 1 key1 token 60000");
	CHECK(reply(":0\r\n:1\r\n"));
	CHECK(reaches(&lost->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&lost->lost_reason), RLK_LOST_NOT_OURS);
	/* Whoever deleted it may have told nobody. */
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":0\r\n"));
	/* From now on for the other one alone; and the parent is told until it takes note. */
	for (int i = 0; i < 4; i++) {
		CHECK_STR(request(), "EVALSHA renew 1 key1 token 60000");
		CHECK(reply(":1\r\n"));
	}
	CHECK_INT(atomic_load(&kept->state), RLK_SLOT_ACTIVE);
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; signals < 2 && rlk_clock_now_ms() < until_ms; usleep(500))
		;
	CHECK(signals >= 2);
	atomic_store(&lost->signals_off, 1);
}

static void loses_what_expires(void)
{
	rlk_slot *slot;

	CHECK(begin());
	drop(&listener);
	unlink(path);
	slot = active_lock(150, 50);
	CHECK(start());
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_EXPIRED);
	CHECK(rlk_clock_now_ms() >= rlk_slot_valid_until(slot));
}

static void loses_what_a_silent_server_has(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(runs_out(slot));
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_EXPIRED);
}

/* At once, whether or not the parent has taken note; and once, whatever it says then. */
static void releases_what_it_has_lost(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(runs_out(slot));
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_LOST);
	CHECK(reply(":1\r\n:1\r\n"));
	rlk_slots_leave_to_child(&slots, (int)(slot - slots.area->slots));
	CHECK(tell(RLK_WORKER_WAKE));
	CHECK(reaches(&slot->state, RLK_SLOT_RELEASED));
	CHECK(tell(RLK_WORKER_QUIT));
	CHECK_STR(request(), "");
	CHECK(ends());
}

/* Another lock may have it by now. */
static void releases_a_token_of_the_callers_when_told_only(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20);
	slot->from_caller = true;
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(runs_out(slot));
	for (int told = signals; signals < told + 2;)
		usleep(500); /* it has looked at the loss twice */
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_LOST);
	active_lock(60000, 20);
	CHECK(tell(RLK_WORKER_WAKE));
	CHECK_STR(request(), "EVALSHA renew 1 key1 token 60000");
	rlk_slots_leave_to_child(&slots, (int)(slot - slots.area->slots));
	CHECK(tell(RLK_WORKER_WAKE));
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
}

/* Each signal cuts short a sleep of the parent. Those a busy machine hands over as one only make it later. */
static void tells_less_and_less_often(void)
{
	int64_t begun_ms, until_ms;

	CHECK(begin());
	drop(&listener);
	unlink(path);
	active_lock(50, 20);
	begun_ms = rlk_clock_now_ms();
	CHECK(start());
	until_ms = begun_ms + LIMIT_MS;
	while (signals < 8 && rlk_clock_now_ms() < until_ms)
		usleep(500);
	CHECK(signals >= 8);
	CHECK(rlk_clock_now_ms() >= begun_ms + 1 + 2 + 4 + 8 + 16 + 32 + 64);
}

/* The parent is told of one loss at a time. */
static void tells_of_the_next_as_soon_as_one_is_noted(void)
{
	rlk_slot *first, *second;
	int64_t begun_ms, noted_ms;
	int before;

	CHECK(begin());
	drop(&listener);
	unlink(path);
	first = active_lock(50, 20);
	second = active_lock(50, 20);
	CHECK(start() && reaches(&first->state, RLK_SLOT_LOST) && reaches(&second->state, RLK_SLOT_LOST));
	begun_ms = rlk_clock_now_ms();
	while (rlk_clock_now_ms() < begun_ms + 500)
		usleep(500);
	/* Pauses double: by itself a third signal comes when as much time has passed again. */
	before = signals;
	noted_ms = rlk_clock_now_ms();
	atomic_store(&first->signals_off, 1);
	CHECK(tell(RLK_WORKER_ANEW));
	while (signals < before + 3 && rlk_clock_now_ms() - noted_ms < noted_ms - begun_ms)
		usleep(500);
	CHECK(signals >= before + 3);
}

static rlk_slot *lock_held_out(int64_t max_hold_ms)
{
	rlk_slot *slot = lock("", 60000, 20000);

	slot->max_hold_ms = max_hold_ms;
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	return slot;
}

static void loses_after_max_hold(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock_held_out(60000);
	CHECK(start() && accept_child());
	slot->max_hold_ms =
		rlk_clock_now_ms() - atomic_load(&slot->acquired_at_ms) + 100; /* the child has started by now */
	CHECK(tell(RLK_WORKER_WAKE));
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_MAX_HOLD);
	CHECK(rlk_clock_now_ms() >= atomic_load(&slot->acquired_at_ms) + slot->max_hold_ms);
	/* Its key is left to its TTL, also when the parent dies now. */
	drop(&control);
	CHECK_STR(request(), "");
	CHECK(ends());
}

/* The parent dies when max_hold is over, and the child learns of both at once. */
static void loses_after_max_hold_though_late(void)
{
	rlk_slot *slot;
	int status;

	CHECK(begin());
	slot = lock_held_out(60000);
	CHECK(start() && accept_child());
	kill(child, SIGSTOP);
	CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
	slot->max_hold_ms = rlk_clock_now_ms() - atomic_load(&slot->acquired_at_ms);
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
	drop(&control);
	kill(child, SIGCONT);
	CHECK_STR(request(), "");
	CHECK(ends());
	CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_MAX_HOLD);
}

/* Its parent may have seen that the time was over, and must not see the lock come back. */
static void a_late_answer_brings_nothing_back(void)
{
	rlk_slot *slot;
	int status;

	CHECK(begin());
	slot = active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	kill(child, SIGSTOP);
	CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
	rlk_slot_set_valid_until(slot, rlk_clock_now_ms());
	CHECK(reply(":1\r\n"));
	kill(child, SIGCONT);
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_EXPIRED);
}

#ifdef SYS_pidfd_open
/* valgrind does not know the system call. */
static bool can_signal_by_pidfd(void)
{
	int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	bool can = fd >= 0 && syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0) == 0;

	if (fd >= 0)
		close(fd);
	return can;
}

/* The parent has become another program: its end of the control socket is closed, but it lives. What it was about to acquire is
 * released, its lock kept. A loss ends the program. */
static void ends_the_program_that_loses(void)
{
	rlk_slot *kept, *armed;

	CHECK(begin());
	kept = active_lock(60000, 200);
	armed = lock("", 60000, 200);
	has_pidfd = true;
	CHECK(start() && accept_child());
	has_pidfd = false;
	CHECK(reaches(&slots.area->watch, RLK_WATCH_EXACT));
	atomic_store(&slots.area->grace_ms, RLK_NEVER);
	atomic_store(&slots.area->handed_over, 1);
	atomic_store(&armed->state, RLK_SLOT_ARMED);
	drop(&control);
	CHECK_STR(request(), "EVAL release 3 key1 {key1}:rlk:waiters {key1}:rlk:signal token");
	CHECK(reply(":1\r\n"));
	for (int i = 0; i < 3; i++) {
		CHECK_STR(request(), i == 0 ? "EVAL renew 1 key0 token 60000" : "EVALSHA renew 1 key0 token 60000");
		CHECK_INT(terms, 0);
		CHECK(reply(i < 2 ? ":1\r\n" : ":0\r\n"));
	}
	CHECK_STR(request(), "EVALSHA release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reaches(&kept->state, RLK_SLOT_LOST));
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; terms == 0 && rlk_clock_now_ms() < until_ms; usleep(500))
		;
	CHECK_INT(terms, 1);
	CHECK_INT(signals, 0);
}
#endif

int main(void)
{
	prepare();
	RUN_CLEAN(loses_what_is_not_ours);
	RUN_CLEAN(loses_what_expires);
	RUN_CLEAN(loses_what_a_silent_server_has);
	RUN_CLEAN(a_late_answer_brings_nothing_back);
	RUN_CLEAN(releases_what_it_has_lost);
	RUN_CLEAN(releases_a_token_of_the_callers_when_told_only);
	RUN_CLEAN(tells_less_and_less_often);
	RUN_CLEAN(tells_of_the_next_as_soon_as_one_is_noted);
	RUN_CLEAN(loses_after_max_hold);
	RUN_CLEAN(loses_after_max_hold_though_late);
#ifdef SYS_pidfd_open
	if (can_signal_by_pidfd())
		RUN_CLEAN(ends_the_program_that_loses);
	else
		printf("ok %d - ends_the_program_that_loses # SKIP pidfd_send_signal() is refused\n", ++unit_run);
#endif
	return unit_done();
}
