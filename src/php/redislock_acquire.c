/*
 * redislock_acquire: how a lock begins to be held: acquired, or restored by its token.
 *
 * Order matters: the renewal slot is armed before the acquiring command is
 * written, so that the child knows the token whenever this process dies.
 */
#include "php/redislock_hold.h"

#include "lock/rlk_wait.h"
#include "php/redislock_poller.h"
#include "php/redislock_renewal.h"
#include "php/redislock_stats.h"

/* Where the child finds the key, if a topology has to tell. */
static rlk_address known_address(const rlk_conn *conn)
{
	rlk_address nowhere = { 0 };

	return conn->topology != NULL && conn->fd != RLK_SOCKET_NONE ? rlk_address_of_peer(conn->fd) : nowhere;
}

/* The host name by which that was found, for its certificate. */
static const char *known_host(const rlk_conn *conn)
{
	bool tls = conn->topology != NULL && conn->server->transport == RLK_TRANSPORT_TLS;

	return tls ? conn->server->host : NULL;
}

static bool arm_slot(redislock_hold *hold, const rlk_conn *conn, const rlk_backend *backend,
	const rlk_lock_request *request, rlk_error *err)
{
	redislock_client *client = hold->client;
	rlk_renewal_lock lock;

	lock = (rlk_renewal_lock){
		.backend = backend,
		.servers = client->servers.quorum != NULL ? client->config.listed.servers : conn->server,
		.known = client->known_servers,
		.server_count = client->servers.quorum != NULL ? client->servers.quorum->count : 1,
		.topology = client->topology,
		.at = known_address(conn),
		.at_name = known_host(conn),
		.kind = hold->lock.kind,
		.key = rlk_buf_str(&hold->lock.keys.lock),
		.token = rlk_buf_str(&hold->lock.token.text),
		.label = rlk_str_from_cstr(client->config.label),
		.waiters = rlk_buf_str(&hold->lock.keys.waiters),
		.from_caller = hold->lock.token.from_caller,
		.ttl_ms = rlk_lock_least_ttl_ms(&hold->lock, request->ttl_ms),
		.interval_ms = hold->interval_ms,
		.linger_ms = hold->linger_ms,
		.hold_at_least_ms = hold->hold_at_least_ms,
		.max_hold_ms = hold->max_hold_ms,
		.replicas = hold->replicas,
		.until_ms = request->deadline_at_ms,
		.hooks = request->hooks,
	};
	redislock_renewal_hear();
	hold->slot = rlk_renewal_arm(&redislock_renewal, &lock, err);
	if (hold->slot == RLK_SLOT_NONE)
		return false;
	/* Now, since the time limit may leave the wait by longjmp: then the end of the request releases it. */
	redislock_hold_list(hold);
	return true;
}

/* Connects first: the server accepts while the child starts, and no child is started for a server that cannot be
 * reached. */
static bool prepare_renewal(redislock_hold *hold, const rlk_servers *servers, const rlk_lock_request *request,
	rlk_error *err)
{
	const rlk_backend *backend = redislock_renewal_choose(err);

	if (backend == NULL)
		return false;
	if (servers->quorum != NULL)
		rlk_quorum_open(servers->quorum);
	else if (!rlk_wait_reach(&hold->lock, servers->conn, request, err))
		return false;
	return arm_slot(hold, servers->conn, backend, request, err);
}

static void take_options(redislock_hold *hold, const rlk_config *config)
{
	hold->renew = config->renew;
	hold->reentrant = config->reentrant;
	hold->fence = config->fence;
	hold->on_lost = config->on_lost;
	hold->interval_ms = config->interval_ms;
	hold->linger_ms = config->linger_ms;
	hold->hold_at_least_ms = config->hold_at_least_ms;
	hold->max_hold_ms = config->max_hold_ms;
	hold->lock.kind = config->kind;
	hold->replicas = (rlk_replicas){ config->min_replicas, config->replica_timeout_ms };
}

static void become_renewed(const redislock_hold *hold, const rlk_conn *conn)
{
	/* After max_hold the key is left to its whole ttl, which it must have by then. */
	int64_t early_at_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->max_hold_ms / 2);

	if (conn->topology != NULL)
		rlk_renewal_moved(&redislock_renewal, hold->slot, known_address(conn), known_host(conn));
	if (UNEXPECTED(hold->owner.coroutine != -1))
		redislock_interrupt_watch_coroutine();
	rlk_renewal_activate(&redislock_renewal, hold->slot, hold->lock.acquired_at_ms, hold->lock.valid_until_ms,
		rlk_clock_earlier(hold->lock.extension.due_at_ms, early_at_ms));
}

static inline void become_held(redislock_hold *hold, const rlk_conn *conn)
{
	hold->state = REDISLOCK_HELD;
	hold->held_since_ms = hold->lock.acquired_at_ms;
	hold->copy_pid = 0;
	hold->entries = 1;
	hold->owner = redislock_owner_now();
	hold->untold_since_ms = hold->misplaced = 0;
	if (hold->slot != RLK_SLOT_NONE)
		become_renewed(hold, conn);
	if (hold->slot != RLK_SLOT_NONE || hold->reentrant || hold->lock.ttl_ms == 0)
		redislock_hold_list(hold);
	RLG(release_waits_ms) = 0;
}

