/*
 * server: the connections of a Redis: requests and their answers, and the queue of clients that block on a list.
 * commands.c executes commands.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS_MAX 24
/* Redis looks at its timers this often. */
#define TICK_MS 100
/* Keys that a session tracks. */
#define TRACKED_MAX 8

typedef struct sim_session session;
struct sim_session {
	session *next;
	sim_server *server;
	sim_conn *conn;
	bool gone;
	rlk_str in;
	bool asking, may_not_block;
	rlk_str awaits; /* the list it waits for; len 0: none */
	bool awaits_replicas;
	int replicas_wanted;
	int64_t replicas_until_us;
	uint64_t offset;  /* the server's, at the last command of this one */
	uint64_t place;   /* in the queue of clients that block */
	bool paired;      /* the last command was a BLPOP */
	int64_t woken_us; /* which popped something then; 0: nothing */
	bool tracks;
	rlk_str tracked[TRACKED_MAX];
	int tracked_count;
};

static session *executing; /* whose request is executed */

static void serve(session *s);

sim_server *sim_server_new(int number)
{
	sim_server *server = sim_alloc(sizeof(*server));

	server->number = number;
	server->clock_ppm = (int)sim_number(9000) - 4500;
	server->kind = sim_number(3);
	server->blocks = sim_chance(950);
	server->tracks = sim_chance(700);
	server->allows_checks = sim_chance(world.crowd ? 200 : 900) || world.checks;
	return server;
}

static size_t write_answer(const sim_answer *a, char *to)
{
	static const char marks[] = { '$', '+', '-', ':', '$', '*' };
	size_t len;

	switch (a->type) {
		case SIM_NIL:
			return (size_t)sprintf(to, "$-1\r\n");
		case SIM_STATUS:
		case SIM_ERROR:
			return (size_t)sprintf(to, "%c%.*s\r\n", marks[a->type], (int)a->text.len, a->text.data);
		case SIM_INTEGER:
			return (size_t)sprintf(to, ":%lld\r\n", (long long)a->integer);
		case SIM_BULK:
			return (size_t)sprintf(to, "$%zu\r\n%.*s\r\n", a->text.len, (int)a->text.len, a->text.data);
		default:
			len = (size_t)sprintf(to, "*%d\r\n", a->count);
			for (int i = 0; i < a->count; i++)
				len += write_answer(&a->items[i], to + len);
			return len;
	}
}

static void send_answer(session *s, sim_answer a)
{
	char text[4096];

	sim_reply(s->conn, text, write_answer(&a, text));
}

/* Takes a whole request off the input. 0: it is not there yet. */
static int take_request(session *s, rlk_str *argv)
{
	const char *at = s->in.data, *end = at + s->in.len, *line;
	int argc;

	if (s->in.len == 0 || (line = memchr(at, '\n', s->in.len)) == NULL)
		return 0;
	argc = atoi(at + 1);
	if (*at != '*' || argc < 1 || argc > ARGS_MAX) {
		sim_fail("a server was sent what is no request");
		return 0;
	}
	at = line + 1;
	for (int i = 0; i < argc; i++) {
		size_t len;

		if (at >= end || (line = memchr(at, '\n', (size_t)(end - at))) == NULL)
			return 0;
		len = (size_t)atoi(at + 1);
		at = line + 1;
		if ((size_t)(end - at) < len + 2)
			return 0;
		argv[i] = rlk_str_make(at, len);
		at += len + 2;
	}
	s->in = rlk_str_make(at, (size_t)(end - at));
	return argc;
}

static void pop_for(session *s, sim_key *key)
{
	sim_answer items[2] = { { .type = SIM_BULK, .text = key->name },
		{ .type = SIM_BULK, .text = sim_server_pop(s->server, key) } };
	sim_answer pair = { .type = SIM_ARRAY, .items = items, .count = 2 };

	s->awaits.len = 0;
	s->woken_us = world.now_us;
	sim_trace_waits(s->server, s->conn, key->name, "pops");
	send_answer(s, pair);
}

/* The requests behind the wait are served in the same turn, or after others that were read by then. */
static void go_on(void *arg, uint64_t number)
{
	session *s = arg;

	(void)number;
	if (!s->gone && s->awaits.len == 0)
		serve(s);
}

