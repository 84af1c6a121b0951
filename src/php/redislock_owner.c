/*
 * redislock_owner: the coroutines of Swoole.
 *
 * They are not fibers: Swoole replaces the VM's stack below the engine, and all
 * coroutines run in the fiber that began the first of them.
 */
#include "php/redislock_owner.h"

long (*redislock_owner_coroutine)(void);

typedef void (*resume_function)(void *context);

/* Names of what we need, as C++ mangles them. */
static const struct {
	const char *module, *id;
	const char *set_on_resume; /* Coroutine::set_on_resume() */
	const char *set;           /* Coroutine::on_resume, the function that was set */
	const char *usual;         /* PHPCoroutine::on_resume(), the function that Swoole sets */
} flavours[] = {
	{ "swoole", "swoole_coroutine_get_id", "_ZN6swoole9Coroutine13set_on_resumeEPFvPvE",
		"_ZN6swoole9Coroutine9on_resumeE", "_ZN6swoole12PHPCoroutine9on_resumeEPv" },
	/* Before 6.2. */
	{ "swoole", "swoole_coroutine_get_current_id", "_ZN6swoole9Coroutine13set_on_resumeEPFvPvE",
		"_ZN6swoole9Coroutine9on_resumeE", "_ZN6swoole12PHPCoroutine9on_resumeEPv" },
	{ "openswoole", "openswoole_coroutine_get_current_id", "_ZN10openswoole9Coroutine13set_on_resumeEPFvPvE",
		"_ZN10openswoole9Coroutine9on_resumeE", "_ZN10openswoole12PHPCoroutine9on_resumeEPv" },
};
#define FLAVOURS (sizeof(flavours) / sizeof(flavours[0]))

static size_t flavour;
static void *module_file;
static resume_function usual_on_resume;
static void (*after_resume)(void);

/* A module without a file of its own is part of PHP, whose handle is NULL. */
static void *find_symbol(const char *name)
{
	return (void *)DL_FETCH_SYMBOL(module_file, name);
}

void redislock_owner_startup(void)
{
	redislock_owner_coroutine = NULL;
	for (flavour = 0; flavour < FLAVOURS && redislock_owner_coroutine == NULL; flavour++) {
		const char *name = flavours[flavour].module;
		const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, name, strlen(name));
		void *id;

		if (module == NULL)
			continue;
		module_file = module->handle;
		id = find_symbol(flavours[flavour].id);
		memcpy(&redislock_owner_coroutine, &id, sizeof(id));
		if (id != NULL)
			return;
	}
}

static void on_resume(void *context)
{
	usual_on_resume(context);
	after_resume();
}

/* There is room for one function, which Swoole sets with the first coroutine of a request. That of another extension is
 * not replaced. Looked up each time: each thread may have a variable of its own. */
void redislock_owner_watch_coroutines(void (*resumed)(void))
{
	void *set_function = find_symbol(flavours[flavour].set_on_resume), *set = find_symbol(flavours[flavour].set);
	void *usual = find_symbol(flavours[flavour].usual);
	void (*set_on_resume)(resume_function function);

	if (set_function == NULL || set == NULL || usual == NULL || memcmp(set, &usual, sizeof(usual)) != 0)
		return;
	memcpy(&usual_on_resume, &usual, sizeof(usual));
	memcpy(&set_on_resume, &set_function, sizeof(set_function));
	after_resume = resumed;
	set_on_resume(on_resume);
}
