/*
 * redislock_worker: see the header.
 *
 * Between the requests that a worker script serves, FrankenPHP calls
 * sapi_deactivate() and sapi_activate(), but no module's functions for the end
 * and the start of a request. The first of these calls comes when the script
 * asks for its first request. In classic mode both are called outside of
 * scripts only.
 */
#include "php/redislock_worker.h"

#include "php/redislock_errors.h"
#include "php/redislock_request.h"

#include <SAPI.h>
#include <php_syslog.h>

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
