/*
 * rlk_child_slots_posix: what the child does about each slot: renews it, releases it, tells the parent of its loss.
 */
#include "renew/rlk_child_own.h"

#include "lock/rlk_lock.h"
#include "lock/rlk_scripts.h"
#include "lock/rlk_wait.h"

#include <signal.h>

/* A loss is signalled until the parent has noted it: soon again, since it may have been about to sleep, then less often. A signal
 * cuts short a sleep, and has PHP begin the timeout of a stream anew: with pauses that double, that takes three times as long at most. */
#define SIGNAL_FIRST_PAUSE_MS 1
#define SIGNAL_LAST_PAUSE_MS 30000

/* --- requests --------------------------------------------------------------------------------- */

/* The lock key and, for what may wake a waiter, the two keys for that. Returns how many. */
static size_t keys_for(rlk_child *c, uint32_t index, rlk_op_kind kind, rlk_str keys[3])
{
	const rlk_slot *slot = &c->area->slots[index];

	keys[0] = rlk_area_str(c->area, slot->key);
	keys[1] = rlk_area_str(c->area, slot->waiters);
	if (kind == RLK_OP_RENEW || kind == RLK_OP_CONFIRM || keys[1].len == 0 || c->views[index].wakes_nobody)
		return 1;
	keys[2] = rlk_keys_signal(keys[1], c->signal);
	return 3;
}

static rlk_kind kind_of(const rlk_slot *slot)
{
	return (rlk_kind){ atomic_load(&slot->kind), slot->permits, 1 };
}

bool rlk_child_request(rlk_child *c, uint32_t index, const rlk_slot *leader, rlk_op_kind kind, int64_t now_ms,
	int64_t resting_ms)
{
	const rlk_slot *slot = &c->area->slots[index];
	const uint32_t epoch = rlk_slot_epoch(leader); /* before the TTL, which the parent sets first */
	const int64_t ttl_ms = kind == RLK_OP_RENEW ? atomic_load(&leader->ttl_ms) : resting_ms;
	rlk_channel *channel = rlk_child_channel_of(c, index);
	const rlk_kind form = kind_of(slot);
	rlk_op op = { .slot = index,
		.generation = c->views[index].generation,
		.epoch = epoch,
		.kind = kind,
		.of_set = !rlk_kind_is_string(&form),
		.ttl_ms = ttl_ms,
		.sent_at_ms = now_ms };
	rlk_kind_words said;
	char number[RLK_RESP_INT_MAX];
	rlk_str keys[3], args[3];
	rlk_request words = { &rlk_script_release, keys, args, keys_for(c, index, kind, keys), 0 };

	if (kind == RLK_OP_RENEW || kind == RLK_OP_CONFIRM)
		words.script = kind == RLK_OP_RENEW ? &rlk_script_renew : &rlk_script_owned;
	args[words.arg_count++] = rlk_area_str(c->area, slot->token);
	if (kind != RLK_OP_RENEW && ttl_ms > 0)
		args[words.arg_count++] = rlk_area_str(c->area, slot->resting);
	if (kind == RLK_OP_RENEW || ttl_ms > 0)
		args[words.arg_count++] = rlk_resp_int(ttl_ms, number);
	return rlk_child_prepare_channel(c, index, &op) &&
		rlk_channel_queue(channel, &op, rlk_kind_say(&form, &words, &said));
}

/* --- slots ------------------------------------------------------------------------------------ */

void rlk_child_finish_release(rlk_child *c, rlk_slot *leader, rlk_slot_view *view)
{
	uint32_t release = RLK_SLOT_RELEASE;

	view->done = true;
	for (int i = (int)(leader - c->area->slots); i != RLK_SLOT_NONE; i = c->area->slots[i].next) {
		if (!rlk_child_is_current(c, i) || !c->views[i].done)
			return;
	}
	atomic_compare_exchange_strong(&leader->state, &release, RLK_SLOT_RELEASED);
}

