/*
 * rlk_child_posix: see rlk_child.h.
 *
 * One loop: look at every slot, do what is due, send, sleep until the next
 * point in time or event. Slots are looked at afresh each time; what the child
 * itself knows of a slot (its view) is void once the slot's tenancy changes.
 */
#include "renew/rlk_child.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "core/rlk_keys.h"
#include "core/rlk_lock.h"
#include "core/rlk_quorum.h"
#include "core/rlk_scripts.h"
#include "core/rlk_wait.h"
#include "renew/rlk_child_link.h"
#include "renew/rlk_child_os.h"
#include "renew/rlk_child_route.h"
#include "wire/rlk_stream.h"

#include <poll.h>

/* A loss is signalled again until the parent takes note, at once at first, since it may have been in the middle of a
 * call, then more rarely, since it may be in another fiber for long. */
#define SIGNAL_FIRST_PAUSE_MS 1
#define SIGNAL_LAST_PAUSE_MS 64

/* Resolving blocks the parent, and name services answer from caches for seconds anyway. */
#define RESOLVE_EVERY_MS 1000

typedef struct {
	uint32_t tenancy;
	bool under_way;    /* a request for this slot awaits its reply */
	bool done;         /* its release is done or given up */
	bool wakes_nobody; /* the server refuses us the keys that wake waiters */
	rlk_way way;       /* to the server that has the key */
	int backoff_ms;
	int64_t due_at_ms;     /* next renewal or release; 0: not yet determined */
	int64_t give_up_at_ms; /* of the release; 0: not yet determined */
	int64_t signal_at_ms;
	int signal_pause_ms;

	/* In a group: what its server said last. */
	int64_t until_ms; /* it has the lock until then, if */
	uint32_t epoch;   /* that is still the slot's; */
	bool refused;     /* or the lock is not ours there */
} slot_view;

typedef struct {
	const rlk_child_env *env;
	rlk_area *area;
	bool orphaned; /* the parent is gone */
	bool quitting;
	bool ended;
	bool again;                         /* something was answered: look at the slots once more before sleeping */
	int64_t asked_at_ms[RLK_PEERS_MAX]; /* when the parent was last asked to resolve a name again */
	bool renews[RLK_LINKS_MAX];         /* a renewal on this link leaves now: others go along, see look_active() */
	int timer;                          /* -1: none, poll()'s own timeout serves */
	slot_view views[RLK_SLOTS_MAX];
	char signal[RLK_SLOT_WAITERS_MAX]; /* where that key is put together for one request */
	rlk_child_route route;
	rlk_link links[RLK_LINKS_MAX];
} child;

static int64_t earlier(int64_t a_ms, int64_t b_ms)
{
	return a_ms < b_ms ? a_ms : b_ms;
}

static int64_t longest_pause_ms(const rlk_slot *slot)
{
	return earlier(slot->interval_ms, atomic_load(&slot->ttl_ms) / 2);
}

static int64_t next_backoff(slot_view *view, int64_t now_ms)
{
	view->backoff_ms = view->backoff_ms == 0 ? RLK_LINK_BACKOFF_FIRST_MS : view->backoff_ms * 2;
	if (view->backoff_ms > RLK_LINK_BACKOFF_LAST_MS)
		view->backoff_ms = RLK_LINK_BACKOFF_LAST_MS;
	return now_ms + view->backoff_ms;
}

static void lose(rlk_slot *slot, rlk_lost_reason reason)
{
	uint32_t active = RLK_SLOT_ACTIVE;

	atomic_store(&slot->lost_reason, reason);
	atomic_compare_exchange_strong(&slot->state, &active, RLK_SLOT_LOST);
}

