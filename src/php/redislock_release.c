/*
 * redislock_release: how a lock ends: released, lost, or with its object or request.
 *
 * Order matters: the renewal slot is closed before the release is written.
 * Otherwise a renewal right behind the release would report a loss.
 */
#include "php/redislock_hold.h"

#include "php/redislock_renewal.h"

static void leave_to_child(redislock_hold *hold)
{
	rlk_renewal_leave_release(&redislock_renewal, hold->slot);
	hold->slot = RLK_SLOT_NONE;
	redislock_hold_reset(hold);
}

void redislock_release_unanswered(redislock_hold *hold)
{
	if (hold->lock.given)
		redislock_hold_reset(hold);
	else
		leave_to_child(hold);
}

static inline rlk_outcome send_release(redislock_hold *hold, int64_t rest_until_ms, rlk_error *err)
{
	return rlk_lock_release(&hold->lock, redislock_client_servers(hold->client, &hold->lock), rest_until_ms, err);
}

void redislock_release_lost(redislock_hold *hold)
{
	if (hold->reason == RLK_LOST_CHILD) {
		rlk_renewal_close(&redislock_renewal, hold->slot);
		send_release(hold, 0, NULL); /* no child to do it */
	} else if (rlk_lost_leaves_keys(hold->reason, hold->client->quorum != NULL)) {
		rlk_lock_leave_lost(&hold->lock, &hold->client->servers);
		redislock_release_unanswered(hold);
		return;
	}
	redislock_hold_reset(hold);
}

/* After the slot was closed and the release had this outcome. */
static void end(redislock_hold *hold, rlk_outcome outcome)
{
	if (outcome == RLK_YES || outcome == RLK_NO)
		redislock_hold_reset(hold);
	else if (hold->slot != RLK_SLOT_NONE)
		redislock_release_unanswered(hold);
}

/* Closes the slot. false: the lock was lost. */
static bool stop_renewal(redislock_hold *hold)
{
	if (redislock_hold_check_lost(hold) == RLK_LOST_NOT) {
		hold->lock.valid_until_ms = rlk_renewal_valid_until(&redislock_renewal, hold->slot);
		if (rlk_renewal_close(&redislock_renewal, hold->slot))
			return true;
		redislock_hold_check_lost(hold);
	}
	redislock_release_lost(hold);
	return false;
}

rlk_outcome redislock_release_unthrown(redislock_hold *hold, bool *asked, rlk_error *err)
{
	int64_t rest_until_ms = 0;
	rlk_outcome outcome;

	*asked = false;
	if (redislock_hold_is_foreign(hold)) {
		redislock_hold_reset(hold);
		return RLK_NO;
	}
	if (hold->state == REDISLOCK_IDLE || hold->state == REDISLOCK_WAITING)
		return RLK_NO;
	if (hold->slot != RLK_SLOT_NONE && !stop_renewal(hold))
		return RLK_NO;
	*asked = true;
	if (hold->hold_at_least_ms > 0 && hold->lock.acquired_at_ms > 0)
		rest_until_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->hold_at_least_ms);
	outcome = send_release(hold, rest_until_ms, err);
	if (outcome == RLK_NO && hold->slot != RLK_SLOT_NONE)
		hold->reason = RLK_LOST_NOT_OURS;
	end(hold, outcome);
	return outcome;
}

rlk_outcome redislock_release(redislock_hold *hold)
{
	rlk_outcome outcome;
	rlk_error err;
	bool asked;

	rlk_error_clear(&err);
	outcome = redislock_release_unthrown(hold, &asked, &err);
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		redislock_hold_throw(hold, &err);
	else if (outcome == RLK_NO && asked)
		redislock_hold_throw_if_no_lock(hold);
	return outcome;
}

rlk_outcome redislock_release_by_force(redislock_hold *hold, bool own)
{
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	if (own && hold->slot != RLK_SLOT_NONE)
		rlk_renewal_close(&redislock_renewal, hold->slot);
	outcome = rlk_lock_force_release(&hold->lock, redislock_client_servers(hold->client, &hold->lock), &err);
	if (own)
		end(hold, outcome);
	if (own && outcome == RLK_UNKNOWN)
		hold->lock.valid_until_ms = 0; /* somebody else may have it */
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		redislock_hold_throw(hold, &err);
	return outcome;
}

/* Notes a lock that ends with its process although forked copies of that go on. The warning follows at the end of the
 * request: the engine cannot raise errors wherever destructors run, in a fiber being unwound, say. */
static void note_copies(const redislock_hold *hold)
{
	if (!(EG(flags) & EG_FLAGS_IN_SHUTDOWN) || hold->state != REDISLOCK_HELD || hold->slot == RLK_SLOT_NONE ||
		redislock_hold_is_foreign(hold))
		return;
	/* rlk_renewal_has_copies() says yes only once. */
	if (RLG(abandoned) == NULL && rlk_renewal_has_copies(&redislock_renewal))
		RLG(abandoned) = zend_string_copy(hold->name);
}

void redislock_release_quietly(redislock_hold *hold)
{
	bool asked;

	note_copies(hold);
	redislock_release_unthrown(hold, &asked, NULL);
	redislock_hold_reset(hold);
}

static void shorten(rlk_server *server, int64_t left_ms)
{
	if (server->io_timeout_ms > left_ms)
		server->io_timeout_ms = (int)left_ms;
	if (server->connect_timeout_ms > left_ms)
		server->connect_timeout_ms = (int)left_ms;
	server->retries = 0;
}

/* Limits every later request of this client to left_ms, for good. */
static void hurry(redislock_client *client, int64_t left_ms)
{
	shorten(&client->config.server, left_ms);
	for (size_t i = 0; client->quorum != NULL && i < client->config.listed.count; i++)
		shorten(&client->config.listed.servers[i], left_ms);
	client->cache_key.len = 0; /* the arguments would give other time limits */
}

void redislock_release_until(redislock_hold *hold, int64_t deadline_at_ms, bool last)
{
	redislock_client *client = hold->client;
	int64_t left_ms = deadline_at_ms - rlk_clock_now_ms();

	/* The renewal child has more time for a lock that is still held. */
	if (left_ms <= 0 && hold->slot != RLK_SLOT_NONE && !redislock_hold_is_foreign(hold) &&
		redislock_hold_check_lost(hold) == RLK_LOST_NOT) {
		if (last)
			leave_to_child(hold);
		else
			redislock_release_unanswered(hold);
		return;
	}
	if (last)
		hurry(client, left_ms);
	else
		client->conn.limit_at_ms = deadline_at_ms; /* the servers of a quorum have short time limits of their own */
	if (client->topology != NULL)
		rlk_topology_limit_time(client->topology, left_ms > 0 ? (int)left_ms : 1);
	redislock_release_quietly(hold);
	if (client->topology != NULL)
		rlk_topology_limit_time(client->topology, 0);
	if (!last)
		client->conn.limit_at_ms = 0;
}

void redislock_release_last_reference(redislock_hold *hold)
{
	redislock_client *client;

	if (hold->slot != RLK_SLOT_NONE)
		redislock_release_quietly(hold);
	redislock_hold_unlist(hold);
	client = hold->client;
	redislock_hold_destroy(hold);
	redislock_client_release(client);
}
