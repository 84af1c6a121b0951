/*
 * redislock_interrupt: see the header.
 *
 * The signal handler only leaves a note (redislock_renewal.c). Here, in the
 * VM, the note becomes an exception, if this is a place where one may be
 * thrown. If not, nothing is re-armed: asking the VM for another interrupt from
 * inside one never ends. The child signals again until the loss is taken note
 * of, and a switch to the fiber concerned asks once more.
 */
#include "php/redislock_interrupt.h"

#include "php/redislock_errors.h"
#include "php/redislock_hold.h"
#include "php/redislock_renewal.h"

#include <zend_exceptions.h>
#include <zend_interfaces.h>
#include <zend_observer.h>

static void (*previous_interrupt)(zend_execute_data *execute_data);

/* An exception out of a destructor would hit code that has nothing to do with the lock. */
static bool is_in_destructor(void)
{
	for (const zend_execute_data *frame = EG(current_execute_data); frame != NULL; frame = frame->prev_execute_data) {
		const zend_function *function = frame->func;

		if (function != NULL && function->common.scope != NULL && function->common.scope->destructor == function)
			return true;
	}
	return false;
}

#if PHP_VERSION_ID < 80400
/* The VM asks between an internal function's return and the next instruction. If that one is to pass an argument or to
 * make a call, the engine, taking an exception there for one of the instruction's own, frees arguments that are not
 * there yet: memory is corrupted, as it is by a signal handler of pcntl that throws. */
static bool is_amid_call(const zend_execute_data *frame)
{
	if (frame->call == NULL || frame->func == NULL || !ZEND_USER_CODE(frame->func->type))
		return false;
	switch (frame->opline->opcode) {
		case ZEND_SEND_VAL:
		case ZEND_SEND_VAL_EX:
		case ZEND_SEND_VAR:
		case ZEND_SEND_VAR_EX:
		case ZEND_SEND_VAR_NO_REF:
		case ZEND_SEND_VAR_NO_REF_EX:
		case ZEND_SEND_REF:
		case ZEND_SEND_FUNC_ARG:
		case ZEND_SEND_USER:
		case ZEND_SEND_ARRAY:
		case ZEND_SEND_UNPACK:
		case ZEND_CHECK_UNDEF_ARGS:
		case ZEND_CALLABLE_CONVERT:
		case ZEND_DO_ICALL:
		case ZEND_DO_UCALL:
		case ZEND_DO_FCALL:
		case ZEND_DO_FCALL_BY_NAME:
			return true;
		default:
			return false;
	}
}

/* The call that has just returned; NULL if it was something else. */
static const zend_op *last_call(const zend_execute_data *frame)
{
	const zend_op *last = frame->opline - 1;

	switch (last->opcode) {
		case ZEND_DO_ICALL:
		case ZEND_DO_UCALL:
		case ZEND_DO_FCALL:
		case ZEND_DO_FCALL_BY_NAME:
			return last;
		default:
			return NULL;
	}
}

/* Does an instruction of the frame below run this code, as that of a generator or an iterator that it unpacks? Its
 * exceptions are then really the instruction's own. */
static bool is_unpacked(const zend_execute_data *frame)
{
	const zend_class_entry *scope = frame->func != NULL ? frame->func->common.scope : NULL;

	return (ZEND_CALL_INFO(frame) & ZEND_CALL_GENERATOR) ||
		(scope != NULL && instanceof_function(scope, zend_ce_traversable));
}

/* Another extension's interrupt handler may have called PHP code, where the VM asks again, and what is thrown there goes
 * on to the frame that was interrupted first. Code that was not called by an instruction is on top of a VM of its own. */
static bool lands_amid_call(void)
{
	const zend_execute_data *frame = EG(current_execute_data);

	if (is_amid_call(frame) && last_call(frame) == NULL)
		return true;
	for (; frame != NULL; frame = frame->prev_execute_data) {
		const zend_execute_data *below = frame->prev_execute_data;

		if ((ZEND_CALL_INFO(frame) & ZEND_CALL_TOP) && below != NULL && is_amid_call(below) && !is_unpacked(frame))
			return true;
	}
	return false;
}

