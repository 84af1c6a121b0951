/*
 * fake_server: see the header. Nothing waits longer than LIMIT_S, so that a test that goes wrong ends.
 */
#include "fake_server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef _WIN32
#include <winsock2.h>
#else
#include <sys/socket.h>
#include <sys/un.h>
#endif

#define LIMIT_S 20
#define ARGS_MAX 16
#define ARG_MAX 8192
#define RULES_MAX 16
#define CLIENTS_MAX 64

static pthread_mutex_t verdict_mutex = PTHREAD_MUTEX_INITIALIZER;

/* TELLs that no AWAIT has heard yet. */
static int told;
static pthread_mutex_t told_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told_changed = PTHREAD_COND_INITIALIZER;

static bool fail(fake_server *server, const char *line, const char *what)
{
	pthread_mutex_lock(&verdict_mutex);
	if (server->verdict[0] == '\0')
		snprintf(server->verdict, sizeof(server->verdict), "%.200s: %.280s", line, what);
	pthread_mutex_unlock(&verdict_mutex);
	return false;
}

/* --- sockets -------------------------------------------------------------------------------------- */

#ifdef _WIN32

#define MSG_NOSIGNAL 0

static void close_socket(int fd)
{
	closesocket((SOCKET)fd);
}

/* Ends accept() in the other thread. */
static void stop_listening(fake_server *server)
{
	close_socket(server->listener);
	server->listener = -1;
}

static void limit_socket(int fd)
{
	DWORD limit_ms = LIMIT_S * 1000;

	setsockopt((SOCKET)fd, SOL_SOCKET, SO_RCVTIMEO, (const char *)&limit_ms, sizeof(limit_ms));
}

static bool listen_socket(fake_server *server)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int len = sizeof(address);
	WSADATA data;

	WSAStartup(MAKEWORD(2, 2), &data);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server->listener = (int)socket(AF_INET, SOCK_STREAM, 0);
	if (server->listener < 0 || bind((SOCKET)server->listener, (struct sockaddr *)&address, len) != 0 ||
		getsockname((SOCKET)server->listener, (struct sockaddr *)&address, &len) != 0)
		return false;
	server->port = ntohs(address.sin_port);
	return true;
}

static char *strsep(char **rest, const char *end)
{
	char *word = *rest;

	if (word != NULL) {
		*rest += strcspn(word, end);
		if (**rest == '\0')
			*rest = NULL;
		else
			*(*rest)++ = '\0';
	}
	return word;
}

#else

static void close_socket(int fd)
{
	close(fd);
}

/* Ends accept() in the other thread. */
static void stop_listening(fake_server *server)
{
	shutdown(server->listener, SHUT_RDWR);
}