/* Whose state and times count for this slot: those of its leader, its own where it is alone. NULL: the group is gone. */
static rlk_slot *leader_of(rlk_area *area, rlk_slot *slot)
{
	rlk_slot *leader;

	if (atomic_load(&slot->state) != RLK_SLOT_MEMBER)
		return slot;
	leader = &area->slots[slot->leader];
	return atomic_load(&leader->tenancy) == slot->leader_tenancy ? leader : NULL;
}

/* Does what we know of a slot concern the lock that is in it now? */
static bool is_current(const child *c, int index)
{
	return c->views[index].tenancy == atomic_load(&c->area->slots[index].tenancy);
}

/* The release of one server is done or given up; that of the lock is with the last of them. */
static void finish_release(child *c, rlk_slot *leader, slot_view *view)
{
	uint32_t release = RLK_SLOT_RELEASE;

	view->done = true;
	for (int i = (int)(leader - c->area->slots); i != RLK_SLOT_NONE; i = c->area->slots[i].next) {
		if (!is_current(c, i) || !c->views[i].done)
			return;
	}
	atomic_compare_exchange_strong(&leader->state, &release, RLK_SLOT_RELEASED);
}

/* Until when most servers of a group have the lock; *refused: how many have said that it is not ours. */
static int64_t majority_until(const child *c, const rlk_slot *leader, int *refused)
{
	int64_t until_ms[RLK_QUORUM_MAX];
	uint32_t epoch = atomic_load(&leader->epoch);
	int known = 0;

	*refused = 0;
	for (int i = (int)(leader - c->area->slots); i != RLK_SLOT_NONE && known < RLK_QUORUM_MAX;
		 i = c->area->slots[i].next) {
		const slot_view *view = &c->views[i];

		if (!is_current(c, i))
			continue;
		*refused += view->refused;
		until_ms[known++] = view->epoch == epoch ? view->until_ms : 0;
	}
	return rlk_quorum_majority_until(until_ms, known, (int)leader->servers);
}

static void renewed(child *c, rlk_slot *leader, slot_view *view, const rlk_op *op)
{
	int64_t sent_at_ms = op->kind == RLK_OP_REPLICATE ? op->renewed_at_ms : op->sent_at_ms;
	int64_t valid_until_ms = sent_at_ms + rlk_lock_validity_ms(op->ttl_ms);
	int refused;

	view->backoff_ms = 0;
	view->due_at_ms = sent_at_ms + longest_pause_ms(leader);
	atomic_fetch_add(&c->area->renewals, 1);
	if (leader->servers > 1) {
		view->refused = false;
		view->epoch = op->epoch;
		view->until_ms = rlk_quorum_valid_until(op->sent_at_ms, op->ttl_ms);
		valid_until_ms = majority_until(c, leader, &refused);
	}
	if (op->epoch == atomic_load(&leader->epoch) && valid_until_ms > atomic_load(&leader->valid_until_ms))
		atomic_store(&leader->valid_until_ms, valid_until_ms);
}

static bool queue(child *c, uint32_t index, rlk_op_kind kind, int64_t now_ms, int64_t number_ms);

/* It is not ours on this server. Where there are more, that is a loss once the others cannot make a majority. */
static void refused(child *c, uint32_t index, rlk_slot *leader, slot_view *view, int64_t now_ms)
{
	int servers = (int)leader->servers, refused;

	view->refused = true;
	view->until_ms = 0;
	view->due_at_ms = now_ms + longest_pause_ms(leader);
	majority_until(c, leader, &refused);
	if (refused <= servers - rlk_quorum_needed(servers))
		return;
	lose(leader, RLK_LOST_NOT_OURS);
	if (servers == 1)
		queue(c, index, RLK_OP_WAKE, now_ms, 0); /* if whoever deleted it did not */
}

static rlk_link *link_of(child *c, uint32_t index)
{
	return &c->links[rlk_child_route_number(&c->route, &c->area->slots[index], &c->views[index].way)];
}

