/*
 * sockets: as rlk_socket.h has them, and the pairs of rlk_backend.h.
 *
 * Stands for src/net/rlk_socket_posix.c, src/renew/rlk_backend_posix.c and getpeername().
 */
#include "network.h"
#include "trace.h"

#include "net/rlk_address.h"
#include "net/rlk_socket.h"
#include "renew/rlk_backend.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#define FIRST_FD 1000
#define FDS_MAX 512
#define SOON_MS 200

typedef struct end {
	struct end *other; /* NULL: closed */
	sim_process *process;
	char messages[64];
	int count;
	bool eof;
} end;

typedef struct {
	enum { FREE, CONN, END } kind;
	sim_conn *conn;
	end *end;
	sim_process *process;
} descriptor;

static descriptor descriptors[FDS_MAX];

void sim_sockets_begin(void)
{
	memset(descriptors, 0, sizeof(descriptors));
}

static descriptor *descriptor_of(int fd)
{
	if (fd < FIRST_FD || fd >= FIRST_FD + FDS_MAX || descriptors[fd - FIRST_FD].kind == FREE ||
		(world.current != NULL && descriptors[fd - FIRST_FD].process != world.current)) {
		sim_fail("descriptor %d is used, which is not open", fd);
		return NULL;
	}
	return &descriptors[fd - FIRST_FD];
}

static sim_conn *conn_of(int fd)
{
	descriptor *d = descriptor_of(fd);

	return d != NULL && d->kind == CONN ? d->conn : NULL;
}

static int new_fd(descriptor d)
{
	int i = 0;

	while (i < FDS_MAX && descriptors[i].kind != FREE)
		i++;
	if (i == FDS_MAX)
		sim_fail("too many descriptors");
	i = i < FDS_MAX ? i : 0;
	descriptors[i] = d;
	return FIRST_FD + i;
}

int sim_network_open(const sim_process *process)
{
	int open = 0;

	for (int i = 0; i < FDS_MAX; i++)
		open += descriptors[i].kind != FREE && descriptors[i].process == process;
	return open;
}

/* --- rlk_socket.h --------------------------------------------------------------------------------- */

static void be_told(void *arg, uint64_t open)
{
	sim_conn *conn = arg;

	if (conn->process == NULL || conn->state != CONNECTING)
		return;
	conn->state = open ? OPEN : REFUSED;
	sim_wake(conn->process);
}

static void be_accepted(void *arg, uint64_t number)
{
	sim_conn *conn = arg;
	bool up = conn->server->down_until_us <= world.now_us;

	(void)number;
	if (conn->reset)
		return;
	if (up) {
		conn->accepted = true;
		sim_server_accept(conn->server, conn);
	}
	conn->back_us = sim_transit_us(conn);
	sim_at(conn->back_us, be_told, conn, up);
}

static int begin_connect(const rlk_addresses *addresses, int index)
{
	rlk_address place = rlk_address_from_list(addresses, index);
	sim_conn *conn = sim_alloc(sizeof(*conn));

	sim_step();
	*conn = (sim_conn){ .process = world.current, .server = world.servers[place.ip[3] - 1] };
	sim_network_add(conn);
	conn->there_us = sim_transit_us(conn);
	sim_at(conn->there_us, be_accepted, conn, 0);
	return new_fd((descriptor){ CONN, conn, NULL, world.current });
}

int rlk_socket_connect(const rlk_addresses *addresses, int index, int64_t wait_until_ms, bool *opens, int *sys_errno)
{
	int fd = begin_connect(addresses, index);
	sim_conn *conn = conn_of(fd);
	int64_t until_us = wait_until_ms > 0 ? sim_us_of(world.current, wait_until_ms) : 0;

	*opens = true;
	*sys_errno = 0;
	if (wait_until_ms == 0)
		return fd;
	while (conn->state == CONNECTING && !conn->reset && world.now_us < until_us)
		sim_wait(until_us);
	if (conn->state == REFUSED || conn->reset) {
		rlk_socket_close(fd);
		*sys_errno = ECONNREFUSED;
		return RLK_SOCKET_NONE;
	}
	*opens = conn->state == CONNECTING;
	return fd;
}

int rlk_socket_connected(int fd)
{
	const sim_conn *conn = conn_of(fd);

	if (conn->reset)
		return ECONNRESET;
	return conn->state == REFUSED ? ECONNREFUSED : 0;
}

