/* unit: POSIX only: the renewal child is a fork */
/*
 * test_child_releases: the renewal child releases what its parent has left, and ends.
 */
#include "child_case.h"

static void releases_when_the_parent_is_gone(void)
{
	CHECK(begin());
	active_lock(60000, 20000);
	CHECK(start() && accept_child());
	drop(&control);
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

/* The SET of the dead parent may come later than our release. */
static void looks_for_an_armed_lock_again(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	atomic_store(&slot->acquired_at_ms, 0);
	rlk_slot_set_valid_until(slot, 0);
	atomic_store(&slot->state, RLK_SLOT_ARMED);
	CHECK(start());
	drop(&control);
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":0\r\n"));
	CHECK_STR(request(), "EVALSHA release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":0\r\n"));
	CHECK_STR(request(), "EVALSHA release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

/* Without the right to wake anybody the lock is released all the same. */
static void releases_without_waking(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	drop(&control);
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply("-NOPERM No permissions to access a key\r\n"));
	CHECK_STR(request(), "EVALSHA release 1 key0 token");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

static void puts_a_lingering_lock_to_rest(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("resting", 60000, 20000);
	slot->linger_ms = 5000;
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	drop(&control);
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token resting 5000");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

static void finishes_what_is_left_to_it(void)
{
	rlk_slot *mine, *other;

	CHECK(begin());
	mine = lock("", 60000, 20000);
	other = lock("", 60000, 20000);
	/* Both before it looks for the first time, or it might see the second alone. */
	atomic_store(&mine->state, RLK_SLOT_RELEASE);
	atomic_store(&other->state, RLK_SLOT_RELEASE);
	CHECK(start() && tell(RLK_WORKER_WAKE) && accept_child());
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK_STR(request(), "EVALSHA release 3 key1 {key1}:rlk:waiters {key1}:rlk:signal token");
	/* Told to end it still waits for the answers, and repeats what met an error. */
	CHECK(tell(RLK_WORKER_QUIT));
	CHECK(reply("-BUSY a script runs\r\n:0\r\n"));
	CHECK(reaches(&other->state, RLK_SLOT_RELEASED));
	CHECK_STR(request(), "EVALSHA release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK_INT(atomic_load(&mine->state), RLK_SLOT_RELEASE);
	CHECK(reply(":1\r\n"));
	CHECK(reaches(&mine->state, RLK_SLOT_RELEASED));
	CHECK(ends());
}

/* The parent releases what it holds before it says so. */
static void quits_without_a_word_to_the_server(void)
{
	CHECK(begin());
	active_lock(60000, 20000);
	CHECK(start() && accept_child());
	CHECK(tell(RLK_WORKER_QUIT));
	CHECK_STR(request(), "");
	CHECK(ends());
}

int main(void)
{
	prepare();
	RUN_CLEAN(releases_when_the_parent_is_gone);
	RUN_CLEAN(looks_for_an_armed_lock_again);
	RUN_CLEAN(releases_without_waking);
	RUN_CLEAN(puts_a_lingering_lock_to_rest);
	RUN_CLEAN(finishes_what_is_left_to_it);
	RUN_CLEAN(quits_without_a_word_to_the_server);
	return unit_done();
}
