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

static const char *flavour; /* the module: swoole or openswoole */
static void *module_file;   /* NULL: it is part of PHP */
static resume_function usual_on_resume;

/* C++ has the length of a name in front of it. */
static void *find_symbol(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);
static void *find_symbol(const char *format, ...)
{
	char name[64];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	return (void *)DL_FETCH_SYMBOL(module_file, name);
}

void redislock_owner_startup(void (*resumed)(void))
{
	static const char *const modules[] = { "swoole", "openswoole" };
	void *id = NULL, *find = NULL;

	coroutine_resumed = resumed;
	for (size_t i = 0; i < 2 && id == NULL; i++) {
		const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, modules[i], strlen(modules[i]));

		if (module == NULL)
			continue;
		flavour = modules[i];
		module_file = module->handle;
		id = find_symbol("%s_coroutine_get_id", flavour);
		if (id == NULL) /* OpenSwoole, and Swoole before 6.2 */
			id = find_symbol("%s_coroutine_get_current_id", flavour);
		find = find_symbol("_Z%zu%s_coroutine_getl", strlen(flavour) + strlen("_coroutine_get"), flavour);
	}
	memcpy(&redislock_owner_coroutine, &id, sizeof(id));
	memcpy(&find_coroutine, &find, sizeof(find));
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

	set_function = find_symbol("_ZN%zu%s9Coroutine13set_on_resumeEPFvPvE", strlen(flavour), flavour);
	set = find_symbol("_ZN%zu%s9Coroutine9on_resumeE", strlen(flavour), flavour);
	usual = find_symbol("_ZN%zu%s12PHPCoroutine9on_resumeEPv", strlen(flavour), flavour);
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