static int ready_events(int fd)
{
	descriptor *d = fd >= 0 ? descriptor_of(fd) : NULL;

	if (d == NULL)
		return 0;
	if (d->kind == END)
		return d->end->count > 0 || d->end->eof ? RLK_SOCKET_READABLE : 0;
	if (d->conn->reset || d->conn->state == REFUSED)
		return RLK_SOCKET_READABLE | RLK_SOCKET_WRITABLE;
	if (d->conn->state == CONNECTING)
		return 0;
	return RLK_SOCKET_WRITABLE | (d->conn->in.len > 0 || d->conn->eof ? RLK_SOCKET_READABLE : 0);
}

bool sim_socket_is_ready(int fd, int events)
{
	const descriptor *d = &descriptors[fd - FIRST_FD];

	return d->kind == FREE || d->process != world.current || (ready_events(fd) & events) != 0;
}

int rlk_socket_poll(rlk_socket_watched *watched, int count, int64_t deadline_at_ms, const rlk_hooks *hooks)
{
	int64_t until_us = sim_us_of(world.current, deadline_at_ms);

	if (count > 0)
		sim_step();
	for (;;) {
		int n = 0;

		if (hooks != NULL && hooks->signalled(hooks->arg))
			return RLK_SOCKET_SIGNAL;
		for (int i = 0; i < count; i++) {
			watched[i].ready = watched[i].fd >= 0 && (ready_events(watched[i].fd) & watched[i].events) != 0;
			n += watched[i].ready;
		}
		if (n > 0 || world.now_us >= until_us)
			return n;
		sim_wait(until_us);
	}
}

bool rlk_socket_set_wait(int fd, bool nonblocking, int timeout_ms)
{
	(void)nonblocking;
	conn_of(fd)->wait_ms = timeout_ms;
	return true;
}

static void let_go_of_held(void *arg, uint64_t holds)
{
	sim_conn *conn = arg;

	if (conn->held_len == 0 || conn->holds != holds)
		return;
	sim_send_there(conn, conn->held, conn->held_len, false);
	conn->held_len = 0;
	conn->holds++;
}

long rlk_socket_send(int fd, const char *data, size_t len)
{
	sim_conn *conn;

	sim_step();
	conn = conn_of(fd);
	if (conn == NULL || conn->reset || conn->half_closed) {
		errno = conn != NULL && conn->reset ? ECONNRESET : EPIPE;
		return RLK_SOCKET_ERROR;
	}
	if (conn->state == REFUSED) {
		errno = ECONNREFUSED;
		return RLK_SOCKET_ERROR;
	}
	if (conn->state != OPEN)
		return RLK_SOCKET_AGAIN;
	if (len > 1 && sim_chance(20))
		len = (size_t)sim_number((int64_t)len - 1) + 1;
	let_go_of_held(conn, conn->holds);
	conn->sent += len;
	sim_send_there(conn, data, len, false);
	return (long)len;
}

long rlk_socket_send_corked(int fd, const char *data, size_t len)
{
	sim_conn *conn = conn_of(fd);

	if (conn == NULL || conn->reset || conn->state != OPEN || conn->held_len + len > sizeof(conn->held) ||
		sim_chance(500))
		return rlk_socket_send(fd, data, len);
	memcpy(conn->held + conn->held_len, data, len);
	conn->held_len += len;
	conn->sent += len;
	sim_at(world.now_us + SOON_MS * SIM_MS, let_go_of_held, conn, conn->holds);
	return (long)len;
}

long rlk_socket_receive(int fd, char *data, size_t len)
{
	const descriptor *d = descriptor_of(fd);
	sim_conn *conn;

	if (d != NULL && d->kind == END)
		return sim_read_message(fd, data);
	sim_step();
	conn = conn_of(fd);
	if (conn == NULL || conn->reset) {
		errno = ECONNRESET;
		return RLK_SOCKET_ERROR;
	}
	if (conn->state == REFUSED) {
		errno = ECONNREFUSED;
		return RLK_SOCKET_ERROR;
	}
	if (conn->in.len == 0)
		return conn->eof ? 0 : RLK_SOCKET_AGAIN;
	len = conn->in.len < len ? conn->in.len : len;
	if (len > 1 && !conn->eof && sim_chance(20)) /* the system hands out all that it has */
		len = (size_t)sim_number((int64_t)len - 1) + 1;
	memcpy(data, conn->in.data, len);
	conn->in = rlk_str_make(conn->in.data + len, conn->in.len - len);
	sim_trace_received(conn, len);
	return (long)len;
}

