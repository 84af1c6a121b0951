/*
 * redislock_use: operations under way, in the host's loop.
 *
 * Without a poller (redislock_poller.h) an operation blocks its thread, and uses the connection of its client. With one, it has one
 * for itself, see rlk_use.h, and is listed: after a fatal error its fiber never goes on.
 */
#include "php/redislock_hold.h"

#include "net/rlk_address.h"
#include "php/redislock_poller.h"
#include "php/redislock_renewal.h"

static redislock_hold *hold_of(const rlk_use *use)
{
	return (redislock_hold *)((char *)use->lock - offsetof(redislock_hold, lock));
}

const rlk_servers *redislock_use_check_out(rlk_use *use, redislock_hold *hold, bool exclusive)
{
	const rlk_servers *servers =
		rlk_use_check_out(use, &RLG(uses), &hold->client->servers, &hold->lock, exclusive, &redislock_poller_hooks);

	if (servers == NULL)
		zend_error_noreturn(E_ERROR, "Out of memory for the connections of a lock");
	hold->refcount++;
	if (exclusive)
		hold->user = use;
	return servers;
}

void redislock_use_give_back(rlk_use *use)
{
	redislock_hold *hold = hold_of(use);

	rlk_use_give_back(use);
	if (hold->user == use) {
		hold->user = NULL;
		if (redislock_hold_is_untold(hold)) /* nothing was told during the operation */
			redislock_renewal_notify_this_thread();
	}
	redislock_release_reference(hold);
}

/* A SET that is under way has its release behind it, on the same connection: that of the child might overtake it. What is held
 * already, and waits for its replicas, the child releases alone. */
static void forget_use(rlk_use *use)
{
	redislock_hold *hold = hold_of(use);
	bool waits = hold->state == REDISLOCK_WAITING, by_child = hold->slot != RLK_SLOT_NONE;

	rlk_use_forget(use, waits && !(by_child && hold->lock.held));
	if (waits && by_child)
		redislock_leave(hold);
	else if (waits)
		redislock_hold_reset(hold);
	hold->user = NULL;
	/* Nor do the calls that have borrowed it. */
	hold->refcount -= hold->borrowed;
	hold->borrowed = 0;
	redislock_release_reference(hold);
}

void redislock_uses_forget(void)
{
	while (RLG(uses) != NULL)
		forget_use(RLG(uses));
	rlk_address_forget_suspended();
}
