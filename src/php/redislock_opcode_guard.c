/*
 * redislock_opcode_guard: where the VM can take an exception from its interrupt function.
 *
 * The engine treats such an exception as one of the instruction that comes next. That may be any: the VM checks for
 * interrupts at jumps and, before PHP 8.4, after an internal function has returned. For some instructions it is wrong.
 * A signal handler of pcntl that throws does the same damage.
 *
 *     next instruction   PHP   an exception there would              action
 *     SEND_...           all   free arguments that are not there     wait; after a call, before 8.4: the call threw
 *     DO_...CALL         all   the same                              the same
 *     CALLABLE_CONVERT   all   the same                              the same
 *     ..._PARTIAL,       8.6   the same                              the same
 *     SEND_PLACEHOLDER
 *     END_SILENCE        all   leave errors silenced                 the same
 *     FAST_RET           all   replace what "finally" goes on with   the same
 *     ROPE_INIT, _ADD    all   free the part that it would add       put an empty part there, throw
 *     all others         all   be right                              throw
 */
#include "php/redislock_thread.h"

typedef enum {
	GUARD_THROW,
	GUARD_FILL, /* a rope */
	GUARD_WAIT,
	GUARD_CALL /* as GUARD_WAIT; an exception can be made that of this instruction when it has been executed */
} guard_action;

static const struct {
	uint8_t opcode;
	guard_action action;
} guarded[] = {
	{ ZEND_SEND_VAL, GUARD_WAIT },
	{ ZEND_SEND_VAL_EX, GUARD_WAIT },
	{ ZEND_SEND_VAR, GUARD_WAIT },
	{ ZEND_SEND_VAR_EX, GUARD_WAIT },
	{ ZEND_SEND_VAR_NO_REF, GUARD_WAIT },
	{ ZEND_SEND_VAR_NO_REF_EX, GUARD_WAIT },
	{ ZEND_SEND_REF, GUARD_WAIT },
	{ ZEND_SEND_FUNC_ARG, GUARD_WAIT },
	{ ZEND_SEND_USER, GUARD_WAIT },
#ifdef ZEND_SEND_PLACEHOLDER
	{ ZEND_SEND_PLACEHOLDER, GUARD_WAIT },
	{ ZEND_CALLABLE_CONVERT_PARTIAL, GUARD_WAIT },
#endif
	{ ZEND_CALLABLE_CONVERT, GUARD_WAIT },
	{ ZEND_DO_ICALL, GUARD_CALL },
	{ ZEND_DO_UCALL, GUARD_CALL },
	{ ZEND_DO_FCALL, GUARD_CALL },
	{ ZEND_DO_FCALL_BY_NAME, GUARD_CALL },
	{ ZEND_END_SILENCE, GUARD_WAIT },
	{ ZEND_FAST_RET, GUARD_WAIT },
	{ ZEND_ROPE_INIT, GUARD_FILL },
	{ ZEND_ROPE_ADD, GUARD_FILL },
};

static guard_action guard_of(const zend_op *op)
{
	for (size_t i = 0; i < sizeof(guarded) / sizeof(guarded[0]); i++) {
		if (guarded[i].opcode == op->opcode)
			return guarded[i].action;
	}
	return GUARD_THROW;
}

static bool is_php(const zend_execute_data *frame)
{
	return frame->func != NULL && ZEND_USER_CODE(frame->func->type);
}

/* The call that has just returned. NULL: none. */
static const zend_op *call_before(const zend_execute_data *frame)
{
	const zend_op *op = frame->opline;

	return op > frame->func->op_array.opcodes && guard_of(op - 1) == GUARD_CALL ? op - 1 : NULL;
}

/* Must an exception wait until the instruction has been executed? The VM also checks for interrupts after an internal
 * function that runs within an instruction, such as a stream filter when the stream is freed. Of these instructions
 * only calls do that, and no call directly follows a call. */
static bool has_to_wait(const zend_op *op)
{
	guard_action action = guard_of(op);

	return action == GUARD_WAIT || action == GUARD_CALL;
}

/* The interrupt handler of another extension may have called PHP code, in which the VM checks again, and an exception from
 * there continues in the frame that was interrupted first. Calls from C code are marked as the top of a VM; so are calls
 * where a debugger has replaced the VM. */
static bool was_interrupted(const zend_execute_data *frame, const zend_execute_data *above)
{
	return is_php(frame) && (ZEND_CALL_INFO(above) & ZEND_CALL_TOP) && guard_of(frame->opline) != GUARD_CALL;
}

bool redislock_guard_is_in_destructor(const zend_execute_data *outer)
{
	for (const zend_execute_data *frame = EG(current_execute_data); frame != NULL && frame != outer;
		 frame = frame->prev_execute_data) {
		const zend_function *function = frame->func;

		if (function != NULL && function->common.scope != NULL && function->common.scope->destructor == function)
			return true;
	}
	return false;
}

/* Does C code run that FFI has called? For an exception that comes out of its callback, PHP ends the script. Functions that FFI
 * makes for a call belong to no class and no module. */
static bool is_in_callback_of_ffi(void)
{
	for (const zend_execute_data *frame = EG(current_execute_data); frame != NULL; frame = frame->prev_execute_data) {
		const zend_function *function = frame->func;

		if (function != NULL && function->type == ZEND_INTERNAL_FUNCTION && function->common.scope == NULL &&
			function->internal_function.module == NULL &&
			(function->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE) != 0)
			return true;
	}
	return false;
}

redislock_place redislock_guard_place(void)
{
	const zend_execute_data *above = EG(current_execute_data);

	/* An exception from a destructor would reach code that has nothing to do with the lock. */
	if (EG(exception) != NULL || above == NULL || (EG(flags) & EG_FLAGS_IN_SHUTDOWN) ||
		redislock_guard_is_in_destructor(NULL) || is_in_callback_of_ffi())
		return REDISLOCK_PLACE_WRONG;
	if (is_php(above) && has_to_wait(above->opline) && call_before(above) == NULL)
		return REDISLOCK_PLACE_SOON;
	for (const zend_execute_data *frame; (frame = above->prev_execute_data) != NULL; above = frame) {
		if (was_interrupted(frame, above) && has_to_wait(frame->opline))
			return REDISLOCK_PLACE_SOON;
	}
	return REDISLOCK_PLACE_RIGHT;
}

/* On an exception the engine frees the part that this instruction would have added to a string. */
static void fill_rope(const zend_execute_data *frame)
{
	const zend_op *op = frame->opline;

	if (guard_of(op) == GUARD_FILL) {
		zend_string **rope = (zend_string **)ZEND_CALL_VAR(frame, op->result.var);

		rope[op->opcode == ZEND_ROPE_ADD ? op->extended_value : 0] = ZSTR_EMPTY_ALLOC();
	}
}

void redislock_guard_prepare(zval *result)
{
	zend_execute_data *current = EG(current_execute_data);
	const zend_execute_data *above = current;
	const zend_op *call;

	ZVAL_UNDEF(result);
	for (const zend_execute_data *frame; (frame = above->prev_execute_data) != NULL; above = frame) {
		if (was_interrupted(frame, above))
			fill_rope(frame);
	}
	if (!is_php(current))
		return;
	fill_rope(current);
	call = call_before(current);
	if (call == NULL || !has_to_wait(current->opline))
		return;
	current->opline = call;
	if (call->result_type & (IS_TMP_VAR | IS_VAR)) {
		ZVAL_COPY_VALUE(result, ZEND_CALL_VAR(current, call->result.var));
		ZVAL_UNDEF(ZEND_CALL_VAR(current, call->result.var));
	}
}
