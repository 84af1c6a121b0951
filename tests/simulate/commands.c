/*
 * commands: what a Redis, or something like it, executes at once, as far as locks need it: strings and lists with a time to
 * live, and commands that compare.
 */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t sim_server_ms(const sim_server *server)
{
	return 1000000 + (world.now_us + world.now_us / 1000 * server->clock_ppm / 1000) / 1000;
}

int64_t sim_us_at(const sim_server *server, int64_t at_ms)
{
	int64_t ms = at_ms - sim_server_ms(server);

	return at_ms > 0 && at_ms < SIM_NEVER ? world.now_us + ms * SIM_MS - ms * server->clock_ppm / 1000 : at_ms;
}

/* --- keys ----------------------------------------------------------------------------------------- */

static void delete_key(sim_server *server, sim_key *key, bool expired)
{
	sim_key **link = &server->keys;

	while (*link != key)
		link = &(*link)->next;
	*link = key->next;
	sim_note_key(server, key->name, RLK_STR(""), expired);
	sim_server_changed(server, key->name);
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

static const sim_key *peek(const sim_server *server, rlk_str name)
{
	const sim_key *key = server->keys;

	while (key != NULL && !rlk_str_equal(key->name, name))
		key = key->next;
	return key;
}

const sim_key *sim_server_peek(const sim_server *server, int name)
{
	char text[8];

	return peek(server, rlk_str_make(text, (size_t)sprintf(text, "name%d", name)));
}

rlk_str sim_server_turn(const sim_server *server, int name)
{
	char text[24];
	const sim_key *key = peek(server, rlk_str_make(text, (size_t)sprintf(text, "{name%d}:rlk:turn", name)));

	return key != NULL && key->expires_at_ms > sim_server_ms(server) ? key->value : RLK_STR("");
}

int sim_server_members(const sim_server *server, const sim_key *key)
{
	int64_t now_ms = sim_server_ms(server);
	int members = 0;

	if (key == NULL || (key->expires_at_ms > 0 && key->expires_at_ms < now_ms))
		return 0;
	for (int i = 0; i < key->member_count; i++)
		members += key->members[i].score > now_ms;
	return key->is_set ? members : 1;
}

int64_t sim_key_until_ms(const sim_key *key, rlk_str token)
{
	for (int i = 0; i < key->member_count; i++) {
		if (rlk_str_equal(key->members[i].name, token))
			return key->members[i].score;
	}
	if (key->is_set || !rlk_str_equal(key->value, token))
		return 0;
	return key->expires_at_ms > 0 ? key->expires_at_ms : SIM_NEVER;
}

bool sim_key_has(const sim_key *key, rlk_str token)
{
	return sim_key_until_ms(key, token) > 0;
}

int sim_key_holders(const sim_key *key)
{
	return key->is_set ? key->member_count : 1;
}

rlk_str sim_key_holder(const sim_key *key, int number)
{
	return key->is_set ? key->members[number].name : key->value;
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

bool sim_is(rlk_str word, const char *command)
{
	return word.len == strlen(command) && strncasecmp(word.data, command, word.len) == 0;
}

/* --- commands ------------------------------------------------------------------------------------- */

sim_answer sim_answer_make(sim_reply_type type, const char *text, int64_t integer)
{
	return (sim_answer){ .type = type, .integer = integer, .text = rlk_str_from_cstr(text) };
}

const char sim_wrong_type[] = "WRONGTYPE Operation against a key holding the wrong kind of value";

static sim_answer unknown(rlk_str command)
{
	char *text = sim_alloc(command.len + 40);

	sprintf(text, "ERR unknown command '%.*s'", (int)command.len, command.data);
	return sim_answer_make(SIM_ERROR, text, 0);
}

static sim_answer set(sim_server *server, const rlk_str *argv, int argc)
{
	sim_key *key = sim_server_find(server, argv[1]);
	bool nx = false;
	int64_t px = 0;

	for (int i = 3; i < argc; i++) {
		if (sim_is(argv[i], "NX")) {
			nx = true;
		} else if (sim_is(argv[i], "PX")) {
			px = number_of(argv[++i]);
		} else if (sim_is(argv[i], "IFEQ") && server->kind != SIM_OLD) {
			i++;
			if (key == NULL)
				return sim_answer_make(SIM_NIL, NULL, 0);
			if (key->is_list || key->is_set)
				return sim_answer_make(SIM_ERROR, sim_wrong_type, 0);
			if (!rlk_str_equal(key->value, argv[i]))
				return sim_answer_make(SIM_NIL, NULL, 0);
		} else {
			return sim_answer_make(SIM_ERROR, "ERR syntax error", 0);
		}
	}
	if (nx && key != NULL)
		return sim_answer_make(SIM_NIL, NULL, 0);
	if (key == NULL)
		key = add(server, argv[1], false);
	key->is_list = key->is_set = false;
	key->member_count = 0;
	key->value = sim_keep(argv[2]);
	key->expires_at_ms = 0;
	if (px > 0)
		expire_in(server, key, px);
	sim_note_key(server, key->name, key->value, false);
	sim_server_changed(server, key->name);
	return sim_answer_make(SIM_STATUS, "OK", 0);
}

static sim_answer del_if_equal(sim_server *server, rlk_str name, rlk_str value)
{
	sim_key *key = sim_server_find(server, name);

	if (key == NULL || (!key->is_list && !key->is_set && !rlk_str_equal(key->value, value)))
		return sim_answer_make(SIM_INTEGER, NULL, 0);
	if (key->is_list || key->is_set)
		return sim_answer_make(SIM_ERROR, sim_wrong_type, 0);
	delete_key(server, key, false);
	return sim_answer_make(SIM_INTEGER, NULL, 1);
}

static sim_answer push(sim_server *server, rlk_str name, rlk_str value)
{
	sim_key *key = sim_server_find(server, name);

	if (key != NULL && !key->is_list)
		return sim_answer_make(SIM_ERROR, sim_wrong_type, 0);
	if (key == NULL)
		key = add(server, name, true);
	if (key->count == 8)
		key->count--;
	memmove(key->items + 1, key->items, (size_t)key->count++ * sizeof(key->items[0]));
	key->items[0] = sim_keep(value);
	server->pushed = true;
	return sim_answer_make(SIM_INTEGER, NULL, key->count);
}

static sim_answer copy(sim_server *server, rlk_str from, rlk_str to)
{
	sim_key *source = sim_server_find(server, from), *target = sim_server_find(server, to);
	rlk_str name;
	sim_key *next;

	if (source == NULL)
		return sim_answer_make(SIM_INTEGER, NULL, 0);
	if (target == NULL)
		target = add(server, to, source->is_list);
	name = target->name;
	next = target->next;
	*target = *source;
	target->name = name;
	target->next = next;
	server->pushed = true;
	return sim_answer_make(SIM_INTEGER, NULL, 1);
}

rlk_str sim_server_pop(sim_server *server, sim_key *list)
{
	rlk_str item = list->items[0];

	memmove(list->items, list->items + 1, (size_t)--list->count * sizeof(list->items[0]));
	if (list->count == 0)
		delete_key(server, list, false);
	return item;
}

static const char *type_of(const sim_key *key)
{
	if (key == NULL)
		return "none";
	return key->is_list ? "list" : key->is_set ? "zset" : "string";
}

static sim_answer about_key(sim_server *server, const rlk_str *argv, int argc)
{
	sim_key *key = sim_server_find(server, argv[1]);

	if (sim_is(argv[0], "EXISTS")) {
		int there = key != NULL;

		for (int i = 2; i < argc; i++)
			there += sim_server_find(server, argv[i]) != NULL;
		return sim_answer_make(SIM_INTEGER, NULL, there);
	}
	if (sim_is(argv[0], "TYPE"))
		return sim_answer_make(SIM_STATUS, type_of(key), 0);
	if (sim_is(argv[0], "PTTL"))
		return sim_answer_make(SIM_INTEGER, NULL,
			key == NULL                 ? -2 :
				key->expires_at_ms == 0 ? -1 :
										  key->expires_at_ms - sim_server_ms(server));
	if (sim_is(argv[0], "DEL")) {
		int deleted = 0;

		for (int i = 1; i < argc; i++) {
			sim_key *one = sim_server_find(server, argv[i]);

			deleted += one != NULL;
			if (one != NULL)
				delete_key(server, one, false);
		}
		return sim_answer_make(SIM_INTEGER, NULL, deleted);
	}
	if (sim_is(argv[0], "PEXPIRE") && argc > 2) {
		if (argc > 3 && server->kind == SIM_OLD)
			return sim_answer_make(SIM_ERROR, "ERR Wrong number of args calling Redis command from script", 0);
		if (argc > 3 && key != NULL &&
			(key->expires_at_ms == 0 || number_of(argv[2]) <= key->expires_at_ms - sim_server_ms(server)))
			return sim_answer_make(SIM_INTEGER, NULL, 0); /* GT */
		if (key != NULL) {
			expire_in(server, key, number_of(argv[2]));
			sim_server_changed(server, key->name);
		}
		return sim_answer_make(SIM_INTEGER, NULL, key != NULL);
	}
	if (sim_is(argv[0], "PEXPIREAT") && argc > 2) {
		if (key != NULL)
			expire_in(server, key, number_of(argv[2]) - sim_server_ms(server));
		return sim_answer_make(SIM_INTEGER, NULL, key != NULL);
	}
	if (sim_is(argv[0], "PERSIST")) {
		if (key != NULL) {
			key->expires_at_ms = 0;
			sim_server_changed(server, key->name);
		}
		return sim_answer_make(SIM_INTEGER, NULL, key != NULL);
	}
	if (sim_is(argv[0], "GET")) {
		if (key != NULL && (key->is_list || key->is_set))
			return sim_answer_make(SIM_ERROR, sim_wrong_type, 0);
		return key == NULL ? sim_answer_make(SIM_NIL, NULL, 0) : (sim_answer){ .type = SIM_BULK, .text = key->value };
	}
	if (sim_is(argv[0], "INCR")) {
		int64_t value = key != NULL ? number_of(key->value) + 1 : 1;
		char text[24];

		if (key == NULL)
			key = add(server, argv[1], false);
		key->value = sim_keep(rlk_str_make(text, (size_t)sprintf(text, "%lld", (long long)value)));
		return sim_answer_make(SIM_INTEGER, NULL, value);
	}
	if (sim_is(argv[0], "LINDEX"))
		return key == NULL || key->count == 0 ? sim_answer_make(SIM_NIL, NULL, 0) :
												(sim_answer){ .type = SIM_BULK, .text = key->items[0] };
	if (sim_is(argv[0], "LTRIM")) {
		if (key != NULL && key->count > 1)
			key->count = 1;
		return sim_answer_make(SIM_STATUS, "OK", 0);
	}
	if (sim_is(argv[0], "LSET")) {
		if (key == NULL)
			return sim_answer_make(SIM_ERROR, "ERR no such key", 0);
		key->items[0] = sim_keep(argv[3]);
		return sim_answer_make(SIM_STATUS, "OK", 0);
	}
	return unknown(argv[0]);
}

/* --- sorted sets ---------------------------------------------------------------------------------- */

static sim_answer number_text(int64_t number)
{
	char *text = sim_alloc(24);

	sprintf(text, "%lld", (long long)number);
	return sim_answer_make(SIM_BULK, text, 0);
}

/* With this member, and this score, or without it (-1). Returns whether it was there. */
static bool change_member(sim_server *server, sim_key *key, rlk_str name, int64_t score)
{
	sim_member *members = sim_alloc((size_t)(key->member_count + 1) * sizeof(*members));
	int count = 0, at = 0;
	bool was = false;

	for (int i = 0; i < key->member_count; i++) {
		if (rlk_str_equal(key->members[i].name, name))
			was = true;
		else
			members[count++] = key->members[i];
	}
	if (score >= 0) {
		while (at < count && members[at].score <= score)
			at++;
		memmove(members + at + 1, members + at, (size_t)(count++ - at) * sizeof(*members));
		members[at] = (sim_member){ sim_keep(name), score };
	}
	key->members = members;
	key->member_count = count;
	if (count == 0)
		delete_key(server, key, false);
	else
		sim_note_key(server, key->name, RLK_STR("set"), false);
	return was;
}

static sim_answer range(const sim_key *key, const rlk_str *argv, int argc, bool from_last)
{
	int count = key != NULL ? key->member_count : 0, first = (int)number_of(argv[2]), last = (int)number_of(argv[3]);
	sim_answer a = { .type = SIM_ARRAY };

	first = first < 0 ? (count + first > 0 ? count + first : 0) : first;
	last = last < 0 ? count + last : last < count ? last : count - 1;
	a.items = sim_alloc((size_t)(2 * (count + 1)) * sizeof(a));
	for (int i = first; i <= last; i++) {
		const sim_member *member = &key->members[from_last ? count - 1 - i : i];

		a.items[a.count++] = (sim_answer){ .type = SIM_BULK, .text = member->name };
		if (argc > 4)
			a.items[a.count++] = number_text(member->score);
	}
	return a;
}

static sim_answer about_set(sim_server *server, const rlk_str *argv, int argc)
{
	sim_key *key = sim_server_find(server, argv[1]);
	int dropped = 0;

	if (key != NULL && !key->is_set)
		return sim_answer_make(SIM_ERROR, sim_wrong_type, 0);
	if (sim_is(argv[0], "ZADD") && argc == 4) {
		if (key == NULL)
			key = add(server, argv[1], false);
		key->is_set = true;
		return sim_answer_make(SIM_INTEGER, NULL, !change_member(server, key, argv[3], number_of(argv[2])));
	}
	if (sim_is(argv[0], "ZREM") && argc == 3)
		return sim_answer_make(SIM_INTEGER, NULL,
			key != NULL && sim_key_has(key, argv[2]) && change_member(server, key, argv[2], -1));
	if (sim_is(argv[0], "ZSCORE") && argc == 3) {
		for (int i = 0; key != NULL && i < key->member_count; i++) {
			if (rlk_str_equal(key->members[i].name, argv[2]))
				return number_text(key->members[i].score);
		}
		return sim_answer_make(SIM_NIL, NULL, 0);
	}
	if (sim_is(argv[0], "ZREVRANK") && argc == 3) {
		for (int i = 0; key != NULL && i < key->member_count; i++) {
			if (rlk_str_equal(key->members[i].name, argv[2]))
				return sim_answer_make(SIM_INTEGER, NULL, key->member_count - 1 - i);
		}
		return sim_answer_make(SIM_NIL, NULL, 0);
	}
	if (sim_is(argv[0], "ZCARD"))
		return sim_answer_make(SIM_INTEGER, NULL, key != NULL ? key->member_count : 0);
	if ((sim_is(argv[0], "ZRANGE") || sim_is(argv[0], "ZREVRANGE")) && argc > 3)
		return range(key, argv, argc, sim_is(argv[0], "ZREVRANGE"));
	if (sim_is(argv[0], "ZREMRANGEBYSCORE") && argc == 4 && sim_is(argv[2], "-inf")) {
		while (key != NULL && key->member_count > 0 && key->members[0].score <= number_of(argv[3])) {
			dropped++;
			change_member(server, key, key->members[0].name, -1);
		}
		return sim_answer_make(SIM_INTEGER, NULL, dropped);
	}
	return unknown(argv[0]);
}

static sim_answer list_commands(const sim_server *server)
{
	sim_answer list = { .type = SIM_ARRAY, .items = sim_alloc(3 * sizeof(sim_answer)) };

	list.items[list.count++] = sim_answer_make(SIM_BULK, "del", 0);
	if (server->kind == SIM_REDIS)
		list.items[list.count++] = sim_answer_make(SIM_BULK, "delex", 0);
	if (server->kind == SIM_VALKEY)
		list.items[list.count++] = sim_answer_make(SIM_BULK, "delifeq", 0);
	return list;
}

static bool writes(rlk_str command)
{
	static const char *const reads[] = { "ZSCORE", "ZCARD", "ZRANGE", "ZREVRANGE", "ZREVRANK", "GET", "EXISTS", "TYPE",
		"PTTL", "LINDEX", "EVAL", "EVALSHA", "WAIT" };

	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		if (sim_is(command, reads[i]))
			return false;
	}
	return true;
}

sim_answer sim_execute(sim_server *server, const rlk_str *argv, int argc)
{
	if (sim_is(argv[0], "SENTINEL") && server->is_sentinel)
		return sim_ask_sentinel(server);
	if (sim_is(argv[0], "PING") || sim_is(argv[0], "ASKING"))
		return sim_answer_make(SIM_STATUS, "PONG", 0);
	if (sim_is(argv[0], "AUTH") || sim_is(argv[0], "SELECT") || sim_is(argv[0], "CLIENT"))
		return sim_answer_make(SIM_STATUS, "OK", 0);
	if (sim_is(argv[0], "ROLE")) {
		sim_answer role = { .type = SIM_ARRAY, .items = sim_alloc(sizeof(sim_answer)), .count = 1 };

		role.items[0] = sim_answer_make(SIM_BULK, server->master == NULL ? "master" : "slave", 0);
		return role;
	}
	if (sim_is(argv[0], "TIME")) {
		sim_answer time = { .type = SIM_ARRAY, .items = sim_alloc(2 * sizeof(sim_answer)), .count = 2 };

		time.items[0] = number_text(sim_server_ms(server) / 1000);
		time.items[1] = number_text(sim_server_ms(server) % 1000 * 1000);
		return time;
	}
	if (sim_is(argv[0], "COMMAND"))
		return list_commands(server);
	if (argc < 2 || server->is_sentinel)
		return unknown(argv[0]);
	if (server->master != NULL && writes(argv[0]))
		return sim_answer_make(SIM_ERROR, "READONLY You can't write against a read only replica.", 0);
	if (argv[0].data[0] == 'Z')
		return about_set(server, argv, argc);
	if (sim_is(argv[0], "SET") && argc > 2)
		return set(server, argv, argc);
	if (sim_is(argv[0], "DELEX") && server->kind == SIM_REDIS && argc == 4)
		return del_if_equal(server, argv[1], argv[3]);
	if (sim_is(argv[0], "DELIFEQ") && server->kind == SIM_VALKEY && argc == 3)
		return del_if_equal(server, argv[1], argv[2]);
	if (sim_is(argv[0], "LPUSH") && argc > 2)
		return push(server, argv[1], argv[2]);
	if (sim_is(argv[0], "COPY") && server->kind != SIM_OLD && argc > 2)
		return copy(server, argv[1], argv[2]);
	if (sim_is(argv[0], "EVAL") || sim_is(argv[0], "EVALSHA"))
		return sim_eval(server, argv, argc);
	if (sim_is(argv[0], "GET") || sim_is(argv[0], "PTTL"))
		sim_server_read(server, argv[1]);
	return about_key(server, argv, argc);
}