/* Before anything of a slot is read. Unless it is FREE or RELEASED, it stays as it is until the next look. */
static rlk_slot_state begin_look(child *c, uint32_t index)
{
	atomic_store(&c->area->looked_at, index + 1);
	return (rlk_slot_state)atomic_load(&c->area->slots[index].state);
}

/* The server refuses what we use: the next one is tried, scripts, DELEX, DELIFEQ in turn. Several locks may be told of one
 * refusal. */
static bool uses_something_else(rlk_link *link, const rlk_op *op, const rlk_resp_any *reply)
{
	static const rlk_native next[] = { [RLK_NATIVE_NONE] = RLK_NATIVE_DELEX,
		[RLK_NATIVE_DELEX] = RLK_NATIVE_DELIFEQ,
		[RLK_NATIVE_DELIFEQ] = RLK_NATIVE_NONE };

	if (!rlk_str_starts_with(reply->text, RLK_STR("NOPERM")) &&
		!rlk_str_starts_with(reply->text, RLK_STR("ERR unknown command")) &&
		!rlk_str_starts_with(reply->text, RLK_STR("ERR syntax error"))) /* SET has no IFEQ */
		return false;
	if (link->native == op->native)
		link->native = next[link->native];
	return link->native != RLK_NATIVE_NONE; /* after a round without success there is a pause */
}

/* Done, or not ours: scripts and deletes say so by a number, SET by OK and nil. false: neither. */
static bool says_whether(const rlk_op *op, const rlk_resp_any *reply, bool *done)
{
	bool native = op->native != RLK_NATIVE_NONE, sets = native && (op->kind == RLK_OP_RENEW || op->kind == RLK_OP_REST);

	*done = sets ? reply->type == RLK_RESP_STATUS && rlk_str_equal(reply->text, RLK_STR("OK")) : reply->integer == 1;
	/* A compare command finds no string: not our token. DELEX has no code of its own for that. */
	if (native && reply->type == RLK_RESP_ERROR)
		return rlk_str_starts_with(reply->text, RLK_STR("WRONGTYPE")) ||
			rlk_str_starts_with(reply->text, RLK_STR("ERR Key should be of string type"));
	return sets ? *done || reply->type == RLK_RESP_NIL : reply->type == RLK_RESP_INTEGER;
}

/* The master has renewed: do enough replicas know? */
static bool replicate(child *c, const rlk_op *renewal, int64_t now_ms)
{
	const rlk_slot *slot = &c->area->slots[renewal->slot];
	char min[RLK_RESP_INT_MAX], timeout[RLK_RESP_INT_MAX];
	const rlk_str argv[] = { RLK_STR("WAIT"), rlk_resp_int(slot->replicas.min, min),
		rlk_resp_int(slot->replicas.timeout_ms, timeout) };
	rlk_op op = *renewal;

	op.kind = RLK_OP_REPLICATE;
	op.renewed_at_ms = renewal->sent_at_ms;
	op.sent_at_ms = now_ms;
	op.blocked_ms = slot->replicas.timeout_ms;
	return rlk_link_queue_command(link_of(c, renewal->slot), &op, argv, 3);
}

