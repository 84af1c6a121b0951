/*
 * rlk_child_answers_posix: what the child makes of each reply: a renewal counts, is refused, or has to be repeated.
 */
#include "renew/rlk_child_own.h"

#include "lock/rlk_votes.h"

static void back_off(rlk_slot_view *view, int64_t now_ms)
{
	view->due_at_ms = now_ms + rlk_child_longer_pause(&view->backoff_ms, RLK_BACKOFF_FIRST_MS, RLK_BACKOFF_LAST_MS);
}

/* The master has renewed: do enough replicas know? Asked for so long at most, on the connection of the renewal, since a server
 * means what was written there. false: could not be asked. */
static bool request_replicas(rlk_child *c, rlk_channel *channel, const rlk_op *last, int64_t renewed_at_ms,
	int64_t timeout_ms, int64_t now_ms)
{
	int64_t slice_ms = rlk_clock_earlier(timeout_ms, RLK_REPLICAS_SLICE_MS);
	char min[RLK_RESP_INT_MAX], slice[RLK_RESP_INT_MAX];
	const rlk_str argv[] = { RLK_STR("WAIT"), rlk_resp_int(c->area->slots[last->slot].replicas.min, min),
		rlk_resp_int(slice_ms, slice) };
	const rlk_request words = { NULL, NULL, argv, 0, 3 };
	rlk_op op = *last;

	op.kind = RLK_OP_REPLICATE;
	op.renewed_at_ms = renewed_at_ms;
	op.sent_at_ms = now_ms;
	op.blocked_ms = slice_ms;
	op.waits_on_ms = timeout_ms - slice_ms;
	return rlk_channel_queue(channel, &op, &words);
}

/* Is the request to be repeated, not before *again_at_ms: the connection broke, or it has to go elsewhere or in other
 * words? */
static bool is_to_repeat(rlk_child *c, const rlk_op *op, const rlk_reply *reply, int64_t now_ms, int64_t *again_at_ms)
{
	rlk_slot_view *view = &c->views[op->slot];
	rlk_redirect redirect;

	*again_at_ms = now_ms;
	if (reply == NULL)
		return true; /* the channel has its own pauses */
	redirect = rlk_child_follow(c, op->slot, reply, now_ms, again_at_ms);
	if (redirect == RLK_REDIRECT_SPLIT)
		view->wakes_nobody = true; /* the lock key alone is on one server */
	if (redirect != RLK_REDIRECT_NONE)
		return true;
	if (reply->type != RLK_REPLY_ERROR)
		return false;
	if (rlk_str_starts_with(reply->text, RLK_STR("NOSCRIPT")))
		return true; /* the script goes as text now */
	if (op->kind != RLK_OP_RELEASE || view->wakes_nobody || !rlk_str_starts_with(reply->text, RLK_STR("NOPERM")))
		return false;
	view->wakes_nobody = true;
	return true;
}

/* Until when a majority has the lock. *refused: how many have said that it is not ours. */
static int64_t majority_until(const rlk_child *c, const rlk_slot *leader, int *refused)
{
	int64_t until_ms[RLK_QUORUM_MAX];
	uint32_t epoch = rlk_slot_epoch(leader);
	int known = 0;

	*refused = 0;
	for (int i = (int)(leader - c->area->slots); i != RLK_SLOT_NONE && known < RLK_QUORUM_MAX;
		 i = c->area->slots[i].next) {
		const rlk_slot_view *view = &c->views[i];

		if (!rlk_child_is_current(c, i))
			continue;
		*refused += view->refused;
		until_ms[known++] = view->epoch == epoch ? view->until_ms : 0;
	}
	return rlk_votes_majority_until(until_ms, known, (int)leader->server_count);
}

/* A validity that is over stays so: the parent may have seen that. What was asked before the parent extended it, or made it a
 * lock of another kind, says nothing about the validity, and is asked again. */
