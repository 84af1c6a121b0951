/*
 * rlk_urgent: our handler of SIGURG, by which a child reports and its death is noticed.
 *
 * SIGURG is ignored by default, and neither PHP nor the C library uses it. A
 * handler found in place is called after ours.
 */
#ifndef RLK_URGENT_H
#define RLK_URGENT_H

#include <stdbool.h>

/* Installs it, if it is not. `notify` is called from it: async-signal-safe. */
bool rlk_urgent_install(void (*notify)(void));

/* Does somebody else handle SIGURG, who is not to be disturbed? (Go's runtime needs it for itself.) */
bool rlk_urgent_is_taken(void);

/* Puts back what was there, before the code is unloaded. */
void rlk_urgent_restore(void);

#endif
