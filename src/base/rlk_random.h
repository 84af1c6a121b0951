/*
 * rlk_random: bytes nobody can guess, from the operating system.
 */
#ifndef RLK_RANDOM_H
#define RLK_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills buf from the system's CSPRNG. false (buf zeroed): the system has none to offer. */
bool rlk_random_bytes(void *buf, size_t len);

/* A number in [0, bound), for spreading retries in time only: falls back to the clock when there is no
 * random source. 0 when bound is 0. */
uint32_t rlk_random_spread(uint32_t bound);

#endif
