/*
 * redislock_owner: see the header.
 *
 * Swoole's coroutines are not fibers: they replace the VM's stack below the
 * engine, and all of them run in the fiber that began the first of them.
 */
#include "php/redislock_owner.h"

long (*redislock_owner_coroutine)(void);
/* Of C++: Coroutine::set_on_resume(), PHPCoroutine::on_resume(). The names include the types of the arguments. */
static void (*set_on_resume)(void (*function)(void *));
static void (*usual_on_resume)(void *context);
static void (*after_resume)(void);

static const zend_module_entry *find_module(void)
{
	static const char *const names[] = { "swoole", "openswoole" };
	const zend_module_entry *module = NULL;

	for (size_t i = 0; module == NULL && i < sizeof(names) / sizeof(names[0]); i++)
		module = zend_hash_str_find_ptr(&module_registry, names[i], strlen(names[i]));
	return module;
}

/* All files are loaded by now. Without one of its own, the module is part of PHP, for which NULL stands. */
static bool find_function(const zend_module_entry *module, const char *name, void *function)
{
	void *symbol = (void *)DL_FETCH_SYMBOL(module->handle, name);

	memcpy(function, &symbol, sizeof(symbol));
	return symbol != NULL;
}

void redislock_owner_startup(void)
{
	const zend_module_entry *module = find_module();

	redislock_owner_coroutine = NULL;
	set_on_resume = NULL;
	if (module == NULL)
		return;
	/* Swoole 6.2 has given it another name. */
	if (!find_function(module, "swoole_coroutine_get_current_id", &redislock_owner_coroutine))
		find_function(module, "swoole_coroutine_get_id", &redislock_owner_coroutine);
	if (find_function(module, "_ZN6swoole12PHPCoroutine9on_resumeEPv", &usual_on_resume))
		find_function(module, "_ZN6swoole9Coroutine13set_on_resumeEPFvPvE", &set_on_resume);
}

static void on_resume(void *context)
{
	usual_on_resume(context);
	after_resume();
}

/* Swoole sets its own again with the first coroutine of a request. */
void redislock_owner_watch_coroutines(void (*resumed)(void))
{
	if (set_on_resume == NULL)
		return;
	after_resume = resumed;
	set_on_resume(on_resume);
}
