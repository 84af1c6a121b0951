/*
 * redislock_interrupt: telling running PHP code that its lock is lost.
 *
 * The signal handler only leaves a notice (redislock_renewal.c). Here, in the
 * VM, it becomes an exception, if one may be thrown at this place. If not, no
 * further interrupt is requested: from inside one that would never end. A
 * switch to the fiber or coroutine concerned requests one. Where that does not
 * help, the child goes on with its signals.
 */
#include "php/redislock_renewal.h"

#include "php/redislock_errors.h"
#include "php/redislock_hold.h"

#include <zend_observer.h>

static void (*previous_interrupt)(zend_execute_data *execute_data);

/* An exception from a destructor would reach code that has nothing to do with the lock. */
static bool is_in_destructor(void)
{
	for (const zend_execute_data *frame = EG(current_execute_data); frame != NULL; frame = frame->prev_execute_data) {
		const zend_function *function = frame->func;

		if (function != NULL && function->common.scope != NULL && function->common.scope->destructor == function)
			return true;
	}
	return false;
}

/*
 * The VM checks for interrupts at jumps and, before PHP 8.4, after an internal function has returned. The engine treats
 * an exception thrown there as one of the next instruction. That is wrong for an instruction that passes an argument or
 * makes a call (it frees arguments that are not there yet, which corrupts memory; a signal handler of pcntl that throws
 * does the same), that adds to a string, or that ends "@" or "finally". After a call the exception is made the call's.
 */
static bool is_call(const zend_op *op)
{
	return op->opcode == ZEND_DO_ICALL || op->opcode == ZEND_DO_UCALL || op->opcode == ZEND_DO_FCALL ||
		op->opcode == ZEND_DO_FCALL_BY_NAME;
}

static const zend_op *call_before(const zend_execute_data *frame)
{
	const zend_op *op = frame->opline;

	return op > frame->func->op_array.opcodes && is_call(op - 1) ? op - 1 : NULL;
}

/* Would an exception be wrong for this instruction? The VM also checks after an internal function that runs within an
 * instruction, a stream filter when the stream is freed, say. Of these instructions only calls have any, and no call
 * directly follows a call. */
static bool is_exposed(const zend_op *op)
{
	switch (op->opcode) {
		case ZEND_SEND_VAL:
		case ZEND_SEND_VAL_EX:
		case ZEND_SEND_VAR:
		case ZEND_SEND_VAR_EX:
		case ZEND_SEND_VAR_NO_REF:
		case ZEND_SEND_VAR_NO_REF_EX:
		case ZEND_SEND_REF:
		case ZEND_SEND_FUNC_ARG:
		case ZEND_SEND_USER:
		case ZEND_CALLABLE_CONVERT:
		case ZEND_END_SILENCE:
		case ZEND_FAST_RET:
			return true;
		default:
			return is_call(op);
	}
}

static bool is_php(const zend_execute_data *frame)
{
	return frame->func != NULL && ZEND_USER_CODE(frame->func->type);
}

/* The interrupt handler of another extension may have called PHP code, in which the VM checks again, and an exception from
 * there continues in the frame that was interrupted first. Calls from C code are marked as the top of a VM; so are calls
 * where a debugger has replaced the VM. */
static bool was_interrupted(const zend_execute_data *frame, const zend_execute_data *above)
{
	return is_php(frame) && (ZEND_CALL_INFO(above) & ZEND_CALL_TOP) && !is_call(frame->opline);
}

static bool is_ill_placed(void)
{
	const zend_execute_data *above = EG(current_execute_data);

	if (is_php(above) && is_exposed(above->opline) && call_before(above) == NULL)
		return true;
	for (const zend_execute_data *frame; (frame = above->prev_execute_data) != NULL; above = frame) {
		if (was_interrupted(frame, above) && is_exposed(frame->opline))
			return true;
	}
	return false;
}

/* On an exception the engine frees the part that this instruction would have added to a string. */
static void fill_rope(const zend_execute_data *frame)
{
	const zend_op *op = frame->opline;

	if (op->opcode == ZEND_ROPE_INIT || op->opcode == ZEND_ROPE_ADD) {
		zend_string **rope = (zend_string **)ZEND_CALL_VAR(frame, op->result.var);

		rope[op->opcode == ZEND_ROPE_ADD ? op->extended_value : 0] = ZSTR_EMPTY_ALLOC();
	}
}

