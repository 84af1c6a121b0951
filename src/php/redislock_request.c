/*
 * redislock_request: see the header.
 */
#include "php/redislock_request.h"

#include "net/rlk_tls.h"
#include "php/redislock_errors.h"
#include "php/redislock_object.h"
#include "php/redislock_renewal.h"

#include <SAPI.h>
#include <php_syslog.h>

#ifndef _WIN32
#include <pthread.h>
#endif

/* All releases at the end of a request together: the client of an FPM worker waits for it. */
#define SHUTDOWN_MS 1000

#ifndef _WIN32
/* In the forked copy, before any of its code runs: the parent's child and connections are not ours. Plain closes: a
 * QUIT would travel on the conversation the parent is still having. */
static void after_fork(void)
{
	redislock_renewal_after_fork();
	rlk_tls_after_fork();
#ifdef ZTS
	/* A thread of the host that never ran PHP has no globals. */
	if (tsrm_get_ls_cache() == NULL)
		return;
#endif
	for (redislock_client *client = RLG(clients); client != NULL; client = client->next) {
		rlk_conn_close(&client->conn);
		rlk_quorum_after_fork(client->quorum);
	}
	redislock_cache_after_fork();
	rlk_drain_clear(&RLG(drain));
	rlk_pool_clear(&RLG(pool));
	/* Nothing the parent holds is entered again here. */
	while (RLG(reentrant) != NULL)
		redislock_hold_unlist(RLG(reentrant));
}
#endif

void redislock_request_startup(void)
{
#ifndef _WIN32
	pthread_atfork(redislock_renewal_before_fork, NULL, after_fork);
#endif
}

/* Says what redislock_release_quietly() has noted. */
static void warn_of_copies(void)
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

void redislock_request_begin_locks(void)
{
	RLG(in_request) = true;
}

/* `all`: whatever fiber or coroutine has it. */
static bool ends(const redislock_hold *hold, bool all)
{
	return hold->of_request && hold->state != REDISLOCK_WAITING && !redislock_run_is_under(hold) &&
		(all || redislock_owner_runs(&hold->owner));
}

static redislock_hold *find_bound(bool all)
{
	redislock_hold *hold = RLG(bound);

	while (hold != NULL && !ends(hold, all))
		hold = hold->next_bound;
	return hold;
}

static redislock_hold *find_reentrant(bool all)
{
	redislock_hold *hold = RLG(reentrant);

	while (hold != NULL && !ends(hold, all))
		hold = hold->next_reentrant;
	return hold;
}

void redislock_request_end_locks(HashTable *names, bool all)
{
	int64_t deadline_at_ms = rlk_clock_now_ms() + SHUTDOWN_MS;
	redislock_hold *hold;
	zval name;

	while ((hold = find_bound(all)) != NULL) {
		if (names != NULL && redislock_hold_is_held(hold)) {
			/* That of the hold is malloc'ed, and not for other threads. */
			ZVAL_STRINGL(&name, ZSTR_VAL(hold->name), ZSTR_LEN(hold->name));
			zend_hash_next_index_insert_new(names, &name);
		}
		redislock_hold_unlist(hold);
		redislock_release_in_time(hold, deadline_at_ms);
	}
	while ((hold = find_reentrant(all)) != NULL)
		redislock_hold_unlist(hold);
	/* Others may be under way. In FrankenPHP a request ends when the server says so, and not before. */
	if (all)
		RLG(in_request) = RLG(serving);
}

PHP_METHOD(RedisLock, beginRequest)
{
	ZEND_PARSE_PARAMETERS_NONE();
	redislock_request_begin_locks();
}

PHP_METHOD(RedisLock, endRequest)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	redislock_request_end_locks(Z_ARRVAL_P(return_value), redislock_owner_is_main());
}

void redislock_request_end(void)
{
	int64_t deadline_at_ms = rlk_clock_now_ms() + SHUTDOWN_MS;

	redislock_renewal_request_ends();
	while (RLG(bound) != NULL) {
		redislock_hold *hold = RLG(bound);

		redislock_hold_unlist(hold);
		redislock_release_at_end(hold, deadline_at_ms);
	}
	while (RLG(reentrant) != NULL)
		redislock_hold_unlist(RLG(reentrant));
	RLG(runs) = NULL;
	RLG(in_request) = false;
	redislock_renewal_rest();
	redislock_cache_disconnect();
	rlk_drain_tend(&RLG(drain));
	rlk_pool_tend(&RLG(pool));
	warn_of_copies();
}

/* --- FrankenPHP's worker mode --- */

static bool hooked;
static int (*previous_activate)(void);
static int (*previous_deactivate)(void);

/* An object that lives on by mistake is found by this. */
static void log_end(zend_string *lock)
{
	zend_string *name = redislock_name_shown(lock);
	zend_string *text = strpprintf(0,
		"redislock: lock \"%s\" was still held at the end of the request, and is released", ZSTR_VAL(name));

	php_log_err_with_severity(ZSTR_VAL(text), LOG_NOTICE);
	zend_string_release(text);
	zend_string_release(name);
}

static void end_request(void)
{
	HashTable names;
	zval *name;

	zend_hash_init(&names, 0, NULL, ZVAL_PTR_DTOR, false);
	redislock_request_end_locks(&names, true);
	ZEND_HASH_FOREACH_VAL (&names, name) {
		log_end(Z_STR_P(name));
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&names);
	rlk_drain_tend(&RLG(drain));
	rlk_pool_tend(&RLG(pool));
}

/* What code between two requests has left must not be in the way of the one that begins. */
static int on_activate(void)
{
	if (RLG(serving))
		end_request();
	return previous_activate != NULL ? previous_activate() : SUCCESS;
}

static int on_deactivate(void)
{
	if (RLG(serving)) {
		end_request();
	} else if (RLG(in_script) && !(EG(flags) & EG_FLAGS_IN_SHUTDOWN)) {
		RLG(serving) = true;
		redislock_request_begin_locks();
	}
	return previous_deactivate != NULL ? previous_deactivate() : SUCCESS;
}

void redislock_worker_startup(void)
{
	hooked = sapi_module.name != NULL && strcmp(sapi_module.name, "frankenphp") == 0;
	if (!hooked)
		return;
	previous_activate = sapi_module.activate;
	previous_deactivate = sapi_module.deactivate;
	sapi_module.activate = on_activate;
	sapi_module.deactivate = on_deactivate;
}

void redislock_worker_shutdown(void)
{
	if (!hooked)
		return;
	/* Somebody who chained in after us still calls us; then there is nothing to undo. */
	if (sapi_module.activate == on_activate)
		sapi_module.activate = previous_activate;
	if (sapi_module.deactivate == on_deactivate)
		sapi_module.deactivate = previous_deactivate;
}

void redislock_worker_script_starts(void)
{
	RLG(in_script) = true;
}

/* PHP calls on_deactivate() after that. */
void redislock_worker_script_ends(void)
{
	RLG(in_script) = false;
	RLG(serving) = false;
}
