/*
 * trace: the steps of a history, as docs/internals/model/Locks.tla knows them, in JSON, a line each.
 *
 * What a request is, is told by what it does, not by its words: before and after each one that the server executes it is looked
 * who has the lock. So a request is written down when the history is over, and one that was never executed is not. A
 * history has a trace for each name.
 *
 *     begin    seed, name, units (permits; one that needs all of them is alone), servers
 *     send     r: number of the request, w: process, s: server, c: connection, t: token; op: takes, extends, asks (the token
 *              has the lock before and after), ends; u: until when a yes counts, by the clock of whoever sends it; lasts: how long its token
 *              has the lock once it is executed, if that ends earlier than before
 *     serve    r, keys: what the lock has now, read: will anybody read the answer, script: it was one
 *     read     r
 *     waits    key, signal: is there a waiters key, a wake token; of a plain lock of one server, where serve and refuse have these, too
 *     blocks, pops, stops    c: waits for a wake token, has it, waits no longer
 *     believe  h: object of a process, t, u: until when it believes to have the lock, n: units; fence, 0: none
 *     other    s, keys: has changed, and no request with a token did it. foreign, forced: by whom
 *     excuse   t: what its holder believes is not its fault any more
 *     retire   t: its holder has another one from now on
 *     write    t, f: fence, done: the protected number took it
 *
 * Times are microseconds. Keys are, by token, until when, units, fence.
 */
#include "trace.h"

#include "checks.h"

#include <stdlib.h>
#include <string.h>

#define UNITS_WITHOUT_END 1000
#define NEVER_US 1000000000 /* sums must fit 31 bits */
#define HOLDERS_MAX 24

typedef sim_trace_request request;

typedef struct {
	char token[24];
	int64_t until_ms, until_us; /* by the clock of the server, and the world's */
	int units;
	int64_t fence;
} holder;

typedef struct {
	holder all[HOLDERS_MAX];
	int count;
} holders;

typedef struct step step;
struct step {
	step *next;
	const char *what;
	int64_t at_us;
	const request *request;
	int server;
	const char *rest;
};

typedef struct {
	char token[24];
	int64_t until_ms, until_us;
	int units;
	int64_t fence;
} belief;

static FILE *out;
static unsigned long lines;
static step *steps[SIM_NAMES], **last_step[SIM_NAMES];
static struct {
	bool key, signal;
} waiting[SIM_NAMES];
static holders known[SIM_NAMES][SIM_SERVERS_MAX];
static belief believed[SIM_CLIENTS_MAX][SIM_HOLDS_MAX];
static int64_t written[SIM_NAMES], fences[SIM_NAMES];

bool sim_trace_open(const char *path)
{
	out = fopen(path, "w");
	return out != NULL;
}

bool sim_trace_is_open(void)
{
	return out != NULL;
}

bool sim_trace_close(void)
{
	return fclose(out) == 0;
}

unsigned long sim_trace_lines(void)
{
	return lines;
}

void sim_trace_begin(void)
{
	for (int i = 0; i < SIM_NAMES; i++) {
		steps[i] = NULL;
		last_step[i] = &steps[i];
	}
	sim_trace_wires_begin();
	memset(waiting, 0, sizeof(waiting));
	memset(known, 0, sizeof(known));
	memset(believed, 0, sizeof(believed));
	memset(written, 0, sizeof(written));
	memset(fences, 0, sizeof(fences));
}

static step *add_step(int name, const char *what, const request *r, int server, const char *rest)
{
	step *s = sim_alloc(sizeof(*s));

	*s = (step){ .what = what, .at_us = world.now_us, .request = r, .server = server, .rest = rest };
	*last_step[name] = s;
	last_step[name] = &s->next;
	return s;
}

