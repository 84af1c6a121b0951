/*
 * server: a Redis, or something like it, as far as locks need one: strings and lists with a time to live, commands that
 * compare, scripts, and clients that wait for a list, in the order of their coming.
 */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS_MAX 16
/* Redis looks at its timers this often. */
#define TICK_MS 100

typedef struct sim_session session;
struct sim_session {
	session *next;
	sim_server *server;
	sim_conn *conn;
	bool gone;
	rlk_str in;
	bool asking;
	rlk_str awaits; /* the list it waits for; len 0: none */
	bool awaits_replicas;
	int64_t replicas_until_us;
	int64_t found;  /* replicas, when that wait ends */
	uint64_t place; /* in the queue of those who wait */
	bool paired;    /* the last command was a BLPOP */
	bool woken;     /* which has popped something */
};

static void serve(session *s);

static sim_answer answer(sim_reply_type type, const char *text, int64_t integer)
{
	return (sim_answer){ .type = type, .integer = integer, .text = rlk_str_from_cstr(text) };
}

sim_server *sim_server_new(int number)
{
	sim_server *server = sim_alloc(sizeof(*server));

	server->number = number;
	server->clock_ppm = (int)sim_number(9000) - 4500;
	server->kind = sim_number(3);
	server->blocks = sim_chance(950);
	server->allows_looks = sim_chance(world.crowd ? 200 : 900);
	return server;
}

int64_t sim_server_ms(const sim_server *server)
{
	return 1000000 + (world.now_us + world.now_us / 1000 * server->clock_ppm / 1000) / 1000;
}

/* --- keys ----------------------------------------------------------------------------------------- */

static void delete_key(sim_server *server, sim_key *key, bool expired)
{
	sim_key **link = &server->keys;

	while (*link != key)
		link = &(*link)->next;
	*link = key->next;
	sim_note_key(server, key->name, RLK_STR(""), expired);
}

sim_key *sim_server_find(sim_server *server, rlk_str name)
{
	for (sim_key *key = server->keys; key != NULL; key = key->next) {
		if (!rlk_str_equal(key->name, name))
			continue;
		if (key->expires_at_ms == 0 || sim_server_ms(server) <= key->expires_at_ms)
			return key;
		delete_key(server, key, true);
		return NULL;
	}
	return NULL;
}

static void look_for_expired(void *arg, uint64_t number)
{
	sim_server *server = arg;

	(void)number;
	for (sim_key *key = server->keys, *next; key != NULL; key = next) {
		next = key->next;
		sim_server_find(server, key->name);
	}
}

static sim_key *add(sim_server *server, rlk_str name, bool is_list)
{
	sim_key *key = sim_alloc(sizeof(*key));

	*key = (sim_key){ .next = server->keys, .name = sim_keep(name), .is_list = is_list };
	server->keys = key;
	return key;
}

static void expire_in(sim_server *server, sim_key *key, int64_t ms)
{
	key->expires_at_ms = sim_server_ms(server) + ms;
	sim_at(world.now_us + ms * SIM_MS - ms * server->clock_ppm / 1000 + 2 * SIM_MS, look_for_expired, server, 0);
}

void sim_server_watch_expiry(sim_server *server)
{
	int64_t now_ms = sim_server_ms(server);

	for (const sim_key *key = server->keys; key != NULL; key = key->next) {
		int64_t ms = key->expires_at_ms > now_ms ? key->expires_at_ms - now_ms : 0;

		if (key->expires_at_ms > 0)
			sim_at(world.now_us + ms * SIM_MS - ms * server->clock_ppm / 1000 + 2 * SIM_MS, look_for_expired, server,
				0);
	}
}

static int64_t number_of(rlk_str s)
{
	return strtoll(s.data, NULL, 10);
}

static bool is(rlk_str word, const char *command)
{
	return word.len == strlen(command) && strncasecmp(word.data, command, word.len) == 0;
}

/* --- commands ------------------------------------------------------------------------------------- */

static const char wrong_type[] = "WRONGTYPE Operation against a key holding the wrong kind of value";

static sim_answer unknown(rlk_str command)
{
	char *text = sim_alloc(command.len + 40);

	sprintf(text, "ERR unknown command '%.*s'", (int)command.len, command.data);
	return answer(SIM_ERROR, text, 0);
}