static void answered(void *arg, const rlk_op *op, const rlk_resp_any *reply)
{
	child *c = arg;
	rlk_slot *slot = &c->area->slots[op->slot], *leader;
	slot_view *view = &c->views[op->slot];
	int64_t now_ms = rlk_clock_now_ms();
	rlk_slot_state state;
	rlk_way_turn turn;
	bool done;

	c->again = true;
	if (op->kind == RLK_OP_LOCATE)
		rlk_child_route_located(&c->route, op->slot, reply, now_ms);
	if (op->kind == RLK_OP_LOCATE || op->kind == RLK_OP_ASKING)
		return;
	state = begin_look(c, op->slot);
	leader = leader_of(c->area, slot);
	if (leader == NULL || state == RLK_SLOT_FREE || state == RLK_SLOT_RELEASED)
		return;
	if (op->tenancy != view->tenancy || op->tenancy != atomic_load(&slot->tenancy))
		return;
	if (op->kind == RLK_OP_WAKE ||
		((op->kind == RLK_OP_RENEW || op->kind == RLK_OP_REPLICATE) && view->give_up_at_ms > 0))
		return; /* nothing hangs on it; it is being released by now */
	view->under_way = false;
	turn = reply != NULL ? rlk_child_route_redirect(&c->route, slot, &view->way, reply, now_ms) : RLK_WAY_STAYS;
	if (turn == RLK_WAY_CHANGED) {
		view->due_at_ms = now_ms;
	} else if (turn == RLK_WAY_SPLIT) {
		view->wakes_nobody = true; /* without the other keys it is of one place */
		view->due_at_ms = now_ms;
	} else if (reply == NULL ||
		(reply->type == RLK_RESP_ERROR && rlk_str_starts_with(reply->text, RLK_STR("NOSCRIPT")))) {
		view->due_at_ms = now_ms; /* the link has its own pauses, the script now goes by text */
	} else if (op->kind == RLK_OP_REPLICATE) {
		if (reply->type == RLK_RESP_INTEGER && reply->integer >= slot->replicas.min)
			renewed(c, leader, view, op);
		else
			view->due_at_ms = next_backoff(view, now_ms);
	} else if (reply->type == RLK_RESP_ERROR && rlk_str_starts_with(reply->text, RLK_STR("NOPERM")) &&
		op->kind != RLK_OP_RENEW && !view->wakes_nobody) {
		view->wakes_nobody = true;
		view->due_at_ms = now_ms;
	} else if (reply->type == RLK_RESP_ERROR && uses_something_else(link_of(c, op->slot), op, reply)) {
		view->due_at_ms = now_ms;
	} else if (!says_whether(op, reply, &done)) {
		view->due_at_ms = next_backoff(view, now_ms);
	} else if (op->kind == RLK_OP_RENEW) {
		if (done && slot->replicas.min > 0) {
			view->under_way = replicate(c, op, now_ms);
			if (!view->under_way)
				view->due_at_ms = next_backoff(view, now_ms);
		} else if (done) {
			renewed(c, leader, view, op);
		} else {
			refused(c, op->slot, leader, view, now_ms);
		}
	} else if (!done && atomic_load(&leader->state) == RLK_SLOT_ARMED) {
		/* The dead parent's SET may still be on its way to the server, on its own connection. */
		view->due_at_ms = next_backoff(view, now_ms);
	} else {
		finish_release(c, leader, view);
	}
}

/* The lock key and, for what may wake a waiter, the two keys that do. Returns how many. */
static size_t keys_for(child *c, uint32_t index, rlk_op_kind kind, rlk_str keys[3])
{
	const rlk_slot *slot = &c->area->slots[index];

	keys[0] = rlk_area_str(c->area, slot->key);
	keys[1] = rlk_area_str(c->area, slot->waiters);
	if (kind == RLK_OP_RENEW || keys[1].len == 0 || c->views[index].wakes_nobody)
		return 1;
	keys[2] = rlk_keys_signal(keys[1], c->signal);
	return 3;
}

/* Without scripts nobody is woken, and a renewal gives just the TTL it says. */
static bool queue_native(rlk_link *link, const rlk_op *op, rlk_str key, const rlk_str *args, rlk_str number)
{
	rlk_str value = op->kind == RLK_OP_REST ? args[1] : args[0];
	const rlk_str set[] = { RLK_STR("SET"), key, value, RLK_STR("IFEQ"), args[0], RLK_STR("PX"), number };
	const rlk_str delex[] = { RLK_STR("DELEX"), key, RLK_STR("IFEQ"), args[0] };
	const rlk_str delifeq[] = { RLK_STR("DELIFEQ"), key, args[0] };

	if (op->kind == RLK_OP_RENEW || op->kind == RLK_OP_REST)
		return rlk_link_queue_command(link, op, set, 7);
	return link->native == RLK_NATIVE_DELEX ? rlk_link_queue_command(link, op, delex, 4) :
											  rlk_link_queue_command(link, op, delifeq, 3);
}

