/*
 * floor: what a C program pays for a lock and its release, as a long-lived worker of bench/run.
 *
 *     floor hiredis|bare kept|new tcp HOST PORT
 *     floor hiredis|bare kept|new unix PATH
 *
 * Each line on stdin is a number of pairs to do; the answer on stdout is the nanoseconds they took.
 * "hiredis" is the floor all others are compared with: blocking hiredis, one reply object per command.
 * It uses redisCommandArgv(), because redisCommand() parses a format string for the same bytes and is slower:
 * nobody shall say that the floor was made low. "bare" has no library at all and shows what is left to gain.
 *
 * A worker ends with a message and status 1 as soon as one answer is not the expected one, since the speed
 * of a failing lock is of no interest.
 */
#include <hiredis/hiredis.h>

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define TOKEN_LEN 32 /* 128 bits in hex, as the PHP contenders have it */
#define KEY "bench:floor"

/* The script of the Redis manual, which all contenders without one of their own share. */
static const char release_script[] =
	"if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

typedef struct {
	bool kept;
	const char *host; /* address or path */
	int port;         /* 0: host is a path */
	char sha[41];
	redisContext *hiredis; /* non-NULL exactly while the hiredis client is connected */
	int fd;                /* >= 0 exactly while the bare client is connected */
} client;

static void fail(const char *what)
{
	fprintf(stderr, "floor: %s\n", what);
	exit(1);
}

/* Fresh for each acquisition: a peer that reuses a token does not do the same work. */
static void fresh_token(char token[TOKEN_LEN + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[TOKEN_LEN / 2];

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw)) {
		fail("getrandom failed");
	}
	for (size_t i = 0; i < sizeof(raw); i++) {
		token[2 * i] = digits[raw[i] >> 4];
		token[2 * i + 1] = digits[raw[i] & 15];
	}
	token[TOKEN_LEN] = '\0';
}

/* --- hiredis --------------------------------------------------------------------------------- */

static void hiredis_open(client *c)
{
	c->hiredis = c->port != 0 ? redisConnect(c->host, c->port) : redisConnectUnix(c->host);
	if (c->hiredis == NULL || c->hiredis->err != 0) {
		fail(c->hiredis != NULL ? c->hiredis->errstr : "out of memory");
	}
}

static void hiredis_close(client *c)
{
	redisFree(c->hiredis);
	c->hiredis = NULL;
}

static void hiredis_expect(redisReply *reply, int type)
{
	if (reply == NULL) {
		fail("connection lost");
	}
	if (reply->type != type || (type == REDIS_REPLY_INTEGER && reply->integer != 1)) {
		fail(reply->type == REDIS_REPLY_ERROR ? reply->str : "unexpected answer");
	}
	freeReplyObject(reply);
}

static void hiredis_pair(client *c)
{
	char token[TOKEN_LEN + 1];
	const char *set[] = { "SET", KEY, token, "NX", "PX", "30000" };
	const size_t set_len[] = { 3, sizeof(KEY) - 1, TOKEN_LEN, 2, 2, 5 };
	const char *release[] = { "EVALSHA", c->sha, "1", KEY, token };
	const size_t release_len[] = { 7, 40, 1, sizeof(KEY) - 1, TOKEN_LEN };

	fresh_token(token);
	hiredis_expect(redisCommandArgv(c->hiredis, 6, set, set_len), REDIS_REPLY_STATUS);
	hiredis_expect(redisCommandArgv(c->hiredis, 5, release, release_len), REDIS_REPLY_INTEGER);
}

/* --- bare sockets ---------------------------------------------------------------------------- */

static void bare_open(client *c)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)c->port) };
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int on = 1;

	if (c->port != 0) {
		inet_pton(AF_INET, c->host, &in.sin_addr);
		c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (connect(c->fd, (struct sockaddr *)&in, sizeof(in)) != 0) {
			fail(strerror(errno));
		}
		setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		return;
	}
	snprintf(un.sun_path, sizeof(un.sun_path), "%s", c->host);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(c->fd, (struct sockaddr *)&un, sizeof(un)) != 0) {
		fail(strerror(errno));
	}
}

static void bare_close(client *c)
{
	close(c->fd);
	c->fd = -1;
}

static void bare_command(client *c, const char *request, size_t len, const char *answer)
{
	char buf[256];
	size_t want = strlen(answer), have = 0;

	if (send(c->fd, request, len, MSG_NOSIGNAL) != (ssize_t)len) {
		fail("short write");
	}
	while (have < want) {
		ssize_t n = recv(c->fd, buf + have, sizeof(buf) - have, 0);

		if (n <= 0) {
			fail("connection lost");
		}
		have += (size_t)n;
	}
	if (have != want || memcmp(buf, answer, want) != 0) {
		fail("unexpected answer");
	}
}

static void bare_pair(client *c)
{
	char token[TOKEN_LEN + 1], request[256];
	int len;

	fresh_token(token);
	len = snprintf(request, sizeof(request),
		"*6\r\n$3\r\nSET\r\n$11\r\n" KEY "\r\n$32\r\n%s\r\n$2\r\nNX\r\n$2\r\nPX\r\n$5\r\n30000\r\n", token);
	bare_command(c, request, (size_t)len, "+OK\r\n");
	len = snprintf(request, sizeof(request),
		"*5\r\n$7\r\nEVALSHA\r\n$40\r\n%s\r\n$1\r\n1\r\n$11\r\n" KEY "\r\n$32\r\n%s\r\n", c->sha, token);
	bare_command(c, request, (size_t)len, ":1\r\n");
}

/* --- worker ---------------------------------------------------------------------------------- */

static void load_script(client *c)
{
	redisReply *reply;

	hiredis_open(c);
	reply = redisCommand(c->hiredis, "SCRIPT LOAD %s", release_script);
	if (reply == NULL || reply->type != REDIS_REPLY_STRING || reply->len != 40) {
		fail("SCRIPT LOAD failed");
	}
	memcpy(c->sha, reply->str, 41);
	freeReplyObject(reply);
	hiredis_close(c);
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	client c = { .fd = -1 };
	void (*open_client)(client *);
	void (*close_client)(client *);
	void (*pair)(client *);
	char line[64];

	if (argc < 5 || (strcmp(argv[3], "tcp") == 0 && argc < 6)) {
		fail("usage: floor hiredis|bare kept|new tcp HOST PORT | unix PATH");
	}
	open_client = strcmp(argv[1], "bare") == 0 ? bare_open : hiredis_open;
	close_client = strcmp(argv[1], "bare") == 0 ? bare_close : hiredis_close;
	pair = strcmp(argv[1], "bare") == 0 ? bare_pair : hiredis_pair;
	c.kept = strcmp(argv[2], "kept") == 0;
	c.host = argv[4];
	c.port = argc > 5 ? atoi(argv[5]) : 0;
	load_script(&c);
	if (c.kept) {
		open_client(&c);
	}
	while (fgets(line, sizeof(line), stdin) != NULL) {
		long pairs = strtol(line, NULL, 10);
		int64_t started = now_ns();

		for (long i = 0; i < pairs; i++) {
			if (!c.kept) {
				open_client(&c);
			}
			pair(&c);
			if (!c.kept) {
				close_client(&c);
			}
		}
		printf("%lld\n", (long long)(now_ns() - started));
		fflush(stdout);
	}
	return 0;
}