static char *say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *say(const char *format, ...)
{
	char text[3000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return (char *)sim_keep(rlk_str_from_cstr(text)).data;
}

static int units_of(int name)
{
	if (!sim_lock_is_set(&sim_locks[name]))
		return 1;
	return world.kind.id == RLK_PERMITS ? world.kind.permits : UNITS_WITHOUT_END;
}

/* The end of a token, which differs from that of others. Marks of weights and upgrades are not part of it. */
void sim_trace_shorten(rlk_str token, char to[24])
{
	const char *mark = memchr(token.data, '#', token.len);

	if (mark != NULL)
		token.len = (size_t)(mark - token.data);
	if (rlk_str_ends_with(token, RLK_STR("^")))
		token.len--;
	if (token.len > 20)
		token = rlk_str_make(token.data + token.len - 20, 20);
	snprintf(to, 24, "%.*s", (int)token.len, token.data);
}

/* --- who has the lock ----------------------------------------------------------------------------- */

static int64_t until_us(const sim_server *server, int64_t at_ms)
{
	int64_t us = sim_us_at(server, at_ms);

	return us < NEVER_US ? us : NEVER_US;
}

static holders look(const sim_server *server, int name)
{
	const sim_key *key = sim_server_peek(server, name);
	holders h = { .count = 0 };

	for (int i = 0; key != NULL && i < sim_key_holders(key); i++) {
		rlk_str token = sim_key_holder(key, i);
		char text[24];
		int at = 0;

		sim_trace_shorten(token, text);
		while (at < h.count && strcmp(h.all[at].token, text) != 0)
			at++;
		if (at == HOLDERS_MAX)
			sim_fail("too many holders for a trace");
		if (at == h.count) {
			h.count++;
			memcpy(h.all[at].token, text, sizeof(text));
			h.all[at].until_ms = sim_key_until_ms(key, token);
			h.all[at].until_us = until_us(server, h.all[at].until_ms);
			h.all[at].units = 0;
			h.all[at].fence = 0;
		}
		h.all[at].units += key->is_set ? 1 : units_of(name);
	}
	return h;
}

static holder *find(holders *h, const char *token)
{
	for (int i = 0; i < h->count; i++) {
		if (strcmp(h->all[i].token, token) == 0)
			return &h->all[i];
	}
	return NULL;
}

static bool are_equal(holders *a, holders *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++) {
		holder *h = find(b, a->all[i].token);

		if (h == NULL || h->units != a->all[i].units || h->until_ms != a->all[i].until_ms)
			return false;
	}
	return true;
}

static void keep_fences(holders *now, holders *before)
{
	for (int i = 0; i < now->count; i++) {
		holder *h = find(before, now->all[i].token);

		if (h != NULL) {
			now->all[i].fence = h->fence;
			if (h->until_ms == now->all[i].until_ms) /* which comes out a little different each time */
				now->all[i].until_us = h->until_us;
		}
	}
}

static const char *say_keys(const holders *h)
{
	char text[HOLDERS_MAX * 70] = "";
	size_t len = 0;

	for (int i = 0; i < h->count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s\"%s\":{\"until\":%lld,\"need\":%d,\"fence\":%lld}",
			i > 0 ? "," : "", h->all[i].token, (long long)h->all[i].until_us, h->all[i].units,
			(long long)h->all[i].fence);
	return say("\"keys\":{%s}", text);
}

/* --- who waits ------------------------------------------------------------------------------------ */

static bool has_queue(int name)
{
	return world.topology == SIM_ALONE && world.server_count == 1 && !sim_lock_is_set(&sim_locks[name]);
}

static bool exists(const sim_server *server, int name, const char *what)
{
	char text[32];
	rlk_str wanted = rlk_str_make(text, (size_t)sprintf(text, "{name%d}:rlk:%s", name, what));

	for (const sim_key *key = server->keys; key != NULL; key = key->next) {
		if (rlk_str_equal(key->name, wanted))
			return key->expires_at_ms == 0 || key->expires_at_ms >= sim_server_ms(server);
	}
	return false;
}

/* "": unknown. */
static const char *say_waits(const sim_server *server, int name)
{
	if (!has_queue(name))
		return "";
	waiting[name].key = exists(server, name, "waiters");
	waiting[name].signal = exists(server, name, "signal");
	return say(",\"key\":%s,\"signal\":%s", waiting[name].key ? "true" : "false",
		waiting[name].signal ? "true" : "false");
}

void sim_trace_waits(const sim_server *server, const sim_conn *conn, rlk_str list, const char *what)
{
	int name = list.len > 5 ? list.data[5] - '0' : -1;

	if (!sim_trace_is_open() || name < 0 || name >= SIM_NAMES || !has_queue(name) ||
		!rlk_str_equal(list, rlk_str_from_cstr(name == 0 ? "{name0}:rlk:signal" : "{name1}:rlk:signal")))
		return;
	add_step(name, what, NULL, server->number, say("\"c\":%d", sim_conn_number(conn)));
	if (strcmp(what, "pops") == 0)
		waiting[name].signal = false;
}