static bool queue(child *c, uint32_t index, rlk_op_kind kind, int64_t now_ms, int64_t number_ms)
{
	const rlk_slot *leader = leader_of(c->area, &c->area->slots[index]);
	uint32_t epoch = leader != NULL ? atomic_load(&leader->epoch) : 0;
	const rlk_script *script = kind == RLK_OP_RENEW ? &rlk_script_renew : &rlk_script_release;
	const rlk_slot *slot = &c->area->slots[index];
	rlk_link *link = link_of(c, index);
	rlk_op op = { index, c->views[index].tenancy, epoch, kind, link->native, number_ms, now_ms, 0, 0 };
	char number[RLK_RESP_INT_MAX];
	rlk_str keys[3], args[3];
	size_t key_count = keys_for(c, index, kind, keys), arg_count = 0;

	args[arg_count++] = rlk_area_str(c->area, slot->token);
	if (kind == RLK_OP_REST)
		args[arg_count++] = rlk_area_str(c->area, slot->resting);
	if (kind == RLK_OP_REST || kind == RLK_OP_RENEW)
		args[arg_count++] = rlk_resp_int(number_ms, number);
	if (!rlk_child_route_ready(&c->route, slot, &c->views[index].way, &op))
		return false;
	if (link->native != RLK_NATIVE_NONE)
		return queue_native(link, &op, keys[0], args, args[arg_count - 1]);
	return rlk_link_queue(link, &op, script, keys, key_count, args, arg_count);
}

/* How long the key is to stay although the lock ends now: hold_at_least for any end, linger for the holder's death. */
static int64_t rest_ms(const child *c, const rlk_slot *leader, int64_t now_ms)
{
	int64_t acquired_at_ms = atomic_load(&leader->acquired_at_ms);
	int64_t rest = 0;

	if (leader->resting.len == 0 || acquired_at_ms == 0)
		return 0;
	if (leader->hold_at_least_ms > 0)
		rest = acquired_at_ms + leader->hold_at_least_ms - now_ms;
	if (c->orphaned && atomic_load(&leader->state) == RLK_SLOT_ACTIVE && leader->linger_ms > rest)
		rest = leader->linger_ms;
	return rest;
}

/* Each look_... returns when the slot has to be looked at again at the latest. */
static int64_t look_release(child *c, uint32_t index, rlk_slot *leader, int64_t now_ms)
{
	const rlk_slot *slot = &c->area->slots[index];
	slot_view *view = &c->views[index];
	int64_t open_at_ms, rest;

	if (view->done)
		return RLK_NEVER;
	if (view->give_up_at_ms == 0) {
		int64_t valid_until_ms = atomic_load(&leader->valid_until_ms);

		view->give_up_at_ms = valid_until_ms > 0 ? valid_until_ms : now_ms + atomic_load(&leader->ttl_ms);
		view->due_at_ms = now_ms;
		view->under_way = false; /* a renewal under way is answered before our release, in order */
	}
	if (now_ms >= view->give_up_at_ms) {
		finish_release(c, leader, view);
		return RLK_NEVER;
	}
	if (view->under_way)
		return view->give_up_at_ms;
	if (now_ms < view->due_at_ms)
		return earlier(view->due_at_ms, view->give_up_at_ms);
	open_at_ms = rlk_child_route_open(&c->route, slot, &view->way, now_ms);
	rest = rest_ms(c, leader, now_ms);
	view->under_way =
		rest > 0 ? queue(c, index, RLK_OP_REST, now_ms, rest) : queue(c, index, RLK_OP_RELEASE, now_ms, 0);
	return earlier(view->give_up_at_ms, open_at_ms);
}