/* How long the key is to stay although the lock ends now: hold_at_least after any end, linger after the holder's death. */
static int64_t rest_ms(const rlk_child *c, const rlk_slot *leader, int64_t now_ms)
{
	int64_t acquired_at_ms = atomic_load(&leader->acquired_at_ms);
	int64_t rest = 0;

	if (leader->resting.len == 0 || acquired_at_ms == 0)
		return 0;
	if (leader->hold_at_least_ms > 0)
		rest = acquired_at_ms + leader->hold_at_least_ms - now_ms;
	if (c->life == RLK_CHILD_ORPHANED && atomic_load(&leader->state) == RLK_SLOT_ACTIVE && leader->linger_ms > rest)
		rest = leader->linger_ms;
	return rest > 0 ? rest : 0;
}

/* Each visit_...() returns when the slot has to be visited again at the latest. */
static int64_t visit_release(rlk_child *c, uint32_t index, rlk_slot *leader, int64_t now_ms)
{
	rlk_slot_view *view = &c->views[index];
	int64_t open_at_ms;

	if (view->done) {
		rlk_child_finish_release(c, leader, view); /* the slot may have been LOST then, and be RELEASE now */
		return RLK_NEVER;
	}
	if (view->release_until_ms == 0) {
		/* The key has expired by then. The validity does not tell: a renewal may have been done without an answer. */
		view->release_until_ms = now_ms + atomic_load(&leader->ttl_ms);
		view->due_at_ms = now_ms;
		view->under_way = false; /* a renewal under way is answered before the release */
	}
	if (now_ms >= view->release_until_ms) {
		rlk_child_finish_release(c, leader, view);
		return RLK_NEVER;
	}
	if (view->under_way)
		return view->release_until_ms;
	if (now_ms < view->due_at_ms)
		return rlk_clock_earlier(view->due_at_ms, view->release_until_ms);
	open_at_ms = rlk_child_open_channel(c, index, now_ms);
	view->under_way = rlk_child_request(c, index, leader, RLK_OP_RELEASE, now_ms, rest_ms(c, leader, now_ms));
	return rlk_clock_earlier(view->release_until_ms, open_at_ms);
}

/* Has the child to release the lock? */
static bool is_to_be_released(const rlk_child *c, const rlk_slot *leader)
{
	switch ((rlk_slot_state)atomic_load(&leader->state)) {
		case RLK_SLOT_RELEASE:
			return true;
		case RLK_SLOT_ACTIVE:
			return c->life == RLK_CHILD_ORPHANED;
		case RLK_SLOT_ARMED:
		case RLK_SLOT_CLOSING:
			return rlk_child_is_alone(c);
		case RLK_SLOT_LOST:
			return (rlk_child_is_alone(c) || !leader->from_caller) &&
				rlk_lost_has_leftovers((rlk_lost_reason)atomic_load(&leader->lost_reason), leader->server_count > 1);
		default:
			return false;
	}
}

/* If the parent waits for this lock, it has better things to do when it gets it than to wake us for the first renewal. Else
 * it gets the lock in a moment, and we connect beside it. Of a service or Cluster it may learn only then where the key is. */
static int64_t visit_armed(rlk_child *c, uint32_t index, const rlk_slot *leader, int64_t now_ms)
{
	int64_t extend_at_ms = atomic_load(&leader->extend_at_ms);
	bool single = c->area->servers[c->area->slots[index].server].kind == RLK_TOPOLOGY_SINGLE;

	if (extend_at_ms == 0)
		return single ? rlk_child_open_channel(c, index, now_ms) : RLK_NEVER;
	return extend_at_ms > now_ms ? extend_at_ms : now_ms + RLK_WAIT_PROVISIONAL_MS / 2;
}

/* Between two renewals: asks for a lock whose key the server does not track yet, or has said to be changed; confirm_answered()
 * has the answer. If something changes it all the time, the pauses grow. Returns when the next is due. */