static void wake_waiters(sim_server *server)
{
	bool woke = server->pushed;

	server->pushed = false;
	while (woke) {
		session *first = NULL;
		sim_key *key = NULL;

		for (session *s = server->sessions; s != NULL; s = s->next) {
			sim_key *found = !s->gone && s->awaits.len > 0 ? sim_server_find(server, s->awaits) : NULL;

			if (found != NULL && found->is_list && (first == NULL || s->place < first->place)) {
				first = s;
				key = found;
			}
		}
		woke = first != NULL;
		if (!woke)
			break;
		pop_for(first, key);
		sim_at(world.now_us + (sim_chance(700) ? 0 : sim_number(world.behind_us)), go_on, first, 0);
	}
}

static void end_replicas(session *s)
{
	int count = sim_acknowledged(s->server, s->offset);

	s->awaits.len = 0;
	s->awaits_replicas = false;
	sim_say("replicas", "%d of %d for %d", count, s->replicas_wanted, sim_conn_number(s->conn));
	send_answer(s, sim_answer_make(SIM_INTEGER, NULL, count));
}

static void end_wait(void *arg, uint64_t place)
{
	session *s = arg;

	if (s->gone || s->awaits.len == 0 || s->place != place)
		return;
	sim_trace_waits(s->server, s->conn, s->awaits, "stops");
	s->awaits.len = 0;
	if (s->awaits_replicas)
		end_replicas(s);
	else
		send_answer(s, sim_answer_make(SIM_NIL, NULL, 0)); /* RESP2 has a nil array, which reads the same */
	serve(s);
}

/* WAIT, for the writes of this connection. */
static void block_for_replicas(session *s, const rlk_str *argv)
{
	int64_t timeout_ms = strtoll(argv[2].data, NULL, 10);

	if (s->server->master != NULL) {
		send_answer(s, sim_answer_make(SIM_ERROR, "ERR WAIT cannot be used with replica instances.", 0));
		return;
	}
	s->replicas_wanted = (int)strtoll(argv[1].data, NULL, 10);
	s->awaits = RLK_STR("replicas");
	s->awaits_replicas = true;
	s->place = ++s->server->queue;
	s->replicas_until_us = world.now_us + timeout_ms * SIM_MS;
	if (sim_acknowledged(s->server, s->offset) >= s->replicas_wanted)
		end_replicas(s);
	else
		sim_at(s->replicas_until_us + sim_number(TICK_MS) * SIM_MS, end_wait, s, s->place);
}

void sim_server_acknowledged(sim_server *master)
{
	for (session *s = master->sessions, *next; s != NULL; s = next) {
		next = s->next;
		if (s->gone || !s->awaits_replicas || sim_acknowledged(master, s->offset) < s->replicas_wanted)
			continue;
		end_replicas(s);
		serve(s);
	}
}

static void block(session *s, const rlk_str *argv)
{
	sim_key *key = sim_server_find(s->server, argv[1]);
	double seconds = strtod(argv[2].data, NULL);

	s->paired = true;
	s->woken_us = 0;
	if (s->server->master != NULL) {
		send_answer(s, sim_answer_make(SIM_ERROR, "READONLY You can't write against a read only replica.", 0));
	} else if (s->may_not_block) {
		s->paired = false;
		send_answer(s, sim_answer_make(SIM_ERROR, "NOPERM User n has no permissions to run the 'blpop' command", 0));
	} else if (!s->server->blocks) {
		send_answer(s, sim_answer_make(SIM_ERROR, "ERR unknown command 'BLPOP'", 0));
	} else if (key != NULL && !key->is_list) {
		send_answer(s, sim_answer_make(SIM_ERROR, sim_wrong_type, 0));
	} else if (key != NULL) {
		pop_for(s, key);
	} else {
		s->awaits = sim_keep(argv[1]);
		s->place = ++s->server->queue;
		sim_trace_waits(s->server, s->conn, s->awaits, "blocks");
		sim_at(world.now_us + (int64_t)(seconds * 1000) * SIM_MS + sim_number(TICK_MS) * SIM_MS, end_wait, s, s->place);
	}
}

/* --- client-side tracking ---------------------------------------------------------------------------- */

typedef struct {
	session *to;
	rlk_str key;
} push;

static void send_push(void *arg, uint64_t number)
{
	const push *p = arg;
	char text[256];

	(void)number;
	if (!p->to->gone)
		sim_reply(p->to->conn, text,
			(size_t)snprintf(text, sizeof(text), ">2\r\n$10\r\ninvalidate\r\n*1\r\n$%zu\r\n%.*s\r\n", p->key.len,
				(int)p->key.len, p->key.data));
}