/* Somebody waits for this one. When it becomes active its first renewal must not need a wake-up by the parent, which has
 * better things to do in the moment of getting the lock. */
static int64_t look_armed(const rlk_slot *slot, int64_t now_ms)
{
	int64_t extend_at_ms = atomic_load(&slot->extend_at_ms);

	if (extend_at_ms == 0)
		return RLK_NEVER;
	return extend_at_ms > now_ms ? extend_at_ms : now_ms + RLK_WAIT_CLAIM_MS / 2;
}

static int64_t look_active(child *c, uint32_t index, rlk_slot *leader, int64_t now_ms)
{
	const rlk_slot *slot = &c->area->slots[index];
	slot_view *view = &c->views[index];
	int64_t acquired_at_ms = atomic_load(&leader->acquired_at_ms);
	int64_t valid_until_ms = atomic_load(&leader->valid_until_ms);
	int64_t held_until_ms = rlk_clock_add(acquired_at_ms, leader->max_hold_ms);
	int64_t next_ms = earlier(valid_until_ms, held_until_ms);
	bool *renews;

	if (now_ms >= next_ms) {
		lose(leader, now_ms >= held_until_ms ? RLK_LOST_MAX_HOLD : RLK_LOST_EXPIRED);
		return now_ms;
	}
	/* Connected long before it is needed: should the parent die, its lock is free within one round trip. */
	next_ms = earlier(next_ms, rlk_child_route_open(&c->route, slot, &view->way, now_ms));
	renews = &c->renews[rlk_child_route_number(&c->route, slot, &view->way)];
	if (view->under_way)
		return next_ms;
	if (view->due_at_ms == 0) {
		int64_t extend_at_ms = atomic_load(&leader->extend_at_ms);

		view->due_at_ms = extend_at_ms > 0 ? extend_at_ms : acquired_at_ms + longest_pause_ms(leader);
	}
	view->due_at_ms = earlier(view->due_at_ms, now_ms + longest_pause_ms(leader)); /* the TTL may have become shorter */
	/* In company of another one it goes up to half a pause early. After that they are in step, and all the locks of a
	 * server cost one write per interval. */
	if (now_ms < view->due_at_ms - (*renews ? longest_pause_ms(leader) / 2 : 0))
		return earlier(next_ms, view->due_at_ms);
	view->under_way = queue(c, index, RLK_OP_RENEW, now_ms, atomic_load(&leader->ttl_ms));
	*renews = *renews || view->under_way;
	return next_ms;
}

static int64_t look_lost(child *c, uint32_t index, int64_t now_ms)
{
	slot_view *view = &c->views[index];

	if (atomic_load(&c->area->slots[index].acknowledged) != 0)
		return RLK_NEVER;
	if (now_ms >= view->signal_at_ms) {
		rlk_child_signal_parent(c->env);
		view->signal_pause_ms = view->signal_pause_ms == 0 ? SIGNAL_FIRST_PAUSE_MS : view->signal_pause_ms * 2;
		if (view->signal_pause_ms > SIGNAL_LAST_PAUSE_MS)
			view->signal_pause_ms = SIGNAL_LAST_PAUSE_MS;
		view->signal_at_ms = now_ms + view->signal_pause_ms;
	}
	return view->signal_at_ms;
}

