/*
 * rlk_deadline: the point in time at which a call ends.
 *
 * A method of the host makes the deadline from the time that its caller allows. Every function that can wait has it as
 * a parameter, and ends by then. A step with a time limit of its own, such as connecting or one answer, ends at the
 * earlier of the two.
 */
#ifndef RLK_DEADLINE_H
#define RLK_DEADLINE_H

#include "base/rlk_os.h"

/* A point in time. */
typedef struct {
	int64_t at_ms; /* RLK_NEVER: there is no deadline */
} rlk_deadline;

#define RLK_DEADLINE_NONE ((rlk_deadline){ RLK_NEVER })
#define RLK_DEADLINE_NOW ((rlk_deadline){ 0 }) /* nothing waits */

static inline rlk_deadline rlk_deadline_in(int64_t ms)
{
	return (rlk_deadline){ rlk_clock_add(rlk_clock_now_ms(), ms) };
}

/* The earlier of the deadline and the end of a step. */
static inline rlk_deadline rlk_deadline_within(rlk_deadline deadline, int64_t step_ends_at_ms)
{
	return (rlk_deadline){ rlk_clock_earlier(deadline.at_ms, step_ends_at_ms) };
}

/* The time left; 0: the deadline is over. */
static inline int64_t rlk_deadline_left_ms(rlk_deadline deadline)
{
	int64_t now_ms;

	if (deadline.at_ms == RLK_NEVER)
		return RLK_NEVER;
	now_ms = rlk_clock_now_ms();
	return deadline.at_ms > now_ms ? deadline.at_ms - now_ms : 0;
}

static inline bool rlk_deadline_is_over(rlk_deadline deadline)
{
	return rlk_deadline_left_ms(deadline) == 0;
}

/* A call may miss its deadline by 20 ms. */
#define RLK_DEADLINE_MOMENT_MS 15

/* Gives one more try, or a release, 15 ms near or behind the end. A try that begins later gets no second moment. */
static inline rlk_deadline rlk_deadline_for_one_more(rlk_deadline deadline)
{
	int64_t moment_ends_at_ms = rlk_clock_add(rlk_clock_now_ms(), RLK_DEADLINE_MOMENT_MS);

	if (moment_ends_at_ms <= deadline.at_ms)
		return deadline;
	return rlk_deadline_within((rlk_deadline){ moment_ends_at_ms },
		rlk_clock_add(deadline.at_ms, RLK_DEADLINE_MOMENT_MS));
}

#endif
