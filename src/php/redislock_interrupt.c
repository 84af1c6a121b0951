/*
 * redislock_interrupt: tells running PHP code that its lock is lost.
 *
 * The child has marked the slot LOST and sent SIGURG, whose handler sets the VM's interrupt flag (redislock_thread.c). At its next
 * jump the VM calls on_interrupt(), which throws where one may throw (redislock_opcode_guard.c). If not, no further interrupt
 * is requested: from inside an interrupt that would never end. A switch to the fiber or coroutine of the lock requests
 * one. Where that does not help, the child repeats its signals.
 */
#include "php/redislock_thread.h"

#include "php/redislock_errors.h"
#include "php/redislock_hold.h"

#include <zend_observer.h>

static void (*previous_interrupt)(zend_execute_data *execute_data);

/* Main waits this long for fibers before it is told in one of them. The child's signals would be no clock: on a busy machine
 * several arrive as one, and the pauses between them double. */
#define MAIN_WAITS_MS 1000

/* Has main, which holds the lock, waited too long for fibers? Then a direct child of it is told, probably an event loop: main gets the
 * exception that this throws. */
static bool main_has_waited(redislock_hold *hold)
{
	if (hold->untold_since_ms == 0)
		hold->untold_since_ms = (uint32_t)rlk_clock_now_ms() | 1;
	return (int32_t)((uint32_t)rlk_clock_now_ms() - hold->untold_since_ms) >= MAIN_WAITS_MS &&
		EG(active_fiber) != NULL && EG(active_fiber)->caller == EG(main_fiber_context);
}

/* Does the code run that has to be told? If the owner has ended, that is main. */
static bool owner_runs_here(redislock_hold *hold)
{
	const redislock_owner *owner = &hold->owner;

	if (owner->fiber == NULL)
		return redislock_owner_is_main();
	return redislock_owner_runs(owner) ||
		(owner->fiber == EG(main_fiber_context) && owner->coroutine == -1 && main_has_waited(hold));
}

/* How often the child is asked to signal sooner, after it found the code at an instruction where nothing may be thrown.
 * Of 10,000 signals one meets another instruction, even one in hundreds. The number is limited, since signals disturb
 * code that sleeps in between. */
#define MISPLACED_MAX 10000

/* The holder of several locks as one has been told: the other locks of the group throw no more. */
static void count_group_as_told(const redislock_hold *told)
{
	rlk_on_lost group = told->on_lost;

	REDISLOCK_EACH_HELD (hold) {
		if (group >= RLK_ON_LOST_GROUP && hold->on_lost == group)
			hold->on_lost = RLK_ON_LOST_FLAG;
	}
}

/* Throws for at most one lock; rlk_hold_note_loss() makes its hold LOST, which ends the child's signals. */
static void tell_of_losses(void)
{
	zval unused;

	REDISLOCK_EACH_HELD (hold) {
		rlk_lost_reason reason;
		redislock_place place;
		bool here;

		if (!rlk_hold_has_loss_to_tell(&hold->life) || (RLG(host).in_side_call && !hold->life.by_side_call))
			continue;
		if (hold->on_lost == RLK_ON_LOST_FLAG || redislock_owner_is_gone(&hold->owner)) {
			rlk_hold_note_loss(&hold->life);
			continue;
		}
		here = owner_runs_here(hold);
		place = here ? redislock_guard_place() : REDISLOCK_PLACE_WRONG;
		if (place != REDISLOCK_PLACE_RIGHT) {
			rlk_renewal_signal_loss(&redislock_renewal, hold->life.slot,
				here || !redislock_owner_is_resumed(&hold->owner));
			/* The code is a few instructions further when the next signal comes. */
			if (place == REDISLOCK_PLACE_SOON && hold->put_off < MISPLACED_MAX) {
				hold->put_off++;
				rlk_renewal_signal_anew(&redislock_renewal);
			}
			continue;
		}
		reason = rlk_hold_note_loss(&hold->life);
		hold->life.refcount++; /* the observer may free the object */
		redislock_stats_deliver();
		if (!RLG(bailed_out)) {
			redislock_guard_prepare(&unused);
			count_group_as_told(hold);
			if (EG(exception) == NULL)
				redislock_throw_lost(hold->name, reason, NULL);
			zval_ptr_dtor(&unused);
		}
		rlk_hold_drop(&hold->life);
		return;
	}
}