/* As if the call had thrown, in whose successor's midst we are. What it returned is for the caller to free. */
static void go_back_to_call(zval *result)
{
	zend_execute_data *frame = EG(current_execute_data);

	if (!is_amid_call(frame))
		return;
	frame->opline = last_call(frame);
	if (frame->opline->result_type & (IS_TMP_VAR | IS_VAR)) {
		ZVAL_COPY_VALUE(result, ZEND_CALL_VAR(frame, frame->opline->result.var));
		ZVAL_UNDEF(ZEND_CALL_VAR(frame, frame->opline->result.var));
	}
}
#else
static bool lands_amid_call(void)
{
	return false;
}

static void go_back_to_call(zval *result)
{
	(void)result;
}
#endif

static bool may_throw(void)
{
	return EG(exception) == NULL && EG(current_execute_data) != NULL && !(EG(flags) & EG_FLAGS_IN_SHUTDOWN) &&
		!lands_amid_call() && !is_in_destructor();
}

/* Throws for at most one lock. */
static void tell_of_losses(void)
{
	zval unused;

	for (redislock_hold *hold = RLG(bound); hold != NULL; hold = hold->next_bound) {
		if (hold->state != REDISLOCK_HELD || redislock_hold_is_foreign(hold))
			continue;
		if (rlk_renewal_lost(redislock_renewal(), hold->slot) == RLK_LOST_NOT)
			continue;
		if (hold->on_lost == RLK_ON_LOST_FLAG) {
			redislock_hold_check_lost(hold);
			continue;
		}
		if (hold->fiber != EG(current_fiber_context) || !may_throw())
			continue;
		redislock_hold_check_lost(hold);
		ZVAL_UNDEF(&unused);
		go_back_to_call(&unused);
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
	rlk_renewal_look_after_child(redislock_renewal());
	for (const redislock_hold *hold = RLG(bound); hold != NULL; hold = hold->next_bound) {
		const rlk_config *config = &hold->client->config;

		if (hold->slot == RLK_SLOT_NONE || redislock_hold_is_foreign(hold))
			continue;
		if (config->quorum_count == 0)
			rlk_renewal_look_for_certificates(redislock_renewal(), hold->client->peers, hold->client->conn.endpoint);
		for (size_t i = 0; i < config->quorum_count; i++)
			rlk_renewal_look_for_certificates(redislock_renewal(), &hold->client->peers[i], &config->quorum[i]);
	}
	rlk_renewal_resolve(redislock_renewal());
	tell_of_losses();
}

static void on_fiber_switch(zend_fiber_context *from, zend_fiber_context *to)
{
	(void)from;
	for (const redislock_hold *hold = RLG(bound); hold != NULL; hold = hold->next_bound) {
		if (hold->fiber == to && hold->state == REDISLOCK_HELD && !redislock_hold_is_foreign(hold) &&
			rlk_renewal_lost(redislock_renewal(), hold->slot) != RLK_LOST_NOT) {
			redislock_renewal_notify_this_thread();
			return;
		}
	}
}

/* Another fiber may get the same address. */
static void on_fiber_destroy(zend_fiber_context *destroyed)
{
	for (redislock_hold *hold = RLG(bound); hold != NULL; hold = hold->next_bound) {
		if (hold->fiber == destroyed)
			hold->fiber = NULL;
	}
	for (redislock_hold *hold = RLG(reentrant); hold != NULL; hold = hold->next_reentrant) {
		if (hold->fiber == destroyed)
			hold->fiber = NULL;
	}
}

bool redislock_interrupt_pending(void *unused)
{
	(void)unused;
	return zend_atomic_bool_load(&EG(vm_interrupt));
}

bool redislock_interrupt_dispatch(void *unused)
{
	(void)unused;
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

void redislock_interrupt_go_on(void)
{
	if (!RLG(bailed_out))
		return;
	RLG(bailed_out) = false;
	zend_bailout();
}

void redislock_interrupt_startup(void)
{
	previous_interrupt = zend_interrupt_function;
	zend_interrupt_function = on_interrupt;
	zend_observer_fiber_switch_register(on_fiber_switch);
	zend_observer_fiber_destroy_register(on_fiber_destroy);
}

void redislock_interrupt_shutdown(void)
{
	/* Somebody who chained in after us still calls us; then there is nothing to undo. */
	if (zend_interrupt_function == on_interrupt)
		zend_interrupt_function = previous_interrupt;
}
