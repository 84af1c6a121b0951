/*
 * redislock_acquire: see the header.
 *
 * Order matters. Before the acquiring command is written the renewal slot is
 * armed, so that the child knows the token whenever this process dies; before
 * a release is written the slot is closed, so that no renewal races it into a
 * false loss.
 */
#include "php/redislock_acquire.h"

#include "base/rlk_os.h"
#include "php/redislock_config.h"
#include "php/redislock_errors.h"
#include "php/redislock_interrupt.h"
#include "php/redislock_renewal.h"
#include "php/redislock_server.h"
#include "net/rlk_socket.h"

static void throw_for(redislock_hold *hold, const rlk_error *err)
{
	redislock_throw_on(err, hold->name, hold->client->nodes);
}

/* Back to IDLE; the renewal slot, if any, is given back. */
static void reset(redislock_hold *hold)
{
	redislock_hold_unlist(hold);
	if (hold->slot != RLK_SLOT_NONE && !redislock_hold_is_foreign(hold))
		rlk_renewal_disarm(redislock_renewal(), hold->slot);
	hold->slot = RLK_SLOT_NONE;
	hold->owner_pid = 0;
	hold->entries = 0;
	hold->fiber = NULL;
	hold->state = REDISLOCK_IDLE;
	rlk_lock_forget(&hold->lock);
}

/* The same, and gives the release to the renewal child, which has more time. */
static void leave_to_child(redislock_hold *hold)
{
	rlk_renewal_leave_release(redislock_renewal(), hold->slot);
	hold->slot = RLK_SLOT_NONE;
	reset(hold);
}

/* Lets a process-bound lock go that is LOST. Waits for no server: one that is away may be the reason. */
static rlk_outcome release_lost(redislock_hold *hold)
{
	if (hold->reason == RLK_LOST_CHILD) {
		rlk_renewal_close(redislock_renewal(), hold->slot);
		redislock_server_release(hold, 0, NULL); /* there is no child */
	} else if (rlk_lost_leaves_keys(hold->reason, hold->client->nodes != NULL)) {
		redislock_server_leave(hold);
		leave_to_child(hold);
		return RLK_NO;
	}
	reset(hold);
	return RLK_NO;
}

/* NULL: *err says what is wrong with the setting. Never silently weaker: without renewal this would be a lease. */
static const rlk_backend *choose_backend(rlk_error *err)
{
	redislock_renewal_mode mode;

	if (!redislock_config_renewal_mode(RLG(renewal), &mode, err))
		return NULL;
	if (mode == REDISLOCK_RENEWAL_OFF) {
		rlk_error_set(err, RLK_ERR_RENEWAL, 0,
			"process-bound locks need renewal, which ini setting \"redislock.renewal\" turns off");
	} else if (RLG(thread) == NULL) {
		rlk_error_set(err, RLK_ERR_RENEWAL, 0, "too many threads run PHP for this one to be told of a lost lock");
	} else if (redislock_renewal_backend(mode) == NULL) {
		rlk_error_set(err, RLK_ERR_RENEWAL, 0,
			"this system cannot renew locks in the way that \"redislock.renewal\" names");
	} else {
		return redislock_renewal_backend(mode);
	}
	return NULL;
}

/* Where the child may find the key, when the options do not say. */
static rlk_place whereabouts(const redislock_client *client)
{
	rlk_place nowhere = { 0 };

	return client->route != NULL && client->conn.fd != RLK_SOCKET_NONE ? rlk_place_of_peer(client->conn.fd) : nowhere;
}

/* And by which host it was found there, for its certificate. */
static const char *known_as(const redislock_client *client)
{
	bool tls = client->route != NULL && client->conn.endpoint->transport == RLK_TRANSPORT_TLS;

	return tls ? client->conn.endpoint->host : NULL;
}