static void look_for_changes(int name, int s)
{
	const sim_server *server = world.servers[s];
	holders now = look(server, name);

	if (!are_equal(&now, &known[name][s])) {
		keep_fences(&now, &known[name][s]);
		add_step(name, "other", NULL, s,
			say("%s,\"foreign\":%s,\"forced\":%s", say_keys(&now), world.troubles.foreign ? "true" : "false",
				sim_locks[name].forced ? "true" : "false"));
		known[name][s] = now;
	}
	if (has_queue(name) &&
		(waiting[name].key != exists(server, name, "waiters") ||
			waiting[name].signal != exists(server, name, "signal")))
		add_step(name, "waits", NULL, s, say_waits(server, name) + 1);
}

/* --- what is believed ----------------------------------------------------------------------------- */

static void note_belief(int client, int number)
{
	const sim_hold *hold = &sim_clients[client].holds[number];
	belief *before = &believed[client][number], now = { .units = units_of(hold->name) };
	const sim_process *process = hold->client->process;

	if (process == NULL)
		return;
	if (process->running) {
		sim_trace_shorten(rlk_buf_str(&hold->life.lock.token.text), now.token);
		now.until_ms = sim_hold_valid_until_ms(hold);
		now.fence = hold->fence ? hold->life.lock.fence : 0;
		if (now.units > 1 && hold->life.lock.kind.id != RLK_PLAIN && !hold->alone)
			now.units = hold->life.lock.kind.weight;
	}
	if (now.until_ms > 0)
		now.until_us = now.until_ms == before->until_ms ? before->until_us : sim_us_of(process, now.until_ms - 1);
	if (now.until_us > NEVER_US)
		now.until_us = NEVER_US;
	if (now.until_us <= world.now_us)
		now.until_us = 0;
	if (before->token[0] != 0 && strcmp(before->token, now.token) != 0) {
		if (before->until_us > world.now_us)
			add_step(hold->name, "believe", NULL, 0,
				say("\"h\":\"%s.%d\",\"t\":\"%s\",\"u\":0,\"n\":0,\"f\":0", process->name, number, before->token));
		add_step(hold->name, "retire", NULL, 0, say("\"t\":\"%s\"", before->token));
		before->until_us = 0;
	}
	if (now.until_us != before->until_us || (now.until_us > 0 && now.units != before->units)) {
		if (now.until_us > 0 || before->until_us > world.now_us)
			add_step(hold->name, "believe", NULL, 0,
				say("\"h\":\"%s.%d\",\"t\":\"%s\",\"u\":%lld,\"n\":%d,\"f\":%lld", process->name, number, now.token,
					(long long)now.until_us, now.units, (long long)now.fence));
		/* The holder writes its fence to a number, which refuses fences below its last. */
		if (now.until_us > 0 && now.fence > 0 && before->until_us == 0) {
			bool done = now.fence >= written[hold->name];

			add_step(hold->name, "write", NULL, 0,
				say("\"t\":\"%s\",\"f\":%lld,\"done\":%s", now.token, (long long)now.fence, done ? "true" : "false"));
			if (done)
				written[hold->name] = now.fence;
		}
	}
	*before = now;
}

void sim_trace_beliefs(void)
{
	for (int i = 0; i < sim_client_count; i++) {
		for (int j = 0; j < world.holds; j++)
			note_belief(i, j);
	}
}

void sim_trace_step(void)
{
	if (out == NULL)
		return;
	for (int name = 0; name < SIM_NAMES; name++) {
		for (int s = 0; s < world.server_count; s++)
			look_for_changes(name, s);
	}
	sim_trace_beliefs();
}

void sim_trace_excused(rlk_str token)
{
	char text[24];

	if (out == NULL)
		return;
	sim_trace_shorten(token, text);
	for (int name = 0; name < SIM_NAMES; name++)
		add_step(name, "excuse", NULL, 0, say("\"t\":\"%s\"", text));
}

/* --- requests ------------------------------------------------------------------------------------- */

void sim_trace_note_sent(const request *r, int server)
{
	add_step(r->name, "send", r, server, NULL);
}

void sim_trace_note_read(const request *r)
{
	add_step(r->name, "read", r, 0, NULL);
}

void sim_trace_serving(const sim_server *server)
{
	for (int name = 0; name < SIM_NAMES && sim_trace_is_open(); name++)
		look_for_changes(name, server->number);
}