void sim_server_read(sim_server *server, rlk_str key)
{
	session *s = executing;

	if (s == NULL || s->server != server || !s->tracks || s->tracked_count == TRACKED_MAX)
		return;
	for (int i = 0; i < s->tracked_count; i++) {
		if (rlk_str_equal(s->tracked[i], key))
			return;
	}
	s->tracked[s->tracked_count++] = sim_keep(key);
}

/* Some pushes are lost, some come twice, or late. */
void sim_server_changed(sim_server *server, rlk_str key)
{
	for (session *s = server->sessions; s != NULL; s = s->next) {
		for (int i = 0; i < s->tracked_count; i++) {
			push *p;

			if (!rlk_str_equal(s->tracked[i], key))
				continue;
			p = sim_alloc(sizeof(*p));
			*p = (push){ s, s->tracked[i] };
			s->tracked[i--] = s->tracked[--s->tracked_count];
			if (s == executing || sim_chance(50))
				continue;
			send_push(p, 0);
			if (sim_chance(100))
				sim_at(world.now_us + sim_number(100 * SIM_MS), send_push, p, 0);
		}
	}
}

/* HELLO 3 and CLIENT TRACKING, the first of which the server may not have. */
static bool answers_tracking(session *s, const rlk_str *argv, int argc)
{
	static const char map[] = "%1\r\n$5\r\nproto\r\n:3\r\n";

	if (!s->server->tracks || argc < 2)
		return false;
	if (sim_is(argv[0], "HELLO")) {
		sim_reply(s->conn, map, sizeof(map) - 1);
	} else if (sim_is(argv[0], "CLIENT") && sim_is(argv[1], "TRACKING")) {
		s->tracks = true;
		send_answer(s, sim_answer_make(SIM_STATUS, "OK", 0));
	} else {
		return false;
	}
	return true;
}

static void trace(const session *s, const rlk_str *argv, int argc, const sim_answer *a)
{
	char who[16], text[4096], said[600];
	size_t len = 0, size;

	if (!sim_verbose)
		return;
	for (int i = 0; i < argc && len < 300; i++) {
		int shown = argv[i].len > 45 ? 12 : (int)argv[i].len; /* tokens are told apart by their ends */

		len += (size_t)snprintf(said + len, sizeof(said) - len, " %s%.*s", shown < (int)argv[i].len ? ".." : "", shown,
			i == 1 && shown < (int)argv[i].len && sim_is(argv[0], "EVAL") ? "script      " :
																			argv[i].data + argv[i].len - shown);
	}
	size = a != NULL ? write_answer(a, text) : 0;
	for (size_t i = 0; i < size; i++)
		text[i] = text[i] < ' ' ? ' ' : text[i];
	snprintf(who, sizeof(who), "server%d", s->server->number);
	sim_say(who, "%2d:%s -> %.*s", sim_conn_number(s->conn), said, (int)(size > 60 ? 60 : size), text);
}

/* Reports the result of a SET NX, alone or behind a BLPOP, or in the script that counts fences. */
static void note_set(session *s, const rlk_str *argv, int argc, const sim_answer *a)
{
	bool behind = s->paired;
	int64_t woken_us = behind ? s->woken_us : 0;

	s->paired = false;
	if (behind && world.troubles.breaks && sim_chance(50))
		sim_network_break_soon(s->conn);
	if (argc > 3 && (sim_is(argv[0], "SET") || world.kind.id != RLK_PLAIN) && world.breaks_in_thousand > 0 &&
		sim_chance(world.breaks_in_thousand))
		sim_network_break_soon(s->conn);
	if (argc > 3 && sim_is(argv[0], "SET") && sim_is(argv[3], "NX"))
		sim_note_set(argv[1], argv[2], behind, woken_us, a->type == SIM_STATUS);
	else if (behind && argc > 5 && sim_is(argv[0], "EVAL"))
		sim_note_set(argv[3], argv[5], behind, woken_us, a->integer > 0);
}