static bool arm(redislock_hold *hold, const rlk_backend *backend, int64_t ttl_ms, rlk_error *err)
{
	redislock_client *client = hold->client;
	rlk_renewal_lock lock;

	lock = (rlk_renewal_lock){
		.backend = backend,
		.endpoints = client->nodes != NULL ? client->config.quorum : client->conn.endpoint,
		.peers = client->peers,
		.servers = client->nodes != NULL ? client->nodes->count : 1,
		.route = client->route,
		.at = whereabouts(client),
		.at_name = known_as(client),
		.key = rlk_buf_str(&hold->lock.key),
		.token = rlk_buf_str(&hold->lock.token),
		.label = rlk_str_make(client->config.label, client->config.label_len),
		.waiters = rlk_buf_str(&hold->lock.waiters),
		.given = hold->lock.given,
		.ttl_ms = ttl_ms,
		.interval_ms = hold->interval_ms,
		.linger_ms = hold->linger_ms,
		.hold_at_least_ms = hold->hold_at_least_ms,
		.max_hold_ms = hold->max_hold_ms,
		.replicas = hold->lock.replicas,
	};
	hold->slot = rlk_renewal_arm(redislock_renewal(), &lock, err);
	if (hold->slot == RLK_SLOT_NONE)
		return false;
	/* From here on the end of the request has to know of it: the time limit may leave the wait by longjmp. */
	redislock_hold_list(hold);
	return true;
}

/* Connects first: the server accepts while the child is being started, and no child is started for a server that
 * cannot be reached. */
static bool prepare_renewal(redislock_hold *hold, const rlk_lock_request *request, rlk_error *err)
{
	const rlk_backend *backend = choose_backend(err);

	return backend != NULL && redislock_server_reach(hold, request, err) && arm(hold, backend, request->ttl_ms, err);
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
	hold->release_async = config->release_async;
	hold->lock.replicas = (rlk_replicas){ config->min_replicas, config->replica_timeout_ms };
}

static void become_held(redislock_hold *hold)
{
	/* max_hold leaves the key to its whole ttl, so it has to have that by then. */
	int64_t early_at_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->max_hold_ms / 2);
	int64_t extend_at_ms = rlk_clock_earlier(hold->lock.extend_at_ms, early_at_ms);

	hold->state = REDISLOCK_HELD;
	hold->is_lock = false; /* what comes after it is something new */
	hold->owner_pid = rlk_os_process_id();
	hold->entries = 1;
	hold->fiber = EG(current_fiber_context);
	if (hold->slot != RLK_SLOT_NONE && hold->client->route != NULL)
		rlk_renewal_moved(redislock_renewal(), hold->slot, whereabouts(hold->client), known_as(hold->client));
	if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_activate(redislock_renewal(), hold->slot, hold->lock.acquired_at_ms, hold->lock.valid_until_ms,
			extend_at_ms);
	redislock_hold_list(hold);
}

typedef struct {
	redislock_hold *hold;
	const rlk_config *config;
	const rlk_lock_request *request;
} acquisition;

static void expect_renewal(void *arg, int64_t extend_at_ms)
{
	const acquisition *a = arg;

	rlk_renewal_expect(redislock_renewal(), a->hold->slot, extend_at_ms);
}

static bool begin_attempt(void *arg, rlk_error *err)
{
	const acquisition *a = arg;
	const rlk_config *config = a->config;

	if (a->hold->slot != RLK_SLOT_NONE)
		rlk_renewal_disarm(redislock_renewal(), a->hold->slot);
	a->hold->slot = RLK_SLOT_NONE;
	return rlk_lock_set_token(&a->hold->lock, rlk_str_make(config->token, config->token_len),
			   rlk_str_make(config->label, config->label_len), err) &&
		(config->token_len == 0 ||
			redislock_server_settle(a->hold, a->request->deadline_at_ms,
				"an earlier try with this token may still be under way, and its end would free the lock", err)) &&
		(!config->renew || prepare_renewal(a->hold, a->request, err));
}

