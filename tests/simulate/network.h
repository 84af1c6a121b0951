/*
 * network: the connections that network.c carries, and whose ends in a process are in sockets.c.
 */
#ifndef SIM_NETWORK_H
#define SIM_NETWORK_H

#include "sim.h"

struct sim_conn {
	int number;
	sim_process *process; /* NULL: it has closed the connection */
	sim_server *server;
	bool accepted, server_closed;
	enum { CONNECTING, OPEN, REFUSED } state;
	int64_t there_us, back_us; /* when the last bytes arrive */
	int64_t blocked_until_us;  /* nothing gets through */
	rlk_str in;                /* arrived and not read */
	char held[4096];           /* kept by the system for a moment */
	size_t held_len;
	uint64_t holds;
	bool half_closed, eof, reset, cut;
	int64_t cut_at_us; /* with cut: bytes that arrive at the server after this do not */
	uint64_t sent, confirmed, arrived;
	int wait_ms; /* as rlk_socket_set_wait() said; 0: it does not block */
};

void sim_network_add(sim_conn *conn);
/* The time at which bytes that are sent now arrive. */
int64_t sim_transit_us(const sim_conn *conn);
void sim_send_there(sim_conn *conn, const char *data, size_t len, bool ends);
/* Tells the server that the connection is no more. */
void sim_break_there(void *arg, uint64_t number);
void sim_sockets_begin(void);

#endif