/* Makes the frames fit for an exception. *result: what the last call returned, to be freed. */
static void prepare_frames(zval *result)
{
	zend_execute_data *current = EG(current_execute_data);
	const zend_execute_data *above = current;
	const zend_op *call;

	for (const zend_execute_data *frame; (frame = above->prev_execute_data) != NULL; above = frame) {
		if (was_interrupted(frame, above))
			fill_rope(frame);
	}
	if (!is_php(current))
		return;
	fill_rope(current);
	call = call_before(current);
	if (call == NULL || !is_exposed(current->opline))
		return;
	current->opline = call;
	if (call->result_type & (IS_TMP_VAR | IS_VAR)) {
		ZVAL_COPY_VALUE(result, ZEND_CALL_VAR(current, call->result.var));
		ZVAL_UNDEF(ZEND_CALL_VAR(current, call->result.var));
	}
}

static bool may_throw(void)
{
	return EG(exception) == NULL && EG(current_execute_data) != NULL && !(EG(flags) & EG_FLAGS_IN_SHUTDOWN) &&
		!is_ill_placed() && !is_in_destructor();
}

/* Is there a loss that the holder does not know of? */
static bool is_untold(const redislock_hold *hold)
{
	return hold->state == REDISLOCK_HELD && hold->slot != RLK_SLOT_NONE && !redislock_hold_is_foreign(hold) &&
		rlk_renewal_lost(&redislock_renewal, hold->slot) != RLK_LOST_NOT;
}

/* So long main may have waited for a fiber until it is told there. */
#define MAIN_WAITS_MS 1000

/* Has main waited too long for the fiber that runs, probably an event loop? What that throws, main gets. */
static bool main_waits(redislock_hold *hold)
{
	int64_t now_ms = rlk_clock_now_ms();

	if (hold->untold_since_ms == 0)
		hold->untold_since_ms = now_ms;
	return EG(active_fiber) != NULL && EG(active_fiber)->caller == EG(main_fiber_context) &&
		now_ms >= hold->untold_since_ms + MAIN_WAITS_MS;
}

/* Is what runs to be told? When the owner has ended, main is. */
static bool is_told_here(redislock_hold *hold)
{
	const redislock_owner *owner = &hold->owner;

	if (owner->fiber == NULL)
		return redislock_owner_is_main();
	return redislock_owner_runs(owner) ||
		(owner->fiber == EG(main_fiber_context) && owner->coroutine == -1 && main_waits(hold));
}

/* Will a switch to who is to be told request an interrupt? */
static bool awaits_switch(const redislock_hold *hold)
{
	return hold->owner.coroutine == -1 && hold->owner.fiber != EG(main_fiber_context);
}

/* So often signals are hastened for a loss that found the code at an instruction where nothing may be thrown: of 10,000 looks one
 * finds another instruction, also if that is one in hundreds. Not for ever, since code that sleeps between them is disturbed. */
#define MISPLACED_MAX 10000

/* Throws for at most one lock. */
static void tell_of_losses(void)
{
	zval unused;

	for (redislock_hold *hold = RLG(holds); hold != NULL; hold = hold->next) {
		bool here;

		if (!is_untold(hold))
			continue;
		if (hold->on_lost == RLK_ON_LOST_FLAG) {
			redislock_hold_check_lost(hold);
			continue;
		}
		here = is_told_here(hold);
		if (!here || !may_throw()) {
			rlk_renewal_signal_loss(&redislock_renewal, hold->slot, here || !awaits_switch(hold));
			/* The code is a few instructions further when the next signal comes. */
			if (here && hold->misplaced < MISPLACED_MAX && is_ill_placed()) {
				hold->misplaced++;
				rlk_renewal_signal_anew(&redislock_renewal);
			}
			continue;
		}
		redislock_hold_check_lost(hold);
		ZVAL_UNDEF(&unused);
		prepare_frames(&unused);
		redislock_throw_lost(hold->name, hold->reason, NULL);
		zval_ptr_dtor(&unused);
		return;
	}
}

static void on_interrupt(zend_execute_data *execute_data)
{
	if (previous_interrupt != NULL)
		previous_interrupt(execute_data);
	if (!redislock_renewal_take_notice())
		return;
	rlk_renewal_check_child(&redislock_renewal);
	for (const redislock_hold *hold = RLG(holds); hold != NULL; hold = hold->next) {
		const rlk_config *config = &hold->client->config;

		if (hold->slot == RLK_SLOT_NONE || redislock_hold_is_foreign(hold))
			continue;
		if (config->routing != RLK_ROUTING_QUORUM)
			rlk_renewal_reload_certificates(&redislock_renewal, hold->client->known_servers, hold->client->conn.server);
		for (size_t i = 0; config->routing == RLK_ROUTING_QUORUM && i < config->listed.count; i++)
			rlk_renewal_reload_certificates(&redislock_renewal, &hold->client->known_servers[i],
				&config->listed.servers[i]);
	}
	rlk_renewal_resolve(&redislock_renewal);
	tell_of_losses();
}

