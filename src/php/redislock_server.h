/*
 * redislock_server: the same question put to the one server of a client, or to its quorum.
 *
 * Outcomes and *err are those of rlk_lock.h and rlk_quorum_lock.h; nothing throws.
 */
#ifndef REDISLOCK_SERVER_H
#define REDISLOCK_SERVER_H

#include "php/redislock_hold.h"

/* For a look at a lock that was refused: the caller's time is over by then, and the server may be the reason why. */
#define REDISLOCK_SECOND_LOOK_MS 50

/* Opens the connection, within the request's time to wait, or starts to open those of a quorum. */
bool redislock_server_reach(redislock_hold *hold, const rlk_lock_request *request, rlk_error *err);

/* Before the lock's token is used again: waits until nothing that was sent with it can take away what comes now, as long as
 * the server's answers may take, or until the deadline unless that is 0. false: *err is `trouble`. */
bool redislock_server_settle(redislock_hold *hold, int64_t deadline_at_ms, const char *trouble, rlk_error *err);

rlk_outcome redislock_server_acquire(redislock_hold *hold, const rlk_lock_request *request, rlk_error *err);
rlk_outcome redislock_server_extend(redislock_hold *hold, int64_t ttl_ms, rlk_error *err);
rlk_outcome redislock_server_confirm(redislock_hold *hold, rlk_error *err);
rlk_outcome redislock_server_release(redislock_hold *hold, int64_t rest_until_ms, rlk_error *err);
rlk_outcome redislock_server_force_release(redislock_hold *hold, rlk_error *err);

/* The renewal child releases a lock that was lost: undoes what only these connections can, and waits for nobody. */
void redislock_server_leave(redislock_hold *hold);

/* Within the time limits of the server, and until until_ms at the latest, or RLK_NEVER. `each`: see
 * rlk_quorum_ask_holder(); NULL where there is no quorum. */
rlk_outcome redislock_server_ask_holder(redislock_hold *hold, int64_t until_ms, rlk_lock_holder *holder,
	rlk_lock_holder *each, rlk_error *err);

/* When the last request left. */
int64_t redislock_server_asked_at(const redislock_client *client);

/* Do both mean the same server, or the same servers? */
bool redislock_server_same(const redislock_client *a, const redislock_client *b);

/* From here on no request takes longer than this. */
void redislock_server_hurry(redislock_client *client, int64_t left_ms);

#endif
