/*
 * redislock: the module: settings, classes, start and end of process and request.
 */
#include "php/redislock_module.h"

#include "lock/rlk_scripts.h"
#include "net/rlk_tls.h"
#include "php/redislock_config.h"
#include "php/redislock_errors.h"
#include "php/redislock_object.h"
#include "php/redislock_thread.h"

#include <ext/spl/spl_exceptions.h>
#include <ext/standard/info.h>
#include <hiredis/hiredis.h>
#include <php_ini.h>
#include <zend_attributes.h>
#include <zend_interfaces.h>

#include "redislock_arginfo.h"

ZEND_DECLARE_MODULE_GLOBALS(redislock)

zend_class_entry *redislock_ce_RedisLock;
zend_class_entry *redislock_ce_RedLock;

/* Only the first thread warns: the others read php.ini again, too. */
static bool is_first_thread(void)
{
#ifdef ZTS
	return tsrm_is_main_thread();
#else
	return true;
#endif
}

/* The server setting may hold a password: phpinfo() says only that there is one. */
static ZEND_INI_DISP(display_secret)
{
	zend_string *value =
		type == ZEND_INI_DISPLAY_ORIG && ini_entry->modified ? ini_entry->orig_value : ini_entry->value;
	const char *shown = value == NULL || ZSTR_LEN(value) == 0 ? "no value" : ZSTR_VAL(value);

	if (value != NULL && (strchr(shown, '@') != NULL || strchr(shown, '?') != NULL))
		shown = "(hidden, it may hold a password)";
	php_write((void *)shown, strlen(shown));
}

/* Takes what the check of a setting says when it is made. Warns of a wrong one, and ini_set() refuses it. In php.ini, or for
 * a server or directory, the setting stays, and no lock can be made with it: a lock with another server or ttl would be no
 * lock. */
static int accept_setting(bool ok, const rlk_error *err, int stage)
{
	if (ok)
		return SUCCESS;
	if (stage != ZEND_INI_STAGE_DEACTIVATE && stage != ZEND_INI_STAGE_SHUTDOWN && is_first_thread())
		php_error_docref(NULL, E_WARNING, "%s", err->text);
	return stage == ZEND_INI_STAGE_RUNTIME ? FAILURE : SUCCESS;
}

/* PHP reads a text without digits as 0, which means the default in our settings. So a text that is no number becomes
 * NAN, an error where the setting is used. */
static PHP_INI_MH(update_seconds)
{
	bool is_number =
		ZSTR_LEN(new_value) == 0 || is_numeric_string(ZSTR_VAL(new_value), ZSTR_LEN(new_value), NULL, NULL, false) != 0;
	double seconds = is_number ? zend_strtod(ZSTR_VAL(new_value), NULL) : ZEND_NAN;
	rlk_error err;

	rlk_error_clear(&err);
	if (accept_setting(redislock_config_ini_seconds(seconds, ZSTR_VAL(entry->name), &err), &err, stage) != SUCCESS)
		return FAILURE;
	*(double *)ZEND_INI_GET_ADDR() = seconds;
	return SUCCESS;
}