static int64_t look_at_slot(child *c, uint32_t index, int64_t now_ms)
{
	rlk_slot *slot = &c->area->slots[index];
	slot_view *view = &c->views[index];
	rlk_slot_state state = begin_look(c, index); /* before the leader is looked up */
	rlk_slot *leader = leader_of(c->area, slot);

	if (view->tenancy != atomic_load(&slot->tenancy)) {
		memset(view, 0, sizeof(*view));
		view->tenancy = atomic_load(&slot->tenancy);
	}
	if (leader == NULL)
		return RLK_NEVER;
	state = (rlk_slot_state)atomic_load(&leader->state);
	if (state == RLK_SLOT_RELEASE ||
		(c->orphaned && (state == RLK_SLOT_ARMED || state == RLK_SLOT_ACTIVE || state == RLK_SLOT_CLOSING)))
		return look_release(c, index, leader, now_ms);
	if (state == RLK_SLOT_ACTIVE && !c->quitting) {
		int64_t next_ms = look_active(c, index, leader, now_ms);

		if (atomic_load(&leader->state) != RLK_SLOT_LOST)
			return next_ms;
		state = RLK_SLOT_LOST;
	}
	if (leader != slot)
		return RLK_NEVER; /* the rest is for the leader */
	if (state == RLK_SLOT_LOST && !c->orphaned && !c->quitting)
		return look_lost(c, index, now_ms);
	if (state == RLK_SLOT_ARMED && !c->quitting)
		return look_armed(slot, now_ms);
	return RLK_NEVER;
}

static int64_t look_at_slots(child *c, int64_t now_ms, bool *busy)
{
	uint32_t slots = atomic_load(&c->area->slots_used);
	int64_t next_ms = RLK_NEVER;

	*busy = false;
	for (uint32_t i = 0; i < slots; i++) {
		int64_t at_ms = look_at_slot(c, i, now_ms);

		next_ms = earlier(next_ms, at_ms);
		*busy = *busy || (at_ms != RLK_NEVER && c->views[i].give_up_at_ms > 0);
	}
	atomic_store(&c->area->looked_at, 0);
	return next_ms;
}

/* Returns when to ask again. */
static int64_t ask_to_resolve(child *c, uint32_t peer, int64_t now_ms)
{
	if (c->orphaned)
		return RLK_NEVER;
	if (now_ms >= c->asked_at_ms[peer] + RESOLVE_EVERY_MS) {
		c->asked_at_ms[peer] = now_ms;
		rlk_child_signal_parent(c->env);
	}
	return c->asked_at_ms[peer] + RESOLVE_EVERY_MS;
}

/* Looks at all slots and sends what is due. *busy: a release is still to be done. */
static int64_t look_at_all(child *c, bool *busy)
{
	const rlk_link_listener listener = { answered, c };
	uint32_t peers, links;
	int64_t now_ms = rlk_clock_now_ms(), next_ms;

	c->again = false;
	memset(c->renews, 0, sizeof(c->renews));
	next_ms = look_at_slots(c, now_ms, busy);
	next_ms = earlier(next_ms, rlk_child_route_search(&c->route, now_ms));
	peers = atomic_load(&c->area->peers_used);
	links = rlk_child_route_links(&c->route);
	for (uint32_t i = 0; i < links; i++) {
		if (c->renews[i]) {
			/* those that stand before the first one that was due */
			next_ms = earlier(look_at_slots(c, now_ms, busy), rlk_child_route_search(&c->route, now_ms));
			break;
		}
	}
	for (uint32_t i = 0; i < links; i++) {
		rlk_link *link = &c->links[i];
		bool was_open;

		if (link->peer == NULL)
			continue;
		was_open = link->state != RLK_LINK_CLOSED;
		atomic_fetch_add(&c->area->writes, (uint64_t)rlk_link_flush(link, &listener, now_ms));
		rlk_link_check_time(link, &listener, now_ms);
		if (link->state != RLK_LINK_CLOSED)
			next_ms = earlier(next_ms, rlk_link_next_at(link));
		/* The slots were looked at when it still was open: only now do they wait for the next attempt to connect. */
		else if (was_open)
			c->again = true;
	}
	for (uint32_t i = 0; i < peers; i++) {
		if (atomic_load(&c->area->peers[i].unreachable) != 0 ||
			atomic_load(&c->area->peers[i].name_state) == RLK_NAME_ASKED)
			next_ms = earlier(next_ms, ask_to_resolve(c, i, now_ms));
	}
	return c->again ? now_ms : next_ms;
}

