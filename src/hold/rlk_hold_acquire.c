/*
 * rlk_hold_acquire: acquires a lock, or restores it by its token.
 */
#include "hold/rlk_hold.h"

#include "lock/rlk_wait.h"

/* Tells the child which server has the key, if there is a topology. */
static rlk_address known_address(const rlk_conn *conn)
{
	rlk_address nowhere = { 0 };

	return conn->topology != NULL && conn->fd != RLK_SOCKET_NONE ? rlk_address_of_peer(conn->fd) : nowhere;
}

/* The host name of that server, for its certificate. */
static const char *known_host(const rlk_conn *conn)
{
	bool tls = conn->topology != NULL && conn->server->transport == RLK_TRANSPORT_TLS;

	return tls ? conn->server->host : NULL;
}

static bool arm_slot(rlk_hold *hold, const rlk_conn *conn, const rlk_backend *backend, const rlk_lock_terms *terms,
	rlk_error *err)
{
	const rlk_whereabouts *at = hold->at;
	const rlk_quorum *quorum = at->servers.quorum;
	const rlk_renewal_lock lock = {
		.backend = backend,
		.servers = quorum != NULL ? at->listed : conn->server,
		.known = at->known,
		.server_count = quorum != NULL ? quorum->count : 1,
		.topology = at->topology,
		.at = known_address(conn),
		.at_name = known_host(conn),
		.kind = hold->lock.kind,
		.key = rlk_buf_str(&hold->lock.keys.lock),
		.token = rlk_buf_str(&hold->lock.token.text),
		.label = rlk_str_from_cstr(at->label),
		.waiters = rlk_buf_str(&hold->lock.keys.waiters),
		.from_caller = hold->lock.token.from_caller,
		.ttl_ms = rlk_ledger_least_ttl_ms(&hold->lock.ledger, terms->ttl_ms),
		.interval_ms = hold->interval_ms,
		.linger_ms = hold->linger_ms,
		.hold_at_least_ms = hold->hold_at_least_ms,
		.max_hold_ms = hold->max_hold_ms,
		.replicas = hold->replicas,
		.deadline = terms->deadline,
		.hooks = terms->hooks,
	};

	hold->slot = rlk_renewal_arm(hold->host->renewal, &lock, err);
	if (hold->slot == RLK_SLOT_NONE)
		return false;
	/* Listed now, since the time limit may leave the wait by longjmp: then the end of the request releases the lock. */
	rlk_hold_list(hold);
	return true;
}

/* Connects first: the server accepts while the child starts, and no child is started for a server that cannot be
 * reached. */
static bool prepare_renewal(rlk_hold *hold, const rlk_servers *servers, const rlk_lock_terms *terms, rlk_error *err)
{
	const rlk_backend *backend = hold->host->calls->choose_backend(err);

	if (backend == NULL)
		return false;
	if (servers->quorum != NULL)
		rlk_quorum_open(servers->quorum);
	else if (!rlk_wait_reach(&hold->lock, servers->conn, terms, err))
		return false;
	return arm_slot(hold, servers->conn, backend, terms, err);
}

static void become_renewed(const rlk_hold *hold, const rlk_conn *conn)
{
	/* After max_hold the key is left until its ttl ends. From then on it must have the whole ttl. */
	int64_t early_at_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->max_hold_ms / 2);

	if (conn->topology != NULL)
		rlk_renewal_moved(hold->host->renewal, hold->slot, known_address(conn), known_host(conn));
	rlk_renewal_activate(hold->host->renewal, hold->slot, hold->lock.acquired_at_ms, hold->lock.valid_until_ms,
		rlk_clock_earlier(hold->lock.extension.due_at_ms, early_at_ms));
}

static inline void become_held(rlk_hold *hold, const rlk_conn *conn)
{
	hold->state = RLK_HOLD_HELD;
	hold->held_since_ms = hold->lock.acquired_at_ms;
	if (hold->slot != RLK_SLOT_NONE)
		become_renewed(hold, conn);
	if (hold->slot != RLK_SLOT_NONE || hold->reentrant || hold->lock.ttl_ms == 0)
		rlk_hold_list(hold);
}

static void expect_renewal(void *arg, int64_t extend_at_ms)
{
	const rlk_hold *hold = arg;

	rlk_renewal_expect(hold->host->renewal, hold->slot, extend_at_ms);
}

static bool begin_attempt(void *arg, rlk_error *err)
{
	rlk_hold *hold = arg;
	const rlk_hold_wish *wish = hold->wish;

	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_disarm(hold->host->renewal, hold->slot);
	hold->slot = RLK_SLOT_NONE;
	return rlk_lock_set_token(&hold->lock, wish->token, rlk_str_from_cstr(hold->at->label), err) &&
		(!hold->renew || prepare_renewal(hold, wish->servers, &wish->terms, err));
}

rlk_outcome rlk_hold_acquire(rlk_hold *hold, rlk_hold_wish *wish, rlk_error *err)
{
	const rlk_host *host = hold->host;
	const rlk_hooks hooks = { .signalled = host->calls->hooks.signalled,
		.interrupted = host->calls->hooks.interrupted,
		.provisional = hold->renew ? expect_renewal : NULL,
		.attempt = begin_attempt,
		.suspend = host->polled ? host->calls->hooks.suspend : NULL,
		.arg = hold };
	rlk_outcome outcome;
	rlk_use use;

	wish->terms.hooks = &hooks;
	wish->terms.beside = &use.beside;
	hold->wish = wish;
	hold->reason = RLK_LOST_NOT;
	hold->state = RLK_HOLD_WAITING;
	hold->owner_pid = rlk_os_process_id();
	hold->host->release_waits_ms = 0;
	hold->lock.waits_since_ms = 0;
	wish->servers = rlk_hold_begin(hold, &use, true, wish->terms.deadline);
	outcome = rlk_lock_acquire(&hold->lock, wish->servers, &wish->terms, err);
	if (outcome == RLK_YES)
		become_held(hold, wish->servers->conn);
	rlk_hold_finish(&use);
	/* If no server can take over from the one that may have the key, the release is behind the request. */
	if (outcome != RLK_YES)
		rlk_hold_take_answer(hold, RLK_ASKED_TO_ACQUIRE,
			outcome == RLK_UNKNOWN && hold->at->topology == NULL ? RLK_FAIL : outcome);
	return outcome;
}

bool rlk_hold_restore(rlk_hold *hold, rlk_str token, rlk_error *err)
{
	if (!rlk_lock_set_token(&hold->lock, token, RLK_STR(""), err))
		return false;
	hold->lock.token.from_caller =
		hold->at->servers.quorum == NULL; /* on several servers nobody acquires with it again */
	hold->state = RLK_HOLD_RESTORED;
	return true;
}

rlk_outcome rlk_hold_adopt(rlk_hold *hold, const rlk_servers *servers, rlk_deadline deadline, int64_t ttl_ms,
	rlk_error *err)
{
	const rlk_lock_terms once = { .ttl_ms = ttl_ms, .deadline = deadline, .attempts = 1 };

	hold->owner_pid = rlk_os_process_id();
	hold->host->release_waits_ms = 0;
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
