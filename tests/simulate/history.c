/*
 * history: what is asked and told in histories, one behind the other, each with names and processes of its own. Whoever has a fence
 * writes it to a number, when it has acquired and before it releases.
 */
#include "history.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define UNITS_WITHOUT_END 1000
#define LASTS_US 500000000LL /* more than any of them */

static FILE *out;
static int64_t began_us; /* where this one begins in all of them */
static struct {
	int64_t value, fence;
} numbers[SIM_NAMES];

bool sim_history_open(const char *path)
{
	out = fopen(path, "w");
	return out != NULL;
}

bool sim_history_close(void)
{
	return fclose(out) == 0;
}

static int units_of(int name)
{
	if (name != 0 || world.kind.id == RLK_PLAIN)
		return 1;
	return world.kind.id == RLK_PERMITS ? world.kind.permits : UNITS_WITHOUT_END;
}

static int need_of(const sim_hold *hold, const char *what)
{
	if (strcmp(what, "downgrade") == 0)
		return 1;
	if (strcmp(what, "upgrade") == 0 || hold->kind.id == RLK_PLAIN)
		return units_of(hold->name);
	return hold->kind.weight;
}

static void say(const char *process, const char *type, const char *what, const char *more, ...)
	__attribute__((format(printf, 4, 5)));
static void say(const char *process, const char *type, const char *what, const char *more, ...)
{
	va_list args;

	if (strcmp(process, "nemesis") == 0)
		fprintf(out, "{\"time\":%lld,\"process\":\"nemesis\"", (long long)(began_us + world.now_us));
	else
		fprintf(out, "{\"time\":%lld,\"process\":\"%llu.%s\"", (long long)(began_us + world.now_us),
			(unsigned long long)world.seed, process);
	fprintf(out, ",\"type\":\"%s\",\"f\":\"%s\"", type, what);
	va_start(args, more);
	vfprintf(out, more, args);
	va_end(args);
	fprintf(out, "}\n");
}

void sim_history_begin(void)
{
	if (out == NULL)
		return;
	memset(numbers, 0, sizeof(numbers));
	say("nemesis", "info", "begin",
		",\"version\":1,\"lively\":false,\"ordered\":false,\"rooms\":{\"%llu.name0\":%d},\"what\":\"seed %llu\"",
		(unsigned long long)world.seed, units_of(0), (unsigned long long)world.seed);
	if (world.shares) /* a job that runs twice, by its one token */
		sim_history_excuse(-1);
}

void sim_history_end(void)
{
	if (out == NULL)
		return;
	say("nemesis", "info", "end", "%s", "");
	began_us += world.now_us + 1;
}

void sim_history_excuse(int name)
{
	for (int i = 0; i < SIM_NAMES && out != NULL; i++) {
		if (name < 0 || name == i)
			say("nemesis", "info", "excuse", ",\"until\":%lld,\"name\":\"%llu.name%d\"",
				(long long)(began_us + LASTS_US), (unsigned long long)world.seed, i);
	}
}

void sim_history_killed(const sim_process *process)
{
	if (out != NULL)
		say("nemesis", "info", "kill", ",\"whom\":\"%llu.%s\"", (unsigned long long)world.seed, process->name);
}

static const char *object(const sim_hold *hold)
{
	static char name[40];

	snprintf(name, sizeof(name), "%s.%d", hold->client->process->name, (int)(hold - hold->client->holds));
	return name;
}

static long long until_us(const sim_hold *hold)
{
	int64_t until_ms = sim_hold_valid_until_ms(hold),
			us = until_ms > 0 ? sim_us_of(hold->client->process, until_ms - 1) : 0;

	return us <= world.now_us ? 0 : began_us + (us < LASTS_US ? us : LASTS_US);
}

static void write_number(const sim_hold *hold)
{
	long long fence = hold->life.lock.fence;
	bool refused = fence < numbers[hold->name].fence;

	if (!hold->fence || fence <= 0)
		return;
	say(object(hold), "invoke", "write", ",\"name\":\"%llu.name%d\",\"store\":\"number\",\"value\":%lld,\"fence\":%lld",
		(unsigned long long)world.seed, hold->name, (long long)numbers[hold->name].value + 1, fence);
	say(object(hold), refused ? "fail" : "ok", "write", "%s", "");
	if (!refused) {
		numbers[hold->name].value++;
		numbers[hold->name].fence = fence;
	}
}

void sim_history_asks(const sim_hold *hold, const char *what)
{
	if (out == NULL)
		return;
	if (strcmp(what, "acquire") == 0) {
		say(object(hold), "invoke", what, ",\"name\":\"%llu.name%d\",\"need\":%d,\"waits\":%s",
			(unsigned long long)world.seed, hold->name, need_of(hold, what),
			hold->waits_since_us > 0 ? "true" : "false");
		return;
	}
	if (strcmp(what, "release") == 0)
		write_number(hold);
	say(object(hold), "invoke", what, ",\"need\":%d,\"until\":%lld", need_of(hold, what), until_us(hold));
}

void sim_history_told(const sim_hold *hold, const char *what, rlk_outcome outcome)
{
	bool acquired = strcmp(what, "acquire") == 0 && outcome == RLK_YES;

	if (out == NULL)
		return;
	say(object(hold),
		outcome == RLK_YES    ? "ok" :
			outcome == RLK_NO ? "fail" :
								"info",
		what, ",\"until\":%lld,\"fence\":%lld", strcmp(what, "release") == 0 ? 0 : until_us(hold),
		acquired && hold->fence ? (long long)hold->life.lock.fence : 0);
	if (acquired)
		write_number(hold);
}

void sim_history_lost(const sim_hold *hold)
{
	if (out != NULL)
		say(object(hold), "info", "lost", "%s", "");
}
