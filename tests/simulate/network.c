/*
 * network: carries bytes, with delays made by chance. On a connection nothing overtakes anything; bytes of one
 * connection may arrive before or after those of another. sockets.c has what a process sees.
 */
#include "network.h"

#include "trace.h"

#include <string.h>

typedef struct {
	sim_conn *conn;
	rlk_str data;
	uint64_t confirms;
	bool ends;
} packet;

static sim_conn *conns[4096];
static int conn_count;

void sim_network_begin(void)
{
	sim_sockets_begin();
	conn_count = 0;
}

void sim_network_add(sim_conn *conn)
{
	conn->number = conn_count;
	conns[conn_count++] = conn;
}

int sim_network_open_at(const sim_server *server)
{
	int open = 0;

	for (int i = 0; i < conn_count; i++)
		open += conns[i]->server == server && conns[i]->accepted && !conns[i]->server_closed;
	return open;
}

/* --- packets -------------------------------------------------------------------------------------- */

int64_t sim_transit_us(const sim_conn *conn)
{
	int64_t us = world.latency_us / 2 + sim_number(world.latency_us) + sim_number(20);

	if (world.troubles.slow && !world.ending && sim_chance(world.troubles.slow_in_thousand))
		us += sim_chance(700) ? sim_number(150) * SIM_MS : sim_number(world.troubles.slow_ms) * SIM_MS;
	us += world.now_us;
	return us > conn->blocked_until_us ? us : conn->blocked_until_us + sim_number(50 * SIM_MS);
}

static packet *make_packet(sim_conn *conn, const char *data, size_t len, bool ends)
{
	packet *p = sim_alloc(sizeof(*p));

	*p = (packet){ conn, sim_keep(rlk_str_make(data, len)), conn->arrived, ends };
	return p;
}

static void confirm(void *arg, uint64_t arrived)
{
	sim_conn *conn = arg;

	if (conn->confirmed < arrived)
		conn->confirmed = arrived;
}

static void be_served(void *arg, uint64_t number)
{
	packet *p = arg;
	sim_conn *conn = p->conn;

	(void)number;
	if (conn->server_closed || !conn->accepted)
		return;
	if (conn->server->stalled_until_us > world.now_us) {
		sim_at(conn->server->stalled_until_us, be_served, p, 0);
		return;
	}
	if (p->data.len > 0)
		sim_server_receive(conn->server, conn, p->data.data, p->data.len);
	if (p->ends && !conn->server_closed) {
		sim_server_gone(conn->server, conn);
		sim_hang_up(conn);
	}
}

static void reset(void *arg, uint64_t number)
{
	sim_conn *conn = arg;

	(void)number;
	if (!conn->reset && conn->process != NULL)
		sim_say(conn->process->name, "has connection %d reset", conn->number);
	conn->reset = true;
	if (conn->process != NULL)
		sim_wake(conn->process);
}

static void arrive_there(void *arg, uint64_t number)
{
	packet *p = arg;
	sim_conn *conn = p->conn;

	(void)number;
	if (conn->cut && world.now_us > conn->cut_at_us)
		return;
	if (conn->server_closed) {
		if (p->data.len > 0)
			sim_at(sim_transit_us(conn), reset, conn, 0);
		return;
	}
	conn->arrived += p->data.len;
	if (p->data.len > 0)
		sim_at(sim_transit_us(conn), confirm, conn, conn->arrived);
	be_served(p, 0);
}

void sim_send_there(sim_conn *conn, const char *data, size_t len, bool ends)
{
	int64_t at_us = sim_transit_us(conn);

	sim_trace_sent(conn, conn->process, conn->server->number, data, len);
	conn->there_us = at_us > conn->there_us ? at_us : conn->there_us;
	sim_at(conn->there_us, arrive_there, make_packet(conn, data, len, ends), 0);
}

static void arrive_back(void *arg, uint64_t number)
{
	packet *p = arg;
	sim_conn *conn = p->conn;
	rlk_str in;

	(void)number;
	if (conn->process == NULL || conn->reset)
		return;
	confirm(conn, p->confirms);
	in.len = conn->in.len + p->data.len;
	if (p->data.len > 0) {
		char *data = sim_alloc(in.len);

		if (conn->in.len > 0)
			memcpy(data, conn->in.data, conn->in.len);
		memcpy(data + conn->in.len, p->data.data, p->data.len);
		in.data = data;
		conn->in = in;
	}
	conn->eof = conn->eof || p->ends;
	sim_wake(conn->process);
}