static void limit_socket(int fd)
{
	struct timeval limit = { LIMIT_S, 0 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

static bool listen_socket(fake_server *server)
{
	static int number;
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	snprintf(server->path, sizeof(server->path), "/tmp/rlk-unit-%ld-%d.fake", (long)getpid(), ++number);
	strcpy(address.sun_path, server->path);
	unlink(server->path); /* of one that was killed and had our number */
	server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return server->listener >= 0 && bind(server->listener, (struct sockaddr *)&address, sizeof(address)) == 0;
}

#endif

static void close_stream(fake_stream *stream)
{
	if (stream->fd >= 0)
		close_socket(stream->fd);
	stream->fd = -1;
}

static bool accept_client(fake_server *server, fake_stream *stream)
{
	stream->fd = (int)accept(server->listener, NULL, NULL);
	stream->ended = false;
	stream->len = stream->at = 0;
	if (stream->fd >= 0)
		limit_socket(stream->fd);
	return stream->fd >= 0;
}

/* Over TCP, as on Windows, a connection may also end by a reset. */
static bool was_reset(void)
{
#ifdef _WIN32
	return WSAGetLastError() == WSAECONNRESET || WSAGetLastError() == WSAECONNABORTED;
#else
	return errno == ECONNRESET;
#endif
}

/* -1: none comes, and `ended` says whether none can. */
static int read_byte(fake_stream *stream)
{
	if (stream->at == stream->len) {
		long n = (long)recv(stream->fd, stream->in, sizeof(stream->in), 0);

		stream->ended = n == 0 || (n < 0 && was_reset());
		stream->len = n > 0 ? (size_t)n : 0;
		stream->at = 0;
	}
	return stream->at < stream->len ? (unsigned char)stream->in[stream->at++] : -1;
}

static bool read_bytes(fake_stream *stream, char *to, size_t len)
{
	for (; len > 0; len--) {
		int c = read_byte(stream);

		if (c < 0)
			return false;
		*to++ = (char)c;
	}
	return true;
}

/* "*3\r\n" or "$5\r\n"; -1 when it does not come. */
static long read_count(fake_stream *stream, char kind)
{
	char line[32];
	size_t len = 0;
	int c;

	do {
		c = read_byte(stream);
		if (c < 0 || len == sizeof(line) - 1)
			return -1;
		line[len++] = (char)c;
	} while (c != '\n');
	line[len] = '\0';
	return line[0] == kind ? strtol(line + 1, NULL, 10) : -1;
}

/* Reads a request as words with blanks between them. What has lines is the text of a script. */
static bool read_request(fake_stream *stream, char *words, size_t size)
{
	long argc = read_count(stream, '*');
	size_t used = 0;

	words[0] = '\0';
	for (long i = 0; i < argc; i++) {
		long len = read_count(stream, '$');

		if (len < 0 || used + (size_t)len + 4 > size)
			return false;
		if (i > 0)
			words[used++] = ' ';
		if (!read_bytes(stream, words + used, (size_t)len + 2))
			return false;
		words[used + (size_t)len] = '\0';
		if (memchr(words + used, '\n', (size_t)len) != NULL)
			len = sprintf(words + used, "(text)");
		used += (size_t)len;
		words[used] = '\0';
	}
	return argc > 0;
}

/* Word by word, up to the end of both. */
static bool matches(const char *wanted, const char *came)
{
	while (*wanted != '\0') {
		size_t want = strcspn(wanted, " "), have = strcspn(came, " ");

		if (strcmp(wanted, "...") == 0)
			return true;
		if (!(want == 1 && *wanted == '*' && have > 0) && (want != have || memcmp(wanted, came, want) != 0))
			return false;
		wanted += want;
		came += have;
		if (*wanted != *came)
			return strcmp(wanted, " ...") == 0;
		if (*wanted == ' ') {
			wanted++;
			came++;
		}
	}
	return *came == '\0';
}

static bool expect(fake_server *server, const char *line, const char *wanted)
{
	char came[ARG_MAX];

	if (server->stream.fd < 0 && !accept_client(server, &server->stream))
		return fail(server, line, "nobody connected");
	if (!read_request(&server->stream, came, sizeof(came)))
		return fail(server, line, server->stream.ended ? "the client closed instead" : "nothing came");
	return matches(wanted, came) || fail(server, line, came);
}

static bool send_bytes(const fake_stream *stream, const char *text, const char *end)
{
	char bytes[ARG_MAX];
	size_t len = 0;

	for (; *text != '\0' && len + 3 < sizeof(bytes); text++) {
		if (text[0] == '\\' && (text[1] == 'r' || text[1] == 'n'))
			bytes[len++] = *++text == 'r' ? '\r' : '\n';
		else
			bytes[len++] = *text;
	}
	memcpy(bytes + len, end, strlen(end));
	len += strlen(end);
	return (long)send(stream->fd, bytes, len, MSG_NOSIGNAL) == (long)len;
}

static bool expect_close(fake_server *server, const char *line, bool silently)
{
	while (read_byte(&server->stream) >= 0) {
		if (!silently)
			return fail(server, line, "more came");
	}
	if (!server->stream.ended)
		return fail(server, line, "the client did not close");
	close_stream(&server->stream);
	return true;
}

/* --- SERVE ---------------------------------------------------------------------------------------- */

typedef struct {
	const char *wanted, *answer;
} rule;

typedef struct {
	fake_server *server;
	const rule *rules;
	fake_stream stream;
	pthread_t thread;
} client;

static void *serve_client(void *arg)
{
	client *one = arg;
	char came[ARG_MAX];

	while (read_request(&one->stream, came, sizeof(came))) {
		const rule *fits = one->rules;

		while (fits->wanted != NULL && !matches(fits->wanted, came))
			fits++;
		if (fits->wanted == NULL) {
			fail(one->server, "SERVE", came);
			break;
		}
		if (!send_bytes(&one->stream, fits->answer, "\r\n"))
			break; /* it may go when it likes */
	}
	close_stream(&one->stream);
	return NULL;
}

/* Until the listener is shut down, which is how the test ends it. */
static void serve(fake_server *server, char *lines)
{
	rule rules[RULES_MAX + 1] = { { NULL, NULL } };
	client clients[CLIENTS_MAX];
	int count = 0;
	char *line, *arrow;

	while ((line = strsep(&lines, "\n")) != NULL && count < RULES_MAX) {
		if ((arrow = strstr(line, " => ")) == NULL)
			continue;
		*arrow = '\0';
		rules[count++] = (rule){ line, arrow + 4 };
	}
	for (count = 0; count < CLIENTS_MAX; count++) {
		clients[count] = (client){ .server = server, .rules = rules };
		if (!accept_client(server, &clients[count].stream) ||
			pthread_create(&clients[count].thread, NULL, serve_client, &clients[count]) != 0)
			break;
	}
	while (count-- > 0)
		pthread_join(clients[count].thread, NULL);
}

/* --- between servers ------------------------------------------------------------------------------ */

static void say(void)
{
	pthread_mutex_lock(&told_mutex);
	told++;
	pthread_cond_signal(&told_changed);
	pthread_mutex_unlock(&told_mutex);
}

static bool await_tell(void)
{
	struct timespec limit;
	int failed = 0;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += LIMIT_S;
	pthread_mutex_lock(&told_mutex);
	while (told == 0 && failed == 0)
		failed = pthread_cond_timedwait(&told_changed, &told_mutex, &limit);
	told -= told > 0;
	pthread_mutex_unlock(&told_mutex);
	return failed == 0;
}

/* --- the script ----------------------------------------------------------------------------------- */

static bool play_line(fake_server *server, const char *line)
{
	const char *blank = strchr(line, ' ');
	const char *rest = blank != NULL ? blank + 1 : "";

	if (strncmp(line, "EXPECT ", 7) == 0)
		return expect(server, line, rest);
	if (server->stream.fd < 0 &&
		(strncmp(line, "SEND", 4) == 0 || strcmp(line, "EXPECT-CLOSE") == 0 || strcmp(line, "SILENCE") == 0))
		return fail(server, line, "nobody is connected");
	if (strncmp(line, "SEND ", 5) == 0)
		return send_bytes(&server->stream, rest, "\r\n") || fail(server, line, "the client does not take it");
	if (strncmp(line, "SENDRAW ", 8) == 0)
		return send_bytes(&server->stream, rest, "") || fail(server, line, "the client does not take it");
	if (strncmp(line, "DELAY ", 6) == 0) {
		long ms = strtol(rest, NULL, 10);

		nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
		return true;
	}
	if (strcmp(line, "TELL") == 0) {
		say();
		return true;
	}
	if (strcmp(line, "AWAIT") == 0)
		return await_tell() || fail(server, line, "nobody told");
	if (strcmp(line, "EXPECT-CLOSE") == 0 || strcmp(line, "SILENCE") == 0)
		return expect_close(server, line, line[0] == 'S');
	if (strcmp(line, "CLOSE") == 0) {
		close_stream(&server->stream);
		return true;
	}
	if (strcmp(line, "GONE") == 0) {
		close_socket(server->listener);
		server->listener = -1;
		return true;
	}
	return fail(server, line, "is no step");
}

static void *play(void *arg)
{
	fake_server *server = arg;
	char *script = strdup(server->script), *rest = script, *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (strcmp(line, "SERVE") == 0) {
			serve(server, rest);
			break;
		}
		if (line[0] != '\0' && !play_line(server, line)) {
			stop_listening(server); /* nobody has to wait for a server that has gone */
			break;
		}
	}
	close_stream(&server->stream);
	free(script);
	return NULL;
}

bool fake_server_start(fake_server *server, const char *script)
{
	memset(server, 0, sizeof(*server));
	server->script = script;
	server->serves = strstr(script, "SERVE\n") != NULL;
	server->stream.fd = -1;
	if (!listen_socket(server) || listen(server->listener, 8) != 0)
		return false;
	limit_socket(server->listener);
	return pthread_create(&server->thread, NULL, play, server) == 0;
}

bool fake_server_address(const fake_server *server, rlk_server *named)
{
	bool has_path = server->path[0] != '\0';

	named->transport = has_path ? RLK_TRANSPORT_UNIX : RLK_TRANSPORT_TCP;
	named->port = server->port;
	if (!rlk_str_store(has_path ? &named->path : &named->host,
			has_path ? rlk_str_from_cstr(server->path) : RLK_STR("127.0.0.1")))
		return false;
	rlk_server_write_uri(named);
	return true;
}

const char *fake_server_end(fake_server *server)
{
	if (server->serves)
		stop_listening(server);
	pthread_join(server->thread, NULL);
	if (server->listener >= 0)
		close_socket(server->listener);
	if (server->path[0] != '\0')
		unlink(server->path);
	return server->verdict;
}