static int64_t fence_of(const sim_server *server, int name)
{
	char text[24];
	rlk_str wanted = rlk_str_make(text, (size_t)sprintf(text, "{name%d}:rlk:fence", name));
	const sim_key *key = server->keys;

	while (key != NULL && !rlk_str_equal(key->name, wanted))
		key = key->next;
	return key != NULL ? strtoll(key->value.data, NULL, 10) : 0;
}

/* A member of a set is over at the beginning of the millisecond, a key at its end. */
static bool is_over(const sim_server *server, int name, const holder *h)
{
	return h != NULL && sim_server_ms(server) + sim_lock_is_set(&sim_locks[name]) > h->until_ms;
}

/* The request, and for how long a yes counts: as long as the lock has left, less the margin for clocks. */
static void judge(request *r, sim_server *server, holders *before, holders *after)
{
	holder *was = find(before, r->token), *is = find(after, r->token);
	int64_t fence = fence_of(server, r->name), left_ms;

	/* The hold was over, and this shows now, or it is there again. */
	if (is_over(server, r->name, was))
		was = NULL;
	if (is_over(server, r->name, is))
		is = NULL;
	r->lasts_us = NEVER_US;
	r->op = was == NULL && is == NULL ? "none" : was == NULL ? "takes" : is == NULL ? "ends" : "asks";
	if (is == NULL) {
		r->lasts_us = was != NULL ? 0 : NEVER_US;
		return;
	}
	if (was == NULL && fence > fences[r->name])
		is->fence = fences[r->name] = fence;
	if (was != NULL && (is->until_ms != was->until_ms || is->units != was->units))
		r->op = "extends";
	left_ms = is->until_ms - sim_server_ms(server);
	if (was != NULL && is->until_ms < was->until_ms)
		r->lasts_us = left_ms * 995 - SIM_MS; /* by any clock */
	left_ms -= left_ms >= 10 ? (left_ms + 99) / 100 + 2 : 0;
	r->counts_until_us = is->until_us == NEVER_US ? NEVER_US : sim_us_of(r->process, r->sent_at_ms + left_ms - 1);
}

void sim_trace_note_served(request *r, sim_server *server)
{
	holders *before = &known[r->name][server->number], now = look(server, r->name);

	keep_fences(&now, before);
	judge(r, server, before, &now);
	add_step(r->name, "serve", r, server->number, say("%s%s", say_keys(&now), say_waits(server, r->name)));
	*before = now;
}

/* --- the lines ------------------------------------------------------------------------------------ */

static void write_step(const step *s)
{
	const request *r = s->request;

	if (r != NULL && (!r->served || (strcmp(r->op, "none") == 0 && strcmp(s->what, "serve") != 0)))
		return;
	if (r != NULL && strcmp(r->op, "none") == 0) {
		fprintf(out, "{\"e\":\"refuse\",\"now\":%lld,\"s\":%d,\"t\":\"%s\",%s}\n", (long long)s->at_us, s->server,
			r->token, s->rest);
		lines++;
		return;
	}
	fprintf(out, "{\"e\":\"%s\",\"now\":%lld", s->what, (long long)s->at_us);
	if (r != NULL)
		fprintf(out, ",\"r\":%d", r->number);
	if (strcmp(s->what, "send") == 0)
		fprintf(out, ",\"w\":\"%s\",\"s\":%d,\"c\":%d,\"t\":\"%s\",\"op\":\"%s\",\"u\":%lld,\"lasts\":%lld",
			r->process->parent != NULL ? r->process->parent->name : r->process->name, s->server, r->conn, r->token,
			r->op, (long long)r->counts_until_us, (long long)r->lasts_us);
	if (strcmp(s->what, "serve") == 0)
		fprintf(out, ",\"s\":%d,\"read\":%s,\"script\":%s", s->server, r->read ? "true" : "false",
			r->by_script ? "true" : "false");
	if (strcmp(s->what, "other") == 0)
		fprintf(out, ",\"s\":%d", s->server);
	if (s->rest != NULL)
		fprintf(out, ",%s", s->rest);
	fprintf(out, "}\n");
	lines++;
}

void sim_trace_end(void)
{
	for (int name = 0; name < SIM_NAMES && out != NULL && world.topology == SIM_ALONE; name++) {
		if (steps[name] == NULL)
			continue;
		fprintf(out, "{\"e\":\"begin\",\"seed\":%llu,\"name\":%d,\"units\":%d,\"servers\":%d}\n",
			(unsigned long long)world.seed, name, units_of(name), world.server_count);
		lines++;
		for (const step *s = steps[name]; s != NULL; s = s->next)
			write_step(s);
	}
}