static void reload_certificates(rlk_hold *first)
{
	for (const redislock_hold *hold = redislock_hold_of(first); hold != NULL;
		 hold = redislock_hold_of(hold->life.next)) {
		const rlk_config *config = &hold->client->config;

		if (hold->life.slot == RLK_SLOT_NONE || rlk_hold_is_foreign(&hold->life))
			continue;
		if (config->routing != RLK_ROUTING_QUORUM)
			rlk_renewal_reload_certificates(&redislock_renewal, hold->client->at.known, hold->client->conn.server);
		for (size_t i = 0; config->routing == RLK_ROUTING_QUORUM && i < config->listed.count; i++)
			rlk_renewal_reload_certificates(&redislock_renewal, &hold->client->at.known[i], &config->listed.servers[i]);
	}
}

static void on_interrupt(zend_execute_data *execute_data)
{
	if (previous_interrupt != NULL)
		previous_interrupt(execute_data);
	if (!redislock_thread_take_interrupt())
		return;
	rlk_renewal_check_child(&redislock_renewal);
	reload_certificates(RLG(host).held);
	reload_certificates(RLG(host).arriving);
	rlk_renewal_resolve(&redislock_renewal);
	tell_of_losses();
	if (EG(exception) == NULL || RLG(bailed_out))
		redislock_interrupt_go_on();
}

/* A fiber or coroutine goes on: perhaps it is the one to be told of a loss. */
static void on_resume(void)
{
	REDISLOCK_EACH_HELD (hold) {
		if (rlk_hold_has_loss_to_tell(&hold->life)) {
			redislock_thread_interrupt();
			return;
		}
	}
}

static void on_fiber_switch(zend_fiber_context *from, zend_fiber_context *to)
{
	on_resume();
}

/* Another fiber may get the same address. */
static void on_fiber_destroy(zend_fiber_context *destroyed)
{
	REDISLOCK_EACH_HELD (hold) {
		if (hold->owner.fiber != destroyed)
			continue;
		hold->owner.fiber = NULL;
		if (rlk_hold_has_loss_to_tell(&hold->life))
			redislock_thread_interrupt();
	}
}

/* --- interrupts during our waits; startup --- */

#if defined(ZEND_HAS_OOM) && defined(__ELF__)
/* Earlier releases of the same branch lack it, and load a module that was built with a later one. */
#pragma weak zend_handle_delayed_oom
#endif

bool redislock_interrupt_is_set(void *unused)
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
#ifdef ZEND_HAS_OOM
		else if (zend_handle_delayed_oom != NULL && ZEND_HAS_OOM())
			zend_handle_delayed_oom();
#endif
		else if (zend_interrupt_function != NULL)
			zend_interrupt_function(EG(current_execute_data));
	}
	zend_catch {
		RLG(bailed_out) = true;
	}
	zend_end_try();
	return RLG(bailed_out) || EG(exception) != NULL;
}

void redislock_interrupt_precede(void)
{
	zend_object *thrown = EG(exception);

	if (redislock_ends_script(thrown) || RLG(bailed_out))
		return;
	EG(exception) = NULL;
	redislock_interrupt_dispatch(NULL);
	if (EG(exception) == NULL)
		EG(exception) = thrown;
	else
		redislock_chain(thrown);
}

void redislock_interrupt_startup(void)
{
	redislock_owner_startup(on_resume);
	previous_interrupt = zend_interrupt_function;
	zend_interrupt_function = on_interrupt;
	zend_observer_fiber_switch_register(on_fiber_switch);
	zend_observer_fiber_destroy_register(on_fiber_destroy);
}

void redislock_interrupt_shutdown(void)
{
	/* An extension that chained in after us still calls us: then there is nothing to undo. */
	if (zend_interrupt_function == on_interrupt)
		zend_interrupt_function = previous_interrupt;
}