static int64_t confirm(rlk_child *c, uint32_t index, const rlk_slot *leader, int64_t now_ms)
{
	rlk_slot_view *view = &c->views[index];
	const rlk_channel *channel = rlk_child_channel_of(c, index);
	const rlk_kind kind = kind_of(&c->area->slots[index]);
	int64_t due_at_ms = rlk_clock_add(atomic_load(&leader->acquired_at_ms), RLK_TRACK_AFTER_MS);

	if (!rlk_channel_may_track(channel) || view->tracked_on == channel->connection || !rlk_kind_is_string(&kind))
		return RLK_NEVER;
	if (due_at_ms < view->confirm_at_ms)
		due_at_ms = view->confirm_at_ms;
	if (now_ms < due_at_ms)
		return due_at_ms;
	view->confirm_at_ms =
		now_ms + rlk_child_longer_pause(&view->confirm_pause_ms, RLK_BACKOFF_FIRST_MS, RLK_BACKOFF_LAST_MS);
	view->under_way = rlk_child_request(c, index, leader, RLK_OP_CONFIRM, now_ms, 0);
	return view->confirm_at_ms;
}

static int64_t visit_active(rlk_child *c, uint32_t index, rlk_slot *leader, int64_t now_ms)
{
	rlk_slot_view *view = &c->views[index];
	int64_t valid_until_ms = rlk_slot_valid_until(leader);
	int64_t held_until_ms = rlk_slot_held_until(leader);
	int64_t next_ms = rlk_clock_earlier(valid_until_ms, held_until_ms), pause_ms = rlk_slot_pause_ms(leader);
	bool *renews;

	if (now_ms >= next_ms) {
		rlk_slot_lose(leader, now_ms >= held_until_ms ? RLK_LOST_MAX_HOLD : RLK_LOST_EXPIRED);
		return now_ms; /* others of its group may have been visited before */
	}
	c->may_be_told = c->may_be_told || now_ms >= atomic_load(&leader->acquired_at_ms) + RLK_TRACK_AFTER_MS;
	/* Connects long before it is needed: if the parent dies, its lock is free within one round trip. */
	next_ms = rlk_clock_earlier(next_ms, rlk_child_open_channel(c, index, now_ms));
	renews = &c->renews[rlk_child_channel_of(c, index) - c->channels];
	if (view->under_way)
		return next_ms;
	if (view->due_at_ms == 0) {
		int64_t extend_at_ms = atomic_load(&leader->extend_at_ms);

		view->due_at_ms = extend_at_ms > 0 ? extend_at_ms : atomic_load(&leader->acquired_at_ms) + pause_ms;
	}
	view->due_at_ms = rlk_clock_earlier(view->due_at_ms, now_ms + pause_ms); /* the TTL may have become shorter */
	/* Beside another renewal it leaves up to half a pause early. From then on all locks of a server are in step, and cost
	 * one write per interval. */
	if (now_ms < view->due_at_ms - (*renews ? pause_ms / 2 : 0)) {
		next_ms = rlk_clock_earlier(next_ms, view->due_at_ms);
		return rlk_clock_earlier(next_ms, confirm(c, index, leader, now_ms));
	}
	view->under_way = rlk_child_request(c, index, leader, RLK_OP_RENEW, now_ms, 0);
	if (!view->under_way && !rlk_channel_is_ready(rlk_child_channel_of(c, index))) /* else it waits for room */
		atomic_fetch_add(&leader->unrenewed, 1);
	view->confirm_pause_ms = 0;
	*renews = *renews || view->under_way;
	return next_ms;
}

/* The parent has become a program that knows nothing of locks. SIGTERM asks it to end, and SIGKILL ends it. */
static int64_t end_program(rlk_child *c, int64_t now_ms)
{
	if (c->kill_at_ms == 0) {
		rlk_child_signal_program(c->env, SIGTERM);
		c->kill_at_ms = rlk_clock_add(now_ms, atomic_load(&c->area->grace_ms));
	} else if (now_ms >= c->kill_at_ms) {
		rlk_child_signal_program(c->env, SIGKILL);
		c->kill_at_ms = RLK_NEVER;
	}
	return c->kill_at_ms;
}