static void serve(session *s)
{
	rlk_str argv[ARGS_MAX];
	int argc;

	while (!s->gone && s->awaits.len == 0 && (argc = take_request(s, argv)) > 0) {
		bool asking = s->asking;
		sim_answer a;

		s->asking = sim_is(argv[0], "ASKING");
		sim_trace_serving(s->server);
		s->may_not_block = s->may_not_block || (sim_is(argv[0], "AUTH") && sim_is(argv[1], "n"));
		if (answers_tracking(s, argv, argc)) {
			trace(s, argv, argc, NULL);
		} else if (sim_refuses(s->server, asking, argv, argc, &a)) {
			trace(s, argv, argc, &a);
			send_answer(s, a);
		} else if (sim_is(argv[0], "BLPOP") && argc == 3) {
			trace(s, argv, argc, NULL);
			block(s, argv);
		} else if (sim_is(argv[0], "WAIT") && argc == 3) {
			trace(s, argv, argc, NULL);
			block_for_replicas(s, argv);
			sim_trace_served(s->conn, s->server);
			continue;
		} else {
			sim_note_asked(s->server, argv, argc);
			executing = s;
			a = sim_execute(s->server, argv, argc);
			executing = NULL;
			s->offset = ++s->server->offset;
			trace(s, argv, argc, &a);
			note_set(s, argv, argc, &a);
			send_answer(s, a);
		}
		sim_trace_served(s->conn, s->server);
		wake_waiters(s->server);
		if (s->server->master == NULL)
			sim_replicate(s->server);
	}
}

void sim_server_unblock(sim_server *server, int name, const char *text)
{
	for (session *s = server->sessions; s != NULL; s = s->next) {
		if (s->awaits.len == 0 || (name >= 0 && s->awaits.data[5] != '0' + name))
			continue;
		sim_trace_waits(s->server, s->conn, s->awaits, "stops");
		s->awaits.len = 0;
		s->awaits_replicas = false;
		send_answer(s, sim_answer_make(SIM_ERROR, text, 0));
		sim_at(world.now_us, go_on, s, 0);
	}
}

static session *session_of(const sim_server *server, const sim_conn *conn)
{
	session *s = server->sessions;

	while (s != NULL && s->conn != conn)
		s = s->next;
	return s;
}

void sim_server_accept(sim_server *server, sim_conn *conn)
{
	session *s = sim_alloc(sizeof(*s));

	*s = (session){ .next = server->sessions, .server = server, .conn = conn };
	server->sessions = s;
}

void sim_server_receive(sim_server *server, sim_conn *conn, const char *data, size_t len)
{
	session *s = session_of(server, conn);
	char *in = sim_alloc(s->in.len + len + 1);

	if (s->in.len > 0)
		memcpy(in, s->in.data, s->in.len);
	memcpy(in + s->in.len, data, len);
	s->in = rlk_str_make(in, s->in.len + len);
	/* The server also looks at its timers whenever a request comes. */
	if (s->awaits_replicas && world.now_us >= s->replicas_until_us)
		end_wait(s, s->place);
	else
		serve(s);
}

void sim_server_gone(sim_server *server, sim_conn *conn)
{
	for (session **link = &server->sessions; *link != NULL; link = &(*link)->next) {
		session *s = *link;

		if (s->conn == conn) {
			s->gone = true;
			*link = s->next;
			sim_trace_waits(server, conn, s->awaits, "stops");
			/* Its request behind the wake-up, which wakes the next waiter, was read, but not served yet. */
			if (s->woken_us > 0 && s->awaits.len == 0 && s->in.len > 0)
				sim_note_wake_lost();
			return;
		}
	}
}

void sim_server_restart(sim_server *server)
{
	sim_network_drop(server);
	server->cached = 0;
}

void sim_server_delete(sim_server *server, int name, bool waiters)
{
	char key[24];
	rlk_str argv[2] = { RLK_STR("DEL"),
		{ key, (size_t)sprintf(key, waiters ? "{name%d}:rlk:waiters" : "name%d", name) } };

	sim_note_deleted(name);
	sim_say("operator", "deletes %s at server %d: %d", key, server->number, (int)sim_execute(server, argv, 2).integer);
}

void sim_server_foreign(sim_server *server, int name)
{
	char key[24], value[24];
	rlk_str argv[6] = { RLK_STR("SET"), { key, (size_t)sprintf(key, "name%d", name) },
		{ value, (size_t)sprintf(value, "foreign-%d", (int)sim_number(1000000)) }, RLK_STR("NX"), RLK_STR("PX"),
		RLK_STR("700") };

	sim_say("foreign", "locks %s at server %d: %s", key, server->number,
		sim_execute(server, argv, 6).type == SIM_STATUS ? "done" : "taken");
}