static sim_answer set(sim_server *server, const rlk_str *argv, int argc)
{
	sim_key *key = sim_server_find(server, argv[1]);
	bool nx = false;
	int64_t px = 0;

	for (int i = 3; i < argc; i++) {
		if (is(argv[i], "NX")) {
			nx = true;
		} else if (is(argv[i], "PX")) {
			px = number_of(argv[++i]);
		} else if (is(argv[i], "IFEQ") && server->kind != SIM_OLD) {
			i++;
			if (key == NULL)
				return answer(SIM_NIL, NULL, 0);
			if (key->is_list)
				return answer(SIM_ERROR, wrong_type, 0);
			if (!rlk_str_equal(key->value, argv[i]))
				return answer(SIM_NIL, NULL, 0);
		} else {
			return answer(SIM_ERROR, "ERR syntax error", 0);
		}
	}
	if (nx && key != NULL)
		return answer(SIM_NIL, NULL, 0);
	if (key == NULL)
		key = add(server, argv[1], false);
	key->is_list = false;
	key->value = sim_keep(argv[2]);
	key->expires_at_ms = 0;
	if (px > 0)
		expire_in(server, key, px);
	sim_note_key(server, key->name, key->value, false);
	return answer(SIM_STATUS, "OK", 0);
}

static sim_answer del_if_equal(sim_server *server, rlk_str name, rlk_str value)
{
	sim_key *key = sim_server_find(server, name);

	if (key == NULL || (!key->is_list && !rlk_str_equal(key->value, value)))
		return answer(SIM_INTEGER, NULL, 0);
	if (key->is_list)
		return answer(SIM_ERROR, wrong_type, 0);
	delete_key(server, key, false);
	return answer(SIM_INTEGER, NULL, 1);
}

static sim_answer push(sim_server *server, rlk_str name, rlk_str value)
{
	sim_key *key = sim_server_find(server, name);

	if (key != NULL && !key->is_list)
		return answer(SIM_ERROR, wrong_type, 0);
	if (key == NULL)
		key = add(server, name, true);
	if (key->count == 8)
		key->count--;
	memmove(key->items + 1, key->items, (size_t)key->count++ * sizeof(key->items[0]));
	key->items[0] = sim_keep(value);
	server->pushed = true;
	return answer(SIM_INTEGER, NULL, key->count);
}

static sim_answer copy(sim_server *server, rlk_str from, rlk_str to)
{
	sim_key *source = sim_server_find(server, from), *target = sim_server_find(server, to);
	rlk_str name;
	sim_key *next;

	if (source == NULL)
		return answer(SIM_INTEGER, NULL, 0);
	if (target == NULL)
		target = add(server, to, source->is_list);
	name = target->name;
	next = target->next;
	*target = *source;
	target->name = name;
	target->next = next;
	server->pushed = true;
	return answer(SIM_INTEGER, NULL, 1);
}

static sim_answer about_key(sim_server *server, const rlk_str *argv, int argc)
{
	sim_key *key = sim_server_find(server, argv[1]);

	if (is(argv[0], "EXISTS"))
		return answer(SIM_INTEGER, NULL, key != NULL);
	if (is(argv[0], "TYPE"))
		return answer(SIM_STATUS, key == NULL ? "none" : key->is_list ? "list" : "string", 0);
	if (is(argv[0], "PTTL"))
		return answer(SIM_INTEGER, NULL,
			key == NULL                 ? -2 :
				key->expires_at_ms == 0 ? -1 :
										  key->expires_at_ms - sim_server_ms(server));
	if (is(argv[0], "DEL")) {
		if (key != NULL)
			delete_key(server, key, false);
		return answer(SIM_INTEGER, NULL, key != NULL);
	}
	if (is(argv[0], "PEXPIRE") && argc > 2) {
		if (key != NULL)
			expire_in(server, key, number_of(argv[2]));
		return answer(SIM_INTEGER, NULL, key != NULL);
	}
	if (is(argv[0], "PERSIST")) {
		if (key != NULL)
			key->expires_at_ms = 0;
		return answer(SIM_INTEGER, NULL, key != NULL);
	}
	if (is(argv[0], "GET")) {
		if (key != NULL && key->is_list)
			return answer(SIM_ERROR, wrong_type, 0);
		return key == NULL ? answer(SIM_NIL, NULL, 0) : (sim_answer){ .type = SIM_BULK, .text = key->value };
	}
	if (is(argv[0], "INCR")) {
		int64_t value = key != NULL ? number_of(key->value) + 1 : 1;
		char text[24];

		if (key == NULL)
			key = add(server, argv[1], false);
		key->value = sim_keep(rlk_str_make(text, (size_t)sprintf(text, "%lld", (long long)value)));
		return answer(SIM_INTEGER, NULL, value);
	}
	if (is(argv[0], "LINDEX"))
		return key == NULL || key->count == 0 ? answer(SIM_NIL, NULL, 0) :
												(sim_answer){ .type = SIM_BULK, .text = key->items[0] };
	if (is(argv[0], "LTRIM")) {
		if (key != NULL && key->count > 1)
			key->count = 1;
		return answer(SIM_STATUS, "OK", 0);
	}
	if (is(argv[0], "LSET")) {
		if (key == NULL)
			return answer(SIM_ERROR, "ERR no such key", 0);
		key->items[0] = sim_keep(argv[3]);
		return answer(SIM_STATUS, "OK", 0);
	}
	return unknown(argv[0]);
}

