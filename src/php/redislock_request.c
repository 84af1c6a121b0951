/*
 * redislock_request: what ends with a request, and what a forked copy of the process must not touch.
 *
 * To PHP a worker script is one long request, in which it serves many. Only the worker knows where those begin and end:
 * FrankenPHP by itself, others by RedisLock\Worker.
 */
#include "php/redislock_object.h"

#include "net/rlk_tls.h"
#include "php/redislock_errors.h"
#include "php/redislock_thread.h"
#include "php/redislock_stats.h"
#include "renew/rlk_copy.h"

#include <SAPI.h>
#include <zend_exceptions.h>
#include <php_syslog.h>

#ifndef _WIN32
#include <pthread.h>
#endif

void redislock_drain_finish(rlk_drain_list *drain, const rlk_host *host)
{
	static int64_t waited_ms; /* threads end one after another */
	int64_t began_at_ms;

	if (drain->first == NULL)
		return;
	began_at_ms = rlk_clock_now_ms();
	rlk_drain_finish(drain,
		began_at_ms + RLK_HOLD_PATIENCE_MS - (host->release_waits_ms > waited_ms ? host->release_waits_ms : waited_ms));
	waited_ms += rlk_clock_now_ms() - began_at_ms;
}

/* --- forks --- */

#ifndef _WIN32
/* Called in the forked copy, before any of its code runs: the child and the connections are the parent's. Connections
 * are closed plainly: a QUIT would travel on a connection that the parent still uses. */
static void after_fork(void)
{
	if (rlk_copy_is_being_made())
		return;
	redislock_thread_after_fork();
	redislock_stats_after_fork();
	rlk_tls_after_fork();
#ifdef ZTS
	/* A thread of the host that never ran PHP has no globals. */
	if (tsrm_get_ls_cache() == NULL)
		return;
#endif
	for (redislock_client *client = RLG(clients); client != NULL; client = client->next) {
		rlk_conn_close(&client->conn);
		client->conn.opened = client->conn.stale = 0;
		rlk_quorum_after_fork(client->at.servers.quorum);
	}
	rlk_uses_after_fork(RLG(host).uses);
	redislock_stats_drop_events();
	rlk_drain_clear(&RLG(drain));
	rlk_pool_clear(&RLG(pool));
}

static zif_handler original_fork;

/* Called here, since the handlers of pthread_atfork() do not tell a copy from a child that becomes another program at
 * once. */
static ZEND_NAMED_FUNCTION(fork_and_note)
{
	original_fork(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	for (redislock_hold *hold = redislock_hold_of(RLG(host).held); hold != NULL && Z_TYPE_P(return_value) == IS_LONG;
		 hold = redislock_hold_of(hold->life.next)) {
		if (Z_LVAL_P(return_value) > 0)
			hold->copy_pid = (long)Z_LVAL_P(return_value);
	}
}

#endif

/* --- the requests of a worker --- */

/* `all`: of any fiber or coroutine. */
static bool ends_with_request(const redislock_hold *hold, bool all)
{
	return hold->life.request_owns && !rlk_hold_is_in_use(&hold->life) && !redislock_run_is_under(hold) &&
		(all || redislock_owner_runs(&hold->owner));
}

static redislock_hold *find_ending(bool all)
{
	redislock_hold *hold = redislock_hold_of(RLG(host).held);

	while (hold != NULL && !ends_with_request(hold, all))
		hold = redislock_hold_of(hold->life.next);
	return hold;
}

/* Releases the process-bound locks of a worker's request, unless code still runs under them; leases cannot be entered
 * again. Neither throws nor runs PHP code. Without `all` only the locks of this fiber or coroutine: others may serve
 * other requests. Adds the names of locks that were held to *names, newest first. */
static void end_locks(HashTable *names, bool all)
{
	redislock_hold *hold;
	zval name;

	while ((hold = find_ending(all)) != NULL) {
		if (hold->life.slot == RLK_SLOT_NONE) {
			rlk_hold_unlist(&hold->life);
			continue;
		}
		if (rlk_hold_is_held(&hold->life)) {
			/* A copy: the name of the hold is malloc'ed, and not for other threads. */
			ZVAL_STRINGL(&name, ZSTR_VAL(hold->name), ZSTR_LEN(hold->name));
			zend_hash_next_index_insert_new(names, &name);
		}
		rlk_hold_borrow(&hold->life); /* another fiber may free the object */
		redislock_hold_end_unasked(hold, RLK_END_REQUEST);
		rlk_hold_give_back(&hold->life);
	}
	/* Other requests may go on. In FrankenPHP the server alone ends a request. */
	if (all)
		RLG(host).in_request = RLG(serving);
}

PHP_METHOD(RedisLock_Worker, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
}

PHP_METHOD(RedisLock_Worker, beginRequest)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RLG(host).in_request = true;
}

PHP_METHOD(RedisLock_Worker, endRequest)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	end_locks(Z_ARRVAL_P(return_value), redislock_owner_is_main());
	redislock_interrupt_go_on();
}

/*
 * FrankenPHP calls sapi_deactivate() and sapi_activate() between the requests
 * that a worker script serves, but no module's functions for the end and the
 * start of a request. The first of these calls comes when the script asks for
 * its first request. In classic mode both are called outside of scripts only.
 */

static int (*previous_activate)(void);
static int (*previous_deactivate)(void);

