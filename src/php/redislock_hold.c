/*
 * redislock_hold: see the header. malloc, as for clients.
 */
#include "php/redislock_hold.h"

#include "php/redislock_errors.h"

#ifndef _WIN32
#include <sys/wait.h>
#endif

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

void redislock_hold_take_options(redislock_hold *hold, const rlk_config *config)
{
	rlk_hold *life = &hold->life;

	hold->fence = config->fence;
	hold->on_lost = config->on_lost;
	life->renew = config->renew;
	life->reentrant = config->reentrant;
	life->interval_ms = config->interval_ms;
	life->linger_ms = config->linger_ms;
	life->hold_at_least_ms = config->hold_at_least_ms;
	life->max_hold_ms = config->max_hold_ms;
	life->replicas = (rlk_replicas){ config->min_replicas, config->replica_timeout_ms };
	life->lock.kind = config->kind;
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
	rlk_error err;

	rlk_error_clear(&err);
	if (hold->life.state == RLK_HOLD_RESTORED)
		redislock_hold_begin(hold);
	return redislock_hold_check(hold, rlk_hold_extend(&hold->life, deadline, ttl_ms, &err), &err);
}

rlk_outcome redislock_hold_confirm(redislock_hold *hold)
{
	rlk_error err;

	rlk_error_clear(&err);
	if (hold->life.state == RLK_HOLD_RESTORED)
		redislock_hold_begin(hold);
	return redislock_hold_check(hold, rlk_hold_confirm(&hold->life, hold->client->config.ttl_ms, &err), &err);
}

static void note_copy(const redislock_hold *hold)
{
#ifndef _WIN32
	siginfo_t ended = { 0 };

	/* Not a copy that has been waited for or could be. */
	if ((EG(flags) & EG_FLAGS_IN_SHUTDOWN) && hold->life.state == RLK_HOLD_HELD && hold->copy_pid > 0 &&
		!rlk_hold_is_foreign(&hold->life) && RLG(abandoned) == NULL &&
		waitid(P_PID, (id_t)hold->copy_pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0)
		RLG(abandoned) = zend_string_copy(hold->name);
#endif
}

void redislock_hold_end_unasked(redislock_hold *hold, rlk_ending ending)
{
	note_copy(hold);
	rlk_hold_end(&hold->life, ending, NULL);
}
