/*
 * redislock_hold: see the header. malloc, as for clients.
 */
#include "php/redislock_hold.h"

#include "php/redislock_errors.h"

redislock_hold *redislock_hold_new(redislock_client *client, const char *name, size_t name_len)
{
	redislock_hold *hold = calloc(1, sizeof(*hold));
	const rlk_config *config = &client->config;

	if (hold != NULL &&
		rlk_lock_init(&hold->life.lock, rlk_buf_str(&config->prefix), rlk_str_make(name, name_len), NULL)) {
		hold->life.host = &RLG(host);
		hold->life.at = &client->at;
		hold->life.refcount = 1;
		hold->life.slot = RLK_SLOT_NONE;
		hold->client = client;
		hold->name = zend_string_init(name, name_len, true);
		client->refcount++;
		return hold;
	}
	free(hold);
	redislock_throw_out_of_memory("a lock");
	return NULL;
}

void redislock_hold_destroy(redislock_hold *hold)
{
	rlk_lock_destroy(&hold->life.lock);
	zend_string_release(hold->name);
	free(hold);
}

bool redislock_hold_refuse_in_use(const redislock_hold *hold)
{
	redislock_throw_misuse(hold->name,
		"is in use by another fiber, or by the call that this signal handler interrupts");
	return true;
}

void redislock_hold_throw(const redislock_hold *hold, const rlk_error *err)
{
	redislock_throw(err, hold->name, hold->client->at.servers.quorum);
}

bool redislock_hold_restore(redislock_hold *hold, const rlk_config *config, const zend_string *token)
{
	rlk_error err;

	rlk_error_clear(&err);
	redislock_hold_take_options(hold, config);
	if (rlk_hold_restore(&hold->life, redislock_str(token), &err))
		return true;
	redislock_hold_throw(hold, &err);
	return false;
}

rlk_outcome redislock_hold_extend(redislock_hold *hold, rlk_deadline deadline, int64_t ttl_ms)
{
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	if (hold->life.state == RLK_HOLD_RESTORED)
		redislock_hold_begin(hold);
	outcome = redislock_hold_check(hold, rlk_hold_extend(&hold->life, deadline, ttl_ms, &err), &err);
	rlk_hold_give_back(&hold->life);
	return outcome;
}

rlk_outcome redislock_hold_confirm(redislock_hold *hold)
{
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	if (hold->life.state == RLK_HOLD_RESTORED)
		redislock_hold_begin(hold);
	outcome = redislock_hold_check(hold, rlk_hold_confirm(&hold->life, hold->client->config.ttl_ms, &err), &err);
	rlk_hold_give_back(&hold->life);
	return outcome;
}
