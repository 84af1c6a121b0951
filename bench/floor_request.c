/*
 * floor_request: what a lock and its release cost a request to a web server at least, as a long-lived worker of bench/run.
 *
 *     floor_request PATH              a unix socket
 *     floor_request PORT CAFILE       TLS on the loopback address, if compiled with -DTLS
 *
 * Each line on stdin is a number of megabytes and one of milliseconds. So much new memory is written, which empties the
 * caches of the processor as the data of a request does, and so long it sleeps; then the lock is taken and released on a
 * connection that stays. The answer on stdout is the nanoseconds of both. There is no PHP, no fresh token, no look at the
 * connection, and nobody who renews.
 */
#include "process.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#ifdef TLS
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#endif

#define KEY "bench:floor_request"

static const char set[] =
	"*6\r\n$3\r\nSET\r\n$19\r\n" KEY "\r\n$8\r\nwhatever\r\n$2\r\nNX\r\n$2\r\nPX\r\n$5\r\n30000\r\n";

/* The script of the Redis manual, whose digest comes from SCRIPT LOAD. */
static const char load[] =
	"*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$95\r\n"
	"if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end\r\n";
static char release[256];

#ifdef TLS
static SSL *ssl;

static void open_connection(char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1])) };
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		fail("connect");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_read_ahead(context, 1);
	if (SSL_CTX_load_verify_locations(context, argv[2], NULL) != 1)
		fail("certificate");
	ssl = SSL_new(context);
	SSL_set_fd(ssl, fd);
	if (SSL_connect(ssl) != 1)
		fail("TLS");
}

static int say(const char *request, size_t len)
{
	return SSL_write(ssl, request, (int)len);
}

static int hear(char *answer, size_t size)
{
	return SSL_read(ssl, answer, (int)size);
}
#else
static int fd;

static void open_connection(char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", argv[1]);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		fail("connect");
}

static int say(const char *request, size_t len)
{
	return (int)send(fd, request, len, MSG_NOSIGNAL);
}

static int hear(char *answer, size_t size)
{
	return (int)recv(fd, answer, size, 0);
}
#endif

/* Any answer that begins like this one. */
static void command(const char *request, size_t len, const char *wanted, char *answer, size_t size)
{
	int n;

	if (say(request, len) != (int)len)
		fail("cannot send");
	n = hear(answer, size - 1);
	answer[n > 0 ? n : 0] = '\0';
	if (strncmp(answer, wanted, strlen(wanted)) != 0)
		fail("unexpected answer");
}

int main(int argc, char **argv)
{
	char line[64], answer[128];

	if (argc < 2)
		fail("usage: floor_request PATH | PORT CAFILE");
	open_connection(argv);
	command(load, sizeof(load) - 1, "$40\r\n", answer, sizeof(answer));
	snprintf(release, sizeof(release),
		"*5\r\n$7\r\nEVALSHA\r\n$40\r\n%.40s\r\n$1\r\n1\r\n$19\r\n" KEY "\r\n$8\r\nwhatever\r\n", answer + 5);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		char *rest;
		size_t bytes = strtoul(line, &rest, 10) << 20;
		char *heap = make_heap(bytes);
		int64_t started, taken, released;

		memset(heap, 2, bytes);
		usleep((useconds_t)(strtoul(rest, NULL, 10) * 1000));
		started = now_ns();
		command(set, sizeof(set) - 1, "+OK", answer, sizeof(answer));
		taken = now_ns();
		command(release, strlen(release), ":1", answer, sizeof(answer));
		released = now_ns();
		munmap(heap, bytes);
		printf("[%lld, %lld]\n", (long long)(taken - started), (long long)(released - taken));
		fflush(stdout);
	}
	return 0;
}