long rlk_socket_receive_waiting(int fd, char *data, size_t len)
{
	int64_t until_us = world.now_us + (int64_t)conn_of(fd)->wait_ms * SIM_MS;

	while ((ready_events(fd) & RLK_SOCKET_READABLE) == 0 && world.now_us < until_us && !world.current->notified)
		sim_wait(until_us);
	return rlk_socket_receive(fd, data, len);
}

void rlk_socket_enable_keepalive(int fd)
{
	(void)fd;
}

bool rlk_socket_is_idle(int fd)
{
	const sim_conn *conn;

	sim_step();
	conn = conn_of(fd);
	return !conn->reset && !conn->eof && conn->in.len == 0;
}

void rlk_socket_uncork(int fd)
{
	sim_conn *conn = conn_of(fd);

	if (conn != NULL)
		let_go_of_held(conn, conn->holds);
}

size_t rlk_socket_unconfirmed(int fd)
{
	const sim_conn *conn = conn_of(fd);

	return (size_t)(conn->sent - conn->confirmed);
}

void rlk_socket_finish_sending(int fd)
{
	sim_conn *conn = conn_of(fd);

	if (conn->half_closed || conn->reset)
		return;
	let_go_of_held(conn, conn->holds);
	conn->half_closed = true;
	sim_send_there(conn, "", 0, true);
}

void rlk_socket_discard_unsent(int fd)
{
	sim_conn *conn = conn_of(fd);

	/* A packet under way may arrive all the same. The code takes that risk, for tokens of callers only. */
	conn->held_len = 0;
	conn->cut = true;
	conn->cut_at_us = world.now_us;
}

static void close_descriptor(descriptor *d)
{
	if (d->kind == CONN && !d->process->vanished) {
		sim_conn *conn = d->conn;

		if (!conn->reset && !conn->half_closed) {
			let_go_of_held(conn, conn->holds);
			if (conn->cut)
				sim_break_there(conn, 0);
			else
				sim_send_there(conn, "", 0, true);
		}
	}
	if (d->kind == CONN && d->process->vanished) /* keepalive tells the server some day */
		sim_at(world.now_us + 30000 * SIM_MS, sim_break_there, d->conn, 0);
	if (d->kind == CONN)
		d->conn->process = NULL;
	if (d->kind == END && d->end->other != NULL) {
		d->end->other->eof = true;
		d->end->other->other = NULL;
		sim_wake(d->end->other->process);
	}
	d->kind = FREE;
}

void rlk_socket_close(int fd)
{
	descriptor *d = descriptor_of(fd);

	if (d != NULL)
		close_descriptor(d);
}

void sim_network_close_all(sim_process *process)
{
	for (int i = 0; i < FDS_MAX; i++) {
		if (descriptors[i].kind != FREE && descriptors[i].process == process)
			close_descriptor(&descriptors[i]);
	}
}

int __wrap_getpeername(int fd, struct sockaddr *addr, socklen_t *len);
int __wrap_getpeername(int fd, struct sockaddr *addr, socklen_t *len)
{
	const struct sockaddr_in in = { .sin_family = AF_INET,
		.sin_port = htons(6379),
		.sin_addr.s_addr = htonl(0x0a000001u + (uint32_t)conn_of(fd)->server->number) };

	*len = sizeof(in);
	memcpy(addr, &in, sizeof(in));
	return 0;
}

/* --- between a process and its child -------------------------------------------------------------- */

void sim_pair(int fds[2], sim_process *first, sim_process *second)
{
	end *a = sim_alloc(sizeof(*a)), *b = sim_alloc(sizeof(*b));

	*a = (end){ .other = b, .process = first };
	*b = (end){ .other = a, .process = second };
	fds[0] = new_fd((descriptor){ END, NULL, a, first });
	fds[1] = new_fd((descriptor){ END, NULL, b, second });
}

void sim_tell(int fd, char message)
{
	descriptor *d = fd >= 0 ? descriptor_of(fd) : NULL;
	end *other = d != NULL ? d->end->other : NULL;

	if (other == NULL || other->count == (int)sizeof(other->messages))
		return;
	other->messages[other->count++] = message;
	sim_wake(other->process);
}

long sim_read_message(int fd, char *message)
{
	end *e = descriptor_of(fd)->end;

	if (e->count == 0)
		return e->eof ? 0 : -1;
	*message = e->messages[0];
	memmove(e->messages, e->messages + 1, (size_t)--e->count);
	return 1;
}

void rlk_pair_tell(int fd, char message)
{
	sim_step();
	sim_tell(fd, message);
}
