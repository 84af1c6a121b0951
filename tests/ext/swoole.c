/*
 * swoole: an extension that stands in for Swoole's coroutines.
 *
 * They switch as Swoole's do, below the engine: each has a stack of C and one of the VM, all run in one fiber, and no
 * observer of fibers hears of them. It exports the function of C that tells which one runs, and of C++ what finds one by its
 * number, and what there is to be called when one goes on. With -DSWOOLE_BEFORE_6_2 the former has the name it had in older versions, and another extension
 * is called already, as Coroutine::watched() says.
 */
#include <php.h>

#include <zend_exceptions.h>
#include <zend_fibers.h>

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
#endif

#define STACK_BYTES (256 * 1024)
#define COROUTINES_MAX 64

/* What Swoole saves of EG(). */
typedef struct {
	JMP_BUF *bailout;
	zval *vm_stack_top, *vm_stack_end;
	zend_vm_stack vm_stack;
	size_t vm_stack_page_size;
	zend_execute_data *execute_data;
	uint32_t jit_trace_num;
	int error_reporting;
	zend_fiber_context *fiber_context;
	zend_fiber *active_fiber;
	zend_error_handling_t error_handling;
	zend_class_entry *exception_class;
	zend_object *exception;
#ifdef ZEND_CHECK_STACK_LIMIT
	void *stack_base, *stack_limit;
#endif
} vm_state;

typedef struct coroutine coroutine;
struct coroutine {
	long id;
	coroutine *origin; /* that started or resumed it; NULL: none of them */
	vm_state vm;
	ucontext_t machine;
	void *stack;
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
};

static coroutine outside = { .id = -1 };
static coroutine *current = &outside, *all[COROUTINES_MAX];

#ifdef SWOOLE_BEFORE_6_2
ZEND_DLEXPORT long swoole_coroutine_get_current_id(void)
#else
ZEND_DLEXPORT long swoole_coroutine_get_id(void)
#endif
{
	return current->id;
}

/* swoole_coroutine_get(long): NULL when it has ended. */
ZEND_DLEXPORT void *_Z20swoole_coroutine_getl(long id)
{
	return id >= 1 && id <= COROUTINES_MAX ? all[id - 1] : NULL;
}

static void save(vm_state *vm)
{
	vm->bailout = EG(bailout);
	vm->vm_stack_top = EG(vm_stack_top);
	vm->vm_stack_end = EG(vm_stack_end);
	vm->vm_stack = EG(vm_stack);
	vm->vm_stack_page_size = EG(vm_stack_page_size);
	vm->execute_data = EG(current_execute_data);
	vm->jit_trace_num = EG(jit_trace_num);
	vm->error_reporting = EG(error_reporting);
	vm->fiber_context = EG(current_fiber_context);
	vm->active_fiber = EG(active_fiber);
	vm->error_handling = EG(error_handling);
	vm->exception_class = EG(exception_class);
	vm->exception = EG(exception);
#ifdef ZEND_CHECK_STACK_LIMIT
	vm->stack_base = EG(stack_base);
	vm->stack_limit = EG(stack_limit);
#endif
}

static void load(const vm_state *vm)
{
	EG(bailout) = vm->bailout;
	EG(vm_stack_top) = vm->vm_stack_top;
	EG(vm_stack_end) = vm->vm_stack_end;
	EG(vm_stack) = vm->vm_stack;
	EG(vm_stack_page_size) = vm->vm_stack_page_size;
	EG(current_execute_data) = vm->execute_data;
	EG(jit_trace_num) = vm->jit_trace_num;
	EG(error_reporting) = vm->error_reporting;
	EG(current_fiber_context) = vm->fiber_context;
	EG(active_fiber) = vm->active_fiber;
	EG(error_handling) = vm->error_handling;
	EG(exception_class) = vm->exception_class;
	EG(exception) = vm->exception;
#ifdef ZEND_CHECK_STACK_LIMIT
	EG(stack_base) = vm->stack_base;
	EG(stack_limit) = vm->stack_limit;
#endif
}

/* swoole::PHPCoroutine::on_resume(void *): before the switch. */
ZEND_DLEXPORT void _ZN6swoole12PHPCoroutine9on_resumeEPv(void *to)
{
	save(&current->vm);
	load(&((coroutine *)to)->vm);
}

static zend_long watched;

#ifdef SWOOLE_BEFORE_6_2
static void watch(void *to)
{
	watched++;
	_ZN6swoole12PHPCoroutine9on_resumeEPv(to);
}
#endif

/* swoole::Coroutine::on_resume */
ZEND_DLEXPORT void (*_ZN6swoole9Coroutine9on_resumeE)(void *) =
#ifdef SWOOLE_BEFORE_6_2
	watch;
