/*
 * floor_quorum: what a C program pays for a lock on several servers and its release, as a long-lived worker of bench/run.
 *
 *     floor_quorum majority|all|sequential PORT...
 *
 * Each line on stdin is a number of pairs to do; the answer on stdout is the nanoseconds they took. "majority" is the
 * floor all others are compared with: every server is asked at the same time, by hiredis on non-blocking connections
 * and one poll() loop, and the call returns with the answer of the majority; what comes later is read in passing.
 * "all" waits for everybody, "sequential" asks one after the other, as most libraries do.
 *
 * A worker ends with a message and status 1 as soon as one answer is not the expected one.
 */
#include <hiredis/hiredis.h>

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define SERVERS_MAX 9
#define TOKEN_LEN 32

static const char release_script[] =
	"if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

typedef struct {
	redisContext *redis;
	unsigned late; /* answers to earlier questions still to come */
	bool answered;
} server;

static server servers[SERVERS_MAX];
static int count;
static char sha[41];
static char key[64]; /* of its own: what is still on its way must not meet the next contender */

static void fail(const char *what)
{
	fprintf(stderr, "floor_quorum: %s\n", what);
	exit(1);
}

static void fresh_token(char token[TOKEN_LEN + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[TOKEN_LEN / 2];

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw))
		fail("getrandom failed");
	for (size_t i = 0; i < sizeof(raw); i++) {
		token[2 * i] = digits[raw[i] >> 4];
		token[2 * i + 1] = digits[raw[i] & 15];
	}
	token[TOKEN_LEN] = '\0';
}

static void check(const redisReply *reply)
{
	if (reply == NULL)
		fail("connection lost");
	if (reply->type == REDIS_REPLY_ERROR)
		fail(reply->str);
	if (reply->type != REDIS_REPLY_STATUS && !(reply->type == REDIS_REPLY_INTEGER && reply->integer == 1))
		fail("unexpected answer");
}

static void send_to(server *s, int argc, const char **argv, const size_t *len)
{
	int done = 0;

	s->answered = false;
	if (redisAppendCommandArgv(s->redis, argc, argv, len) != REDIS_OK)
		fail("out of memory");
	while (!done) {
		if (redisBufferWrite(s->redis, &done) != REDIS_OK)
			fail(s->redis->errstr);
	}
}

/* Reads what there is; true when the answer to the last question is among it. */
static bool read_from(server *s)
{
	void *reply;

	if (redisBufferRead(s->redis) != REDIS_OK)
		fail(s->redis->errstr);
	while (!s->answered) {
		if (redisGetReplyFromReader(s->redis, &reply) != REDIS_OK)
			fail(s->redis->errstr);
		if (reply == NULL)
			return false;
		check(reply);
		freeReplyObject(reply);
		if (s->late > 0)
			s->late--;
		else
			s->answered = true;
	}
	return true;
}

/* Asks all and returns when `needed` have answered. */
static void ask(int argc, const char **argv, const size_t *len, int needed)
{
	struct pollfd fds[SERVERS_MAX];

	for (int i = 0; i < count; i++)
		send_to(&servers[i], argc, argv, len);
	while (needed > 0) {
		for (int i = 0; i < count; i++)
			fds[i] = (struct pollfd){ .fd = servers[i].answered ? -1 : servers[i].redis->fd, .events = POLLIN };
		if (poll(fds, (nfds_t)count, 1000) <= 0)
			fail("no answer");
		for (int i = 0; i < count; i++) {
			if (fds[i].revents != 0 && read_from(&servers[i]))
				needed--;
		}
	}
	for (int i = 0; i < count; i++)
		servers[i].late += !servers[i].answered;
}

static void ask_one_after_the_other(int argc, const char **argv, const size_t *len)
{
	for (int i = 0; i < count; i++) {
		redisReply *reply = redisCommandArgv(servers[i].redis, argc, argv, len);

		check(reply);
		freeReplyObject(reply);
	}
}

static void pair(const char *mode)
{
	char token[TOKEN_LEN + 1];
	const char *set[] = { "SET", key, token, "NX", "PX", "30000" };
	const size_t set_len[] = { 3, strlen(key), TOKEN_LEN, 2, 2, 5 };
	const char *release[] = { "EVALSHA", sha, "1", key, token };
	const size_t release_len[] = { 7, 40, 1, strlen(key), TOKEN_LEN };
	int needed = mode[0] == 'm' ? count / 2 + 1 : count;

	fresh_token(token);
	if (mode[0] == 's') {
		ask_one_after_the_other(6, set, set_len);
		ask_one_after_the_other(5, release, release_len);
	} else {
		ask(6, set, set_len, needed);
		ask(5, release, release_len, needed);
	}
}

static void open_one(server *s, int port, bool blocking)
{
	redisContext *c = redisConnect("127.0.0.1", port);
	redisReply *reply;

	if (c == NULL || c->err != 0)
		fail("cannot connect");
	reply = redisCommand(c, "SCRIPT LOAD %s", release_script);
	if (reply == NULL || reply->type != REDIS_REPLY_STRING || reply->len != 40)
		fail("SCRIPT LOAD failed");
	memcpy(sha, reply->str, 41);
	freeReplyObject(reply);
	if (!blocking) {
		redisFree(c);
		c = redisConnectNonBlock("127.0.0.1", port);
		if (c == NULL || c->err != 0)
			fail("cannot connect");
	}
	s->redis = c;
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	char line[64];

	if (argc < 3 || argc > 2 + SERVERS_MAX)
		fail("usage: floor_quorum majority|all|sequential PORT...");
	count = argc - 2;
	snprintf(key, sizeof(key), "bench:quorum:%s", argv[1]);
	for (int i = 0; i < count; i++)
		open_one(&servers[i], atoi(argv[2 + i]), argv[1][0] == 's');
	while (fgets(line, sizeof(line), stdin) != NULL) {
		int64_t started_ns = now_ns();

		for (int pairs = atoi(line); pairs > 0; pairs--)
			pair(argv[1]);
		printf("%lld\n", (long long)(now_ns() - started_ns));
		fflush(stdout);
	}
	return 0;
}