/* SIGURG: the parent's on_sigurg() has on_interrupt() (redislock_interrupt.c) called, and rlk_hold_note_loss() ends the signals. */
static int64_t visit_lost(rlk_child *c, uint32_t index, int64_t now_ms)
{
	rlk_slot_view *view = &c->views[index];

	if (atomic_load(&c->area->slots[index].signals_off) != 0)
		return RLK_NEVER;
	if (c->life == RLK_CHILD_GUARDS)
		return end_program(c, now_ms);
	if (!view->signalled)
		c->signal_at_ms = c->signal_pause_ms = 0;
	view->signalled = true;
	if (now_ms >= c->signal_at_ms) {
		rlk_child_signal_parent(c->env);
		c->signal_at_ms =
			now_ms + rlk_child_longer_pause(&c->signal_pause_ms, SIGNAL_FIRST_PAUSE_MS, SIGNAL_LAST_PAUSE_MS);
	}
	return c->signal_at_ms;
}

static int64_t visit(rlk_child *c, uint32_t index, int64_t now_ms)
{
	rlk_slot *slot = &c->area->slots[index];
	rlk_slot_view *view = &c->views[index];
	rlk_slot_state state = rlk_child_begin_visit(c, index); /* before the leader is looked up */
	rlk_slot *leader = rlk_child_leader_of(c->area, slot);
	int64_t next_ms = RLK_NEVER;

	if (view->generation != atomic_load(&slot->generation)) {
		memset(view, 0, sizeof(*view));
		view->generation = atomic_load(&slot->generation);
		c->used_at_ms = now_ms;
	}
	if (leader == NULL)
		return RLK_NEVER;
	/* What max_hold has ended is left to its ttl, and the parent may have known before us. */
	if (c->life == RLK_CHILD_ORPHANED && view->release_until_ms == 0 && rlk_slot_is_held_out(leader, now_ms))
		rlk_slot_lose(leader, RLK_LOST_MAX_HOLD);
	state = (rlk_slot_state)atomic_load(&leader->state);
	if (state == RLK_SLOT_ACTIVE && c->life < RLK_CHILD_QUITS) {
		next_ms = visit_active(c, index, leader, now_ms);
		state = (rlk_slot_state)atomic_load(&leader->state);
	} else if (state == RLK_SLOT_ARMED && c->life < RLK_CHILD_QUITS) {
		next_ms = visit_armed(c, index, leader, now_ms);
	}
	c->in_use = c->in_use || state == RLK_SLOT_ARMED || state == RLK_SLOT_ACTIVE || state == RLK_SLOT_CLOSING;
	if (is_to_be_released(c, leader))
		next_ms = rlk_clock_earlier(next_ms, visit_release(c, index, leader, now_ms));
	if (leader != slot || c->life >= RLK_CHILD_QUITS)
		return next_ms; /* the rest is for the leader, and for the parent's sake */
	if (state == RLK_SLOT_LOST)
		return rlk_clock_earlier(next_ms, visit_lost(c, index, now_ms));
	return next_ms;
}

int64_t rlk_child_visit_slots(rlk_child *c, int64_t now_ms, bool *busy)
{
	uint32_t slots = atomic_load(&c->area->slots_used);
	int64_t next_ms = RLK_NEVER;

	*busy = c->in_use = false;
	for (uint32_t i = 0; i < slots; i++) {
		int64_t at_ms = visit(c, i, now_ms);

		next_ms = rlk_clock_earlier(next_ms, at_ms);
		*busy = *busy || (at_ms != RLK_NEVER && c->views[i].release_until_ms > 0);
	}
	atomic_store(&c->area->visited, 0);
	return next_ms;
}