#else
	_ZN6swoole12PHPCoroutine9on_resumeEPv;
#endif

/* swoole::Coroutine::set_on_resume(void (*)(void *)) */
ZEND_DLEXPORT void _ZN6swoole9Coroutine13set_on_resumeEPFvPvE(void (*function)(void *))
{
	_ZN6swoole9Coroutine9on_resumeE = function;
}

static void switch_machine(coroutine *to)
{
	coroutine *from = current;

	current = to;
	swapcontext(&from->machine, &to->machine);
}

static void switch_to(coroutine *to)
{
	save(&current->vm);
	load(&to->vm);
	switch_machine(to);
}

static void run(void)
{
	coroutine *self = current;
	zval result;

	EG(current_execute_data) = NULL;
	EG(jit_trace_num) = 0;
	zend_vm_stack_init_ex(8192);
	ZVAL_UNDEF(&result);
	self->fci.retval = &result;
	zend_first_try {
		zend_call_function(&self->fci, &self->fcc);
	}
	zend_end_try();
	if (EG(exception) != NULL)
		zend_exception_error(EG(exception), E_WARNING);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&self->fci.function_name);
	zend_vm_stack_destroy();
	all[self->id - 1] = NULL;
	switch_to(self->origin);
}

static coroutine *find(zend_long id)
{
	coroutine *found = _Z20swoole_coroutine_getl(id);

	if (found == NULL)
		zend_throw_error(NULL, "there is no coroutine " ZEND_LONG_FMT, id);
	return found;
}

static PHP_METHOD(Coroutine, create)
{
	static long last;
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
	coroutine *made;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC(fci, fcc)
	ZEND_PARSE_PARAMETERS_END();

	/* Never freed: a test makes few of them. */
	made = last < COROUTINES_MAX ? calloc(1, sizeof(*made)) : NULL;
	if (made == NULL)
		zend_error_noreturn(E_ERROR, "too many coroutines");
	made->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	made->id = ++last;
	made->origin = current;
	made->fci = fci;
	made->fcc = fcc;
	Z_TRY_ADDREF(made->fci.function_name);
	all[made->id - 1] = made;
	getcontext(&made->machine);
	made->machine.uc_stack.ss_sp = made->stack;
	made->machine.uc_stack.ss_size = STACK_BYTES;
	makecontext(&made->machine, run, 0);
	save(&made->vm);
#ifdef ZEND_CHECK_STACK_LIMIT
	made->vm.stack_base = made->vm.stack_limit = NULL;
#endif
	switch_to(made);
	RETURN_LONG(made->id);
}

static PHP_METHOD(Coroutine, yield)
{
	ZEND_PARSE_PARAMETERS_NONE();
	switch_to(current->origin);
}

static PHP_METHOD(Coroutine, resume)
{
	zend_long id;
	coroutine *to;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(id)
	ZEND_PARSE_PARAMETERS_END();
	to = find(id);
	if (to == NULL)
		RETURN_THROWS();
	to->origin = current;
	_ZN6swoole9Coroutine9on_resumeE(to);
	switch_machine(to);
}

static PHP_METHOD(Coroutine, watched)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_LONG(watched);
}

static PHP_METHOD(Coroutine, getCid)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_LONG(current->id);
}

ZEND_BEGIN_ARG_INFO_EX(arginfo_none, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_one, 0, 0, 1)
ZEND_ARG_INFO(0, argument)
ZEND_END_ARG_INFO()

static const zend_function_entry methods[] = { ZEND_ME(Coroutine, create, arginfo_one,
	ZEND_ACC_PUBLIC | ZEND_ACC_STATIC) ZEND_ME(Coroutine, yield, arginfo_none, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)
		ZEND_ME(Coroutine, resume, arginfo_one, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)
			ZEND_ME(Coroutine, watched, arginfo_none, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)
				ZEND_ME(Coroutine, getCid, arginfo_none, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC) ZEND_FE_END };

static PHP_MINIT_FUNCTION(swoole)
{
	zend_class_entry ce;

#ifdef ZTS
	ZEND_TSRMLS_CACHE_UPDATE(); /* for the one thread there is */
#endif
	INIT_NS_CLASS_ENTRY(ce, "Swoole", "Coroutine", methods);
	zend_register_internal_class(&ce);
	return SUCCESS;
}

zend_module_entry swoole_module_entry = { STANDARD_MODULE_HEADER, "swoole", NULL, PHP_MINIT(swoole), NULL, NULL, NULL,
	NULL, "0", STANDARD_MODULE_PROPERTIES };

ZEND_GET_MODULE(swoole)
