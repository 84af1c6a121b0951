/*
 * races: included before src/renew and src/hold, which share memory with another process. In some worlds that process
 * may run between any two accesses to this memory.
 */
#ifndef SIM_RACES_H
#define SIM_RACES_H

#include <stdatomic.h>

/* world.c */
void sim_race(void);

#undef atomic_load
#undef atomic_store
#undef atomic_exchange
#undef atomic_fetch_add
#undef atomic_fetch_sub
#undef atomic_compare_exchange_strong
#define SIM_SHARED(access, ...) (sim_race(), atomic_##access##_explicit(__VA_ARGS__, memory_order_seq_cst))
#define atomic_load(object) SIM_SHARED(load, object)
#define atomic_store(object, value) SIM_SHARED(store, object, value)
#define atomic_exchange(object, value) SIM_SHARED(exchange, object, value)
#define atomic_fetch_add(object, value) SIM_SHARED(fetch_add, object, value)
#define atomic_fetch_sub(object, value) SIM_SHARED(fetch_sub, object, value)
#define atomic_compare_exchange_strong(object, expected, value) \
	SIM_SHARED(compare_exchange_strong, object, expected, value, memory_order_seq_cst)

#endif