static PHP_INI_MH(update_server)
{
	rlk_error err;

	rlk_error_clear(&err);
	if (new_value != NULL &&
		accept_setting(redislock_config_ini_server(ZSTR_VAL(new_value), &err), &err, stage) != SUCCESS)
		return FAILURE;
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static PHP_INI_MH(update_renewal)
{
	redislock_renewal_mode mode = redislock_config_renewal_mode(new_value != NULL ? ZSTR_VAL(new_value) : "");
	rlk_error err;

	rlk_error_clear(&err);
	redislock_config_refuse_renewal(&err);
	if (accept_setting(mode != REDISLOCK_RENEWAL_WRONG, &err, stage) != SUCCESS)
		return FAILURE;
	*(int *)ZEND_INI_GET_ADDR() = mode;
	return SUCCESS;
}

PHP_INI_BEGIN()
	STD_PHP_INI_ENTRY_EX("redislock.server", REDISLOCK_SERVER_DEFAULT, PHP_INI_ALL, update_server, server,
		zend_redislock_globals, redislock_globals, display_secret)
	STD_PHP_INI_ENTRY("redislock.prefix", "", PHP_INI_ALL, OnUpdateString, prefix, zend_redislock_globals,
		redislock_globals)
	STD_PHP_INI_ENTRY("redislock.ttl", "0", PHP_INI_ALL, update_seconds, ttl, zend_redislock_globals, redislock_globals)
	STD_PHP_INI_ENTRY("redislock.connect_timeout", "2", PHP_INI_ALL, update_seconds, connect_timeout,
		zend_redislock_globals, redislock_globals)
	STD_PHP_INI_ENTRY("redislock.io_timeout", "2", PHP_INI_ALL, update_seconds, io_timeout, zend_redislock_globals,
		redislock_globals)
	STD_PHP_INI_ENTRY("redislock.renewal", "process", PHP_INI_ALL, update_renewal, renewal, zend_redislock_globals,
		redislock_globals)
	STD_PHP_INI_ENTRY("redislock.renewal_idle", "60", PHP_INI_ALL, update_seconds, renewal_idle, zend_redislock_globals,
		redislock_globals)
	STD_PHP_INI_BOOLEAN("redislock.redlock_class", "1", PHP_INI_SYSTEM, OnUpdateBool, redlock_class,
		zend_redislock_globals, redislock_globals)
PHP_INI_END()

static void register_classes(void)
{
	redislock_ce_RedisLock =
		register_class_RedisLock(register_class_RedisLock_ManagedLock(register_class_RedisLock_Lock()),
			zend_ce_stringable);
	redislock_ce_RedLock = register_class_RedisLock_RedLock();
	redislock_class_startup();
	if (RLG(redlock_class))
		zend_register_class_alias("RedLock", redislock_ce_RedLock);
	register_class_SequenceTask();
	register_class_RedisLock_Worker();
	redislock_ce_Exception = register_class_RedisLock_Exception(spl_ce_RuntimeException);
	redislock_ce_ConnectionException = register_class_RedisLock_ConnectionException(redislock_ce_Exception);
	redislock_ce_NotAcquiredException = register_class_RedisLock_NotAcquiredException(redislock_ce_Exception);
	redislock_ce_LockLostException = register_class_RedisLock_LockLostException(redislock_ce_Exception);
	redislock_ce_RenewalException = register_class_RedisLock_RenewalException(redislock_ce_Exception);
}

static PHP_MINIT_FUNCTION(redislock)
{
	REGISTER_INI_ENTRIES();
	register_classes();
	redislock_thread_startup();
	redislock_request_startup();
	redislock_interrupt_startup();
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(redislock)
{
	redislock_request_shutdown();
	redislock_interrupt_shutdown();
	redislock_thread_shutdown();
	rlk_tls_shutdown();
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(redislock)
{
#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	redislock_request_begin();
	return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(redislock)
{
	redislock_request_end();
	return SUCCESS;
}

static PHP_GINIT_FUNCTION(redislock)
{
#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	memset(redislock_globals, 0, sizeof(*redislock_globals));
	redislock_host_init(&redislock_globals->host);
}

static PHP_GSHUTDOWN_FUNCTION(redislock)
{
	redislock_thread_ends(redislock_globals->thread);
	rlk_pool_clear(&redislock_globals->pool);
	redislock_cache_clear(&redislock_globals->cached, &redislock_globals->cache_key);
	/* Closing the other connections may have filled it. */
	redislock_drain_finish(&redislock_globals->drain, &redislock_globals->host);
	rlk_topologies_clear(&redislock_globals->topologies);
}

#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)

static const char *how_loss_is_told(void)
{
	switch (rlk_renewal_tracking(&redislock_renewal)) {
		case RLK_TRACKING_REFUSED:
			return "by the next renewal: a server, a proxy or a user's rights refuse HELLO 3 or CLIENT TRACKING";
		case RLK_TRACKING_ON:
			return "at once";
		default:
			return "at once, where the server has CLIENT TRACKING";
	}
}

static PHP_MINFO_FUNCTION(redislock)
{
	const rlk_backend *backend = rlk_renewal_usable(redislock_config_backend_for((redislock_renewal_mode)RLG(renewal)));

	php_info_print_table_start();
	php_info_print_table_row(2, "redislock support", "enabled");
	php_info_print_table_row(2, "Version", PHP_REDISLOCK_VERSION);
	php_info_print_table_row(2, "Renewal", backend != NULL ? backend->name : "off");
	php_info_print_table_row(2, "Locks of a killed process",
		backend != NULL && backend == rlk_backend_process ?
			"released at once, after their ttl if its container ends with it" :
			"released after their ttl");
	if (backend != NULL)
		php_info_print_table_row(2, "A loss is told", how_loss_is_told());
	php_info_print_table_row(2, "TLS", rlk_tls_library() != NULL ? rlk_tls_library() : "no");
	php_info_print_table_row(2, "hiredis version",
		STRINGIFY(HIREDIS_MAJOR) "." STRINGIFY(HIREDIS_MINOR) "." STRINGIFY(HIREDIS_PATCH));
	php_info_print_table_end();
	DISPLAY_INI_ENTRIES();
	/* For comparison with the scripts of a server. */
	php_info_print_table_start();
	for (size_t i = 0; i < RLK_SCRIPTS_COUNT; i++) {
		char name[64];

		snprintf(name, sizeof(name), "Script %s", rlk_scripts_all[i]->name);
		php_info_print_table_row(2, name, rlk_scripts_all[i]->sha1.data);
	}
	php_info_print_table_end();
}

/* clang-format off */
static const zend_module_dep redislock_deps[] = {
	ZEND_MOD_REQUIRED("spl")
	ZEND_MOD_OPTIONAL("pcntl")
	ZEND_MOD_END
};

zend_module_entry redislock_module_entry = {
	STANDARD_MODULE_HEADER_EX,
	NULL,
	redislock_deps,
	"redislock",
	ext_functions,
	PHP_MINIT(redislock),
	PHP_MSHUTDOWN(redislock),
	PHP_RINIT(redislock),
	PHP_RSHUTDOWN(redislock),
	PHP_MINFO(redislock),
	PHP_REDISLOCK_VERSION,
	PHP_MODULE_GLOBALS(redislock),
	PHP_GINIT(redislock),
	PHP_GSHUTDOWN(redislock),
	NULL,
	STANDARD_MODULE_PROPERTIES_EX
};
/* clang-format on */

#ifdef COMPILE_DL_REDISLOCK
#ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
#endif
ZEND_GET_MODULE(redislock)
#endif
