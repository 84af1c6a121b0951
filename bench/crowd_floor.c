/*
 * crowd_floor: the least a waiter can do that is woken by the server: plain blocking hiredis, BLPOP and SET NX in one
 * write, and a release that deletes the lock and pushes to the list in one script.
 *
 * It lacks what a lock needs beyond the good case (a mark, a claim, a limit of the wait, signals), so it is not a lock
 * to use but the 1.00 to compare with.
 */
#include "crowd.h"

#include <hiredis/hiredis.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define TOKEN_LEN 32 /* 128 bits in hex, as the PHP contenders have it */
#define TTL_MS "30000"
#define SLICE_S "5"

static const char release_script[] = "if redis.call('get',KEYS[1]) == ARGV[1] then redis.call('del',KEYS[1]) "
									 "redis.call('lpush',KEYS[2],1) return 1 else return 0 end";

typedef struct {
	redisContext *redis;
	const char *key;
	char signal[96];
	char sha[41];
	char token[TOKEN_LEN + 1];
} waiter;

static void fresh_token(char token[TOKEN_LEN + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[TOKEN_LEN / 2];

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw))
		crowd_fail("getrandom failed");
	for (size_t i = 0; i < sizeof(raw); i++) {
		token[2 * i] = digits[raw[i] >> 4];
		token[2 * i + 1] = digits[raw[i] & 15];
	}
	token[TOKEN_LEN] = '\0';
}

static redisReply *check(redisReply *reply)
{
	if (reply == NULL)
		crowd_fail("connection lost");
	if (reply->type == REDIS_REPLY_ERROR)
		crowd_fail(reply->str);
	return reply;
}

static void append_set(waiter *w)
{
	const char *set[] = { "SET", w->key, w->token, "NX", "PX", TTL_MS };

	redisAppendCommandArgv(w->redis, 6, set, NULL);
}

/* The next reply. Is it something else than nil? */
static bool got(waiter *w)
{
	void *reply = NULL;
	bool yes;

	redisGetReply(w->redis, &reply);
	yes = check(reply)->type != REDIS_REPLY_NIL;
	freeReplyObject(reply);
	return yes;
}

void *crowd_open(const crowd_place *place)
{
	waiter *w = calloc(1, sizeof(*w));
	redisReply *reply;

	if (w == NULL)
		crowd_fail("out of memory");
	w->redis = place->port != 0 ? redisConnect(place->host, place->port) : redisConnectUnix(place->host);
	if (w->redis == NULL || w->redis->err != 0)
		crowd_fail("cannot connect");
	w->key = place->name;
	snprintf(w->signal, sizeof(w->signal), "%s:signal", place->name);
	reply = check(redisCommand(w->redis, "SCRIPT LOAD %s", release_script));
	memcpy(w->sha, reply->str, 40);
	freeReplyObject(reply);
	if (place->number < 0) /* what the last run has left over would wake the first waiter of this one */
		freeReplyObject(check(redisCommand(w->redis, "DEL %s", w->signal)));
	return w;
}

void crowd_acquire(void *waiter_)
{
	waiter *w = waiter_;
	const char *block[] = { "BLPOP", w->signal, SLICE_S };

	fresh_token(w->token);
	append_set(w);
	while (!got(w)) {
		redisAppendCommandArgv(w->redis, 3, block, NULL);
		append_set(w);
		got(w);
	}
}

void crowd_release(void *waiter_)
{
	waiter *w = waiter_;
	const char *release[] = { "EVALSHA", w->sha, "2", w->key, w->signal, w->token };

	redisAppendCommandArgv(w->redis, 6, release, NULL);
	got(w);
}
