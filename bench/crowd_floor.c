/*
 * crowd_floor: the least a waiter can do that is woken by the server: plain blocking hiredis, BLPOP and SET NX in one
 * write, and a release that deletes the lock and pushes to the list in one script.
 *
 * It lacks what a lock needs beyond the good case (a waiters key, a provisional ttl, a limit of the wait, signals), so
 * it is not a lock to use but the 1.00 to compare with.
 *
 * With -DLEASE it takes a provisional ttl first, and sends what makes it the whole ttl at once, without waiting for the
 * answer: the third request that a lease cannot do without.
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
#ifdef LEASE
#define CLAIM_MS "2000"
#else
#define CLAIM_MS TTL_MS
#endif
#define SLICE_S "5"

static const char release_script[] = "if redis.call('get',KEYS[1]) == ARGV[1] then redis.call('del',KEYS[1]) "
									 "redis.call('lpush',KEYS[2],1) return 1 else return 0 end";

static const char extend_script[] =
	"return redis.call('get',KEYS[1]) == ARGV[1] and redis.call('pexpire',KEYS[1],ARGV[2]) or 0";

typedef struct {
	redisContext *redis;
	const char *key;
	char signal[96];
	char sha[41], extend_sha[41];
	bool extending; /* the answer has not been read */
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
	const char *set[] = { "SET", w->key, w->token, "NX", "PX", CLAIM_MS };

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

static void load_script(waiter *w, const char *text, char sha[41])
{
	redisReply *reply = check(redisCommand(w->redis, "SCRIPT LOAD %s", text));

	memcpy(sha, reply->str, 40);
	freeReplyObject(reply);
}

#ifdef LEASE
static void extend_unread(waiter *w)
{
	const char *extend[] = { "EVALSHA", w->extend_sha, "1", w->key, w->token, TTL_MS };
	int done = 0;

	redisAppendCommandArgv(w->redis, 6, extend, NULL);
	while (!done) {
		if (redisBufferWrite(w->redis, &done) != REDIS_OK)
			crowd_fail("connection lost");
	}
	w->extending = true;
}
#endif

void *crowd_open(const crowd_place *place)
{
	waiter *w = calloc(1, sizeof(*w));

	if (w == NULL)
		crowd_fail("out of memory");
	w->redis = place->port != 0 ? redisConnect(place->host, place->port) : redisConnectUnix(place->host);
	if (w->redis == NULL || w->redis->err != 0)
		crowd_fail("cannot connect");
	w->key = place->name;
	snprintf(w->signal, sizeof(w->signal), "%s:signal", place->name);
	load_script(w, release_script, w->sha);
	load_script(w, extend_script, w->extend_sha);
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
#ifdef LEASE
	extend_unread(w);
#endif
}

void crowd_release(void *waiter_)
{
	waiter *w = waiter_;
	const char *release[] = { "EVALSHA", w->sha, "2", w->key, w->signal, w->token };

	redisAppendCommandArgv(w->redis, 6, release, NULL);
	if (w->extending)
		got(w);
	w->extending = false;
	got(w);
}