static void send_back(sim_conn *conn, const char *data, size_t len, bool ends)
{
	int64_t at_us = sim_transit_us(conn);

	conn->back_us = at_us > conn->back_us ? at_us : conn->back_us;
	sim_at(conn->back_us, arrive_back, make_packet(conn, data, len, ends), 0);
}

int sim_conn_number(const sim_conn *conn)
{
	return conn->number;
}

void sim_reply(sim_conn *conn, const char *data, size_t len)
{
	sim_trace_replied(conn, len);
	if (!conn->server_closed)
		send_back(conn, data, len, false);
}

void sim_hang_up(sim_conn *conn)
{
	if (conn->server_closed)
		return;
	conn->server_closed = true;
	send_back(conn, "", 0, true);
}

/* --- trouble -------------------------------------------------------------------------------------- */

void sim_break_there(void *arg, uint64_t number)
{
	sim_conn *conn = arg;

	(void)number;
	if (conn->server_closed || !conn->accepted)
		return;
	conn->server_closed = true;
	sim_server_gone(conn->server, conn);
}

static void break_conn(sim_conn *conn)
{
	sim_say("network", "breaks connection %d", conn->number);
	conn->cut = true; /* nothing is sent again; bytes under way may arrive */
	conn->cut_at_us = world.now_us + sim_number(2 * world.latency_us);
	reset(conn, 0);
	/* The server may learn of it much later. */
	sim_at(world.now_us + (sim_chance(500) ? 0 : sim_number(3000)) * SIM_MS + world.latency_us, sim_break_there, conn,
		0);
}

static void break_now(void *arg, uint64_t number)
{
	sim_conn *conn = arg;

	(void)number;
	if (!conn->reset && conn->process != NULL)
		break_conn(conn);
}

void sim_network_break_soon(sim_conn *conn)
{
	sim_at(world.now_us + world.latency_us / 2 + sim_number(world.latency_us), break_now, conn, 0);
}

void sim_network_drop(sim_server *server)
{
	for (int i = 0; i < conn_count; i++) {
		sim_conn *conn = conns[i];

		if (conn->server != server || conn->server_closed || !conn->accepted)
			continue;
		sim_server_gone(server, conn);
		sim_hang_up(conn);
	}
}

static void close_conn(sim_conn *conn)
{
	sim_say("network", "server %d closes connection %d", conn->server->number, conn->number);
	sim_server_gone(conn->server, conn);
	sim_hang_up(conn);
}

void sim_network_close_one(const sim_process *process)
{
	sim_conn *chosen = NULL;
	int seen = 0;

	for (int i = 0; i < conn_count; i++) {
		if (conns[i]->process == process && conns[i]->accepted && !conns[i]->server_closed && sim_number(++seen) == 0)
			chosen = conns[i];
	}
	if (chosen == NULL)
		return;
	sim_note_closed(process);
	close_conn(chosen);
}

void sim_network_trouble(void)
{
	sim_conn *conn = conn_count > 0 ? conns[sim_number(conn_count)] : NULL;
	int64_t until_us = world.now_us + sim_number(3000) * SIM_MS;

	if (conn == NULL || conn->reset || conn->process == NULL)
		return;
	switch (sim_number(4)) {
		case 0:
		case 1:
			break_conn(conn);
			break;
		case 2: /* the server does not like idle connections */
			if (conn->accepted && !conn->server_closed && sim_number(2) == 0)
				close_conn(conn);
			break;
		default: /* between a process and a server nothing gets through */
			sim_say("network", "%s and server %d are apart for %d ms", conn->process->name, conn->server->number,
				(int)((until_us - world.now_us) / SIM_MS));
			for (int i = 0; i < conn_count; i++) {
				if (conns[i]->process == conn->process && conns[i]->server == conn->server)
					conns[i]->blocked_until_us = until_us;
			}
	}
}