/* May the loss be told in this fiber? Main is told also for owners that have ended, and elsewhere once main_waits(). */
static bool concerns(const redislock_hold *hold, const zend_fiber_context *fiber)
{
	return hold->owner.fiber == fiber || hold->untold_since_ms != 0 ||
		(hold->owner.fiber == NULL && fiber == EG(main_fiber_context));
}

/* Requests an interrupt for a loss of this fiber; of any coroutine with NULL. */
static void on_resume(const zend_fiber_context *fiber)
{
	for (const redislock_hold *hold = RLG(holds); hold != NULL; hold = hold->next) {
		if ((fiber != NULL ? concerns(hold, fiber) : hold->owner.coroutine != -1) && is_untold(hold)) {
			redislock_renewal_notify_this_thread();
			return;
		}
	}
}

static void on_fiber_switch(zend_fiber_context *from, zend_fiber_context *to)
{
	on_resume(to);
}

/* Another fiber may get the same address. */
static void on_fiber_destroy(zend_fiber_context *destroyed)
{
	for (redislock_hold *hold = RLG(holds); hold != NULL; hold = hold->next) {
		if (hold->owner.fiber != destroyed)
			continue;
		hold->owner.fiber = NULL;
		if (is_untold(hold))
			redislock_renewal_notify_this_thread();
	}
}

/*
 * The coroutines of Swoole are not fibers: it replaces the VM's stack below the engine, and all coroutines run in the
 * fiber that began the first of them.
 */

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

/* A module without a file of its own is part of PHP, whose handle is NULL. */
static void *find_symbol(const char *name)
{
	return (void *)DL_FETCH_SYMBOL(module_file, name);
}

/* After all extensions are loaded. */
static void find_swoole(void)
{
	redislock_owner_coroutine = NULL;
	for (flavour = 0; flavour < FLAVOURS; flavour++) {
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

static void on_coroutine_resume(void *context)
{
	usual_on_resume(context);
	on_resume(NULL); /* which one resumes is not told */
}

/* There is room for one function, which Swoole sets with the first coroutine of a request. That of another extension is
 * not replaced. Looked up each time: each thread may have a variable of its own. */
void redislock_interrupt_watch(const redislock_hold *hold)
{
	void *set_function, *set, *usual;
	void (*set_on_resume)(resume_function function);

	if (EXPECTED(hold->owner.coroutine == -1))
		return;
	set_function = find_symbol(flavours[flavour].set_on_resume);
	set = find_symbol(flavours[flavour].set);
	usual = find_symbol(flavours[flavour].usual);
	if (set_function == NULL || set == NULL || usual == NULL || memcmp(set, &usual, sizeof(usual)) != 0)
		return;
	memcpy(&usual_on_resume, &usual, sizeof(usual));
	memcpy(&set_on_resume, &set_function, sizeof(set_function));
	set_on_resume(on_coroutine_resume);
}

/* --- interrupts during our waits; startup --- */

bool redislock_interrupt_pending(void *unused)
{
	return zend_atomic_bool_load(&EG(vm_interrupt));
}

bool redislock_interrupt_dispatch(void *unused)
{
	if (!zend_atomic_bool_exchange(&EG(vm_interrupt), false))
		return EG(exception) != NULL;
	zend_try {
		if (zend_atomic_bool_load(&EG(timed_out)))
			zend_timeout();
		else if (zend_interrupt_function != NULL)
			zend_interrupt_function(EG(current_execute_data));
	}
	zend_catch {
		RLG(bailed_out) = true;
	}
	zend_end_try();
	return RLG(bailed_out) || EG(exception) != NULL;
}

void redislock_interrupt_startup(void)
{
	find_swoole();
	previous_interrupt = zend_interrupt_function;
	zend_interrupt_function = on_interrupt;
	zend_observer_fiber_switch_register(on_fiber_switch);
	zend_observer_fiber_destroy_register(on_fiber_destroy);
}

void redislock_interrupt_shutdown(void)
{
	/* If somebody chained in after us, they still call us, and there is nothing to undo. */
	if (zend_interrupt_function == on_interrupt)
		zend_interrupt_function = previous_interrupt;
}
