/*
 * losses: what a failover loses, and which replicas have which lock.
 */
#include "checks.h"
#include "history.h"
#include "trace.h"

#include <string.h>

#define TOKENS_MAX 1024

/* The old master had the token this much longer than the new one. */
#define SLACK_MS 2
/* Replicas that do not lag acknowledge within this time and four times the latency. */
#define REPLICAS_BOUND_MS 20
/* Clocks are counted in whole milliseconds. */
#define REPLICAS_SLACK_MS 3
/* A server that has taken over has its replica within this time. */
#define TAKEN_OVER_MS 5000

/* Tokens whose locks are not what holders were told: the new master had not heard of them, or only in part. The servers
 * caused that, and no holder can know of it. */
static rlk_str betrayed[256];
static int betrayed_count;

/* The times until which at least one replica of a master has a token, at least two, and so on. */
static struct {
	rlk_str token;
	int64_t until_us[SIM_REPLICAS_MAX];
} replicated[TOKENS_MAX];
static int replicated_count;

void sim_losses_begin(void)
{
	betrayed_count = replicated_count = 0;
	memset(replicated, 0, sizeof(replicated));
}

/* --- what a failover loses ------------------------------------------------------------------------ */

/* Cuts off the number of a weight. */
static rlk_str bare(rlk_str token)
{
	const char *mark = memchr(token.data, '#', token.len);

	return mark != NULL ? rlk_str_make(token.data, (size_t)(mark - token.data)) : token;
}

bool sim_is_betrayed(rlk_str token)
{
	for (int i = 0; i < betrayed_count; i++) {
		if (rlk_str_equal(betrayed[i], token))
			return true;
	}
	return false;
}

void sim_betray(rlk_str token)
{
	token = bare(token);
	if (token.len > 0 && betrayed_count < 256 && !sim_is_betrayed(token)) {
		betrayed[betrayed_count++] = sim_keep(token);
		sim_trace_excused(token);
		sim_history_excuse(-1);
	}
}

void sim_note_asked(const sim_server *server, const rlk_str *argv, int argc)
{
	for (int i = 0; i < argc && server->superseded; i++) {
		if (rlk_str_starts_with(argv[i], RLK_STR("rlk1:")) || rlk_str_starts_with(argv[i], RLK_STR("given-")))
			sim_betray(argv[i]);
	}
}

/* The replica may have heard of a lock of a dead or cut-off master, or not. */
void sim_note_promoted(int name, sim_server *old, sim_server *heir)
{
	const sim_key *before = sim_server_peek(old, name), *after = sim_server_peek(heir, name);

	for (int i = 0; before != NULL && i < sim_key_holders(before); i++) {
		rlk_str token = sim_key_holder(before, i);
		bool alone = !before->is_set && after != NULL && after->is_set; /* others share it with this one again */
		int64_t until_ms = after != NULL ? sim_key_until_ms(after, token) : 0;

		if (alone || until_ms == 0 || sim_key_until_ms(before, token) > until_ms + SLACK_MS)
			sim_betray(token);
	}
	for (int i = 0; after != NULL && i < sim_key_holders(after); i++) {
		rlk_str token = sim_key_holder(after, i);

		if (before == NULL || sim_key_until_ms(before, token) == 0)
			sim_betray(token); /* a lock that was released is back */
	}
	sim_note_owner(name, after == NULL ? RLK_STR("") : after->is_set ? RLK_STR("set") : after->value);
}

/* --- what replicas have --------------------------------------------------------------------------- */

static int64_t *replicated_of(rlk_str token, bool add)
{
	for (int i = 0; i < replicated_count; i++) {
		if (rlk_str_equal(replicated[i].token, token))
			return replicated[i].until_us;
	}
	if (!add || replicated_count == TOKENS_MAX)
		return NULL;
	replicated[replicated_count].token = sim_keep(token);
	return replicated[replicated_count++].until_us;
}

int64_t sim_replicated_us(rlk_str token, int min)
{
	const int64_t *known = replicated_of(token, false);

	if (replicated_count == TOKENS_MAX)
		return SIM_NEVER;
	return known != NULL && min <= SIM_REPLICAS_MAX ? known[min - 1] : 0;
}

/* The expiry of the lock with this name and token there; 0: it has not this token. */
static int64_t until_at(const sim_server *server, int name, rlk_str token)
{
	const sim_key *key = sim_server_peek(server, name);

	return key != NULL ? sim_us_at(server, sim_key_until_ms(key, token)) : 0;
}

/* As many replicas have it for as long as one of them. */
static void note_token(sim_server *const *all, int count, int name, rlk_str token)
{
	int64_t *known = replicated_of(token, true);

	for (int i = 0; i < count && known != NULL; i++) {
		int64_t until_us = until_at(all[i], name, token);
		int have = 0;

		for (int j = 0; j < count; j++)
			have += until_us > 0 && until_at(all[j], name, token) >= until_us;
		for (int k = 0; k < have; k++)
			known[k] = until_us > known[k] ? until_us : known[k];
	}
}

void sim_note_replicated(const sim_server *master, const sim_server *replica)
{
	sim_server *all[SIM_REPLICAS_MAX];
	int count = world.replicated ? sim_replicas_of(master, all) : 0;

	for (int name = 0; name < SIM_NAMES && count > 0; name++) {
		const sim_key *key = sim_server_peek(replica, name);

		for (int i = 0; key != NULL && i < sim_key_holders(key); i++)
			note_token(all, count, name, sim_key_holder(key, i));
	}
}

void sim_check_replicas(const sim_hold *hold)
{
	int64_t valid_until_us, until_us;

	if (hold->life.replicas.min == 0)
		return;
	valid_until_us = sim_us_of(hold->client->process, sim_hold_valid_until_ms(hold));
	until_us = sim_replicated_us(rlk_buf_str(&hold->life.lock.token.text), hold->life.replicas.min);
	if (until_us < SIM_NEVER && until_us + REPLICAS_SLACK_MS * SIM_MS < valid_until_us)
		sim_fail("%s has name%d for %d ms, %d replicas for %d ms", hold->client->process->name, hold->name,
			(int)((valid_until_us - world.now_us) / SIM_MS), hold->life.replicas.min,
			(int)((until_us - world.now_us) / SIM_MS));
}

bool sim_has_replicas(const sim_hold *hold)
{
	return hold->life.replicas.min == 0 ||
		(sim_is_calm() && !world.lags && hold->life.replicas.min <= world.replica_count &&
			hold->life.replicas.timeout_ms * SIM_MS >= REPLICAS_BOUND_MS * SIM_MS + 4 * world.latency_us &&
			!sim_topology_is_moving() && !sim_topology_has_changed(TAKEN_OVER_MS));
}