static void renewal_counts(rlk_child *c, rlk_slot *leader, const rlk_op *op, int64_t now_ms)
{
	rlk_slot_view *view = &c->views[op->slot];
	uint64_t known = atomic_load(&leader->validity);
	int64_t sent_at_ms = op->kind == RLK_OP_REPLICATE ? op->renewed_at_ms : op->sent_at_ms;
	int64_t valid_until_ms = sent_at_ms + rlk_validity_ms(op->ttl_ms);
	bool counts = op->epoch == rlk_validity_epoch(known);
	int refused;

	view->backoff_ms = 0;
	view->due_at_ms = counts ? sent_at_ms + rlk_slot_pause_ms(leader) : now_ms;
	atomic_fetch_add(&c->area->renewals, 1);
	atomic_fetch_add(&leader->renewed, 1);
	if (leader->server_count > 1) {
		view->refused = false;
		view->epoch = op->epoch;
		view->until_ms = valid_until_ms;
		valid_until_ms = majority_until(c, leader, &refused);
	}
	if (now_ms + 1 >= rlk_validity_until(known))
		rlk_slot_lose(leader, RLK_LOST_EXPIRED);
	else if (counts && valid_until_ms > rlk_validity_until(known) &&
		!atomic_compare_exchange_strong(&leader->validity, &known, rlk_validity_with(known, valid_until_ms)))
		view->due_at_ms = now_ms; /* the parent extends it just now */
}

/* The lock is not ours on this server. If the other servers cannot be a majority, its slot becomes LOST, and visit_lost()
 * signals that. What was asked before, as above, is asked again. */
static void renewal_refused(rlk_child *c, rlk_slot *leader, const rlk_op *op, int64_t now_ms)
{
	rlk_slot_view *view = &c->views[op->slot];
	int servers = (int)leader->server_count, refused;

	if (op->epoch != rlk_slot_epoch(leader)) {
		view->due_at_ms = now_ms;
		return;
	}
	view->refused = true;
	view->until_ms = 0;
	view->due_at_ms = now_ms + rlk_slot_pause_ms(leader);
	majority_until(c, leader, &refused);
	if (refused <= servers - rlk_votes_needed(servers))
		return;
	rlk_slot_lose(leader, RLK_LOST_NOT_OURS);
	if (servers == 1)
		rlk_child_request(c, op->slot, leader, RLK_OP_WAKE, now_ms,
			0); /* whoever deleted the key may not have woken a waiter */
}

static void renewal_answered(rlk_child *c, rlk_channel *channel, rlk_slot *leader, const rlk_op *op, bool done,
	int64_t now_ms)
{
	rlk_slot_view *view = &c->views[op->slot];

	view->tracked_on = op->of_set ? 0 : channel->connection; /* the script has read the key */
	if (!done) {
		renewal_refused(c, leader, op, now_ms);
	} else if (c->area->slots[op->slot].replicas.min == 0) {
		renewal_counts(c, leader, op, now_ms);
	} else {
		view->under_way =
			request_replicas(c, channel, op, op->sent_at_ms, c->area->slots[op->slot].replicas.timeout_ms, now_ms);
		if (!view->under_way)
			back_off(view, now_ms);
	}
}

/* `count` replicas have the renewal. */
static void replicas_answered(rlk_child *c, rlk_channel *channel, rlk_slot *leader, const rlk_op *op, int64_t count,
	int64_t now_ms)
{
	rlk_slot_view *view = &c->views[op->slot];

	if (count >= c->area->slots[op->slot].replicas.min)
		renewal_counts(c, leader, op, now_ms);
	else if (op->waits_on_ms > 0 && request_replicas(c, channel, op, op->renewed_at_ms, op->waits_on_ms, now_ms))
		view->under_way = true;
	else
		back_off(view, now_ms);
}

static void confirm_answered(rlk_child *c, const rlk_channel *channel, rlk_slot *leader, const rlk_op *op, bool done,
	int64_t now_ms)
{
	c->views[op->slot].tracked_on = channel->connection;
	if (!done)
		renewal_refused(c, leader, op, now_ms);
}

