/*
 * redislock_owner: see the header. PHP tells of fibers, so most of this is about Swoole.
 *
 * The coroutines of Swoole are not fibers: Swoole replaces the stack of the VM below the engine, and all coroutines run
 * in the fiber that began the first of them.
 */
#include "php/redislock_owner.h"

long (*redislock_owner_coroutine)(void);

/* Returns the coroutine of a number; NULL: it has ended. The pointer is NULL without Swoole. */
static void *(*find_coroutine)(long id);

static void (*coroutine_resumed)(void);

typedef void (*resume_function)(void *context);

/* The names of Swoole's functions, as C++ mangles them. */
static const struct {
	const char *module, *id;
	const char *find;          /* swoole_coroutine_get() */
	const char *set_on_resume; /* Coroutine::set_on_resume() */
	const char *set;           /* Coroutine::on_resume, the function that was set */
	const char *usual;         /* PHPCoroutine::on_resume(), the function that Swoole sets */
} flavours[] = {
	{ "swoole", "swoole_coroutine_get_id", "_Z20swoole_coroutine_getl", "_ZN6swoole9Coroutine13set_on_resumeEPFvPvE",
		"_ZN6swoole9Coroutine9on_resumeE", "_ZN6swoole12PHPCoroutine9on_resumeEPv" },
	/* Before 6.2. */
	{ "swoole", "swoole_coroutine_get_current_id", "_Z20swoole_coroutine_getl",
		"_ZN6swoole9Coroutine13set_on_resumeEPFvPvE", "_ZN6swoole9Coroutine9on_resumeE",
		"_ZN6swoole12PHPCoroutine9on_resumeEPv" },
	{ "openswoole", "openswoole_coroutine_get_current_id", "_Z24openswoole_coroutine_getl",
		"_ZN10openswoole9Coroutine13set_on_resumeEPFvPvE", "_ZN10openswoole9Coroutine9on_resumeE",
		"_ZN10openswoole12PHPCoroutine9on_resumeEPv" },
};
#define FLAVOURS (sizeof(flavours) / sizeof(flavours[0]))

static size_t flavour;
static void *module_file;
static resume_function usual_on_resume;

/* A module without a file of its own is part of PHP, whose handle is NULL. */
static void *find_symbol(const char *name)
{
	return (void *)DL_FETCH_SYMBOL(module_file, name);
}

void redislock_owner_startup(void (*resumed)(void))
{
	coroutine_resumed = resumed;
	redislock_owner_coroutine = NULL;
	find_coroutine = NULL;
	for (flavour = 0; flavour < FLAVOURS; flavour++) {
		const char *name = flavours[flavour].module;
		const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, name, strlen(name));
		void *id, *find;

		if (module == NULL)
			continue;
		module_file = module->handle;
		id = find_symbol(flavours[flavour].id);
		memcpy(&redislock_owner_coroutine, &id, sizeof(id));
		if (id == NULL)
			continue;
		find = find_symbol(flavours[flavour].find);
		memcpy(&find_coroutine, &find, sizeof(find));
		return;
	}
}

static void on_coroutine_resume(void *context)
{
	usual_on_resume(context);
	coroutine_resumed(); /* the coroutine is not told */
}

/* Swoole has room for one function, and sets it with the first coroutine of a request. A function of another extension
 * is not replaced. The variable is looked up each time: each thread may have its own. */
void redislock_owner_watch_coroutine(void)
{
	void *set_function, *set, *usual;
	void (*set_on_resume)(resume_function function);

	set_function = find_symbol(flavours[flavour].set_on_resume);
	set = find_symbol(flavours[flavour].set);
	usual = find_symbol(flavours[flavour].usual);
	if (set_function == NULL || set == NULL || usual == NULL || memcmp(set, &usual, sizeof(usual)) != 0)
		return;
	memcpy(&usual_on_resume, &usual, sizeof(usual));
	memcpy(&set_on_resume, &set_function, sizeof(set_function));
	set_on_resume(on_coroutine_resume);
}

/* While fibers or coroutines wait, main is the loop of all, and not the caller of one that has ended. */
bool redislock_owner_is_gone(const redislock_owner *owner)
{
	if (owner->coroutine != -1 && find_coroutine != NULL && find_coroutine(owner->coroutine) == NULL)
		return true;
	if (owner->fiber == NULL)
		return RLG(host).polled;
	return EG(active_fiber) != NULL && (EG(active_fiber)->flags & ZEND_FIBER_FLAG_DESTROYED) != 0 &&
		redislock_owner_runs(owner);
}