static sim_answer list_commands(const sim_server *server)
{
	sim_answer list = { .type = SIM_ARRAY, .items = sim_alloc(3 * sizeof(sim_answer)) };

	list.items[list.count++] = answer(SIM_BULK, "del", 0);
	if (server->kind == SIM_REDIS)
		list.items[list.count++] = answer(SIM_BULK, "delex", 0);
	if (server->kind == SIM_VALKEY)
		list.items[list.count++] = answer(SIM_BULK, "delifeq", 0);
	return list;
}

static bool writes(rlk_str command)
{
	static const char *const reads[] = { "GET", "EXISTS", "TYPE", "PTTL", "LINDEX", "EVAL", "EVALSHA", "WAIT" };

	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		if (is(command, reads[i]))
			return false;
	}
	return true;
}

sim_answer sim_execute(sim_server *server, const rlk_str *argv, int argc)
{
	if (is(argv[0], "SENTINEL") && server->is_sentinel)
		return sim_ask_sentinel(server);
	if (is(argv[0], "PING") || is(argv[0], "ASKING"))
		return answer(SIM_STATUS, "PONG", 0);
	if (is(argv[0], "AUTH") || is(argv[0], "SELECT") || is(argv[0], "CLIENT"))
		return answer(SIM_STATUS, "OK", 0);
	if (is(argv[0], "ROLE")) {
		sim_answer role = { .type = SIM_ARRAY, .items = sim_alloc(sizeof(sim_answer)), .count = 1 };

		role.items[0] = answer(SIM_BULK, server->master == NULL ? "master" : "slave", 0);
		return role;
	}
	if (is(argv[0], "COMMAND"))
		return list_commands(server);
	if (argc < 2 || server->is_sentinel)
		return unknown(argv[0]);
	if (server->master != NULL && writes(argv[0]))
		return answer(SIM_ERROR, "READONLY You can't write against a read only replica.", 0);
	if (is(argv[0], "SET") && argc > 2)
		return set(server, argv, argc);
	if (is(argv[0], "DELEX") && server->kind == SIM_REDIS && argc == 4)
		return del_if_equal(server, argv[1], argv[3]);
	if (is(argv[0], "DELIFEQ") && server->kind == SIM_VALKEY && argc == 3)
		return del_if_equal(server, argv[1], argv[2]);
	if (is(argv[0], "LPUSH") && argc > 2)
		return push(server, argv[1], argv[2]);
	if (is(argv[0], "COPY") && server->kind != SIM_OLD && argc > 2)
		return copy(server, argv[1], argv[2]);
	if (is(argv[0], "EVAL") || is(argv[0], "EVALSHA"))
		return sim_eval(server, argv, argc);
	return about_key(server, argv, argc);
}

/* --- clients -------------------------------------------------------------------------------------- */

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

/* A whole request, taken off the input. 0: it is not there yet. */
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
	sim_answer items[2] = { { .type = SIM_BULK, .text = key->name }, { .type = SIM_BULK, .text = key->items[0] } };
	sim_answer pair = { .type = SIM_ARRAY, .items = items, .count = 2 };

	memmove(key->items, key->items + 1, (size_t)--key->count * sizeof(key->items[0]));
	if (key->count == 0)
		delete_key(s->server, key, false);
	s->awaits.len = 0;
	s->woken = true;
	send_answer(s, pair);
}

/* What stands behind the wait is served in the same turn, or after others that were read by then. */
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
		sim_at(world.now_us + (sim_chance(700) ? 0 : sim_number(200)), go_on, first, 0);
	}
}

static void end_wait(void *arg, uint64_t place)
{
	session *s = arg;

	if (s->gone || s->awaits.len == 0 || s->place != place)
		return;
	s->awaits.len = 0;
	if (s->awaits_replicas)
		send_answer(s, answer(SIM_INTEGER, NULL, s->found));
	else
		send_answer(s, answer(SIM_NIL, NULL, 0)); /* RESP2 has a nil array, which reads the same */
	s->awaits_replicas = false;
	serve(s);
}