static rlk_outcome acquire(redislock_hold *hold, const rlk_config *config, int64_t wait_ms, rlk_error *err)
{
	acquisition a = { hold, config, NULL };
	const rlk_hooks hooks = {
		.pending = redislock_interrupt_pending,
		.interrupted = redislock_interrupt_dispatch,
		.claims = config->renew ? expect_renewal : NULL,
		.attempt = begin_attempt,
		.arg = &a,
	};
	rlk_lock_request request = {
		.ttl_ms = config->ttl_ms,
		.deadline_at_ms = wait_ms > 0 ? rlk_clock_add(rlk_clock_now_ms(), wait_ms) : 0,
		.retry_ms = config->retry_ms,
		.fence = config->fence,
		.renewed = config->renew,
		.attempts = config->attempts,
		.hooks = &hooks,
	};

	a.request = &request;
	if (config->fence && hold->lock.fence_key.len == 0) {
		rlk_error_set(err, RLK_ERR_VALUE, 0,
			"option \"fence\" cannot be used with this name: it has a brace that leaves "
			"the counter in another Cluster slot");
		return RLK_FAIL;
	}
	/* On several servers that is done for each attempt. */
	if (hold->client->nodes == NULL && !begin_attempt(&a, err))
		return RLK_FAIL;
	return redislock_server_acquire(hold, &request, err);
}

bool redislock_report_late(redislock_hold *hold)
{
	rlk_late late;
	rlk_error err;

	/* Only for a release: that of an extension comes with the next answer, and to look for it is a system call. */
	if (hold->lock.releasing_on != NULL)
		rlk_lock_settle(&hold->lock);
	late = hold->lock.late;
	hold->lock.late = RLK_LATE_NONE;
	if (late == RLK_LATE_NOT_OURS) {
		redislock_throw_lost(hold->name, RLK_LOST_NOT_OURS, NULL);
	} else if (late == RLK_LATE_UNCONFIRMED) {
		rlk_error_clear(&err);
		rlk_error_set(&err, RLK_ERR_IO, 0,
			"its last release was not confirmed, so it may be locked until its ttl is over");
		rlk_error_set_node(&err, hold->client->conn.endpoint->label);
		throw_for(hold, &err);
	}
	return late != RLK_LATE_NONE;
}

rlk_outcome redislock_acquire(redislock_hold *hold, const rlk_config *config, int64_t wait_ms)
{
	rlk_outcome outcome;
	rlk_error err;

	if (redislock_report_late(hold))
		return RLK_FAIL;
	rlk_error_clear(&err);
	if (hold->state != REDISLOCK_IDLE && !redislock_hold_is_foreign(hold) &&
		redislock_hold_check_lost(hold) != RLK_LOST_NOT)
		release_lost(hold);
	else
		reset(hold);
	take_options(hold, config);
	hold->reason = RLK_LOST_NOT;
	hold->state = REDISLOCK_WAITING;
	hold->owner_pid = rlk_os_process_id();
	outcome = acquire(hold, config, wait_ms, &err);
	if (hold->lock.late != RLK_LATE_NONE) {
		/* The answer to the release before came along with this one. Whoever is told of trouble has no lock. */
		if (outcome == RLK_YES)
			rlk_lock_release(&hold->lock, redislock_hold_conn(hold), 0, NULL);
		reset(hold);
		redislock_report_late(hold);
		return RLK_FAIL;
	}
	if (outcome == RLK_YES) {
		become_held(hold);
		return RLK_YES;
	}
	/* The server that may have it is lost to us: the child finds the one that took over. */
	if (outcome == RLK_UNKNOWN && hold->client->route != NULL && hold->slot != RLK_SLOT_NONE &&
		!redislock_hold_is_foreign(hold))
		leave_to_child(hold);
	else
		reset(hold);
	if (outcome != RLK_NO)
		throw_for(hold, &err);
	return outcome;
}

void redislock_throw_if_no_lock(redislock_hold *hold)
{
	rlk_lock_holder holder;
	rlk_outcome outcome;
	rlk_error err;

	/* Of several servers no single one decides. */
	if (hold->client->nodes != NULL)
		return;
	rlk_error_clear(&err);
	outcome = redislock_server_ask_holder(hold, rlk_clock_now_ms() + REDISLOCK_SECOND_LOOK_MS, &holder, NULL, &err);
	hold->is_lock = outcome == RLK_YES;
	if (err.code == RLK_ERR_NO_LOCK)
		throw_for(hold, &err);
}