static void release_answered(rlk_child *c, rlk_slot *leader, const rlk_op *op, bool done, int64_t now_ms)
{
	rlk_slot_view *view = &c->views[op->slot];
	int64_t began_at_ms = view->release_until_ms - atomic_load(&leader->ttl_ms), late_ms = now_ms - began_at_ms;

	if (done || atomic_load(&leader->state) != RLK_SLOT_ARMED) {
		rlk_child_finish_release(c, leader, view);
		return;
	}
	/* The SET of the dead parent may still be on its way, on another connection. TCP doubles the pauses between its attempts: what
	 * was lost for as long as we had no answer comes before as much time again is over. */
	if (late_ms < RLK_LATE_SET_MS)
		late_ms = RLK_LATE_SET_MS;
	view->release_until_ms = rlk_clock_earlier(view->release_until_ms, now_ms + late_ms);
	back_off(view, now_ms);
}

/* The leader of the slot that this reply is for; NULL: nobody waits for it any more. */
static rlk_slot *awaited_by(rlk_child *c, const rlk_op *op)
{
	rlk_slot *slot = &c->area->slots[op->slot], *leader;
	const rlk_slot_view *view = &c->views[op->slot];
	rlk_slot_state state = rlk_child_begin_visit(c, op->slot); /* before the leader is looked up */

	leader = rlk_child_leader_of(c->area, slot);
	if (leader == NULL || state == RLK_SLOT_FREE || state == RLK_SLOT_RELEASED)
		return NULL;
	if (op->generation != view->generation || op->generation != atomic_load(&slot->generation))
		return NULL;
	if (op->kind == RLK_OP_WAKE)
		return NULL;
	if (op->kind != RLK_OP_RELEASE && view->release_until_ms > 0)
		return NULL; /* the release has begun since */
	return leader;
}

void rlk_child_answered(rlk_child *c, rlk_channel *channel, const rlk_op *op, const rlk_reply *reply)
{
	rlk_slot_view *view = &c->views[op->slot];
	int64_t now_ms = rlk_clock_now_ms(), again_at_ms;
	rlk_slot *leader;

	c->again = true;
	if (op->kind == RLK_OP_LOCATE)
		rlk_child_located(c, op, reply, now_ms);
	if (op->kind == RLK_OP_LOCATE || op->kind == RLK_OP_ASKING || op->kind == RLK_OP_TRACK)
		return;
	leader = awaited_by(c, op);
	if (leader == NULL)
		return;
	view->under_way = false;
	if ((reply == NULL || reply->type == RLK_REPLY_ERROR) && (op->kind == RLK_OP_RENEW || op->kind == RLK_OP_REPLICATE))
		atomic_fetch_add(&leader->unrenewed, 1);
	if (is_to_repeat(c, op, reply, now_ms, &again_at_ms))
		view->due_at_ms = again_at_ms;
	else if (reply->type != RLK_REPLY_INTEGER)
		back_off(view, now_ms);
	else if (op->kind == RLK_OP_REPLICATE)
		replicas_answered(c, channel, leader, op, reply->integer, now_ms);
	else if (op->kind == RLK_OP_CONFIRM)
		confirm_answered(c, channel, leader, op, reply->integer > -2, now_ms);
	else if (op->kind == RLK_OP_RENEW)
		renewal_answered(c, channel, leader, op, reply->integer > 0, now_ms);
	else
		release_answered(c, leader, op, reply->integer > 0, now_ms);
}

void rlk_child_key_changed(rlk_child *c, const rlk_channel *channel, const rlk_reply *push)
{
	uint32_t slots = atomic_load(&c->area->slots_used);
	rlk_str key;

	if (push->count < 2 || !rlk_str_equal(push->items[0].text, RLK_STR("invalidate")))
		return;
	key = push->items[1].text; /* of the list of keys, which has one; empty: all keys */
	for (uint32_t i = 0; i < slots; i++) {
		rlk_slot_view *view = &c->views[i];

		rlk_child_begin_visit(c, i);
		if (view->tracked_on == channel->connection && rlk_child_is_current(c, (int)i) &&
			(key.len == 0 || rlk_str_equal(rlk_area_str(c->area, c->area->slots[i].key), key)))
			view->tracked_on = 0;
	}
}