/* WAIT: mostly the replicas answer soon; else some of them do not in time, and the rest is counted then. */
static void block_for_replicas(session *s, const rlk_str *argv)
{
	int64_t wanted = number_of(argv[1]), timeout_ms = number_of(argv[2]) + sim_number(TICK_MS);
	bool enough = sim_chance(800);

	s->awaits = RLK_STR("replicas");
	s->awaits_replicas = true;
	s->found = enough ? wanted + sim_number(2) : sim_number(wanted);
	s->place = ++s->server->queue;
	s->replicas_until_us = world.now_us + number_of(argv[2]) * SIM_MS;
	sim_at(world.now_us + (enough ? sim_number(3000) : timeout_ms * SIM_MS), end_wait, s, s->place);
}

static void block(session *s, const rlk_str *argv)
{
	sim_key *key = sim_server_find(s->server, argv[1]);
	double seconds = strtod(argv[2].data, NULL);

	s->paired = true;
	s->woken = false;
	if (s->server->master != NULL) {
		send_answer(s, answer(SIM_ERROR, "READONLY You can't write against a read only replica.", 0));
	} else if (!s->server->blocks) {
		send_answer(s, answer(SIM_ERROR, "ERR unknown command 'BLPOP'", 0));
	} else if (key != NULL && !key->is_list) {
		send_answer(s, answer(SIM_ERROR, wrong_type, 0));
	} else if (key != NULL) {
		pop_for(s, key);
	} else {
		s->awaits = sim_keep(argv[1]);
		s->place = ++s->server->queue;
		sim_at(world.now_us + (int64_t)(seconds * 1000) * SIM_MS + sim_number(TICK_MS) * SIM_MS, end_wait, s, s->place);
	}
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
			i == 1 && shown < (int)argv[i].len && is(argv[0], "EVAL") ? "script      " :
																		argv[i].data + argv[i].len - shown);
	}
	size = a != NULL ? write_answer(a, text) : 0;
	for (size_t i = 0; i < size; i++)
		text[i] = text[i] < ' ' ? ' ' : text[i];
	snprintf(who, sizeof(who), "server%d", s->server->number);
	sim_say(who, "%2d:%s -> %.*s", sim_conn_number(s->conn), said, (int)(size > 60 ? 60 : size), text);
}

/* Tells what became of a SET NX, alone or behind a BLPOP, where it may be in the script that counts fences. */
static void note_set(session *s, const rlk_str *argv, int argc, const sim_answer *a)
{
	bool behind = s->paired, woken = behind && s->woken;

	s->paired = false;
	if (argc > 3 && is(argv[0], "SET") && is(argv[3], "NX"))
		sim_note_set(argv[1], argv[2], behind, woken, a->type == SIM_STATUS);
	else if (behind && argc > 5 && is(argv[0], "EVAL"))
		sim_note_set(argv[3], argv[5], behind, woken, a->integer > 0);
}

static void serve(session *s)
{
	rlk_str argv[ARGS_MAX];
	int argc;

	while (!s->gone && s->awaits.len == 0 && (argc = take_request(s, argv)) > 0) {
		bool asking = s->asking;
		sim_answer a;

		s->asking = is(argv[0], "ASKING");
		if (sim_refuses(s->server, asking, argv, argc, &a)) {
			trace(s, argv, argc, &a);
			send_answer(s, a);
		} else if (is(argv[0], "BLPOP") && argc == 3) {
			trace(s, argv, argc, NULL);
			block(s, argv);
		} else if (is(argv[0], "WAIT") && argc == 3) {
			trace(s, argv, argc, NULL);
			block_for_replicas(s, argv);
		} else {
			sim_note_asked(s->server, argv, argc);
			a = sim_execute(s->server, argv, argc);
			trace(s, argv, argc, &a);
			note_set(s, argv, argc, &a);
			send_answer(s, a);
		}
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
		s->awaits.len = 0;
		s->awaits_replicas = false;
		send_answer(s, answer(SIM_ERROR, text, 0));
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
	/* Whenever something comes it looks at its timers, too. */
	if (s->awaits_replicas && world.now_us >= s->replicas_until_us)
		end_wait(s, s->place);
	else
		serve(s);
}

void sim_server_gone(sim_server *server, sim_conn *conn)
{
	for (session **link = &server->sessions; *link != NULL; link = &(*link)->next) {
		if ((*link)->conn == conn) {
			(*link)->gone = true;
			*link = (*link)->next;
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