void redislock_restore(redislock_hold *hold, const rlk_config *config, zend_string *token)
{
	rlk_error err;

	rlk_error_clear(&err);
	take_options(hold, config);
	if (rlk_lock_set_token(&hold->lock, rlk_str_make(ZSTR_VAL(token), ZSTR_LEN(token)), RLK_STR(""), &err))
		hold->state = REDISLOCK_RESTORED;
	else
		throw_for(hold, &err);
}

/* The server has confirmed a restored token. Made process-bound if the options say so; if that fails, it is still there to
 * be confirmed or released. */
static rlk_outcome adopt(redislock_hold *hold, int64_t ttl_ms)
{
	const rlk_lock_request once = { .ttl_ms = ttl_ms };
	rlk_error err;

	rlk_error_clear(&err);
	hold->lock.ttl_ms = ttl_ms;
	hold->lock.acquired_at_ms = redislock_server_asked_at(hold->client);
	if (hold->renew && !prepare_renewal(hold, &once, &err)) {
		throw_for(hold, &err);
		return RLK_FAIL;
	}
	become_held(hold);
	return RLK_YES;
}

static bool may_ask(const redislock_hold *hold)
{
	return (hold->state == REDISLOCK_HELD || hold->state == REDISLOCK_RESTORED) && !redislock_hold_is_foreign(hold);
}

/* The server says it is not ours. A process-bound lock stays listed as lost, so that whoever runs under it is told. */
static void not_ours(redislock_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE)
		reset(hold);
	else
		redislock_hold_lose(hold, RLK_LOST_NOT_OURS);
}

#define UNDER_WAY "an earlier request about this lock may still be under way, and would end it too soon"

/* A release or a shorter ttl that the server has not answered would spoil what it confirms now. */
static bool settles(redislock_hold *hold, rlk_error *err)
{
	return redislock_server_settle(hold, 0, UNDER_WAY, err);
}

/* Nobody waits for the answer to a release with a token of our own: then it is over when another release says so. */
static bool is_leaving(const redislock_hold *hold, rlk_error *err)
{
	if (!hold->lock.leaving || hold->lock.given)
		return false;
	rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "%s", UNDER_WAY);
	return true;
}

/* A yes is late when the lock was lost meanwhile: by now it is being released. */
static rlk_outcome unless_lost(redislock_hold *hold, rlk_outcome outcome)
{
	return outcome == RLK_YES && redislock_hold_check_lost(hold) != RLK_LOST_NOT ? RLK_NO : outcome;
}

rlk_outcome redislock_extend(redislock_hold *hold, int64_t ttl_ms)
{
	bool restored = hold->state == REDISLOCK_RESTORED;
	rlk_outcome outcome;
	rlk_error err;

	if (!may_ask(hold) || redislock_hold_check_lost(hold) != RLK_LOST_NOT)
		return RLK_NO;
	rlk_error_clear(&err);
	if (is_leaving(hold, &err) || !settles(hold, &err)) {
		throw_for(hold, &err);
		return RLK_FAIL;
	}
	if (hold->slot != RLK_SLOT_NONE) {
		hold->lock.valid_until_ms = rlk_renewal_valid_until(redislock_renewal(), hold->slot);
		rlk_renewal_before_extend(redislock_renewal(), hold->slot, ttl_ms);
	}
	outcome = redislock_server_extend(hold, ttl_ms, &err);
	if (outcome == RLK_NO)
		not_ours(hold);
	else if (hold->slot != RLK_SLOT_NONE)
		rlk_renewal_after_extend(redislock_renewal(), hold->slot, hold->lock.valid_until_ms);
	if (outcome == RLK_YES && restored)
		return adopt(hold, ttl_ms);
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		throw_for(hold, &err);
	return unless_lost(hold, outcome);
}

