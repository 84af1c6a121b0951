/*
 * trace_wires: finds which request is which, by the order of bytes on a connection.
 */
#include "trace.h"

#include "checks.h"

#include <stdlib.h>
#include <string.h>

typedef sim_trace_request request;

typedef struct {
	const sim_process *process;
	char *text; /* bytes that were sent, and are no whole request yet */
	size_t len;
	int64_t since_ms;
	request *unserved, **last, *unread, **last_unread;
	uint64_t back, received;
} wire;

static wire *wires[4096];
static int requests;

void sim_trace_wires_begin(void)
{
	memset(wires, 0, sizeof(wires));
	requests = 0;
}

static wire *wire_of(const sim_conn *conn)
{
	wire **w = &wires[sim_conn_number(conn)];

	if (*w == NULL) {
		*w = sim_alloc(sizeof(**w));
		(*w)->last = &(*w)->unserved;
		(*w)->last_unread = &(*w)->unread;
	}
	return *w;
}

static bool is_token(rlk_str word)
{
	return rlk_str_starts_with(word, RLK_STR("given-")) ||
		(rlk_str_starts_with(word, RLK_STR("rlk1:")) && !rlk_str_ends_with(word, RLK_STR(":done")));
}

/* Is this a request of a lock: does it have the key of a lock, and a token behind that? */
static void read_words(request *r, const rlk_str *argv, int argc)
{
	r->name = -1;
	r->by_script = argc > 0 && rlk_str_starts_with(argv[0], RLK_STR("EVAL"));
	for (int i = 1; i < argc; i++) {
		const sim_lock_state *lock = sim_lock_of(argv[i]);

		if (lock != NULL && r->name < 0)
			r->name = (int)(lock - sim_locks);
		if (r->name >= 0 && is_token(argv[i])) {
			sim_trace_shorten(argv[i], r->token);
			return;
		}
	}
	r->name = -1;
}

/* Reads a whole request. Returns its length; 0: it is not there yet. */
static size_t take_words(const char *text, size_t len, rlk_str *argv, int *argc)
{
	const char *at = text, *end = text + len, *line;
	int count;

	if (len == 0 || (line = memchr(at, '\n', len)) == NULL)
		return 0;
	count = atoi(at + 1);
	at = line + 1;
	for (int i = 0; i < count; i++) {
		size_t size;

		if (at >= end || (line = memchr(at, '\n', (size_t)(end - at))) == NULL)
			return 0;
		size = (size_t)atoi(at + 1);
		at = line + 1;
		if ((size_t)(end - at) < size + 2)
			return 0;
		if (i < SIM_TRACE_WORDS_MAX)
			argv[i] = rlk_str_make(at, size);
		at += size + 2;
	}
	*argc = count < SIM_TRACE_WORDS_MAX ? count : SIM_TRACE_WORDS_MAX;
	return (size_t)(at - text);
}

void sim_trace_sent(const sim_conn *conn, const sim_process *process, int server, const char *data, size_t len)
{
	wire *w;
	char *text;
	rlk_str argv[SIM_TRACE_WORDS_MAX];
	size_t taken;
	int argc;

	if (!sim_trace_is_open() || len == 0)
		return;
	sim_trace_beliefs();
	w = wire_of(conn);
	if (process != NULL)
		w->process = process; /* the process may have closed the connection since */
	process = w->process;
	text = sim_alloc(w->len + len);
	if (w->len > 0)
		memcpy(text, w->text, w->len);
	else
		w->since_ms = sim_clock_ms(process);
	memcpy(text + w->len, data, len);
	w->text = text;
	w->len += len;
	while ((taken = take_words(w->text, w->len, argv, &argc)) > 0) {
		request *r = sim_alloc(sizeof(*r));

		*r = (request){ .number = ++requests,
			.conn = sim_conn_number(conn),
			.process = process,
			.sent_at_ms = w->since_ms };
		read_words(r, argv, argc);
		*w->last = r;
		w->last = &r->next;
		if (r->name >= 0)
			sim_trace_note_sent(r, server);
		w->text += taken;
		w->len -= taken;
		w->since_ms = sim_clock_ms(process);
	}
}

void sim_trace_served(const sim_conn *conn, sim_server *server)
{
	wire *w;
	request *r;

	if (!sim_trace_is_open() || (r = (w = wire_of(conn))->unserved) == NULL)
		return;
	w->unserved = r->next;
	if (w->unserved == NULL)
		w->last = &w->unserved;
	r->next = NULL;
	r->served = true;
	r->answered_at = w->back;
	*w->last_unread = r;
	w->last_unread = &r->next;
	if (r->name >= 0)
		sim_trace_note_served(r, server);
	sim_trace_serving(server);
}

void sim_trace_replied(const sim_conn *conn, size_t len)
{
	if (sim_trace_is_open())
		wire_of(conn)->back += len;
}

void sim_trace_received(const sim_conn *conn, size_t len)
{
	wire *w;

	if (!sim_trace_is_open())
		return;
	w = wire_of(conn);
	w->received += len;
	while (w->unread != NULL && w->unread->answered_at <= w->received) {
		request *r = w->unread;

		w->unread = r->next;
		if (w->unread == NULL)
			w->last_unread = &w->unread;
		r->read = true;
		if (r->name >= 0)
			sim_trace_note_read(r);
	}
}
