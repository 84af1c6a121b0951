/*
 * fake_clock: a clock that stands still until a test moves it.
 *
 * A test that wants it says, in two comment lines of their own,
 *     unit: add tests/unit/fake_clock.c
 *     unit: link -Wl,--wrap=rlk_clock_now_ms
 * Nothing else may really wait then: a poll() with a timeout of this clock
 * returns in real time, while this clock has not moved.
 */
#ifndef FAKE_CLOCK_H
#define FAKE_CLOCK_H

#include "base/rlk_os.h"

/* Where the clock starts in every program. Not 0, so that a forgotten initialisation shows. */
#define FAKE_CLOCK_START_MS 1000000

/* Sets the clock, backwards too. */
void fake_clock_set(int64_t now_ms);

/* Moves the clock on. */
void fake_clock_advance(int64_t by_ms);

/* From now on every reading moves the clock on by so much: for loops that wait until a deadline. 0: it stands. */
void fake_clock_tick(int64_t by_ms);

#endif