rlk_outcome redislock_confirm(redislock_hold *hold)
{
	bool restored = hold->state == REDISLOCK_RESTORED;
	rlk_outcome outcome;
	rlk_error err;

	if (!may_ask(hold) || redislock_hold_check_lost(hold) != RLK_LOST_NOT)
		return RLK_NO;
	rlk_error_clear(&err);
	outcome = settles(hold, &err) ? redislock_server_confirm(hold, &err) : RLK_FAIL;
	if (outcome == RLK_YES && is_leaving(hold, &err)) {
		hold->lock.valid_until_ms = 0;
		outcome = RLK_FAIL;
	}
	if (outcome == RLK_NO)
		not_ours(hold);
	else if (outcome == RLK_YES && restored)
		return adopt(hold, hold->client->config.ttl_ms);
	else if (outcome != RLK_YES)
		throw_for(hold, &err);
	return unless_lost(hold, outcome);
}

/* After a release with this outcome, for which the slot was closed. */
static void end(redislock_hold *hold, rlk_outcome outcome)
{
	if (outcome == RLK_YES || outcome == RLK_NO)
		reset(hold);
	else if (hold->slot != RLK_SLOT_NONE)
		leave_to_child(hold);
}

static rlk_outcome release_now(redislock_hold *hold, rlk_error *err)
{
	int64_t rest_until_ms = 0;
	rlk_outcome outcome;

	if (hold->hold_at_least_ms > 0 && hold->lock.acquired_at_ms > 0)
		rest_until_ms = rlk_clock_add(hold->lock.acquired_at_ms, hold->hold_at_least_ms);
	if (hold->slot != RLK_SLOT_NONE) {
		hold->lock.valid_until_ms = rlk_renewal_valid_until(redislock_renewal(), hold->slot);
		if (!rlk_renewal_close(redislock_renewal(), hold->slot)) {
			redislock_hold_check_lost(hold);
			return release_lost(hold);
		}
	}
	/* A server that is the wrong one by now says so in its answer. */
	if (hold->release_async && rest_until_ms == 0 && hold->client->route == NULL)
		outcome = rlk_lock_release_unread(&hold->lock, &hold->client->conn, err);
	else
		outcome = redislock_server_release(hold, rest_until_ms, err);
	if (outcome == RLK_NO && hold->slot != RLK_SLOT_NONE)
		hold->reason = RLK_LOST_NOT_OURS;
	end(hold, outcome);
	return outcome;
}

rlk_outcome redislock_release_unthrown(redislock_hold *hold, rlk_error *err)
{
	if (redislock_hold_is_foreign(hold)) {
		reset(hold);
		return RLK_NO;
	}
	if (hold->state != REDISLOCK_HELD && hold->state != REDISLOCK_RESTORED && hold->state != REDISLOCK_LOST)
		return RLK_NO;
	if (redislock_hold_check_lost(hold) != RLK_LOST_NOT)
		return release_lost(hold);
	return release_now(hold, err);
}

rlk_outcome redislock_release(redislock_hold *hold)
{
	/* Of a lock that is known to be lost nobody asks the server. */
	bool asks = may_ask(hold) && redislock_hold_check_lost(hold) == RLK_LOST_NOT;
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	outcome = redislock_release_unthrown(hold, &err);
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		throw_for(hold, &err);
	else if (outcome == RLK_NO && asks)
		redislock_throw_if_no_lock(hold);
	return outcome;
}

/* Notes a lock that ends with its process although forked copies of that go on. Said at the end of the request: where
 * destructors run, in a fiber being unwound say, the engine cannot always raise an error. */
static void note_copies(const redislock_hold *hold)
{
	if (!(EG(flags) & EG_FLAGS_IN_SHUTDOWN) || hold->state != REDISLOCK_HELD || hold->slot == RLK_SLOT_NONE ||
		redislock_hold_is_foreign(hold))
		return;
	/* The renewal tells only once. */
	if (RLG(abandoned) == NULL && rlk_renewal_has_copies(redislock_renewal()))
		RLG(abandoned) = zend_string_copy(hold->name);
}