typedef struct {
	redislock_hold *hold;
	const rlk_servers *servers;
	const rlk_config *config;
	const rlk_lock_request *request;
} acquisition;

static void expect_renewal(void *arg, int64_t extend_at_ms)
{
	const acquisition *a = arg;

	rlk_renewal_expect(&redislock_renewal, a->hold->slot, extend_at_ms);
}

static bool begin_attempt(void *arg, rlk_error *err)
{
	const acquisition *a = arg;
	const rlk_config *config = a->config;

	if (a->hold->slot != RLK_SLOT_NONE)
		rlk_renewal_disarm(&redislock_renewal, a->hold->slot);
	a->hold->slot = RLK_SLOT_NONE;
	return rlk_lock_set_token(&a->hold->lock, rlk_buf_str(&config->token), rlk_str_from_cstr(config->label), err) &&
		(!config->renew || prepare_renewal(a->hold, a->servers, a->request, err));
}

static rlk_outcome ask_for_lock(redislock_hold *hold, const rlk_servers *servers, rlk_lock_beside **beside,
	const rlk_config *config, int64_t until_ms, rlk_error *err)
{
	acquisition a = { hold, servers, config, NULL };
	const rlk_hooks hooks = {
		.pending = redislock_interrupt_pending,
		.interrupted = redislock_interrupt_dispatch,
		.provisional = config->renew ? expect_renewal : NULL,
		.attempt = begin_attempt,
		.suspend = RLG(polled) ? redislock_poller_suspend : NULL,
		.arg = &a,
	};
	rlk_lock_request request = {
		.ttl_ms = config->ttl_ms,
		.deadline_at_ms = until_ms,
		.retry_ms = config->retry_ms,
		.fence = config->fence,
		.renewed = config->renew,
		.attempts = config->attempts,
		.hooks = &hooks,
		.beside = beside,
		.replicas = &hold->replicas,
	};

	a.request = &request;
	if (config->fence && hold->lock.keys.fence.len == 0) {
		rlk_error_set(err, RLK_ERR_VALUE, 0,
			"option \"fence\" cannot be used with this name: it has a brace that leaves "
			"the counter in another Cluster slot");
		return RLK_FAIL;
	}
	return rlk_lock_acquire(&hold->lock, servers, &request, err);
}

rlk_outcome redislock_acquire(redislock_hold *hold, const rlk_config *config, int64_t until_ms)
{
	const rlk_servers *servers;
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	if (hold->state != REDISLOCK_IDLE)
		redislock_end(hold, REDISLOCK_END_REPLACED, NULL);
	rlk_error_clear(&err);
	take_options(hold, config);
	hold->reason = RLK_LOST_NOT;
	hold->state = REDISLOCK_WAITING;
	hold->owner_pid = rlk_os_process_id();
	hold->lock.waits_since_ms = 0;
	servers = redislock_use_begin(&use, hold, true);
	outcome = ask_for_lock(hold, servers, &use.beside, config, until_ms, &err);
	if (outcome == RLK_YES)
		become_held(hold, servers->conn);
	redislock_use_end(&use);
	if (outcome == RLK_YES) {
		redislock_stats_note_attempt(hold, outcome);
		return RLK_YES;
	}
	if (outcome == RLK_NO)
		redislock_stats_note_attempt(hold, outcome);
	/* The server that may have the key does not answer: the child finds the one that took over. */
	if (outcome == RLK_UNKNOWN && hold->client->topology != NULL && hold->slot != RLK_SLOT_NONE &&
		!redislock_hold_is_foreign(hold))
		redislock_leave(hold);
	else
		redislock_hold_reset(hold);
	if (outcome != RLK_NO)
		redislock_hold_throw(hold, &err);
	return outcome;
}

void redislock_restore(redislock_hold *hold, const rlk_config *config, zend_string *token)
{
	rlk_error err;

	rlk_error_clear(&err);
	take_options(hold, config);
	if (!rlk_lock_set_token(&hold->lock, redislock_str(token), RLK_STR(""), &err)) {
		redislock_hold_throw(hold, &err);
		return;
	}
	hold->lock.token.from_caller =
		hold->client->servers.quorum == NULL; /* on several servers nobody acquires with it again */
	hold->state = REDISLOCK_RESTORED;
}

rlk_outcome redislock_adopt(redislock_hold *hold, const rlk_servers *servers, int64_t ttl_ms, rlk_error *err)
{
	const rlk_lock_request once = { .ttl_ms = ttl_ms };

	hold->owner_pid = rlk_os_process_id();
	hold->lock.ttl_ms = ttl_ms;
	hold->lock.acquired_at_ms = rlk_lock_asked_at_ms(servers);
	/* Its weight may be more than these options say, which only a script sees. */
	if (!rlk_kind_is_string(&hold->lock.kind))
		hold->lock.waited_until_ms = RLK_NEVER;
	if (hold->renew && !prepare_renewal(hold, servers, &once, err))
		return RLK_FAIL;
	become_held(hold, servers->conn);
	return RLK_YES;
}
