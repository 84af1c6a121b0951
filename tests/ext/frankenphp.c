/*
 * frankenphp: an extension that stands in for FrankenPHP in worker mode.
 *
 * Gives the program it is loaded into FrankenPHP's name, and PHP the function frankenphp_handle_request(), which does
 * between two requests what FrankenPHP 1.x does there, in the same order: its frankenphp.c was read for that. The requests
 * themselves say nothing; there are frankenphp.requests of them for a script. To be loaded before redislock.
 */
#include <php.h>

#include <SAPI.h>
#include <php_ini.h>
#include <php_output.h>
#include <zend_exceptions.h>

ZEND_BEGIN_MODULE_GLOBALS(frankenphp)
zend_long requests; /* for each script */
zend_long served;
bool booted; /* the script has come to its first request */
ZEND_END_MODULE_GLOBALS(frankenphp)

ZEND_DECLARE_MODULE_GLOBALS(frankenphp)
#define FPG(v) ZEND_MODULE_GLOBALS_ACCESSOR(frankenphp, v)

#ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
#endif

PHP_INI_BEGIN()
	STD_PHP_INI_ENTRY("frankenphp.requests", "0", PHP_INI_ALL, OnUpdateLong, requests, zend_frankenphp_globals,
		frankenphp_globals)
PHP_INI_END()

/* Modules that FrankenPHP starts anew for each request; session, too, unless it was compiled together with it. */
static const char *const reloaded[] = { "filter", "session" };

static zend_module_entry *reloaded_module(size_t i)
{
	return zend_hash_str_find_ptr(&module_registry, reloaded[i], strlen(reloaded[i]));
}

static void end_request(void)
{
	zend_try {
		php_output_end_all();
	}
	zend_end_try();
	for (size_t i = 0; i < sizeof(reloaded) / sizeof(reloaded[0]); i++) {
		zend_module_entry *module = reloaded_module(i);

		if (module != NULL && module->request_shutdown_func != NULL)
			module->request_shutdown_func(module->type, module->module_number);
	}
	zend_try {
		php_output_deactivate();
	}
	zend_end_try();
	zend_try {
		sapi_deactivate();
	}
	zend_end_try();
	zend_set_memory_limit(PG(memory_limit));
}

/* $_ENV and $GLOBALS stay. */
static void renew_superglobals(void)
{
	zval *files = &PG(http_globals)[TRACK_VARS_FILES];
	zend_auto_global *global;

	zval_ptr_dtor_nogc(files);
	memset(files, 0, sizeof(*files));
	zend_hash_str_del(&EG(symbol_table), ZEND_STRL("_SESSION"));
	ZEND_HASH_MAP_FOREACH_PTR(CG(auto_globals), global)
	{
		bool server = zend_string_equals_literal(global->name, "_SERVER");

		if (zend_string_equals_literal(global->name, "_ENV") || (global->jit && !server))
			continue;
		global->armed = global->auto_global_callback != NULL && global->auto_global_callback(global->name);
	}
	ZEND_HASH_FOREACH_END();
}

static void start_request(void)
{
	SG(sapi_headers).http_response_code = 200;
	zend_try {
		php_output_activate();
		PG(header_is_being_sent) = 0;
		PG(connection_status) = PHP_CONNECTION_NORMAL;
		sapi_activate();
		if (PG(implicit_flush))
			php_output_set_implicit_flush(1);
		renew_superglobals();
		for (size_t i = 0; i < sizeof(reloaded) / sizeof(reloaded[0]); i++) {
			zend_module_entry *module = reloaded_module(i);

			if (module != NULL && module->request_startup_func != NULL)
				module->request_startup_func(module->type, module->module_number);
		}
	}
	zend_end_try();
	SG(sapi_started) = 1;
}

static PHP_FUNCTION(frankenphp_handle_request)
{
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
	zval result;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC(fci, fcc)
	ZEND_PARSE_PARAMETERS_END();

	/* A script begins in a request of its own. */
	if (!FPG(booted))
		end_request();
	FPG(booted) = true;
	start_request();
	if (FPG(served) >= FPG(requests))
		RETURN_FALSE;
	FPG(served)++;
	ZVAL_UNDEF(&result);
	fci.retval = &result;
	zend_call_function(&fci, &fcc);
	if (EG(exception) != NULL && (zend_is_unwind_exit(EG(exception)) || zend_is_graceful_exit(EG(exception))))
		zend_bailout();
	if (EG(exception) != NULL)
		zend_exception_error(EG(exception), E_ERROR);
	end_request();
	zval_ptr_dtor(&result);
	RETURN_TRUE;
}

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_handle_request, 0, 1, _IS_BOOL, 0)
ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

static const zend_function_entry functions[] = { ZEND_FE(frankenphp_handle_request, arginfo_handle_request)
		ZEND_FE_END };

static const char *name_before;

static PHP_MINIT_FUNCTION(frankenphp)
{
	REGISTER_INI_ENTRIES();
	name_before = sapi_module.name;
	sapi_module.name = (char *)"frankenphp";
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(frankenphp)
{
	sapi_module.name = (char *)name_before;
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(frankenphp)
{
#ifdef ZTS
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	FPG(served) = 0;
	FPG(booted) = false;
	return SUCCESS;
}

static PHP_GINIT_FUNCTION(frankenphp)
{
#ifdef ZTS
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	memset(frankenphp_globals, 0, sizeof(*frankenphp_globals));
}

zend_module_entry frankenphp_module_entry = { STANDARD_MODULE_HEADER, "frankenphp", functions, PHP_MINIT(frankenphp),
	PHP_MSHUTDOWN(frankenphp), PHP_RINIT(frankenphp), NULL, NULL, "0", PHP_MODULE_GLOBALS(frankenphp),
	PHP_GINIT(frankenphp), NULL, NULL, STANDARD_MODULE_PROPERTIES_EX };

ZEND_GET_MODULE(frankenphp)
