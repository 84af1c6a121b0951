/*
 * trace: writes the steps of a history down. Each of these does nothing unless a trace is open.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "client.h"

#include <stdarg.h>
#include <stdio.h>

#define SIM_TRACE_WORDS_MAX 24

typedef struct sim_trace_request sim_trace_request;
struct sim_trace_request {
	sim_trace_request *next;
	int number, conn, name; /* of the lock; -1: of none */
	char token[24];
	const sim_process *process;
	int64_t sent_at_ms; /* by the clock of that */
	bool served, read, by_script;
	uint64_t answered_at; /* so many bytes were sent back by then */
	const char *op;
	int64_t counts_until_us, lasts_us;
};

bool sim_trace_open(const char *path);
/* false: not all could be written. */
bool sim_trace_is_open(void);
bool sim_trace_close(void);
unsigned long sim_trace_lines(void);

void sim_trace_begin(void);
void sim_trace_end(void);

/* Something has happened. */
void sim_trace_step(void);
void sim_trace_excused(rlk_str token);

/* Of a connection: a process writes; the server is about to execute a request, has executed it, and writes; the process reads. */
void sim_trace_sent(const sim_conn *conn, const sim_process *process, int server, const char *data, size_t len);
void sim_trace_serving(const sim_server *server);
void sim_trace_served(const sim_conn *conn, sim_server *server);
void sim_trace_replied(const sim_conn *conn, size_t len);
void sim_trace_received(const sim_conn *conn, size_t len);
/* Of a connection that waits for a list, or does not any more. */
void sim_trace_waits(const sim_server *server, const sim_conn *conn, rlk_str list, const char *what);

/* --- between trace.c and trace_wires.c -------------------------------------------------------------- */

void sim_trace_wires_begin(void);
/* The end of a token, without marks: that tells it from others. */
void sim_trace_shorten(rlk_str token, char to[24]);
void sim_trace_beliefs(void);
void sim_trace_note_sent(const sim_trace_request *r, int server);
void sim_trace_note_served(sim_trace_request *r, sim_server *server);
void sim_trace_note_read(const sim_trace_request *r);

#endif
