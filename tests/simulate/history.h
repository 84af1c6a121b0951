/*
 * history: writes down what is asked, and what is told, as docs/internals/histories.md has it. Each of these does nothing unless a
 * history is open.
 */
#ifndef SIM_HISTORY_H
#define SIM_HISTORY_H

#include "client.h"

bool sim_history_open(const char *path);
/* false: not all could be written. */
bool sim_history_close(void);

void sim_history_begin(void);
void sim_history_end(void);

/* It is about to ask, and is answered. What a release is asked about is written before. */
void sim_history_asks(const sim_hold *hold, const char *what);
void sim_history_told(const sim_hold *hold, const char *what, rlk_outcome outcome);
void sim_history_lost(const sim_hold *hold);
void sim_history_killed(const sim_process *process);
/* From now on the lock of this name may be lost; -1: of each. */
void sim_history_excuse(int name);

#endif