static void read_control(child *c)
{
	char message;
	long n = rlk_child_read_message(c->env->control, &message);

	if (n == 0)
		c->orphaned = true;
	else if (n > 0 && message == RLK_CHILD_QUIT)
		c->quitting = true;
	else if (n > 0 && message == RLK_CHILD_END)
		c->ended = true;
}

/* Sleeps until something happens, and handles it. */
static void sleep_until(child *c, int64_t next_ms)
{
	const rlk_link_listener listener = { answered, c };
	struct pollfd fds[3 + RLK_LINKS_MAX];
	uint32_t owner[RLK_LINKS_MAX], links = rlk_child_route_links(&c->route), linked = 0;
	int64_t now_ms;

	/* poll() skips negative descriptors. Once the parent is gone both of its signs would stay readable. */
	fds[0] = (struct pollfd){ .fd = c->orphaned ? -1 : c->env->control, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = c->orphaned ? -1 : c->env->parent_pidfd, .events = POLLIN };
	fds[2] = (struct pollfd){ .fd = c->timer, .events = POLLIN };
	for (uint32_t i = 0; i < links; i++) {
		int events = c->links[i].peer != NULL ? rlk_link_events(&c->links[i]) : 0;

		if (events == 0)
			continue;
		fds[3 + linked] = (struct pollfd){ .fd = c->links[i].fd,
			.events =
				(short)((events & RLK_SOCKET_READABLE ? POLLIN : 0) | (events & RLK_SOCKET_WRITABLE ? POLLOUT : 0)) };
		owner[linked++] = i;
	}
	rlk_child_set_timer(c->timer, next_ms);
	if (poll(fds, 3 + linked, c->timer >= 0 && next_ms != RLK_NEVER ? -1 : rlk_clock_poll_timeout(next_ms)) <= 0)
		return;
	if (fds[0].revents != 0)
		read_control(c);
	if (fds[1].revents != 0)
		c->orphaned = true;
	now_ms = rlk_clock_now_ms();
	for (uint32_t i = 0; i < linked; i++) {
		if (fds[3 + i].revents != 0)
			rlk_link_advance(&c->links[owner[i]], &listener, now_ms);
	}
}

/* A process would not need it; a thread does. Links never used are not even looked at: each is a page fault, while the
 * parent waits for our end. */
static void close_all(child *c)
{
	uint32_t links = rlk_child_route_links(&c->route);

	for (uint32_t i = 0; i < links; i++) {
		if (c->links[i].peer != NULL && c->links[i].state != RLK_LINK_CLOSED)
			rlk_stream_close(c->links[i].fd, c->links[i].tls);
	}
	rlk_child_close_timer(c->timer);
}

void rlk_child_run(const rlk_child_env *env)
{
	/* Not malloc(): see the header. Pages that no lock needs are never touched. */
	child *c = rlk_os_map_private(sizeof(*c));

	if (c == NULL)
		return;
	c->env = env;
	c->area = env->area;
	rlk_child_route_init(&c->route, env->area, c->links);
	c->timer = rlk_child_open_timer();
	atomic_store(&c->area->looked_at, 0); /* by one that was killed */
	for (;;) {
		bool busy;
		int64_t next_ms;

		/* Until the next point in time is known the parent has to wake us for whatever it does: a slot we have
		 * just passed might be due before it. */
		atomic_store(&c->area->wakes_at_ms, RLK_NEVER);
		c->orphaned = c->orphaned || rlk_child_parent_is_gone(env);
		next_ms = look_at_all(c, &busy);
		if (c->ended || ((c->orphaned || c->quitting) && !busy && !c->again))
			break;
		atomic_store(&c->area->wakes_at_ms, next_ms);
		sleep_until(c, next_ms);
	}
	close_all(c);
	rlk_os_unmap(c, sizeof(*c));
}