/* Helps to find an object that is kept by mistake. */
static void log_end(const zend_string *lock)
{
	zend_string *name = redislock_name_shown(lock);
	zend_string *text = strpprintf(0,
		"redislock: lock \"%s\" was still held at the end of the request, and is released", ZSTR_VAL(name));

	php_log_err_with_severity(ZSTR_VAL(text), LOG_NOTICE);
	zend_string_release(text);
	zend_string_release(name);
}

static void end_served_request(void)
{
	HashTable names;
	zval *name;

	zend_hash_init(&names, 0, NULL, ZVAL_PTR_DTOR, false);
	end_locks(&names, true);
	ZEND_HASH_FOREACH_VAL (&names, name) {
		log_end(Z_STR_P(name));
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&names);
	rlk_drain_tend(&RLG(drain));
	rlk_pool_tend(&RLG(pool));
	if (RLG(events) != NULL)
		redislock_thread_interrupt(); /* the observer is called once the worker's code goes on */
}

/* Also ends what code between two requests has acquired. */
static int on_activate(void)
{
	if (RLG(serving))
		end_served_request();
	return previous_activate != NULL ? previous_activate() : SUCCESS;
}

static int on_deactivate(void)
{
	if (RLG(serving))
		end_served_request();
	else if (RLG(in_script) && !(EG(flags) & EG_FLAGS_IN_SHUTDOWN))
		RLG(serving) = RLG(host).in_request = true;
	return previous_deactivate != NULL ? previous_deactivate() : SUCCESS;
}

/* --- the life of the process and of a PHP request --- */

void redislock_request_startup(void)
{
#ifndef _WIN32
	pthread_atfork(NULL, NULL, after_fork);
	redislock_function_wrap("pcntl_fork", fork_and_note, &original_fork);
#endif
	if (sapi_module.name == NULL || strcmp(sapi_module.name, "frankenphp") != 0)
		return;
	previous_activate = sapi_module.activate;
	previous_deactivate = sapi_module.deactivate;
	sapi_module.activate = on_activate;
	sapi_module.deactivate = on_deactivate;
}

void redislock_request_shutdown(void)
{
#ifndef _WIN32
	redislock_function_unwrap("pcntl_fork", fork_and_note, original_fork);
#endif
	/* An extension that chained in after us still calls us: then there is nothing to undo. */
	if (sapi_module.activate == on_activate)
		sapi_module.activate = previous_activate;
	if (sapi_module.deactivate == on_deactivate)
		sapi_module.deactivate = previous_deactivate;
}

void redislock_request_begin(void)
{
	/* Code that PHP ran after the end of the last request, as the close of a stream, may have set them. They are freed. */
	ZVAL_UNDEF(&RLG(observer));
	ZVAL_UNDEF(&RLG(poller));
	RLG(observed) = RLG(host).polled = false;
	redislock_stats_drop_events();
	redislock_thread_request_starts();
	RLG(in_script) = true;
}

/* Warns only now, and not when the copy was noted: the engine cannot raise errors everywhere that destructors run, for
 * example in a fiber that is unwound. */
static void warn_of_copy(void)
{
	zend_string *abandoned = RLG(abandoned), *name;
	zval handler;

	if (abandoned == NULL)
		return;
	RLG(abandoned) = NULL; /* even if the warning fails: it does not concern the next request */
	name = redislock_name_shown(abandoned);
	zend_string_release(abandoned);
	/* Bypasses the error handler of the application. Handlers of frameworks throw, and with no code left to catch that,
	 * a finished job would end in a fatal error. */
	ZVAL_COPY_VALUE(&handler, &EG(user_error_handler));
	ZVAL_UNDEF(&EG(user_error_handler));
	/* If nobody reads the output any more, printing ends by longjmp, which must not skip the end of other modules. */
	zend_try {
		php_error_docref(NULL, E_WARNING,
			"Lock \"%s\" is released, since the process that acquired it ends; "
			"a forked copy of it still runs, but does not hold the lock",
			ZSTR_VAL(name));
	}
	zend_end_try();
	ZVAL_COPY_VALUE(&EG(user_error_handler), &handler);
	zend_string_release(name);
}

void redislock_request_end(void)
{
	RLG(in_script) = RLG(serving) = false; /* PHP calls on_deactivate() after this */
	redislock_thread_end_interrupts();
	redislock_poller_forget();
	rlk_host_forget_uses(&RLG(host));
	while (RLG(host).held != NULL || RLG(host).arriving != NULL) {
		redislock_hold *hold = redislock_hold_of(RLG(host).held != NULL ? RLG(host).held : RLG(host).arriving);

		rlk_hold_unlist(&hold->life);
		if (hold->life.slot != RLK_SLOT_NONE)
			redislock_hold_end_unasked(hold, RLK_END_REQUEST);
	}
	redislock_runs_forget();
	RLG(host).in_request = false;
	redislock_thread_request_ends();
	redislock_cache_disconnect();
	rlk_drain_tend(&RLG(drain));
	rlk_pool_tend(&RLG(pool));
	if (!RLG(bailed_out) && !CG(unclean_shutdown)) {
		redislock_stats_deliver();
		/* If the observer has called exit(), that happens now. */
		if (EG(exception) != NULL)
			zend_clear_exception();
	}
	redislock_stats_forget_observer();
	RLG(bailed_out) = false; /* or the next request would end at its first lock */
	warn_of_copy();
}