void redislock_warn_of_copies(void)
{
	zend_string *abandoned = RLG(abandoned), *name;
	zval handler;

	if (abandoned == NULL)
		return;
	RLG(abandoned) = NULL; /* whatever becomes of the warning: the next request is not concerned */
	name = redislock_name_shown(abandoned);
	zend_string_release(abandoned);
	/* Past the handler of the application. No code is left that could catch what it throws, as those of frameworks do: a
	 * job that is done would end as a fatal error. */
	ZVAL_COPY_VALUE(&handler, &EG(user_error_handler));
	ZVAL_UNDEF(&EG(user_error_handler));
	/* Where nobody reads our output any more, showing it ends by longjmp: past the end of the other modules. */
	zend_try {
		php_error_docref(NULL, E_WARNING,
			"Lock \"%s\" is released, since the process that acquired it ends; "
			"forked copies of it still run, but do not hold the lock",
			ZSTR_VAL(name));
	}
	zend_end_try();
	ZVAL_COPY_VALUE(&EG(user_error_handler), &handler);
	zend_string_release(name);
}

void redislock_release_quietly(redislock_hold *hold)
{
	note_copies(hold);
	redislock_release_unthrown(hold, NULL);
	reset(hold);
}

void redislock_release_at_end(redislock_hold *hold, int64_t deadline_at_ms)
{
	rlk_route *route = hold->client->route;
	int64_t left_ms = deadline_at_ms - rlk_clock_now_ms();

	if (left_ms <= 0 && hold->slot != RLK_SLOT_NONE && !redislock_hold_is_foreign(hold) &&
		redislock_hold_check_lost(hold) == RLK_LOST_NOT) {
		leave_to_child(hold);
		return;
	}
	/* The last use of this connection: its time limits need not be put back. */
	redislock_server_hurry(hold->client, left_ms);
	hold->client->made_of.len = 0; /* no longer what its arguments make of it */
	if (route != NULL)
		rlk_route_hurry(route, left_ms > 0 ? (int)left_ms : 1);
	redislock_release_quietly(hold);
	if (route != NULL)
		rlk_route_hurry(route, 0);
}

/* After a wait, as long as neither renewal nor extension is known to have taken place (rlk_wait.h). max_hold may end the
 * slot before the claim does. */
static bool has_claim_only(const redislock_hold *hold)
{
	return hold->lock.extend_at_ms > 0 &&
		(hold->slot == RLK_SLOT_NONE ||
			rlk_renewal_valid_until(redislock_renewal(), hold->slot) <= hold->lock.valid_until_ms);
}

bool redislock_detach(redislock_hold *hold)
{
	rlk_outcome outcome = RLK_YES;

	/* Before the slot is closed: if that cannot be had, the lock stays what it is. */
	if (has_claim_only(hold))
		outcome = redislock_extend(hold, hold->lock.ttl_ms);
	if (outcome == RLK_YES && hold->slot != RLK_SLOT_NONE && !rlk_renewal_close(redislock_renewal(), hold->slot)) {
		redislock_hold_check_lost(hold);
		outcome = RLK_NO;
	}
	if (outcome == RLK_NO)
		redislock_throw_lost(hold->name, hold->state == REDISLOCK_LOST ? hold->reason : RLK_LOST_NOT_OURS, NULL);
	if (outcome == RLK_YES)
		reset(hold);
	return outcome == RLK_YES;
}

void redislock_hold_is_gone(redislock_hold *hold)
{
	if (hold->slot == RLK_SLOT_NONE)
		reset(hold);
	else
		rlk_lock_forget(&hold->lock);
}

rlk_outcome redislock_force_release(redislock_hold *hold, bool own)
{
	rlk_outcome outcome;
	rlk_error err;

	rlk_error_clear(&err);
	if (own && hold->slot != RLK_SLOT_NONE)
		rlk_renewal_close(redislock_renewal(), hold->slot);
	outcome = redislock_server_force_release(hold, &err);
	if (own)
		end(hold, outcome);
	if (own && outcome == RLK_UNKNOWN)
		hold->lock.valid_until_ms = 0; /* somebody else may have it */
	if (outcome == RLK_UNKNOWN || outcome == RLK_FAIL)
		throw_for(hold, &err);
	return outcome;
}
